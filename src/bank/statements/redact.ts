/**
 * The decision that erases a person from an entry of a bank and from its past: name, account and words. What stays is the booking, with the
 * references and codes by which it is known when a bank reports it again (`core/deduplication/likeness.ts`). Pure. Decision record 0032.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type Members, redact, redactedName, redactedParty } from '../../core/redact.ts';
import { missing } from '../../core/values/errors.ts';
import type { ExplainedTransaction, Explanation } from './fields.ts';

export interface RedactBankEntry {
  readonly type: 'redact_bank_entry';
  readonly id: string;
  /** Of the transactions that another message said, the places of the person's, from 0. */
  readonly transactions: readonly number[];
  /** For so long after the day of booking the records are kept; 0: no time. */
  readonly retentionYears: number;
}

/** Without the persons of these, by their places from 0. Others paid in the same entry. */
export const redactedTransactions = (
  all: readonly ExplainedTransaction[],
  places: readonly number[],
): readonly ExplainedTransaction[] =>
  all.map((each, at) =>
    places.includes(at) ? { ...each, name: redactedName(each.name), account: null, text: null } : each,
  );

export const redactedEntry = (
  { explanation }: { readonly explanation: Explanation },
  places: readonly number[] = [],
): { readonly explanation: Explanation } => {
  const { details } = explanation;
  const transactions = redactedTransactions(details?.transactions ?? [], places);
  const words = { name: redactedName(explanation.name), account: null, text: null, returnText: null };
  return { explanation: { ...explanation, ...words, ...(details && { details: { ...details, transactions } }) } };
};

const membersOf = (places: readonly number[]): Members => ({
  counterparty: redactedParty,
  remittance: (words: object) => ({ ...words, text: null, return_text: null }),
  transactions: (all: readonly { readonly counterparty: { readonly name: string | null } }[]) =>
    all.map((each, at) =>
      places.includes(at) ? { ...each, counterparty: redactedParty(each.counterparty), text: null } : each,
    ),
});

/** Refuses `resource_missing` and `retention_required`. */
export function redactBankEntry(draft: Draft, { id, transactions, retentionYears }: RedactBankEntry): Decision {
  const entry = draft.find('bank_entry', id);
  if (!entry) return missing('bank entry', id);
  const to = redactedEntry(entry, transactions);
  const [members, audit] = [membersOf(transactions), 'bank_entry.redacted' as const];
  return redact(draft, entry, { to, members, audit, retentionYears });
}
