/** What the form of a standing order holds, what is sent of it, and what is sent of a change. Pure. */
import { type Typed, typedAmount } from '../../ui/typed-amount.ts';
import { HALF } from '../../ui/half.ts';
import type { Plan } from './calendar.ts';

/** How it ends: somebody ends it, by a day, or by a number of planned days. It is chosen, so that an end that is half typed is no order without one. */
export type Ends = 'open' | 'day' | 'count';

export interface End {
  readonly ends: Ends;
  /** As it was typed; `''`, or `HALF`. */
  readonly lastDay: string;
  readonly count: string;
}

export interface Values extends End {
  readonly recipient: string;
  /** That of the recipient. */
  readonly currency: string;
  readonly amount: string;
  readonly account: string;
  readonly reference: string;
  readonly interval: Plan['interval'];
  readonly every: string;
  /** `2026-12-01`, `''`, or `HALF`. */
  readonly firstDay: string;
}

/** As the API takes it. */
export interface Order {
  readonly recipient: string;
  readonly currency: string;
  readonly amount: string;
  readonly interval: Plan['interval'];
  readonly interval_count: number;
  readonly starts_on: string;
  readonly ends_on?: string;
  readonly count?: number;
  readonly account?: string;
  readonly reference?: string;
}

/** Why something that was typed is nothing, by its field. */
export interface Faults {
  readonly amount?: string;
  readonly every?: string;
  readonly count?: string;
}

/** `order` null: something is missing yet, or is at fault. */
export interface Asked {
  readonly order: Order | null;
  readonly faults: Faults;
}

const NOTHING: Typed = { amount: null };

export const orderOf = (values: Values): Asked => {
  const { recipient, currency, account, reference, interval, firstDay } = values;
  const amount = currency === '' ? NOTHING : typedAmount(values.amount, currency);
  const every = countIn(values.every, MOST_EVERY);
  const end = endOf(values);
  const faults: Faults = {
    ...(amount.fault !== undefined && { amount: amount.fault }),
    ...(typeof every === 'string' && { every }),
    ...(typeof end === 'string' && { count: end }),
  };
  const isWhole = amount.amount !== null && typeof every === 'number' && isEnd(end);
  if (!isWhole || recipient === '' || firstDay === '' || firstDay === HALF) return { order: null, faults };
  const order = {
    recipient,
    currency,
    amount: amount.amount,
    interval,
    interval_count: every,
    starts_on: firstDay,
    ...(end.ends_on !== null && { ends_on: end.ends_on }),
    ...(end.count !== null && { count: end.count }),
    ...(account !== '' && { account }),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
  };
  return { order, faults };
};

interface SentEnd {
  readonly ends_on: string | null;
  readonly count: number | null;
}

/** As many as the API takes. */
const MOST_EVERY = 366;
const MOST_COUNT = 100_000;

/** The end; `null`: something is missing yet; a text: why the number is none. */
function endOf({ ends, lastDay, count }: End): SentEnd | string | null {
  if (ends === 'open') return { ends_on: null, count: null };
  if (ends === 'day') return lastDay === '' || lastDay === HALF ? null : { ends_on: lastDay, count: null };
  const number = countIn(count, MOST_COUNT);
  return typeof number === 'number' ? { ends_on: null, count: number } : number;
}

const isEnd = (end: SentEnd | string | null): end is SentEnd => end !== null && typeof end !== 'string';

function countIn(text: string, most: number): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const number = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  return number >= 1 && number <= most ? number : `A whole number from 1 to ${most}.`;
}

/** What can be changed, as it stands in the form of a change. */
export interface Changing extends End {
  readonly amount: string;
  /** Nobody typed it. */
  readonly isPlain: boolean;
  readonly reference: string;
}

/** Members that are to be others; the others stay, whoever changed them meanwhile. */
export interface Change {
  readonly amount?: string;
  readonly reference?: string | null;
  readonly ends_on?: string | null;
  readonly count?: number | null;
}

export interface Before extends SentEnd {
  readonly amount_minor: number;
  readonly currency: string;
  readonly reference: string | null;
}

/** `change` null: nothing is another, something is missing yet, or is at fault. */
export function changeOf(
  values: Changing,
  before: Before,
): { readonly change: Change | null; readonly faults: Omit<Faults, 'every'> } {
  const amount = typedAmount(values.amount, before.currency, values.isPlain);
  const end = endOf(values);
  const faults = {
    ...(amount.fault !== undefined && { amount: amount.fault }),
    ...(typeof end === 'string' && { count: end }),
  };
  if (amount.amount === null || !isEnd(end)) return { change: null, faults };
  const reference = values.reference.trim() === '' ? null : values.reference.trim();
  const isOtherReference = values.reference !== (before.reference ?? '') && reference !== before.reference;
  const isOtherEnd = end.ends_on !== before.ends_on || end.count !== before.count;
  const change: Change = {
    ...(amount.minor !== BigInt(before.amount_minor) && { amount: amount.amount }),
    ...(isOtherReference && { reference }),
    ...(isOtherEnd && sentEnd(end)),
  };
  return { change: Object.keys(change).length === 0 ? null : change, faults };
}

/** One kind of end replaces the other, and without either both are unset. */
const sentEnd = ({ ends_on, count }: SentEnd): Pick<Change, 'ends_on' | 'count'> =>
  ends_on !== null ? { ends_on } : count !== null ? { count } : { ends_on: null, count: null };

/** The form of a change to an order as it is. */
export const endIn = ({ ends_on, count }: SentEnd): End => ({
  ends: ends_on !== null ? 'day' : count !== null ? 'count' : 'open',
  lastDay: ends_on ?? '',
  count: count === null ? '' : String(count),
});
