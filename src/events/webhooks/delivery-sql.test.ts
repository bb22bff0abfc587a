/**
 * The statements of the dispatcher on real PostgreSQL, from two connections that know nothing of each other: leases, the
 * fence, turns of ordered endpoints, health. With each guard goes a control: the statement without it must fail.
 */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from './delivery.ts';
import { idOf, newId, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { TYPES } from '../../platform/db/wire/types.ts';
import { startWriting, type Writing } from '../../../test/support/harness/writer.ts';
import {
  bookFailures,
  bookFinished,
  bookSuccesses,
  claimDue,
  claimHeads,
  type Finished,
  forgetHealth,
  holdPending,
} from './delivery-sql.ts';
import { API_VERSION } from '../../core/values/version.ts';

let writing: Writing;
let one: pg.Client;
let two: pg.Client;
let environmentId: string;
beforeAll(async () => {
  writing = await startWriting();
  [one, two] = [0, 1].map(() => new pg.Client({ connectionString: writing.url, types: TYPES })) as [
    pg.Client,
    pg.Client,
  ];
  for (const client of [one, two]) {
    await client.connect();
    await client.query("SET TimeZone = 'UTC'; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off");
  }
});
afterAll(async () => {
  await one.end();
  await two.end();
  await writing.stop();
});
beforeEach(async () => {
  await writing.sql('UPDATE webhook_endpoints SET deleted_at = now()'); // of the test before
  environmentId = await writing.environment();
});

const run = async (client: pg.Client, statement: Statement): Promise<Row[]> =>
  (await client.query(statement)).rows as Row[];
const claim = async (client: pg.Client, limit = 1_000, rooms = new Map<string, number>(), usualRoom = 1_000) =>
  (await run(client, claimDue(limit, rooms, usualRoom))).map(claimedFrom);
const claimFirst = async (client: pg.Client) => (await run(client, claimHeads(null))).map(claimedFrom);

function claimedFrom(row: Row): ClaimedDelivery {
  return {
    environmentId: idOf('env', row['environment_id'] as string),
    endpointId: idOf('we', row['endpoint_id'] as string),
    sequence: row['sequence'] as bigint,
    eventId: idOf('evt', row['id'] as string),
    claims: row['claims'] as number,
    inOrder: row['in_order'] as boolean,
    failures: row['failures'] as number,
    livemode: false,
    body: '{}',
    clockOffsetMs: 0,
    endpointsVersion: 1n,
    claimedAtMs: 0,
    isFresh: false,
    trace: null,
  };
}

async function endpoint(ordered = false): Promise<string> {
  const id = newId('we');
  const settings = {
    url: 'https://example.com/',
    enabledEvents: ['account.*'],
    description: null,
    version: API_VERSION,
    ordered,
  };
  const sealed = { sealedSecret: 'v1.sealed', headers: undefined, metadata: undefined, scopes: null };
  await writing.send(environmentId, { type: 'create_webhook_endpoint', id, ...settings, ...sealed });
  return id;
}

/** So many deliveries to every endpoint there is. */
async function events(count: number): Promise<void> {
  const create = { type: 'create_account', currency: 'EUR', name: null, metadata: undefined } as const;
  await Promise.all(Array.from({ length: count }, () => writing.send(environmentId, create)));
}

const name = ({ endpointId, sequence }: ClaimedDelivery) => `${endpointId} ${sequence}`;
const expire = () => writing.sql("UPDATE deliveries SET leased_until = now() - interval '1 second'");
const succeeded = (delivery: ClaimedDelivery): Finished => ({
  delivery,
  status: 'succeeded',
  delayMs: 0,
  attempt: '{"n": 1}',
  failed: false,
});
const failed = (delivery: ClaimedDelivery, delayMs = 0): Finished => ({
  ...succeeded(delivery),
  status: 'pending',
  delayMs,
  failed: true,
});
const stored = () =>
  writing.sql(
    `SELECT status, failures, claims, leased_until IS NULL AS free, jsonb_array_length(attempts) AS attempts FROM deliveries
      WHERE environment_id = $1 ORDER BY endpoint_id, sequence`,
    [uuidOf(environmentId)],
  );

describe('a claim', () => {
  it('is exclusive: of two at once, each delivery goes to one', async () => {
    for (let i = 0; i < 3; i++) await endpoint();
    await events(60);
    for (let poll = 0; poll < 20; poll++) {
      const all = (await Promise.all([claim(one), claim(two), claim(one), claim(two)])).flat().map(name);
      expect(all).toHaveLength(180);
      expect(new Set(all).size).toBe(180);
      expect([...(await claim(one)), ...(await claim(two))]).toEqual([]); // leased
      await expire();
    }
  });

  it('control: without the lease both get everything', async () => {
    await endpoint();
    await events(5);
    const { text, values } = claimDue(100, new Map(), 100);
    const careless = text.replaceAll(/AND \(\w\.leased_until IS NULL OR \w\.leased_until < now\(\)\)/g, '');
    expect(careless).not.toBe(text);
    expect([
      (await run(one, { text: careless, values })).length,
      (await run(two, { text: careless, values })).length,
    ]).toEqual([5, 5]);
  });

  it('takes of each endpoint what it has room for, and of others the usual', async () => {
    const [full, busy, unknown] = [await endpoint(), await endpoint(), await endpoint()];
    await events(20);
    const rooms = new Map([
      [full, 0],
      [busy, 3],
    ]);
    const claimed = await claim(one, 1_000, rooms, 7);
    const countOf = (id: string) => claimed.filter(({ endpointId }) => endpointId === id).length;
    expect([countOf(full), countOf(busy), countOf(unknown)]).toEqual([0, 3, 7]);
  });

  it('leaves nobody out for long, when a few alone would use up the limit', async () => {
    for (let i = 0; i < 10; i++) await endpoint();
    await events(40);
    const served = new Set<string>();
    // By chance one of ten a round: after 60 rounds somebody was left out in one run of fifty, after 400 in none.
    for (let poll = 0; poll < 400 && served.size < 10; poll++) {
      const claimed = await claim(one, 20, new Map(), 20);
      expect(claimed).toHaveLength(20);
      for (const { endpointId } of claimed) served.add(endpointId);
      await expire();
    }
    expect(served.size).toBe(10);
  });

  it('waits until a delivery is due, by the clock of its environment', async () => {
    await endpoint();
    await events(1);
    const [first] = await claim(one);
    await run(one, bookFinished([failed(first!, 60_000)]));
    expect(await claim(one)).toEqual([]);
    await writing.send(environmentId, { type: 'advance_clock', seconds: 59 });
    expect(await claim(one)).toEqual([]);
    await writing.send(environmentId, { type: 'advance_clock', seconds: 2 });
    expect(await claim(one)).toMatchObject([{ failures: 1, claims: 2 }]);
  });
});

describe('the fence', () => {
  /** The first dispatcher was slow; its lease ran out, and a second one has the delivery in hand. */
  async function overtaken(): Promise<{ old: ClaimedDelivery; current: ClaimedDelivery }> {
    await endpoint();
    await events(1);
    const [old] = await claim(one);
    await expire();
    const [current] = await claim(two);
    expect(current?.claims).toBe((old?.claims ?? 0) + 1);
    return { old: old!, current: current! };
  }
  const inHand = { status: 'pending', failures: 0, claims: 2, free: false, attempts: null };

  it('lets nobody book what another has in hand', async () => {
    const { old, current } = await overtaken();
    for (const late of [failed(old), succeeded(old)]) await run(one, bookFinished([late]));
    expect(await stored()).toEqual([inHand]);
    await run(two, bookFinished([succeeded(current)]));
    expect(await stored()).toEqual([{ ...inHand, status: 'succeeded', free: true, attempts: 1 }]);
  });

  it('control: without it the late one takes the delivery out of the other one’s hands', async () => {
    const { old } = await overtaken();
    const { text, values } = bookFinished([failed(old)]);
    const careless = text.replace('AND t.claims = v.c', '');
    expect(careless).not.toBe(text);
    await run(one, { text: careless, values });
    expect(await stored()).toEqual([{ ...inHand, failures: 1, free: true, attempts: 1 }]);
    expect(await claim(one)).toHaveLength(1); // sent a second time, while the other is still sending
  });

  it('books once what is booked twice', async () => {
    await endpoint();
    await events(1);
    const [only] = await claim(one);
    for (let i = 0; i < 3; i++) await run(one, bookFinished([failed(only!)]));
    expect(await stored()).toEqual([{ ...inHand, failures: 1, claims: 1, free: true, attempts: 1 }]);
  });

  it('keeps the last hundred attempts', async () => {
    await endpoint();
    await events(1);
    for (let i = 0; i < 103; i++) await run(one, bookFinished([failed((await claim(one))[0]!)]));
    expect(await stored()).toMatchObject([{ failures: 103, attempts: 100 }]);
  });
});

describe('an ordered endpoint', () => {
  it('has its first pending delivery claimed, and no other while that is in somebody’s hands', async () => {
    await endpoint(true);
    await endpoint(true);
    await events(3);
    expect(await claim(one)).toEqual([]);
    const [here, there] = await Promise.all([claimFirst(one), claimFirst(two)]);
    const first = [...here, ...there];
    expect(first).toHaveLength(2);
    expect(new Set(first.map(({ sequence }) => sequence)).size).toBe(1);
    expect([...(await claimFirst(one)), ...(await claimFirst(two))]).toEqual([]);
    await run(one, bookFinished(first.map((each) => failed(each, 60_000))));
    expect(await claimFirst(two)).toEqual([]); // not due, and nothing overtakes it
    await writing.send(environmentId, { type: 'advance_clock', seconds: 61 });
    const again = await claimFirst(two);
    expect(again.map(name).toSorted()).toEqual(first.map(name).toSorted());
    await run(two, bookFinished(again.map(succeeded)));
    const next = await claimFirst(one);
    expect(next.map(({ sequence }) => sequence)).toEqual(first.map(({ sequence }) => sequence + 1n));
  });

  it('control: without the look at the first one, the second overtakes it', async () => {
    await endpoint(true);
    await events(2);
    const [first] = await claimFirst(one);
    const { text, values } = claimHeads(null);
    const careless = text.replace('AND d.in_order', 'AND d.in_order AND d.leased_until IS NULL');
    expect(careless).not.toBe(text);
    const [second] = (await run(two, { text: careless, values })).map(claimedFrom);
    expect(second?.sequence).toBe(first!.sequence + 1n);
  });
});

describe('endpoints that were disabled', () => {
  it('have what waits held, in nobody’s way, but not what is in somebody’s hands', async () => {
    const id = await endpoint();
    await endpoint();
    await events(4);
    await claim(one, 1_000, new Map([[id, 1]]), 0);
    await writing.send(environmentId, { type: 'disable_webhook_endpoint', endpoint: id, reason: 'requested' });
    const statuses = async () =>
      (await stored()).map(({ status, free }) => `${status as string} ${free === true ? 'free' : 'in hand'}`);
    await run(one, holdPending(false));
    const other = Array.from({ length: 4 }, () => 'pending free');
    expect((await statuses()).toSorted()).toEqual(
      ['held free', 'held free', 'held free', 'pending in hand', ...other].toSorted(),
    );
    await expire();
    await run(one, holdPending(false));
    expect((await statuses()).filter((status) => status.startsWith('held'))).toHaveLength(4);
    expect(await claim(two)).toHaveLength(4);
  });
});

describe('health', () => {
  it('knows since when an endpoint is without success', async () => {
    const key = { environmentId, id: await endpoint() };
    const [first] = await run(one, bookFailures([key]));
    await writing.send(environmentId, { type: 'advance_clock', seconds: 3_600 });
    const [second] = await run(two, bookFailures([key]));
    expect(second?.['unsuccessful_since']).toBe(first?.['unsuccessful_since']);
    expect((second?.['now'] as number) - (first?.['now'] as number)).toBeGreaterThanOrEqual(3_600_000);
    expect(await run(one, bookSuccesses([key]))).toHaveLength(1);
    expect(await run(one, bookSuccesses([key]))).toHaveLength(0); // it was well
    const [third] = await run(two, bookFailures([key]));
    expect(third?.['unsuccessful_since']).toBe(third?.['now']);
  });

  it('is forgotten when the endpoint is disabled', async () => {
    const [ill, well] = [await endpoint(), await endpoint()].map((id) => ({ environmentId, id }));
    await run(one, bookFailures([ill!, well!]));
    await writing.send(environmentId, { type: 'disable_webhook_endpoint', endpoint: ill!.id, reason: 'failing' });
    await run(one, forgetHealth());
    const since = await writing.sql(
      'SELECT unsuccessful_since IS NULL AS well FROM webhook_health WHERE environment_id = $1 ORDER BY endpoint_id',
      [uuidOf(environmentId)],
    );
    expect(since).toEqual([{ well: true }, { well: false }]);
  });
});
