/** Lists as CSV over real HTTP: every list of the service says in CSV what it says in JSON, to the same keys, to the last row. */
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import type { Client, Json, JsonValue } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { textCell } from '../../core/values/csv.ts';
import { membersOf } from '../../core/values/json-text.ts';
import { cellOf, csvColumns, csvLine, csvRow } from './csv.ts';
import { openStreams } from './metrics.ts';
import { listedBy } from './route.ts';

const CSV = { accept: 'text/csv' };
let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox, '=1+1,"x"');
});
afterAll(() => application?.stop());

const csvOf = (path: string, as = client) => as.send('GET', path, '', CSV);

/** The cells of CSV, row by row. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

/** Whose list it is, where it is somebody's. */
const ownerOf = (path: string) => {
  const owners = {
    webhook_endpoints: fixtures.we,
    standing_orders: fixtures.so,
    recipients: fixtures.rcp,
    events: fixtures.evt,
  };
  return Object.entries(owners).find(([name]) => path.includes(`/${name}/`))?.[1] ?? fixtures.acct;
};

/** What is in a value and has to be in its cell: the texts and numbers that need no quotation marks and are no instants. */
const leavesOf = (value: JsonValue, name = ''): string[] => {
  if (value === null || /^created$|_at$/.test(name)) return [];
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each as JsonValue, name));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([inner, each]) => leavesOf(each, inner));
  }
  return /[";=,()\r\n]/.test(String(value)) ? [] : [String(value)];
};

/** What a column of names says: the name of what the member beside it is the id of. Empty where it has none. */
async function nameBeside(object: Json, column: string): Promise<JsonValue> {
  const { destination } = object as { readonly destination?: Json | null };
  if (column === 'recipient_name' && destination) return destination['name'] ?? '';
  const id = object[column.replace(/_name$/, '')];
  if (typeof id !== 'string') return '';
  const path = { acct: 'accounts', ba: 'bank_accounts', rcp: 'recipients', key: 'keys' }[id.replace(/_.*/, '')];
  return must(await client.get(`/v1/${path}/${id}`)).json['name'] ?? '';
}

const lists = ROUTES.filter((route) => listedBy(route) !== undefined);

describe('every list', () => {
  it.each(lists.map(({ path }) => [path] as const))('%s', async (path) => {
    const address = path.replace(':id', ownerOf(path));
    const json = must(await client.get(address));
    const full = must(
      await client.get(`${address}?limit=100`).then((r) => (r.status === 200 ? r : client.get(address))),
    );
    const data = full.json['data'] as readonly Json[];
    const reply = must(await csvOf(address));
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
    expect([reply.headers['vary'], json.headers['vary']]).toEqual(['Accept', 'Accept']);
    const [columns, ...rows] = cellsOf(reply.text) as [string[], ...string[][]];
    expect(columns.length).toBeGreaterThan(2);
    expect(rows.length).toBe(data.length);
    for (const [index, row] of rows.entries()) {
      const object = data[index] as Json;
      expect(Object.keys(object).filter((name) => !columns.includes(name))).toEqual([]);
      expect(row.filter((cell) => /^'?[[{]/.test(cell))).toEqual([]); // no JSON
      for (const [place, column] of columns.entries()) {
        // Suggestions are made for a page, and a CSV of the whole list goes without.
        const value = column === 'suggestions' ? '' : (object[column] ?? '');
        const cell = row[place] as string;
        if (column.endsWith('_name') && !(column in object)) {
          expect(cell.replace(/^'/, '')).toBe(await nameBeside(object, column));
        } else if (typeof value === 'object') for (const leaf of leavesOf(value)) expect(cell).toContain(leaf);
        else if (typeof value === 'number' && /^created$|_at$/.test(column)) {
          expect(cell).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
          expect(Date.parse(cell)).toBe(value * 1000);
        } else if (typeof value === 'number') expect(Number(cell)).toBe(value);
        else expect(cell).toBe(cellsOf(csvLine([textCell(String(value))]))[0]?.[0]);
      }
    }
  });
});

describe('which rows', () => {
  it('all without a limit, in pages of any number; one page with one', async () => {
    const count = 2_300;
    await application.sql(
      `INSERT INTO accounts (environment_id, id, currency, balance, status, created_at)
       SELECT a.environment_id, overlay(a.id::text placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid, 'JPY', n, 'open', a.created_at
       FROM (SELECT * FROM accounts WHERE environment_id = (SELECT environment_id FROM api_keys WHERE id = $1) LIMIT 1) a,
         generate_series(1, ${count}) n`,
      [uuidOf(application.sandbox.id)],
    );
    const whole = cellsOf(must(await csvOf('/v1/accounts?currency=JPY')).text).slice(1);
    const ids = whole.map(([id]) => id as string);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const upward = cellsOf(must(await csvOf('/v1/accounts?currency=JPY&order=asc')).text).slice(1);
    expect(upward.map(([id]) => id)).toEqual(ids.toReversed());
    const after = cellsOf(must(await csvOf(`/v1/accounts?currency=JPY&starting_after=${ids[9]}`)).text).slice(1);
    expect(after.map(([id]) => id)).toEqual(ids.slice(10));
    const before = cellsOf(must(await csvOf(`/v1/accounts?currency=JPY&ending_before=${ids[9]}`)).text).slice(1);
    expect(before.map(([id]) => id)).toEqual(ids.slice(0, 9));
    const page = must(await csvOf('/v1/accounts?currency=JPY&limit=7'));
    expect(cellsOf(page.text).length).toBe(8);
    expect(page.headers['link']).toContain('rel="next"');
    // An equal JSON request is not answered with the file, nor the other way round.
    expect(must(await client.get('/v1/accounts?currency=JPY')).json['data']).toHaveLength(100);
  });

  it('amounts keep their digits', async () => {
    expect(must(await csvOf('/v1/transfers')).text).toMatch(/,\d+\.\d0,/);
  });
});

describe('who', () => {
  it('keys of some accounts, of another merchant and without the scope see no more than in JSON', async () => {
    const { client: narrow } = await application.key({
      scopes: ['accounts:read', 'payouts:read', 'transfers:read'],
      accounts: [fixtures.otherAccount],
    });
    for (const path of ['/v1/accounts', '/v1/payouts', '/v1/transfers']) {
      const shown = must(await narrow.get(`${path}?limit=100`)).json['data'] as readonly Json[];
      const ids = cellsOf(must(await csvOf(path, narrow)).text).slice(1);
      expect(ids.map(([id]) => id)).toEqual(shown.map(({ id }) => id));
      expect(cellsOf(must(await csvOf(path)).text).length).toBeGreaterThan(ids.length + 1);
      expect(cellsOf(must(await csvOf(path, application.otherSandbox.client)).text).length).toBe(1);
    }
    expect(outcome(await csvOf('/v1/events', narrow))).toBe('403 scope_missing');
    expect(outcome(await csvOf('/v1/payouts?status=x'))).toBe('400 parameter_invalid status');
    expect(outcome(await csvOf('/v1/deliveries?webhook_endpoint=we_1'))).toBe('400 parameter_invalid webhook_endpoint');
  });

  it('names beside ids are of what the key may read, also on a page, and never change the columns', async () => {
    const all = { scopes: ['payouts:read', 'accounts:read'] };
    const { client: reader } = await application.key(all);
    const { client: narrow } = await application.key({ ...all, accounts: [fixtures.acct] });
    const { client: without } = await application.key({ scopes: ['payouts:read'] });
    const account = must(await client.get(`/v1/accounts/${fixtures.acct}`)).json;
    must(await client.post(`/v1/accounts/${fixtures.acct}`, { name: '=Main, "old"' }));
    for (const query of ['', '?limit=5']) {
      const seen = async (as: Client) => {
        const [columns, ...rows] = cellsOf(must(await csvOf(`/v1/payouts${query}`, as)).text) as [
          string[],
          ...string[][],
        ];
        const [id, name] = [columns.indexOf('account'), columns.indexOf('account_name')];
        expect(name).toBe(id + 1);
        return rows.filter((row) => row[id] === account['id']).map((row) => row[name]);
      };
      expect(new Set(await seen(reader))).toEqual(new Set([`'=Main, "old"`]));
      expect(await seen(narrow)).toEqual(await seen(reader));
      expect(new Set(await seen(without))).toEqual(new Set(['']));
    }
    must(await client.post(`/v1/accounts/${fixtures.acct}`, { name: account['name'] ?? '' }));
  });

  it('cuts the connection when the key is revoked while the file is read', async () => {
    const holder = await application.key();
    // More than the kernel keeps for a connection (up to some 10 MB).
    const count = 15_000;
    await application.sql(
      `INSERT INTO accounts (environment_id, id, currency, balance, name, status, created_at)
       SELECT a.environment_id, overlay(a.id::text placing lpad(to_hex(n + 1000000), 8, '0') from 1 for 8)::uuid, 'CHF', n, repeat('x', 1000), 'open', a.created_at
       FROM (SELECT * FROM accounts WHERE environment_id = (SELECT environment_id FROM api_keys WHERE id = $1) ORDER BY id LIMIT 1) a,
         generate_series(1, ${count}) n`,
      [uuidOf(application.sandbox.id)],
    );
    const url = `${application.address}/v1/accounts?currency=CHF`;
    const open = async () => (await openStreams.get()).values.reduce((sum, { value }) => sum + value, 0);
    const ended = await new Promise<string>((resolve) => {
      get(url, { headers: { ...CSV, authorization: `Bearer ${holder.key}` } }, (reply) => {
        reply.on('error', () => resolve('cut')).on('end', () => resolve('whole'));
        reply.once('data', () => {
          reply.pause();
          void application
            .revoke(holder)
            .then(() => eventually('the server gives up the file', async () => (await open()) === 0))
            .finally(() => reply.resume());
        });
      });
    });
    expect(ended).toBe('cut');
    expect(cellsOf(must(await csvOf('/v1/accounts?currency=CHF')).text).length).toBe(count + 1); // control: another key
  });
});

describe('cells', () => {
  it('are safe and exact', () => {
    const cells = ['-1', '25.50', 'null', 'true', '"a,b"', '"-1"'].map((each) => cellOf(each));
    expect(cells).toEqual(['-1', '25.50', '', 'true', '"a,b"', "'-1"]);
    const json = '{"a":"}\\",{","b":[{"c":"]"},1],"d":-0.10,"e":{}}';
    expect(Object.fromEntries(membersOf(json))).toEqual({ a: '"}\\",{"', b: '[{"c":"]"},1]', d: '-0.10', e: '{}' });
    expect(csvRow(json, ['d', 'none', 'e'])).toBe('-0.10,,\r\n');
  });

  it('hold no JSON: an object is name=value, a list is one; other, and an instant is ISO 8601', () => {
    const words = (json: string, column = 'metadata') => cellsOf(csvLine([cellOf(json, column)]))[0]?.[0];
    expect(words('{"a":"b","order":"7","none":null}')).toBe('a=b; order=7');
    expect(words('{"a;b":"=1+1","c":"x, y"}')).toBe('"a;b"="=1+1"; c="x, y"');
    expect(words('{"=1":"x","b":"c","@d":"e"}')).toBe(`'"=1"=x; b=c;' @d=e`);
    expect(words('{"name":"Ada","address":{"city":"Ulm","country":"DE"},"amount":25.50}')).toBe(
      'name=Ada; address.city=Ulm; address.country=DE; amount=25.50',
    );
    expect(words('["a","b"]')).toBe('a; b');
    expect(words('[{"rule":"fee_1","amount":0.50},{"rule":"fee_2","amount":1.00}]')).toBe(
      '(rule=fee_1, amount=0.50); (rule=fee_2, amount=1.00)',
    );
    expect(words('{"approvals":[{"by":"key_1","created":1795860000}]}')).toBe(
      'approvals=((by=key_1, created=2026-11-28T10:00:00Z))',
    );
    expect([words('{}'), words('[]')]).toEqual(['', '']);
    expect(words('1795860000', 'created')).toBe('2026-11-28T10:00:00Z');
    expect(words('1795860000', 'paid_at')).toBe('2026-11-28T10:00:00Z');
    expect(words('1795860000', 'amount_minor')).toBe('1795860000');
  });

  it('name the payee beside the recipient, where the row has the name', () => {
    const columns = csvColumns(['id', 'recipient', 'destination']);
    expect(columns).toEqual(['id', 'recipient', 'recipient_name', 'destination']);
    const row = (destination: string) =>
      csvRow(`{"id":"po_1","recipient":"rcp_1","destination":${destination}}`, columns);
    expect(row('{"name":"Ada","iban":"****3000"}')).toBe('po_1,rcp_1,Ada,"name=Ada; iban=****3000"\r\n');
    expect(row('{"name":"@Ada"}')).toBe("po_1,rcp_1,'@Ada,name=@Ada\r\n");
    expect(row('null')).toBe('po_1,rcp_1,,\r\n');
    expect(csvColumns(['id', 'recipient'])).toEqual(['id', 'recipient']);
  });
});

describe('format and bom', () => {
  const asked = (query: string, accept?: string) =>
    client.send('GET', `/v1/accounts${query}`, '', accept === undefined ? {} : { accept });
  const typeOf = async (query: string, accept?: string) => must(await asked(query, accept)).headers['content-type'];

  it('format wins over Accept, however its name is written', async () => {
    expect(await typeOf('?format=csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('?%66ormat=csv', 'application/json')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('?format=json', 'text/csv')).toBe('application/json; charset=utf-8');
    expect(await typeOf('', 'application/json, text/csv')).toBe('application/json; charset=utf-8');
    expect(await typeOf('', 'text/csv;q=0.9, application/json;q=0.1')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('', 'image/png')).toBe('application/json; charset=utf-8');
    expect(must(await asked('', 'text/csv')).text).toBe(must(await asked('?format=csv')).text);
    expect(outcome(await asked('?format=xml'))).toBe('400 parameter_invalid format');
    expect(outcome(await asked('?format=csv&format=csv'))).toBe('400 parameter_repeated format');
  });

  it('bom=true begins a CSV with the mark, of a page and of a whole list, and is refused without CSV', async () => {
    for (const query of ['?format=csv', '?format=csv&limit=1']) {
      const [marked, plain] = [must(await asked(`${query}&bom=true`)), must(await asked(query))];
      expect(marked.text).toBe(`\ufeff${plain.text}`);
    }
    expect(must(await asked('?bom=true', 'text/csv')).text.startsWith('\ufeffid,')).toBe(true);
    expect(must(await asked('?bom=false')).json['data']).toBeDefined();
    expect(outcome(await asked('?bom=true'))).toBe('400 parameter_conflict bom');
    expect(outcome(await asked('?format=json&bom=true', 'text/csv'))).toBe('400 parameter_conflict bom');
  });
});
