/**
 * The first reading of a statement file: all of it, so that one that cannot be read books nothing. Finds the bank accounts of its statements,
 * and what tells their entries from others. Next: `importing.ts`.
 */
import { createHash } from 'node:crypto';
import type { Stored } from '../../core/objects.ts';
import { RequestError } from '../../core/values/errors.ts';
import type { StatementFileError } from '../../iso20022/read/bank-file-error.ts';
import type { BalanceItem, EntryItem, Item, Page, StatementItem } from '../../iso20022/read/items.ts';
import { Likenesses } from '../../core/deduplication/likeness.ts';
import { isNumberOf } from './account-numbers.ts';
import { Answers } from './answers.ts';
import type { Days } from './bringing.ts';
import { countReference, type ExplainingStatement } from './details.ts';
import type { StatementHead } from '../statements/slice.ts';
import { type BankMessage, countsAs, MESSAGES, MOST_NOTES } from '../statements/fields.ts';
import { headOf, type OpenStatement, withDay } from './heads.ts';
import { likenessIn } from './lines.ts';
import { localDay } from './local-days.ts';
import { MessageNumbers } from './message-numbers.ts';
import { joinedPages } from './pages.ts';

type BankAccount = Stored['bank_account'];

export interface ReadingParts {
  /** The items of a file, in a thread of their own. Throws `StatementFileError`. */
  read(this: void, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Item>;
  accounts(this: void): Promise<readonly BankAccount[]>;
}

export interface IncomingFile {
  /** Its bytes, from the first one on; it is read twice. */
  open(this: void): AsyncIterable<Uint8Array>;
  /** In hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A statement that books. */
export interface ReadStatement {
  readonly account: BankAccount;
  readonly head: StatementHead;
  /** Its booked entries. */
  readonly reported: Likenesses;
}

export interface ReadFile {
  /** In the order of the file; `null`: the statement books nothing. */
  readonly statements: readonly (ReadStatement | null)[];
  /** For each of them; `null`: the statement books, or is of no bank account. */
  readonly explaining: readonly (ExplainingStatement | null)[];
  /** Of its booked entries; `null`: they have none. */
  readonly days: Days | null;
  readonly answers: Pick<Answers, 'found' | 'ofFiles'>;
  readonly notes: readonly string[];
}

/** Reads the whole file and finds the bank accounts of its statements. Throws `RequestError`. */
export async function readFile({ open: openFile }: IncomingFile, { read, accounts }: ReadingParts): Promise<ReadFile> {
  const all = await accounts();
  const ofState = (wanted: BankAccount['status']) => all.filter(({ status }) => status === wanted);
  const known = { open: ofState('open'), closed: ofState('closed') };
  const statements: (ReadStatement | null)[] = [];
  const explaining: (ExplainingStatement | null)[] = [];
  const notes: string[] = [];
  const answers = new Answers();
  let message: BankMessage | null = null;
  let messagePage: Page | null = null;
  const numbers = new MessageNumbers();
  let open: OpenStatement | null = null;
  /** `undefined`: not looked for yet, because a statement in which nothing stands needs none. */
  let account: BankAccount | null | undefined = null;
  let reported = new Likenesses();
  let explains: ExplainedAccount | null = null;
  let days: Days | null = null;
  /** The account of the statement that is open, if it books. */
  const settled = (statement: OpenStatement, currency: string | null): BankAccount | null | RequestError => {
    if (account !== undefined) return account;
    const found = accountOf(statement, currency, known);
    if (found instanceof RequestError) return found;
    if (found.bookedBy === countsAs(statement.message)) return found;
    explains = { account: found, message: statement.message, references: new Map() };
    return null;
  };
  const settledOrThrown = (statement: OpenStatement, currency: string): BankAccount | null => {
    const found = settled(statement, currency);
    if (found instanceof RequestError) throw found;
    return found;
  };
  try {
    for await (const item of joinedPages(read(openFile()))) {
      answers.take(item);
      switch (item.type) {
        case 'document':
          message = MESSAGES.find((each) => each === item.message) ?? null;
          messagePage = item.page;
          numbers.begin(item);
          break;
        case 'statement':
          account = message === null ? null : undefined;
          open = {
            item,
            message: message as BankMessage,
            messagePage,
            messageInFile: numbers.of(item),
            balances: [],
            isJoined: false,
            entries: 0,
            days: undefined,
            sum: 0n,
            digest: createHash('sha256'),
          };
          reported = new Likenesses();
          explains = null;
          break;
        case 'balance':
          account = open && settledOrThrown(open, item.currency);
          if (item.currency === account?.currency) open?.balances.push(onItsDay(item, account));
          break;
        case 'entry': {
          account = open && settledOrThrown(open, item.currency);
          if (open !== null && item.status === 'BOOK') days = withDayOf(days, countIn(explains, item, open.message));
          if (open === null || account === null || item.status !== 'BOOK') break;
          assertCurrency(item, account);
          const entry = asMeant(item, account, open.message);
          days = withDayOf(days, entry);
          open.digest.update(reported.add(likenessIn(entry)));
          open.entries += 1;
          open.days = open.days === null || entry.bookingDay === null ? null : withDay(open.days, entry.bookingDay);
          open.sum += entry.sign === 'credit' ? entry.amount : -entry.amount;
          break;
        }
        case 'statement_end': {
          if (open !== null) open.isJoined = item.isJoined === true;
          const found = open && settled(open, null);
          const isKnown = !(found instanceof RequestError);
          if (!isKnown && notes.length < MOST_NOTES) notes.push(`${found.message} It is empty, and was skipped.`);
          statements.push(open && found && isKnown ? { account: found, head: headOf(open, found), reported } : null);
          explaining.push(explains);
          open = null;
          break;
        }
        case 'document_end':
          if (notes.length < MOST_NOTES)
            notes.push(
              ...item.notes.map((note) => `${note.sentence} (${note.count} times, first in line ${note.line})`),
            );
          break;
        case 'ignored':
          if (notes.length < MOST_NOTES) notes.push(item.sentence);
          break;
        default:
          break;
      }
    }
  } catch (error) {
    throw isStatementFileError(error) ? new RequestError('statement_file_invalid', error.message) : error;
  }
  return { statements, explaining, days, answers, notes: [...answers.notes, ...notes].slice(0, MOST_NOTES) };
}

interface ExplainedAccount extends ExplainingStatement {
  readonly references: Map<string, number>;
}

/** Answers the entry as it is meant, if the statement explains. */
function countIn(explains: ExplainedAccount | null, entry: EntryItem, message: BankMessage): EntryItem | null {
  if (explains === null) return null;
  const meant = asMeant(entry, explains.account, message);
  countReference(explains.references, meant);
  return meant;
}

function withDayOf(days: Days | null, entry: EntryItem | null): Days | null {
  const day = entry?.bookingDay ?? entry?.valueDay ?? null;
  return day === null ? days : withDay(days, day);
}

const isStatementFileError = (error: unknown): error is StatementFileError =>
  error instanceof Error && error.name === 'StatementFileError';

const onItsDay = (balance: BalanceItem, { timeZone }: BankAccount): BalanceItem => ({
  ...balance,
  day: localDay(balance.day, timeZone),
});

/**
 * With the days of the bank account. A reversal in a camt may have the sign of the entry that it undoes: the bank account says whose. An MT940
 * leaves no doubt.
 */
export const asMeant = (
  entry: EntryItem,
  { reversalSign, timeZone }: BankAccount,
  message: BankMessage,
): EntryItem => ({
  ...entry,
  sign:
    entry.reversal && reversalSign === 'original' && message.startsWith('camt.') ? OTHER_SIGN[entry.sign] : entry.sign,
  bookingDay: localDay(entry.bookingDay, timeZone),
  valueDay: localDay(entry.valueDay, timeZone),
});

const OTHER_SIGN = { credit: 'debit', debit: 'credit' } as const;

const named = (known: readonly BankAccount[], account: StatementItem['account']): BankAccount[] =>
  known.filter(({ bankDetails }) => isNumberOf(bankDetails, account));

/**
 * The bank account of a statement, whether its message books or not; an error: why there is none. Where several accounts share the number,
 * the currency decides which one is meant: that of the statement, else of its first amount.
 */
function accountOf(
  { item: { account, line } }: OpenStatement,
  amountIn: string | null,
  { open, closed }: Readonly<Record<'open' | 'closed', readonly BankAccount[]>>,
): BankAccount | RequestError {
  const { iban, other } = account;
  const number = iban ?? other ?? '';
  const same = named(open, account);
  const currency = account.currency ?? (same.length > 1 ? amountIn : null);
  const found = currency === null ? same : same.filter((each) => each.currency === currency);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (number.trim() === '') {
    const text = `A statement in the file does not say of which account it is (line ${line}): Acct/Id has no number.`;
    return new RequestError('statement_file_invalid', text);
  }
  const [ended] = named(closed, account);
  if (found.length === 0 && ended !== undefined) {
    const text = `The file has a statement of bank account ${ended.id}, which is closed: nothing is booked on it any more. Leave that statement out.`;
    return new RequestError('bank_account_closed', text, { resource_id: ended.id });
  }
  const which = `ending in ${number.slice(-4)}${currency === null ? '' : `, in ${currency}`}`;
  const text =
    found.length > 1
      ? `The file has a statement of the bank account ${which}, without its currency, and there are several.`
      : `The file has a statement of a bank account ${which}, which is not known here. Add it with POST /v1/bank_accounts.`;
  return new RequestError('bank_account_unknown', text);
}

function assertCurrency({ currency, line }: EntryItem, account: BankAccount): void {
  if (currency === account.currency) return;
  const text = `An entry is in ${currency}, and the bank account holds ${account.currency} (line ${line}).`;
  throw new RequestError('statement_file_invalid', text);
}
