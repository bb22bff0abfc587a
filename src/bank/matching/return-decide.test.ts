/** Money that goes back to its sender: what the payout says. */
import { expect, it } from 'vitest';
import { bankAccount, statementHead, wholeStatement } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { account } from '../../../test/support/harness/literals.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';

it('never ends in half a character: the database would keep another text than was approved', () => {
  const text = `${'a'.repeat(132)}😀 and more`; // 'Return ' and 132 letters end before the 140th
  const line = {
    direction: 'credit',
    amount: 500n,
    bookedOn: '2026-03-14',
    valueOn: null,
    explanation: { ...NOTHING_EXPLAINED, text, name: 'Zoe', account: 'DE89370400440532013000' },
    payouts: [],
    file: null,
    references: [],
  } as const;
  const imported = given(bankAccount(), account()).when(wholeStatement(statementHead(), [line]));
  const entry = [...imported.state.tables.bank_entry.values()].find(({ kind }) => kind === 'entry');
  const returned = imported.when({
    type: 'return_bank_entry',
    entry: entry?.id ?? '',
    account: null,
    currency: null,
    recipient: null,
    reason: null,
    settlementDelayMs: null,
  });
  returned.thenAccepts({});
  const [payout] = returned.state.tables.payout.values();
  expect(payout?.reference).toBe(`Return ${'a'.repeat(132)}`);
});
