/**
 * The import of a statement file: read to its end first (`reading.ts`); then read again, and the entries that are new booked, some hundred a
 * commit. Which are new is planned for a statement before its first entry is sent (`planning.ts`). The import may end anywhere: the same file,
 * handed in again, goes on where it stopped. Next: `decide.ts`.
 */
import { bankReasonOf, isPayeeCheck } from '../../core/bank-answer.ts';
import type { Stored } from '../../core/objects.ts';
import type { Answer } from '../../paying/payouts/facts-decide.ts';
import type { FoundAnswer } from './answers.ts';
import { bringDetails, type BringingParts } from './bringing.ts';
import { type ChunkParts, Chunks } from './chunks.ts';
import { type ExplainingStatement, KeptDetails } from './details.ts';
import { type BankMessage, MOST_NOTES } from '../statements/fields.ts';
import { wholeOf } from './lines.ts';
import { joinedPages } from './pages.ts';
import { type PlanningParts, planningOf } from './planning.ts';
import { asMeant, type IncomingFile, readFile, type ReadFile, type ReadingParts } from './reading.ts';
import { accepted } from './sending.ts';
import { decideAgain } from './waiting-statements.ts';

type BankAccount = Stored['bank_account'];

const CHUNK_ANSWERS = 50;

export interface ImportParts extends ReadingParts, ChunkParts, PlanningParts, BringingParts {
  payoutsOf(this: void, file: string): AsyncIterable<string>;
  /** `null`: nothing is known of the payees' names. */
  payeeChecksOf(this: void, file: string): Promise<Stored['payment_file']['payeeCheck']>;
  /** Debits of the whole file that have no place yet. */
  waitingDebitsOf(this: void, file: string): Promise<readonly { readonly id: string; readonly amount: bigint }[]>;
}

/**
 * Imports a file and answers the JSON of its document. `onBegun` is called with it before the first entry is booked. Throws
 * `RequestError`: `statement_file_invalid` with what is wrong and where, `bank_account_unknown` and `bank_account_closed`, of which no file
 * books anything.
 */
export async function importStatementFile(
  file: IncomingFile,
  parts: ImportParts,
  onBegun: (body: string) => void,
): Promise<string> {
  return carryOut(file, await readFile(file, parts), parts, onBegun);
}

async function carryOut(
  file: IncomingFile,
  { statements, explaining, days, answers, notes: found }: ReadFile,
  parts: ImportParts,
  onBegun: (body: string) => void,
): Promise<string> {
  const { sha256, sizeBytes } = file;
  const begun = await accepted(parts, { type: 'begin_statement_file', sha256, sizeBytes: BigInt(sizeBytes) });
  const { id: document, status } = JSON.parse(begun) as { readonly id: string; readonly status: string };
  const accounts = [...new Map(statements.flatMap((read) => (read ? [[read.account.id, read.account]] : []))).values()];
  // What of it waits may be read otherwise by now: a setting of the bank account is another one.
  if (status === 'imported' && !(await isWaiting(document, accounts, parts))) return begun;
  onBegun(begun);
  const notes: string[] = [];
  const left = statements.map((read, at) => ({ read, explains: explaining[at] ?? null }));
  let explains: ExplainingStatement | null = null;
  let kept: KeptDetails | null = null;
  let chunks: Chunks | null = null;
  let account: BankAccount | null = null;
  let message: BankMessage | null = null;
  for await (const item of joinedPages(parts.read(file.open()))) {
    if (item.type === 'statement') {
      const next = left.shift();
      const read = next?.read ?? null;
      explains = next?.explains ?? null;
      kept = explains && new KeptDetails(explains, document, parts);
      account = read?.account ?? null;
      message = read?.head.message ?? null;
      chunks = read && new Chunks(await planningOf({ ...read, document }, parts), parts);
    } else if (item.type === 'entry' && item.status === 'BOOK' && account !== null && message !== null) {
      await chunks?.add(asMeant(item, account, message));
    } else if (item.type === 'entry' && item.status === 'BOOK' && explains !== null) {
      await kept?.add(asMeant(item, explains.account, explains.message));
    } else if (item.type === 'statement_end' && kept !== null) {
      notes.push(...(await kept.end()));
    } else if (item.type === 'statement_end' && chunks !== null) {
      notes.push(...(await chunks.end()));
    }
  }
  for await (const chunk of chunksOf(answers.found, parts)) {
    await accepted(parts, { type: 'note_bank_answers', document, answers: chunk });
  }
  await noteFiles(answers, document, parts);
  await settleWaiting(answers.found, parts);
  const explained = explaining.flatMap((each) => each?.account ?? []);
  for (const each of new Map([...accounts, ...explained].map((one) => [one.id, one])).values()) {
    notes.push(...(await takeUpWaiting(each, parts, days)));
  }
  const skippedCount = statements.filter((read) => read === null).length;
  const counted = { statementsCount: statements.length - skippedCount, skippedCount };
  const all = [...found, ...notes].slice(0, MOST_NOTES);
  return accepted(parts, { type: 'finish_statement_file', document, ...counted, notes: all });
}

/**
 * What waits of a bank account is looked at again: statements, and then details of entries. `days`: those of the entries of a file, whose
 * details alone can have found their entry; by default all. Answers what a reader of the document should know, in sentences.
 */
export async function takeUpWaiting(
  account: BankAccount,
  parts: ImportParts,
  days: ReadFile['days'] | 'all' = 'all',
): Promise<readonly string[]> {
  const isBooked = await decideAgain(account, parts);
  if (days === null && !isBooked) return [];
  return bringDetails(account, isBooked || days === 'all' ? null : days, parts);
}

async function isWaiting(document: string, accounts: readonly BankAccount[], parts: ImportParts): Promise<boolean> {
  for (const { id } of accounts) {
    if ((await parts.waitingStatements(id)).some((each) => each.document === document)) return true;
  }
  return false;
}

/** What is said of files as a whole, once each payout has what is said of it. */
async function noteFiles({ found, ofFiles }: ReadFile['answers'], document: string, parts: ImportParts): Promise<void> {
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
