/**
 * The decision behind a payout batch: one command with many changes. `atomic` creates all payouts or none and names every
 * fault; `partial` answers item by item. Items are decided in order; each sees the changes of those before it. Pure.
 */
import { type Decision, isRefusal } from '../core/decision.ts';
import { type ItemFault, type Refusal, refusal } from '../core/errors.ts';
import { newMetadata } from '../core/metadata.ts';
import type { Metadata } from '../core/objects.ts';
import type { Draft } from '../core/draft.ts';
import { orderPayout, type PayoutOrder } from './decide.ts';
import type { ItemResult, PayoutBatch } from './fields.ts';

export interface CreatePayoutBatch {
  readonly type: 'create_payout_batch';
  /** In partial mode an item may be a fault that the parser found; the decision rejects it. */
  readonly orders: readonly (PayoutOrder | { readonly fault: Omit<ItemFault, 'index'> })[];
  readonly mode: 'atomic' | 'partial';
  readonly metadata: Metadata | undefined;
  readonly settlementDelayMs: number | null;
}

export function createPayoutBatch(draft: Draft, command: CreatePayoutBatch): Decision {
  const id = draft.newId('pob');
  const results: ItemResult[] = [];
  const errors: ItemFault[] = [];
  for (const [index, order] of command.orders.entries()) {
    const payout = 'fault' in order ? refusalOf(order.fault) : orderPayout(draft, order, id, command.settlementDelayMs);
    if (!isRefusal(payout)) {
      results.push({ status: 'created', payout });
      continue;
    }
    results.push({ status: 'rejected', refusal: payout });
    const { param } = payout.details;
    errors.push({ index, ...(param !== undefined && { param }), code: payout.code, message: payout.message });
  }
  if (command.mode === 'atomic' && errors.length > 0) {
    const message = `${errors.length} of ${command.orders.length} payouts cannot be made; nothing was created.`;
    return refusal('batch_invalid', message, { param: 'payouts', errors });
  }
  const payoutsCount = results.length - errors.length;
  const batch: PayoutBatch = {
    object: 'payout_batch',
    id,
    status: payoutsCount > 0 ? 'processing' : 'completed_with_failures',
    mode: command.mode,
    payoutsCount,
    rejectedCount: errors.length,
    openCount: payoutsCount,
    failedCount: 0,
    metadata: newMetadata(command.metadata),
    createdAt: draft.atMs,
    completedAt: payoutsCount > 0 ? null : draft.atMs,
  };
  draft.create(batch, 'payout_batch.created');
  if (payoutsCount === 0) draft.emit('payout_batch.completed', batch);
  return { object: 'payout_batch_results', id, batch, results };
}

function refusalOf({ code, message, param }: Omit<ItemFault, 'index'>): Refusal {
  return refusal(code, message, param === undefined ? {} : { param });
}
