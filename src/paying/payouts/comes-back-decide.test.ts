/** Money that comes back is never refused, whatever was ordered before: a property, with the old limit as its control. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACCOUNT, account, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import type { Account } from '../../core/account.ts';
import type { Payout } from './fields.ts';
import type { StepPayout } from './connector-decide.ts';

const LARGEST = 999_999_999_999_999n;
const written = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
/** The largest balance of before: where JSON stays exact in a double. */
const OLD_LIMIT = 9_007_199_254_740_991n;

const end = (payout: string, to: 'failed' | 'returned') =>
  ({ type: 'step_payout', payout, to, failureCode: null, nextDelayMs: null }) satisfies StepPayout;

/** Orders as a client makes them: what is refused is left out. Then all payouts come back. Returns the balance. */
function allComeBack(
  orders: readonly { readonly fund: boolean; readonly amount: bigint; readonly paid: boolean }[],
): bigint {
  let state = given(account({ balance: 0n }), recipient()).when({
    type: 'fund_account',
    account: ACCOUNT,
    amount: '0.01',
  });
  const out: { id: string; paid: boolean }[] = [];
  for (const { fund, amount, paid } of orders) {
    if (fund) state = state.when({ type: 'fund_account', account: ACCOUNT, amount: written(amount) });
    else {
      const order = payoutOrder({ amount, account: ACCOUNT });
      state = state.when({ type: 'create_payout', order, settlementDelayMs: null });
      if (state.refusal === undefined) {
        const { id } = state.reply as Payout;
        out.push({ id, paid });
        if (paid) state = state.when({ ...end(id, 'failed'), to: 'paid' });
      }
    }
  }
  for (const { id, paid } of out) {
    state = state.when(end(id, paid ? 'returned' : 'failed'));
    expect(state.refusal === undefined).toBe(true);
  }
  return (state.now(ACCOUNT) as Account).balance;
}

const order = fc.record({
  fund: fc.boolean(),
  amount: fc.constantFrom(LARGEST - 1n, LARGEST - 1n, LARGEST - 1n, 1n, 1250n),
  paid: fc.boolean(),
});

it('comes back to an account whatever it holds by then', () => {
  fc.assert(fc.property(fc.array(order, { maxLength: 60 }), (orders) => void allComeBack(orders)));
});

it('control: that takes balances which were refused before', () => {
  const orders = Array.from({ length: 24 }, (_, n) => ({ fund: n % 2 === 0, amount: LARGEST - 1n, paid: n % 4 === 1 }));
  expect(allComeBack(orders)).toBeGreaterThan(OLD_LIMIT);
});
