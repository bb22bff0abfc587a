/** The commands of payouts and payout batches, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import { type CreatePayoutBatch, createPayoutBatch } from './batch.ts';
import {
  type CreatePayout,
  createPayout,
  type UpdatePayout,
  updatePayout,
  type CancelPayout,
  cancelPayout,
  type StepPayout,
  stepPayout,
} from './decide.ts';

export type PayoutCommand = CreatePayout | UpdatePayout | CancelPayout | StepPayout | CreatePayoutBatch;

export const payoutDecisions: Decisions<PayoutCommand> = {
  create_payout: createPayout,
  update_payout: updatePayout,
  cancel_payout: cancelPayout,
  step_payout: stepPayout,
  create_payout_batch: createPayoutBatch,
};
