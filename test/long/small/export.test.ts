/**
 * Exports while servers are killed and payouts are canceled: kill -9 at each step between the request and the sealed file, and every payout
 * is in exactly one file in the end, by the bytes that go to the bank. More kills, more races and the limits in milliseconds:
 * `test/long/export.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EACH, killedAt, outgoing, type Scene, startScene, stepsOf, wrong } from '../../support/bank/exports.ts';
import { heldAt, nextAt } from '../../support/faults/stop-at.ts';
import { startApplication } from '../../support/harness/application.ts';
import { eventually } from '../../support/harness/eventually.ts';
import { BANK_ACCOUNT, idIn, must, RECIPIENT } from '../../support/harness/tenant-fixture.ts';
import { rowsOf } from '../../support/model/audit.ts';

/** One for all that are killed and raced: a start takes longer than an export. */
let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.end());

test('kill -9 in each step of an export: every payout leaves in exactly one file', async () => {
  const { opened: _, ...steps } = stepsOf(2); // killed there below
  const all: string[] = [];
  for (const [name, step] of Object.entries(steps)) {
    const { ids, left } = await killedAt(scene, step);
    expect(left, name).toEqual(step.left);
    all.push(...ids);
  }
  const outcome = await scene.whatLeft();
  expect(outcome.complaints).toEqual([]);
  expect(wrong(all, outcome)).toEqual([]);
  expect(outcome.seen.size).toBe(EACH * Object.keys(steps).length);
});

test('killed with a file just opened; then cancels race the export: each has one winner', async () => {
  const { opened } = stepsOf(2);
  const before = (await scene.whatLeft()).seen.size;
  const ids = await scene.pay(50);
  const { reached } = await scene.server().stopAt(opened!.point, opened!.time);
  const exported = scene.export().catch(() => null);
  await reached;
  await scene.server().kill();
  await exported;
  expect(await scene.newestFile()).toMatchObject(opened?.left ?? {});
  // The file is open, and all fifty are meant for it. Until the worker claims a payout, a cancel wins.
  await scene.restart({ held: true });
  const early = await Promise.all(ids.slice(20, 30).map(scene.cancel));
  expect(early.map(({ status }) => status)).toEqual(early.map(() => 200));
  await scene.letFill();
  const { newestFile } = scene;
  await eventually('some payouts are claimed', async () => ((await newestFile())?.payouts ?? 0) > 0);
  const others = ids.filter((_, at) => at < 20 || at >= 30);
  const replies = await Promise.all(others.map(scene.cancel));
  await scene.settled();
  const lost = others.filter((_, at) => replies[at]?.status !== 200);
  for (const reply of replies) if (reply.status !== 200) expect(reply.text).toContain('payout_not_cancelable');
  const outcome = await scene.whatLeft();
  expect(outcome.complaints).toEqual([]);
  expect(lost.length).toBeGreaterThan(0); // what was claimed before
  expect(wrong(lost, outcome)).toEqual([]);
  const won = ids.filter((id) => !lost.includes(id));
  expect(wrong(won, outcome, 0)).toEqual([]);
  expect(outcome.seen.size).toBe(before + lost.length);
});

test('control: a payout that is missing or there twice is found', async () => {
  const ids = await scene.pay(3);
  must(await scene.export());
  await scene.settled();
  const outcome = await scene.whatLeft();
  expect(wrong(ids, outcome)).toEqual([]);
  const [first, second] = ids.map(outgoing) as [string, string, string];
  const damaged = new Map([...outcome.seen, [first, 2] as const]);
  damaged.delete(second);
  expect(wrong(ids, { ...outcome, seen: damaged })).toEqual(ids.slice(0, 2));
  await rowsOf(scene.databaseUrl, "UPDATE bank_instructions SET status = 'released' WHERE position = 1 RETURNING id");
  expect((await scene.whatLeft()).complaints.join()).toContain('payment file');
});

test('payouts leave while others pay: no commit takes more than ten, and others are answered in between', async () => {
  const application = await startApplication();
  const [one, other] = await Promise.all(
    [application.sandbox, application.otherSandbox].map(async ({ client }) => {
      const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
      must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '10000' }));
      const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
      return { client, payout: { amount: '1.01', currency: 'EUR', account, recipient } };
    }),
  );
  const { client, payout } = one as NonNullable<typeof one>;
  const beside = other as NonNullable<typeof other>;
  must(await client.post('/v1/bank_accounts', BANK_ACCOUNT));
  must(await client.post('/v1/payouts/batch', { payouts: Array.from({ length: 200 }, () => payout) }));

  const order: ('claim' | 'answer')[] = [];
  const stop = heldAt('payment_file.claimed', () => order.push('claim'));
  let isSealed = false;
  const payers = Array.from({ length: 8 }, async () => {
    while (!isSealed) {
      idIn(await beside.client.post('/v1/payouts', beside.payout));
      order.push('answer');
    }
  });
  const sealed = nextAt('payment_file.sealed');
  must(await client.post('/v1/payment_files', {}));
  await sealed;
  isSealed = true;
  await Promise.all(payers);
  stop();
  const claims = order.filter((each) => each === 'claim').length;
  const gaps = order.join().split('claim').slice(1, -1);
  const answered = gaps.filter((gap) => gap.includes('answer')).length;
  await application.stop();
  expect(claims).toBe(20);
  expect(answered).toBeGreaterThan(claims / 2);
});
