/**
 * A statement of Monday with bookings of Saturday, beside statements of Saturday from another source. Two balances that are alike prove
 * nothing: the second statement of Saturday ends with the balance with which Monday's begins, and all of it is in Monday's. Pure.
 */
import { expect, it } from 'vitest';
import { PlannedBank } from '../../../test/support/bank/planned-bank.ts';
import { bankAccount, statementHead } from '../../../test/support/harness/bank-literals.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';
import type { BankLine } from '../statements/slice.ts';

const [FRIDAY, SATURDAY, MONDAY] = ['2026-03-13', '2026-03-14', '2026-03-16'] as const;

const line = (position: number, amount: bigint, bookedOn: string): BankLine => ({
  position,
  direction: amount > 0n ? 'credit' : 'debit',
  amount: amount > 0n ? amount : -amount,
  bookedOn,
  valueOn: null,
  explanation: { ...NOTHING_EXPLAINED, account: `A${amount}` },
  payouts: [],
  file: null,
  references: [],
});

it('a booking that came to nothing on Saturday is not booked again by the second statement of Saturday', async () => {
  const bank = new PlannedBank(bankAccount());
  const tell = async (n: number, day: string, opening: bigint, said: readonly (readonly [bigint, string])[]) => {
    const sum = said.reduce((total, [amount]) => total + amount, 0n);
    const days = { startsOn: day, openedOn: day, closedOn: day, entriesFrom: said[0]?.[1] ?? null };
    const balances = { opening, closing: opening + sum, sum, entriesCount: said.length };
    const head = statementHead({ ...days, ...balances, identity: `a${n}`, series: `b${n}`, sequence: null });
    await bank.tell(
      head,
      said.map(([amount, bookedOn], at) => line(at + 1, amount, bookedOn)),
      `bd_${n}`,
    );
  };
  await tell(0, FRIDAY, 0n, [[10n, FRIDAY]]);
  await tell(1, MONDAY, 10n, [
    [20n, SATURDAY],
    [-20n, SATURDAY],
    [15n, MONDAY],
  ]);
  await tell(2, SATURDAY, 10n, [[20n, SATURDAY]]);
  await tell(3, SATURDAY, 30n, [[-20n, SATURDAY]]);
  expect(bank.account.balance).toBe(25n);
});
