/**
 * What is ordinary does not wait: the same days from two sources, a day in parts, weeks that overlap, in any order. All is booked once, and no
 * person is asked. What a source may leave out or make up, and never gets booked twice: `core/deduplication/verdict.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import {
  type BankEntry,
  bookedBy,
  type Source,
  statementsOf,
  type Reported,
} from '../../../test/support/bank/ordinary-bank.ts';
import { isRelease, runs } from '../../../test/support/generators/random-cases.ts';
import { counted, randomOf } from '../../../test/support/bank/overlapping-statements.ts';
import { PlannedBank } from '../../../test/support/bank/planned-bank.ts';

/** Of the bank's entries: those of one with every change, of eight before a release. */
const SEEDS = Array.from({ length: Math.min(runs(1), 8) }, (_, at) => at + 1);

const REAL: Source = { name: 'A', references: 'real', says: 'all', days: 1 };
const BARE: Source = { name: 'B', references: 'none', says: 'all', days: 1 };
const OWN: Source = { name: 'C', references: 'own', says: 'ids', days: 1 };
const MUTE: Source = { name: 'D', references: 'none', says: 'nothing', days: 1 };
const CAPITALS: Source = { name: 'K', references: 'none', says: 'all', writes: 'capitals', days: 1 };
const SIGNLESS: Source = { ...CAPITALS, name: 'L', writes: 'no signs' };
const CUT: Source = { ...CAPITALS, name: 'M', writes: 'beginnings' };
const NATIONAL: Source = { ...CAPITALS, name: 'N', writes: 'national numbers' };
const WEEK: Source = { ...BARE, name: 'W', days: 5 };

/** The first statement comes first: what is older would be in the opening balance. */
function shuffled(reported: readonly Reported[], seed: number): readonly Reported[] {
  const random = randomOf(seed);
  const [first, ...rest] = reported.toSorted((one, other) => startOf(one).localeCompare(startOf(other)));
  for (let at = rest.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [rest[at], rest[other]] = [rest[other] as Reported, rest[at] as Reported];
  }
  return [first as Reported, ...rest];
}
const startOf = ({ head }: Reported): string => `${head.startsOn}`;
const inTime = (reported: readonly Reported[]): readonly Reported[] =>
  reported.toSorted((one, other) => `${one.head.closedOn}`.localeCompare(`${other.head.closedOn}`));

/** What waits, and what was booked. */
async function imported(reported: readonly Reported[]) {
  const bank = new PlannedBank(bankAccount({ profile: 'epc' }));
  for (const [n, { head, lines }] of reported.entries()) await bank.tell(head, lines, `sf_${n}`);
  const { bank_statement: statements, bank_entry: all } = bank.state.tables;
  const entries = [...all.values()].filter(({ kind }) => kind === 'entry');
  const signedOf = ({ direction, amount }: (typeof entries)[number]) => (direction === 'credit' ? amount : -amount);
  const signed = entries.map((each) => String(signedOf(each)));
  const marks = entries.map((each) =>
    marksOf({ ...each.explanation, payer: each.explanation.account, amount: signedOf(each) }),
  );
  const waiting = [...statements.values()].filter(({ status }) => status === 'needs_review');
  return {
    waiting: waiting.map(({ reference }) => reference),
    booked: counted(signed.toSorted()),
    marks: counted(marks.toSorted()),
  };
}
/** An amount, and of id and account what each source writes alike. */
const marksOf = ({ amount, endToEndId, payer }: Pick<BankEntry, 'amount' | 'endToEndId' | 'payer'>): string =>
  [amount, endToEndId?.replaceAll('-', '').toUpperCase().slice(0, 12), payer?.slice(-10)].join(' ');

/** Another one than that of time; before a release, that of time too. */
const ordersOf = (reported: readonly Reported[], seed: number) => [
  shuffled(reported, seed),
  ...(isRelease ? [inTime(reported)] : []),
];

const amountsOf = (all: readonly BankEntry[]) => counted(all.map(({ amount }) => String(amount)).toSorted());

describe.each<[string, readonly Source[]]>([
  ['with references and without', [REAL, BARE]],
  ['with references of their own', [REAL, OWN]],
  ['of which one says nothing but amounts', [BARE, MUTE]],
  ['of which one opens with the day before', [BARE, { ...BARE, name: 'P', opensBefore: true }]],
  ['of which one cuts ids, and has no accounts', [BARE, { ...CUT, says: 'ids' }]],
  ['in weeks', [BARE, WEEK]],
  ['in weeks, with references of their own', [BARE, { ...OWN, name: 'O', days: 5 }]],
  ['in weeks of many pages', [REAL, { ...REAL, name: 'G', days: 5, parts: 4, isPaged: true }]],
  ['in two statements a day', [BARE, { ...BARE, name: 'H', parts: 2 }]],
  ['in windows of three days', [{ ...BARE, name: 'R', repeats: 2 }]],
  ['in windows of weeks that share a day', [{ ...BARE, name: 'S', days: 4, repeats: 1 }]],
  ['of which one has Saturday and Sunday in the statement of Monday', [BARE, { ...BARE, name: 'M', skips: [4, 5] }]],
  ['of which one dates its balances a day later', [BARE, { ...BARE, name: 'L', isLate: true }]],
  [
    'of which one has the weekend in that of Monday, and the other one a month',
    [
      { ...BARE, name: 'M', skips: [4, 5] },
      { ...OWN, name: 'N', days: 6 },
    ],
  ],
])('sources %s', (_, sources) => {
  it.each(SEEDS)('in the order of time and in another one (%i)', async (seed) => {
    const all = bookedBy(seed);
    const reported = sources.flatMap((source) => statementsOf(all, source));
    for (const order of ordersOf(reported, seed)) {
      expect(await imported(order)).toMatchObject({ waiting: [], booked: amountsOf(all) });
    }
  });
});

describe.each<[string, readonly Source[]]>([
  ['ids in capitals', [REAL, CAPITALS]],
  ['ids in capitals, with the same references', [REAL, { ...CAPITALS, references: 'real' }]],
  ['ids without signs', [REAL, SIGNLESS]],
  ['the beginnings of ids', [REAL, CUT]],
  ['the beginnings of ids, in weeks', [REAL, { ...CUT, days: 5 }]],
  ['national numbers of accounts', [REAL, NATIONAL]],
  ['national numbers of accounts, with references of its own', [BARE, { ...NATIONAL, references: 'own' }]],
  ['national numbers of accounts, in weeks', [{ ...NATIONAL, days: 5 }, BARE]],
  ['each detail, in four sources,', [REAL, CAPITALS, CUT, NATIONAL]],
])('one that writes %s otherwise', (_, sources) => {
  it.each(SEEDS)('in the order of time and in another one (%i)', async (seed) => {
    const all = bookedBy(seed);
    const reported = sources.flatMap((source) => statementsOf(all, source));
    for (const order of ordersOf(reported, seed)) {
      expect(await imported(order)).toMatchObject({ waiting: [], marks: counted(all.map(marksOf).toSorted()) });
    }
  });
});

it('control: beginnings of ids that are too short to tell wait', async () => {
  const all = bookedBy(1);
  const short = all.map((each) => ({ ...each, endToEndId: each.endToEndId?.slice(0, 10) ?? null }));
  const reported = [...statementsOf(all, BARE), ...statementsOf(short, OWN)];
  const { waiting } = await imported(reported);
  expect(waiting).toHaveLength(reported.length / 2);
});

it.each<[string, readonly Source[]]>([
  ['with references and without', [REAL, BARE]],
  ['with references of their own', [REAL, OWN]],
  ['in weeks', [BARE, WEEK]],
])('an account that is emptied every day, from sources %s', async (_, sources) => {
  const all = bookedBy(1, { isEmptied: true });
  const reported = sources.flatMap((source) => statementsOf(all, source));
  for (const order of ordersOf(reported, 1)) {
    expect(await imported(order)).toMatchObject({ waiting: [], booked: amountsOf(all) });
  }
});

it('control: one that makes up amounts waits', async () => {
  const all = bookedBy(1);
  const madeUp = all.map((each) => (each.day === 4 ? { ...each, amount: each.amount + 1n } : each));
  const reported = [...statementsOf(all, BARE), ...statementsOf(madeUp, OWN).slice(4, 5)];
  expect((await imported(reported)).waiting).toEqual(['C 4']);
});
