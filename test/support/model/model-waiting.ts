/** What payouts that wait leave of an account, in the model: added up from the payouts themselves. */
import type { Model } from './model.ts';

/** What an account holds beyond what its waiting payouts need, or those of them that are older than `than`. */
export function freeOn({ accounts, payouts }: Model, account: string, than?: string): bigint {
  let free = accounts.get(account)?.balance ?? 0n;
  for (const [id, payout] of payouts) {
    if (id === than) break;
    if (payout.status === 'waiting' && payout.account === account) free -= payout.amount + payout.fee;
  }
  return free;
}
