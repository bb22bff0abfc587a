/**
 * Reads broken files and says what came of it: anything but items or a refusal is a complaint, and so is a file that takes longer than
 * it may, where somebody measures. Next: `mutations.ts`.
 */
import { StatementFileError } from '../../../src/iso20022/read/bank-file-error.ts';
import type { Item } from '../../../src/iso20022/read/items.ts';
import { type BrokenFile, brokenFiles } from './mutations.ts';
import { chunksOf } from './read-documents.ts';

export type Reader = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Item>;

/** For the long suite: this process's own time in milliseconds, and the most that a file may take of it. */
export interface Gauge {
  spentMs(): number;
  readonly mostMs: number;
}

export interface FuzzResult {
  readonly read: number;
  readonly refused: number;
  readonly codes: ReadonlySet<string>;
  /** Of the slowest file, where somebody measures; else 0. */
  readonly slowestMs: number;
  readonly complaints: readonly string[];
}

/** What must be so of the items of any file: money is exact and has a sign, and what was opened is closed. */
function complaintsOf(items: readonly Item[], isRead: boolean): string[] {
  const complaints: string[] = [];
  let open = 0;
  let statements = 0;
  for (const item of items) {
    if (item.type === 'document') open += 1;
    if (item.type === 'document_end') open -= 1;
    if (item.type === 'statement') statements += 1;
    if (item.type === 'statement_end') statements -= 1;
    if (open !== 1 && item.type !== 'document_end' && item.type !== 'ignored')
      complaints.push(`${item.type} of no document`);
    if (item.type === 'entry' && (item.amount <= 0n || statements !== 1)) complaints.push('a wrong entry');
    if (item.type === 'entry' && item.sign !== 'credit' && item.sign !== 'debit') complaints.push('no sign');
  }
  if (isRead && (open !== 0 || statements !== 0)) complaints.push('what was opened was not closed');
  return complaints;
}

export async function fuzz(
  reader: Reader,
  count: number,
  seed: number,
  gauge?: Gauge,
  files: Iterable<BrokenFile> = brokenFiles(count, seed),
): Promise<FuzzResult> {
  const complaints: string[] = [];
  const codes = new Set<string>();
  let read = 0;
  let slowestMs = 0;
  for (const { how, bytes, size } of files) {
    const startedMs = gauge?.spentMs() ?? 0;
    const items: Item[] = [];
    const refusal = await take(reader(chunksOf(bytes, size)), items);
    const tookMs = (gauge?.spentMs() ?? 0) - startedMs;
    slowestMs = Math.max(slowestMs, tookMs);
    if (gauge && tookMs > gauge.mostMs) complaints.push(`${how}: took ${tookMs} ms`);
    if (refusal === undefined) read += 1;
    else if (refusal instanceof StatementFileError) codes.add(refusal.code);
    else complaints.push(`${how}: ${refusal instanceof Error ? refusal.stack : 'no error'}`);
    for (const complaint of complaintsOf(items, refusal === undefined)) complaints.push(`${how}: ${complaint}`);
  }
  return { read, refused: count - read, codes, slowestMs, complaints };
}

/** What it was refused with, or `undefined`. */
async function take(source: AsyncIterable<Item>, items: Item[]): Promise<unknown> {
  try {
    for await (const item of source) items.push(item);
    return undefined;
  } catch (error) {
    return error;
  }
}
