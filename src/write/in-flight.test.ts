/** A second batch behind the first, decided on what that will leave: what it saves, and whatever becomes of the first. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { uuidOf } from '../core/values/ids.ts';
import { auditDatabase } from '../../test/support/model/audit.ts';
import { type CachedSandbox, cachedSandbox } from '../../test/support/harness/cached-sandbox.ts';
import { startWriting, statementsOf, untilItWaits, type Writing } from '../../test/support/harness/writer.ts';
import { StateCache } from './state-cache.ts';

let writing: Writing;
let sandbox: CachedSandbox;
let environmentId: string;
/** Batches that were decided on one in the air. */
let ahead = 0;
beforeAll(async () => {
  writing = await startWriting();
});
afterAll(() => writing?.stop());
beforeEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 250)); // whatever the test before did, it is trusted again
  sandbox = await cachedSandbox(writing, 1);
  ({ environmentId } = sandbox);
  ahead = 0;
  const { get } = StateCache.prototype;
  vi.spyOn(StateCache.prototype, 'get').mockImplementation(function (this: StateCache, readSet, before) {
    const cached = get.call(this, readSet, before);
    if (before !== undefined && cached !== null) ahead += 1;
    return cached;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(writing.faults).toEqual([]);
  expect(await auditDatabase(writing.url)).toEqual([]);
});

const payout: CachedSandbox['payout'] = (fields) => sandbox.payout(fields);
const answerOf: CachedSandbox['answerOf'] = (...sending) => sandbox.answerOf(...sending);
const one = async (sql: string) => (await writing.sql(sql, [uuidOf(environmentId)]))[0];
const payouts = async () => (await one('SELECT count(*) AS n FROM payouts WHERE environment_id = $1'))?.['n'];
const balance = async () => (await one('SELECT balance AS n FROM accounts WHERE environment_id = $1'))?.['n'];

const hold = () =>
  writing.sql('SELECT 1 FROM environments WHERE environment_id = $1 FOR UPDATE', [uuidOf(environmentId)]);

/** Sends both while the first waits for the lock, then `meanwhile`, then lets it go on. */
async function inFlight<T>(
  first: () => Promise<T>,
  second: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<PromiseSettledResult<T>[]> {
  await writing.sql('BEGIN');
  await hold();
  const answers = [first()];
  await untilItWaits(writing);
  answers.push(second());
  await vi.waitFor(() => expect(ahead).toBe(1));
  await meanwhile();
  await writing.sql('COMMIT');
  return Promise.allSettled(answers);
}

const archive = async () => {
  await writing.sql(`UPDATE recipients SET status = 'archived' WHERE environment_id = $1`, [uuidOf(environmentId)]);
  const moved = `UPDATE environments SET last_at = last_at + interval '1 ms' WHERE environment_id = $1`;
  await writing.sql(moved, [uuidOf(environmentId)]);
};
const values = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason));

it('goes behind the first, and neither is loaded', async () => {
  const names = await statementsOf(writing, () =>
    inFlight(
      () => answerOf(payout()),
      () => answerOf(payout()),
    ),
  );
  const answers = ['BEGIN', 'lock_unchanged_environments'];
  expect(names.filter((name) => /^BEGIN|lock|ROLLBACK/.test(name))).toEqual([...answers, ...answers]);
  expect(await payouts()).toBe(3n);
});

it('sees what the first will leave', async () => {
  const answers = await inFlight(
    () => answerOf(payout({ amount: 800n })),
    () => answerOf(payout({ amount: 200n })),
  );
  expect(values(answers)).toMatchObject([{ code: undefined }, { code: 'balance_insufficient' }]);
  expect(await balance()).toBe(100n);
});

describe('whatever becomes of the first', () => {
  it('somebody else has written: both are decided anew', async () => {
    const answers = await inFlight(
      () => answerOf(payout()),
      () => answerOf(payout()),
      archive,
    );
    expect(values(answers)).toMatchObject([{ code: 'recipient_archived' }, { code: 'recipient_archived' }]);
    expect(await payouts()).toBe(1n);
  });

  it('its key was used: it gets the answer again, and the second is made', async () => {
    const before = await answerOf(payout(), 'used');
    const answers = await inFlight(
      () => answerOf(payout(), 'used'),
      () => answerOf(payout()),
    );
    expect(values(answers)).toMatchObject([
      { id: before.id, replayed: true },
      { code: undefined, replayed: false },
    ]);
    expect(await payouts()).toBe(3n);
  });

  it('the second has its key: one effect, the same answer', async () => {
    const key = `same ${environmentId}`;
    const [first, second] = values(
      await inFlight(
        () => answerOf(payout(), key),
        () => answerOf(payout(), key),
      ),
    );
    expect(first).toMatchObject({ code: undefined, replayed: false });
    expect(second).toEqual({ ...(first as object), replayed: true });
    expect(await payouts()).toBe(2n);
  });

  it('the connection is lost: each is made once', async () => {
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bursar writer' AND datname = current_database()`;
    const answers = await inFlight(
      () => answerOf(payout()),
      () => answerOf(payout()),
      () => writing.sql(kill),
    );
    expect(values(answers)).toMatchObject([
      { code: undefined, replayed: false },
      { code: undefined, replayed: false },
    ]);
    expect(await payouts()).toBe(3n);
  });
});

it('a second that cannot be sent whole: nobody goes on in its transaction, and both are made', async () => {
  let records = 0;
  writing.tamper = (statement, run) => {
    if (statement.name === 'insert_idempotency_records' && ++records === 2) throw new Error('no memory left');
    return run(statement);
  };
  const answers = await inFlight(
    () => answerOf(payout()),
    () => answerOf(payout()),
  );
  writing.tamper = null;
  expect(records).toBe(4);
  expect(values(answers)).toMatchObject([{ code: undefined }, { code: undefined }]);
  expect(await payouts()).toBe(3n);
});

it('nothing follows a batch that loads: it would land between its two flights', async () => {
  await writing.sql('BEGIN');
  await hold();
  const first = writing.send(environmentId, payout(), { key: 'dry', dryRun: true });
  await untilItWaits(writing);
  const second = answerOf(payout());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ahead).toBe(0);
  await writing.sql('COMMIT');
  expect((await first).status).toBe(200);
  expect(await second).toMatchObject({ code: undefined });
  expect(await payouts()).toBe(2n);
});

it('nor one that failed and is made anew, however long that takes', async () => {
  const before = await answerOf(payout(), 'used');
  let third: Promise<unknown> | undefined;
  writing.tamper = async (statement, run) => {
    if (statement.name === 'lock_environments' && third === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 300)); // longer than the memory is mistrusted
      third = answerOf(payout());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return run(statement);
  };
  const answers = await inFlight(
    () => answerOf(payout(), 'used'),
    () => answerOf(payout()),
  );
  writing.tamper = null;
  expect(values(answers)).toMatchObject([{ id: before.id, replayed: true }, { code: undefined }]);
  expect(await third).toMatchObject({ code: undefined });
  expect(ahead).toBe(1);
  expect(await payouts()).toBe(4n);
});
