/**
 * The decision that erases a person from an entry of a bank and from its past: name, account and words. What stays is the booking, with the
 * references and codes by which it is known when a bank reports it again (`core/deduplication/likeness.ts`). Pure. Decision record 0032.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type Members, redact, redactedName, redactedParty } from '../../core/redact.ts';
import { missing } from '../../core/values/errors.ts';
import type { Explanation } from './fields.ts';

export interface RedactBankEntry {
  readonly type: 'redact_bank_entry';
  readonly id: string;
  /** For so long after the day of booking the records are kept; 0: no time. */
  readonly retentionYears: number;
}

export const redactedEntry = ({ explanation }: { readonly explanation: Explanation }) => ({
  explanation: { ...explanation, name: redactedName(explanation.name), account: null, text: null, returnText: null },
});

const MEMBERS: Members = {
  counterparty: redactedParty,
  remittance: (words: object) => ({ ...words, text: null, return_text: null }),
};

/** Refuses `resource_missing` and `retention_required`. */
export function redactBankEntry(draft: Draft, { id, retentionYears }: RedactBankEntry): Decision {
  const entry = draft.find('bank_entry', id);
  if (!entry) return missing('bank entry', id);
  const audit = 'bank_entry.redacted';
  return redact(draft, entry, { to: redactedEntry(entry), members: MEMBERS, audit, retentionYears });
}
