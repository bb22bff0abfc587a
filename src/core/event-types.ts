/** Types of events, and patterns of them: `payout.created`, a family such as `payout.*`, or `*` for all. */

export const EVENT_TYPES = [
  'account.created',
  'account.updated',
  'account.closed',
  'balance.updated',
  'exchange.created',
  'exchange.completed',
  'exchange.updated',
  'payout.created',
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
  'recipient.created',
  'recipient.updated',
  'recipient.archived',
  'recipient.redacted',
  'settings.updated',
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
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled',
  'webhook_endpoint.delivery_parked',
  'webhook_endpoint.deleted',
  'environment.restored',
  'ping',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types a pattern stands for; none if it stands for nothing. */
export function typesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return EVENT_TYPES;
  const family = pattern.endsWith('.*') ? pattern.slice(0, -1) : null;
  return EVENT_TYPES.filter((type) => (family === null ? type === pattern : type.startsWith(family)));
}
