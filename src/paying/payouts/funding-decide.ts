/**
 * The decision that takes up a payout which waits for money: debits its account, or ends it where the last day of waiting is
 * over. Pure. Who sends it: `funding.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { openAccountNamed } from '../../core/ledger.ts';
import { DAY_MS, dayStartMs } from '../../core/values/time.ts';
import { checkFundsOf, debit, endUnfunded, isHeld, planned } from './decide.ts';
import { judgeAgain, refusedByFreeze } from './rules.ts';
import { keptForOlder, withoutWaiting } from './waiting.ts';

export interface FundPayout {
  readonly type: 'fund_payout';
  readonly payout: string;
  /** As in `create_payout`. */
  readonly settlementDelayMs: number | null;
}

/**
 * Refuses `payout_state_invalid`, `payouts_frozen`, `account_closed`, `balance_insufficient`, `limit_exceeded` and `rate_unavailable`: then it
 * goes on waiting.
 * After its last day it is `failed` with `insufficient_funds`, whatever the account holds.
 */
export function fundPayout(draft: Draft, command: FundPayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return missing('payout', command.payout);
  if (payout.status !== 'waiting' || payout.waitUntilOn === null) {
    const message = `Payout ${payout.id} is ${payout.status}; only a waiting one is taken up.`;
    return refusal('payout_state_invalid', message, { current_status: payout.status, allowed: ['waiting'] });
  }
  if (draft.atMs >= dayStartMs(payout.waitUntilOn) + DAY_MS) {
    return endUnfunded(draft, payout, 'failed', 'insufficient_funds');
  }
  const frozen = refusedByFreeze(draft);
  if (frozen) return frozen;
  const account = openAccountNamed(draft, payout.account, payout.currency, 'account');
  if (isRefusal(account)) return account;
  const unfunded = checkFundsOf(draft, account, payout, keptForOlder(draft, account, payout));
  if (unfunded) return unfunded;
  const verdict = isHeld(payout) ? null : judgeAgain(draft, payout);
  if (verdict !== null && isRefusal(verdict)) return verdict;
  const judged = { ...payout, ...verdict };
  const debited = debit(draft, withoutWaiting(account, payout), payout);
  const plan = planned(draft, judged, command.settlementDelayMs);
  const funded = { ...judged, ...debited, status: 'pending', ...plan } as const;
  draft.update(funded, 'payout.funded', { status: payout.status, transfer: null });
  if (judged.release !== payout.release) draft.emit('payout.held', funded);
  return funded;
}
