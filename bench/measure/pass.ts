/**
 * One pass: a load against one contestant, what it cost, and its books afterwards. Passes of several contestants are
 * interleaved, because a shared machine drifts: only figures of the same round are compared. Next: `books.ts`.
 */
import { availableParallelism } from 'node:os';
import { type Counts, counts, faults } from '../books.ts';
import type { Request } from '../load/plan.ts';
import { runLoad } from '../load/run-load.ts';
import { type Cluster, withClient } from '../setup/cluster.ts';
import type { Program } from '../setup/program.ts';
import { cpuMs, familyCpuMs, machineCpuMs, ownCpuMs } from './proc.ts';
import { untilQuiet } from './quiet.ts';
import { median } from './statistics.ts';

export interface Contestant {
  readonly program: Program;
  /** Its database, whose books are verified; `null` for one without. */
  readonly databaseUrl: string | null;
  /** Whether its events must be without a gap. */
  readonly gapless: boolean;
}

export interface Drive {
  readonly requests: readonly Request[];
  readonly clients: number;
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Stop after so many answers instead. */
  readonly total?: number;
  /** What each answer must have added to the books; `null` for reads, after which there is nothing to verify. */
  readonly adds: Partial<Counts> | null;
  /** How long to wait for others on the machine to become quiet; 0 is not at all. */
  readonly patienceMs?: number;
  /** Runs while the load runs. */
  readonly beside?: () => Promise<void>;
  /** Another process of the benchmark that works meanwhile, so not one of others. */
  readonly helper?: number;
}

export interface Pass {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU of server and database for one answer. */
  readonly cpuMs: number;
  /** Share of the machine's cores that programs of others took meanwhile: above some percent the pass is disturbed. */
  readonly foreignShare: number;
}

/** For what has no latency or process of its own; the report prints dashes. */
export const NOT_MEASURED: Pass = {
  perSecond: Number.NaN,
  p50Ms: Number.NaN,
  p99Ms: Number.NaN,
  cpuMs: Number.NaN,
  foreignShare: Number.NaN,
};

let loads = 0;

/** Runs a pass. Rejects when an answer was not 200 or the books are wrong: such a pass has no figures. */
export async function runPass(cluster: Cluster, contestant: Contestant, drive: Drive): Promise<Pass> {
  const { program, databaseUrl } = contestant;
  loads += 1;
  const { requests, clients, warmupMs, measureMs, total = null } = drive;
  const keyPrefix = `bench-${process.pid}-${loads}-`;
  const plan = { port: program.port, requests, clients, warmupMs, measureMs, total, keyPrefix };
  const before = databaseUrl === null || drive.adds === null ? null : await withClient(databaseUrl, counts);
  if (databaseUrl !== null) await cluster.checkpoint();
  await untilQuiet(drive.patienceMs ?? 0);
  const cpu = () => cpuMs(program.pid) + (databaseUrl === null ? 0 : familyCpuMs(cluster.pid));
  const ours = () => ownCpuMs() + (drive.helper === undefined ? 0 : cpuMs(drive.helper));
  const foreign = () => machineCpuMs() - ours() - cpuMs(program.pid) - familyCpuMs(cluster.pid);
  const startedAt = performance.now();
  const foreignBefore = foreign();
  const cpuBefore = cpu();
  const [load] = await Promise.all([runLoad(plan), drive.beside?.()]);
  const cpuAfter = cpu();
  const fate = load.failures > 0 ? program.fate() : '';
  const foreignMs = foreign() - foreignBefore;
  const availableMs = (performance.now() - startedAt) * availableParallelism();
  program.truncateLog();
  if (load.failures > 0)
    throw new Error(`${load.failures} answers were not 200; the first: ${load.firstFailure} ${fate}`);
  if (databaseUrl !== null && before !== null && drive.adds !== null)
    await verify(databaseUrl, contestant.gapless, before, drive.adds, load.answers);
  return {
    perSecond: (load.measured * 1000) / load.measuredMs,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    cpuMs: (cpuAfter - cpuBefore) / load.answers,
    foreignShare: Math.max(0, foreignMs / availableMs),
  };
}

async function verify(
  url: string,
  gapless: boolean,
  before: Counts,
  adds: Partial<Counts>,
  answers: number,
): Promise<void> {
  await withClient(url, async (client) => {
    const after = await counts(client);
    const wrong = [...(await faults(client, gapless))];
    for (const what of ['payouts', 'exchanges', 'records'] as const) {
      const expected = before[what] + (adds[what] ?? 0) * answers;
      if (after[what] !== expected) wrong.push(`${after[what]} ${what} where ${expected} were answered`);
    }
    if (wrong.length > 0) throw new Error(`The books are wrong after ${answers} answers: ${wrong.join('; ')}`);
  });
}

/** How often each contestant runs. */
export interface Rounds {
  readonly passes: number;
  /** Rounds before them that are left out of the results. */
  readonly warmingUp: number;
}

/**
 * Runs every contestant once a round, every other round in the opposite order. Results by name, one a round. Programs grow
 * fast by load, not by time: what a scenario compiles and remembers anew took up to five seconds of it (bench/README.md).
 */
export async function interleave<T>(
  { passes, warmingUp }: Rounds,
  contestants: Readonly<Record<string, () => Promise<T>>>,
  progress: (line: string) => void,
): Promise<Readonly<Record<string, readonly T[]>>> {
  const results: Record<string, T[]> = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -warmingUp; round < passes; round++) {
    const order = Object.entries(contestants);
    if (round % 2 !== 0) order.reverse();
    for (const [name, run] of order) {
      progress(round < 0 ? `${name}, warming up` : `${name}, pass ${round + 1} of ${passes}`);
      const result = await run();
      if (round >= 0) results[name]?.push(result);
    }
  }
  return results;
}

/** The median of each figure. */
export function summary(passes: readonly Pass[]): Pass {
  const of = (figure: (pass: Pass) => number) => median(passes.map(figure));
  return {
    perSecond: of((pass) => pass.perSecond),
    p50Ms: of((pass) => pass.p50Ms),
    p99Ms: of((pass) => pass.p99Ms),
    cpuMs: of((pass) => pass.cpuMs),
    foreignShare: of((pass) => pass.foreignShare),
  };
}

/** The median of the ratios of the rounds, never the ratio of two medians. */
export function ratio<T>(above: readonly T[], below: readonly T[], figure: (each: T) => number): number {
  return median(above.map((each, round) => figure(each) / figure(below[round] as T)));
}

export const perSecond = (pass: Pass): number => pass.perSecond;
