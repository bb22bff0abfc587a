/** Entries of one day, amount and reference in one commit: each is booked once, and they are not compared each with each. Pure. */
import { expect, it } from 'vitest';
import { BANK, bankAccount, statementHead } from '../../../test/support/harness/bank-literals.ts';
import { AT, BEFORE, environment, idAt, seededIds } from '../../../test/support/harness/literals.ts';
import { apply, State } from '../../core/state.ts';
import { decide } from '../../write/slices.ts';
import type { ImportBankEntries } from './decide.ts';
import { NOTHING_EXPLAINED } from './fields.ts';
import type { Mark } from './lookalikes.ts';

/** How many entries there are after one page, and another, of the same statement. */
function booked(...pages: readonly (readonly Mark[])[]): number {
  const state = new State(environment(0n, BEFORE));
  const ids = seededIds(AT);
  state.put(bankAccount({ booksFrom: '2026-03-01' }));
  for (const lookalikes of pages) {
    const command: ImportBankEntries = {
      type: 'import_bank_entries',
      document: idAt('bd', 1),
      bankAccount: BANK,
      statement: statementHead(),
      lines: lookalikes.map(({ endToEndId, account }, n) => ({
        identity: 'cc',
        lookalikes,
        occurrence: n + 1,
        direction: 'credit',
        amount: 1n,
        bookedOn: '2026-03-13',
        valueOn: null,
        explanation: { ...NOTHING_EXPLAINED, endToEndId, account },
        payouts: [],
        file: null,
        references: [],
      })),
      isLast: false,
    };
    const decision = decide(command, state, { atMs: AT, ids, actor: 'worker' });
    if (!decision.accepted) throw new Error(decision.refusal.message);
    apply(state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
  }
  return state.tables.bank_entry.size;
}

const marks = (...texts: readonly string[]): Mark[] =>
  texts.map((text) => {
    const [id = '', account = ''] = text.split('/');
    return { endToEndId: id === '' ? null : id, account: account === '' ? null : account };
  });

it('what is booked in a commit is not taken for another entry of it', () => {
  expect(booked(marks('/', '/A'), marks('A/B', 'A/', 'A/B', 'B/'))).toBe(4);
  expect(booked(marks('A/', 'B/'), marks('A/', 'B/'))).toBe(2); // control: known ones are known
});

it('the work grows with their number', () => {
  const reads = (count: number): number => {
    let looks = 0;
    const counted = (n: number): Mark => ({
      get endToEndId() {
        looks += 1;
        return `E${n}`;
      },
      account: null,
    });
    expect(booked(Array.from({ length: count }, (_, n) => counted(n)))).toBe(count);
    return looks;
  };
  expect(reads(200)).toBe(2 * reads(100));
});
