/** Why a button of an account is off. */
import { describe, expect, it } from 'vitest';
import { unfitToClose, unfitToTransfer } from './unfit.ts';

const holds = (balance: number) => ({ balance, currency: 'EUR' });

describe('an account', () => {
  it.each([
    [0, true, null],
    [1, true, 'It holds 0.01 EUR. Move that first.'],
    [0, false, 'Your role may not close accounts.'],
  ])('with %d, and the right: %s, is closed unless %j', (balance, may, why) =>
    expect(unfitToClose(holds(balance), may)).toBe(why),
  );
  it.each([
    [100, 1, true, null],
    [0, 1, true, 'There is nothing on it.'],
    [100, 0, true, 'There is no other open account in EUR.'],
    [100, 1, false, 'Your role may not move money.'],
  ])('with %d, beside %d others, and the right: %s, pays another one unless %j', (balance, count, may, why) =>
    expect(unfitToTransfer(holds(balance), Array<number>(count).fill(0), may)).toBe(why),
  );
});
