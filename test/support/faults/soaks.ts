/**
 * The tests of the bar that are worth running for hours: each as rounds of one size, on databases of their own, so that
 * a long run needs no more memory than a short one. The engines are those of the short tests, in `test/`. With
 * `control` a round runs on something broken and must come back with complaints. Who runs them: `scripts/soak.ts`.
 */
import fc from 'fast-check';
import { throws } from '../generators/arbitraries.ts';
import { auditDatabase } from '../model/audit.ts';
import { between, type Chance, seeded } from '../generators/seeded.ts';
import { cutBatches, cutListening } from './cli-cuts.ts';
import { payOverCutWire } from './cut-wire.ts';
import { type Blow as DeliveryBlow, deliver } from '../webhooks/deliveries.ts';
import { deliverySpeed } from '../measure/delivery-speed.ts';
import { failOver } from '../failover/rounds.ts';
import { flood } from './flood.ts';
import { Fuzz, runs, type Send } from '../generators/fuzz.ts';
import { type Blow, type Kill, killServers, type Ordeal, strikePostgres } from './kills.ts';
import { slowReturns, slowStarts } from '../measure/returns.ts';
import { neighbours } from '../measure/noisy-neighbours.ts';
import { race, UNITS } from './race.ts';
import { checkModelOnDatabase } from '../model/model-check-on-database.ts';
import { REAL, checkModel, type Subject, type Tally } from '../model/model-check.ts';
import { startWriting } from '../harness/writer.ts';
import { backupSpeed, type Latency } from '../measure/backup-speed.ts';
import { verifySpeed } from '../measure/verify-speed.ts';

/** What a round came to. No complaints: all is as it must be. */
export interface Round {
  readonly complaints: readonly string[];
  /** How much was done, in words: `answers` → 5,000. Summed over the rounds. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface Soak {
  /** Of the bar, in a sentence. */
  readonly what: string;
  /** What sizes are counted in. */
  readonly unit: string;
  readonly size: number;
  /** Of a release: some ten minutes on two cores at most. */
  readonly longSize: number;
  /** Most units of one round. */
  readonly roundSize: number;
  round(options: {
    readonly size: number;
    readonly seed: number;
    readonly control: boolean;
    /** A line about what goes on. */
    readonly say: (line: string) => void;
  }): Promise<Round>;
}

/** Commands of one throw of the dice: half of the most there may be. */
const COMMANDS_A_RUN = 25;
/** One command in so many goes through PostgreSQL too. */
const ON_DATABASE_EVERY = 20;

/** Every account update that a command makes is forgotten. */
const FORGETFUL: Subject = {
  decide: REAL.decide,
  apply: (state, changes, origin) => {
    const kept = changes.filter((change) => change.kind !== 'object' || change.object.object !== 'account');
    REAL.apply(state, kept, origin);
  },
};

async function conserve(size: number, seed: number, subject: Subject): Promise<Round> {
  const tally: Tally = new Map();
  const fold = fc.property(throws(50), (choices) => checkModel(choices, subject, tally));
  const numRuns = Math.ceil(size / COMMANDS_A_RUN);
  const folded = fc.check(fold, { numRuns, seed });
  const writing = await startWriting();
  let accepted = 0;
  const stored = await fc.check(
    fc.asyncProperty(throws(50), async (choices) => {
      accepted += await checkModelOnDatabase(choices, writing);
    }),
    { numRuns: Math.ceil(numRuns / ON_DATABASE_EVERY), seed },
  );
  const complaints = [
    ...[fc.defaultReportMessage(folded), await fc.asyncDefaultReportMessage(stored)].filter(
      (said) => said !== undefined,
    ),
    ...writing.faults.map(({ message }) => message),
    ...(await auditDatabase(writing.url)),
  ];
  await writing.stop();
  const commands = [...tally.values()].reduce((sum, count) => sum + count, 0);
  return { complaints, counts: { commands, 'accepted on PostgreSQL': accepted } };
}

async function races(size: number, control: boolean): Promise<Round> {
  const complaints: string[] = [];
  let spent = 0;
  for (let i = 0; i < size; i++) {
    const [done] = await race([{ spends: 10_000 }], control ? 'no_lock' : undefined);
    complaints.push(...(done?.complaints ?? []));
    spent += done?.spent ?? 0;
  }
  return { complaints, counts: { 'spends tried': 10_000 * size, 'units spent': spent, 'units there': UNITS * size } };
}

/** Kills, and after every fifth something else: sessions ended, or a freeze of 1 to 30 s. */
function blowsOf(kills: number, chance: Chance): Blow[] {
  return Array.from({ length: kills }, (_, kill): Blow[] => {
    if (kill % 5 !== 4) return ['kill'];
    return ['kill', kill % 10 === 4 ? 'end sessions' : { freezeMs: Math.round(between(chance, 1_000, 30_000)) }];
  }).flat();
}

/** Kills of servers: wherever they are, and one in four at a stop point; now and then both. */
function killsOf(size: number): Kill[] {
  const places = ['batch.decided', 'batch.written', 'batch.committed'] as const;
  const kills: Kill[] = [];
  for (let left = size; left > 0; ) {
    const number = kills.length;
    const both = number % 5 === 3 && left > 1;
    const at = number % 4 === 3 ? (places[Math.floor(number / 4) % places.length] as Kill['at']) : 'any moment';
    kills.push({ at, both });
    left -= both ? 2 : 1;
  }
  return kills;
}

const roundOf = ({ complaints, answers, felt }: Ordeal, kills: number, slow: readonly string[]): Round => ({
  complaints: [...complaints, ...slow],
  counts: { kills, answers, 'answers after a failure': felt },
});

async function verified(size: number, control: boolean, say: (line: string) => void): Promise<Round> {
  const { transfers, seconds, complaints } = await verifySpeed({ transfers: size, isDamaged: control, say });
  say(`${transfers} transfers verified in ${seconds.toFixed(1)} s`);
  const mostSeconds = Math.max(5, (transfers / 1_000_000) * 60);
  const late = seconds > mostSeconds ? [`It took ${seconds.toFixed(1)} s, ${mostSeconds.toFixed(0)} s at most.`] : [];
  return { complaints: [...complaints, ...late], counts: { 'transfers verified': transfers } };
}

async function backedUp(size: number, control: boolean, say: (line: string) => void): Promise<Round> {
  const { payouts, backupSeconds, restoreSeconds, megabytes, quiet, beside, complaints } = await backupSpeed({
    payouts: size,
    isDamaged: control,
    say,
  });
  const words = ({ p50Ms, p95Ms, perSecond }: Latency) =>
    `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${perSecond.toFixed(0)} payouts a second`;
  say(
    `${payouts} payouts, ${megabytes.toFixed(0)} MB: backed up in ${backupSeconds.toFixed(1)} s, restored and verified in ${restoreSeconds.toFixed(1)} s`,
  );
  say(`before: ${words(quiet)}`);
  say(`beside the backup: ${words(beside)}`);
  const mostSeconds = Math.max(10, (payouts / 1_000_000) * 120);
  return {
    complaints: [
      ...complaints,
      ...(backupSeconds > mostSeconds
        ? [`It took ${backupSeconds.toFixed(1)} s, ${mostSeconds.toFixed(0)} s at most.`]
        : []),
      ...(beside.p95Ms > 2 * quiet.p95Ms
        ? [`The p95 rose from ${quiet.p95Ms.toFixed(1)} to ${beside.p95Ms.toFixed(1)} ms.`]
        : []),
    ],
    counts: { 'payouts restored': payouts },
  };
}

async function fuzzed(size: number, seed: number, control: boolean): Promise<Round> {
  const fuzz = await Fuzz.start();
  const withoutMode: Send = async (request) => {
    const answer = await fuzz.inject(request);
    return { ...answer, text: answer.text.replace('"livemode":', '"mode":') };
  };
  const property = fuzz.property(control ? withoutMode : fuzz.inject);
  const said = await fc.asyncDefaultReportMessage(await fc.check(property, { ...runs(size), seed }));
  await fuzz.stop();
  return { complaints: said === undefined ? [] : [said], counts: { requests: fuzz.requests } };
}

/** A fifth of the endpoints hangs, a fifth fails, a tenth streams for ever. */
async function besideNoisyNeighbours(endpoints: number, control: boolean): Promise<Round> {
  const [fifth, tenth] = [Math.floor(endpoints / 5), Math.floor(endpoints / 10)];
  const found = await neighbours({
    endpoints,
    hanging: fifth,
    failing: fifth,
    streaming: tenth,
    payoutsPerSecond: 10,
    cleanSeconds: 20,
    badSeconds: 40, // longer than the time-out of an exchange, twice
    concurrency: 256,
    fifo: control,
  });
  const { cleanP95Ms, badP95Ms, growthMb, deliveries } = found;
  const complaints: string[] = [];
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  if (!(badP95Ms <= 1.5 * cleanP95Ms))
    complaints.push(`95 % came within ${ms(badP95Ms)}; without bad neighbours within ${ms(cleanP95Ms)}`);
  if (!(growthMb <= 64)) complaints.push(`the server took ${growthMb.toFixed(0)} MB more`);
  const counts = { 'good deliveries': deliveries, 'µs p95 clean': Math.round(cleanP95Ms * 1000) };
  return { complaints, counts: { ...counts, 'µs p95 beside bad ones': Math.round(badP95Ms * 1000) } };
}

/** Latency and rate against their targets. */
async function inTime(events: number, control: boolean): Promise<Round> {
  const backlog = control ? events : 20_000;
  const { p50Ms, p99Ms, deliveriesPerSecond } = await deliverySpeed({ events, backlog, control });
  const complaints: string[] = [];
  if (!(p50Ms <= 20)) complaints.push(`half of the deliveries took ${p50Ms.toFixed(1)} ms and more`);
  if (!(p99Ms <= 250)) complaints.push(`one in a hundred took ${p99Ms.toFixed(1)} ms and more`);
  if (!(deliveriesPerSecond >= 2_000)) complaints.push(`${Math.floor(deliveriesPerSecond)} deliveries a second`);
  const counts = { 'deliveries from a backlog': backlog, 'a second': Math.floor(deliveriesPerSecond) };
  return { complaints, counts: { ...counts, 'µs p50': Math.round(p50Ms * 1000), 'µs p99': Math.round(p99Ms * 1000) } };
}

const DELIVERY_BLOWS: readonly DeliveryBlow[] = [
  'batch.committed',
  'delivery.claimed',
  'received',
  'delivery.answered',
  'delivery.booked',
  'any moment',
  'any moment',
  'stopped',
];

async function delivered(size: number, seed: number, control: boolean): Promise<Round> {
  const order = { events: size, chance: seeded(seed), blows: DELIVERY_BLOWS };
  const ordeal = await deliver(control ? { ...order, fault: 'lost_deliveries' } : order);
  const { complaints, events, kills, repeated } = ordeal;
  return { complaints, counts: { events, kills, 'sent again after a fault': repeated } };
}

export const SOAKS: Readonly<Record<string, Soak>> = {
  batch: {
    what: '`bursar payouts batch` killed at random points and run again: each row is paid once',
    unit: 'rows',
    size: 10_000,
    longSize: 10_000,
    roundSize: 10_000,
    round: cutBatches,
  },
  listen: {
    what: '`bursar listen` stopped (once for a minute) and killed, the server killed: every event arrives, in order',
    unit: 'events',
    size: 10_000,
    longSize: 10_000,
    roundSize: 10_000,
    round: cutListening,
  },
  t1: {
    what: 'money is conserved: random commands against a model and the books, one in twenty on PostgreSQL too',
    unit: 'commands',
    size: 1_000_000,
    longSize: 1_000_000,
    roundSize: 100_000,
    round: ({ size, seed, control }) => conserve(size, seed, control ? FORGETFUL : REAL),
  },
  t3: {
    what: `64 clients, ${UNITS} units, 10,000 spends, two servers: exactly what is there is spent`,
    unit: 'races',
    size: 50,
    longSize: 30,
    roundSize: 1,
    round: ({ size, control }) => races(size, control),
  },
  t5: {
    what: '100 identical requests of every key at once, two servers: one effect, one answer',
    unit: 'keys',
    size: 1_000,
    longSize: 1_000,
    roundSize: 200,
    round: async ({ size, control }) => {
      const [complaints = []] = await flood([{ keys: size, copies: 100 }], control ? 'no_memory' : undefined);
      return { complaints, counts: { keys: size, requests: 100 * size } };
    },
  },
  t7: {
    what: 'the wire is cut in requests and answers, clients repeat with their key: as many effects as keys',
    unit: 'cuts',
    size: 100_000,
    longSize: 20_000,
    roundSize: 5_000,
    round: async ({ size, seed, control }) => {
      const fault = control ? { fault: 'no_records' as const } : {};
      const { complaints, felt } = await payOverCutWire({ cuts: size, chance: seeded(seed), ...fault });
      return { complaints, counts: { payments: size, 'cuts felt': felt } };
    },
  },
  t8: {
    what: 'kill -9 of servers under load: nothing acknowledged is lost or doubled, ready within 3 s',
    unit: 'kills',
    size: 1_000,
    longSize: 200,
    roundSize: 50,
    round: async ({ size, seed, control }) => {
      const fault = control ? { fault: 'lost_commits' as const } : {};
      const ordeal = await killServers({ kills: killsOf(size), chance: seeded(seed), ...fault });
      return roundOf(ordeal, ordeal.kills, slowStarts(ordeal.backMs, ordeal.firstMs));
    },
  },
  t9: {
    what: 'kill -9 of PostgreSQL under load, its sessions ended, its processes frozen: the same, back within 2 s',
    unit: 'kills',
    size: 300,
    longSize: 60,
    roundSize: 20,
    round: async ({ size, seed, control }) => {
      const chance = seeded(seed);
      const ordeal = await strikePostgres({ blows: blowsOf(size, chance), chance, volatile: control });
      return roundOf(ordeal, size, slowReturns(ordeal.backMs));
    },
  },
  t13: {
    what: 'deliveries while servers are killed between commit, sending and booking: none lost, ordered ones in order',
    unit: 'events',
    size: 250_000,
    longSize: 25_000,
    roundSize: 5_000,
    round: ({ size, seed, control }) => delivered(size, seed, control),
  },
  t16: {
    what: 'endpoints that hang, fail and stream for ever: the others wait at most 1.5 times as long, memory stays',
    unit: 'endpoints',
    size: 100,
    longSize: 100,
    roundSize: 100,
    round: ({ size, control }) => besideNoisyNeighbours(size, control),
  },
  t17: {
    what: '100 events a second arrive within 20 ms (p50) and 250 ms (p99), a backlog at 2,000 a second',
    unit: 'events',
    size: 6_000,
    longSize: 6_000,
    roundSize: 6_000,
    round: ({ size, control }) => inTime(size, control),
  },
  t21: {
    what: 'requests drawn from the OpenAPI document: no 5xx, no answer that it does not describe',
    unit: 'requests',
    size: 1_000_000,
    longSize: 200_000,
    roundSize: 20_000,
    round: ({ size, seed, control }) => fuzzed(size, seed, control),
  },
  verify: {
    what: 'the books of a million transfers are verified within a minute, beside writes',
    unit: 'transfers',
    size: 1_000_000,
    longSize: 1_000_000,
    roundSize: 1_000_000,
    round: ({ size, control, say }) => verified(size, control, say),
  },
  backup: {
    what: 'a backup beside a server under load: 200,000 payouts within 24 s, the p95 of payouts at most doubled; restored, the books agree',
    unit: 'payouts',
    size: 200_000,
    longSize: 200_000,
    roundSize: 1_000_000,
    round: ({ size, control, say }) => backedUp(size, control, say),
  },
  failover: {
    what: 'a primary with a synchronous standby is killed, frozen and switched (HAProxy, PgBouncer, several hosts): the same',
    unit: 'rounds',
    size: 20,
    longSize: 20,
    roundSize: 1_000,
    round: ({ size, control, say }) => failOver({ rounds: size, asynchronous: control, say }),
  },
};
