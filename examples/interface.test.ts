/**
 * The three requests that the service interface shows, sent as shown to a server that was really started, and the events
 * they left. The answers are recorded in `interface.md` with ids and instants masked: a change of behaviour is a change
 * of that page. To record anew: npx vitest run examples -u
 */
import { indented } from '../src/core/values/json-text.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '../test/support/harness/database.ts';
import { type ServerProcess, startServer } from '../test/support/harness/server-process.ts';

let database: Database;
let server: ServerProcess;
let key: string;
let recipient: string;
let page = '';

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  key = /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '';
  recipient = /RECIPIENT=(\S+)/.exec(server.output())?.[1] ?? '';
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

it('lists accounts: an object with one member, data', async () => {
  const body = await example('List accounts', '/v1/accounts');
  const { data, ...rest } = JSON.parse(body) as { data: { currency: string; balance: number }[] };
  expect(rest).toEqual({});
  expect(data.map(({ currency }) => currency)).toEqual(['GBP', 'USD', 'EUR']);
  for (const { balance } of data) expect(Number.isInteger(balance)).toBe(true);
});

it('creates a payout from form fields', async () => {
  const body = await example('Create a payout', '/v1/payouts', { amount: '250.00', currency: 'EUR', recipient });
  expect(JSON.parse(body)).toMatchObject({ object: 'payout', amount_minor: 25_000, currency: 'EUR', recipient });
});

it('takes a whole-number amount too', async () => {
  const body = await send('/v1/payouts', { amount: '250', currency: 'EUR', recipient });
  expect(JSON.parse(body)).toMatchObject({ amount_minor: 25_000 });
});

it('books an exchange from form fields', async () => {
  const body = await example('Book an exchange', '/v1/exchanges', {
    sell_currency: 'EUR',
    buy_currency: 'USD',
    amount: '100',
  });
  expect(JSON.parse(body)).toMatchObject({ object: 'exchange', sell_amount_minor: 10_000, status: 'completed' });
});

it('has an event for every change', async () => {
  const body = await example('See what happened', '/v1/events?limit=4');
  const { data } = JSON.parse(body) as { data: { type: string }[] };
  const types = ['exchange.completed', 'exchange.created', 'balance.updated', 'balance.updated'];
  expect(data.map(({ type }) => type)).toEqual(types);
});

it('matches the record', async () => {
  const head =
    '# The three requests of the interface\n\nRecorded by `interface.test.ts`; ids and instants are masked.\n';
  await expect(mask(head + page)).toMatchFileSnapshot('interface.md');
});

async function send(path: string, fields?: Readonly<Record<string, string>>): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const body = fields && new URLSearchParams(fields);
  const answer = await fetch(server.address + path, { headers, ...(body && { method: 'POST', body }) });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Sends, and writes request and answer on the page. */
async function example(title: string, path: string, fields?: Readonly<Record<string, string>>): Promise<string> {
  const text = await send(path, fields);
  const data = Object.entries(fields ?? {}).map(([name, value]) => ` \\\n  -d ${name}=${value}`);
  const curl = `curl "$BURSAR_URL${path}" -H "Authorization: Bearer $BURSAR_KEY"${data.join('')}`;
  page += `\n## ${title}\n\n\`\`\`sh\n${curl}\n\`\`\`\n\n\`\`\`json\n${indented(text)}\`\`\`\n`;
  return text;
}

/** The same id gets the same number wherever it stands. */
function mask(text: string): string {
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const masked = text.replace(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id, prefix: string) => {
    if (!numbers.has(id)) {
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      numbers.set(id, counts.get(prefix) as number);
    }
    return `${prefix}_${numbers.get(id)}`;
  });
  const undated = masked.replace(/("expected_arrival_on": )"[-0-9]+"/g, '$1"2024-11-22"');
  return undated.replace(/("(?:created|at|[a-z_]+_(?:at|time))": )\d+/g, '$11732184000');
}
