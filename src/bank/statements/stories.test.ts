/**
 * Stories of a bank: days with entries, some of them equal, some booked late, told by statements of a day or of several, whole or in pages,
 * in any order, more than once, cut into chunks anywhere. However it is told, every entry is booked once, and the ledger holds what the
 * bank holds. Pure: the decisions on a state that knows everything.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, State } from '../../core/state.ts';
import { bankAccountOf, isOutside } from '../../core/house-accounts.ts';
import { decide } from '../../write/slices.ts';
import { AT, BEFORE, environment, seededIds } from '../../../test/support/harness/literals.ts';
import type { BankLine } from './booking.ts';
import type { ImportBankEntries, StatementHead } from './decide.ts';
import type { BankEntry } from './fields.ts';
import { Lookalikes } from './lookalikes.ts';
import { NOTHING_EXPLAINED } from './fields.ts';

const BANK = 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa';
const OPENING = 1_000n;
const DAYS = 7;

/** An entry of the bank: `late` days before the day it is reported on. */
interface Booked {
  readonly amount: bigint;
  readonly late: number;
  readonly reference: string | null;
}

/** How it is told: which days, in how many pages, cut where. */
interface Telling {
  readonly from: number;
  readonly days: number;
  readonly pages: number;
  readonly chunk: number;
  readonly again: boolean;
}

const entry = fc.record({
  amount: fc.constantFrom(1n, 2n, 500n, -1n, -2n, -300n),
  late: fc.constantFrom(0, 0, 0, 1),
  reference: fc.constantFrom(null, null, 'A', 'B'),
});
const story = fc.array(fc.array(entry, { maxLength: 5 }), { minLength: DAYS, maxLength: DAYS });
const tellings = fc.array(
  fc.record({
    from: fc.nat(DAYS - 1),
    days: fc.constantFrom(1, 1, 1, 2, 3),
    pages: fc.constantFrom(1, 1, 2),
    chunk: fc.integer({ min: 1, max: 4 }),
    again: fc.boolean(),
  }),
  { maxLength: 12 },
);

const NO_MARK = { endToEndId: null, account: null };
const dayOf = (n: number) => `2026-03-${String(n + 10).padStart(2, '0')}`;
const hex = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('hex').slice(0, 64);
const sumOf = (entries: readonly Booked[]) => entries.reduce((sum, { amount }) => sum + amount, 0n);

/** What a bank says when it tells of these days. */
function commandsOf(days: readonly (readonly Booked[])[], telling: Telling): ImportBankEntries[] {
  const { from, pages, chunk } = telling;
  const until = Math.min(from + telling.days, DAYS);
  const lines = days.slice(from, until).flatMap((entries, at) => entries.map((each) => ({ ...each, day: from + at })));
  const perPage = Math.max(1, Math.ceil(lines.length / pages));
  const commands: ImportBankEntries[] = [];
  let balance = OPENING + sumOf(days.slice(0, from).flat());
  for (let page = 0; page === 0 || page * perPage < lines.length; page++) {
    const here = lines.slice(page * perPage, (page + 1) * perPage);
    const lookalikes = new Lookalikes();
    for (const { amount, late, day, reference } of here)
      lookalikes.add(hex(`${day - late} ${amount} ${reference}`), NO_MARK);
    const said = here.map(({ amount, late, day, reference }): BankLine => {
      const identity = hex(`${day - late} ${amount} ${reference}`);
      return {
        identity,
        ...lookalikes.next(identity),
        direction: amount > 0n ? 'credit' : 'debit',
        amount: amount > 0n ? amount : -amount,
        bookedOn: dayOf(day - late),
        valueOn: null,
        explanation: NOTHING_EXPLAINED,
        payouts: [],
        file: null,
        references: [],
      };
    });
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
      identity: hex(`${from} ${until} ${pages} ${page}`),
    };
    balance += sumOf(here);
    for (let at = 0; at === 0 || at < said.length; at += chunk) {
      const rest = said.slice(at, at + chunk);
      const isLast = at + chunk >= said.length;
      commands.push({
        type: 'import_bank_entries',
        document: 'bd_01jd3v9q4ne8v8k3w2m6r5t7xa',
        bankAccount: BANK,
        statement,
        lines: rest,
        isLast,
      });
    }
  }
  return commands;
}

class Ledger {
  readonly state = new State(environment(0n, BEFORE));
  #atMs = AT;

  constructor() {
    this.state.put({
      object: 'bank_account',
      id: BANK,
      name: null,
      currency: 'EUR',
      country: 'DE',
      holder: 'Rossum',
      holderAddress: null,
      bankDetails: {},
      uses: ['payouts'],
      pendingChanges: null,
      profile: 'epc',
      calendar: 'target',
      holidays: [],
      cutOff: '14:30',
      timeZone: 'Europe/Berlin',
      bookedBy: 'camt.053',
      payeeCheck: 'off',
      exports: 'by_hand',
      paidBy: 'booking',
      reversalSign: 'own',
      charges: 'to_fees',
      onDrift: 'warn',
      stoppedBy: null,
      driftDifference: null,
      passedWindowAt: null,
      balance: 0n,
      booksFrom: null,
      status: 'open',
      metadata: {},
      createdAt: BEFORE,
      closedAt: null,
    });
  }

  /** Carries out what the import would send; a statement that is known is not sent on. */
  tell(commands: readonly ImportBankEntries[]): void {
    const known = new Set<string>();
    for (const command of commands) {
      if (known.has(command.statement.identity)) continue;
      this.#atMs += 1_000;
      const decision = decide(command, this.state, { atMs: this.#atMs, ids: seededIds(this.#atMs), actor: 'worker' });
      if (!decision.accepted) throw new Error(decision.refusal.message);
      apply(this.state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
      if ((decision.reply as { status: string }).status !== 'importing') known.add(command.statement.identity);
      this.check();
    }
  }

  get entries(): readonly BankEntry[] {
    return [...this.state.tables.bank_entry.values()];
  }

  get balance(): bigint {
    return this.state.tables.bank_account.get(BANK)?.balance as bigint;
  }

  /** After every commit the books agree: with the entries, and with the transfers. */
  check(): void {
    const signed = this.entries.map(({ direction, amount }) => (direction === 'credit' ? amount : -amount));
    expect(signed.reduce((sum, each) => sum + each, 0n)).toBe(this.balance);
    const isBank = (side: string) => isOutside(side) && bankAccountOf(side) === BANK;
    const moved = this.state.transfers.map(({ debitAccount, creditAccount, amount }) =>
      isBank(debitAccount) ? amount : isBank(creditAccount) ? -amount : 0n,
    );
    expect(moved.reduce((sum, each) => sum + each, 0n)).toBe(this.balance);
  }
}

/** The first day comes first: what is before it is the opening balance. Then all the others in any order, and every day once more. */
function orderOf(some: readonly Telling[]): Telling[] {
  const day = (from: number): Telling => ({ from, days: 1, pages: 1, chunk: 3, again: false });
  const rest = [
    ...some.flatMap((each) => (each.again ? [each, each] : [each])),
    ...Array.from({ length: DAYS }, (_, from) => day(from)),
  ];
  return [day(0), ...rest];
}

type Change = (line: BankLine, command: ImportBankEntries) => BankLine;

function checkStory(
  days: readonly (readonly Booked[])[],
  order: readonly Telling[],
  change: Change = (line) => line,
): void {
  const ledger = new Ledger();
  for (const telling of order) {
    const commands = commandsOf(days, telling);
    ledger.tell(commands.map((each) => ({ ...each, lines: each.lines.map((line) => change(line, each)) })));
  }
  const wanted = days.flatMap((entries, day) => entries.map(({ amount, late }) => `${dayOf(day - late)} ${amount}`));
  const found = ledger.entries.flatMap(({ kind, bookedOn, direction, amount }) =>
    kind === 'entry' ? [`${bookedOn} ${direction === 'credit' ? amount : -amount}`] : [],
  );
  expect(found.sort()).toEqual(wanted.sort());
  expect(ledger.balance).toBe(OPENING + sumOf(days.flat()));
  const statements = [...ledger.state.tables.bank_statement.values()];
  expect(statements.filter(({ proof }) => proof === 'failed')).toEqual([]);
}

/** A late entry is booked on the day before it is reported; on the first day there is none before. */
const withoutEarly = (days: readonly (readonly Booked[])[]) =>
  days.map((entries, day) => (day === 0 ? entries.map((each) => ({ ...each, late: 0 })) : entries));

const runs = Number(process.env['BANK_STORIES'] ?? 400);

describe('stories of a bank', () => {
  it('told in order, twice, in pages and chunks: every entry once', () => {
    fc.assert(
      fc.property(story, fc.constantFrom(1, 2), fc.integer({ min: 1, max: 4 }), (days, pages, chunk) => {
        const order = Array.from(
          { length: DAYS },
          (_, from): Telling => ({ from, days: 1, pages, chunk, again: false }),
        );
        checkStory(
          withoutEarly(days),
          order.flatMap((each) => [each, each]),
        );
      }),
      { numRuns: runs },
    );
  });

  it('told in any order, by statements that overlap', () => {
    fc.assert(
      fc.property(story, tellings, (days, some) => checkStory(withoutEarly(days), orderOf(some))),
      { numRuns: runs },
    );
  });

  const broken: readonly (readonly [string, Change])[] = [
    ['equal entries are not counted', (line) => ({ ...line, occurrence: 1 })],
    [
      'an entry is known by its statement',
      ({ direction, amount, ...line }, { statement: { startsOn, closedOn } }) => ({
        ...line,
        direction,
        amount,
        identity: hex(`${startsOn}${closedOn}${direction}${amount}`),
      }),
    ],
    ['the day does not count', (line) => ({ ...line, identity: hex(`${line.direction} ${line.amount}`) })],
  ];
  it.each(broken)('control: notices that %s', (_, change) => {
    const ledger = fc.property(story, tellings, (days, some) => checkStory(withoutEarly(days), orderOf(some), change));
    expect(fc.check(ledger, { numRuns: 400, endOnFailure: true }).failed).toBe(true);
  });
});
