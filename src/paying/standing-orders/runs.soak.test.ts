/** The worker of standing orders, by the clock of a sandbox: what is due is paid once, or it is said why not. Kills: `test/long/small/standing-orders.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { houseBank } from '../../../test/support/harness/fixtures.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { startSecondServer } from '../../../test/support/harness/second-server.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import { plannedDay } from './calendar.ts';

quickRounds();
let application: Application;
let sandboxes = 0;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const WITHIN = { timeout: 20_000, interval: 50 };
const today = isoDay(Date.now());
const inDays = (days: number) => isoDay(Date.now() + days * DAY_MS);

/** A sandbox of its own, since its clock is moved; with that much money in an account. */
async function sandbox(amount = 100_000, check: typeof expect = expect) {
  const merchant = `standing orders ${sandboxes++}`;
  const { client, environmentId } = await application.key({ merchant });
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  const fund = async (much: number) =>
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: much }));
  if (amount > 0) await fund(amount);
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  const list = async (path: string) => must(await client.get(path)).json['data'] as readonly Json[];
  const wanted = (fields: object) => ({
    amount: 10,
    currency: 'EUR',
    recipient,
    interval: 'day',
    starts_on: today,
    ...fields,
  });
  const retrieve = async (id: string) => must(await client.get(`/v1/standing_orders/${id}`)).json;
  return {
    client,
    merchant,
    account,
    recipient,
    environmentId,
    fund,
    wanted,
    retrieve,
    order: async (fields: object = {}) => idIn(await client.post('/v1/standing_orders', wanted(fields))),
    act: async (id: string, verb: string) => must(await client.post(`/v1/standing_orders/${id}/${verb}`, {})).json,
    advance: async (days: number) =>
      must(await client.post('/v1/test_helpers/clock/advance', { seconds: (days * DAY_MS) / 1000 })),
    runs: (id: string) => list(`/v1/standing_order_runs?standing_order=${id}&limit=100&order=asc`),
    payouts: () => list('/v1/payouts?limit=100&order=asc'),
    until: (id: string, members: object) =>
      check
        .poll(() => retrieve(id), WITHIN)
        .toMatchObject(members)
        .then(() => retrieve(id)),
    types: async () => {
      const text = 'SELECT type FROM events WHERE environment_id = $1 ORDER BY sequence';
      return (await application.sql(text, [uuidOf(environmentId)])).map(({ type }) => type as string);
    },
  };
}

/** Resolves when the worker has done a round that began after now: the order of another sandbox was due then, and has run. */
async function oneRound(check: typeof expect): Promise<void> {
  const { order, until } = await sandbox(100_000, check);
  await until(await order({ count: 1 }), { runs_count: 1 });
}

describe.concurrent('planned days', () => {
  it('today is paid at once, each day after it when it comes, and nothing twice', async ({ expect }) => {
    const { order, until, payouts, advance, types, runs, account } = await sandbox(100_000, expect);
    const id = await order({ count: 3, reference: 'Rent' });
    await until(id, { runs_count: 1 });
    expect(await payouts()).toMatchObject([{ standing_order: id, scheduled_on: today, reference: 'Rent', account }]);
    await oneRound(expect);
    expect(await payouts()).toHaveLength(1);
    await advance(1);
    await until(id, { runs_count: 2 });
    await advance(1);
    const ended = await until(id, { status: 'completed' });
    const made = await payouts();
    expect(made.map((each) => each['scheduled_on'])).toEqual([today, inDays(1), inDays(2)]);
    expect(await runs(id)).toMatchObject(
      made.map((payout, index) => ({ number: index + 1, status: 'succeeded', made_up: false, payout: payout['id'] })),
    );
    const run = ['balance.updated', 'payout.created', 'standing_order.run_succeeded'];
    const all = ['standing_order.created', ...run, ...run, ...run, 'standing_order.completed'];
    expect((await types()).slice(-all.length)).toEqual(all);
    expect(ended).toMatchObject({ next_run_on: null, last_run_on: inDays(2), last_payout: made[2]?.['id'] });
  });

  it('that were missed are made up in their order, each with its own day', async ({ expect }) => {
    const { order, until, advance, runs, payouts, types } = await sandbox(100_000, expect);
    const first = `${Number(today.slice(0, 4)) + 1}-01-31`;
    const id = await order({ starts_on: first, interval: 'month' });
    await oneRound(expect);
    expect(await runs(id)).toEqual([]);
    await advance((Date.parse(first) - Date.parse(today)) / DAY_MS + 100);
    await until(id, { runs_count: 4 });
    const days = Array.from({ length: 4 }, (_, index) =>
      plannedDay({ first, interval: 'month', intervalCount: 1 }, index),
    );
    expect(await runs(id)).toMatchObject(
      days.map((day, index) => ({ planned_on: day, number: index + 1, made_up: true })),
    );
    expect((await payouts()).map((each) => each['scheduled_on'])).toEqual(days);
    expect((await types()).filter((type) => type === 'standing_order.run_made_up')).toHaveLength(4);
  });

  it('of a live environment are paid too', async ({ expect }) => {
    const { client, environmentId } = application.live;
    const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await client.post('/v1/bank_accounts', houseBank()));
    await application.submit(environmentId, { type: 'fund_account', account, amount: '100' });
    const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
    const body = { amount: 10, currency: 'EUR', recipient, interval: 'week', starts_on: today };
    idIn(await client.post('/v1/standing_orders', body));
    const made = async () => must(await client.get('/v1/payouts')).json['data'];
    await expect.poll(made, WITHIN).toMatchObject([{ scheduled_on: today, status: 'pending' }]);
  });

  it('of a paused order are left out; resumed, it goes on with the next', async ({ expect }) => {
    const { order, until, advance, act, payouts, runs } = await sandbox(100_000, expect);
    const id = await order({ starts_on: inDays(1) });
    await act(id, 'pause');
    await advance(2);
    await until(id, { skipped_count: 2, status: 'paused', next_run_on: inDays(3) });
    await act(id, 'resume');
    await oneRound(expect);
    expect(await payouts()).toEqual([]);
    await advance(1);
    await until(id, { runs_count: 1, skipped_count: 2 });
    expect(await runs(id)).toMatchObject([
      {
        status: 'skipped',
        number: 2,
        planned_on: inDays(2),
        message: expect.stringContaining('2 planned days') as string,
      },
      { status: 'succeeded', number: 3, planned_on: inDays(3), made_up: false },
    ]);
  });
});

describe.concurrent('a run that makes no payout', () => {
  it('without money: three in a row pause the order; with money it can be resumed', async ({ expect }) => {
    const { order, until, advance, act, fund, types } = await sandbox(0, expect);
    const id = await order();
    const [code, message] = ['balance_insufficient', expect.stringContaining('.') as string];
    await until(id, { failed_count: 1, status: 'active', last_failure: { planned_on: today, code, message } });
    await advance(1);
    await until(id, { failed_count: 2, status: 'active' });
    await advance(1);
    await until(id, { failed_count: 3, status: 'paused', paused_reason: 'failures' });
    expect((await types()).slice(-2)).toEqual(['standing_order.run_failed', 'standing_order.paused']);
    await fund(100);
    await act(id, 'resume');
    await advance(1);
    await until(id, { runs_count: 1, status: 'active', last_failure: null });
  });

  it('while payouts are frozen, or a limit of the key that ordered it is used up', async ({ expect }) => {
    const { order, until, advance, client, merchant } = await sandbox(100_000, expect);
    must(await client.post('/v1/settings/payouts', { frozen: true }));
    const id = await order();
    await until(id, { last_failure: { code: 'payouts_frozen' } });
    must(await client.post('/v1/settings/payouts', { frozen: false }));
    const limited = await application.key({ merchant });
    must(await client.post('/v1/limits', { per: 'key', key: limited.id, count: 1, action: 'refuse' }));
    await advance(1);
    await until(id, { runs_count: 1 }); // the limit is another key's
    must(await limited.client.post(`/v1/standing_orders/${id}`, { amount: 11 })); // now it is the one that ordered it
    await advance(1);
    await until(id, { runs_count: 2, ordered_by: limited.id });
    const second = idIn(
      await limited.client.post('/v1/standing_orders', {
        amount: 1,
        currency: 'EUR',
        recipient: (await until(id, {}))['recipient'],
        interval: 'day',
        starts_on: inDays(2),
      }),
    );
    await until(second, { last_failure: { code: 'limit_exceeded' }, runs_count: 0 });
  });

  it('while a limit of a key is used up that the key of its order descends from', async ({ expect }) => {
    const { until, client, merchant, wanted } = await sandbox(100_000, expect);
    const root = await application.key({ merchant });
    const made = must(await root.client.post('/v1/keys', { name: 'child' })).json;
    const child = new Client(application.address, made['secret'] as string);
    must(await client.post('/v1/limits', { key: root.id, count: 0, action: 'refuse' }));
    const limited = idIn(await child.post('/v1/standing_orders', wanted({})));
    await until(limited, { last_failure: { code: 'limit_exceeded' }, runs_count: 0 });
    const free = idIn(await client.post('/v1/standing_orders', wanted({}))); // control: of another family
    await until(free, { runs_count: 1 });
    child.close();
  });

  it('after its recipient was deleted; of one that was erased there is no run', async ({ expect }) => {
    const { order, until, client, recipient } = await sandbox(100_000, expect);
    const erased = idIn(await client.post('/v1/recipients', { ...RECIPIENT, iban: 'DE75512108001245126199' }));
    const [one, two] = [
      await order({ starts_on: inDays(1) }),
      await order({ starts_on: inDays(1), recipient: erased }),
    ];
    expect(outcome(await client.write('DELETE', `/v1/recipients/${recipient}`, ''))).toBe('200');
    must(await client.post(`/v1/recipients/${erased}/redact`, {}));
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: DAY_MS / 1000 }));
    await until(one, { failed_count: 1, last_failure: { code: 'recipient_archived' } });
    const canceled = { status: 'canceled', canceled_reason: 'recipient_redacted', next_run_on: null };
    await until(two, { ...canceled, failed_count: 0, runs_count: 0 });
  });
});

it('whoever raised the amount cannot approve the payout that it made', async () => {
  const { order, until, client, merchant, payouts, advance } = await sandbox();
  const second = await application.key({ merchant });
  must(await client.post('/v1/limits', { per: 'environment', currency: 'EUR', amount: 50, action: 'hold' }));
  const id = await order({ starts_on: inDays(1) });
  must(await second.client.post(`/v1/standing_orders/${id}`, { amount: 1_000 }));
  await advance(1);
  await until(id, { runs_count: 1 });
  const [held] = await payouts();
  expect(held).toMatchObject({ release: { status: 'held' }, created_by: second.id });
  const { fingerprint } = (held as Json)['release'] as { fingerprint: string };
  const approve = (by: typeof client) => by.post(`/v1/payouts/${held?.['id'] as string}/approve`, { fingerprint });
  expect(outcome(await approve(second.client))).not.toBe('200');
  expect(outcome(await approve(client))).toBe('200');
});

it('two servers and many orders: every planned day has one payout, and the books agree', async () => {
  const second = await startSecondServer(application);
  try {
    const { order, advance, environmentId } = await sandbox(10_000_000);
    const ids = await Promise.all(Array.from({ length: 12 }, () => order({ count: 5 })));
    // Without the lease, too: whoever holds it, rounds of both at once must do no harm.
    for (let i = 0; i < 4; i++) {
      await application.sql("UPDATE worker_leases SET expires_at = '-infinity' WHERE worker = 'standing_orders'");
      await advance(1);
    }
    const open = "SELECT count(*)::int AS n FROM standing_orders WHERE environment_id = $1 AND status <> 'completed'";
    await expect.poll(() => application.sql(open, [uuidOf(environmentId)]), WITHIN).toEqual([{ n: 0 }]);
    const counts = `SELECT count(*)::int AS payouts, count(DISTINCT (standing_order_id, scheduled_on))::int AS days,
      count(DISTINCT standing_order_id)::int AS orders FROM payouts WHERE environment_id = $1`;
    expect(await application.sql(counts, [uuidOf(environmentId)])).toEqual([
      { payouts: ids.length * 5, days: ids.length * 5, orders: ids.length },
    ]);
  } finally {
    await second.stop();
  }
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

it.each([
  [
    'a payout of a day that no run knows',
    'UPDATE standing_order_runs SET payout_id = gen_random_uuid() WHERE ctid = (SELECT min(ctid) FROM standing_order_runs WHERE payout_id IS NOT NULL)',
  ],
  [
    'a run that is gone',
    'DELETE FROM standing_order_runs WHERE ctid = (SELECT min(ctid) FROM standing_order_runs WHERE payout_id IS NOT NULL)',
  ],
  [
    'an order that counts one too many',
    'UPDATE standing_orders SET runs_count = runs_count + 1, skipped_count = skipped_count - 1 WHERE ctid = (SELECT min(ctid) FROM standing_orders WHERE skipped_count > 0)',
  ],
])('control: verify finds %s', async (_, damage) => {
  await application.sql('CREATE TABLE kept_runs AS TABLE standing_order_runs');
  await application.sql('CREATE TABLE kept_orders AS TABLE standing_orders');
  await application.sql(damage);
  expect(await auditDatabase(application.databaseUrl)).not.toEqual([]);
  for (const name of ['runs', 'orders']) {
    const table = name === 'runs' ? 'standing_order_runs' : 'standing_orders';
    await application.sql(`DELETE FROM ${table}`);
    await application.sql(`INSERT INTO ${table} TABLE kept_${name}`);
    await application.sql(`DROP TABLE kept_${name}`);
  }
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

it('control: the database refuses a second run of a day', async () => {
  await expect(
    application.sql(`INSERT INTO standing_order_runs SELECT environment_id, gen_random_uuid(), standing_order_id, number, day, status,
      made_up, payout_id, code, message, created_at FROM standing_order_runs LIMIT 1`),
  ).rejects.toThrow(/standing_order_runs_number/);
});

it('orders and runs go with the sandbox when it is reset', async () => {
  const { order, until, client, environmentId } = await sandbox();
  await until(await order(), { runs_count: 1 });
  must(await client.post('/v1/test_helpers/reset', {}));
  for (const table of ['standing_orders', 'standing_order_runs']) {
    const text = `SELECT count(*)::int AS n FROM ${table} WHERE environment_id = $1`;
    expect(await application.sql(text, [uuidOf(environmentId)])).toEqual([{ n: 0 }]);
  }
});
