/** The commands of payouts and payout batches, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as approval from './approval-decide.ts';
import * as rulesDecide from './rules-decide.ts';
import { createPayoutBatch } from './batch.ts';
import { cancelPayoutBatch } from './batch-decide.ts';
import { stepPayout } from './connector-decide.ts';
import * as decide from './decide.ts';
import { fundPayout } from './funding-decide.ts';
import { updatePayout } from './update-decide.ts';

const approvals = {
  approve_payout: approval.approvePayout,
  reject_payout: approval.rejectPayout,
  approve_payout_batch: approval.approvePayoutBatch,
  reject_payout_batch: approval.rejectPayoutBatch,
};
const rules = {
  update_payout_rules: rulesDecide.updatePayoutRules,
  create_limit: rulesDecide.createLimit,
  delete_limit: rulesDecide.deleteLimit,
};

export const payoutDecisions = decisions({
  create_payout: decide.createPayout,
  update_payout: updatePayout,
  fund_payout: fundPayout,
  cancel_payout: decide.cancelPayout,
  step_payout: stepPayout,
  create_payout_batch: createPayoutBatch,
  cancel_payout_batch: cancelPayoutBatch,
  ...approvals,
  ...rules,
});
export type PayoutCommand = CommandOf<typeof payoutDecisions>;
