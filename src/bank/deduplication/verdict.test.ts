/** The balance decides: whatever statements overlap, nothing is booked twice or left out, and what is not certain waits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counted,
  DAYS,
  Ledger,
  ofDays,
  type Rule,
  type Source,
  sources,
  story,
  sumOf,
  toldOf,
  type True,
} from '../../../test/support/bank/overlapping-statements.ts';
import { verdictOn } from './verdict.ts';

const RUNS = Number(process.env['OVERLAPS'] ?? 3_000);
const OPENING = 100n;

const cuts = fc.array(
  fc.record({ from: fc.nat(30), length: fc.nat(12), isOfDays: fc.boolean(), source: sources, seed: fc.nat() }),
  { minLength: 1, maxLength: 6 },
);

interface Cut {
  readonly from: number;
  readonly length: number;
  readonly isOfDays: boolean;
  readonly source: Source;
  readonly seed: number;
}

/** The entries that it tells, and its days. */
function endsOf(truth: readonly True[], { from, length, isOfDays }: Cut) {
  if (isOfDays) {
    const first = from % DAYS;
    const last = Math.min(DAYS - 1, first + (length % 3));
    return { ...ofDays(truth, first, last), days: [first, last] as const };
  }
  const begin = truth.length === 0 ? 0 : from % truth.length;
  const to = Math.min(truth.length, begin + 1 + length);
  return { from: begin, to, days: [truth[begin]?.day ?? 0, truth[to - 1]?.day ?? 0] as const };
}

function tell(ledger: Ledger, truth: readonly True[], cut: Cut): void {
  const { days, ...part } = endsOf(truth, cut);
  ledger.tell(toldOf(truth, { ...part, source: cut.source, seed: cut.seed }, OPENING, days));
}

/** Nobody gets more than the bank booked, and all that was taken in is there. */
function check(ledger: Ledger, truth: readonly True[]): void {
  const reported = new Set(ledger.spans.flatMap(({ truths }) => truths));
  const amounts = (all: readonly { readonly amount: bigint }[]) => counted(all.map(({ amount }) => String(amount)));
  expect(amounts(ledger.entries)).toEqual(amounts([...reported].sort((one, other) => one - other).map((at) => truth[at] as True)));
  const credited = counted(ledger.entries.flatMap(({ account, amount }) => (account === null ? [] : [`${account} ${amount}`])));
  const due = counted(truth.map(({ payer, amount }) => `${payer} ${amount}`));
  for (const [who, times] of credited) expect(times, who).toBeLessThanOrEqual(due.get(who) ?? 0);
}

/** The ends of statements within days. Two of one day with the same balance are one for everybody who sees balances only. */
function isClear(truth: readonly True[], tellings: readonly Cut[]): boolean {
  const points = new Map<string, number>();
  for (const { from: begin, to } of tellings.map((each) => endsOf(truth, each))) {
    for (const [at, day] of [[begin, truth[begin]?.day], [to, truth[to - 1]?.day]] as const) {
      const key = `${day} ${sumOf(truth.slice(0, at))}`;
      if ((points.get(key) ?? at) !== at) return false;
      points.set(key, at);
    }
  }
  return true;
}

const property = (rule: Rule) =>
  fc.property(story, cuts, (truth, tellings) => {
    fc.pre(isClear(truth, tellings));
    const ledger = new Ledger(rule);
    for (const each of tellings) {
      tell(ledger, truth, each);
      check(ledger, truth);
    }
  });

describe('statements that overlap', () => {
  it(`${RUNS} stories: none is booked twice, none is lost, what is not certain waits`, { timeout: 600_000 }, () => {
    fc.assert(property(verdictOn), { numRuns: RUNS });
  });
});
