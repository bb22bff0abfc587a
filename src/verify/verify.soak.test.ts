/** What `bursar verify` notices of everything that the books know, and that it finds nothing in books that are in order. Located, in every place: test/long/small/verify-damage.test.ts. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositReference } from '../core/rails/creditor-reference.ts';
import { camt } from '../../test/support/bank/camt.ts';
import { audit, auditDatabase, rowsOf } from '../../test/support/model/audit.ts';
import { houseBank } from '../../test/support/harness/fixtures.ts';
import { type Tenant, createTenant, must, RECIPIENT } from '../../test/support/harness/tenant-fixture.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import { createDatabase, type Database } from '../../test/support/harness/database.ts';
import { type Receiver, startReceiver } from '../../test/support/webhooks/raw-receivers.ts';
import { type ServerProcess, startServer } from '../../test/support/harness/server-process.ts';

let database: Database;
let server: ServerProcess;
let receiver: Receiver;
/** One session for all: a new one would read every table's description again. */
let owner: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  receiver = await startReceiver((_, response) => response.writeHead(204).end());
  const tenant = await createTenant(database.url, server.address);
  const reported = await someListeners(tenant);
  await someBusiness(tenant);
  await reported();
  await server.stop();
  await receiver.close();
  owner = new pg.Client(database.url);
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

/** Endpoints of every sort. Resolves later, when everything that can be sent has been. */
async function someListeners({ client }: Tenant): Promise<() => Promise<void>> {
  const url = `http://127.0.0.1:${receiver.port}/`;
  const add = async (fields: object): Promise<string> =>
    must(await client.post('/v1/webhook_endpoints', { url, ...fields })).json['id'] as string;
  const [all, late, disabled, deleted] = [await add({}), await add({}), await add({}), await add({})];
  await add({ enabled_events: ['payout.*', 'account.created'], ordered: true });
  await add({ enabled_events: ['account.closed'] });
  must(await client.post(`/v1/webhook_endpoints/${all}/test`));
  must(await client.post(`/v1/webhook_endpoints/${disabled}/disable`));
  must(await client.write('DELETE', `/v1/webhook_endpoints/${deleted}`, ''));
  must(await client.post(`/v1/webhook_endpoints/${late}`, { enabled_events: ['exchange.*'] }));
  return async () => {
    must(await client.post(`/v1/webhook_endpoints/${late}/replay`, { after_sequence: 20, only: 'all' }));
    const open = `SELECT FROM deliveries d JOIN webhook_endpoints w USING (environment_id)
      WHERE w.id = d.endpoint_id AND w.deleted_at IS NULL AND d.status = 'pending' UNION ALL SELECT FROM webhook_replays WHERE finished_at IS NULL`;
    await eventually('everything is sent', async () => (await rowsOf(database.url, open)).length === 0);
    client.close();
  };
}

/** Something of everything that the books know. */
async function someBusiness({ client, account, recipient }: Tenant): Promise<void> {
  must(await client.post('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: '0.10', basis_points: 20 }));
  must(await client.post('/v1/fee_rules', { on: 'exchange', basis_points: 50 }));
  const [eur, other, to] = [await account('EUR', '1000'), await account('EUR'), await recipient()];
  const payout = { amount: '10', currency: 'EUR', recipient: to };
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) {
    ids.push(must(await client.post('/v1/payouts', payout, { idempotencyKey: `k${i}` })).json['id'] as string);
  }
  must(await client.post(`/v1/payouts/${ids[0]}/cancel`));
  must(await client.post(`/v1/test_helpers/payouts/${ids[1]}/pay`));
  must(await client.post(`/v1/test_helpers/payouts/${ids[2]}/fail`));
  must(await client.post('/v1/payouts/batch', { payouts: [payout, payout] }));
  const pair = { sell_currency: 'EUR', buy_currency: 'USD', amount: '20' };
  const quote = must(await client.post('/v1/exchanges/quote', pair)).json['id'] as string;
  must(await client.post('/v1/exchanges', { quote }));
  must(await client.post('/v1/transfers', { from: eur, to: other, amount: '5' }));
  const bank = { ...houseBank(), currency: 'EUR', country: 'DE', bank_details: { iban: RECIPIENT.iban } };
  must(await client.post('/v1/bank_accounts', bank));
  const entries = [{ amount: '9.00', details: [{ text: depositReference(eur) }] }, { amount: '-2.00' }];
  const file = camt([{ iban: RECIPIENT.iban, day: '2026-11-20', opening: '5.00', closing: '12.00', entries }]);
  must(await client.send('POST', '/v1/statement_files', file, { 'content-type': 'application/xml' }));
}

test('finds nothing in books that are in order', async () => {
  expect(await auditDatabase(database.url)).toEqual([]);
});

const a = 'ctid = (SELECT min(ctid) FROM';
test.each([
  [
    'a balance off by one',
    `UPDATE accounts SET balance = balance + 1 WHERE currency = 'EUR' AND ${a} accounts WHERE balance > 0)`,
  ],
  ['a transfer gone', `DELETE FROM transfers WHERE ${a} transfers WHERE cause = 'payout')`],
  [
    'a transfer of another amount',
    `UPDATE transfers SET amount = amount + 1 WHERE ${a} transfers WHERE cause = 'transfer')`,
  ],
  [
    'a transfer twice',
    `INSERT INTO transfers SELECT environment_id, gen_random_uuid(), debit_account, credit_account, amount, currency, cause, cause_id,
      debit_balance_after, credit_balance_after, created_at FROM transfers WHERE ${a} transfers WHERE cause = 'payout')`,
  ],
  [
    'a wrong balance after',
    `UPDATE transfers SET debit_balance_after = 0 WHERE ${a} transfers WHERE cause = 'payout')`,
  ],
  ['a payout gone', `DELETE FROM payouts WHERE ${a} payouts WHERE status = 'pending')`],
  ['a payout of another amount', `UPDATE payouts SET amount = amount + 1 WHERE ${a} payouts WHERE status = 'paid')`],
  [
    'a payout that claims to be paid',
    `UPDATE payouts SET status = 'paid', ended_at = now() WHERE ${a} payouts WHERE status = 'pending')`,
  ],
  ['a fee of nothing', `DELETE FROM transfers WHERE ${a} transfers WHERE cause = 'payout_fee')`],
  ['a fee nobody has', `UPDATE payouts SET fees = NULL WHERE ${a} payouts WHERE status = 'paid')`],
  ['a fee of another amount', `UPDATE exchanges SET fees = jsonb_set(fees, '{0,amount}', '"11"')`],
  ['a fee that was kept', `UPDATE payouts SET fees = jsonb_set(fees, '{0,reversal}', 'null') WHERE status = 'failed'`],
  ['a fee that was not promised', 'UPDATE quotes SET fees = NULL'],
  ['a batch that miscounts', 'UPDATE payout_batches SET open_count = 1'],
  ['a bank account with another balance', 'UPDATE bank_accounts SET balance = balance + 1'],
  ['a bank entry of another amount', `UPDATE bank_entries SET amount = amount + 1 WHERE kind = 'opening'`],
  ['a bank entry gone', `DELETE FROM bank_entries WHERE direction = 'debit'`],
  ['a bank entry that claims a place', `UPDATE bank_entries SET status = 'matched' WHERE kind = 'opening'`],
  ['a bank entry that lost its place', `UPDATE bank_entries SET assignments = '[]' WHERE status = 'matched'`],
  ['a booking gone', `DELETE FROM transfers WHERE ${a} transfers WHERE cause = 'bank_entry')`],
  ['a statement that miscounts', 'UPDATE bank_statements SET new_count = 1'],
  ['an exchange gone', 'DELETE FROM exchanges'],
  ['an event gone', `DELETE FROM events WHERE sequence = 7`],
  ['the newest event gone', `DELETE FROM events WHERE sequence = (SELECT max(sequence) FROM events)`],
  ['a sequence that ran ahead', 'UPDATE environments SET last_sequence = last_sequence + 1 WHERE last_sequence > 0'],
  [
    'an event of another balance',
    String.raw`UPDATE events SET object = regexp_replace(object, E'^([^\x1f]*\x1f[^\x1f]*\x1f)', E'\\11') WHERE ${a} events WHERE type = 'balance.updated')`,
  ],
  ['a payout announced twice', `UPDATE events SET type = 'payout.created' WHERE type = 'payout.canceled'`],
  [
    'a delivery gone',
    `DELETE FROM deliveries d USING webhook_endpoints w WHERE w.id = d.endpoint_id AND w.ordered
      AND d.sequence = (SELECT max(sequence) FROM deliveries WHERE endpoint_id = w.id)`,
  ],
  [
    'a held delivery gone',
    `DELETE FROM deliveries WHERE ctid = (SELECT min(ctid) FROM deliveries WHERE status = 'held')`,
  ],
  [
    'a delivery nobody asked for',
    `INSERT INTO deliveries (environment_id, endpoint_id, sequence, in_order, created_at, due_at, claims, status)
      SELECT e.environment_id, w.id, e.sequence, false, e.created_at, e.created_at, 0, 'held' FROM events e
      JOIN webhook_endpoints w ON w.environment_id = e.environment_id AND w.enabled_events = '["account.closed"]'
      WHERE e.type = 'exchange.completed'`,
  ],
  [
    "another endpoint's ping",
    `INSERT INTO deliveries (environment_id, endpoint_id, sequence, in_order, created_at, due_at, claims, status)
      SELECT e.environment_id, w.id, e.sequence, false, e.created_at, e.created_at, 0, 'held' FROM events e
      JOIN webhook_endpoints w ON w.environment_id = e.environment_id AND w.status = 'disabled' WHERE e.type = 'ping'`,
  ],
  [
    'a delivery of no event',
    `UPDATE deliveries SET sequence = 99999 WHERE ${a} deliveries WHERE status = 'succeeded')`,
  ],
  ['an endpoint gone', `DELETE FROM webhook_endpoints WHERE status = 'disabled'`],
  ['a replay gone', `DELETE FROM webhook_replays`],
  ['an attempt forgotten', `UPDATE deliveries SET attempts = NULL WHERE ${a} deliveries WHERE status = 'succeeded')`],
  [
    'a delivery given up untried',
    `UPDATE deliveries SET status = 'failed' WHERE ${a} deliveries WHERE status = 'held')`,
  ],
  ['a record that leads nowhere', "UPDATE idempotency_records SET event_sequence = 99999 WHERE key = 'k1'"],
  [
    'a record that leads to another event of its request',
    "UPDATE idempotency_records SET event_sequence = event_sequence - 1 WHERE fingerprint LIKE 'POST /v1/payouts%' AND event_sequence IS NOT NULL",
  ],
])('control: notices %s', async (_, damage) => {
  await owner.query('BEGIN'); // never committed
  try {
    expect((await owner.query(damage)).rowCount).toBeGreaterThan(0);
    expect(await audit(owner)).not.toEqual([]);
  } finally {
    await owner.query('ROLLBACK');
  }
});

test('rowsOf returns what was asked for', async () => {
  expect(await rowsOf(database.url, 'SELECT $1::int AS one', [1])).toEqual([{ one: 1 }]);
});
