/**
 * Entries behind a statement that lies beside the new one: they may make a reading doubtful, and never take the right one away. A month from the
 * bank, with its first days from a portal before it and a week of the next month after it; then one day of that month again. Pure.
 */
import { expect, it } from 'vitest';
import { PlannedBank } from '../../../test/support/bank/planned-bank.ts';
import { bankAccount, statementHead } from '../../../test/support/harness/bank-literals.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';
import type { BankLine } from '../statements/slice.ts';

const ENTRIES: readonly (readonly [day: string, amount: bigint])[] = [
  ['2026-03-01', 100n],
  ['2026-03-01', 7n],
  ['2026-03-10', 20n],
  ['2026-03-27', 5n],
  ['2026-03-27', 3n],
  ['2026-03-31', 50n],
  ['2026-04-01', 1_000n],
  ['2026-04-02', 2_000n],
  ['2026-04-03', 4_000n],
];

it.each([
  ['of a day within the month', '2026-03-27', '2026-03-27'],
  ['of a day on which the month ends', '2026-03-31', '2026-03-31'],
  ['of the last days of the month', '2026-03-27', '2026-03-31'],
])('a statement %s adds nothing, and nobody is asked', async (_, startsOn, closedOn) => {
  const bank = new PlannedBank(bankAccount());
  const tell = async (n: number, first: string, last: string, hasReferences = true) => {
    const said = ENTRIES.filter(([day]) => day >= first && day <= last);
    const before = ENTRIES.filter(([day]) => day < first).reduce((sum, [, amount]) => sum + amount, 0n);
    const sum = said.reduce((total, [, amount]) => total + amount, 0n);
    const balances = { opening: before, closing: before + sum, sum, entriesCount: said.length };
    const days = { startsOn: first, openedOn: first, closedOn: last };
    const lines = said.map(
      ([bookedOn, amount], at): BankLine => ({
        position: at + 1,
        direction: 'credit',
        amount,
        bookedOn,
        valueOn: null,
        explanation: {
          ...NOTHING_EXPLAINED,
          account: `A${amount}`,
          bankReference: hasReferences ? `R${amount}` : null,
        },
        payouts: [],
        file: null,
        references: [],
      }),
    );
    await bank.tell(
      statementHead({ ...days, ...balances, identity: `a${n}`, series: `b${n}`, sequence: null }),
      lines,
      `sf_${n}`,
    );
  };
  await tell(0, '2026-03-01', '2026-03-01');
  await tell(1, '2026-03-01', '2026-03-31');
  await tell(2, '2026-03-31', '2026-04-03');
  await tell(3, startsOn, closedOn, false);
  const { bank_statement: statements, bank_entry: entries } = bank.state.tables;
  expect([...statements.values()].map(({ status }) => status)).toEqual(Array(4).fill('imported'));
  expect([...entries.values()].filter(({ kind }) => kind === 'entry')).toHaveLength(ENTRIES.length);
});
