/** Settlement over many environments: one whose steps are refused does not hold up the others, and tries again ever later. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { randomUUID as newUuid } from 'node:crypto';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import { runOnce } from '../../platform/workers/due-worker.ts';
import { duePayouts, settlementWork } from './settlement.ts';

quickRounds();
let application: Application;
beforeAll(async () => {
  application = await startApplication({ config: { sandboxStepSeconds: 0.3 } });
});
afterAll(() => application?.stop());

/** Its account at the bank does not exist, so a payout to it fails and the money comes back. */
const CLOSED = 'DE35370400440532013002';
const STUCK = 250;

async function payouts({ client }: Holder, iban: string, count: number): Promise<string> {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '1000' }));
  const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, iban }));
  const item = { amount: '1', currency: 'EUR', recipient };
  must(await client.post('/v1/payouts/batch', { payouts: Array.from({ length: count }, () => item) }));
  return account;
}

const statuses = async ({ environmentId }: Holder) =>
  (await application.sql('SELECT DISTINCT status FROM payouts WHERE environment_id = $1', [uuidOf(environmentId)])).map(
    (row) => row['status'],
  );

it('pays in one sandbox while every step of another is refused', async () => {
  const stuck = application.sandbox;
  const account = await payouts(stuck, CLOSED, STUCK);
  // The only money that cannot come back: what no column holds.
  await application.sql('UPDATE accounts SET balance = $2 WHERE id = $1', [uuidOf(account), MAX_HELD_MINOR]);
  await eventually('all are on their way', async () => !(await statuses(stuck)).includes('pending'));

  const { environmentId } = application.otherSandbox;
  await payouts(application.otherSandbox, RECIPIENT.iban, 5);
  await eventually('the others are paid', async () => (await statuses(application.otherSandbox)).join() === 'paid');
  // Both steps of the others came after those that were refused.
  expect(await statuses(stuck)).toEqual(['in_transit']);
  expect(environmentId).not.toBe(stuck.environmentId);
});

it('pays the others while the bank details of one cannot be opened', async () => {
  const holder = await application.key({ merchant: 'damaged' });
  await payouts(holder, RECIPIENT.iban, 1);
  const [shut] = await application.sql(
    'UPDATE recipient_versions SET bank_details = $2 WHERE environment_id = $1 RETURNING recipient_id',
    [uuidOf(holder.environmentId), JSON.stringify({ sealed: `v1.00000000.${'A'.repeat(80)}` })],
  );
  await payouts(holder, RECIPIENT.iban, 3);
  const others = async () =>
    application.sql('SELECT DISTINCT status FROM payouts WHERE environment_id = $1 AND recipient_id <> $2', [
      uuidOf(holder.environmentId),
      shut?.['recipient_id'],
    ]);
  await eventually('the others are paid', async () => (await others()).map((row) => row['status']).join() === 'paid');
  expect((await statuses(holder)).toSorted((one, other) => (String(one) < String(other) ? -1 : 1))).toEqual([
    'in_transit',
    'paid',
  ]);
});

it('takes the oldest of each environment before the second of any', async () => {
  const rows = await application.sql(duePayouts().text, [...duePayouts().values]);
  expect(rows).toHaveLength(200); // of the 250 that are stuck
  await application.sql("UPDATE payouts SET due_at = now() - interval '1 s' WHERE environment_id = $1", [
    uuidOf(application.otherSandbox.environmentId),
  ]);
  const due = await application.sql(duePayouts().text, [...duePayouts().values]);
  const others = due.flatMap((row, place) =>
    row['environment_id'] === uuidOf(application.otherSandbox.environmentId) ? [place] : [],
  );
  expect(others).toHaveLength(5);
  expect(others.every((place) => place < 15)).toBe(true); // five of each of three environments
});

it('leaves refused work alone for a second, then twice as long, up to ten minutes', () => {
  const backoff = new Backoff();
  let nowMs = 0;
  const pauses = Array.from({ length: 12 }, () => {
    backoff.note('po_1', nowMs);
    let passedMs = 0;
    while (backoff.waiting(nowMs + passedMs).length > 0) passedMs += 500;
    nowMs += passedMs;
    return passedMs;
  });
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map((seconds) => seconds * 1000));
});

it('leaves a payout alone for a while whose bank details cannot be opened, and steps the others', async () => {
  const [shut, fine] = [newUuid(), newUuid()] as const;
  const due = [shut, fine].map((id) => ({
    environment_id: id,
    id,
    status: 'in_transit',
    recipient_id: id,
    bank_details: id,
  }));
  const left: unknown[] = [];
  const faults: unknown[] = [];
  const stepped: string[] = [];
  const bankDetailsOf = (stored: string) => {
    if (stored === shut) throw new Error('another secret');
    return { iban: RECIPIENT.iban };
  };
  const work = settlementWork(1, bankDetailsOf, (message) => faults.push(message));
  const backoffs = [new Backoff()];
  const round = () =>
    runOnce(
      work,
      {
        rows: async ({ values }) => (left.push(values[1]), left.length === 1 ? due : []),
        write: async (_, { payout }) => (stepped.push(payout), { status: 200 }),
      },
      backoffs,
    );
  expect([await round(), await round()]).toEqual([false, false]);
  expect(left).toEqual([[], [shut]]);
  expect(stepped).toEqual([idOf('po', fine)]);
  expect(faults).toEqual(['The next step of a payout is not known']);
});
