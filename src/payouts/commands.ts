/** The commands of payouts and payout batches, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../core/decision.ts';
import { createPayoutBatch } from './batch.ts';
import * as decide from './decide.ts';

export const payoutDecisions = decisions({
  create_payout: decide.createPayout,
  update_payout: decide.updatePayout,
  cancel_payout: decide.cancelPayout,
  step_payout: decide.stepPayout,
  create_payout_batch: createPayoutBatch,
});
export type PayoutCommand = CommandOf<typeof payoutDecisions>;
