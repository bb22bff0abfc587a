/** Standing orders, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { HIDDEN, slice } from '../../core/slice.ts';
import * as decide from './decide.ts';
import { STANDING_ORDER } from './fields.ts';
import { runStandingOrder } from './run-decide.ts';
import { STANDING_ORDER_RUNS, STANDING_ORDERS } from './sql.ts';

const ofOrder = (need: ReadSet, { standingOrder }: { readonly standingOrder: string }) =>
  need.keys('standingOrders', standingOrder);

export const standingOrders = slice({
  decisions: {
    create_standing_order: decide.createStandingOrder,
    update_standing_order: decide.updateStandingOrder,
    pause_standing_order: decide.pauseStandingOrder,
    resume_standing_order: decide.resumeStandingOrder,
    cancel_standing_order: decide.cancelStandingOrder,
    run_standing_order: runStandingOrder,
  },
  needs: {
    create_standing_order: (need, { recipient, account, currency }) => {
      need.keys('recipients', recipient);
      need.account(account, currency);
    },
    update_standing_order: ofOrder,
    pause_standing_order: ofOrder,
    resume_standing_order: ofOrder,
    cancel_standing_order: ofOrder,
    run_standing_order: ofOrder,
  },
  tables: { standing_order: STANDING_ORDERS, standing_order_run: STANDING_ORDER_RUNS },
  objects: { standing_order: STANDING_ORDER, standing_order_run: HIDDEN },
});
export type StandingOrderCommand = CommandOf<typeof standingOrders.decisions>;
