/** The commands of standing orders, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as decide from './decide.ts';
import { runStandingOrder } from './run-decide.ts';

export const standingOrderDecisions = decisions({
  create_standing_order: decide.createStandingOrder,
  update_standing_order: decide.updateStandingOrder,
  pause_standing_order: decide.pauseStandingOrder,
  resume_standing_order: decide.resumeStandingOrder,
  cancel_standing_order: decide.cancelStandingOrder,
  run_standing_order: runStandingOrder,
});
export type StandingOrderCommand = CommandOf<typeof standingOrderDecisions>;
