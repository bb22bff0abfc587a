/**
 * The import of a statement file: read to its end first, so that a file that cannot be read books nothing; then read again, and its
 * entries booked, some hundred a commit. It may end anywhere: the same file, handed in again, goes on where it stopped, because every
 * entry is found by its identity. Next: `decide.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import type { BankFileError } from '../../iso20022/read/bank-file-error.ts';
import type { BalanceItem, EntryItem, Item, Page, StatementItem } from '../../iso20022/read/items.ts';
import type { Stored } from '../../core/objects.ts';
import type { Answer } from '../../paying/payouts/facts-decide.ts';
import { bankReasonOf, isPayeeCheck } from '../../core/bank-answer.ts';
import { isNumberOf } from './account-numbers.ts';
import { Answers, type FoundAnswer } from './answers.ts';
import type { BankLine, NamedPayout } from './booking.ts';
import type { BankStatementCommand } from './slice.ts';
import type { StatementHead } from './decide.ts';
import { type BankMessage, countsAs, MESSAGES, MOST_NOTES } from './fields.ts';
import { addLookalike, headOf, lineOf, type OpenStatement, type Payee, wholeOf, withPayees } from './lines.ts';
import { localDay } from './local-days.ts';
import { Lookalikes } from './lookalikes.ts';
import { joinedPages } from './pages.ts';

type BankAccount = Stored['bank_account'];

/** Of one commit, which holds the event loop for a moment: entries, each with the payouts that it names and a part for its text. */
const CHUNK_WEIGHT = 200;
/** A rule of the operator looks at every character. */
const CHARACTERS_OF_ONE = 200;
const CHUNK_ANSWERS = 50;

const weightOf = ({ payouts, explanation: { text } }: BankLine): number =>
  1 + payouts.length + Math.floor((text?.length ?? 0) / CHARACTERS_OF_ONE);

export interface ImportParts {
  /** The items of a file, in a thread of their own. Throws `BankFileError`. */
  read(this: void, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Item>;
  write(this: void, command: BankStatementCommand): Promise<{ readonly status: number; readonly body: string }>;
  accounts(this: void): Promise<readonly BankAccount[]>;
  payoutsOf(this: void, file: string): AsyncIterable<string>;
  underWayOf(this: void, file: string): Promise<readonly NamedPayout[]>;
  /** `null`: nothing is known of the payees' names. */
  payeeChecksOf(this: void, file: string): Promise<Stored['bank_file']['payeeCheck']>;
  /** Those of these payouts that are there. */
  payeesOf(this: void, payouts: readonly string[]): Promise<ReadonlyMap<string, Payee>>;
  /** Debits of the whole file that have no place yet. */
  waitingDebitsOf(this: void, file: string): Promise<readonly { readonly id: string; readonly amount: bigint }[]>;
}

export interface BankFile {
  /** Its bytes, from the first one on; it is read twice. */
  open(this: void): AsyncIterable<Uint8Array>;
  /** In hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A statement that books. */
interface Planned {
  readonly account: BankAccount;
  readonly head: StatementHead;
  readonly lookalikes: Lookalikes;
}

interface Plan {
  /** In the order of the file; `null`: the statement books nothing. */
  readonly statements: readonly (Planned | null)[];
  readonly answers: Pick<Answers, 'found' | 'ofFiles'>;
  readonly notes: readonly string[];
}

/**
 * Imports a file and answers the JSON of its document. `onBegun` is called with it before the first entry is booked. Throws
 * `RequestError`: `bank_file_invalid` with what is wrong and where, `bank_account_unknown` and `bank_account_closed`, of which no file
 * books anything.
 */
export async function importBankFile(
  file: BankFile,
  parts: ImportParts,
  onBegun: (body: string) => void,
): Promise<string> {
  return carryOut(file, await planOf(file, parts), parts, onBegun);
}

/** Reads the whole file and finds the bank accounts of its statements. */
async function planOf({ open: openFile }: BankFile, { read, accounts }: ImportParts): Promise<Plan> {
  const all = await accounts();
  const ofState = (wanted: BankAccount['status']) => all.filter(({ status }) => status === wanted);
  const known = { open: ofState('open'), closed: ofState('closed') };
  const statements: (Planned | null)[] = [];
  const notes: string[] = [];
  const answers = new Answers();
  let message: BankMessage | null = null;
  let messagePage: Page | null = null;
  let open: OpenStatement | null = null;
  /** `undefined`: not looked for yet, because a statement in which nothing stands needs none. */
  let account: BankAccount | null | undefined = null;
  let lookalikes = new Lookalikes();
  /** The account of the statement that is open. */
  const settled = (statement: OpenStatement, currency: string): BankAccount | null => {
    const found = account === undefined ? accountOf(statement, currency, known) : account;
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
          break;
        case 'statement':
          account = message === null ? null : undefined;
          open = { item, message: message as BankMessage, messagePage, balances: [], entries: 0, sum: 0n };
          lookalikes = new Lookalikes();
          break;
        case 'balance':
          account = open && settled(open, item.currency);
          if (item.currency === account?.currency) open?.balances.push(onItsDay(item, account));
          break;
        case 'entry': {
          account = open && settled(open, item.currency);
          if (open === null || account === null || item.status !== 'BOOK') break;
          assertCurrency(item, account);
          const entry = asMeant(item, account, open.message);
          addLookalike(lookalikes, entry);
          open.entries += 1;
          open.sum += entry.sign === 'credit' ? entry.amount : -entry.amount;
          break;
        }
        case 'statement_end': {
          const found = open && (account === undefined ? accountOf(open, null, known) : account);
          const isKnown = !(found instanceof RequestError);
          if (!isKnown && notes.length < MOST_NOTES) notes.push(`${found.message} It is empty, and was skipped.`);
          statements.push(open && found && isKnown ? { account: found, head: headOf(open, found), lookalikes } : null);
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
    throw isBankFileError(error) ? new RequestError('bank_file_invalid', error.message) : error;
  }
  return { statements, answers, notes: [...answers.notes, ...notes].slice(0, MOST_NOTES) };
}

const isBankFileError = (error: unknown): error is BankFileError =>
  error instanceof Error && error.name === 'BankFileError';

const onItsDay = (balance: BalanceItem, { timeZone }: BankAccount): BalanceItem => ({
  ...balance,
  day: localDay(balance.day, timeZone),
});

/**
 * With the days of the bank account. A reversal in a camt may have the sign of the entry that it undoes: the bank account says whose. An MT940
 * leaves no doubt.
 */
const asMeant = (entry: EntryItem, { reversalSign, timeZone }: BankAccount, message: BankMessage): EntryItem => ({
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
 * The bank account of a statement; `null`: its message is not the one that books; an error: why there is none. Where several accounts share
 * the number, the currency decides which one is meant: that of the statement, else of its first amount.
 */
function accountOf(
  { item: { account, line }, message }: OpenStatement,
  amountIn: string | null,
  { open, closed }: Readonly<Record<'open' | 'closed', readonly BankAccount[]>>,
): BankAccount | null | RequestError {
  const { iban, other } = account;
  const number = iban ?? other ?? '';
  const same = named(open, account);
  const currency = account.currency ?? (same.length > 1 ? amountIn : null);
  const found = currency === null ? same : same.filter((each) => each.currency === currency);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.bookedBy === countsAs(message) ? only : null;
  if (number.trim() === '') {
    const text = `A statement in the file does not say of which account it is (line ${line}): Acct/Id has no number.`;
    return new RequestError('bank_file_invalid', text);
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
  throw new RequestError('bank_file_invalid', text);
}

async function carryOut(
  file: BankFile,
  { statements, answers, notes }: Plan,
  parts: ImportParts,
  onBegun: (body: string) => void,
): Promise<string> {
  const { sha256, sizeBytes } = file;
  const begun = await accepted(parts, { type: 'begin_bank_document', sha256, sizeBytes: BigInt(sizeBytes) });
  const { id: document, status } = JSON.parse(begun) as { readonly id: string; readonly status: string };
  if (status === 'imported') return begun;
  onBegun(begun);
  let index = -1;
  let chunks: Chunks | null = null;
  for await (const item of joinedPages(parts.read(file.open()))) {
    if (item.type === 'statement') {
      const planned = statements[++index] ?? null;
      chunks = planned && new Chunks(planned, document, parts);
    } else if (item.type === 'entry' && item.status === 'BOOK') await chunks?.add(item);
    else if (item.type === 'statement_end') await chunks?.end();
  }
  for await (const chunk of chunksOf(answers.found, parts)) {
    await accepted(parts, { type: 'note_bank_answers', document, answers: chunk });
  }
  await noteFiles(answers, document, parts);
  await settleWaiting(answers.found, parts);
  const skippedCount = statements.filter((planned) => planned === null).length;
  const counted = { statementsCount: statements.length - skippedCount, skippedCount, notes };
  return accepted(parts, { type: 'finish_bank_document', document, ...counted });
}

/** What is said of files as a whole, once each payout has what is said of it. */
async function noteFiles({ found, ofFiles }: Plan['answers'], document: string, parts: ImportParts): Promise<void> {
  const checked = new Set(found.flatMap(({ status, file }) => (isPayeeCheck(status) ? file : [])));
  for (const answer of ofFiles) {
    const { status, file } = answer;
    const reason = isPayeeCheck(status) ? null : bankReasonOf(answer);
    const payeeCheck = checked.has(file) ? await parts.payeeChecksOf(file) : null;
    await accepted(parts, {
      type: 'note_file_answer',
      document,
      file,
      reason,
      isRejected: status === 'RJCT',
      payeeCheck,
    });
  }
}

/** A debit of a whole file may come before the message that rejects some of its payments: without these it fits. */
async function settleWaiting(answers: readonly FoundAnswer[], parts: ImportParts): Promise<void> {
  for (const file of new Set(answers.map((answer) => answer.file))) {
    for (const { id: entry, amount } of await parts.waitingDebitsOf(file)) {
      const { payouts } = wholeOf({ amount, payouts: [] }, await parts.underWayOf(file));
      if (payouts.length === 0) continue;
      const targets = [{ to: file, amount: null, payouts }];
      await accepted(parts, { type: 'assign_bank_entry', entry, targets, reason: null });
    }
  }
}

async function* chunksOf(answers: readonly FoundAnswer[], { payoutsOf }: ImportParts): AsyncGenerator<Answer[]> {
  let chunk: Answer[] = [];
  for (const answer of answers) {
    for await (const payout of answer.payout === null ? payoutsOf(answer.file) : [answer.payout]) {
      if (answer.except?.has(payout)) continue;
      const { except: _, ...said } = answer;
      chunk.push({ ...said, payout });
      if (chunk.length < CHUNK_ANSWERS) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** The entries of a statement, sent in chunks. */
class Chunks {
  readonly #planned: Planned;
  readonly #document: string;
  readonly #parts: ImportParts;
  #lines: BankLine[] = [];
  #weight = 0;
  /** Payouts under way of files that lines of this chunk name. They change with its commit. */
  #underWay = new Map<string, Promise<readonly NamedPayout[]>>();
  /** The whole statement was imported before. */
  #isKnown = false;

  constructor(planned: Planned, document: string, parts: ImportParts) {
    this.#planned = planned;
    this.#document = document;
    this.#parts = parts;
  }

  async add(entry: EntryItem): Promise<void> {
    if (this.#isKnown) return;
    const { account, head, lookalikes } = this.#planned;
    const named = lineOf(asMeant(entry, account, head.message), lookalikes);
    let line = await this.#whole(named);
    if (this.#lines.length > 0 && this.#weight + weightOf(line) > CHUNK_WEIGHT) {
      await this.#send(false);
      if (this.#isKnown) return;
      line = await this.#whole(named);
    }
    this.#lines.push(line);
    this.#weight += weightOf(line);
  }

  async #whole(line: BankLine): Promise<BankLine> {
    const { file } = line;
    if (file === null) return line;
    const known = this.#underWay.get(file) ?? this.#parts.underWayOf(file);
    this.#underWay.set(file, known);
    return wholeOf(line, await known);
  }

  async end(): Promise<void> {
    if (!this.#isKnown) await this.#send(true);
  }

  /** The lines with what only the payees' accounts say: asked once a chunk, since strangers may quote many payouts. */
  async #withPayees(): Promise<readonly BankLine[]> {
    const asked = this.#lines.flatMap(({ payouts }) => payouts.filter(({ payer }) => payer !== undefined));
    if (asked.length === 0) return this.#lines;
    const payees = await this.#parts.payeesOf(asked.map(({ payout }) => payout));
    return this.#lines.map((line) => withPayees(line, this.#planned.account.currency, payees));
  }

  async #send(isLast: boolean): Promise<void> {
    const { account, head: statement } = this.#planned;
    const lines = await this.#withPayees();
    const chunk = { document: this.#document, bankAccount: account.id, statement, lines, isLast };
    const body = await accepted(this.#parts, { type: 'import_bank_entries', ...chunk });
    this.#lines = [];
    this.#weight = 0;
    this.#underWay.clear();
    this.#isKnown = (JSON.parse(body) as { readonly status: string }).status !== 'importing';
  }
}

/** The body of the answer. Throws the refusal. */
async function accepted({ write }: ImportParts, command: BankStatementCommand): Promise<string> {
  const { status, body } = await write(command);
  if (status === 200) return body;
  const { error } = JSON.parse(body) as { readonly error: { readonly code: never; readonly message: string } };
  throw new RequestError(error.code, error.message);
}
