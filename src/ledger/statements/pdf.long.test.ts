/**
 * Statements as PDF, read back by another program: every line of the JSON with its amounts, the names of several scripts, pages that say
 * how many there are. What cannot be shown is shown as such. Broken logos are left out.
 */
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { textsOf } from '../../../test/support/harness/pdf-texts.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { makeKey, type ServerProcess, startServer } from '../../../test/support/harness/server-process.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import type { MadeKey } from '../../operator/keys.ts';
import { moneyText, shortDayText, UNSHOWN } from '../../platform/paper/text.ts';

interface Line extends Json {
  readonly created: number;
  readonly amount_minor: number;
  readonly balance_after: number;
  readonly recipient_name: string | null;
}
interface Account extends Json {
  readonly account: string;
  readonly currency: string;
  readonly closing_balance: number;
  readonly lines: readonly Line[];
}

const NAMES = [
  'Łukasz Żółć',
  'Ευαγγελία Ώρα',
  'Пётр Ильич Їжак',
  'Nguyễn Hồng Ánh',
  '张三 Trading',
  'שלום Ltd',
  '王小明',
];
/** Names in letters that every bank can write. */
const LATIN: Readonly<Record<string, string>> = { 'Ευαγγελία Ώρα': 'Evangelia Ora', 王小明: 'Wang Xiaoming' };

let database: Database;
let server: ServerProcess;
let client: Client;
let account: string;
let holder: MadeKey;
let small: MadeKey;
/** Of a merchant whose statement is one page: what all statements have can be seen there. */
let smallClient: Client;
beforeAll(async () => {
  database = await createDatabase();
  // Compiled: of the sources each thread would be compiled again.
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  holder = await makeKey(database.url);
  client = new Client(server.address, holder.key);
  account = idIn(await client.post('/v1/accounts', { currency: 'EUR', name: 'Operations' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '1234567.89' }));
  for (const name of NAMES) {
    const latin = LATIN[name] === undefined ? {} : { latin_name: LATIN[name] };
    const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name, ...latin }));
    const order = { amount: '1000.01', currency: 'EUR', recipient, account, reference: `Ref ${name}` };
    for (let n = 0; n < 12; n++) must(await client.post('/v1/payouts', order));
  }
  const yen = idIn(await client.post('/v1/accounts', { currency: 'JPY' }));
  must(await client.post(`/v1/test_helpers/accounts/${yen}/fund`, { amount: 1_000_000 }));
  small = await makeKey(database.url, 'small');
  smallClient = new Client(server.address, small.key);
  must(await smallClient.post('/v1/accounts', { currency: 'EUR', name: 'Operations' }));
});
afterAll(async () => {
  client?.close();
  smallClient?.close();
  await server?.kill();
  await database?.drop();
});

/** The bytes of a statement. */
async function bytesOf(path: string, { key } = holder): Promise<Buffer> {
  const reply = await fetch(`${server.address}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await reply.arrayBuffer());
}

/** The fonts have Greek letters, so that name stands as it is. */
const shownAs = (name: string) =>
  name === '王小明' ? 'Wang Xiaoming' : name.replaceAll(/[\u0590-\u05FF\u4e00-\u9fff]/g, UNSHOWN);

/** What a line has to say, in this order. */
const wanted = (
  { created, amount_minor: amount, balance_after: balance, recipient_name: name }: Line,
  currency: string,
) => [
  shortDayText(created * 1000),
  moneyText(BigInt(amount), currency),
  moneyText(BigInt(balance), currency),
  ...(name === null ? [] : [shownAs(name)]),
];

/** How many of the lines stand there, one behind the other. */
function linesIn(texts: readonly string[], { lines, currency }: Account): number {
  let at = 0;
  let found = 0;
  for (const line of lines) {
    for (const text of wanted(line, currency)) {
      at = texts.indexOf(text, at) + 1;
      if (at === 0) return found;
    }
    found += 1;
  }
  return found;
}

describe('a statement as PDF', () => {
  it('says every line of the JSON, on pages that say how many there are; control: another amount is not found', async () => {
    const json = must(await client.get(`/v1/accounts/${account}/statement`)).json as Account;
    const pages = await textsOf(await bytesOf(`/v1/accounts/${account}/statement?format=pdf`));
    const texts = pages.flat();
    expect(json.lines).toHaveLength(NAMES.length * 12 + 1);
    expect(linesIn(texts, json)).toBe(json.lines.length);
    expect(texts).toContain(`EUR ${moneyText(BigInt(json.closing_balance), 'EUR')}`);
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of`);
      expect(page).toContain(String(pages.length));
    });
    expect(texts).toContain('Operations');
    expect(texts).toContain('Sandbox: no real money');
    expect(texts.join(' ')).toContain(`${UNSHOWN} stands for a character`);
    const changed = json.lines.map((line, index) => (index === 40 ? { ...line, amount_minor: -1 } : line));
    expect(linesIn(texts, { ...json, lines: changed })).toBe(40);
  });

  it('of all accounts has each of them, and names whose it is', async () => {
    must(await client.post('/v1/settings', { name: 'Müller & Söhne', accent_color: '#0a7c53' }));
    const { statements } = must(await client.get('/v1/account_statements')).json as unknown as {
      statements: readonly Account[];
    };
    const texts = (await textsOf(await bytesOf('/v1/account_statements?format=pdf'))).flat();
    for (const each of statements) {
      expect(texts).toContain(each.account);
      expect(linesIn(texts, each)).toBe(each.lines.length);
    }
    expect(texts).toContain('Müller & Söhne');
    expect(texts).toContain('JPY 1,000,000');
  });

  it('without an account is a page that says so', async () => {
    const fresh = await makeKey(database.url, 'no account');
    const texts = (await textsOf(await bytesOf('/v1/account_statements?format=pdf', fresh))).flat();
    expect(texts).toContain('There was no account in this period.');
  });
});

describe('a logo', () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, body, Buffer.alloc(4)]);
  };
  /** A grey PNG that says it is that large, with so many bytes of zeros. */
  const png = (side: number, zeros: number) => {
    const head = Buffer.alloc(13);
    head.writeUInt32BE(side, 0);
    head.writeUInt32BE(side, 4);
    head.set([8, 6, 0, 0, 0], 8);
    const start = Buffer.from('89504e470d0a1a0a', 'hex');
    return Buffer.concat([
      start,
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(zeros))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  };

  it.each<[string, Buffer, boolean]>([
    ['is on the page', png(32, 32 * 129), true],
    ['of a hundred million pixels is left out', png(10_000, 100), false],
    ['that is broken is left out', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), false],
    ['whose picture is cut off does not end the statement', png(32, 32 * 129).subarray(0, 45), false],
    ['whose pixels are too few is left out', png(32, 100), false],
    ['whose pixels cannot be unfolded is left out', Buffer.from(png(32, 32 * 129)).fill(0xee, 45, 60), false],
    ['that is no JPEG but begins like one is left out', Buffer.from('ffd8ffe000104a46494600', 'hex'), false],
  ])('%s', async (_, logo, isShown) => {
    must(await smallClient.post('/v1/settings', { logo: logo.toString('base64') }));
    const bytes = await bytesOf('/v1/account_statements?format=pdf', small);
    expect((await textsOf(bytes)).flat()).toContain('Operations');
    expect(bytes.includes('/Subtype /Image')).toBe(isShown);
  });
});

it('makes two documents of an environment at once and refuses a third', async () => {
  const read = () => client.get('/v1/account_statements?format=pdf');
  const replies = await Promise.all([read(), read(), read()]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
});
