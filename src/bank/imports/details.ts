/**
 * Statements that do not book, because the bank account is booked by another message: what they say of the transactions of an entry is kept
 * for that entry. It is named by the bank's reference, which must be a real one and stand once in its statement. Next: `bringing.ts`.
 */
import { beginningOf } from '../../core/values/beginning.ts';
import type { Stored } from '../../core/objects.ts';
import { ourIdIn } from '../../core/rails/our-ids.ts';
import type { Detail, EntryItem } from '../../iso20022/read/items.ts';
import { payoutOfUetr } from '../../iso20022/write/identifiers.ts';
import type { EntryDetails } from '../statements/slice.ts';
import { type BankMessage, type ExplainedTransaction, markOf } from '../statements/fields.ts';
import { likenessIn } from './lines.ts';
import { accepted, type SendingParts } from './sending.ts';

/** A statement that only explains. */
export interface ExplainingStatement {
  readonly account: Stored['bank_account'];
  readonly message: BankMessage;
  /** How often each reference stands in it. */
  readonly references: ReadonlyMap<string, number>;
}

/** Of one entry. With more of them it is shown and divided by nobody. */
const MOST_TRANSACTIONS = 1_000;
/** Of one commit: entries and transactions. */
const CHUNK_WEIGHT = 1_000;
const MOST_CHARACTERS = 500;

/** Counts a real reference of a booked entry. */
export function countReference(counts: Map<string, number>, entry: EntryItem): void {
  const { reference } = likenessIn(entry);
  if (reference !== null) counts.set(reference, (counts.get(reference) ?? 0) + 1);
}

/** What the transactions of an entry say; `null`: it has none, or too many, or names no entry. */
export function detailsOf(
  entry: EntryItem,
  { account, message, references }: ExplainingStatement,
): EntryDetails | null {
  const { details, amount, sign: direction } = entry;
  const likeness = likenessIn(entry);
  const mark = markOf(likeness);
  const isOnce = references.get(likeness.reference ?? '') === 1;
  if (mark === null || !isOnce || entry.currency !== account.currency) return null;
  if (details.length === 0 || details.length > MOST_TRANSACTIONS) return null;
  const transactions = details.map((detail) => transactionOf(detail, entry));
  const isOfSign = !entry.reversal && details.every(({ sign }) => sign === null || sign === entry.sign);
  const sum = transactions.reduce((total, each) => total + BigInt(each.amount ?? '0'), 0n);
  const isExact = isOfSign && sum === amount && transactions.every((each) => each.amount !== null);
  const isNaming = details.some((detail, at) => {
    const isNamed = (transactions[at]?.references ?? []).length > 0;
    return isNamed || isOfPayout(detail, entry);
  });
  const said = { message, direction, amount, bookedOn: likeness.day as string, mark };
  return { ...said, isExact, isNaming, transactions };
}

function transactionOf(detail: Detail, entry: EntryItem): ExplainedTransaction {
  const { remittance, namedByBank, debtor, creditor, references, additionalText } = detail;
  const party = entry.sign === 'credit' ? debtor : creditor;
  const structured = remittance.references.map(({ reference }) => reference);
  const words = [...remittance.texts, ...structured].join(' ').trim();
  const hasWords = words !== '' || remittance.additionalTexts.length > 0;
  const named = remittance.named.length > 0 || hasWords ? remittance.named : namedByBank;
  const text = words === '' ? (additionalText ?? '') : words;
  const isPayout = isOfPayout(detail, entry);
  return {
    amount: amountIn(detail, entry),
    // A payout says itself whom it pays, to those who may see it (decision 0090).
    name: isPayout ? null : (party.name ?? party.ultimateName),
    account: isPayout ? null : (party.iban ?? party.other),
    text: isPayout ? null : beginningOf(text, MOST_CHARACTERS) || null,
    endToEndId: references.endToEndId,
    // What brings a payout back, or quotes one, is for a person.
    references: isPayout || detail.returned !== null ? [] : named,
    to: null,
    transfer: null,
  };
}

/** It names a payout of ours. Payments of others have a UETR too: it counts where money went out. */
function isOfPayout({ references }: Detail, { sign }: EntryItem): boolean {
  const { endToEndId, instructionId, uetr } = references;
  const isNamed = [endToEndId, instructionId].some((each) => ourIdIn('po', each) !== null);
  return isNamed || (sign === 'debit' && payoutOfUetr(uetr) !== null);
}

/** Minor units of the entry's currency, as text. Only of a single transaction it may be left out: then it is the entry's. */
function amountIn({ amount, instructed }: Detail, entry: EntryItem): string | null {
  const said = [amount, instructed].find((each) => each?.currency === entry.currency);
  if (said != null) return String(said.minor);
  const isUnsaid = amount === null && instructed === null && entry.details.length === 1;
  return isUnsaid ? String(entry.amount) : null;
}

/** Sends what a statement explains to the write path, in chunks. */
export class KeptDetails {
  readonly #statement: ExplainingStatement;
  readonly #document: string;
  readonly #parts: SendingParts;
  #details: EntryDetails[] = [];
  #weight = 0;
  #count = 0;

  constructor(statement: ExplainingStatement, document: string, parts: SendingParts) {
    this.#statement = statement;
    this.#document = document;
    this.#parts = parts;
  }

  /** A booked entry of a file, as it is meant. */
  async add(entry: EntryItem): Promise<void> {
    const details = detailsOf(entry, this.#statement);
    if (details === null) return;
    const weight = 1 + details.transactions.length;
    if (this.#details.length > 0 && this.#weight + weight > CHUNK_WEIGHT) await this.#send();
    this.#details.push(details);
    this.#weight += weight;
    this.#count += 1;
  }

  /** Sends the rest. Answers what a reader of the document should know, in sentences. */
  async end(): Promise<readonly string[]> {
    if (this.#details.length > 0) await this.#send();
    const { account, message } = this.#statement;
    if (this.#count === 0) return [];
    return [
      `Bank account ${account.id} is booked by ${account.bookedBy}, so this ${message} books nothing. Entries of it that say their transactions: ${this.#count}.`,
    ];
  }

  async #send(): Promise<void> {
    const bankAccount = this.#statement.account.id;
    const details = this.#details;
    await accepted(this.#parts, { type: 'keep_entry_details', document: this.#document, bankAccount, details });
    this.#details = [];
    this.#weight = 0;
  }
}
