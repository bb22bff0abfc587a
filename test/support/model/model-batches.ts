/** Batches in the model: what a batch of orders comes to, and how it counts its payouts. */
import type { CreatePayoutBatch } from '../../../src/paying/payouts/batch.ts';
import type { PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import type { Model } from './model.ts';
import { type Expectation, isEnded, type ModelBatch, type ModelPayout } from './model-objects.ts';

export function batchMade(model: Model, { orders, mode }: CreatePayoutBatch, atMs: number): Expectation {
  const good: PayoutOrder[] = [];
  const fates = orders.map((order) => {
    if ('faults' in order || 'payee' in order || model.unpayable(order, atMs, good)) return null; // no payees come here
    good.push(order); // what waits takes nothing, but what it needs is kept
    return order;
  });
  const rejected = orders.length - good.length;
  if (mode === 'atomic' && rejected > 0) return { refused: 'batch_invalid' };
  return {
    accepted: ({ id, payouts = [] }) => {
      for (const [index, order] of fates.entries()) if (order) model.pay(order, payouts[index] as string, id, atMs);
      model.batches.set(id, { items: payouts.filter((payout) => payout !== null), rejected });
      model.event(`payout_batch.created ${id}`);
      if (good.length === 0) model.event(`payout_batch.completed ${id}`);
    },
  };
}

/** Counted from the payouts themselves. A returned payout was paid: it failed nobody's batch. */
export function batchCounts(
  model: Model,
  id: string,
): { open: number; failed: number; rejected: number; created: number; status: string } {
  const { items, rejected } = model.batches.get(id) as ModelBatch;
  const statuses = items.map((item) => (model.payouts.get(item) as ModelPayout).status);
  const open = statuses.filter((status) => !isEnded(status)).length;
  const failed = statuses.filter((status) => status === 'failed' || status === 'canceled').length;
  const status = open > 0 ? 'processing' : failed + rejected > 0 ? 'completed_with_failures' : 'completed';
  return { open, failed, rejected, created: items.length, status };
}
