/**
 * Links and payments whose time is up, by the sandbox's clock and by the real one; and money that comes all the same.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf } from '../../../test/support/browser/payer.ts';
import { EXPIRY } from './expiry.ts';
import { startDueWorker } from '../../platform/workers/due-worker.ts';
import { PATIENCE_MS } from './decide.ts';
import { SANDBOX_PAYER } from './sandbox-bank.ts';

const WITHIN = { timeout: 20_000, interval: 50 };
const HOUR = 3_600;
/** More than the worker takes in one round. */
const MANY = 230;

quickRounds();
let application: Application;
let payer: Payer;
let sandboxes = 0;

beforeAll(async () => {
  application = await startApplication();
  payer = new Payer(application.address);
});
afterAll(async () => {
  payer?.close();
  await application?.stop();
});

/** A sandbox of its own: its clock is moved. */
async function sandbox() {
  const holder: Holder = await application.key({ merchant: `sandbox ${sandboxes++}` });
  const { client, environmentId } = holder;
  const nowSeconds = Math.floor(Date.now() / 1000);
  const events = async () => must(await client.get('/v1/events?order=asc&limit=100')).json['data'] as readonly Json[];
  return {
    client,
    environmentId,
    nowSeconds,
    events,
    async link(body: object = {}) {
      const { json } = must(await client.post('/v1/payment_links', { amount: 250, currency: 'EUR', ...body }));
      return { id: json['id'] as string, path: pathOf(json['url'] as string), account: json['account'] as string };
    },
    advance: async (seconds: number) => must(await client.post('/v1/test_helpers/clock/advance', { seconds })),
    retrieve: async ({ id }: { id: string }) => must(await client.get(`/v1/payment_links/${id}`)).json,
    payments: async ({ id }: { id: string }) =>
      must(await client.get(`/v1/payments?payment_link=${id}`)).json['data'] as readonly Json[],
    types: async () => (await events()).map(({ type }) => type),
    receive: (payment: unknown, amount: bigint) =>
      application.submit(environmentId, {
        type: 'receive_payment',
        payment: payment as string,
        method: 'bank_transfer',
        session: null,
        amount,
        ...SANDBOX_PAYER,
      }),
  };
}

/**
 * Resolves when the worker has done a round that began after now: two links of another sandbox have expired, one after
 * the other. A round writes its commands in several batches, so that only the second link shows that the round of the
 * first is over.
 */
async function oneRound(): Promise<void> {
  const { link, advance, retrieve, nowSeconds } = await sandbox();
  for (let hours = 1; hours <= 2; hours++) {
    const made = await link({ expires_at: nowSeconds + hours * HOUR + HOUR / 2 });
    await advance(HOUR + HOUR / 2);
    await eventually('a round of the worker', async () => (await retrieve(made))['status'] === 'expired');
  }
}

// Side by side, since most of their time is the worker's: each has a sandbox of its own.
describe.concurrent('a link', () => {
  it('expires when the clock has come there, once, with the clock’s time', async ({ expect }) => {
    const { link, advance, retrieve, nowSeconds, events, types } = await sandbox();
    const [soon, later] = [
      await link({ expires_at: nowSeconds + HOUR }),
      await link({ expires_at: nowSeconds + 3 * HOUR }),
    ];
    await oneRound();
    expect(await retrieve(soon)).toMatchObject({ status: 'active' });
    await advance(2 * HOUR);
    await expect.poll(async () => (await retrieve(soon))['status'], WITHIN).toBe('expired');
    const ended = await retrieve(soon);
    expect(ended).toMatchObject({ active: false, ended_at: expect.closeTo(nowSeconds + 2 * HOUR, -2) });
    expect((await events()).at(-1)).toMatchObject({
      type: 'payment_link.expired',
      data: { object: ended, previous_attributes: { status: 'active', active: true } },
    });
    await oneRound();
    expect((await types()).filter((type) => type === 'payment_link.expired')).toHaveLength(1);
    expect(await retrieve(later)).toMatchObject({ status: 'active' });
    expect((await payer.open(soon.path)).state).toBe('expired');
    expect((await payer.open(later.path)).state).toBe('open');
  });

  it('that has expired takes the money of whoever had begun, and is completed by it', async ({ expect }) => {
    const { client, link, advance, retrieve, payments, receive, nowSeconds, types } = await sandbox();
    const made = await link({ expires_at: nowSeconds + HOUR });
    await payer.start(made.path);
    await advance(2 * HOUR);
    await expect.poll(async () => (await retrieve(made))['status'], WITHIN).toBe('expired');
    const { ended_at: endedAt } = await retrieve(made);
    const [waiting] = await payments(made);
    expect(waiting, 'what was begun goes on').toMatchObject({ status: 'pending' });
    await receive(waiting?.['id'], 25_000n);
    expect(await payments(made)).toMatchObject([{ status: 'succeeded' }]);
    expect(await retrieve(made)).toMatchObject({ status: 'completed', ended_at: endedAt, payments_count: 1 });
    expect((await types()).slice(-2)).toEqual(['payment.succeeded', 'payment_link.completed']);
    expect((await payer.open(made.path)).state).toBe('paid');
    expect(must(await client.get(`/v1/accounts/${made.account}`)).json).toMatchObject({ balance: 25_000 });
  });

  it('whose end was moved in time lives on', async ({ expect }) => {
    const { client, link, advance, retrieve, nowSeconds } = await sandbox();
    const made = await link({ expires_at: nowSeconds + HOUR });
    must(await client.post(`/v1/payment_links/${made.id}`, { expires_at: nowSeconds + 10 * HOUR }));
    await advance(2 * HOUR);
    await oneRound();
    expect(await retrieve(made)).toMatchObject({ status: 'active' });
    expect((await payer.start(made.path)).state).toBe('waiting');
  });

  it.sequential('of any number: all of them, round after round', async ({ expect }) => {
    const { client, link, advance, nowSeconds, environmentId } = await sandbox();
    await Promise.all(Array.from({ length: MANY }, () => link({ expires_at: nowSeconds + HOUR })));
    await advance(2 * HOUR);
    const count = 'SELECT count(*)::int AS left FROM payment_links WHERE environment_id = $1 AND status = $2';
    const left = async () => (await application.sql(count, [uuidOf(environmentId), 'active']))[0]?.['left'];
    await expect.poll(left, WITHIN).toBe(0);
    const reported = 'SELECT count(*)::int AS reported FROM events WHERE environment_id = $1 AND type = $2';
    const events = await application.sql(reported, [uuidOf(environmentId), 'payment_link.expired']);
    expect(events).toEqual([{ reported: MANY }]);
    expect(must(await client.get('/v1/payment_links?status=expired&limit=1')).json).toMatchObject({ has_more: true });
  });
});

describe.concurrent('a payment', () => {
  it('that waits for long is told of once, and only while it waits', async ({ expect }) => {
    const { client, link, advance, payments, receive, types } = await sandbox();
    const reminders = async () => (await types()).filter((type) => type === 'payment.reminder_due').length;
    const before = await link({ reusable: true });
    await payer.start(before.path);
    must(await client.post('/v1/settings', { payment_reminder_days: 3 }));
    const made = await link({ reusable: true });
    for (let started = 0; started < 3; started++) await payer.start(made.path);
    const [one, part] = await payments(made);
    await receive(one?.['id'], 25_000n);
    await receive(part?.['id'], 1n);
    await advance((3 * DAY_MS) / 1_000 - HOUR);
    await oneRound();
    expect(await reminders()).toBe(0);
    await advance(2 * HOUR);
    await expect.poll(reminders, WITHIN).toBe(2); // the one that nothing came of, and the one that the rest is missing of
    await advance((3 * DAY_MS) / 1_000);
    await oneRound();
    expect(await reminders()).toBe(2);
  });

  it('waits fourteen days, fails, and takes the money all the same', async ({ expect }) => {
    const { link, advance, retrieve, payments, receive, types } = await sandbox();
    const made = await link({ reusable: true, max_payments: 1 });
    await payer.start(made.path);
    await advance((PATIENCE_MS - DAY_MS) / 1_000);
    await oneRound();
    expect(await payments(made)).toMatchObject([{ status: 'pending' }]);
    await advance((2 * DAY_MS) / 1_000);
    await expect.poll(async () => (await payments(made))[0]?.['status'], WITHIN).toBe('failed');
    const [failed] = await payments(made);
    expect(failed).toMatchObject({ failure_code: 'expired', expires_at: null });
    expect((await types()).at(-1)).toBe('payment.failed');
    expect(await retrieve(made)).toMatchObject({ status: 'active', open_payments_count: 0 });
    const next = await payer.start(made.path);
    expect(next.state).toBe('waiting');
    await receive(failed?.['id'], 25_000n);
    expect(await retrieve(made)).toMatchObject({ status: 'completed', payments_count: 1 });
    const [second] = await payments(made);
    await receive(second?.['id'], 25_000n);
    expect(await retrieve(made)).toMatchObject({ payments_count: 2, max_payments: 1, amount_received: 500 });
    expect((await payments(made)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  it('of which a part has come is never given up', async ({ expect }) => {
    const { link, advance, payments } = await sandbox();
    const made = await link();
    await payer.press(await payer.start(made.path), 'partial');
    await advance((2 * PATIENCE_MS) / 1_000);
    await oneRound();
    expect(await payments(made)).toMatchObject([{ status: 'partially_paid', expires_at: null }]);
  });
});

// Alone: its lock holds up the worker, and with it everybody else.
it('a link is over at that very moment, whether the worker has come by or not', async () => {
  const { client, link, retrieve, environmentId } = await sandbox();
  const made = await link();
  const page = await payer.open(made.path);
  const end = { expires_at: Math.floor(Date.now() / 1000) + 3 };
  must(await client.post(`/v1/payment_links/${made.id}`, end));
  await application.sql('BEGIN');
  try {
    const lock = 'SELECT FROM environments WHERE environment_id = $1 FOR UPDATE';
    await application.sql(lock, [uuidOf(environmentId)]); // now nobody can write
    await eventually('its time is up', async () => (await payer.open(made.path)).state === 'expired');
    expect(await retrieve(made)).toMatchObject({ status: 'active' });
  } finally {
    await application.sql('COMMIT');
  }
  expect((await payer.press(page, 'bank_transfer')).state).toBe('expired');
  await expect.poll(async () => (await retrieve(made))['status'], WITHIN).toBe('expired');
  expect((await payer.press(page, 'bank_transfer')).state).toBe('expired');
  expect(await retrieve(made)).toMatchObject({ open_payments_count: 0 });
});

it('the worker outlives a database that does not answer', async () => {
  let poller = 0;
  const faults: string[] = [];
  const parts = {
    rows: () => (poller++ < 4 ? Promise.reject(new Error('away')) : Promise.resolve([])),
    write: () => Promise.reject(new Error('never asked')),
    onFault: (message: string) => void faults.push(message),
  };
  const worker = startDueWorker({ ...EXPIRY, pauseMs: 10 }, parts);
  await expect.poll(() => poller, WITHIN).toBeGreaterThan(8);
  await worker.stop();
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.length).toBeLessThanOrEqual(4);
});

it('every sum of all this is right', async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});
