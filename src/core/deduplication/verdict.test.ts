/** The balance decides: whatever statements overlap, nothing is booked twice or left out, and what is not certain waits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/generators/random-cases.ts';
import {
  counted,
  DAYS,
  HONEST,
  Ledger,
  ofDays,
  type Rule,
  type Source,
  sources,
  story,
  sumOf,
  reportedOf,
  type True,
} from '../../../test/support/bank/overlapping-statements.ts';
import type { Likeness } from './pairs.ts';
import { verdictOn } from './verdict.ts';

const RUNS = runs(500);
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
  ledger.tell(reportedOf(truth, { ...part, source: cut.source, seed: cut.seed }, OPENING, days));
}

/** Nobody gets more than the bank booked, and all that was taken in is there. */
function check(ledger: Ledger, truth: readonly True[]): void {
  const reported = new Set(ledger.spans.flatMap(({ truths }) => truths));
  const amounts = (all: readonly { readonly amount: bigint }[]) => counted(all.map(({ amount }) => String(amount)));
  expect(amounts(ledger.entries)).toEqual(
    amounts([...reported].sort((one, other) => one - other).map((at) => truth[at] as True)),
  );
  const credited = counted(
    ledger.entries.flatMap(({ account, amount }) => (account === null ? [] : [`${account} ${amount}`])),
  );
  const due = counted(truth.map(({ payer, amount }) => `${payer} ${amount}`));
  for (const [who, times] of credited) expect(times, who).toBeLessThanOrEqual(due.get(who) ?? 0);
}

/** The ends of statements within days. Two of one day with the same balance are one for everybody who sees balances only. */
function isClear(truth: readonly True[], tellings: readonly Cut[]): boolean {
  const points = new Map<string, number>();
  for (const { from: begin, to } of tellings.map((each) => endsOf(truth, each))) {
    for (const [at, day] of [
      [begin, truth[begin]?.day],
      [to, truth[to - 1]?.day],
    ] as const) {
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

  it('what one of them told again is known behind it, too', () => {
    const truth = (['1 A', '1 A', '1 A', '-10 C Y 2', '-1 A - 3', '10 A - 3', '-1 A - 3', '-10 C X 4'] as const).map(
      (text): True => {
        const [amount, payer = '', id = '-', day = '0'] = text.split(' ');
        return { amount: BigInt(amount as string), payer, endToEndId: id === '-' ? null : id, day: Number(day) };
      },
    );
    const days = (from: number, length: number, source: Partial<Source>): Cut => ({
      from,
      length,
      isOfDays: true,
      seed: 0,
      source: { ...HONEST, ...source },
    });
    const tellings: readonly Cut[] = [
      days(4, 0, { references: 'NONREF', endToEndIds: false }),
      days(2, 2, { days: 'shifted' }), // its first entry is taken for that of the last day
      { ...days(0, 5, { references: 'some', payers: false }), isOfDays: false, seed: 1_904_998_698 },
    ];
    const ledgerBy = (rule: Rule) => {
      const ledger = new Ledger(rule);
      for (const each of tellings) tell(ledger, truth, each);
      return ledger;
    };
    expect(ledgerBy(verdictOn).parked).toHaveLength(1);
    const forgetful: Rule = (reported, books) => verdictOn(reported, { ...books, behind: [] });
    expect(counted(ledgerBy(forgetful).entries.map(({ amount }) => String(amount))).get('-10')).toBe(3); // control: of two
  });

  it('statements of whole days: once every day was reported the books are complete, and nothing waits', {
    timeout: 600_000,
  }, () => {
    const days = fc.property(story, cuts, (truth, tellings) => {
      fc.pre(isClear(truth, tellings));
      const ledger = new Ledger(verdictOn);
      for (const each of tellings) tell(ledger, truth, { ...each, isOfDays: true, source: HONEST });
      for (let day = 0; day < DAYS; day += 1) {
        tell(ledger, truth, { from: day, length: 0, isOfDays: true, source: HONEST, seed: day });
      }
      check(ledger, truth);
      expect(ledger.parked.filter(({ entries }) => entries.length > 0)).toEqual([]);
    });
    fc.assert(days, { numRuns: Math.ceil(RUNS / 3) });
  });

  it('control: known by day, amount and reference alone, customers are credited twice', () => {
    const byHash: Rule = ({ entries }, books) => {
      const known = new Set(books.entries.map(({ day, amount, reference }) => `${day} ${amount} ${reference}`));
      const added = [...entries.keys()].filter((at) => {
        const { day, amount, reference } = entries[at] as Likeness;
        return !known.has(`${day} ${amount} ${reference}`);
      });
      return { isCertain: true, reading: { added, ground: null } };
    };
    expect(fc.check(property(byHash), { numRuns: 300, endOnFailure: true }).failed).toBe(true);
  });
});

/** Entries as `amount day mark`: the mark is the account of the other side, or with `#` the bank's reference. */
const entriesOf = (...texts: readonly string[]): Likeness[] =>
  texts.map((text) => {
    const [amount = '', day = '', mark = null] = text.split(' ');
    const isReference = mark?.startsWith('#') === true;
    const said = {
      endToEndId: null,
      named: null,
      account: isReference ? null : mark,
      reference: isReference ? mark : null,
    };
    return { amount: BigInt(amount), day: `2026-03-${day}`, ...said };
  });
const span = (startsOn: string, closedOn: string, opening: bigint, closing: bigint) =>
  ({ startsOn: `2026-03-${startsOn}`, closedOn: `2026-03-${closedOn}`, opening, closing }) as const;

describe('one statement beside another', () => {
  const first = { ...span('10', '10', 0n, 15n), id: 'one', entriesCount: 2 };
  const known = (...texts: readonly string[]) => entriesOf(...texts).map((each) => ({ ...each, statement: 'one' }));
  it.each<[string, Parameters<typeof verdictOn>[0], readonly string[], readonly number[] | null]>([
    [
      'the same day from a source without references',
      { span: span('10', '10', 0n, 15n), entries: entriesOf('10 10', '5 10') },
      ['10 10 #A', '5 10 #B'],
      [],
    ],
    [
      'the same day with references of its own',
      { span: span('10', '10', 0n, 15n), entries: entriesOf('10 10 #X', '5 10 #Y') },
      ['10 10 #A', '5 10 #B'],
      [],
    ],
    [
      'the second statement of the day, with the same entries',
      { span: span('10', '10', 15n, 30n), entries: entriesOf('10 10', '5 10') },
      ['10 10', '5 10'],
      [0, 1],
    ],
    [
      'the day with one entry more',
      { span: span('10', '10', 0n, 22n), entries: entriesOf('10 10', '7 10', '5 10') },
      ['10 10', '5 10'],
      [1],
    ],
    [
      'the day with one entry fewer',
      { span: span('10', '10', 0n, 10n), entries: entriesOf('10 10') },
      ['10 10', '5 10'],
      [],
    ],
    [
      'the day with another entry in the place of one',
      { span: span('10', '10', 0n, 17n), entries: entriesOf('10 10', '7 10') },
      ['10 10', '5 10'],
      null,
    ],
    [
      'the next week, which pays the same every day',
      { span: span('10', '12', 0n, 25n), entries: entriesOf('10 10 A', '5 10 A', '5 11 A', '5 12 A') },
      ['10 10 A', '5 10 A'],
      [2, 3],
    ],
    [
      'the day and the next one',
      { span: span('10', '11', 0n, 25n), entries: entriesOf('10 10', '5 10', '10 11') },
      ['10 10', '5 10'],
      [2],
    ],
    [
      'days of value instead of booking',
      { span: span('10', '10', 0n, 15n), entries: entriesOf('10 12', '5 11') },
      ['10 10', '5 10'],
      [],
    ],
    [
      'a file that does not add up',
      { span: span('11', '11', 15n, 25n), entries: entriesOf('9 11') },
      ['10 10', '5 10'],
      null,
    ],
  ])('%s', (_, reported, texts, added) => {
    const verdict = verdictOn(reported, { spans: [first], behind: [], entries: known(...texts) });
    expect(verdict.isCertain ? verdict.reading.added : null).toEqual(added);
  });
});
