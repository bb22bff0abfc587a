/**
 * The first day of the books, reported by several statements in any order, the first of them not always first. What is before the one that begins
 * the books is in their opening balance, what is behind it is booked, and the ledger is at the bank's balance, or something waits. Pure.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/support/generators/random-cases.ts';
import { PlannedBank } from '../../../test/support/bank/planned-bank.ts';
import { bankAccount, statementHead } from '../../../test/support/harness/bank-literals.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';
import type { BankLine } from '../statements/slice.ts';

const line = (amount: bigint, n: number): BankLine => ({
  position: 1,
  direction: amount > 0n ? 'credit' : 'debit',
  amount: amount > 0n ? amount : -amount,
  bookedOn: '2026-03-13',
  valueOn: null,
  explanation: { ...NOTHING_EXPLAINED, account: `A${n}` },
  payouts: [],
  file: null,
  references: [],
});

interface Day {
  readonly amounts: readonly bigint[];
  readonly order: readonly number[];
  readonly isNumbered: boolean;
}

/** The balance of the ledger, that of the bank, and whether anything waits. */
async function imported({ amounts, order, isNumbered }: Day) {
  const bank = new PlannedBank(bankAccount());
  const balances = amounts.reduce((all, amount) => [...all, (all.at(-1) as bigint) + amount], [100n]);
  for (const n of order) {
    const amount = amounts[n] as bigint;
    const [opening = 0n, closing = 0n] = balances.slice(n, n + 2);
    const sequence = isNumbered ? String(n + 1) : null;
    const said = { opening, closing, sum: amount, entriesCount: 1, identity: `a${n}`, series: `b${n}`, sequence };
    await bank.tell(statementHead(said), [line(amount, n)], `sf_${n}`);
  }
  const isWaiting = [...bank.state.tables.bank_statement.values()].some(({ status }) => status === 'needs_review');
  return { ledger: bank.account.balance, bank: balances.at(-1), isWaiting };
}

const amount = fc.constantFrom(50n, -20n, -30n, 30n, -50n, 7n);
const days = fc
  .array(amount, { minLength: 2, maxLength: 4 })
  .chain((amounts) =>
    fc.tuple(
      fc.constant(amounts),
      fc.shuffledSubarray([...amounts.keys()], { minLength: amounts.length }),
      fc.boolean(),
    ),
  );

it('the ledger is at the balance of the bank, or something waits', async () => {
  let right = 0;
  await fc.assert(
    fc.asyncProperty(days, async ([amounts, order, isNumbered]) => {
      const { ledger, bank, isWaiting } = await imported({ amounts, order, isNumbered });
      if (!isWaiting) expect(ledger).toBe(bank);
      right += isWaiting ? 0 : 1;
    }),
    { numRuns: runs(500) },
  );
  expect(right).toBeGreaterThan(300);
});

it.each<[string, readonly bigint[], boolean]>([
  ['three that do not lead back', [50n, -20n, 7n], false],
  ['three with numbers', [50n, -20n, -30n], true],
  ['four, one of which leads back', [50n, -50n, 30n, 7n], true],
])('in the order of the bank nothing waits: %s', async (_, amounts, isNumbered) => {
  const { ledger, bank, isWaiting } = await imported({ amounts, order: [...amounts.keys()], isNumbered });
  expect([ledger, isWaiting]).toEqual([bank, false]);
});
