/** Watched folders stay in their folder, whatever a server answers and whatever links lie there. The way they work: `test/long/bank-cli.test.ts`. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bankClient } from './bank-client.ts';
import { watchOnce } from './bank-folders.ts';

const ACCOUNT = 'ba_01kb0000000000000000000000';
const FILE = {
  id: 'pf_01kb0000000000000000000000',
  currency: 'EUR',
  execution_on: '2026-11-26',
  message_id: 'PF01KB0000000000000000000000',
  answered_at: null,
  payouts_count: 1,
  route: 'sepa',
};
const NAME = 'payouts-EUR-2026-11-26-PF01KB0000000000000000000000.xml';

let server: Server;
let url: string;
/** What the server answers, and what was sent to it. */
let account: Record<string, unknown>;
let file: Record<string, unknown>;
let imported: string[];
/** Holds the watched folder, `root`, so deep that no name of these tests leads out of it; and what must stay as it is. */
let around: string;
let root: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url: path = '', method } = request;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (method === 'POST') imported.push(body);
      if (path.endsWith('/content')) return void response.end('<Document/>');
      const list = path.startsWith('/v1/bank_accounts') ? [account] : [file];
      response.end(JSON.stringify(method === 'POST' ? { id: 'sf_1', statements_count: 1 } : { data: list }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

beforeEach(() => {
  [account, file, imported] = [{ id: ACCOUNT }, FILE, []];
  around = mkdtempSync(join(tmpdir(), 'bursar-folders-'));
  root = join(around, 'a/b/c/d/e/f/watched');
  mkdirSync(root, { recursive: true });
  return () => rmSync(around, { recursive: true });
});

/** Two rounds; resolves with the lines that were said. */
async function watched(): Promise<string[]> {
  const client = await bankClient({ url, key: 'sk_test_x' });
  const [seen, lines] = [new Map<string, string>(), [] as string[]];
  for (const _ of [1, 2]) await watchOnce(client, root, seen, (line) => lines.push(line));
  return lines;
}

const files = () =>
  readdirSync(around, { recursive: true, withFileTypes: true })
    .filter((each) => !each.isDirectory())
    .map((each) => join(each.parentPath, each.name).slice(around.length + 1))
    .toSorted();

const inAccount = (...names: readonly string[]) => join(root, ACCOUNT, ...names);

describe('names from the server', () => {
  it('control: those that Bursar writes become a file, a manifest and a mark', async () => {
    expect(await watched()).toEqual([`out  ${NAME}  1 payouts`]);
    const names = [`.written/${FILE.id}`, `out/${NAME}`, `out/${NAME}.json`];
    expect(files()).toEqual(names.map((name) => `a/b/c/d/e/f/watched/${ACCOUNT}/${name}`));
    expect(readFileSync(inAccount('out', NAME), 'utf8')).toBe('<Document/>');
  });

  it.each([
    ['../../ba', {}],
    ['ba_x/../../../etc', {}],
    [`${ACCOUNT}\n`, {}],
    [7, {}],
    [ACCOUNT, { id: '../../../bf' }],
    [ACCOUNT, { id: null }],
    [ACCOUNT, { currency: '../../EUR' }],
    [ACCOUNT, { execution_on: '2026-11-26/../../../x' }],
    [ACCOUNT, { message_id: '/../../../../x' }],
    [ACCOUNT, { message_id: 'BF\u001b[2J' }],
    [ACCOUNT, { message_id: '..' }],
  ])('account %j, file %j: refused, and nothing is written', async (id, changed) => {
    [account, file] = [{ id }, { ...FILE, ...changed }];
    await expect(watched()).rejects.toThrow(/^The server answers with the \w+ .*, which Bursar never writes/);
    expect(files()).toEqual([]);
  });
});

describe('links', () => {
  const link = (target: string, ...names: readonly string[]) => {
    mkdirSync(inAccount(...names.slice(0, -1)), { recursive: true });
    symlinkSync(target, inAccount(...names));
  };

  it.each([['out'], ['in'], ['done'], ['.written']])('in place of the folder %s are refused', async (name) => {
    mkdirSync(join(around, 'elsewhere'));
    link(join(around, 'elsewhere'), name);
    await expect(watched()).rejects.toThrow(/is no folder, and links are not followed here\. Remove it/);
    expect(readdirSync(join(around, 'elsewhere'))).toEqual([]);
  });

  it('in place of the folder of an account are refused', async () => {
    mkdirSync(join(around, 'elsewhere'));
    symlinkSync(join(around, 'elsewhere'), inAccount());
    await expect(watched()).rejects.toThrow(/is no folder/);
    expect(readdirSync(join(around, 'elsewhere'))).toEqual([]);
  });

  it.each([[`out/${NAME}`], [`out/${NAME}.part`], [`out/${NAME}.json`], [`.written/${FILE.id}`]])(
    'in place of %s are refused, and lead to nothing new',
    async (name) => {
      const victim = join(around, 'victim');
      for (const text of ['precious', null]) {
        if (text !== null) writeFileSync(victim, text);
        link(victim, ...name.split('/'));
        await expect(watched()).rejects.toThrow(/is no file, and links are not followed here\. Remove it/);
        expect(existsSync(victim) ? readFileSync(victim, 'utf8') : null).toBe(text);
        rmSync(victim, { force: true });
        rmSync(inAccount(), { recursive: true });
      }
    },
  );

  it('to a file are not read and not moved', async () => {
    writeFileSync(join(around, 'secret'), 'of somebody else');
    link(join(around, 'secret'), 'in', 'a.xml');
    writeFileSync(inAccount('in', 'b.xml'), 'a statement'); // control
    const lines = await watched();
    expect(imported).toEqual(['a statement']);
    expect(lines).toEqual([
      `out  ${NAME}  1 payouts`,
      expect.stringContaining('LEFT  a.xml  is a link'),
      'done  b.xml  1 statements',
    ]);
    expect(readdirSync(inAccount('in'))).toEqual(['a.xml']);
  });
});
