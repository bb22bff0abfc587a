/**
 * Endpoints beside bad neighbours (T16 of the bar): some hang, some answer 500, some stream for ever, and the others must
 * hardly notice. All of them work at first, which is the clean measurement and lets each gain the trust of the dispatcher;
 * then the bad ones turn bad at once. Used by `test/long/bad-neighbours.test.ts` and `npm run soak -- t16`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tenant, createTenant } from '../harness/tenant-fixture.ts';
import { createDatabase } from '../harness/database.ts';
import { makeEndpoint } from '../webhooks/endpoints.ts';
import { answers, type Behaviour, type Received, startReceiver } from '../webhooks/receiver.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';

export interface Street {
  /** All of them ask for everything; ten share an environment. */
  readonly endpoints: number;
  /** Of those, so many turn bad in each of the ways. */
  readonly hanging: number;
  readonly failing: number;
  readonly streaming: number;
  /** Of all environments together; each makes two events. */
  readonly payoutsPerSecond: number;
  readonly cleanSeconds: number;
  readonly badSeconds: number;
  /** Exchanges the server may have under way at once. */
  readonly concurrency: number;
  /** A control run: one line instead of the fair queue. */
  readonly fifo?: boolean;
}

export interface NoisyNeighbours {
  /** From the sending of a payout to the arrival of its events at the good endpoints; one that never came counts as infinite. */
  readonly cleanP95Ms: number;
  readonly badP95Ms: number;
  /** What the server holds more after the bad time than after the clean one. */
  readonly growthMb: number;
  /** To good endpoints. */
  readonly deliveries: number;
}

const ENVIRONMENT_ENDPOINTS = 10;
const EVENTS_PER_PAYOUT = 2;
/** For what is under way when a phase ends. */
const STRAGGLERS_MS = 2_000;
/** Of its own accord a server that was just started takes more in its first seconds. */
const WARM_UP_SECONDS = 1;

/** Never ends, and takes no notice of anything. */
const hang: Behaviour = () => undefined;

/** Half of the streams flood, half drip; one breaks the limit on bytes, the other that on time. */
const stream: Behaviour = ({ path }, response) => {
  const floods = Number(path.slice(1)) % 4 < 2; // the bad ones have even numbers
  const chunk = 'x'.repeat(floods ? 16_384 : 10);
  response.writeHead(200);
  const timer = setInterval(() => response.write(chunk), floods ? 1 : 100);
  response.on('close', () => clearInterval(timer));
  response.on('error', () => clearInterval(timer));
};

/** Rejects only when something other than the deliveries goes wrong. */
export async function neighbours(street: Street): Promise<NoisyNeighbours> {
  const database = await createDatabase();
  const receiver = await startReceiver(answers(204), performance.now.bind(performance));
  const stops: (() => unknown)[] = [() => receiver.stop(), () => database.drop()];
  try {
    const server = await startServer({
      databaseUrl: database.url,
      fifo: street.fifo ?? false,
      env: { BURSAR_SANDBOX_STEP_SECONDS: '0', BURSAR_WEBHOOK_CONCURRENCY: String(street.concurrency) },
    });
    stops.unshift(() => server.kill());
    const behaviours = behavioursOf(street);
    const homes = await settle(street, database.url, server, receiver.url);
    stops.unshift(() => homes.forEach(({ tenant }) => tenant.client.close()));
    const paying = new Paying(homes, street.payoutsPerSecond);
    const isGood = ({ path }: Received) => behaviours[Number(path.slice(1))] === undefined;
    const measure = async (name: string, seconds: number) => {
      const sent = await paying.run(name, seconds);
      const good = homes.flatMap(({ paths }) => paths).filter((path) => behaviours[path] === undefined).length;
      const expected = Math.round((sent.size * EVENTS_PER_PAYOUT * good) / homes.length);
      const latencies = () => receiver.received.filter(isGood).flatMap((each) => latencyOf(each, sent));
      for (let waited = 0; waited < STRAGGLERS_MS && latencies().length < expected; waited += 50) await sleep(50);
      return [
        ...latencies(),
        ...Array<number>(Math.max(0, expected - latencies().length)).fill(Number.POSITIVE_INFINITY),
      ];
    };
    await measure('warm', WARM_UP_SECONDS);
    const clean = await measure('clean', street.cleanSeconds);
    const cleanMb = rssMb(server.pid);
    receiver.received.length = 0;
    receiver.behaviour = (received, response) =>
      (behaviours[Number(received.path.slice(1))] ?? answers(204))(received, response);
    const bad = await measure('bad', street.badSeconds);
    return {
      cleanP95Ms: percentile95(clean),
      badP95Ms: percentile95(bad),
      growthMb: rssMb(server.pid) - cleanMb,
      deliveries: clean.length + bad.length,
    };
  } finally {
    for (const stop of stops) await stop();
  }
}

/** By number of the endpoint, `undefined` for a good one. The bad ones are spread over the environments. */
function behavioursOf({ endpoints, hanging, failing, streaming }: Street): readonly (Behaviour | undefined)[] {
  const bad = [
    ...Array<Behaviour>(hanging).fill(hang),
    ...Array<Behaviour>(failing).fill(answers(500)),
    ...Array<Behaviour>(streaming).fill(stream),
  ];
  const step = Math.max(1, Math.floor(endpoints / Math.max(1, bad.length)));
  const behaviours = Array<Behaviour | undefined>(endpoints).fill(undefined);
  for (const [index, behaviour] of bad.entries()) behaviours[index * step] = behaviour;
  return behaviours;
}

/** An environment, and the numbers of its endpoints, which are their paths at the receiver. */
interface Home {
  readonly tenant: Tenant;
  readonly recipient: string;
  readonly account: string;
  readonly paths: readonly number[];
}

async function settle(street: Street, databaseUrl: string, { address }: ServerProcess, url: string): Promise<Home[]> {
  const homes: Home[] = [];
  for (let first = 0; first < street.endpoints; first += ENVIRONMENT_ENDPOINTS) {
    const tenant = await createTenant(databaseUrl, address, `street ${first}`);
    const count = Math.min(ENVIRONMENT_ENDPOINTS, street.endpoints - first);
    const paths = Array.from({ length: count }, (_, index) => first + index);
    const account = await tenant.account('EUR', '1000000');
    const recipient = await tenant.recipient();
    for (const path of paths) await makeEndpoint(tenant.client, { url: `${url}/${path}` });
    homes.push({ tenant, recipient, account, paths });
  }
  return homes;
}

/** Payouts at a fixed rate, whether or not the last one is answered. */
class Paying {
  private readonly homes: readonly Home[];
  private readonly perSecond: number;

  constructor(homes: readonly Home[], perSecond: number) {
    this.homes = homes;
    this.perSecond = perSecond;
  }

  /** When each was sent, by its idempotency key. As many for every home. Resolves when all are answered. */
  async run(name: string, seconds: number): Promise<ReadonlyMap<string, number>> {
    const sent = new Map<string, number>();
    const replies: Promise<unknown>[] = [];
    const rounds = Math.ceil((this.perSecond * seconds) / this.homes.length);
    const startMs = performance.now();
    for (let number = 0; number < rounds * this.homes.length; number++) {
      await sleep(Math.max(0, startMs + (number * 1000) / this.perSecond - performance.now()));
      const { tenant, recipient, account } = this.homes[number % this.homes.length] as Home;
      const idempotencyKey = `${name}-${number}`;
      sent.set(idempotencyKey, performance.now());
      const order = { amount: '1.00', currency: 'EUR', recipient, account };
      replies.push(
        tenant.client.post('/v1/payouts', order, { idempotencyKey }).then(({ status, text }) => {
          if (status !== 200) throw new Error(`${status} ${text}`);
        }),
      );
    }
    await Promise.all(replies);
    return sent;
  }
}

function latencyOf({ body, atMs }: Received, sent: ReadonlyMap<string, number>): number[] {
  const key = /"idempotency_key":"([^"]*)"/.exec(body)?.[1] ?? '';
  const sentMs = sent.get(key);
  return sentMs === undefined ? [] : [atMs - sentMs];
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
}

function rssMb(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return (Number(match?.[1]) * 1024) / 1e6;
}
