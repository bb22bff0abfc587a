/**
 * Statements as they are read, page by page: the pieces of a document of one account, or of all. A heading names the last transfer of its
 * account, and lines are read up to that one: transfers never change and later ones have greater ids, so all pages together show
 * one state, though no transaction stays open (decision 0034). Figures that do not add up throw. What is made of the pieces: `schema.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { uuidOf, idOf } from '../../core/values/ids.ts';
import type { Cause, Transfer } from '../../core/transfer.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { type Line, NO_NAMES, type Piece, type Names } from './lines.ts';
import * as sql from './sql.ts';

/** Who paid, or was paid, and for what. */
type Words = { readonly name: string | null; readonly text: string | null };
/** Of a booking of a bank: its id, and the sealed text of its column. Several may have paid in it, each by a transfer of its own. */
export type WordsOfEntry = (entry: string, explanation: string) => (transfer: string) => Words;

/** What is read, and what of it the reader may see. */
export interface Reading {
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly environmentId: string;
  readonly fromMs: number;
  /** Whether what names a movement of this cause, and for payouts of this category, is shown. */
  mayName(cause: Cause, category: string | null): boolean;
  readonly wordsOf: WordsOfEntry;
}

/** The accounts that there were in the period; of `only` these, if it is not null. The period must not end later than the newest batch: else accounts differ in how far they go. */
export async function* headingsOf(
  { rows, environmentId, fromMs }: Reading,
  untilMs: number,
  only: Iterable<string> | null,
): AsyncGenerator<sql.Heading> {
  let after = sql.FIRST_ACCOUNT;
  for (let hasMore = true; hasMore; ) {
    const found = await rows(sql.statementHeadings(environmentId, { fromMs, untilMs }, after, only));
    const headings = found.map(sql.headingFrom);
    yield* headings;
    hasMore = headings.length === sql.HEADINGS_PAGE_ROWS;
    after = headings.at(-1)?.account ?? after;
  }
}

export async function* piecesOf(
  reading: Reading,
  headings: AsyncIterable<sql.Heading> | Iterable<sql.Heading>,
): AsyncGenerator<Piece> {
  for await (const heading of headings) {
    yield { type: 'head', head: heading };
    let balance = heading.opening;
    for await (const rows of pagesOf(reading, heading)) {
      const words = wordsIn(rows, reading);
      const lines = rows.map((row) => lineFrom(row, heading.account, { ...reading, words }));
      for (const line of lines) {
        balance += line.signed;
        // A statement that is wrong is worse than none. (A sandbox that is reset meanwhile ends here too.)
        assert(balance === line.balanceAfter, `A statement does not add up at ${line.transfer.id}`);
      }
      yield { type: 'lines', lines };
    }
    assert(balance === heading.closing, 'A statement does not come to its closing balance');
    yield { type: 'tail' };
  }
}

/** The rows of the statement, oldest first. */
async function* pagesOf(
  { rows: read, environmentId, fromMs }: Reading,
  { account, lastId }: sql.Heading,
): AsyncGenerator<readonly Row[]> {
  let after = uuidOf(firstIdAt(fromMs));
  if (lastId === null || lastId < after) return;
  for (let hasMore = true; hasMore; ) {
    const found = await read(sql.statementPage(environmentId, account, after, lastId));
    const rows = found.slice(0, sql.STATEMENT_PAGE_ROWS);
    hasMore = found.length > sql.STATEMENT_PAGE_ROWS;
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.['id'] as string;
  }
}

type EntryWords = ReadonlyMap<unknown, ReturnType<WordsOfEntry>>;

/** By the entries of a page, each unsealed once. */
function wordsIn(rows: readonly Row[], { wordsOf }: Reading): EntryWords {
  const words = new Map<unknown, ReturnType<WordsOfEntry>>();
  for (const { entry_id: entry, explanation } of rows as readonly Readonly<Record<string, string | null>>[]) {
    if (entry != null && explanation != null) words.set(entry, wordsOf(idOf('be', entry), explanation));
  }
  return words;
}

interface LineReading extends Reading {
  readonly words: EntryWords;
}

function lineFrom(row: Row, account: string, { mayName, words }: LineReading): Line {
  const transfer = sql.transferFrom(row);
  const pays = transfer.debitAccount === account;
  return {
    transfer,
    signed: pays ? -transfer.amount : transfer.amount,
    balanceAfter: (pays ? transfer.debitBalanceAfter : transfer.creditBalanceAfter) ?? 0n,
    names: mayName(transfer.cause, row['category_purpose'] as string | null)
      ? namesFrom(row, transfer, words)
      : NO_NAMES,
  };
}

const idOrNull = (prefix: 'rcp' | 'plink' | 'pay', uuid: unknown) =>
  uuid === null ? null : idOf(prefix, uuid as string);

function namesFrom(row: Row, { id }: Transfer, words: EntryWords): Names {
  const said = words.get(row['entry_id'])?.(id);
  return {
    recipient: idOrNull('rcp', row['recipient_id']),
    recipientName: row['recipient_name'] as string | null,
    recipientLatinName: row['recipient_latin_name'] as string | null,
    reference: row['reference'] as string | null,
    externalId: row['external_id'] as string | null,
    paymentLink: idOrNull('plink', row['link_id']),
    refundOf: idOrNull('pay', row['refund_of']),
    counterpartyName: said?.name ?? (row['payer_name'] as string | null),
    text: said?.text ?? null,
  };
}
