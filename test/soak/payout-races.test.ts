/**
 * Two server processes on one database are asked for what excludes each other, at once. The order of the events decides what was allowed, and
 * every success is an event. Payouts against a limit that is there, and against a freeze: `src/paying/payouts/rules.long.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { Client, type Json, type Reply } from '../support/harness/http.ts';
import { outcome } from '../support/harness/probe-client.ts';
import { makeKey, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, idIn, must, type Tenant } from '../support/harness/tenant-fixture.ts';
import { auditDatabase } from '../support/model/audit.ts';

let database: Database;
let servers: readonly ServerProcess[] = [];
const tenants: Client[] = [];
beforeAll(async () => {
  database = await createDatabase();
  const start = () => startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '3600' } });
  servers = await Promise.all([start(), start()]);
});
afterAll(async () => {
  for (const client of tenants) client.close();
  await Promise.all(servers.map((server) => server.kill()));
  await database?.drop();
});

const at = (n: number): { readonly at: string } => ({ at: (servers[n % 2] as ServerProcess).address });

interface World extends Tenant {
  /** Of another family. */
  readonly approver: Client;
  pay(n: number): Promise<Reply>;
  /** In their order, without those of balances. */
  events(...types: readonly string[]): Promise<readonly Event[]>;
}
interface Event {
  readonly type: string;
  readonly sequence: number;
  readonly object: Json;
}

async function worldOf(merchant: string): Promise<World> {
  const address = at(0).at;
  const tenant = await createTenant(database.url, address, merchant);
  const approver = new Client(address, (await makeKey(database.url, merchant)).key);
  tenants.push(tenant.client, approver);
  const [account, recipient] = [await tenant.account('EUR', '100000'), await tenant.recipient()];
  return {
    ...tenant,
    approver,
    pay: (n) => tenant.client.post('/v1/payouts', { amount: 1, currency: 'EUR', account, recipient }, at(n)),
    async events(...types) {
      const found: Event[] = [];
      for (let after = 0; ; ) {
        const filter = types.map((type) => `&types[]=${type}`).join('');
        const path = `/v1/events?order=asc&limit=100&after_sequence=${after}${filter}`;
        const data = must(await tenant.client.get(path)).json['data'] as readonly Json[];
        for (const { type, sequence, data: about } of data) {
          found.push({ type, sequence, object: (about as Json)['object'] } as Event);
        }
        if (data.length < 100) return found;
        after = (data.at(-1) as Json)['sequence'] as number;
      }
    },
  };
}

/** Each of six asks one server and then the other, until it is refused. Resolves with the refusals. */
function untilRefused(step: (n: number) => Promise<Reply>): {
  readonly begun: Promise<void>;
  readonly ended: Promise<string[]>;
} {
  let [done, begin] = [0, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ask = async (first: number): Promise<string> => {
    for (let n = first; ; n += 1) {
      const reply = await step(n);
      if (reply.status !== 200) return outcome(reply);
      done += 1;
      if (done === 20) begin();
    }
  };
  return { begun, ended: Promise.all(Array.from({ length: 6 }, (_, n) => ask(n))) };
}

describe('one payout', () => {
  it('that is approved, changed and canceled at once: what came first decides, and each success is an event', async () => {
    const { client, approver, pay, events } = await worldOf('one payout');
    must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
    const held = await Promise.all(Array.from({ length: 30 }, (_, n) => pay(n)));
    const answers = await Promise.all(
      held.map(async (payout, n) => {
        const path = `/v1/payouts/${idIn(payout)}`;
        const { fingerprint } = payout.json['release'] as Json;
        const asked = [
          () => approver.post(`${path}/approve`, { fingerprint }, at(n)),
          () => client.post(path, { reference: 'changed' }, at(n + 1)),
          () => client.post(`${path}/cancel`, {}, at(n >> 1)),
        ];
        const turned = [...asked.slice(n % 3), ...asked.slice(0, n % 3)];
        const replies = await Promise.all(turned.map((ask) => ask()));
        return { id: idIn(payout), replies: replies.map(outcome) };
      }),
    );
    const seen = await events('payout.approved', 'payout.updated', 'payout.canceled');
    const orders = new Set<string>();
    for (const { id, replies } of answers) {
      const order = seen.filter(({ object }) => object['id'] === id).map(({ type }) => type.replace('payout.', ''));
      orders.add(order.join(' '));
      expect(replies.filter((reply) => reply === '200')).toHaveLength(order.length);
      expect(['canceled', 'updated canceled', 'approved canceled', 'approved updated canceled']).toContain(
        order.join(' '),
      );
      const { status } = must(await client.get(`/v1/payouts/${id}`)).json;
      expect(status).toBe('canceled');
      const refused = replies.filter((reply) => reply !== '200');
      for (const reply of refused) {
        expect(reply).toMatch(/^400 (?:approval_outdated fingerprint|payout_not_held|payout_state_invalid reference)$/);
      }
    }
    expect(orders.size).toBeGreaterThan(1); // or they did not race
    expect(await auditDatabase(database.url)).toEqual([]);
  });
});

describe('payouts', () => {
  it('and a limit that is made meanwhile: behind its event there is none', async () => {
    const { client, pay, events } = await worldOf('limit');
    const { begun, ended } = untilRefused(pay);
    await begun;
    must(await client.post('/v1/limits', { count: 0 }, at(1)));
    expect(new Set(await ended)).toEqual(new Set(['400 limit_exceeded']));
    const seen = (await events('payout.created', 'limit.created')).map(({ type }) => type);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.indexOf('limit.created')).toBe(seen.length - 1);
  });

  it('that are made, approved and sent, and a freeze meanwhile: behind its event none is made, and none leaves', async () => {
    const { client, approver, pay, events } = await worldOf('freeze');
    must(await client.post('/v1/limits', { count: 0, action: 'hold' }));
    const { begun, ended } = untilRefused(async (n) => {
      const payout = await pay(n);
      if (payout.status !== 200) return payout;
      const { fingerprint } = payout.json['release'] as Json;
      const approved = await approver.post(`/v1/payouts/${idIn(payout)}/approve`, { fingerprint }, at(n + 1));
      return approved.status === 200
        ? client.post(`/v1/test_helpers/payouts/${idIn(payout)}/pay`, {}, at(n))
        : approved;
    });
    await begun;
    must(await client.post('/v1/settings/payouts', { frozen: true }, at(1)));
    expect(new Set(await ended)).toEqual(new Set(['400 payouts_frozen']));
    const seen = await events('payout.created', 'payout.in_transit', 'payout_rules.updated');
    const behind = seen.slice(seen.findIndex(({ type }) => type === 'payout_rules.updated') + 1);
    expect(seen.length).toBeGreaterThan(40);
    expect(behind).toEqual([]);
  });
});

describe('a key', () => {
  it('that is rolled by both at once is rolled once, and works on at both until its overlap ends', async () => {
    const { client, events } = await worldOf('key');
    const made = must(await client.post('/v1/keys', { name: 'rolled', scopes: ['accounts:write'] })).json;
    const old = new Client(at(0).at, made['secret'] as string);
    const { begun, ended } = untilRefused((n) => old.post('/v1/accounts', { currency: 'EUR' }, at(n)));
    await begun;
    const roll = (n: number) => client.post(`/v1/keys/${made['id'] as string}/roll`, { expires_in: 600 }, at(n));
    const rolls = await Promise.all([roll(0), roll(1)]);
    expect(rolls.map(outcome).sort()).toEqual(['200', '400 key_rolled']);
    const { secret } = (rolls.find(({ status }) => status === 200) as Reply).json;
    const fresh = new Client(at(0).at, secret as string);
    for (const each of [old, fresh]) {
      for (const n of [0, 1]) expect(outcome(await each.post('/v1/accounts', { currency: 'EUR' }, at(n)))).toBe('200');
    }
    must(await client.post(`/v1/keys/${made['id'] as string}/revoke`));
    expect(new Set(await ended)).toEqual(new Set(['401 api_key_invalid']));
    for (const each of [old, fresh]) each.close();
    expect((await events('key.rolled')).length).toBe(1);
  });
});
