/** What the form of an endpoint holds, and what is sent of it. Pure. */
import { FAMILIES } from '../../ui/event-types.ts';

export interface FormValues {
  readonly url: string;
  readonly description: string;
  readonly isAll: boolean;
  /** Families and single types: `payout.*`, `payment.succeeded`. */
  readonly events: readonly string[];
  readonly ordered: boolean;
}

export interface Stands {
  readonly url: string;
  readonly description: string | null;
  readonly enabled_events: readonly string[];
  readonly ordered: boolean;
}

export const EMPTY: FormValues = { url: '', description: '', isAll: true, events: [], ordered: false };

export const valuesOf = ({ url, description, enabled_events: events, ordered }: Stands): FormValues => ({
  url,
  description: description ?? '',
  isAll: events.includes('*'),
  events: events.filter((event) => event !== '*'),
  ordered,
});

/** As the API takes it. */
export const sentOf = ({ url, description, isAll, events, ordered }: FormValues) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  enabled_events: isAll ? ['*'] : events,
  ordered,
});

export type Sent = ReturnType<typeof sentOf>;

/** What the form changed: what it left alone may be changed by somebody else meanwhile, and stays theirs. */
export function changesOf(before: FormValues, after: FormValues): Partial<Sent> {
  const [was, is] = [sentOf(before), sentOf(after)];
  return Object.fromEntries(
    Object.entries(is).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof Sent])),
  );
}

const WORDS = new Map(FAMILIES.map(([family, word]) => [`${family}.*`, word]));

/** "Every event", "Payouts, Payments", "Payouts and 7 more". */
export function eventsInWords(events: readonly string[]): string {
  if (events.includes('*')) return 'Every event';
  const words = events.map((event) => WORDS.get(event) ?? event);
  return words.length > 3 ? `${words.slice(0, 2).join(', ')} and ${words.length - 2} more` : words.join(', ');
}
