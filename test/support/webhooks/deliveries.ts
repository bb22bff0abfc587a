/**
 * Events on their way to three receivers while the servers that send them die (T13 of the bar): one receiver works, one
 * refuses three in ten, one is ordered. What comes back says all that is wrong: never received, not booked, out of order,
 * and, if nothing died, received twice. The short form is `test/soak/deliveries.test.ts`. Next: `receiver.ts`, `test/support/model/audit.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, uuidOf } from '../../../src/core/ids.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { between, type Chance } from '../generators/seeded.ts';
import { type Tenant, createTenant, must } from '../harness/tenant-fixture.ts';
import { createDatabase } from '../harness/database.ts';
import { makeEndpoint } from './endpoints.ts';
import { insist } from '../harness/http.ts';
import { answers, type Receiver, startReceiver } from './receiver.ts';
import type { Fault } from '../faults/fault-injection.ts';
import { freePort, type ServerProcess, startServer } from '../harness/server-process.ts';

export interface DeliveryOptions {
  /** At least so many. */
  readonly events: number;
  readonly chance: Chance;
  /** What happens to the servers, one after another, each in a part of the events. */
  readonly blows: readonly Blow[];
  /** A control run: it may never come to an end, and is cut short. */
  readonly fault?: Fault;
}

/**
 * `committed`: the server that has just answered a write is killed, its events not sent yet. `received`: both are killed
 * while a receiver has a delivery and has not answered; `answered`: right after its answer, which is not booked. `any`:
 * one is killed at any moment, after PostgreSQL ended every session. `stopped`: one stops in good order; nothing dies.
 */
export type Blow = 'committed' | 'received' | 'answered' | 'any' | 'stopped';

export interface DeliveryOrdeal {
  readonly complaints: readonly string[];
  readonly events: number;
  readonly kills: number;
  /** Received and taken more than once. */
  readonly repeated: number;
  /** Deliveries in the hands of servers that were about to be killed or stopped. */
  readonly inHand: number;
}

const CLIENTS = 12;
const REFUSED_SHARE = 0.3;
/** No event is refused more often in a row: its retries would take days of the sandbox clock. */
const REFUSED_AT_MOST = 4;
/** Long enough that something is always on its way. */
const ANSWER_MS = 2;
const ADVANCE_SECONDS = 3_600;
const SETTLED_WITHIN_MS = 60_000;
/** When nobody dies: less than a lease lasts, so that what a stopped server had in hand must have been given back. */
const UNHARMED_WITHIN_MS = 20_000;
const FAULTY_FOR_MS = 4_000;
/** Without any progress for so long, what is waited for is the lease of a dead process. */
const STALLED_MS = 2_500;

/** A receiver that remembers which events it took. */
interface Party {
  readonly name: string;
  readonly receiver: Receiver;
  /** Event id to how often it was answered with 2xx. */
  readonly taken: Map<string, number>;
  /** Called once at the next delivery: as it arrives, or when the answer has left. */
  trap: { readonly on: 'received' | 'answered'; readonly spring: () => void } | null;
}

async function startParty(name: string, chance: Chance, refusedShare: number): Promise<Party> {
  const refused = new Map<string, number>();
  const party: Party = { name, receiver: await startReceiver(), taken: new Map(), trap: null };
  const sprung = (on: 'received' | 'answered') => {
    if (party.trap?.on !== on) return;
    party.trap.spring();
    party.trap = null;
  };
  party.receiver.behaviour = (received, response) => {
    sprung('received');
    const id = received.headers['webhook-id'] as string;
    const times = refused.get(id) ?? 0;
    const isRefused = times < REFUSED_AT_MOST && chance() < refusedShare;
    if (isRefused) refused.set(id, times + 1);
    setTimeout(() => {
      if (!isRefused) party.taken.set(id, (party.taken.get(id) ?? 0) + 1);
      response.once('finish', () => sprung('answered'));
      answers(isRefused ? 503 : 204)(received, response);
    }, ANSWER_MS);
  };
  return party;
}

export async function deliver({ events, chance, blows, fault }: DeliveryOptions): Promise<DeliveryOrdeal> {
  const database = await createDatabase();
  const { url } = database;
  const ports = [await freePort(), await freePort()];
  const start = (index: number) =>
    startServer({ databaseUrl: url, port: ports[index] as number, ...(fault && { fault }) });
  const servers: (ServerProcess | null)[] = [];
  const parties: Party[] = [];
  let tenant: Tenant | null = null;
  try {
    servers.push(...(await Promise.all([start(0), start(1)])));
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

    let made = 0;
    let turn = 0;
    let lastAnswered = 0;
    /** So many events, one a write, over whichever server is up. */
    const produce = async (count: number) => {
      const last = made + count;
      const producer = async () => {
        while (made < last) {
          const idempotencyKey = `event-${made++}`;
          let asked = 0;
          const address = () => {
            do asked = turn++ % 2;
            while (servers[asked] === null);
            return (servers[asked] as ServerProcess).address;
          };
          const path = `/v1/test_helpers/accounts/${account}/fund`;
          must(await insist(client, path, { amount: '1' }, { idempotencyKey, address }));
          lastAnswered = asked;
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, producer));
    };
    const progress = async (count: number) => {
      for (const from = made; made < from + count; ) await sleep(1);
    };

    let kills = 0;
    let inHand = 0;
    const countInHand = async () => {
      const sql = "SELECT count(*)::int AS count FROM deliveries WHERE status = 'pending' AND leased_until > now()";
      inHand += (await rowsOf<{ count: number }>(url, sql))[0]?.count ?? 0;
    };
    const kill = async (...victims: readonly number[]) => {
      kills += victims.length;
      await Promise.all(victims.map(async (index) => servers[index]?.kill())); // the signals leave at once
      await countInHand();
      await Promise.all(
        victims.map(async (index) => {
          servers[index] = await start(index);
        }),
      );
      await rowsOf(url, EXPIRE);
    };
    const strike = async (blow: Blow) => {
      if (blow === 'received' || blow === 'answered') {
        await sleep(between(chance, 0, 100));
        await new Promise<void>((resolve, reject) => {
          const party = parties[Math.floor(chance() * parties.length)] as Party;
          party.trap = { on: blow, spring: () => void kill(0, 1).then(resolve, reject) };
        });
      } else if (blow === 'stopped') {
        await countInHand();
        const [stopping] = servers;
        servers[0] = null; // the clients go to the other one
        const code = await stopping?.stop();
        if (code !== 0) throw new Error(`The stopped server ended with ${code}: ${stopping?.output()}`);
      } else {
        if (blow === 'any') await rowsOf(url, END_SESSIONS);
        await sleep(blow === 'any' ? between(chance, 0, 150) : 0);
        await kill(blow === 'any' ? Math.floor(chance() * 2) : lastAnswered);
      }
    };
    const part = Math.ceil(events / Math.max(1, blows.length));
    if (blows.length === 0) await produce(part);
    for (const blow of blows) {
      const producing = produce(part);
      await progress(Math.floor(part / 2));
      await Promise.all([producing, strike(blow)]);
    }

    const anyone = () => (servers[1] ?? servers[0])!.address;
    const advance = async () => {
      const path = '/v1/test_helpers/clock/advance';
      const idempotencyKey = `advance-${performance.now()}`;
      must(await insist(client, path, { seconds: ADVANCE_SECONDS }, { idempotencyKey, address: anyone }));
    };
    const faulty = kills > 0 || fault !== undefined;
    const patienceMs = kills > 0 ? SETTLED_WITHIN_MS : UNHARMED_WITHIN_MS;
    const withinMs = fault === undefined ? patienceMs : FAULTY_FOR_MS;
    const complaints = await settle(url, advance, { faulty, withinMs });
    complaints.push(...(await misdelivered(url, ids, faulty)));
    complaints.push(...(await auditDatabase(url)));
    const all = parties.flatMap(({ taken }) => [...taken.values()]);
    return { complaints, events: made, kills, repeated: all.filter((times) => times > 1).length, inHand };
  } finally {
    tenant?.client.close();
    await Promise.all(servers.map(async (server) => server?.kill()));
    await Promise.all(parties.map(({ receiver }) => receiver.stop()));
    await database.drop();
  }
}

/** The dead do not wait for the lease of half a minute to run out. What the living are writing is theirs, and passed over. */
const EXPIRE = `WITH leased AS (SELECT environment_id, endpoint_id, sequence FROM deliveries WHERE leased_until > now() FOR UPDATE SKIP LOCKED)
  UPDATE deliveries d SET leased_until = now() - interval '1 second' FROM leased l
  WHERE d.environment_id = l.environment_id AND d.endpoint_id = l.endpoint_id AND d.sequence = l.sequence`;
const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name LIKE 'bursar %' AND datname = current_database()`;

/** Moves the clock on until nothing waits any more. Complains of what never stops waiting. */
async function settle(
  url: string,
  advance: () => Promise<void>,
  { faulty, withinMs }: { readonly faulty: boolean; readonly withinMs: number },
): Promise<string[]> {
  const look = `SELECT (SELECT count(*)::int FROM deliveries WHERE status = 'pending') AS pending,
    (SELECT sum(last_sequence)::int FROM environments) AS newest, (SELECT sum(claims)::int FROM deliveries) AS claims`;
  let before = '';
  let progressAtMs = performance.now();
  for (const untilMs = performance.now() + withinMs; performance.now() < untilMs; await sleep(200)) {
    const [found] = await rowsOf<{ pending: number }>(url, look);
    const now = JSON.stringify(found);
    if (found?.pending === 0 && now === before) return [];
    if (now !== before) progressAtMs = performance.now();
    else if (faulty && performance.now() - progressAtMs > STALLED_MS) await rowsOf(url, EXPIRE);
    before = now;
    if (found?.pending !== 0) await advance();
  }
  return [`still waiting: ${before}`];
}

interface Expected {
  readonly endpoint: string;
  readonly event: string;
  readonly sequence: number;
  readonly status: string | null;
}

/** Every event since an endpoint was made, except those about itself, holds one delivery, booked as what its receiver saw. */
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
