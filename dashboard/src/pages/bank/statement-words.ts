/** States of statements and of their entries in words, each with its mark. Pure. */
import type { BankEntry, BankStatement } from '../../../../client/src/generated/types.ts';
import type { StateWords } from '../../ui/state.tsx';

const STATES: Readonly<Record<Exclude<BankStatement['status'], 'imported'>, StateWords>> = {
  importing: { mark: 'going', word: 'Being read' },
  before_opening: { mark: 'off', word: 'Before the books' },
  needs_review: { mark: 'wait', word: 'Waits for somebody' },
  superseded: { mark: 'off', word: 'Replaced' },
};

const PROOFS: Readonly<Record<BankStatement['proof'], StateWords>> = {
  ok: { mark: 'done', word: 'Agrees' },
  gap: { mark: 'bad', word: 'One before it is missing' },
  failed: { mark: 'bad', word: 'Contradicts itself' },
  drift: { mark: 'bad', word: 'Bank and books differ' },
  none: { mark: 'off', word: 'No balance' },
};

/** What it proves, or why it proves nothing yet: one that is not booked is no proof, whatever its balances say. */
export const statementState = ({ status, proof }: Pick<BankStatement, 'status' | 'proof'>): StateWords =>
  status === 'imported'
    ? (PROOFS[proof] ?? { mark: 'off', word: proof })
    : (STATES[status] ?? { mark: 'off', word: status });

/** For filters. */
export const PROOF_CHOICES = Object.entries(PROOFS).map(([value, { word }]) => ({ value, label: word }));
export const STATUS_CHOICES = [
  ...Object.entries(STATES).map(([value, { word }]) => ({ value, label: word })),
  { value: 'imported', label: 'Booked' },
];

const MESSAGES: Readonly<Record<string, string>> = { mt940: 'MT940', mt942: 'MT942' };
/** `camt.053`, `MT940`. */
export const messageWord = (message: string): string => MESSAGES[message] ?? message;

const ENTRIES: Readonly<Record<BankEntry['status'], StateWords>> = {
  unmatched: { mark: 'wait', word: 'No place yet' },
  matched: { mark: 'done', word: 'Has its place' },
  voided: { mark: 'off', word: 'Voided' },
};

/** A change that a second person has to agree to comes before what the entry is. */
export function entryState({
  status,
  pending_changes: pending,
}: Pick<BankEntry, 'status' | 'pending_changes'>): StateWords {
  if (pending !== null) return { mark: 'wait', word: status === 'voided' ? 'To be restored' : 'To be voided' };
  return ENTRIES[status] ?? { mark: 'off', word: status };
}
