/**
 * The command line of `npm run soak -- <name>`: reads the order, runs rounds until one fails, says a line for each,
 * and the verdict. The program is `scripts/soak.ts`, which gives it a PostgreSQL; the soaks are in
 * `test/support/faults/soaks.ts`.
 */
import { parseArgs } from 'node:util';
import { newSeed } from '../generators/seeded.ts';
import { type Round, type Soak, SOAKS } from '../faults/soaks.ts';

/** More say no more. */
const SHOWN_COMPLAINTS = 20;
const SHOWN_CHARACTERS = 1_000;

interface Order {
  readonly name: string;
  readonly soak: Soak;
  readonly size: number;
  readonly seed: number;
  readonly control: boolean;
}

function usage(): string {
  const lines = Object.entries(SOAKS).map(
    ([name, { what, unit, size, roundSize }]) =>
      `  ${name.padEnd(10)}${what}\n            ${number(size)} ${unit}, in rounds of ${number(roundSize)}`,
  );
  return `npm run soak -- ci
npm run soak -- long [NAME…]
npm run soak -- <name> [--size 500] [--seed 7] [--control]

  ci        the tests in test/soak: a short form of those below and of what else kills, floods or tortures,
            each with its control runs; two files at a time, and a part of npm run check
  long      what a release must pass: test/long, those below at the size of a release, clients in other
            languages; hours. With names: the parts whose names hold one
${lines.join('\n')}

  --size     how much of it, instead of the above; --rounds says the same
  --seed     what to choose by; without it a new one, which is printed
  --control  on something that is broken in a known way: the run must fail
`;
}

/** `null`: help is asked for. Throws an error whose message says what is allowed. */
function orderFrom(args: readonly string[]): Order | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: 'string' },
      rounds: { type: 'string' },
      seed: { type: 'string' },
      control: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const [name = ''] = positionals;
  const soak = Object.hasOwn(SOAKS, name) ? SOAKS[name] : undefined;
  if (!soak || positionals.length > 1) throw new Error(`Name one of ${Object.keys(SOAKS).join(', ')}.`);
  const size = Number(values.size ?? values.rounds ?? soak.size);
  if (!Number.isSafeInteger(size) || size < 1) throw new Error('--size takes a whole number above zero.');
  const seed = Number(values.seed ?? newSeed());
  if (!Number.isInteger(seed) || seed < 0 || seed > 2 ** 31) throw new Error('--seed takes a number up to 2147483648.');
  return { name, soak, size, seed, control: values.control };
}

/** All rounds until one fails. Returns whether none did. */
async function run({ name, soak, size, seed, control }: Order, print: (line: string) => void): Promise<boolean> {
  const startedMs = performance.now();
  const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(0)} s`;
  print(`${name}${control ? ', control run' : ''}: ${number(size)} ${soak.unit}, seed ${seed}. ${soak.what}.`);
  const totals = new Map<string, number>();
  for (let done = 0, round = 0; done < size; round++) {
    const part = Math.min(soak.roundSize, size - done);
    const roundSeed = seed + round;
    const { complaints, counts } = await soak.round({ size: part, seed: roundSeed, control, say: print }).catch(thrown);
    done += part;
    for (const [what, count] of Object.entries(counts)) totals.set(what, (totals.get(what) ?? 0) + count);
    const progress = [...totals].map(([what, count]) => `${number(count)} ${what}`).join(', ');
    print(`${seconds().padStart(7)}  ${number(done)} of ${number(size)} ${soak.unit}: ${progress}`);
    if (complaints.length === 0) continue;
    for (const complaint of complaints.slice(0, SHOWN_COMPLAINTS)) print(`  ${complaint.slice(0, SHOWN_CHARACTERS)}`);
    if (complaints.length > SHOWN_COMPLAINTS) print(`  and ${complaints.length - SHOWN_COMPLAINTS} more`);
    const again = `npm run soak -- ${name} --size ${part} --seed ${roundSeed}${control ? ' --control' : ''}`;
    print(`FAILED after ${seconds()}: ${complaints.length} complaints. The same round again: ${again}`);
    return false;
  }
  print(`PASSED in ${seconds()}: no complaints, seed ${seed}.`);
  return true;
}

/** An engine gives up with an error where going on is useless. */
function thrown(error: unknown): Round {
  return { complaints: [error instanceof Error ? (error.stack ?? error.message) : String(error)], counts: {} };
}

function number(count: number): string {
  return count.toLocaleString('en');
}

export interface Surroundings {
  /** To standard output. */
  readonly print: (line: string) => void;
  /** To standard error: why the command line is wrong, and what there is. */
  readonly refuse: (text: string) => void;
  /** Gives the soaks a PostgreSQL while they run. */
  readonly onCluster: (work: () => Promise<number>) => Promise<number>;
}

/** The exit code: 0 when there is nothing to complain about, 1 when there is, 2 for a wrong command line. */
export async function soak(args: readonly string[], { print, refuse, onCluster }: Surroundings): Promise<number> {
  let order: Order | null;
  try {
    order = orderFrom(args);
  } catch (error) {
    refuse(`${(error as Error).message}\n\n${usage()}`);
    return 2;
  }
  if (order === null) {
    print(usage().trimEnd());
    return 0;
  }
  const wanted = order;
  return onCluster(async () => ((await run(wanted, print)) ? 0 : 1));
}
