/**
 * Stories of a bank: days with entries, some of them equal, some booked late, reported by statements of a day or of several, whole or in pages,
 * in any order, more than once, cut into chunks anywhere. However it is reported, no entry is booked twice, and what the ledger lacks stands
 * in a statement that waits for a person. In order none waits; in any order one in 350 (decision 0079). Pure: the decisions on a state
 * that knows everything.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/generators/random-cases.ts';
import { bankAccountOf, isOutside } from '../../core/house-accounts.ts';
import { BANK, bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { PlannedBank } from '../../../test/support/bank/planned-bank.ts';
import { Positions } from '../../core/deduplication/positions.ts';
import type { BankLine } from '../statements/booking.ts';
import type { StatementHead } from '../statements/slice.ts';
import type { BankEntry, BankStatement } from '../statements/fields.ts';
import type { Planning } from './planning.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';

const OPENING = 1_000n;
const DAYS = 7;
const sumOf = (entries: readonly Booked[]) => entries.reduce((sum, { amount }) => sum + amount, 0n);

/** An entry of the bank: `late` days before the day it is reported on. */
interface Booked {
  readonly amount: bigint;
  readonly late: number;
  readonly reference: string | null;
}

/** How it is reported: which days, in how many pages, cut where. */
interface Telling {
  readonly from: number;
  readonly days: number;
  readonly pages: number;
  readonly isLong: boolean;
  readonly isCut: boolean;
  readonly again: boolean;
}

const entry = fc.record({
  // None come to nothing together: that would leave open whether they were reported before (`src/core/deduplication/verdict.test.ts`).
  amount: fc.constantFrom(1n, 2n, 500n, -1_000_000n, -2_000_000n),
  late: fc.constantFrom(0, 0, 0, 1),
  reference: fc.constantFrom(null, null, 'A', 'B'),
});
const day = fc.array(entry, { maxLength: 5 });
const story = fc.array(day, { minLength: DAYS, maxLength: DAYS });
const tellings = fc.array(
  fc.record({
    from: fc.nat(DAYS - 1),
    days: fc.constantFrom(1, 1, 1, 2, 3),
    pages: fc.constantFrom(1, 1, 2),
    isLong: fc.boolean(),
    isCut: fc.boolean(),
    again: fc.boolean(),
  }),
  { maxLength: 12 },
);

const dayOf = (n: number) => `2026-03-${String(n + 10).padStart(2, '0')}`;
const hex = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('hex').slice(0, 64);

interface Reported {
  readonly statement: StatementHead;
  readonly lines: readonly BankLine[];
}

/** What a bank says when it tells of these days. */
function statementsOf(days: readonly (readonly Booked[])[], telling: Telling): Reported[] {
  const { from, isLong } = telling;
  // Pages do not say which of the days they are about.
  const pages = telling.days === 1 ? telling.pages : 1;
  const until = Math.min(from + telling.days, DAYS);
  const lines = days.slice(from, until).flatMap((entries, at) =>
    entries.map((each, n) => ({
      ...each,
      day: from + at,
      // References that mislead are those of `src/core/deduplication/verdict.test.ts`.
      reference: each.reference && `${each.reference}${from + at}-${n}`,
    })),
  );
  const perPage = Math.max(1, Math.ceil(lines.length / pages));
  const statements: Reported[] = [];
  let balance = OPENING + sumOf(days.slice(0, from).flat());
  for (let page = 0; page === 0 || page * perPage < lines.length; page++) {
    const here = lines.slice(page * perPage, (page + 1) * perPage);
    const said = here.map(
      ({ amount, late, day, reference }, n): BankLine => ({
        position: n + 1,
        direction: amount > 0n ? 'credit' : 'debit',
        amount: amount > 0n ? amount : -amount,
        bookedOn: dayOf(day - late),
        valueOn: null,
        // Long texts are commits of their own.
        explanation: { ...NOTHING_EXPLAINED, bankReference: reference, text: isLong ? 'x'.repeat(40_000) : null },
        payouts: [],
        file: null,
        references: [],
      }),
    );
    const series = hex(`${from} ${until}`);
    const statement: StatementHead = {
      message: 'camt.053',
      reference: series,
      sequence: null,
      page: pages === 1 ? null : page + 1,
      startsOn: dayOf(from),
      openedOn: dayOf(from),
      opening: balance,
      closedOn: dayOf(until - 1),
      closing: balance + sumOf(here),
      entriesCount: here.length,
      sum: sumOf(here),
      series,
      entriesFrom: here.some(({ day, late }) => day - late < from) ? dayOf(from - 1) : null,
      entriesUntil: null,
      periodFrom: null,
      periodUntil: null,
      messageInFile: 1,
      identity: hex(`${from} ${until} ${pages} ${page}`),
    };
    balance += sumOf(here);
    statements.push({ statement, lines: said });
  }
  return statements;
}

class Ledger {
  readonly bank: PlannedBank;

  constructor(change?: (planning: Planning) => Planning) {
    this.bank = new PlannedBank(bankAccount({ profile: 'epc' }), () => this.check(), change);
  }

  /** As the import does. `isCut`: it ends before the last entry, and the file is handed in again. */
  async tell(statements: readonly Reported[], isCut: boolean, document: string): Promise<void> {
    for (const { statement, lines } of statements) {
      if (isCut) await this.bank.tell(statement, lines, document, lines.length - 1);
      await this.bank.tell(statement, lines, document);
    }
  }

  get entries(): readonly BankEntry[] {
    return [...this.bank.state.tables.bank_entry.values()];
  }

  get balance(): bigint {
    return this.bank.state.tables.bank_account.get(BANK)?.balance as bigint;
  }

  /** After every commit the books agree: with the entries, and with the transfers. */
  check(): void {
    const signed = this.entries.map(({ direction, amount }) => (direction === 'credit' ? amount : -amount));
    expect(signed.reduce((sum, each) => sum + each, 0n)).toBe(this.balance);
    const isBank = (side: string) => isOutside(side) && bankAccountOf(side) === BANK;
    const moved = this.bank.state.transfers.map(({ debitAccount, creditAccount, amount }) =>
      isBank(debitAccount) ? amount : isBank(creditAccount) ? -amount : 0n,
    );
    expect(moved.reduce((sum, each) => sum + each, 0n)).toBe(this.balance);
  }
}

/** The first day comes first: what is before it is the opening balance. Then all the others in any order, and every day once more. */
function orderOf(some: readonly Telling[]): Telling[] {
  const day = (from: number): Telling => ({ from, days: 1, pages: 1, isLong: false, isCut: false, again: false });
  const rest = [
    ...some.flatMap((each) => (each.again ? [each, each] : [each])),
    ...Array.from({ length: DAYS }, (_, from) => day(from)),
  ];
  return [day(0), ...rest];
}

/** Tells it, and checks the money. Returns the statements that wait and are no pages. */
async function tellStory(
  days: readonly (readonly Booked[])[],
  order: readonly Telling[],
  change?: (planning: Planning) => Planning,
): Promise<BankStatement[]> {
  const ledger = new Ledger(change);
  /** The amounts of each statement, by its identity. */
  const said = new Map<string, readonly string[]>();
  for (const [n, telling] of order.entries()) {
    const statements = statementsOf(days, telling);
    for (const { statement, lines } of statements) said.set(statement.identity, lines.map(signedOf));
    await ledger.tell(statements, telling.isCut, idAt('sf', n + 1));
  }
  const statements = [...ledger.bank.state.tables.bank_statement.values()];
  // Of a part of a day it may be unclear which entries it tells, without references.
  const waiting = statements.filter(({ status, page }) => status === 'needs_review' && page === null);
  // Of two of one amount of which nothing else is said, on two days, either may be taken for the other: nobody gets another sum.
  const found = ledger.entries.flatMap((each) => (each.kind === 'entry' ? [signedOf(each)] : []));
  const wanted = days.flatMap((entries) => entries.map(({ amount }) => String(amount)));
  const lacking = without(wanted, found);
  expect(without(found, wanted)).toEqual([]);
  expect(
    without(
      lacking,
      waiting.flatMap(({ identity }) => said.get(identity) ?? []),
    ),
  ).toEqual([]);
  const missing = lacking.reduce((sum, amount) => sum + BigInt(amount), 0n);
  expect(ledger.balance).toBe(OPENING + sumOf(days.flat()) - missing);
  expect(statements.filter(({ proof }) => proof === 'failed')).toEqual([]);
  return waiting;
}

const signedOf = ({ direction, amount }: Pick<BankLine, 'direction' | 'amount'>): string =>
  String(direction === 'credit' ? amount : -amount);

/** Those that are left of the one when each of the other is taken out once. */
function without(one: readonly string[], other: readonly string[]): string[] {
  const left = [...one];
  for (const each of other) {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** A late entry is booked on the day before it is reported; on the first day there is none before. */
const withoutEarly = (days: readonly (readonly Booked[])[]) =>
  days.map((entries, day) => (day === 0 ? entries.map((each) => ({ ...each, late: 0 })) : entries));

const RUNS = runs(100);
/** Stories in which a statement waits for a person without need: 23 of 8,000. */
const MOST_WAIT = RUNS / 100;

describe('stories of a bank', { timeout: 600_000 }, () => {
  it('reported in order, twice, in pages and commits of one entry: every entry once', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.constantFrom(1, 2), fc.boolean(), fc.boolean(), async (days, pages, isLong, isCut) => {
        const order = Array.from(
          { length: DAYS },
          (_, from): Telling => ({ from, days: 1, pages, isLong, isCut, again: false }),
        );
        const twice = order.flatMap((each) => [each, each]);
        expect(await tellStory(withoutEarly(days), twice)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it(`reported in any order, by statements that overlap: not more than ${MOST_WAIT} of ${RUNS} wait`, async () => {
    let waiting = 0;
    await fc.assert(
      fc.asyncProperty(story, tellings, async (days, some) => {
        if ((await tellStory(withoutEarly(days), orderOf(some))).length > 0) waiting += 1;
      }),
      { numRuns: RUNS },
    );
    expect(waiting).toBeLessThanOrEqual(MOST_WAIT);
  });

  const broken: readonly (readonly [string, (planning: Planning) => Planning])[] = [
    ['all entries are new', (planning) => ({ ...planning, added: Positions.upTo(planning.head.entriesCount) })],
    [
      'a statement that was cut off ends there',
      (planning) => (planning.plan === null ? { ...planning, added: Positions.NONE } : planning),
    ],
  ];
  it.each(broken)('control: notices that %s', async (_, change) => {
    const holds = fc.asyncProperty(story, async (days) => {
      const some = { from: 1, days: 3, pages: 1, isLong: true, isCut: true, again: false };
      expect(await tellStory(withoutEarly(days), orderOf([some]), change)).toEqual([]);
    });
    expect((await fc.check(holds, { numRuns: 50, endOnFailure: true })).failed).toBe(true);
  });
});
