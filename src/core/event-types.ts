/** Types of events, patterns of them (`payout.created`, `payout.*`, `*`), and the scopes that show them. */
import { covers, PAYROLL_READ, seesPayroll } from './scopes.ts';

export const EVENT_TYPES = [
  'account.created',
  'account.updated',
  'account.closed',
  'balance.updated',
  'exchange.created',
  'exchange.completed',
  'exchange.updated',
  'payout.created',
  'payout.funded',
  'payout.in_transit',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.returned',
  'payout.updated',
  'payout.held',
  'payout.approved',
  'payout.rejected',
  'payout_batch.created',
  'payout_batch.completed',
  'standing_order.created',
  'standing_order.updated',
  'standing_order.paused',
  'standing_order.resumed',
  'standing_order.canceled',
  'standing_order.completed',
  'standing_order.run_succeeded',
  'standing_order.run_made_up',
  'standing_order.run_failed',
  'standing_order.run_skipped',
  'daily_statement.created',
  'recipient.created',
  'recipient.updated',
  'recipient.archived',
  'recipient.redacted',
  'settings.updated',
  'key.created',
  'key.rolled',
  'key.updated',
  'key.revoked',
  'payout_rules.updated',
  'limit.created',
  'limit.updated',
  'limit.deleted',
  'fee_rule.created',
  'fee_rule.deleted',
  'payment_link.created',
  'payment_link.updated',
  'payment_link.completed',
  'payment_link.expired',
  'payment_link.canceled',
  'payment.pending',
  'payment.partially_paid',
  'payment.succeeded',
  'payment.duplicate',
  'payment.failed',
  'payment.refunded',
  'payment.updated',
  'payment.reminder_due',
  'expected_payment.created',
  'expected_payment.partially_paid',
  'expected_payment.paid',
  'expected_payment.overdue',
  'expected_payment.canceled',
  'expected_payment.updated',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook_endpoint.delivery_parked',
  'webhook_endpoint.deleted',
  'bank_account.created',
  'bank_account.updated',
  'bank_account.closed',
  'bank_account.exports_stopped',
  'bank_account.exports_resumed',
  'payment_file.sealed',
  'payment_file.updated',
  'payment_file.payees_checked',
  'payment_file.abandoned',
  'bank_statement.imported',
  'bank_statement.needs_review',
  'bank_statement.proof_failed',
  'bank_statement.drift_detected',
  'bank_entry.unmatched',
  'bank_entry.assigned',
  'bank_entry.updated',
  'bank_entry.voided',
  'bank_entry.unvoided',
  'bank_entry.conflict_detected',
  'environment.restored',
  'ping',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

type FamilyOf<T extends string> = T extends `${infer Family}.${string}` ? Family : T;

type Resources = string | readonly string[];
type Shown = Readonly<Record<FamilyOf<EventType>, Resources | null> & Partial<Record<EventType, Resources>>>;

/** The resources whose objects the events of a family, or of a single type, show; `null`: they show nothing of a resource. */
const SHOWN_RESOURCES: Shown = {
  account: 'accounts',
  balance: 'accounts',
  exchange: 'exchanges',
  payout: 'payouts',
  payout_batch: 'payouts',
  standing_order: 'standing_orders',
  daily_statement: 'accounts',
  recipient: 'recipients',
  settings: 'settings',
  key: 'keys',
  payout_rules: 'payout_rules',
  limit: 'limits',
  fee_rule: 'fee_rules',
  payment_link: 'payment_links',
  payment: 'payments',
  expected_payment: 'payments',
  webhook_endpoint: 'webhook_endpoints',
  bank_account: 'bank_accounts',
  payment_file: 'payment_files',
  bank_statement: 'statement_files',
  bank_entry: 'bank_entries',
  'bank_entry.conflict_detected': ['bank_entries', 'payouts'],
  environment: null,
  ping: 'webhook_endpoints',
};

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);
/** A type that only an older copy told is none any more: whoever sees all types sees it. */
const asKnown = (types: readonly EventType[]): readonly EventType[] =>
  types.every((type) => KNOWN.has(type)) ? types : EVENT_TYPES;

/** The read scopes of `types` that scopes do not have, each once; none for `null`, which is everything. */
export function scopesMissing(scopes: ReadonlySet<string> | null, types: readonly EventType[]): readonly string[] {
  if (scopes === null) return [];
  const needed = new Set<string>();
  for (const type of asKnown(types)) {
    const resources = SHOWN_RESOURCES[type] ?? SHOWN_RESOURCES[type.split('.')[0] as FamilyOf<EventType>];
    for (const resource of [resources ?? []].flat()) needed.add(`${resource}:read`);
  }
  return [...needed].filter((scope) => !covers(scopes, scope));
}

/** Whose objects may say whom a payroll pays. */
const OF_PAYROLL: readonly EventType[] = EVENT_TYPES.filter((type) =>
  /^(?:payout\.|standing_order\.|bank_entry\.)/.test(type),
);

/**
 * The scopes that are missing to have events sent, as they are, to whoever receives them: a key itself is shown events without what it may
 * not see.
 */
export function scopesMissingToSend(
  scopes: ReadonlySet<string> | null,
  types: readonly EventType[],
): readonly string[] {
  const lacking = scopesMissing(scopes, types);
  return seesPayroll(scopes) || !asKnown(types).some((type) => OF_PAYROLL.includes(type))
    ? lacking
    : [...lacking, PAYROLL_READ];
}

/** The types whose objects scopes show; `null`: all. */
export function typesShown(scopes: ReadonlySet<string> | null): readonly EventType[] | null {
  const shown = EVENT_TYPES.filter((type) => isShown(scopes, type));
  return shown.length === EVENT_TYPES.length ? null : shown;
}

/** Whether scopes show the object of an event of this type. */
export const isShown = (scopes: ReadonlySet<string> | null, type: EventType): boolean =>
  scopesMissing(scopes, [type]).length === 0;

/** The types a pattern stands for; none if it stands for nothing. */
export function typesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return EVENT_TYPES;
  const family = pattern.endsWith('.*') ? pattern.slice(0, -1) : null;
  return EVENT_TYPES.filter((type) => (family === null ? type === pattern : type.startsWith(family)));
}
