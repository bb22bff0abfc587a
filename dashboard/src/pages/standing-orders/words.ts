/** Standing orders in words. Pure. */
import type { StandingOrder, StandingOrderRun } from '../../../../client/src/generated/types.ts';
import { withAmounts } from '../../ui/digits.ts';
import { dayOfMonth } from '../../ui/instants.ts';
import type { Mark, StateWords } from '../../ui/state.tsx';
import type { Plan } from './calendar.ts';

const STATES: Readonly<Record<StandingOrder['status'], StateWords>> = {
  active: { mark: 'done', word: 'Active' },
  paused: { mark: 'wait', word: 'Paused' },
  completed: { mark: 'off', word: 'Completed' },
  canceled: { mark: 'off', word: 'Ended' },
};

export const STATE_CHOICES = Object.entries(STATES).map(([value, { word }]) => ({ value, label: word }));

/** Whom three runs in a row could not pay is not paused like what somebody paused. */
export const orderState = ({ status, paused_reason }: Pick<StandingOrder, 'status' | 'paused_reason'>): StateWords =>
  status === 'paused' && paused_reason === 'failures' ? { mark: 'bad', word: 'Paused, it failed' } : STATES[status];

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `Thu`, of an ISO date. */
export const weekdayShort = (day: string): string => weekdayOf(day).slice(0, 3);
const weekdayOf = (day: string): string => WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';

/** `Every month`, `Every 2 weeks`. */
export const everyOf = ({ interval, interval_count: count }: Pick<Plan, 'interval' | 'interval_count'>): string =>
  count === 1 ? `Every ${interval}` : `Every ${count} ${interval}s`;

/** `Every month on the 31st, or on the last day of a shorter month`. */
export function rhythmOf(plan: Pick<Plan, 'interval' | 'interval_count' | 'starts_on'>): string {
  const every = everyOf(plan);
  const { interval, starts_on: first } = plan;
  if (interval === 'day') return every;
  if (interval === 'week') return `${every} on ${weekdayOf(first)}`;
  const date = Number(first.slice(8));
  if (interval === 'year') {
    const leap = first.endsWith('-02-29') ? ', or on 28 February in other years' : '';
    return `${every} on ${dayOfMonth(first)}${leap}`;
  }
  return `${every} on the ${ordinal(date)}${date > 28 ? ', or on the last day of a shorter month' : ''}`;
}

function ordinal(count: number): string {
  const teen = count >= 11 && count <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}

/** Why a day made no payout, without what is for programs alone: the id of the account, and what to send next time. */
export function whyText(message: string): string {
  const plain = message.replace(/ Add money to the account.*$/s, '').replace(/Account acct_\w+/, 'The account');
  return withAmounts(plain, plain.match(/\d+(?:\.\d+)? [A-Z]{3}\b/g) ?? []);
}

/** What came of a planned day. */
export function runWords({ status, made_up, message, code }: StandingOrderRun): {
  readonly mark: Mark;
  readonly text: string;
} {
  if (status === 'succeeded') return { mark: 'done', text: made_up ? 'Payout made, later' : 'Payout made' };
  const why = message === null ? (code ?? '') : whyText(message);
  if (status === 'skipped') return { mark: 'off', text: why === '' ? 'Left out' : `Left out: ${why}` };
  return { mark: 'bad', text: why === '' ? 'No payout' : `No payout: ${why}` };
}
