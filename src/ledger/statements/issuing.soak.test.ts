/**
 * Daily statements by the clock of a sandbox: one of each day that has ended, told of by one event, with a content that
 * can be downloaded in every format. Kills: `test/long/daily-statements.test.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { startSecondServer } from '../../../test/support/harness/second-server.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';

let application: Application;
let sandboxes = 0;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const WITHIN = { timeout: 20_000, interval: 50 };
const today = isoDay(Date.now());
const inDays = (days: number) => isoDay(Date.now() + days * DAY_MS);

/** A sandbox of its own, since its clock is moved; with an account that has money. */
async function sandbox(isWanted = true) {
  const merchant = `daily statements ${sandboxes++}`;
  const { client, environmentId } = await application.key({ merchant });
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100 }));
  const want = async (wanted: boolean) => must(await client.post('/v1/settings', { daily_statements: wanted })).json;
  if (isWanted) await want(true);
  const list = async (path: string) => must(await client.get(path)).json['data'] as readonly Json[];
  return {
    client,
    merchant,
    account,
    environmentId,
    want,
    advance: async (days: number) =>
      must(await client.post('/v1/test_helpers/clock/advance', { seconds: (days * DAY_MS) / 1000 })),
    statements: () => list('/v1/daily_statements?limit=100&order=asc'),
    events: () => list('/v1/events?type=daily_statement.created&limit=100&order=asc'),
  };
}
const dayOf = (statement: Json) => statement['day'];

/**
 * Resolves when the worker has done a round that began after now: the day of another sandbox had ended then, and has
 * its statement.
 */
async function oneRound(): Promise<void> {
  const { advance, statements } = await sandbox();
  await advance(1);
  await eventually('a round of the worker', async () => (await statements()).length === 1);
}

describe.concurrent('daily statements', () => {
  it('are made where they are wanted, once a day has ended, and told of by one event', async ({ expect }) => {
    const { statements, events, advance, want, client } = await sandbox(false);
    expect((await client.get('/v1/settings')).json).toMatchObject({ daily_statements: false });
    await advance(1);
    await oneRound();
    expect(await statements()).toEqual([]);
    expect(await want(true)).toMatchObject({ daily_statements: true });
    await oneRound();
    expect(await statements(), 'the day is still on').toEqual([]);
    await advance(1);
    await expect.poll(statements, WITHIN).toHaveLength(1);
    const [statement] = (await statements()) as [Json];
    const id = statement['id'] as string;
    expect(statement).toMatchObject({
      id: expect.stringMatching(/^stm_/) as string,
      object: 'daily_statement',
      day: inDays(1),
      from: Date.parse(inDays(1)) / 1000,
      to: Date.parse(inDays(2)) / 1000 - 1,
      content: `/v1/daily_statements/${id}/content`,
    });
    expect(await events()).toMatchObject([{ type: 'daily_statement.created', data: { object: statement } }]);
    expect((await client.get(`/v1/daily_statements/${id}`)).json).toEqual(statement);
    await want(true); // changes nothing
    await advance(2);
    await expect.poll(statements, WITHIN).toHaveLength(3);
    await want(false);
    await advance(3);
    await oneRound();
    expect((await statements()).map(dayOf)).toEqual([inDays(1), inDays(2), inDays(3)]);
    await want(true);
    await advance(1);
    await expect.poll(async () => (await statements()).map(dayOf), WITHIN).toContain(inDays(7));
    expect(await statements(), 'days on which none were wanted have none').toHaveLength(4);
  });

  it('say what the accounts had on that day, in every format, of all accounts or of one', async ({ expect }) => {
    const { client, account, advance, statements } = await sandbox();
    await advance(1);
    const other = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await client.post('/v1/transfers', { from: account, to: other, amount: 7 }));
    await advance(1);
    await expect.poll(statements, WITHIN).toHaveLength(2);
    must(await client.post('/v1/transfers', { from: account, to: other, amount: 8 }));
    const [first, second] = (await statements()).map((each) => each['content'] as string) as [string, string];
    const read = async (path: string) =>
      must(await client.get(path)).json as unknown as { statements: readonly Json[] };
    expect((await read(first)).statements).toMatchObject([{ account, opening_balance: 0, closing_balance: 10_000 }]);
    expect((await read(second)).statements).toMatchObject([
      { account, opening_balance: 10_000, closing_balance: 9_300, lines: [{ amount_minor: -700 }] },
      { account: other, opening_balance: 0, closing_balance: 700 },
    ]);
    const day = inDays(1);
    expect(await read(second)).toEqual(await read(`/v1/account_statements?from=${day}&to=${day}`));
    const of = await read(`/v1/accounts/${other}/statement?from=${day}&to=${day}`);
    expect(await read(`${second}?account=${other}`)).toEqual({ ...(await read(second)), statements: [of] });
    expect(outcome(await client.get(`${first}?account=${other}`)), 'it was not there yet').toBe(
      '404 resource_missing account',
    );
    const camt = must(await client.get(`${second}?format=camt.053`));
    expect(camt.text).toContain(`<MsgId>${second.slice('/v1/daily_statements/stm_'.length, -'/content'.length)}`);
    expect(must(await client.get(`${second}?format=camt.053`)).text, 'the same again').toBe(camt.text);
    expect(must(await client.get(`${second}?format=csv`)).text.match(/\r\nclosing,/g)).toHaveLength(2);
    const pdf = must(await client.get(`${second}?format=pdf`));
    expect(pdf.headers['content-disposition']).toMatch(/filename="stm_\w+_[\d_-]+\.pdf"/);
    expect(pdf.text).toMatch(/^%PDF-/);
  });

  it('that were missed are made up in their order', async ({ expect }) => {
    const { advance, statements, events } = await sandbox();
    await advance(45);
    await expect.poll(statements, WITHIN).toHaveLength(45);
    expect((await statements()).map(dayOf)).toEqual(Array.from({ length: 45 }, (_, index) => inDays(index)));
    expect((await events()).map((event) => (event['data'] as { object: Json }).object)).toEqual(await statements());
  });

  it('are found by their day, and not by another environment or a key without the scope', async ({ expect }) => {
    const { client, merchant, advance, statements } = await sandbox();
    await advance(3);
    await expect.poll(statements, WITHIN).toHaveLength(3);
    const of = async (path: string, from: Client = client) => outcome(await from.get(path));
    expect((await client.get(`/v1/daily_statements?day=${inDays(1)}`)).json['data']).toMatchObject([
      { day: inDays(1) },
    ]);
    expect(await of('/v1/daily_statements?day=tomorrow')).toBe('400 parameter_invalid day');
    const [statement] = (await statements()) as [Json];
    const content = statement['content'] as string;
    expect(await of(`${content}?format=mt940`)).toBe('400 parameter_invalid format');
    expect(await of(`${content}?account=acct_01jd3v9q4ne8v8k3w2m6r5t7xa`)).toBe('404 resource_missing account');
    expect(await of(content, application.otherSandbox.client)).toBe('404 resource_missing id');
    expect(await of(statement['content'] as string)).toBe('200');
    const { client: narrow } = await application.key({ merchant, scopes: ['payouts:read'] });
    expect(await of(content, narrow)).toBe('403 scope_missing');
    expect(await of('/v1/daily_statements', narrow)).toBe('403 scope_missing');
  });
});

it('of a live environment are made by the clock of the database', async () => {
  const { client, environmentId } = application.live;
  idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post('/v1/settings', { daily_statements: true }));
  await application.sql('UPDATE settings SET next_statement_day = $2 WHERE environment_id = $1', [
    uuidOf(environmentId),
    inDays(-3),
  ]);
  const days = async () => (must(await client.get('/v1/daily_statements')).json['data'] as readonly Json[]).map(dayOf);
  await expect.poll(days, WITHIN).toEqual([inDays(-1), inDays(-2), inDays(-3)]);
});

it('two servers, both at it: every day has one statement and one event, in order', async () => {
  const second = await startSecondServer(application);
  try {
    const all = await Promise.all(Array.from({ length: 12 }, () => sandbox()));
    // Without the lease, too: whoever holds it, rounds of both at once must do no harm.
    for (let leap = 0; leap < 5; leap++) {
      await Promise.all(all.map(({ advance }) => advance(4)));
      await application.sql("UPDATE worker_leases SET expires_at = '-infinity' WHERE worker = 'statements'");
      await sleep(200);
    }
    const ids = all.map(({ environmentId }) => uuidOf(environmentId));
    const made = `SELECT count(*)::int AS statements, count(DISTINCT (environment_id, day))::int AS days,
        min(day)::text AS first, max(day)::text AS last,
        (SELECT count(*)::int FROM events WHERE environment_id = ANY ($1) AND type = 'daily_statement.created') AS events
      FROM daily_statements WHERE environment_id = ANY ($1)`;
    const count = all.length * 20;
    const wanted = { statements: count, days: count, first: today, last: inDays(19), events: count };
    await expect.poll(() => application.sql(made, [ids]), WITHIN).toEqual([wanted]);
  } finally {
    await second.stop();
  }
});

it('control: what makes a day twice is refused by the database', async () => {
  const { statements, advance, environmentId } = await sandbox();
  await advance(1);
  await expect.poll(statements, WITHIN).toHaveLength(1);
  await expect(
    application.sql(
      'INSERT INTO daily_statements SELECT environment_id, gen_random_uuid(), day, created_at FROM daily_statements WHERE environment_id = $1',
      [uuidOf(environmentId)],
    ),
  ).rejects.toThrow(/daily_statements_day/);
});

it('go with the sandbox when it is reset', async () => {
  const { client, statements, advance } = await sandbox();
  await advance(1);
  await expect.poll(statements, WITHIN).toHaveLength(1);
  must(await client.post('/v1/test_helpers/reset', {}));
  expect(await statements()).toEqual([]);
});
