/**
 * Proofs of statements in every order: while one is missing there is a gap and no drift, and once all are there each is `ok`. A ledger that holds
 * something else drifts. Pure.
 */
import { describe, expect, it } from 'vitest';
import { BANK, bankAccount, wholeStatement } from '../../../test/support/harness/bank-literals.ts';
import { AT, BEFORE, environment, seededIds } from '../../../test/support/harness/literals.ts';
import { apply, State } from '../../core/state.ts';
import { decide } from '../../write/slices.ts';
import type { BankLine } from './booking.ts';
import type { StatementHead } from './slice.ts';
import { NOTHING_EXPLAINED } from './fields.ts';

const hex = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('hex').slice(0, 64);

interface Said {
  readonly day: number;
  readonly page?: number;
  readonly opening: bigint;
  readonly amounts: readonly bigint[];
  readonly name?: string;
  /** How many of the amounts come as entries, where not all of them. */
  readonly booked?: number;
}

class Ledger {
  readonly state = new State(environment(0n, BEFORE));
  readonly events: string[] = [];
  #atMs = AT;

  constructor() {
    this.state.put(bankAccount({ onDrift: 'stop_exports' }));
  }

  say({ day, page, opening, amounts, name = 'S', booked = amounts.length }: Said): void {
    this.#atMs += 1_000;
    const on = `2026-03-${String(day).padStart(2, '0')}`;
    const sum = amounts.reduce((total, amount) => total + amount, 0n);
    const identity = hex(`${name} ${day} ${page ?? 0}`);
    const statement: StatementHead = {
      message: 'camt.053',
      reference: null,
      sequence: null,
      page: page ?? null,
      entriesFrom: null,
      entriesUntil: null,
      periodFrom: null,
      periodUntil: null,
      startsOn: on,
      openedOn: on,
      opening,
      closedOn: on,
      closing: opening + sum,
      entriesCount: amounts.length,
      sum,
      identity,
      series: hex(`${name} ${day}`),
      messageInFile: 1,
    };
    const lines = amounts.slice(0, booked).map(
      (amount, n): BankLine => ({
        position: n + 1,
        direction: amount < 0n ? 'debit' : 'credit',
        amount: amount < 0n ? -amount : amount,
        bookedOn: on,
        valueOn: on,
        explanation: NOTHING_EXPLAINED,
        payouts: [],
        file: null,
        references: [],
      }),
    );
    this.#do(wholeStatement(statement, lines));
  }

  #do(command: Parameters<typeof decide>[0]): void {
    const decision = decide(command, this.state, { atMs: this.#atMs, ids: seededIds(this.#atMs), actor: 'worker' });
    if (!decision.accepted) throw new Error(decision.refusal.message);
    apply(this.state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
    for (const change of decision.changes) if (change.kind === 'event') this.events.push(change.event.type);
  }

  resume(): void {
    this.#do({ type: 'resume_bank_account', bankAccount: BANK, reason: 'Known' });
  }

  get proofs(): string[] {
    return [...this.state.tables.bank_statement.values()].map(({ proof }) => proof);
  }

  get isStopped(): boolean {
    return this.state.tables.bank_account.get(BANK)?.stoppedBy !== null;
  }
}

const FIRST: Said = { day: 1, opening: 100n, amounts: [] };
const LATER: readonly Said[] = [
  { day: 2, page: 1, opening: 100n, amounts: [10n, 5n] },
  { day: 2, page: 2, opening: 115n, amounts: [-15n] }, // as it began
  { day: 3, opening: 100n, amounts: [7n] },
  { day: 4, page: 1, opening: 107n, amounts: [-3n] },
  { day: 4, page: 2, opening: 104n, amounts: [20n, -20n] },
];

const orders = <T>(all: readonly T[]): T[][] =>
  all.length < 2 ? [[...all]] : all.flatMap((each, at) => orders(all.toSpliced(at, 1)).map((rest) => [each, ...rest]));

describe('statements in every order', () => {
  it.each(orders([0, 1, 2, 3, 4]))(
    '%i, %i, %i, %i, %i: a gap while one is missing, never a drift, all proven in the end',
    (...order) => {
      const ledger = new Ledger();
      ledger.say(FIRST);
      for (const at of order) ledger.say(LATER[at] as Said);
      expect(new Set(ledger.proofs)).toEqual(new Set(['ok']));
      expect([ledger.events.includes('bank_statement.drift_detected'), ledger.isStopped]).toEqual([false, false]);
    },
  );
});

describe('a ledger that holds something else', () => {
  const other: Said = { day: 2, page: 1, opening: 100n, amounts: [50n], name: 'Other' };
  it('drifts, and stops the exports', () => {
    const ledger = new Ledger();
    ledger.say(FIRST);
    ledger.say({ day: 2, opening: 100n, amounts: [10n] });
    ledger.say(other); // as if the bank had said it otherwise
    expect([ledger.proofs.at(-1), ledger.isStopped]).toEqual(['drift', true]);
    expect(ledger.events.filter((type) => type === 'bank_statement.drift_detected')).toHaveLength(1);
  });

  it('drifts from the second statement of a day, which begins where the first ended', () => {
    const ledger = new Ledger();
    ledger.say({ day: 2, opening: 0n, amounts: [5n], name: 'A' });
    expect(ledger.isStopped).toBe(false);
    ledger.say({ day: 2, opening: 5n, amounts: [5n], name: 'B', booked: 0 }); // its entry is known already, so nothing is booked
    expect([ledger.proofs, ledger.isStopped]).toEqual([['ok', 'drift'], true]);
  });

  const TWO_OF_A_DAY: readonly Said[] = [
    { day: 2, opening: 100n, amounts: [10n], name: 'A' },
    { day: 2, opening: 110n, amounts: [-10n], name: 'B' },
    { day: 3, opening: 100n, amounts: [3n] },
  ];
  it.each(orders([0, 1, 2]))('agrees where a day has two statements and ends as it began: %i, %i, %i', (...order) => {
    const ledger = new Ledger();
    ledger.say(FIRST);
    for (const at of order) ledger.say(TWO_OF_A_DAY[at] as Said);
    expect([new Set(ledger.proofs), ledger.isStopped]).toEqual([new Set(['ok']), false]);
  });

  it('is not reported from one that misses a page until the page has come: a gap, and nothing stops', () => {
    const ledger = new Ledger();
    ledger.say(FIRST);
    ledger.say({ day: 3, opening: 100n, amounts: [-60n] }); // as if nothing had been in between
    expect(ledger.proofs).toEqual(['ok', 'ok']);
    ledger.say(other);
    expect(ledger.proofs).toEqual(['ok', 'gap', 'ok']);
    ledger.say({ day: 2, page: 2, opening: 150n, amounts: [-50n], name: 'Other' });
    expect([new Set(ledger.proofs), ledger.isStopped]).toEqual([new Set(['ok']), false]);
  });
});

describe('exports that a drift has stopped, and a person has resumed', () => {
  /** Five are missing on the second day. */
  const drifting = (): Ledger => {
    const ledger = new Ledger();
    ledger.say(FIRST);
    ledger.say({ day: 2, page: 1, opening: 100n, amounts: [10n] });
    ledger.say({ day: 2, page: 2, opening: 110n, amounts: [5n], booked: 0 });
    expect(ledger.isStopped).toBe(true);
    return ledger;
  };
  const drifts = ({ events }: Ledger) => events.filter((type) => type === 'bank_statement.drift_detected').length;

  it('are not stopped by a later statement of the same difference, which is reported', () => {
    const ledger = drifting();
    ledger.resume();
    ledger.say({ day: 3, opening: 115n, amounts: [7n] });
    ledger.say({ day: 4, opening: 122n, amounts: [-2n] });
    expect([ledger.isStopped, drifts(ledger)]).toEqual([false, 3]);
  });

  it('are stopped by another difference, and by the same one after the ledger agreed', () => {
    const ledger = drifting();
    ledger.resume();
    ledger.say({ day: 3, opening: 115n, amounts: [3n], booked: 0 });
    expect(ledger.isStopped).toBe(true);
    ledger.resume();
    ledger.say({ day: 3, opening: 115n, amounts: [3n], name: 'Whole' });
    ledger.say({ day: 2, page: 2, opening: 110n, amounts: [5n], name: 'Whole' });
    expect(new Set(ledger.proofs)).toEqual(new Set(['ok']));
    ledger.resume(); // of a difference of five, which was not the eight that the person had seen
    ledger.say({ day: 4, opening: 118n, amounts: [5n], booked: 0 });
    expect(ledger.isStopped).toBe(true);
  });

  it('are not stopped by a difference that came while they were', () => {
    const ledger = drifting();
    ledger.say({ day: 3, opening: 115n, amounts: [3n], booked: 0 });
    ledger.resume();
    ledger.say({ day: 4, opening: 118n, amounts: [1n] });
    expect(ledger.isStopped).toBe(false);
  });
});
