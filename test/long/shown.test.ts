/**
 * What the guides show without a command: answers have the members that the service gives, requests and files are taken, statements and
 * configurations are read by the program that they are for. Each page begins with what a first start leaves. Requests of the page that stand
 * above such a block are sent before it, and nothing else makes what it finds.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRates, USUAL_DOCUMENT } from '../../src/ledger/live-rates/rates-document.ts';
import { blocksIn, blocksRunBy, pastedOn, type Shown } from '../support/docs/block-runners.ts';
import { newReader, type Reader } from '../support/docs/page.ts';
import { schemaFaults, type Schemas } from '../support/generators/schema.ts';
import { Client, type Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { rowsOf } from '../support/model/audit.ts';

let reader: Reader;
let client: Client;
let recipient: string;

beforeAll(async () => {
  reader = await newReader();
  client = new Client(reader.known['BURSAR_URL'] ?? '', reader.known['BURSAR_KEY'] ?? '');
});
afterAll(async () => {
  client?.close();
  await reader?.end();
});

/** As the owner of the database. */
const sql = (text: string) => rowsOf<Record<string, unknown>>(reader.databaseUrl, text);

async function paste({ page, block }: Shown): Promise<void> {
  const { status, said } = await reader.paste(page, block);
  expect([status, said]).toEqual([0, said]);
}

const data = (answer: Json) => answer['data'] as readonly Json[];
const csv = (path: string, body: string) => client.send('POST', path, body, { 'content-type': 'text/csv' });

/** The text with what `…` leaves out: then members may be missing, and a text is only begun. */
function parseShown(text: string): unknown {
  const whole = text.replaceAll(/,…(?=[,}])/g, '').replaceAll('[…]', '[]');
  return JSON.parse(whole.startsWith('{') ? whole : `{${whole}}`);
}

/** Members that are shown and that the service does not give, or not as such a value. */
function strangers(shown: unknown, given: unknown, path = ''): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return [`${path} is no list`];
    return shown.slice(0, given.length).flatMap((each, index) => strangers(each, given[index], `${path}[]`));
  }
  if (typeof shown !== 'object' || shown === null || typeof given !== 'object' || given === null) {
    const fits = shown === null || given === null || typeof shown === typeof given;
    const named = /\.(?:object|type|code|param|column_name)$/.test(path);
    return fits && (!named || shown === given) ? [] : [`${path} is ${JSON.stringify(given)}`];
  }
  return Object.entries(shown).flatMap(([name, value]) =>
    Object.hasOwn(given, name)
      ? strangers(value, (given as Json)[name], `${path}.${name}`)
      : [`${path}.${name} is not there`],
  );
}

/** By page and first characters: what makes the real one. */
const ANSWERS: readonly (readonly [page: RegExp, begins: RegExp, real: () => Promise<unknown>])[] = [
  [
    /bulk-payouts/,
    /^\{"index":1/,
    async () => {
      const rows = ['amount,currency,recipient', `1,EUR,${recipient}`, `1,EUR,rcp_${'0'.repeat(26)}`].join('\n');
      const { json } = await csv('/v1/payouts/batch?dry_run=true', rows);
      const { errors } = json['error'] as { readonly errors: readonly Json[] };
      return errors[0];
    },
  ],
  [
    /webhooks/,
    /^\{"id":"we_/,
    async () => must(await client.post('/v1/webhook_endpoints', { url: 'https://example.com/webhooks' })).json,
  ],
  [/integrating/, /^\{"data"/, async () => must(await client.get('/v1/events?limit=1')).json],
  [
    /integrating/,
    /^\{"id":"po_/,
    async () => {
      must(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient }));
      return data(must(await client.get('/v1/payouts?expand[]=recipient&limit=1')).json)[0];
    },
  ],
  [
    /fees/,
    /^"fees"/,
    async () => {
      must(await client.post('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: '0.25', basis_points: 10 }));
      return must(await client.post('/v1/payouts', { amount: 100, currency: 'EUR', recipient })).json;
    },
  ],
];

const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  readonly components: { readonly schemas: Schemas };
};

/** How each other kind of block is tried. */
const KINDS: readonly (readonly [begins: RegExp, tried: (text: string) => Promise<void>])[] = [
  [
    /^\{\s*"type": "daily_statement\.created"/,
    async (text) => {
      const { schemas } = DOCUMENT.components;
      const { data: shown } = JSON.parse(text) as Json;
      expect(schemaFaults(schemas['DailyStatementEventData'] ?? {}, shown, schemas)).toEqual([]);
    },
  ],
  [
    /^\{"source"/,
    async (text) => expect(parseRates(text, USUAL_DOCUMENT)).toMatchObject({ at: Date.parse('2026-11-21T16:00:00Z') }),
  ],
  [
    /^GET /,
    async (text) => {
      const path = text.slice('GET '.length).replace('<last seen>', '1').replace('rcp_…', recipient);
      expect(data(must(await client.get(path)).json).length).toBeGreaterThan(0);
    },
  ],
  [
    /^amount,/,
    async (text) => {
      const batch = must(await csv('/v1/payouts/batch', text.replaceAll('rcp_…', recipient))).json;
      expect(batch).toMatchObject({ object: 'payout_batch' });
    },
  ],
  [
    /^UPDATE environments/,
    async (text) => {
      const [{ environment_id: id = '' } = {}] = await sql('SELECT environment_id FROM environments LIMIT 1');
      const changed = await sql(`${text.replace('…', String(id)).replace(/;$/, '')} RETURNING environment_id`);
      expect(changed).toHaveLength(1);
    },
  ],
  [
    /^synchronous_commit/,
    async (text) => {
      // PostgreSQL checks names and values. It does not read them before it is told to, and they are gone by then.
      for (const line of text.split('\n')) {
        await sql(`ALTER SYSTEM SET ${line}`);
        await sql(`ALTER SYSTEM RESET ${line.split(' ')[0] ?? ''}`);
      }
    },
  ],
  [
    /^listen postgresql/,
    async (text) => readBy('haproxy', 'haproxy', 'haproxy -c -f haproxy.cfg', 'haproxy.cfg', text),
  ],
  [
    /^scrape_configs/,
    async (text) =>
      readBy('promtool', 'prometheus', 'promtool check config --syntax-only bursar.yml', 'bursar.yml', text),
  ],
  [
    /^SELECT r\.key/,
    async (text) => {
      // The page says which requests these are.
      const registers = blocksIn('docs/webhooks.md').find(({ block }) => block.text.includes('/v1/webhook_endpoints '));
      const pays = blocksIn('README.md').find(({ block }) => block.text.includes('salary-42'));
      for (const shown of [registers, pays]) await paste(shown as Shown);
      const rows = await sql(text.replace(/;$/, ''));
      const kinds = new Set(rows.map(({ type, delivery }) => `${String(type)} ${String(delivery)}`));
      expect([...kinds]).toEqual(['balance.updated pending', 'payout.created pending']);
    },
  ],
];

/** The program that a configuration is for reads it, where it is installed; `.ci/run` installs it, and then it must be there. */
function readBy(program: string, packageName: string, command: string, file: string, text: string): void {
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };
  if (spawnSync('bash', ['-c', `command -v ${program}`], { env }).status !== 0) {
    const missing = `${program} was not found, so it did not read its block: apt-get install ${packageName}`;
    if (process.env['BURSAR_REQUIRE_PROGRAMS']) throw new Error(missing);
    console.error(missing);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bursar-shown-'));
  writeFileSync(join(folder, file), `${text}\n`);
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const said = stdout + stderr;
  if (status !== 0 || said.includes('[WARNING]')) throw new Error(`${command}: ${said}`);
}

const blocks = blocksRunBy('test/long/shown.test.ts');

/** Those of a page, and the requests above each. */
function inOrder(page: string): readonly Shown[] {
  const own = new Set(blocks.map(({ block }) => block.text));
  const requests = new Set(pastedOn(page).map(({ block }) => block.text));
  const all = blocksIn(page);
  const last = all.findLastIndex(({ block }) => own.has(block.text));
  return all
    .slice(0, last + 1)
    .filter(({ block: { text } }) => own.has(text) || (/^(?:curl|printf)/.test(text) && requests.has(text)));
}

async function tryShown({ page, block: { text } }: Shown): Promise<void> {
  const answer = ANSWERS.find(([pages, begins]) => pages.test(page) && begins.test(text));
  if (answer !== undefined) return expect(strangers(parseShown(text), await answer[2]())).toEqual([]);
  const kind = KINDS.find(([begins]) => begins.test(text));
  if (kind === undefined) throw new Error(`Nothing here tries this block of ${page}: ${text}`);
  return kind[1](text);
}

describe.each([...new Set(blocks.map(({ page }) => page))])('%s', (page) => {
  beforeAll(async () => {
    await reader.afresh();
    recipient = reader.known['RECIPIENT'] ?? '';
  });
  it.each(inOrder(page).map((shown) => [shown.block.text.slice(0, 40), shown] as const))('%s', (_, shown) =>
    blocks.some(({ block }) => block.text === shown.block.text) ? tryShown(shown) : paste(shown),
  );
});

it('control: a member that is not given is seen, and a wrong value, statement or configuration', async () => {
  const given = { id: 'po_1', list: [{ object: 'fee' }] };
  expect(strangers(parseShown('{"id":1,"amout":2,"list":[{"object":"fees"}],…}'), given)).toEqual([
    '.id is "po_1"',
    '.amout is not there',
    '.list[].object is "fee"',
  ]);
  await expect(KINDS[5]?.[1]('synchronous_comit = on')).rejects.toThrow('synchronous_comit');
  await expect(KINDS[2]?.[1]('GET /v1/payouts?state=pending')).rejects.toThrow('parameter_unknown');
  await reader.afresh();
  // A first start has no payout that it would find.
  await expect(KINDS[2]?.[1]('GET /v1/payouts?reference=Invoice%204711')).rejects.toThrow('greater than');
  if (process.env['BURSAR_REQUIRE_PROGRAMS']) {
    // Otherwise they may not be installed, and then they read nothing.
    await expect(KINDS[6]?.[1]('listen')).rejects.toThrow('Error(s) found');
    await expect(KINDS[7]?.[1]('scrape_config: []')).rejects.toThrow('scrape_config');
  }
});
