/**
 * What payouts that wait for money need of their account, and what that leaves for others. It stands beside the balance, so it is known
 * wherever the account is. Every payout that begins or ends to wait passes here; `verify` recounts it. Pure.
 */
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import type { Account } from '../../core/account.ts';
import type { Draft } from '../../core/draft.ts';
import { sumOf } from '../../core/fees.ts';
import { isInOrder } from '../../core/payout-rules.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Payout } from './fields.ts';

type Needing = Pick<Payout, 'amount' | 'fees'>;

const neededBy = ({ amount, fees }: Needing): bigint => amount + sumOf(fees);
const neededOn = ({ waiting }: Account): bigint => (waiting === null ? 0n : BigInt(waiting.amount));

/** The account with one waiting payout more. */
export function withWaiting(account: Account, payout: Needing): Account {
  const count = (account.waiting?.count ?? 0) + 1;
  return { ...account, waiting: { count, amount: String(neededOn(account) + neededBy(payout)) } };
}

/** The account with one waiting payout less. */
export function withoutWaiting(account: Account, payout: Needing): Account {
  const count = (account.waiting?.count ?? 0) - 1;
  if (count <= 0) return { ...account, waiting: null };
  return { ...account, waiting: { count, amount: String(neededOn(account) - neededBy(payout)) } };
}

/** What a new payout must leave on the account: what waits there comes first, unless the rules let it be passed. */
export const keptFor = (draft: Draft, account: Account): bigint =>
  isInOrder(draft.state.environment.payoutRules) ? neededOn(account) : 0n;

/**
 * What a payout that waits must leave on its account: what older ones wait for. Loaded with the command (`write/load-waiting.ts`), less
 * what has ended to wait in the same batch. What was made in this batch was not loaded, and all that are younger are known.
 */
export function keptForOlder(draft: Draft, account: Account, payout: Payout): bigint {
  const { environment, neededBefore, tables } = draft.state;
  if (!isInOrder(environment.payoutRules)) return 0n;
  let kept = neededBefore.get(payout.id);
  if (kept === undefined) {
    const isYounger = (each: Payout) => each.account === account.id && each.status === 'waiting' && each.id > payout.id;
    const younger = [...tables.payout.values()].filter(isYounger).reduce((sum, each) => sum + neededBy(each), 0n);
    return neededOn(withoutWaiting(account, payout)) - younger;
  }
  for (const id of neededBefore.keys()) {
    const older = id < payout.id ? draft.find('payout', id) : undefined;
    if (older?.account === account.id && older.status !== 'waiting') kept -= neededBy(older);
  }
  return kept;
}

/** How a refusal tells that money is there, and for whom. */
export function keptMessage(draft: Draft, account: Account, needed: bigint): string {
  const { id, balance, currency, waiting } = account;
  const money = (minor: bigint) => formatMoney(minor, currency);
  const count = waiting?.count ?? 0;
  // What is not loaded has not changed.
  const line = draft.state.waitingLines.get(id) ?? [];
  const oldest = line.find((each) => (draft.find('payout', each)?.status ?? 'waiting') === 'waiting');
  const named = oldest === undefined ? '' : `, the oldest is ${oldest}`;
  const whose = `${count === 1 ? '1 payout waits' : `${count} payouts wait`} for ${money(neededOn(account))} of it${named}`;
  const free = money(freeOn(account));
  return `Account ${id} holds ${money(balance)}, and ${whose}: ${free} is free, ${money(needed)} is needed. Wait too with on_insufficient_funds=wait, cancel what waits, or let it be passed with waiting_payouts of the payout rules.`;
}

/** What no waiting payout needs. */
export function freeOn(account: Account): bigint {
  const free = account.balance - neededOn(account);
  return free > 0n ? free : 0n;
}

const MAX_DAYS_AHEAD = 366;

/** Refuses `scheduled_on_invalid`, or `wait_until_on_invalid`: from today to a year ahead. */
export function checkPlannedDay(
  day: string | null,
  atMs: number,
  param: 'scheduled_on' | 'wait_until_on' = 'scheduled_on',
): Refusal | null {
  if (day === null) return null;
  const today = isoDay(atMs);
  const last = isoDay(atMs + MAX_DAYS_AHEAD * DAY_MS);
  if (day >= today && day <= last) return null;
  const message = `${param} must be a day from today, ${today}, to ${last}, got ${day}.`;
  return refusal(param === 'scheduled_on' ? 'scheduled_on_invalid' : 'wait_until_on_invalid', message, { param });
}
