/** The decision that keeps a signature under the reconciliation of a month: an entry of the audit log, and nothing else. Pure. */
import type { Actor } from '../../core/actor.ts';
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';

export interface SignReconciliation {
  readonly type: 'sign_reconciliation';
  readonly bankAccount: string;
  /** `2026-11`. */
  readonly month: string;
  /** When the month ends where the bank is, environment clock. */
  readonly endsMs: number;
  readonly lastDay: string;
  /** Of the canonical JSON of the report, in hex. */
  readonly sha256: string;
  /** What the caller has read; `null`: whatever the report is. */
  readonly given: string | null;
  /** For the audit log; minor units. */
  readonly closing: bigint;
  readonly proof: string;
}

/** Refuses `resource_missing`, `bank_month_open` and `reconciliation_changed`. */
export function signReconciliation(draft: Draft, command: SignReconciliation): Decision {
  const { bankAccount, month, endsMs, lastDay, sha256, given, closing, proof } = command;
  if (!draft.find('bank_account', bankAccount)) return missing('bank account', bankAccount);
  if (draft.atMs < endsMs) {
    const message = `month is ${month}, which ends with ${lastDay} where the bank is. Sign it after that day.`;
    return refusal('bank_month_open', message, { param: 'month' });
  }
  if (given !== null && given !== sha256) {
    const message = `sha256 is ${given}, and the report now has ${sha256}. Read the report again, and sign that one.`;
    return refusal('reconciliation_changed', message, { param: 'sha256' });
  }
  draft.audit('bank_account.reconciled', bankAccount, { month, sha256, closing_balance: String(closing), proof });
  const signed = { month, sha256, signedAt: draft.atMs, signedBy: draft.actor };
  return { object: 'reconciliation_signature', id: bankAccount, ...signed };
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly reconciliation_signature: {
      readonly object: 'reconciliation_signature';
      /** That of the bank account. */
      readonly id: string;
      readonly month: string;
      readonly sha256: string;
      readonly signedAt: number;
      readonly signedBy: Actor | null;
    };
  }
}
