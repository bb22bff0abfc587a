/** The sandbox over real HTTP: its clock, starting over, and payouts that move on by themselves; grouped by status. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { TEST_ACCOUNTS } from '../../core/rails/test-accounts.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { audit, auditDatabase, withClient } from '../../../test/support/model/audit.ts';
import { furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';

const DAY_S = 86_400;
let application: Application;
let client: Client;

beforeAll(async () => {
  application = await startApplication({ config: { sandboxStepSeconds: 1 } });
  client = application.sandbox.client;
});
afterAll(() => application?.stop());

const advance = (seconds: unknown, as = client) => as.post('/v1/test_helpers/clock/advance', { seconds });
const nowS = () => Date.now() / 1000;

async function rich(as: Client): Promise<{ account: string; recipient: string }> {
  const account = idIn(await as.post('/v1/accounts', { currency: 'EUR' }));
  must(await as.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100_000 }));
  return { account, recipient: idIn(await as.post('/v1/recipients', RECIPIENT)) };
}

describe('200', () => {
  it('moves the clock: quotes expire by it, new objects are made by it', async () => {
    const quote = must(
      await client.post('/v1/exchanges/quote', { sell_currency: 'EUR', buy_currency: 'USD', amount: 5 }),
    ).json;
    expect(must(await advance(3_600)).json).toEqual({
      object: 'clock',
      livemode: false,
      now: expect.closeTo(nowS() + 3_600, -1),
      offset_seconds: 3_600,
    });
    expect(must(await advance(60)).json).toMatchObject({ offset_seconds: 3_660 });
    expect(must(await client.get(`/v1/exchange_quotes/${quote['id'] as string}`)).json).toMatchObject({
      status: 'expired',
    });
    expect(outcome(await client.post('/v1/exchanges', { quote: quote['id'] as string }))).toMatch(/^400 quote_expired/);
    const { json } = must(await client.post('/v1/accounts', { currency: 'EUR' }));
    expect(json['created']).toBeGreaterThan(nowS() + 3_600);
  });

  it.concurrent('a scheduled payout leaves on its day, not before', async () => {
    const { account, recipient } = await rich(client);
    const clockS = must(await advance(1)).json['now'] as number;
    const tomorrow = new Date((clockS + DAY_S) * 1000).toISOString().slice(0, 10);
    const id = idIn(
      await client.post('/v1/payouts', { amount: 5, currency: 'EUR', account, recipient, scheduled_on: tomorrow }),
    );
    const status = async () => must(await client.get(`/v1/payouts/${id}`)).json['status'];
    // One that leaves at once and came later is paid: the worker has passed by.
    const atOnce = idIn(await client.post('/v1/payouts', { amount: 5, currency: 'EUR', account, recipient }));
    await eventually('the payout of today is paid', async () => {
      return must(await client.get(`/v1/payouts/${atOnce}`)).json['status'] === 'paid';
    });
    expect(await status()).toBe('pending');
    must(await advance(DAY_S));
    await eventually('the payout is paid', async () => (await status()) === 'paid');
  });

  it.concurrent('payouts end as their magic account says, by themselves', async () => {
    const { client: other } = application.otherSandbox;
    await rich(other);
    const payouts = await Promise.all(
      [...TEST_ACCOUNTS, { iban: RECIPIENT.iban, outcome: 'paid', failureCode: null }].map(
        async ({ iban, outcome: end, failureCode }) => {
          const recipient = idIn(await other.post('/v1/recipients', { ...RECIPIENT, iban }));
          return {
            id: idIn(await other.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient })),
            end,
            failureCode,
          };
        },
      ),
    );
    expect(payouts.length).toBeGreaterThan(20);
    const ended = async () =>
      (await Promise.all(payouts.map(({ id }) => other.get(`/v1/payouts/${id}`)))).map(({ json }) => [
        json['status'],
        json['failure_code'],
      ]);
    const expected = payouts.map(({ end, failureCode }) => [end, failureCode]);
    await eventually(
      'each has ended as its account says',
      async () => JSON.stringify(await ended()) === JSON.stringify(expected),
    );
    const balances = must(await other.get('/v1/accounts')).json['data'] as readonly Json[];
    expect(balances[0]).toMatchObject({ balance: 10_000_000 - 100 }); // only the one that was paid is gone
  });

  it('starts over: nothing is left but keys and the count of events', async () => {
    const mine = await application.key({ merchant: 'third' });
    const fixtures = await furnish(application, mine);
    must(await advance(500, mine.client));
    const [last] = must(await mine.client.get('/v1/events?limit=1')).json['data'] as readonly [Json];
    expect(must(await mine.client.post('/v1/test_helpers/reset')).json).toEqual({ object: 'reset', livemode: false });
    for (const list of ['accounts', 'transfers', 'recipients', 'exchanges', 'payouts', 'events', 'webhook_endpoints']) {
      expect(must(await mine.client.get(`/v1/${list}`)).json).toEqual({ data: [] });
    }
    expect(outcome(await mine.client.get(`/v1/exchange_quotes/${fixtures.quote}`))).toMatch(/^404 /);
    const { we, dlv, rep } = fixtures;
    for (const path of ['deliveries', `deliveries/${dlv}`, 'replays', `replays/${rep}`, '']) {
      expect(outcome(await mine.client.get(`/v1/webhook_endpoints/${we}/${path}`.replace(/\/$/, '')))).toMatch(/^404 /);
    }
    expect(must(await advance(1, mine.client)).json).toMatchObject({ offset_seconds: 1 });
    must(await mine.client.post('/v1/accounts', { currency: 'EUR' }));
    const after = must(await mine.client.get('/v1/events')).json['data'] as readonly Json[];
    expect(after).toHaveLength(1);
    const [next] = after as readonly [Json];
    // The worker may have moved payouts on between the look and the reset.
    expect(next['sequence']).toBeGreaterThan(last['sequence'] as number);
    // The endpoints of before hear nothing of it; new ones work.
    const left = `SELECT count(*)::int AS count FROM deliveries WHERE environment_id = $1`;
    expect(await application.sql(left, [uuidOf(mine.environmentId)])).toEqual([{ count: 0 }]);
    const hook = { url: 'https://hooks.example.com/', enabled_events: ['account.*'] };
    const endpoint = idIn(await mine.client.post('/v1/webhook_endpoints', hook));
    must(await mine.client.post('/v1/accounts', { currency: 'EUR' }));
    const deliveries = must(await mine.client.get(`/v1/deliveries?webhook_endpoint=${endpoint}`)).json['data'];
    expect(deliveries).toMatchObject([{ event_type: 'account.created', sequence: (next['sequence'] as number) + 2 }]);
    expect((must(await client.get('/v1/accounts')).json['data'] as readonly Json[]).length).toBeGreaterThan(0);
  });
});

describe('a reset', () => {
  it('leaves books that are in order, before its next event as well; events that are lost behind it are noticed', async () => {
    const mine = await application.key({ merchant: 'reset and verified' });
    await furnish(application, mine, 'verified', { limited: true });
    const damages = () => auditDatabase(application.databaseUrl);
    must(await mine.client.post('/v1/test_helpers/reset', {}, { idempotencyKey: 'over' }));
    expect(await damages()).toEqual([]);
    const pair = { sell_currency: 'EUR', buy_currency: 'USD', amount: 5 };
    must(await mine.client.post('/v1/exchanges/quote', pair)); // a change without an event
    expect(await damages()).toEqual([]);
    for (const name of ['one', 'two']) must(await mine.client.post('/v1/accounts', { currency: 'EUR', name }));
    expect(await damages()).toEqual([]);
    const without = (events: string) =>
      withClient(application.databaseUrl, async (owner) => {
        await owner.query('BEGIN');
        const lost = `DELETE FROM events e WHERE environment_id = $1 AND ${events}`;
        await owner.query(lost, [uuidOf(mine.environmentId)]);
        return (await audit(owner)).join('\n');
      });
    const first = '(SELECT min(sequence) FROM events f WHERE f.environment_id = e.environment_id)';
    expect(await without(`sequence = ${first}`)).toMatch(/expected events from \d+ on/);
    expect(await without('true')).toMatch(/expected newest event \d+, found no event/);
  });

  it('goes back to a first start: rules, limits, fees, markups and a freeze are gone', async () => {
    const { client: mine } = await application.key({ merchant: 'reset rules' });
    const paths = ['settings/payouts', 'limits', 'fee_rules', 'settings/exchanges', 'settings'];
    const state = () => Promise.all(paths.map(async (path) => must(await mine.get(`/v1/${path}`)).text));
    const first = await state();
    must(await mine.post('/v1/limits', { count: 0, per: 'environment' }));
    must(await mine.post('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: 1 }));
    must(await mine.post('/v1/settings/exchanges', { position_limit: 100, markups: { EUR_USD: 40 } }));
    must(await mine.post('/v1/settings', { name: 'Acme', daily_statements: true }));
    must(
      await mine.post('/v1/settings/payouts', { frozen: true, approvals_required: 2, hold_new_recipients_hours: 24 }),
    );
    for (const [index, text] of (await state()).entries()) expect(text, paths[index]).not.toBe(first[index]);
    must(await mine.post('/v1/test_helpers/reset'));
    expect(await state()).toEqual(first);
  });

  it('leaves no row but those of keys, rules and records of what was done, and gives limits their whole room again', async () => {
    const mine = await application.key({ merchant: 'reset to the last row' });
    await furnish(application, mine, 'rows', { limited: true });
    must(await mine.client.post('/v1/limits', { count: 1, per: 'environment' }));
    must(await mine.client.post('/v1/test_helpers/reset', { seed: true }));
    must(await mine.client.post('/v1/test_helpers/reset'));
    const tables = await application.sql(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'environment_id' AND table_schema = 'public'",
      [],
    );
    expect(tables.length).toBeGreaterThan(30);
    const held: string[] = [];
    for (const { name } of tables as readonly { readonly name: string }[]) {
      const statement = `SELECT count(*)::int4 AS rows FROM ${name} WHERE environment_id = $1`;
      const [counted] = await application.sql(statement, [uuidOf(mine.environmentId)]);
      if (counted?.['rows'] !== 0) held.push(name);
    }
    expect(held.sort()).toEqual(['api_keys', 'audit_log', 'environments', 'one_time_links', 'users']);

    const pay = async () => {
      must(await mine.client.post('/v1/test_helpers/reset', { seed: true }));
      const [{ id: recipient }] = must(await mine.client.get('/v1/recipients')).json['data'] as readonly [Json];
      return mine.client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient });
    };
    expect([outcome(await pay()), outcome(await pay())]).toEqual(['200', '200']);
  });

  it('starts over in the past, and goes on from there to the present', async () => {
    const mine = await application.key({ merchant: 'reset into the past' });
    must(await mine.client.post('/v1/accounts', { currency: 'EUR' })); // younger than all that comes
    must(await mine.client.post('/v1/test_helpers/reset', { offset_seconds: -30 * DAY_S }));
    const first = await rich(mine.client);
    const account = must(await mine.client.get(`/v1/accounts/${first.account}`)).json;
    expect(account['created']).toBeCloseTo(nowS() - 30 * DAY_S, -2);
    const now = must(await advance(30 * DAY_S, mine.client)).json;
    expect(now).toMatchObject({ offset_seconds: 0, now: expect.closeTo(nowS(), -1) });
    await rich(mine.client);
    const dates = (must(await mine.client.get('/v1/events?order=asc')).json['data'] as readonly Json[]).map(
      ({ created }) => created as number,
    );
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    expect(dates.at(-1)).toBeGreaterThan((dates[0] as number) + 29 * DAY_S);
    const [entry] = must(await mine.client.get('/v1/audit_log?action=sandbox.reset')).json['data'] as readonly [Json];
    expect(entry).toMatchObject({ details: { offset_seconds: -30 * DAY_S } });
    expect(entry['created']).toBeLessThanOrEqual(account['created'] as number); // whole seconds
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
    // The next reset is in the present again.
    must(await mine.client.post('/v1/test_helpers/reset'));
    expect(must(await advance(1, mine.client)).json).toMatchObject({ offset_seconds: 1 });
  });

  const reset = (as: Client, idempotencyKey?: string) =>
    as.post('/v1/test_helpers/reset', {}, idempotencyKey === undefined ? {} : { idempotencyKey });
  const accounts = async (as: Client) => (must(await as.get('/v1/accounts')).json['data'] as readonly Json[]).length;

  it('is done once under a key, also by requests at the same time', async () => {
    const { client: mine } = await application.key({ merchant: 'reset once' });
    must(await mine.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey: 'an account' }));
    const first = must(await reset(mine, 'over'));
    expect([first.headers['idempotent-replayed'], await accounts(mine)]).toEqual([undefined, 0]);
    must(await mine.post('/v1/accounts', { currency: 'EUR' }));
    const again = must(await reset(mine, 'over'));
    expect([again.headers['idempotent-replayed'], again.text, await accounts(mine)]).toEqual(['true', first.text, 1]);
    expect(outcome(await mine.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey: 'over' }))).toMatch(
      /^400 idempotency_key_reused/,
    );
    must(await mine.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey: 'another' }));
    expect(outcome(await reset(mine, 'another'))).toMatch(/^400 idempotency_key_reused/);
    const both = await Promise.all([reset(mine, 'both'), reset(mine, 'both')]);
    for (const reply of both) must(reply);
    expect(both.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(1);
  });

  it('fills the sandbox again with seed=true, also when it is repeated after half of it', async () => {
    const { client: mine, environmentId } = await application.key({ merchant: 'reset seeded' });
    must(await mine.post('/v1/accounts', { currency: 'JPY' }));
    const over = () => mine.post('/v1/test_helpers/reset', { seed: true }, { idempotencyKey: 'seeded' });
    const held = async () => ({
      accounts: (must(await mine.get('/v1/accounts')).json['data'] as readonly Json[])
        .map(({ currency, balance }) => `${currency as string} ${balance as number}`)
        .toSorted(),
      recipients: (must(await mine.get('/v1/recipients')).json['data'] as readonly Json[]).map(({ name }) => name),
    });
    const full = { accounts: ['EUR 1000000', 'GBP 1000000', 'USD 1000000'], recipients: ['Ada Lovelace'] };
    expect(must(await over()).json).toEqual({ object: 'reset', livemode: false });
    expect(await held()).toEqual(full);
    must(await over());
    expect(await held()).toEqual(full);
    const [event] = must(await mine.get('/v1/events?limit=1')).json['data'] as readonly [Json];
    expect((event['request'] as Json)['actor']).toMatch(/^key_/);
    // As a process that ended before the last of it would leave it.
    const uuid = uuidOf(environmentId);
    await application.sql('DELETE FROM recipient_versions WHERE environment_id = $1', [uuid]);
    await application.sql('DELETE FROM recipients WHERE environment_id = $1', [uuid]);
    await application.sql(
      `DELETE FROM idempotency_records WHERE environment_id = $1 AND key = '§first-start recipient'`,
      [uuid],
    );
    expect(must(await over()).headers['idempotent-replayed']).toBe('true');
    expect((await held()).accounts).toEqual(full.accounts);
    const [{ count } = { count: 0 }] = await application.sql(
      'SELECT count(*)::int AS count FROM recipients WHERE environment_id = $1',
      [uuid],
    );
    expect(count).toBe(1);
    expect(outcome(await mine.post('/v1/test_helpers/reset', { seed: 'maybe' }))).toBe('400 parameter_invalid seed');
  });

  it('does no harm to requests beside it: each is answered, and none with a 500', async () => {
    const { client: mine } = await application.key({ merchant: 'reset beside' });
    let goesOn = true;
    const seen = new Map<string, number>();
    const note = (reply: Reply) => {
      const key = reply.status === 200 ? '200' : outcome(reply);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return reply;
    };
    const work = async (n: number) => {
      for (let i = 0; goesOn; i++) {
        const key = { idempotencyKey: `${n} ${i % 7}` };
        note(await mine.post('/v1/accounts', { currency: 'EUR' }, key));
        const { json } = note(await mine.get('/v1/accounts'));
        const account = ((json['data'] ?? []) as readonly Json[])[0]?.['id'] as string | undefined;
        if (account !== undefined) note(await mine.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '10' }));
        const recipient = note(await mine.post('/v1/recipients', RECIPIENT)).json['id'] as string | undefined;
        if (recipient !== undefined) note(await mine.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient }));
        note(await mine.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: 1 }));
        note(await mine.post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/' }));
      }
    };
    const working = Promise.all([1, 2, 3, 4].map(work));
    for (let i = 0; i < 25; i++) must(await reset(mine));
    goesOn = false;
    await working;
    expect([...seen.keys()].filter((key) => key.startsWith('5'))).toEqual([]);
    expect(seen.get('200')).toBeGreaterThan(25);
  });

  it('is all or nothing when its session is ended half way', async () => {
    const mine = await application.key({ merchant: 'reset killed' });
    await furnish(application, mine);
    const uuid = uuidOf(mine.environmentId);
    const events = async () =>
      (await application.sql('SELECT id FROM events WHERE environment_id = $1', [uuid])).map(({ id }) => id);
    const before = await events();
    // The environment's lock is held, so the reset has erased the events and waits.
    const holder = new pg.Client(application.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM environments WHERE environment_id = $1 FOR UPDATE', [uuid]);
    const killed = reset(mine.client, 'killed');
    await eventually('the reset waits for a lock, and its connection is ended', async () => {
      const [ended] = await application.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE environments SET clock_offset_ms = %'`);
      return ended !== undefined;
    });
    expect(outcome(await killed)).toBe('503 database_unavailable');
    await holder.end();
    expect(await events()).toEqual(expect.arrayContaining(before)); // and those that workers made since
    must(await reset(mine.client, 'killed'));
    expect(await events()).toEqual([]);
  });
});

describe('400', () => {
  it.each([0, -5, 1.5, 366 * DAY_S + 1, 'x', [5], true])('seconds: %j', async (seconds) => {
    expect(outcome(await advance(seconds))).toBe('400 parameter_invalid seconds');
  });

  it.each([1, -366 * DAY_S - 1, -1.5, 'x', [0], true])('offset_seconds of a reset: %j', async (offset) => {
    const mine = await application.key({ merchant: 'reset refused' });
    must(await mine.client.post('/v1/accounts', { currency: 'EUR' }));
    const refused = await mine.client.post('/v1/test_helpers/reset', { offset_seconds: offset });
    expect(outcome(refused)).toBe('400 parameter_invalid offset_seconds');
    expect((must(await mine.client.get('/v1/accounts')).json['data'] as readonly Json[]).length).toBeGreaterThan(0);
  });

  it('further ahead than ten years, all together', async () => {
    const mine = await application.key({ merchant: 'fourth' });
    for (let year = 0; year < 10; year++) must(await advance(366 * DAY_S, mine.client));
    expect(outcome(await advance(1, mine.client))).toBe('400 parameter_invalid seconds');
    must(await mine.client.post('/v1/accounts', { currency: 'EUR' }));
  });

  it('parameters that are not there', async () => {
    expect(outcome(await client.post('/v1/test_helpers/clock/advance', {}))).toBe('400 parameter_missing seconds');
    expect(outcome(await client.post('/v1/test_helpers/reset', { really: true }))).toBe('400 parameter_unknown really');
  });
});

describe('401, 403, 404', () => {
  it.each(['clock/advance', 'reset'])('%s is for sandbox keys with the scope', async (helper) => {
    const path = `/v1/test_helpers/${helper}`;
    expect(outcome(await client.send('POST', path, '', { authorization: '' }))).toBe('401 api_key_invalid');
    expect(outcome(await application.live.client.post(path, { seconds: 5 }))).toBe('403 sandbox_only');
    const narrow = await application.key({ scopes: ['test_helpers:read', 'payouts:write'] });
    expect(outcome(await narrow.client.post(path, { seconds: 5 }))).toBe('403 scope_missing');
    expect(outcome(await client.post(`${path}/x`, {}))).toBe('404 path_unknown');
  });
});
