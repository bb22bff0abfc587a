/** What the command line may say, and what a full and a quick run mean in seconds. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly quick: boolean;
  /** Scenarios to run; empty is all. */
  readonly only: readonly string[];
  readonly passes: number;
  /** Rounds of passes before them that are not counted. */
  readonly warmingUp: number;
  /** Part of the names of the results. */
  readonly name: string;
  /** Folder for CPU profiles of the product, or `null`. */
  readonly profileFolder: string | null;
  readonly warmupMs: number;
  readonly measureMs: number;
  /** How long each pass may wait for others on the machine to become quiet. */
  readonly patienceMs: number;
  /** Payouts stored in the two databases that growth compares. */
  readonly stored: { readonly small: number; readonly large: number };
  /** Deliveries of the backlog whose draining is measured. */
  readonly backlog: number;
}

const FULL = {
  passes: 3,
  warmingUp: 1,
  patienceMs: 60_000,
  warmupMs: 1000,
  measureMs: 4000,
  stored: { small: 20_000, large: 1_000_000 },
  backlog: 100_000,
};
/** Proves that everything runs and that the books are right; its figures mean little. */
const QUICK = {
  passes: 1,
  warmingUp: 0,
  patienceMs: 0,
  warmupMs: 50,
  measureMs: 200,
  stored: { small: 500, large: 2_000 },
  backlog: 1_000,
};

export const USAGE = `npm run bench -- [--quick] [--only payouts,exchanges] [--passes 5] [--name laptop] [--profile folder]`;

/** Throws an error whose message says what is allowed. */
export function options(args: readonly string[], scenarios: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      passes: { type: 'string' },
      name: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const only = values.only.split(',').filter((name) => name !== '');
  const unknown = only.find((name) => !scenarios.includes(name));
  if (unknown !== undefined) throw new Error(`No scenario ${unknown}. There are: ${scenarios.join(', ')}.`);
  const defaults = values.quick ? QUICK : FULL;
  const passes = Number(values.passes ?? defaults.passes);
  if (!Number.isInteger(passes) || passes < 1) throw new Error('--passes takes a whole number above zero.');
  const name = values.name ?? [values.quick ? 'quick' : 'full', ...only].join('-');
  return { ...defaults, quick: values.quick, only, passes, name, profileFolder: values.profile ?? null };
}
