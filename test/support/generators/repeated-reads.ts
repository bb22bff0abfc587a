/**
 * An answer that is given again is the one that a server without a memory would give: after every write, through either
 * of two servers on one database, each address is asked on both, and compared with the same question never asked before
 * (the same address with one more `&`). Few steps: `test/soak/repeated-reads.test.ts`; many: `test/long/repeated-reads.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { type Application, type Holder, startApplication } from '../harness/application.ts';
import { newSeed, seeded } from './seeded.ts';
import { eventually } from '../harness/eventually.ts';
import { type Fixtures, furnish } from '../harness/fixtures.ts';
import type { Client, Json, Reply } from '../harness/http.ts';
import { rewriteStatements } from '../faults/rewrite.ts';
import { ROUTES } from '../harness/all-routes.ts';
import { startSecondServer, type SecondServer } from '../harness/second-server.ts';

const pick = <T>(chance: () => number, from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;

/** What may change: each by way of one server or the other. */
function changes(
  client: Client,
  approver: Client,
  ids: Fixtures,
): readonly ((at: string, n: number) => Promise<Reply>)[] {
  const post = (path: string, body: object, at: string) => client.post(path, body, { at });
  const order = () => ({ amount: 1, currency: 'EUR', recipient: ids.rcp, account: ids.acct });
  return [
    (at) => post('/v1/payouts', order(), at),
    (at) => post('/v1/payouts/batch', { payouts: [order(), order()] }, at),
    (at) => post(`/v1/test_helpers/accounts/${ids.acct}/fund`, { amount: 5 }, at),
    (at, n) => post(`/v1/accounts/${ids.acct}`, { name: `account ${n}` }, at),
    (at, n) => post(`/v1/recipients/${ids.rcp}`, { metadata: { n: String(n) } }, at),
    (at, n) => post(`/v1/payouts/${ids.po}`, { metadata: { n: String(n) } }, at),
    (at) => post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: 1 }, at),
    (at, n) => post(`/v1/exchanges/${ids.exc}`, { metadata: { n: String(n) } }, at),
    (at) => post(`/v1/test_helpers/payouts/${ids.po}/advance`, {}, at),
    (at) => post('/v1/accounts', { currency: 'EUR' }, at),
    (at, n) => post(`/v1/standing_orders/${ids.so}`, { amount: n + 1 }, at),
    (at, n) => post(`/v1/bank_accounts/${ids.ba}`, { name: `bank ${n}` }, at),
    (at) => post(`/v1/bank_entries/${ids.be}/assign`, { assignments: [{ to: 'fees', amount: 0.01 }] }, at),
    (at) => post(`/v1/bank_entries/${ids.be}/unassign`, {}, at),
    (at) => post('/v1/payment_files', {}, at),
    (at) => approver.post(`/v1/payment_files/${ids.pf}/abandon`, { reason: 'lost' }, { at }),
    (at) => post(`/v1/standing_orders/${ids.so}/pause`, {}, at),
    (at) => post(`/v1/standing_orders/${ids.so}/resume`, {}, at),
    (at, n) => post('/v1/expected_payments', { amount: n + 1, currency: 'EUR' }, at),
    (at, n) => post('/v1/settings', { name: `settings ${n}` }, at),
    (at) => post('/v1/test_helpers/clock/advance', { seconds: 30 }, at),
    (at) => post('/v1/payouts', { ...order(), amount: 1e9 }, at), // refused
  ];
}

const addresses = ({
  acct,
  rcp,
  trf,
  exc,
  po,
  pob,
  ba,
  sf,
  bs,
  be,
  pf,
  so,
  stm,
  xp,
  evt,
}: Fixtures): readonly string[] => [
  '/v1/accounts?',
  '/v1/accounts?limit=1',
  `/v1/accounts/${acct}?`,
  `/v1/accounts/${acct}/transfers?limit=3`,
  '/v1/transfers?limit=3',
  `/v1/transfers/${trf}?`,
  '/v1/recipients?',
  `/v1/recipients/${rcp}?`,
  `/v1/recipients/${rcp}/versions?`,
  '/v1/payouts?limit=3',
  '/v1/payouts?release=held&expand[]=flags&limit=3',
  `/v1/payouts/${po}?`,
  '/v1/payout_batches?limit=3',
  `/v1/payout_batches/${pob}?`,
  `/v1/payout_batches/${pob}/results?`,
  `/v1/payout_batches/${pob}/release?`,
  '/v1/bank_accounts?',
  `/v1/bank_accounts/${ba}?`,
  '/v1/statement_files?',
  `/v1/statement_files/${sf}?`,
  '/v1/bank_statements?',
  `/v1/bank_statements/${bs}?`,
  `/v1/bank_statements/${bs}/waiting_entries?`,
  '/v1/bank_entries?',
  `/v1/bank_entries/${be}?`,
  '/v1/payment_files?',
  `/v1/payment_files/${pf}?`,
  '/v1/standing_orders?',
  `/v1/standing_orders/${so}?`,
  '/v1/expected_payments?',
  `/v1/expected_payments/${xp}?`,
  '/v1/daily_statements?',
  `/v1/daily_statements/${stm}?`,
  '/v1/exchanges?',
  `/v1/exchanges/${exc}?`,
  '/v1/events?limit=4',
  `/v1/events/${evt}?`,
  '/v1/events?limit=3&delivery_success=false',
  '/v1/audit_log?limit=3',
];

export interface ReadingSize {
  /** Steps, each with a change in four of ten; the sandbox is reset every so many. */
  readonly steps: number;
  readonly resetEvery: number;
  /** Clients that write and read at once, and rounds of each. */
  readonly clients: number;
  readonly rounds: number;
}

/** The tests. */
export function repeatedReads({ steps: allSteps, resetEvery, clients, rounds }: ReadingSize): void {
  let application: Application;
  let second: SecondServer;
  beforeAll(async () => {
    application = await startApplication();
    second = await startSecondServer(application);
  });
  afterAll(async () => {
    await second?.stop();
    await application?.stop();
  });

  let furnished = 0;
  /** An object of every kind, with words that nothing else there has. */
  const furnishOnce = (holder: Holder) => furnish(application, holder, `furniture-${(furnished += 1)}`);

  /** Files for banks are filled and given up by a worker: it changes payouts between two questions until it is done. */
  async function workersDone(): Promise<void> {
    const underWay = "SELECT FROM payment_files WHERE status IN ('claiming', 'abandoning')";
    await eventually('no file is under way', async () => (await application.sql(underWay)).length === 0);
  }

  /** What went wrong, in words: nothing, hopefully. `changing`: the share of steps with a change. */
  async function compare(steps: number, seed: number, changing = 0.4): Promise<string[]> {
    const chance = seeded(seed);
    const { client } = application.sandbox;
    const approver = await application.key();
    const servers = [application.address, second.address];
    let ids = await furnishOnce(application.sandbox);
    let ampersands = 0;
    const wrong: string[] = [];
    for (let n = 0; n < steps; n++) {
      const isReset = n > 0 && n % resetEvery === 0;
      if (isReset) {
        await client.post('/v1/test_helpers/reset', {}, { at: pick(chance, servers) });
        ids = await furnishOnce(application.sandbox);
      }
      const change = pick(chance, changes(client, approver.client, ids));
      const changed = chance() < changing ? await change(pick(chance, servers), n) : null;
      if (changed !== null && changed.status >= 500) wrong.push(changed.text);
      await workersDone();
      ampersands += 1;
      const round = ampersands;
      await Promise.all(
        addresses(ids).map(async (path) => {
          const right = await client.get(path + '&'.repeat(round));
          for (const at of [...servers, ...servers]) {
            const given = await client.send('GET', path, '', {}, at);
            if (given.text !== right.text || given.status !== 200)
              wrong.push(`step ${n}: ${path} at ${at}: ${given.text}`);
          }
        }),
      );
    }
    return wrong;
  }

  it('after any change, through either of two servers, nobody is given an old answer', async () => {
    const seed = newSeed();
    expect(await compare(allSteps, seed), `seed ${seed}`).toEqual([]);
  });

  it('every route that repeats its answers is among those that are compared', async () => {
    const repeatable = ROUTES.flatMap(({ path, isRepeatable }) => (isRepeatable === undefined ? [] : [path]));
    const asked = addresses(await furnishOnce(application.sandbox));
    const answers = (path: string) =>
      asked.some((url) => new RegExp(`^${path.replaceAll(/:\w+/g, '\\w+_\\w+')}\\?`).test(url));
    expect(repeatable.filter((path) => !answers(path))).toEqual([]);
  });

  it('what changes without the path is read anew each time', async () => {
    const { client, environmentId } = application.sandbox;
    await client.post('/v1/test_helpers/reset');
    const { quote } = await furnishOnce(application.sandbox);
    const seen = async (path: string, member: string) => (await client.get(path)).json[member];
    const status = () => seen(`/v1/exchange_quotes/${quote}`, 'status');
    const undelivered = async () =>
      ((await seen('/v1/events?delivery_success=false', 'data')) as readonly Json[]).map(({ type }) => type);
    for (let i = 0; i < 4; i++)
      expect([await status(), await undelivered()]).toEqual(['active', ['recipient.archived']]);
    const own = 'WHERE environment_id = $1';
    await application.sql(`UPDATE quotes SET expires_at = created_at + interval '1 ms' ${own}`, [
      uuidOf(environmentId),
    ]);
    await application.sql(`UPDATE deliveries SET status = 'succeeded' ${own}`, [uuidOf(environmentId)]);
    expect([await status(), await undelivered()]).toEqual(['expired', []]);
  });

  it('control: with versions that stand still, old answers are given', async () => {
    const STILL = '1::bigint AS endpoints_version';
    const restore = rewriteStatements((statement) => {
      if (statement.name !== 'environment_versions') return statement;
      const text = `SELECT k.place::int4, '2026-01-01'::timestamptz AS last_at, ${STILL}
      FROM unnest($1::uuid[]) WITH ORDINALITY AS k (environment_id, place)`;
      return { ...statement, name: 'still_versions', text };
    });
    try {
      const wrong = await compare(8, 1, 1);
      expect(wrong.length).toBeGreaterThan(10);
      expect(wrong.join('\n')).not.toContain('delivery_success'); // which takes no part
    } finally {
      restore();
    }
  });

  it('whoever writes and reads at once sees what was written', async () => {
    const { client } = application.otherSandbox;
    const { acct } = await furnishOnce(application.otherSandbox);
    const balance = (reply: Json) => Number(reply['balance']);
    for (let i = 0; i < 20; i++) await client.get(`/v1/accounts/${acct}`); // so that it is remembered
    await Promise.all(
      Array.from({ length: clients }, async (_, n) => {
        const at = n % 2 === 0 ? application.address : second.address;
        let last = 0;
        for (let i = 0; i < rounds; i++) {
          const funded = await client.post(`/v1/test_helpers/accounts/${acct}/fund`, { amount: 1 }, { at });
          const read = await client.send('GET', `/v1/accounts/${acct}`, '', {}, i % 3 === 0 ? second.address : at);
          expect(balance(read.json)).toBeGreaterThanOrEqual(balance(funded.json));
          expect(balance(read.json)).toBeGreaterThanOrEqual(last);
          last = balance(read.json);
        }
      }),
    );
  });
}
