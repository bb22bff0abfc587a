/** The state cache: which round trips it saves, and every way in which it may not be relied on. Against what is loaded: `test/soak/batch-equals-singles.test.ts`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, uuidOf } from '../core/values/ids.ts';
import type { Environment } from '../core/objects.ts';
import { auditDatabase } from '../../test/support/model/audit.ts';
import { ACCOUNT, AT, account, environment, idAt, RECIPIENT, recipient } from '../../test/support/harness/literals.ts';
import { type CachedSandbox, cachedSandbox } from '../../test/support/harness/cached-sandbox.ts';
import { startWriting, statementsOf, untilItWaits, type Writing } from '../../test/support/harness/writer.ts';
import type { Command } from './slices.ts';
import type { State } from '../core/state.ts';
import { loadedNow } from './load.ts';
import { StateCache } from './state-cache.ts';
import { readSetOf } from './read-set.ts';

const MINUTE_MS = 60_000;
/** A cache that was wrong is suspended for a while. */
const untilTrusted = () => new Promise((resolve) => setTimeout(resolve, 250));

describe('on PostgreSQL', () => {
  let writing: Writing;
  let sandbox: CachedSandbox;
  let environmentId: string;
  let oldest: string;
  let second: string;
  beforeAll(async () => {
    writing = await startWriting();
  });
  afterAll(() => writing?.stop());
  beforeEach(async () => {
    await untilTrusted(); // whatever the test before did
    sandbox = await cachedSandbox(writing, 2);
    ({ environmentId } = sandbox);
    [oldest, second] = sandbox.accounts as [string, string];
  });
  afterEach(async () => {
    writing.tamper = null;
    vi.restoreAllMocks();
    expect(writing.faults).toEqual([]);
    expect(await auditDatabase(writing.url)).toEqual([]);
  });

  const payout: CachedSandbox['payout'] = (fields) => sandbox.payout(fields);
  const send: CachedSandbox['send'] = (...sending) => sandbox.send(...sending);
  const answerOf: CachedSandbox['answerOf'] = (...sending) => sandbox.answerOf(...sending);

  const LOADED = ['BEGIN', 'lock_environments', 'load_idempotency_records'];
  const CACHED = ['BEGIN', 'lock_unchanged_environments'];
  const WRONG = [...CACHED, 'update_accounts'];

  it('saves the round trip that loads', async () => {
    expect(await statementsOf(writing, () => Promise.all([send(payout()), send(payout({ account: second }))]))).toEqual(
      [
        ...CACHED,
        'update_accounts',
        'insert_payouts',
        'insert_transfers',
        'insert_events',
        'update_environments',
        'insert_idempotency_records',
        'COMMIT',
      ],
    );
  });

  /** Past this writer: the recipient is archived, and the instant moves on as with every write. */
  async function writtenElsewhere() {
    const of = `environment_id = '${uuidOf(environmentId)}'`;
    await writing.sql(`UPDATE recipients SET status = 'archived' WHERE ${of}`);
    await writing.sql(`UPDATE environments SET last_at = last_at + interval '1 ms' WHERE ${of}`);
  }

  it('what somebody else wrote is seen, and for a while everything is loaded', async () => {
    await writtenElsewhere();
    const names = await statementsOf(writing, async () =>
      expect((await answerOf(payout())).code).toBe('recipient_archived'),
    );
    expect(names.slice(0, 3)).toEqual(WRONG);
    expect(names.slice(names.indexOf('ROLLBACK') + 1).slice(0, 3)).toEqual(LOADED);

    const afterMs = async (ms: number) => {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
      const sent = await statementsOf(writing, () => send({ type: 'fund_account', account: second, amount: '1' }));
      clock.mockRestore();
      return sent.slice(0, 2);
    };
    expect(await afterMs(0)).toEqual(LOADED.slice(0, 2));
    expect(await afterMs(5_000)).toEqual(LOADED.slice(0, 2));
    expect(await afterMs(11_000)).toEqual(CACHED);
  });

  it('control: where nothing is compared it is not seen', async () => {
    await writtenElsewhere();
    writing.tamper = (statement, run) =>
      run(
        statement.name === 'lock_unchanged_environments'
          ? { ...statement, name: 'compares_nothing', text: statement.text.replace("('changed: ' || n)::int", '0') }
          : statement,
      );
    expect((await answerOf(payout())).code).toBeUndefined();
  });

  it('what somebody else commits while it waits for the lock is seen too', async () => {
    await writing.sql('BEGIN');
    await writtenElsewhere();
    const sent = answerOf(payout());
    await untilItWaits(writing);
    await writing.sql('COMMIT');
    expect((await sent).code).toBe('recipient_archived');
  });

  it('a key that was used gets its answer again, and is refused for another request', async () => {
    const first = await send(payout(), 'used', 'a');
    const again = await statementsOf(writing, async () =>
      expect(await send(payout(), 'used', 'a')).toEqual({ ...first, replayed: true }),
    );
    expect(again.slice(0, 2)).toEqual(CACHED);
    expect(await statementsOf(writing, () => send(payout()))).toEqual(expect.arrayContaining(LOADED)); // others may repeat theirs
    expect(again.filter((name) => name === 'insert_idempotency_records' || name === 'ROLLBACK')).toHaveLength(3);
    await untilTrusted();
    expect(await answerOf(payout(), 'used', 'b')).toMatchObject({ code: 'idempotency_key_reused' });
    await untilTrusted();
    // The answer is a refusal again, and has no id of its own.
    const refused = await send(payout({ amount: 10_000n }), 'refused', 'a');
    await untilTrusted();
    expect(await send(payout({ amount: 10_000n }), 'refused', 'a')).toEqual({ ...refused, replayed: true });
  });

  it('an external id that is taken is found, whatever else would be refused', async () => {
    expect(await answerOf(payout({ externalId: 'x' }))).toMatchObject({ code: undefined });
    expect(await answerOf(payout({ externalId: 'x' }))).toMatchObject({ code: 'external_id_used' });
    await untilTrusted();
    expect(await answerOf(payout({ externalId: 'x', amount: 1_000_000n }))).toMatchObject({ code: 'external_id_used' });
    expect(await statementsOf(writing, () => send(payout({ externalId: 'y' })))).toEqual(
      expect.arrayContaining(CACHED),
    );
  });

  it('an account on which payouts wait in order is loaded with these, and no other account is', async () => {
    const without = await statementsOf(writing, () => send(payout({ account: second })));
    expect(without.slice(0, 2)).toEqual(CACHED);
    await send(payout({ amount: 100_000n, waiting: { until: null } }));
    expect(await answerOf(payout())).toMatchObject({ code: 'balance_insufficient' });
    const crowded = await statementsOf(writing, () => send(payout()));
    expect([crowded.slice(0, 3), crowded.includes('load_oldest_waiting')]).toEqual([LOADED, true]);
    expect(await statementsOf(writing, () => send(payout({ account: second })))).toEqual(without);
    const rules = { frozen: undefined, holdNewRecipientsHours: undefined, holdBankAccounts: undefined };
    const others = { approvalsRequired: undefined, routes: undefined, timeZone: undefined };
    await send({ type: 'update_payout_rules', ...rules, ...others, waitingPayouts: 'may_be_passed' });
    expect(await statementsOf(writing, () => send(payout()))).toEqual(without);
  });

  it('what leaves no record is loaded: a dry run, and a refusal that is not kept', async () => {
    const dry = await statementsOf(writing, () => writing.send(environmentId, payout(), { key: 'dry', dryRun: true }));
    expect(dry.slice(0, 2)).toEqual(LOADED.slice(0, 2));
    const unkept = { type: 'fund_account', account: oldest, amount: '1e3' } as const;
    const sent = await statementsOf(writing, () => Promise.all([send(payout()), send(unkept)]));
    expect(sent.slice(0, 3)).toEqual(LOADED);
  });

  it('the oldest open account is followed: closed, and opened again', async () => {
    await answerOf({
      type: 'create_transfer',
      from: oldest,
      to: second,
      amount: '8',
      description: null,
      metadata: undefined,
    });
    const last = (await answerOf(payout())).id as string; // leaves nothing on the oldest
    const [, next] = await Promise.all([send({ type: 'close_account', account: oldest }), answerOf(payout())]);
    expect(next).toMatchObject({ from: second });
    expect(await answerOf(payout())).toMatchObject({ from: second });
    await send({ type: 'step_payout', payout: last, to: 'failed', failureCode: null, nextDelayMs: null });
    const names = await statementsOf(writing, async () =>
      expect(await answerOf(payout())).toMatchObject({ from: oldest }),
    );
    expect(names.slice(0, 2)).toEqual(CACHED);
  });

  it.each([
    ['never arrived', true],
    ['was not answered', false],
  ])('a COMMIT that %s: one effect, one answer', async (_, isLost) => {
    let commits = 0;
    writing.tamper = async (statement, run) => {
      const isFirst = statement.text === 'COMMIT' && commits++ === 0;
      const result = isFirst && isLost ? { rows: [] } : await run(statement);
      if (isFirst) throw Object.assign(new Error('gone'), { code: '08006' });
      return result;
    };
    const names = await statementsOf(writing, async () =>
      expect(await answerOf(payout())).toMatchObject({ code: undefined, replayed: false }),
    );
    expect(names.slice(0, 2)).toEqual(CACHED);
    expect(names).toContain('load_idempotency_records');
    const [row] = await writing.sql('SELECT count(*) AS n FROM payouts WHERE environment_id = $1', [
      uuidOf(environmentId),
    ]);
    expect(row).toEqual({ n: 2n });
  });
});

describe('what is known', () => {
  const before: Environment = environment(7n);
  const origin = { actor: 'worker' as const, requestId: newId('req'), idempotencyKey: null };
  const setOf = (...commands: Command[]) =>
    readSetOf(
      commands.map((command, index) => ({
        environmentId: before.id,
        command,
        origin,
        recordKey: `key ${index}`,
        fingerprint: '',
        dryRun: false,
      })),
    );
  const fund = (id: string): Command => ({ type: 'fund_account', account: id, amount: '1' });
  const FUND = setOf(fund(ACCOUNT));

  /** As if a batch had been committed that found these. */
  function caching(objects = [account(), recipient()], environmentBefore = before, aheadMs = 0): StateCache {
    const stateCache = new StateCache();
    put(stateCache, objects, environmentBefore, aheadMs);
    return stateCache;
  }
  function put(stateCache: StateCache, objects: readonly Parameters<State['put']>[0][], from = before, aheadMs = 0) {
    const loaded = loadedNow(from, aheadMs);
    for (const object of objects) loaded.state.put(object);
    stateCache.put(new Map([[from.id, loaded]]), FUND);
    return loaded.state.environment;
  }

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is read again after a minute, or when the clock went back', () => {
    const startMs = Date.now();
    for (const [passedMs, isKnown] of [
      [MINUTE_MS - 1_000, true],
      [MINUTE_MS + 1_000, false],
      [-1_000, false],
    ] as const) {
      const stateCache = caching();
      const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs + passedMs);
      expect(stateCache.get(FUND) !== null).toBe(isKnown);
      clock.mockRestore();
    }
  });

  it('is no object with much metadata', () => {
    const large = { note: 'x'.repeat(1_001) };
    expect(caching([account({ metadata: large })]).get(FUND)).toBeNull();
    const stateCache = caching();
    const environmentNow = stateCache.get(FUND)?.get(before.id)?.before as Environment;
    put(stateCache, [account({ metadata: large })], environmentNow);
    expect(stateCache.get(FUND)).toBeNull(); // and not what it was before
  });

  it('has a bound', () => {
    const accounts = Array.from({ length: 10_001 }, (_, n) => account({ id: idAt('acct', n + 1) }));
    expect(caching(accounts.slice(0, 9_000)).get(FUND)).not.toBeNull();
    expect(caching(accounts).get(FUND)).toBeNull();
  });

  it('has the instant of the database and the sandbox clock, later than the batch before', () => {
    const atMs = (from: Environment, aheadMs = 0) =>
      caching([account()], from, aheadMs).get(FUND)?.get(from.id)?.atMs as number;
    vi.spyOn(Date, 'now').mockReturnValue(AT);
    const earlier = { ...before, lastAtMs: AT - 100_000 };
    expect(atMs(earlier, 5_000)).toBe(AT + 5_001); // the cached batch was at AT + 5,000
    expect(atMs({ ...earlier, clockOffsetMs: 70_000 })).toBe(AT + 70_001);
    expect(atMs({ ...earlier, lastAtMs: AT + 900 })).toBe(AT + 902);
  });

  it('is nothing of an environment that somebody else has written', () => {
    const stateCache = caching();
    put(stateCache, [account({ balance: 1n })], { ...before, lastSequence: 9n });
    expect(stateCache.get(FUND)).toBeNull();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 11_000); // both take turns no more
    expect(stateCache.get(FUND)?.get(before.id)?.state.tables.account.get(ACCOUNT)?.balance).toBe(1n);
    expect(stateCache.get(setOf({ type: 'archive_recipient', recipient: RECIPIENT }))).toBeNull();
  });
});
