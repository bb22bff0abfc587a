/** Types of events, patterns of them (`payout.created`, `payout.*`, `*`), and the scopes that show them. */
import { covers } from './scopes.ts';
import { type Words, words } from './values/words.ts';

/** By family: the resource that its events show (`null`: they show nothing of one), and what may happen. */
const FAMILIES = {
  account: ['accounts', 'created updated closed'],
  balance: ['accounts', 'updated'],
  exchange: ['exchanges', 'created completed updated'],
  payout: ['payouts', 'created funded in_transit paid failed canceled returned updated held approved rejected'],
  payout_batch: ['payouts', 'created completed'],
  standing_order: [
    'standing_orders',
    'created updated paused resumed canceled completed run_succeeded run_made_up run_failed run_skipped',
  ],
  statement: ['accounts', 'created'],
  recipient: ['recipients', 'created updated archived redacted'],
  settings: ['settings', 'updated'],
  payment_link: ['payment_links', 'created updated completed expired canceled'],
  payment: ['payments', 'pending partially_paid succeeded duplicate failed refunded updated reminder_due'],
  expected_payment: ['payments', 'created partly_paid paid overdue canceled'],
  webhook_endpoint: ['webhook_endpoints', 'created updated failing disabled delivery_parked deleted'],
  bank_account: ['bank', 'created updated closed exports_stopped exports_resumed'],
  bank_file: ['bank', 'sealed abandoned'],
  bank: ['bank', 'statement_imported proof_failed drift_detected entry_unmatched entry_assigned conflict_detected'],
  environment: [null, 'restored'],
} as const;
type Families = typeof FAMILIES;
type Family = keyof Families;

/** `ping` belongs to the endpoints of webhooks. */
export type EventType = { [F in Family]: `${F}.${Words<Families[F][1]>}` }[Family] | 'ping';
export const EVENT_TYPES: readonly EventType[] = [
  ...Object.entries(FAMILIES).flatMap(([family, [, events]]) =>
    words(events).map((event) => `${family}.${event}` as EventType),
  ),
  'ping',
];

/** The read scopes of `types` that scopes do not have, each once; none for `null`, which is everything. */
export function scopesMissing(scopes: ReadonlySet<string> | null, types: readonly EventType[]): readonly string[] {
  if (scopes === null) return [];
  const needed = new Set<string>();
  for (const type of types) {
    const resource = type === 'ping' ? 'webhook_endpoints' : FAMILIES[type.split('.')[0] as Family][0];
    if (resource !== null) needed.add(`${resource}:read`);
  }
  return [...needed].filter((scope) => !covers(scopes, scope));
}

/** The types a pattern stands for; none if it stands for nothing. */
export function typesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return EVENT_TYPES;
  const family = pattern.endsWith('.*') ? pattern.slice(0, -1) : null;
  return EVENT_TYPES.filter((type) => (family === null ? type === pattern : type.startsWith(family)));
}
