/** The commands of payouts and payout batches, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import { type CreatePayoutBatch, createPayoutBatch } from './batch.ts';
import * as decide from './decide.ts';

export type PayoutCommand =
  | decide.CreatePayout
  | decide.UpdatePayout
  | decide.CancelPayout
  | decide.StepPayout
  | CreatePayoutBatch;

export const payoutDecisions: Decisions<PayoutCommand> = {
  create_payout: decide.createPayout,
  update_payout: decide.updatePayout,
  cancel_payout: decide.cancelPayout,
  step_payout: decide.stepPayout,
  create_payout_batch: createPayoutBatch,
};
