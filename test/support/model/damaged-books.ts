/**
 * Books with something of everything, and many kinds of damage to plant in them, each in five places. Two places of
 * each: `test/long/small/verify-damage.test.ts`; all five: `test/long/verify-damage.test.ts`.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { idOf, type Prefix, uuidOf } from '../../../src/core/values/ids.ts';
import type { DamageKind, Run } from '../../../src/verify/check.ts';
import { type Damage, type Verdict, verdicts } from '../../../src/verify/verify.ts';
import { camt, type Written } from '../bank/camt.ts';
import { type Application, startApplication } from '../harness/application.ts';
import { eventually } from '../harness/eventually.ts';
import type { Client } from '../harness/http.ts';
import { must, RECIPIENT } from '../harness/tenant-fixture.ts';

export const PLACES = 5;
const IBAN = 'DE89370400440532013000';

export interface Books {
  readonly application: Application;
  /** Of the sandbox that has something of everything. */
  readonly environment: string;
  /** `work` in a transaction that is never committed. One at a time. */
  attempt<T>(work: (run: Run) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export async function startBooks(): Promise<Books> {
  const application = await startApplication();
  const { client, environmentId } = application.sandbox;
  const id = async (path: string, body: object) => must(await client.post(path, body)).json['id'] as string;
  await id('/v1/webhook_endpoints', { url: 'https://hooks.example.com/bursar', enabled_events: ['payout.created'] });
  const account = await id('/v1/accounts', { currency: 'EUR' });
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '1000' }));
  const recipient = await id('/v1/recipients', RECIPIENT);
  const payout = { amount: '1', currency: 'EUR', recipient };
  for (let i = 0; i < PLACES; i++) {
    const other = await id('/v1/accounts', { currency: 'EUR' });
    must(await client.post('/v1/transfers', { from: account, to: other, amount: '2' }));
    const paid = must(await client.post('/v1/payouts', payout, { idempotencyKey: `paid ${i}` })).json['id'] as string;
    must(await client.post(`/v1/test_helpers/payouts/${paid}/pay`));
    must(await client.post(`/v1/payouts/${await id('/v1/payouts', payout)}/cancel`));
    must(await client.post('/v1/payouts/batch', { payouts: [payout, payout] }));
    must(await client.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: '1' }));
    must(await client.post('/v1/settings', { name: `Name ${i}` }));
    await id('/v1/payouts', { ...payout, amount: '5', account: other, on_insufficient_funds: 'wait' });
  }
  await someBanking(client, account);
  await eventually('all transfers are in daily sums', async () => {
    const [row] =
      await application.sql(`SELECT (SELECT sum(count) FROM daily_sums WHERE day = '-infinity')::int AS summed,
      (SELECT count(*)::int FROM transfers) AS moved`);
    return row?.['summed'] === row?.['moved'];
  });
  // One session for all attempts: a new one would read every table's description again, for half of the time of an
  // attempt.
  const session = new pg.Client(application.databaseUrl);
  session.on('error', () => {});
  await session.connect();
  return {
    application,
    environment: uuidOf(environmentId),
    attempt: async (work) => {
      await session.query('BEGIN');
      try {
        return await work(async (text, values = []) => (await session.query<object>(text, [...values])).rows);
      } finally {
        await session.query('ROLLBACK');
      }
    },
    end: async () => {
      await session.end();
      await application.stop();
    },
  };
}

/** Expected payments that are paid, one in part; rules; and money that goes back to who sent it. */
async function someBanking(client: Client, account: string): Promise<void> {
  const made = async (path: string, body: object) => must(await client.post(path, body)).json;
  const holder = { currency: 'EUR', country: 'DE', holder: 'Rossum', cut_off: '14:30', time_zone: 'UTC' };
  await made('/v1/bank_accounts', { ...holder, bank_details: { iban: IBAN } });
  const paying: Written[] = [];
  const strange: Written[] = [];
  for (let i = 0; i < PLACES; i++) {
    await made('/v1/bank_rules', { name: `Rule ${i}`, text: `*never ${i}*`, to: i === 0 ? 'fees' : account });
    const { reference } = await made('/v1/expected_payments', { amount: 10, currency: 'EUR', account, payer: 'Eva' });
    const text = reference as string;
    paying.push({ amount: i === 0 ? '4.00' : '10.00', reference: `P${i}`, details: [{ text }] });
    const sender = { text: `Sorry ${i}`, name: 'Eva', iban: 'NL91ABNA0417164300' };
    strange.push({ amount: `${i + 1}.00`, reference: `S${i}`, details: [sender] });
  }
  const statement = {
    iban: IBAN,
    day: '2026-11-20',
    opening: '0.00',
    closing: '59.00',
    entries: [...paying, ...strange],
  };
  must(await client.send('POST', '/v1/statement_files', camt([statement]), { 'content-type': 'application/xml' }));
  const notice = { iban: IBAN, day: statement.day, id: 'N', entries: strange };
  const notified = camt([notice], 'camt.054');
  must(await client.send('POST', '/v1/statement_files', notified, { 'content-type': 'application/xml' }));
  const waiting = must(await client.get('/v1/bank_entries?status=unmatched&limit=100')).json['data'] as {
    id: string;
  }[];
  assert.equal(waiting.length, PLACES);
  for (const { id } of waiting) await made(`/v1/bank_entries/${id}/return`, {});
}

export async function damagesOf(all: AsyncIterable<Verdict>): Promise<Damage[]> {
  const damages: Damage[] = [];
  for await (const verdict of all) damages.push(...verdict.damages);
  return damages;
}

/**
 * A damage and what must be said of it. `pick` selects one row in each place: its object, and what else the
 * statement needs as $2, $3.
 */
export interface Case {
  readonly kind: DamageKind;
  readonly pick: string;
  readonly damage: string;
  /** Of what `pick` selected as `id`; else `name` must be in the words. */
  readonly prefix: Prefix | null;
}

const ORDERED = (from: string) => `FROM ${from} ORDER BY 1 OFFSET $2 LIMIT 1`;
export const CASES: Readonly<Record<string, Case>> = {
  'a balance off by a cent': {
    kind: 'balance',
    pick: `SELECT id ${ORDERED('accounts WHERE environment_id = $1')}`,
    damage: 'UPDATE accounts SET balance = balance + 1 WHERE environment_id = $1 AND id = $2',
    prefix: 'acct',
  },
  'a payout more that waits': {
    kind: 'balance',
    pick: `SELECT id ${ORDERED('accounts WHERE environment_id = $1 AND waiting IS NOT NULL')}`,
    damage: `UPDATE accounts SET waiting = jsonb_set(waiting, '{count}', '2') WHERE environment_id = $1 AND id = $2`,
    prefix: 'acct',
  },
  'another sum that waits': {
    kind: 'balance',
    pick: `SELECT id ${ORDERED('accounts WHERE environment_id = $1')}`,
    damage: `UPDATE accounts SET waiting = '{"count": 1, "amount": "501"}' WHERE environment_id = $1 AND id = $2`,
    prefix: 'acct',
  },
  'a position that house:fx does not hold': {
    kind: 'balance',
    pick: `SELECT n::text AS id, 'USD' AS name FROM generate_series(1, 5) AS n WHERE $1::uuid IS NOT NULL ORDER BY 1 OFFSET $2 LIMIT 1`,
    damage: `UPDATE environments SET fx = jsonb_set(fx, '{positions,USD,0}', to_jsonb(((fx #>> '{positions,USD,0}')::int8 + $2::int8)::text)) WHERE environment_id = $1`,
    prefix: null,
  },
  'a transfer of another amount': {
    kind: 'transfer',
    pick: `SELECT id ${ORDERED("transfers WHERE environment_id = $1 AND cause = 'transfer'")}`,
    damage: 'UPDATE transfers SET amount = amount + 1 WHERE environment_id = $1 AND id = $2',
    prefix: 'trf',
  },
  'a daily sum off by a cent': {
    kind: 'daily_sum',
    // Today and all days, in two currencies.
    pick: `SELECT day || ' ' || currency AS id FROM daily_sums WHERE environment_id = $1 ORDER BY 1 OFFSET $2::int % 4 LIMIT 1`,
    damage: `UPDATE daily_sums SET in_amount = in_amount + 1 WHERE environment_id = $1 AND day || ' ' || currency = $2`,
    prefix: null,
  },
  'the debit of a payout gone': {
    kind: 'payout',
    pick: `SELECT id ${ORDERED('payouts WHERE environment_id = $1 AND transfer_id IS NOT NULL')}`,
    damage:
      'DELETE FROM transfers t USING payouts p WHERE t.environment_id = $1 AND p.environment_id = $1 AND p.id = $2 AND t.id = p.transfer_id',
    prefix: 'po',
  },
  'a payout that claims to be paid': {
    kind: 'payout',
    pick: `SELECT id ${ORDERED("payouts WHERE environment_id = $1 AND status = 'pending'")}`,
    damage: "UPDATE payouts SET status = 'paid', ended_at = now(), due_at = NULL WHERE environment_id = $1 AND id = $2",
    prefix: 'po',
  },
  'an exchange without its sold side': {
    kind: 'exchange',
    pick: `SELECT id ${ORDERED('exchanges WHERE environment_id = $1')}`,
    damage: 'UPDATE exchanges SET sell_amount = sell_amount + 1 WHERE environment_id = $1 AND id = $2',
    prefix: 'exc',
  },
  'a batch that miscounts': {
    kind: 'batch',
    pick: `SELECT id ${ORDERED('payout_batches WHERE environment_id = $1')}`,
    damage: 'UPDATE payout_batches SET payouts_count = 3 WHERE environment_id = $1 AND id = $2',
    prefix: 'pob',
  },
  'an event gone': {
    kind: 'event',
    pick: `SELECT sequence::text AS id ${ORDERED('events WHERE environment_id = $1 AND sequence < 20')}`,
    damage: 'DELETE FROM events WHERE environment_id = $1 AND sequence = $2',
    prefix: null,
  },
  'an idempotency record that leads to another event': {
    kind: 'idempotency',
    pick: `SELECT key AS id, left(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 16) AS name ${ORDERED("idempotency_records WHERE environment_id = $1 AND key LIKE 'paid %'")}`,
    damage: 'UPDATE idempotency_records SET event_sequence = event_sequence - 1 WHERE environment_id = $1 AND key = $2',
    prefix: null,
  },
  'a delivery gone': {
    kind: 'delivery',
    pick: `SELECT sequence::text AS id, 'event ' || sequence AS name ${ORDERED('deliveries WHERE environment_id = $1')}`,
    damage: 'DELETE FROM deliveries WHERE environment_id = $1 AND sequence = $2',
    prefix: null,
  },
  'an expected payment that received a cent more': {
    kind: 'payment',
    pick: `SELECT id ${ORDERED('expected_payments WHERE environment_id = $1')}`,
    damage: 'UPDATE expected_payments SET received = received + 1 WHERE environment_id = $1 AND id = $2',
    prefix: 'xp',
  },
  'an expected payment that is not there any more': {
    kind: 'payment',
    pick: `SELECT id, 'expected payment xp_' AS name ${ORDERED('expected_payments WHERE environment_id = $1')}`,
    damage: 'DELETE FROM expected_payments WHERE environment_id = $1 AND id = $2',
    prefix: null,
  },
  'an expected payment of another status': {
    kind: 'payment',
    pick: `SELECT id ${ORDERED('expected_payments WHERE environment_id = $1')}`,
    damage: `UPDATE expected_payments SET status = CASE status WHEN 'paid' THEN 'partially_paid' ELSE 'open' END WHERE environment_id = $1 AND id = $2`,
    prefix: 'xp',
  },
  'an expected payment whose assignment is lost': {
    kind: 'payment',
    pick: `SELECT id ${ORDERED('expected_payments WHERE environment_id = $1')}`,
    damage: `UPDATE bank_entries SET assignments = '[]' WHERE environment_id = $1 AND assignments::text LIKE '%xp\\_%' AND $2::uuid IS NOT NULL`,
    prefix: 'xp',
  },
  'a rule that leads to an account of nobody': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_rules WHERE environment_id = $1')}`,
    damage: `UPDATE bank_rules SET target_account_id = gen_random_uuid() WHERE environment_id = $1 AND id = $2`,
    prefix: 'br',
  },
  'a rule that leads elsewhere': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_rules WHERE environment_id = $1')}`,
    damage: `UPDATE bank_rules SET target = 'acct_00000000000000000000000000' WHERE environment_id = $1 AND id = $2`,
    prefix: 'br',
  },
  'a rule of a bank account that is not there': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_rules WHERE environment_id = $1')}`,
    damage: `UPDATE bank_rules SET bank_account_id = gen_random_uuid() WHERE environment_id = $1 AND id = $2`,
    prefix: 'br',
  },
  'details of an entry that is not there': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_entry_details WHERE environment_id = $1')}`,
    damage: 'UPDATE bank_entry_details SET entry_id = gen_random_uuid() WHERE environment_id = $1 AND id = $2',
    prefix: 'bed',
  },
  'details of an entry of another amount': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_entry_details WHERE environment_id = $1')}`,
    damage: 'UPDATE bank_entry_details SET amount = amount + 1 WHERE environment_id = $1 AND id = $2',
    prefix: 'bed',
  },
  'details in clear text': {
    kind: 'sealed_text',
    pick: `SELECT id ${ORDERED('bank_entry_details WHERE environment_id = $1')}`,
    damage: `UPDATE bank_entry_details SET content = '[]' WHERE environment_id = $1 AND id = $2`,
    prefix: 'bed',
  },
  'money that goes back by the payout of another entry': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_entries WHERE environment_id = $1 AND return_payout_id IS NOT NULL')}`,
    damage: `UPDATE bank_entries SET return_payout_id = (SELECT return_payout_id FROM bank_entries WHERE return_payout_id IS NOT NULL AND id <> $2 ORDER BY id LIMIT 1) WHERE environment_id = $1 AND id = $2`,
    prefix: 'be',
  },
  'money that goes back without having been assigned': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_entries WHERE environment_id = $1 AND return_payout_id IS NOT NULL')}`,
    damage: `UPDATE bank_entries SET assignments = jsonb_set(assignments, '{0,to}', '"fees"') WHERE environment_id = $1 AND id = $2`,
    prefix: 'be',
  },
  'money that goes back by no payout': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_entries WHERE environment_id = $1 AND return_payout_id IS NOT NULL')}`,
    damage: 'UPDATE bank_entries SET return_payout_id = gen_random_uuid() WHERE environment_id = $1 AND id = $2',
    prefix: 'be',
  },
  'an early return by an entry that is not there': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED("payouts WHERE environment_id = $1 AND status = 'pending'")}`,
    damage: `INSERT INTO bank_instructions (environment_id, id, file_id, position, status, returned, unbooked, early, created_at)
      VALUES ($1, $2, NULL, 0, 'unfiled', 0, false, jsonb_build_array(jsonb_build_object('entry', gen_random_uuid(), 'amount', '1', 'reason', NULL)), now())`,
    prefix: 'po',
  },
  'a second debit by money that came in': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED("payouts WHERE environment_id = $1 AND status = 'pending'")}`,
    damage: `INSERT INTO bank_instructions (environment_id, id, file_id, position, status, returned, unbooked, second_debits, created_at)
      SELECT $1, $2, NULL, 0, 'unfiled', 0, false, jsonb_build_array(jsonb_build_object('entry', e.id, 'amount', '1', 'reason', NULL)), now()
      FROM bank_entries e WHERE e.environment_id = $1 AND e.direction = 'credit' ORDER BY e.id LIMIT 1`,
    prefix: 'po',
  },
  'an entry that closes one which does not say so': {
    kind: 'bank',
    pick: `SELECT id ${ORDERED('bank_entries WHERE environment_id = $1 AND return_payout_id IS NOT NULL')}`,
    damage: `UPDATE bank_entries SET assignments = jsonb_set(assignments, '{0,to}', '"be_01jd3v9q4ne8v8k3w2m6r5t7xa"') WHERE environment_id = $1 AND id = $2`,
    prefix: 'be',
  },
  'an entry of the audit log that was rewritten': {
    kind: 'audit_log',
    pick: `SELECT sequence::text AS id, 'entry ' || sequence AS name ${ORDERED('audit_log WHERE environment_id = $1')}`,
    damage: `UPDATE audit_log SET details = '{"changed":["logo"]}' WHERE environment_id = $1 AND sequence = $2`,
    prefix: null,
  },
};

/**
 * Plants the damage in that place. Fails unless it is found and located, and nothing is said of another environment.
 */
export async function assertFound({ attempt, environment }: Books, one: Case, place: number): Promise<void> {
  const { kind, pick, damage, prefix } = one;
  await attempt(async (run) => {
    const [row] = (await run(pick, [environment, place])) as { id: string; name?: string }[];
    assert.ok(row !== undefined);
    await run(damage, [environment, row.id]);
    const found = (await damagesOf(verdicts(run))).filter((each) => each.kind === kind);
    const where = prefix === null ? (row.name ?? row.id) : idOf(prefix, row.id);
    const objects = found.map(({ object }) => object).join('\n');
    assert.ok(objects.includes(where), `${where} is not among: ${objects}`);
    assert.deepEqual([...new Set(found.map((each) => each.environment))], [idOf('env', environment)]);
  });
}
