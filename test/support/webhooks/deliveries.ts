/**
 * Events on their way to three receivers while the servers that send them die (T13 of the bar): one receiver works, one
 * refuses three in ten, one is ordered. What comes back says all that is wrong: never received, not booked, out of
 * order, and, if nothing died, received twice. The short form is `test/soak/deliveries.test.ts`. Next: `parties.ts`,
 * `test/support/model/audit.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, uuidOf } from '../../../src/core/values/ids.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { between, type Chance } from '../generators/seeded.ts';
import { eventually } from '../harness/eventually.ts';
import { type Tenant, createTenant, must } from '../harness/tenant-fixture.ts';
import { createDatabase } from '../harness/database.ts';
import { makeEndpoint } from './endpoints.ts';
import { insist } from '../harness/http.ts';
import { holdFirst, type Party, startParty } from './parties.ts';
import type { Fault } from '../faults/fault-injection.ts';
import { freePort, type ServerProcess, startServer } from '../harness/server-process.ts';
import type { StopPoint } from '../../../src/platform/workers/stop-points.ts';

export interface DeliveryOptions {
  /** At least so many. */
  readonly events: number;
  readonly chance: Chance;
  /** What happens to the servers, one after another, each in a part of the events. */
  readonly blows: readonly Blow[];
  /** A control run: it may never come to an end, and is cut short. */
  readonly fault?: Fault;
  /**
   * The first delivery to the steady receiver is not answered before it has come once more. Only with a fault that
   * sends it again.
   */
  readonly holdsFirst?: boolean;
  /** Exchanges that a server has at once; default: as many as a server has by itself. */
  readonly concurrency?: number;
  /** Servers on the database. Not fewer than two where a blow names the other one. */
  readonly serverCount?: 1 | 2;
}

/**
 * A stop point: the server that comes to it is killed there; at `delivery.answered` the other one too. `received`: both
 * are killed while a receiver has a delivery and has not answered. `any moment`: one is killed wherever it is, after
 * PostgreSQL ended every session. `stopped`: one stops in good order while no receiver answers, and in the end the
 * other one; nothing dies.
 */
export type Blow = Place | 'received' | 'any moment' | 'stopped';
type Place = 'batch.committed' | Extract<StopPoint, `delivery.${string}`>;

export interface DeliveryOrdeal {
  readonly complaints: readonly string[];
  readonly events: number;
  readonly kills: number;
  /** Taken once more, although taken before. */
  readonly repeated: number;
  /** For each blow: the deliveries in the hands of servers at that moment. */
  readonly inHand: readonly (readonly [blow: Blow, deliveries: number])[];
}

const CLIENTS = 12;
const REFUSED_SHARE = 0.3;
const ADVANCE_SECONDS = 3_600;
/** Longer than two servers take to start on a busy machine: how long it takes is not what is tested. */
const PATIENCE_MS = 120_000;
const SETTLED_WITHIN_MS = 120_000;
const FAULTY_FOR_MS = 4_000;
const HELD_FOR_MS = 20_000;
/** A blow that found nothing in the hand of its victim falls again, so often at most. */
const ROUNDS = 10;
/** Blows that may find nothing in a hand. */
const EMPTY_HANDED: ReadonlySet<Blow> = new Set(['delivery.booked', 'any moment']);
/** More than two servers send at once, so that the one that stops has some to give back which it has not begun. */
export const heldAtStop = (concurrency?: number): number => (concurrency === undefined ? 300 : 3 * concurrency);
const LOOK_EVERY_MS = 50;
/** After so many looks without any progress, what is waited for is the lease of a dead process. */
const STALLED_LOOKS = 24;

export async function deliver({
  events,
  chance,
  blows,
  fault,
  holdsFirst = false,
  concurrency,
  serverCount = 2,
}: DeliveryOptions): Promise<DeliveryOrdeal> {
  const database = await createDatabase();
  const { url } = database;
  const ports = [await freePort(), await freePort()];
  const env = concurrency === undefined ? {} : { BURSAR_WEBHOOK_CONCURRENCY: String(concurrency) };
  const start = (index: number) =>
    startServer({ databaseUrl: url, port: ports[index] as number, env, ...(fault && { fault }) });
  const servers: (ServerProcess | null)[] = [];
  /** Servers that were killed and start again, by index: the next blow falls meanwhile, where it needs another one. */
  const returning: Promise<void>[] = [];
  const parties: Party[] = [];
  let tenant: Tenant | null = null;
  try {
    // Either may fail to start, and the other one must be ended all the same.
    const started = await Promise.allSettled(Array.from({ length: serverCount }, (_, index) => start(index)));
    for (const each of started) if (each.status === 'fulfilled') servers.push(each.value);
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    tenant = await createTenant(url, servers[0]!.address);
    const { client } = tenant;
    const account = await tenant.account('EUR');
    const ids = new Map<string, Party>();
    for (const name of ['steady', 'flaky', 'ordered']) {
      const party = await startParty(name, chance, name === 'flaky' ? REFUSED_SHARE : 0);
      parties.push(party);
      const made = await makeEndpoint(client, { url: party.receiver.url, ordered: name === 'ordered' });
      ids.set(made.id, party);
    }
    const cameTwice = holdsFirst ? holdFirst(parties[0] as Party) : null;

    let made = 0;
    let turn = 0;
    const address = () => {
      const server = servers[turn++ % serverCount] ?? servers[turn++ % serverCount];
      return (server as ServerProcess).address;
    };
    /** So many events, one a write, over whichever server is up; and more until the blow has fallen. */
    const produce = async (count: number, hasFallen: () => boolean = () => true) => {
      const last = made + count;
      const producer = async () => {
        while (made < last || !hasFallen()) {
          const idempotencyKey = `event-${made++}`;
          const path = `/v1/test_helpers/accounts/${account}/fund`;
          must(await insist(client, path, { amount: '1' }, { idempotencyKey, address, patienceMs: PATIENCE_MS }));
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, producer));
    };
    let kills = 0;
    let isFallen = false;
    const inHand: [Blow, number][] = [];
    const countInHand = async (blow: Blow) => void inHand.push([blow, await leased(url)]);
    const kill = async (blow: Blow, ...victims: readonly number[]) => {
      kills += victims.length;
      await Promise.all(victims.map(async (index) => servers[index]?.kill())); // the signals leave at once
      await countInHand(blow);
      await rowsOf(url, EXPIRE);
      for (const index of victims) {
        returning[index] = start(index).then((server) => void (servers[index] = server));
        returning[index].catch(() => undefined); // `areUp` tells
      }
    };
    const areUp = (indexes: readonly number[]) => Promise.all(indexes.map(async (index) => returning[index]));
    const strike = async (blow: Blow, number: number) => {
      if (blow === 'received') {
        await areUp([0, 1]);
        const party = parties[Math.floor(chance() * parties.length)] as Party;
        await new Promise<void>((resolve, reject) => {
          party.trap = () => void kill(blow, 0, 1).then(resolve, reject);
        });
      } else if (blow === 'stopped') {
        await areUp([0]); // one that was killed before may still be on its way back
        let open: () => void = () => undefined;
        const gate = new Promise<void>((resolve) => (open = resolve));
        for (const party of parties) party.gate = gate;
        const isFull = async () => (await leased(url)) >= heldAtStop(concurrency);
        await eventually('more deliveries wait than are on their way', isFull, { patienceMs: PATIENCE_MS });
        await countInHand(blow);
        const stopping = stop(servers, 0); // the clients go to the other one
        isFallen = true;
        for (const party of parties) party.gate = null;
        open();
        await stopping;
      } else if (blow === 'any moment') {
        const victim = Math.floor(chance() * serverCount);
        await areUp([victim]);
        await rowsOf(url, END_SESSIONS);
        await sleep(between(chance, 0, 150));
        await kill(blow, victim);
      } else {
        const victims = blow === 'delivery.answered' ? [0, 1] : [number % serverCount];
        await areUp(victims);
        const armed = await Promise.all(victims.map((index) => (servers[index] as ServerProcess).stopAt(blow)));
        await Promise.race(armed.map(({ reached }) => reached));
        await kill(blow, ...victims);
      }
    };
    /** Strikes until something was in the hand of the dead: the kill before ends the leases of the living too. */
    const strikeHome = async (blow: Blow, number: number) => {
      for (let round = 1; ; round++) {
        await strike(blow, number);
        if (inHand.at(-1)?.[1] !== 0 || EMPTY_HANDED.has(blow) || round === ROUNDS) return;
        inHand.pop();
      }
    };
    const complaints: string[] = [];
    const part = Math.ceil(events / Math.max(1, blows.length));
    if (blows.length === 0) await produce(part);
    for (const [number, blow] of blows.entries()) {
      isFallen = false;
      const striking = strikeHome(blow, number).finally(() => (isFallen = true));
      await Promise.all([produce(part, () => isFallen), striking]);
    }
    await areUp([0, 1]);
    if (blows.includes('stopped') && kills === 0) {
      // Nobody runs any more, so that whatever is still in somebody's hand was not given back.
      await stop(servers, 1);
      const kept = await leased(url);
      if (kept > 0) complaints.push(`${kept} deliveries are in the hands of servers that stopped`);
      servers[1] = await start(1);
    }
    // Longer than it takes on any machine: what does not come again is not sent again.
    if (cameTwice) await Promise.race([cameTwice, sleep(HELD_FOR_MS, undefined, { ref: false })]);

    const anyone = () => (servers[1] ?? servers[0])!.address;
    let advances = 0;
    const advance = async () => {
      const path = '/v1/test_helpers/clock/advance';
      const idempotencyKey = `advance-${advances++}`;
      must(await insist(client, path, { seconds: ADVANCE_SECONDS }, { idempotencyKey, address: anyone }));
    };
    const faulty = kills > 0 || fault !== undefined;
    const patienceMs = fault === undefined ? SETTLED_WITHIN_MS : FAULTY_FOR_MS;
    complaints.push(...(await settle(url, advance, { faulty, patienceMs })));
    complaints.push(...(await misdelivered(url, ids, faulty)));
    complaints.push(...(await auditDatabase(url)));
    const all = parties.flatMap(({ taken }) => [...taken.values()]);
    return { complaints, events: made, kills, repeated: all.reduce((sum, times) => sum + times - 1, 0), inHand };
  } finally {
    tenant?.client.close();
    await Promise.allSettled(returning);
    await Promise.all(servers.map(async (server) => server?.kill()));
    await Promise.all(parties.map(({ receiver }) => receiver.stop()));
    await database.drop();
  }
}

/**
 * The dead do not wait for the lease of half a minute to run out. What the living are writing is theirs, and passed
 * over.
 */
const EXPIRE = `WITH leased AS (SELECT environment_id, endpoint_id, sequence FROM deliveries WHERE leased_until > now() FOR UPDATE SKIP LOCKED)
  UPDATE deliveries d SET leased_until = now() - interval '1 second' FROM leased l
  WHERE d.environment_id = l.environment_id AND d.endpoint_id = l.endpoint_id AND d.sequence = l.sequence`;
const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name LIKE 'bursar %' AND datname = current_database()`;

/** Stops one in good order. */
async function stop(servers: (ServerProcess | null)[], index: number): Promise<void> {
  const stopping = servers[index];
  servers[index] = null;
  const code = await stopping?.stop();
  if (code !== 0) throw new Error(`The stopped server ended with ${code}: ${stopping?.output()}`);
}

/** Deliveries in the hands of servers, living or dead. */
async function leased(url: string): Promise<number> {
  const sql = "SELECT count(*)::int AS count FROM deliveries WHERE status = 'pending' AND leased_until > now()";
  return (await rowsOf<{ count: number }>(url, sql))[0]?.count ?? 0;
}

/** Moves the clock on until nothing waits any more. Complains of what never stops waiting. */
async function settle(
  url: string,
  advance: () => Promise<void>,
  { faulty, patienceMs }: { readonly faulty: boolean; readonly patienceMs: number },
): Promise<string[]> {
  const sql = `SELECT (SELECT count(*)::int FROM deliveries WHERE status = 'pending') AS pending,
    (SELECT sum(last_sequence)::int FROM environments) AS newest, (SELECT sum(claims)::int FROM deliveries) AS claims`;
  let before = '';
  let unchanged = 0;
  const look = async () => {
    const [found] = await rowsOf<{ pending: number }>(url, sql);
    const now = JSON.stringify(found);
    unchanged = now === before ? unchanged + 1 : 0;
    before = now;
    if (found?.pending === 0) return unchanged > 0 || sleep(LOOK_EVERY_MS, false);
    if (faulty && unchanged >= STALLED_LOOKS) await rowsOf(url, EXPIRE);
    await advance();
    return sleep(LOOK_EVERY_MS, false);
  };
  return eventually('nothing waits any more', look, { patienceMs }).then(
    () => [],
    () => [`still waiting: ${before}`],
  );
}

interface Expected {
  readonly endpoint: string;
  readonly event: string;
  readonly sequence: number;
  readonly status: string | null;
}

/**
 * Every event since an endpoint was made, except those about itself, holds one delivery, booked as what its receiver
 * saw.
 */
async function misdelivered(url: string, ids: ReadonlyMap<string, Party>, mayRepeat: boolean): Promise<string[]> {
  await rowsOf(url, 'ANALYZE'); // a database this young has no statistics
  const expected = await rowsOf<Expected>(
    url,
    `WITH made AS MATERIALIZED (SELECT environment_id, object_id AS id, sequence FROM events WHERE type = 'webhook_endpoint.created')
     SELECT w.id AS endpoint, e.id AS event, e.sequence::int, d.status FROM made w
     JOIN events e ON e.environment_id = w.environment_id AND e.object_id <> w.id AND e.sequence > w.sequence
     LEFT JOIN deliveries d ON d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.sequence = e.sequence
     WHERE w.id = ANY ($1) ORDER BY e.sequence`,
    [[...ids.keys()].map(uuidOf)],
  );
  const complaints: string[] = [];
  for (const [id, { name, receiver, taken }] of ids) {
    const own = expected
      .filter(({ endpoint }) => endpoint === uuidOf(id))
      .map((each) => ({ ...each, event: idOf('evt', each.event) }));
    const complain = (what: string, found: readonly { readonly sequence: number }[]) => {
      const some = found.slice(0, 5).map(({ sequence }) => sequence);
      if (found.length > 0) complaints.push(`${name}: ${found.length} of ${own.length} ${what}: ${some.join(', ')} …`);
    };
    complain(
      'were not written down with their event',
      own.filter(({ status }) => status === null),
    );
    complain(
      'are not booked as succeeded',
      own.filter(({ status }) => status !== null && status !== 'succeeded'),
    );
    complain(
      'were never received',
      own.filter(({ event }) => !taken.has(event)),
    );
    if (!mayRepeat)
      complain(
        'were received twice',
        own.filter(({ event }) => (taken.get(event) ?? 0) > 1),
      );
    const known = new Set(own.map(({ event }) => event));
    const strangers = [...taken.keys()].filter((event) => !known.has(event));
    if (strangers.length > 0) complaints.push(`${name}: ${strangers.length} were received that nobody asked for`);
    if (name !== 'ordered') continue;
    const sequences = new Map(own.map(({ event, sequence }) => [event, sequence]));
    const order = [...new Set(receiver.ids())].map((event) => ({ sequence: sequences.get(event) ?? 0 }));
    complain(
      'arrived before one that precedes it',
      order.filter((each, i) => i > 0 && each.sequence < order[i - 1]!.sequence),
    );
  }
  return complaints;
}
