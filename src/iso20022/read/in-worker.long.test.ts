/** Reading in a thread: the same items and refusals, an end in every case, and an event loop that is free meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundleReaders } from '../../../test/support/bank/bundled-reader.ts';
import {
  ACCOUNT,
  chunksOf,
  entry,
  itemsOf,
  ofType,
  refusalOf,
  sample,
  statement,
  zipOf,
} from '../../../test/support/bank/read-documents.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { StatementFileError } from './bank-file-error.ts';
import { readInWorker, type ReadInWorkerOptions } from './in-worker.ts';
import type { Item } from './items.ts';
import { readStatementFile } from './read.ts';

bundleReaders();

async function itemsInWorker(source: AsyncIterable<Uint8Array>, options?: ReadInWorkerOptions): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of readInWorker(source, options)) items.push(item);
  return items;
}

/** Threads that live, seen from here. */
const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

/** An endless statement; `given` counts its pieces, `isClosed` says that nobody reads it any more. */
function endless(): { source: AsyncIterable<Uint8Array>; given: () => number; isClosed: () => boolean } {
  const piece = Buffer.from(entry().repeat(300));
  let given = 0;
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(statement(ACCOUNT).replace(/<\/Stmt>.*/, ''));
      for (; ; given += 1) yield piece;
    } finally {
      isClosed = true;
    }
  }
  return { source: source(), given: () => given, isClosed: () => isClosed };
}

describe('in a thread', () => {
  it.each([
    ['a camt.053', sample('camt053.xml')],
    ['a pain.002', sample('pain002.xml')],
    ['a ZIP', zipOf([['1.xml', sample('camt053.xml')]])],
    ['many entries', Buffer.from(statement(ACCOUNT + entry().repeat(1_000)))],
    [
      'an entry of many details',
      Buffer.from(
        statement(
          ACCOUNT +
            entry() +
            entry({
              rest: `<NtryDtls>${Array.from({ length: 1_001 }, (_, at) => `<TxDtls><Refs><TxId>${at}</TxId></Refs></TxDtls>`).join('')}</NtryDtls>`,
            }) +
            entry(),
        ),
      ),
    ],
  ])('the items are the same: %s', async (_, bytes) => {
    expect(await itemsInWorker(chunksOf(bytes))).toEqual(await itemsOf(bytes));
  });

  it('a refusal is the same', async () => {
    const zip = zipOf([
      ['1.xml', sample('camt053.xml')],
      ['2.xml', statement(ACCOUNT + entry({ amount: '<Amt Ccy="EUR">1.005</Amt>' }))],
    ]);
    const refusal = await refusalOf(zip);
    const error = await itemsInWorker(chunksOf(zip)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StatementFileError);
    expect(error).toEqual(refusal);
    expect({ ...(error as StatementFileError) }).toEqual({ ...refusal });
  });

  it('bounds are the same', async () => {
    const limits = { maxDepth: 3 };
    await expect(itemsInWorker(chunksOf(sample('camt053.xml')), { limits })).rejects.toThrow('deeper than 3');
  });

  it('an error of the source is thrown as it is', async () => {
    const broken = new Error('The line was cut.');
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<Document>');
      await wait(1);
      throw broken;
    }
    await expect(itemsInWorker(source())).rejects.toBe(broken);
  });

  it('memory of a source may be used again', async () => {
    const bytes = Buffer.from(statement(ACCOUNT + entry().repeat(500)));
    async function* source(): AsyncGenerator<Uint8Array> {
      const memory = Buffer.alloc(1_000);
      for (let from = 0; from < bytes.length; from += memory.length) {
        const length = bytes.copy(memory, 0, from);
        yield memory.subarray(0, length);
        memory.fill(0);
      }
    }
    expect(ofType(await itemsInWorker(source()), 'entry')).toHaveLength(500);
  });
});

describe('the thread ends', () => {
  it('with the file', async () => {
    const before = threads();
    await itemsInWorker(chunksOf(sample('camt053.xml')));
    expect(threads()).toBe(before);
  });

  it('with the loop, and closes the source', async () => {
    const before = threads();
    const { source, isClosed } = endless();
    let during = 0;
    for await (const item of readInWorker(source)) {
      during = threads();
      if (item.type === 'entry') break;
    }
    await eventually('the source is closed', isClosed);
    expect(threads()).toBe(before);
    expect(during).toBeGreaterThan(before); // control: a thread that lives is seen
  });

  it('with the signal, and throws its reason', async () => {
    const before = threads();
    const { source, isClosed } = endless();
    const reason = new Error('Enough.');
    const controller = new AbortController();
    const reading = (async () => {
      let entries = 0;
      for await (const item of readInWorker(source, { signal: controller.signal })) {
        if (item.type !== 'entry') continue;
        entries += 1;
        if (entries === 1_000) controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await eventually('the source is closed', isClosed);
    expect(threads()).toBe(before);
    await expect(itemsInWorker(endless().source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('with the signal, also while the loop is busy with an item', async () => {
    const before = threads();
    const { source, isClosed } = endless();
    const controller = new AbortController();
    const reading = readInWorker(source, { signal: controller.signal });
    await reading.next();
    expect(threads()).toBeGreaterThan(before);
    controller.abort(new Error('Enough.'));
    await eventually('the thread has ended', () => threads() === before && isClosed());
    await reading.return();
  });

  it('with the signal, also where the source gives nothing', async () => {
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<Document>');
      await new Promise(() => undefined);
    }
    await expect(itemsInWorker(silent(), { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  });

  it('where it needs more memory than it may have: a refusal, and this process lives', async () => {
    const large = `<NtryDtls>${`<TxDtls><RmtInf><Ustrd>${'x'.repeat(300)}</Ustrd></RmtInf></TxDtls>`.repeat(45_000)}</NtryDtls>`;
    const bytes = Buffer.from(statement(ACCOUNT + entry({ rest: large })));
    const refusal = itemsInWorker(chunksOf(bytes), { maxMemoryMb: 16 });
    await expect(refusal).rejects.toThrow('Reading the file takes more than 16 MB of memory.');
    const small = itemsInWorker(chunksOf(sample('camt053.xml')), { maxMemoryMb: 16 });
    expect(ofType(await small, 'entry').length).toBeGreaterThan(0); // control
  });
});

/** Of 20,000 entries, the most that come before the event loop gets its next turn. */
async function entriesOfATurn(items: AsyncIterable<Item>): Promise<number> {
  let [most, now, entries] = [0, 0, 0];
  for await (const item of items) {
    if (item.type !== 'entry') continue;
    if (now === 0) setImmediate(() => (now = 0));
    now += 1;
    most = Math.max(most, now);
    entries += 1;
    if (entries === 20_000) break;
  }
  return most;
}

describe('what is slow', () => {
  it('holds the thread, and the thread holds the source', async () => {
    const { source, given } = endless();
    const reading = readInWorker(source);
    await reading.next();
    let before = -1;
    await eventually('nothing more is asked for', async () => {
      before = given();
      await wait(200);
      return given() === before;
    });
    // However long it waited: what is on its way is bounded by messages.
    expect(given()).toBeLessThan(40);
    await reading.return();
  });

  // In milliseconds, with 75 MB: test/long/bank-files.test.ts.
  it('is not the event loop: it gets turns between the entries', async () => {
    // Some hundred on a quiet machine; 2,000 were seen when three other runs had the cores. All come in one turn without a thread.
    expect(await entriesOfATurn(readInWorker(endless().source))).toBeLessThan(10_000);
  });

  it('control: without a thread there is no turn', async () => {
    expect(await entriesOfATurn(readStatementFile(endless().source))).toBe(20_000);
  });
});
