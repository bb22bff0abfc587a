/**
 * Decisions about messages that do not book: what they say of the transactions of an entry waits for that entry, and then divides it, if
 * all of it still waits in `unmatched`. What has its place is not moved; the transactions are shown all the same. Pure. Decision 0089.
 */
import type { Decision } from '../../core/decision.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import type { Draft } from '../../core/draft.ts';
import { missing } from '../../core/values/errors.ts';
import { formatMoney } from '../../core/values/money.ts';
import { isUnclear, namedIn, payoutsInWords } from '../../core/rails/named-references.ts';
import { inWords, placeCredit, Places } from './booking.ts';
import type { ExplainedDetails, ExplainedPart, ExplainedTransaction, Explanation } from './explanation.ts';
import { type BankEntry, type BankEntryDetails, markOf, MOST_ASSIGNMENTS, MOST_NOTES, unassigned } from './fields.ts';
import { withPart } from './parts.ts';
import { redactedTransactions } from './redact.ts';

/** What a message says of the transactions of one entry. Amounts: minor units. */
export interface EntryDetails
  extends Pick<BankEntryDetails, 'message' | 'direction' | 'amount' | 'bookedOn' | 'mark' | 'isExact' | 'isNaming'> {
  readonly transactions: readonly ExplainedTransaction[];
}

export interface KeepEntryDetails {
  readonly type: 'keep_entry_details';
  readonly document: string;
  readonly bankAccount: string;
  readonly details: readonly EntryDetails[];
}

/** Details that wait, and the one entry that they name. */
interface BroughtDetails {
  readonly details: string;
  readonly entry: string;
  /** That its transactions name, for what is loaded. */
  readonly references: readonly string[];
}

export interface BringEntryDetails {
  readonly type: 'bring_entry_details';
  readonly bankAccount: string;
  /** That of the bank account when the entries were looked for. */
  readonly booksVersion: number;
  readonly brought: readonly BroughtDetails[];
}

/**
 * Of an entry the first details are kept; others only if the first do not come to its amount, and they do. Details that are left out are
 * noted in the document, unless they say the same. Refuses `resource_missing`. Answers the document.
 */
export function keepEntryDetails(draft: Draft, { document: id, bankAccount, details }: KeepEntryDetails): Decision {
  const document = draft.find('statement_file', id);
  if (!document) return missing('statement file', id);
  const account = draft.find('bank_account', bankAccount);
  if (!account) return missing('bank account', bankAccount);
  const notes = [...document.notes];
  const known = new Map<string, BankEntryDetails[]>();
  for (const each of draft.all('bank_entry_details')) {
    if (each.bankAccount === bankAccount) known.set(each.mark, [...(known.get(each.mark) ?? []), each]);
  }
  for (const { transactions, ...said } of details) {
    const content = JSON.stringify(transactions);
    const same = known.get(said.mark) ?? [];
    if (same.some((each) => each.document === id || contentOf(draft, each) === content)) continue;
    const first = same.find(({ isExact }) => isExact || !said.isExact);
    if (first === undefined) {
      const row = { id: draft.newId('bed'), bankAccount, document: id, ...said, content, createdAt: draft.atMs };
      const kept = { object: 'bank_entry_details', ...row, isWaiting: true, entry: null } as const;
      known.set(said.mark, [...same, draft.create<BankEntryDetails>(kept)]);
      continue;
    }
    const money = formatMoney(said.amount, account.currency);
    const note = `The transactions of the ${said.direction} of ${money} of ${said.bookedOn} are others than in document ${first.document}, which came first: they are not used.`;
    if (!notes.includes(note) && notes.length < MOST_NOTES) notes.push(note);
  }
  return notes.length === document.notes.length ? document : draft.update({ ...document, notes });
}

/** The transactions as they came, as JSON: the entry that has them keeps where each went. */
function contentOf(draft: Draft, { isWaiting, content, entry, document }: BankEntryDetails): string | null {
  if (isWaiting) return content;
  const kept = draft.find('bank_entry', entry ?? '')?.explanation.details;
  if (kept?.document !== document) return null;
  return JSON.stringify(kept.transactions.map((each) => ({ ...each, to: null, transfer: null })));
}

/**
 * Each entry gets the details that name it. Refuses `resource_missing`. Answers the last entry; the bank account, where its books are others
 * than those in which the entries were found: then nothing is done.
 */
export function bringEntryDetails(draft: Draft, command: BringEntryDetails): Decision {
  const account = draft.find('bank_account', command.bankAccount);
  if (!account) return missing('bank account', command.bankAccount);
  if (account.booksVersion !== command.booksVersion) return account;
  const places = new Places(draft);
  const had = new Map(draft.all('bank_entry_details').map((each) => [each.entry ?? '', each]));
  let last: Decision = account;
  for (const each of command.brought) {
    const row = draft.find('bank_entry_details', each.details);
    const entry = draft.find('bank_entry', each.entry);
    if (!row) return missing('details of a bank entry', each.details);
    if (!entry) return missing('bank entry', each.entry);
    last = entry;
    const isMeant = markOf(likenessOf({ ...entry, file: null })) === row.mark && entry.bankAccount === row.bankAccount;
    if (!row.isWaiting || !isMeant || entry.status === 'voided') continue;
    const before = had.get(entry.id);
    const isBetter = before === undefined || (row.isExact && !before.isExact);
    const kept = { ...row, isWaiting: false, entry: isBetter ? entry.id : null, content: '[]' };
    had.set(isBetter ? entry.id : '', draft.update<BankEntryDetails>(kept));
    if (!isBetter) continue;
    if (before !== undefined) draft.update<BankEntryDetails>({ ...before, entry: null });
    last = bring(draft, entry, row, places);
  }
  return last;
}

function bring(draft: Draft, entry: BankEntry, row: BankEntryDetails, places: Places): BankEntry {
  const { document, message } = row;
  const transactions = JSON.parse(row.content) as readonly ExplainedTransaction[];
  const details = { document, message, transactions };
  const previous = { transactions_from: entry.explanation.details?.document ?? null };
  if (!isOpen(entry) || namesOther(entry.explanation, transactions)) {
    return draft.update(withDetails(entry, details), 'bank_entry.updated', previous);
  }
  const isCredit = entry.direction === 'credit';
  const explained = withDetails(entry, details, isCredit ? partsOf(transactions) : []);
  const after = isCredit && row.isExact ? divided(draft, entry, details, places) : explained;
  if (after.assignments.length === 0) draft.update(after, 'bank_entry.updated', previous);
  else draft.update(after, 'bank_entry.assigned', { status: entry.status, ...previous });
  if (after.conflict !== null) draft.emit('bank_entry.conflict_detected', after);
  return after;
}

/** Nothing of it has a place, or had one; nobody has asked to void it; and no message that books it said its transactions. */
const isOpen = (entry: BankEntry): boolean =>
  entry.status === 'unmatched' &&
  entry.kind === 'entry' &&
  entry.assignments.length === 0 &&
  entry.conflict === null &&
  entry.pendingChanges === null &&
  !hasOwnParts(entry.explanation) &&
  unassigned(entry) === entry.amount;

/** Where the message that books it was read, the payer named something that no transaction names, or a payout: that is for a person. */
function namesOther({ text, endToEndId }: Explanation, transactions: readonly ExplainedTransaction[]): boolean {
  const words = text ?? '';
  const known = new Set(transactions.flatMap(({ references }) => references));
  return payoutsInWords(`${endToEndId ?? ''} ${words}`).length > 0 || namedIn(words).some((each) => !known.has(each));
}

const hasOwnParts = ({ parts, details }: Explanation): boolean =>
  parts !== undefined && JSON.stringify(parts) !== JSON.stringify(partsOf(details?.transactions ?? []));

const withDetails = (
  entry: BankEntry,
  details: ExplainedDetails,
  parts: readonly ExplainedPart[] = entry.explanation.parts ?? [],
): BankEntry => {
  const { parts: _, ...explanation } = entry.explanation;
  return { ...entry, explanation: { ...explanation, ...(parts.length > 0 && { parts }), details } };
};

/** Each transaction goes where its one reference leads; the others wait. */
function divided(
  draft: Draft,
  open: BankEntry,
  { transactions, ...from }: ExplainedDetails,
  places: Places,
): BankEntry {
  let entry = open;
  const conflicts: string[] = [];
  const assigned = transactions.map((each): ExplainedTransaction => {
    const amount = BigInt(each.amount ?? '0');
    const [reference] = each.references;
    if (amount === 0n || reference === undefined || isUnclear(reference)) return each;
    const source = { by: 'unmatched', currency: entry.currency, places, causeId: entry.id } as const;
    const found = placeCredit(draft, { ...each, amount }, source);
    conflicts.push(...found.conflicts);
    for (const part of found.parts) entry = withPart(draft, entry, { reason: null, ...part });
    const [{ to, transfer } = { to: null, transfer: null }] = found.parts;
    return { ...each, to, transfer };
  });
  const left = partsOf(assigned.filter(({ to }) => to === null));
  const explained = withDetails(entry, { ...from, transactions: assigned }, left);
  return { ...explained, conflict: inWords(conflicts) };
}

/** For suggestions; none where one call could not assign them all. */
function partsOf(transactions: readonly ExplainedTransaction[]): readonly ExplainedPart[] {
  const parts = transactions.flatMap(({ references, amount }) =>
    amount === null || references.length === 0 ? [] : [{ references, amount }],
  );
  return parts.length > MOST_ASSIGNMENTS ? [] : parts;
}

interface RedactEntryDetails {
  readonly type: 'redact_entry_details';
  readonly id: string;
  /** The places of the person's transactions, from 0. */
  readonly transactions: readonly number[];
}

/** Erases a person from details that wait. Refuses `resource_missing`. */
export function redactEntryDetails(draft: Draft, { id, transactions }: RedactEntryDetails): Decision {
  const row = draft.find('bank_entry_details', id);
  if (!row) return missing('details of a bank entry', id);
  if (!row.isWaiting) return row;
  const kept = JSON.parse(row.content) as readonly ExplainedTransaction[];
  const content = JSON.stringify(redactedTransactions(kept, transactions));
  if (content === row.content) return row;
  draft.audit('bank_entry_details.redacted', id);
  return draft.update<BankEntryDetails>({ ...row, content });
}
