/** What a scenario is given and how two contestants are compared in it. */
import type { Request } from '../load/plan.ts';
import { type Contestant, type Drive, interleave, type Pass, runPass, summary } from '../measure/pass.ts';
import type { Report } from '../report.ts';
import type { Large } from '../setup/large.ts';
import type { World } from '../setup/world.ts';

export interface Bench {
  readonly world: World;
  readonly report: Report;
  /** The database with a million payouts; made when a scenario first asks for it. */
  large(): Promise<Large>;
}

export type Scenario = (bench: Bench) => Promise<void>;

/** A contestant with what it is asked to do. */
export interface Entry {
  readonly contestant: Contestant;
  readonly requests: readonly Request[];
  readonly adds: Drive['adds'];
}

/** Runs the entries interleaved with so many clients, notes their figures and returns them by name, one a round. */
export async function compare(
  { world, report }: Bench,
  scenario: string,
  clients: number,
  entries: Readonly<Record<string, Entry>>,
): Promise<Readonly<Record<string, readonly Pass[]>>> {
  const { warmupMs, measureMs, patienceMs } = world.options;
  const runs = Object.fromEntries(
    Object.entries(entries).map(([name, { contestant, requests, adds }]) => [
      name,
      () => runPass(world.cluster, contestant, { requests, clients, warmupMs, measureMs, patienceMs, adds }),
    ]),
  );
  const results = await interleave(world.options, runs, (line) => report.progress(`${scenario}: ${line}`));
  for (const [name, each] of Object.entries(results)) report.figure(scenario, name, summary(each));
  return results;
}

/** The passes under a name that `compare` was given. */
export function passesOf<T>(results: Readonly<Record<string, readonly T[]>>, name: string): readonly T[] {
  const passes = results[name];
  if (passes === undefined) throw new Error(`no contestant ${name}`);
  return passes;
}

/** What a single payout adds to the books. */
export const ONE_PAYOUT = { payouts: 1, records: 1 };
