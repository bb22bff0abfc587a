/**
 * Brings details that wait to the entries that they name, in whatever order both came. An entry is found beside the write path, as a plan
 * is (`planning.ts`): what is found is dropped if the books are others by then. Decides: `bank/statements/details-decide.ts`.
 */
import type { Stored } from '../../core/objects.ts';
import { isUnclear } from '../../core/rails/named-references.ts';
import type { BringEntryDetails } from '../statements/slice.ts';
import type { BankEntryDetails, ExplainedTransaction } from '../statements/fields.ts';
import type { LedgerBooks } from './books.ts';
import { accepted, type SendingParts } from './sending.ts';

/** Both of them as well. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Details that wait, with the entries of the same amount, sign and day. */
export interface DetailsWaiting {
  readonly id: string;
  /** The day of the entry. */
  readonly bookedOn: string;
  readonly mark: string;
  readonly isExact: boolean;
  /** `null`: too many to say which is meant. */
  readonly entries: readonly MarkedEntry[] | null;
}

interface MarkedEntry {
  readonly id: string;
  readonly statement: string;
  /** The bank's; `null`: none that is real. */
  readonly reference: string | null;
  readonly mark: string | null;
}

export interface BringingParts extends SendingParts {
  readonly books: LedgerBooks;
  /** A page of those that wait for entries of these days, by day and id, behind `after`; empty: no more. */
  detailsWaiting(
    this: void,
    bankAccount: string,
    page: { readonly days: Days | null; readonly after: DetailsWaiting | null },
  ): Promise<readonly DetailsWaiting[]>;
  /** Opened, without an order. */
  detailsOfIds(this: void, ids: readonly string[]): Promise<readonly BankEntryDetails[]>;
  /** The real references of all entries of a statement; `null`: too many to look through. */
  referencesOfStatement(this: void, statement: string): Promise<readonly string[] | null>;
}

/** Of one commit, unless one entry alone has more. */
const CHUNK_TRANSACTIONS = 200;
/** Whose transactions are in memory at once. */
const CHUNK_ENTRIES = 50;

/** `days`: only to entries of these; `null`: to all. Answers what a reader of the document that is imported should know, in sentences. */
export async function bringDetails(
  account: Pick<Stored['bank_account'], 'id'>,
  days: Days | null,
  parts: BringingParts,
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (let after: DetailsWaiting | null = null; ; ) {
    // First of all: whatever changes later is another version.
    const { version } = await parts.books.stateOf(account.id);
    const waiting: readonly DetailsWaiting[] = await parts.detailsWaiting(account.id, { days, after });
    if (waiting.length === 0) break;
    const found = await foundIn(waiting, parts);
    if (await bringFound(account.id, version, { found, counts, parts })) after = waiting.at(-1) ?? null;
  }
  return Array.from(
    counts,
    ([document, count]) => `Entries that have their transactions from document ${document}: ${count}.`,
  );
}

/** The one entry of each of the details, those first that come to the amount. */
async function foundIn(
  waiting: readonly DetailsWaiting[],
  { referencesOfStatement }: BringingParts,
): Promise<ReadonlyMap<string, string>> {
  const repeated = new Map<string, ReadonlyMap<string, number>>();
  const isOnce = async ({ statement, reference }: MarkedEntry): Promise<boolean> => {
    const known = repeated.get(statement) ?? countsOf((await referencesOfStatement(statement)) ?? []);
    repeated.set(statement, known);
    return known.get(reference ?? '') === 1;
  };
  const found = new Map<string, string>();
  for (const { id, mark, entries } of waiting.toSorted((one, other) => Number(other.isExact) - Number(one.isExact))) {
    const [entry, other] = (entries ?? []).filter((each) => each.mark === mark);
    if (entry !== undefined && other === undefined && (await isOnce(entry))) found.set(id, entry.id);
  }
  return found;
}

function countsOf(references: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of references) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

interface Bringing {
  readonly found: ReadonlyMap<string, string>;
  /** Entries by the document that says their transactions. */
  readonly counts: Map<string, number>;
  readonly parts: BringingParts;
}

/** Answers whether the books were still those in which the entries were found. */
async function bringFound(
  bankAccount: string,
  booksVersion: number,
  { found, counts, parts }: Bringing,
): Promise<boolean> {
  const ids = [...found.keys()];
  for (let at = 0; at < ids.length; at += CHUNK_ENTRIES) {
    const chunk = ids.slice(at, at + CHUNK_ENTRIES);
    const rows = new Map((await parts.detailsOfIds(chunk)).map((row) => [row.id, row]));
    for (const some of chunksOf(chunk.flatMap((id) => rows.get(id) ?? []))) {
      const brought = some.map((row) => ({
        details: row.id,
        entry: found.get(row.id) as string,
        references: referencesIn(row),
      }));
      const answer = await accepted(parts, { type: 'bring_entry_details', bankAccount, booksVersion, brought });
      if ((JSON.parse(answer) as { readonly object: string }).object === 'bank_account') return false;
      for (const { document } of some) counts.set(document, (counts.get(document) ?? 0) + 1);
    }
  }
  return true;
}

const transactionsIn = ({ content }: BankEntryDetails) => JSON.parse(content) as readonly ExplainedTransaction[];

/** That lead somewhere: several of one transaction lead nowhere, and neither does one that only looks like a reference. */
function referencesIn(row: BankEntryDetails): BringEntryDetails['brought'][number]['references'] {
  const named = transactionsIn(row).flatMap(({ references }) => (references.length === 1 ? references : []));
  return [...new Set(named)].filter((each) => !isUnclear(each));
}

function* chunksOf(rows: readonly BankEntryDetails[]): Generator<readonly BankEntryDetails[]> {
  let chunk: BankEntryDetails[] = [];
  let weight = 0;
  for (const row of rows) {
    const count = 1 + transactionsIn(row).length;
    if (chunk.length > 0 && weight + count > CHUNK_TRANSACTIONS) {
      yield chunk;
      [chunk, weight] = [[], 0];
    }
    chunk.push(row);
    weight += count;
  }
  if (chunk.length > 0) yield chunk;
}
