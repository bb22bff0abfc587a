/** Why something cannot be done to an account, as far as the page knows. Pure. The server says no in any case. */
import type { Account } from '../../../../client/src/generated/types.ts';
import { digitsOf } from '../../ui/digits.ts';

type Seen = Pick<Account, 'balance' | 'currency'>;

/** `null`: it may be tried. `others`: open accounts of the same currency. */
export function unfitToTransfer(
  { balance, currency }: Seen,
  others: readonly unknown[],
  mayTransfer: boolean,
): string | null {
  if (!mayTransfer) return 'Your role may not move money.';
  if (others.length === 0) return `There is no other open account in ${currency}.`;
  return balance === 0 ? 'There is nothing on it.' : null;
}

/** `null`: it may be tried. */
export function unfitToClose({ balance, currency }: Seen, mayClose: boolean): string | null {
  if (!mayClose) return 'Your role may not close accounts.';
  return balance === 0 ? null : `It holds ${digitsOf(balance, currency)} ${currency}. Move that first.`;
}
