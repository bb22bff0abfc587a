/** Fees, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { nothing, slice } from '../../core/slice.ts';
import { createFee, deleteFee } from './decide.ts';
import { renderFee } from './schema.ts';

export const fees = slice({
  decisions: { create_fee: createFee, delete_fee: deleteFee },
  needs: { create_fee: (need, { paymentLink }) => need.keys('links', paymentLink), delete_fee: nothing },
  audited: ['create_fee', 'delete_fee'],
  objects: { fee_rule: { render: ({ rule }, livemode) => renderFee(rule, livemode) } },
});
export type FeeCommand = CommandOf<typeof fees.decisions>;
