/**
 * Statement files whose texts strangers wrote to hold the server: read in their thread and booked. References are looked for there alone, the
 * event loop gets its turns all the while, and a commit takes only so much. Controls: read in this thread, both are seen.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundleReaders } from '../../../test/support/bank/bundled-reader.ts';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { chunksOf, itemsOf } from '../../../test/support/bank/read-documents.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BANK_ACCOUNT, must } from '../../../test/support/harness/tenant-fixture.ts';
import { countCalls } from '../../../test/support/measure/text-work.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { readInWorker } from '../../iso20022/read/in-worker.ts';
import type { Item } from '../../iso20022/read/items.ts';
import { readStatementFile } from '../../iso20022/read/read.ts';

bundleReaders();

const LONGEST = 65_000;
const lines = (text: string, characters: number): string[] =>
  Array.from({ length: Math.ceil(characters / LONGEST) }, () => text.repeat(Math.ceil(LONGEST / text.length)));
const credit = (n: number, text: string | readonly string[], endToEndId?: string): Written => ({
  amount: '0.01',
  reference: `${n}`,
  details: [{ text, ...(endToEndId !== undefined && { endToEndId }) }],
});
const many = (count: number, of: (n: number) => Written): Written[] => Array.from({ length: count }, (_, n) => of(n));

const NASTY: readonly (readonly [name: string, entries: readonly Written[]])[] = [
  ['5 MB of beginnings of references in one transaction', [credit(0, lines('RF18', 5_300_000))]],
  ['5 MB of blanks in one transaction', [credit(0, lines(' \u200b', 5_300_000))]],
  ['5 MB of what looks like an IBAN', [credit(0, lines('DE89370400440532013001 ', 5_300_000))]],
  ['ids like ours', many(1_000, (n) => credit(n, 'po_'.repeat(600), `PO${'0'.repeat(n % 60)}`))],
  ['wide letters', many(400, (n) => credit(n, '\uff32\uff26\uff11\uff18'.repeat(500)))],
  ['800 entries of 2,000 characters of references', many(800, (n) => credit(n, 'RF18 '.repeat(400)))],
  [
    'an entry of 2,000 transactions, each with its reference',
    [
      {
        amount: '20.00',
        reference: 'x',
        details: many(2_000, (n) => credit(n, `RF18 ${n}`)).flatMap((each) => each.details ?? []),
      },
    ],
  ],
  ['equal entries', many(2_000, (n) => ({ amount: '0.01', details: [{ text: 'RF18', endToEndId: `E${n}` }] }))],
];

/** How often this thread has looked at a character of what begins like a reference. */
function looksAtReferences(): () => number {
  const { count, stop } = countCalls('charCodeAt', (text) => text.startsWith('RF'));
  stops.push(stop);
  return count;
}
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Items with their parts, the most that come before the event loop gets its next turn. */
async function* counted(items: AsyncIterable<Item>, note: (most: number) => void): AsyncGenerator<Item> {
  let [now, most] = [0, 0];
  for await (const item of items) {
    if (now === 0) setImmediate(() => (now = 0));
    now += item.type === 'entry' ? 1 + item.details.length : 1;
    most = Math.max(most, now);
    note(most);
    yield item;
  }
}

/** Imports a file into a ledger in memory. */
async function imported(xml: string, read: (source: AsyncIterable<Uint8Array>) => AsyncIterable<Item>) {
  const bank = new MemoryBank();
  const found = { mostOfATurn: 0, mostCharacters: 0, mostLines: 0 };
  await bank.import(
    xml,
    (bytes) => counted(read(bytes), (most) => (found.mostOfATurn = Math.max(found.mostOfATurn, most))),
    (command) => {
      if (command.type !== 'import_bank_entries') return;
      const texts = command.lines.map(({ explanation }) => explanation.text?.length ?? 0);
      found.mostCharacters = Math.max(
        found.mostCharacters,
        texts.reduce((sum, each) => sum + each, 0),
      );
      found.mostLines = Math.max(found.mostLines, command.lines.length);
    },
  );
  const matched = bank.entries.filter(({ status }) => status === 'matched').length;
  return { ...found, entries: bank.entries.length, matched };
}

const fileOf = (entries: readonly Written[]): string =>
  camt([{ iban: 'DE89370400440532013000', day: '2026-03-13', entries }]);

describe('a file of', () => {
  it.each(NASTY)('%s is booked, and its texts are searched in its thread', async (_, entries) => {
    const looks = looksAtReferences();
    const { mostCharacters, mostLines, ...booked } = await imported(fileOf(entries), readInWorker);
    expect(booked).toMatchObject({ entries: entries.length, matched: 0 });
    expect(looks()).toBe(0);
    expect(mostCharacters).toBeLessThanOrEqual(40_000);
    expect(mostLines).toBeLessThanOrEqual(200);
  });

  const text = depositReference('acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
  const file = fileOf(many(11_000, (n) => credit(n, text)));

  it('11,000 entries gives the event loop its turns', async () => {
    // Some hundred on a quiet machine.
    expect((await imported(file, readInWorker)).mostOfATurn).toBeLessThan(10_000);
  });

  it('11,000 entries, control: read in this thread, the references are searched here, and there is no turn', async () => {
    const looks = looksAtReferences();
    expect((await imported(file, readStatementFile)).mostOfATurn).toBeGreaterThan(10_000);
    expect(looks()).toBeGreaterThan(11_000);
  });
});

describe('a server that imports 5 MB of beginnings of references', () => {
  const FILE = fileOf([credit(0, lines('RF18', 5_300_000))]);
  const ASKED = ['/livez', '/readyz', '/v1/accounts'];
  /** A reading that holds the event loop leaves room for the answers that are on their way, and for few others. */
  const HELD_AT_MOST = 5;
  let application: Application;
  beforeAll(async () => {
    application = await startApplication();
    must(await application.live.client.post('/v1/bank_accounts', BANK_ACCOUNT));
  });
  afterAll(() => application?.stop());

  /** How often each path is answered until `work` is done; each is asked again as soon as it was answered. */
  async function answersDuring<T>(work: () => Promise<T>): Promise<{ done: T; answers: readonly number[] }> {
    const { client } = application.otherLive;
    for (const path of ASKED) must(await client.get(path)); // connected
    let isOver = false;
    const asking = ASKED.map(async (path) => {
      for (let answered = 0; ; answered += 1) {
        must(await client.get(path));
        if (isOver) return answered;
      }
    });
    const done = await work().finally(() => (isOver = true));
    return { done, answers: await Promise.all(asking) };
  }

  it('answers everybody else all the while, and looks at no text itself', async () => {
    const looks = looksAtReferences();
    const { done, answers } = await answersDuring(() => handedIn(application.live.client, FILE));
    expect(done.json).toMatchObject({ status: 'imported' });
    expect(looks()).toBe(0);
    for (const count of answers) expect(count).toBeGreaterThan(4 * HELD_AT_MOST);
  });

  it('control: read in this thread at once, nobody is answered, and the text is looked at here', async () => {
    const looks = looksAtReferences();
    const { done, answers } = await answersDuring(async () => {
      let items = 0;
      for await (const _ of readStatementFile(chunksOf(FILE))) items += 1;
      return items;
    });
    expect(done).toBeGreaterThan(0);
    expect(looks()).toBeGreaterThan(100);
    for (const count of answers) expect(count).toBeLessThanOrEqual(HELD_AT_MOST);
  });
});

it('what an item holds is bounded, and the document says so', async () => {
  const characters = (items: readonly Item[]) =>
    JSON.stringify(items, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).length;
  const read = (length: number) =>
    itemsOf(fileOf([credit(0, lines('RF18 \ud83d\ude00', length), 'E'.repeat(Math.min(length, LONGEST)))]));
  const [some, more] = [await read(200_000), await read(2_000_000)];
  expect(characters(more.slice(0, -1))).toBe(characters(some.slice(0, -1)));
  expect(more.at(-1)).toMatchObject({ notes: [{ code: 'text_long' }] });
});
