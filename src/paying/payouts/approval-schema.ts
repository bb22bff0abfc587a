/** Approvals on the wire. */
import type { Replies } from '../../core/decision.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { moneyMembers } from '../../core/values/money.ts';
import * as param from '../../platform/http/request/params.ts';
import type { SeenPayout } from './approval-decide.ts';
import type { Payout } from './fields.ts';
import { fingerprintOfHeld } from './fingerprints.ts';
import { LOOK, PAYOUT_FLAGS, type PayoutFlag } from './sql.ts';

const fingerprint = (of: string) =>
  param.text({ kind: 'code', max: 120, description: `${of} Another one is refused: \`approval_outdated\`.` });

const ofPayout = { fingerprint: fingerprint('The fingerprint from `release`.') };
export const approveParams = param.params(ofPayout);

const MOST_AT_ONCE = 1_000;
const seen = param.object(
  { id: param.id('po', { description: 'The payout.' }), ...ofPayout },
  { title: 'SeenPayout', description: 'A payout as it was seen.' },
);
export const approveManyParams = param.params({
  payouts: param.list(seen, { max: MOST_AT_ONCE, description: `1 to ${MOST_AT_ONCE} payouts, each once.` }),
});

/** Throws `parameter_invalid` where a payout stands twice. */
export function eachOnce(payouts: readonly SeenPayout[]): readonly SeenPayout[] {
  const rows = new Map<string, number>();
  for (const [index, { id }] of payouts.entries()) {
    const before = rows.get(id);
    if (before !== undefined) {
      const path = `payouts[${index}][id]`;
      throw param.paramError('parameter_invalid', path, `${path} is ${id}, as is payouts[${before}]. Send it once.`);
    }
    rows.set(id, index);
  }
  return payouts;
}

/** The answer to an approval of many. */
export const renderApproval = (
  { approvedCount, heldCount }: Omit<Replies['payout_approval'], 'id'>,
  livemode: boolean,
): string =>
  `{"object":"payout_approval","livemode":${livemode},"approved_count":${approvedCount},"held_count":${heldCount}}`;

export const approveBatchParams = param.params({
  fingerprint: fingerprint('The fingerprint from `GET /v1/payout_batches/:id/release`.'),
});
export const approveRulesParams = param.params({ fingerprint: fingerprint('The fingerprint from `pending_changes`.') });
export const approveDeletionParams = param.params({
  fingerprint: fingerprint('The fingerprint from `pending_deletion`.'),
});
export const rejectParams = param.optionalParams({
  reason: param.text({ max: 140, description: 'Why, in your words.' }),
});

const isHeld = ({ status, release }: Payout): boolean => status === 'pending' && release?.status === 'held';

/** What the approval of a batch would let leave: of its payouts those that are held now, by currency. */
export function renderBatchRelease(batch: string, payouts: readonly Payout[], livemode: boolean): string {
  const held = payouts.filter(isHeld);
  const totals = [...new Set(held.map(({ currency }) => currency))].sort().map((currency) => {
    const of = held.filter((payout) => payout.currency === currency);
    const sum = of.reduce((total, { amount }) => total + amount, 0n);
    return `{"currency":"${currency}","payouts_count":${of.length},${moneyMembers('total', sum, currency)}}`;
  });
  const about = `"object":"payout_batch_release","livemode":${livemode},"batch":"${batch}","held_count":${held.length}`;
  return `{${about},"totals":[${totals.join(',')}],"fingerprint":"${fingerprintOfHeld(payouts)}"}`;
}

const MEANINGS: Readonly<Record<PayoutFlag, string>> = {
  new_recipient: `its recipient was made within ${LOOK.newDays} days before the payout`,
  bank_details_changed: `the bank details of its recipient became others within ${LOOK.newDays} days before the payout, or after it`,
  first_payment: `none of the ${LOOK.back} payouts before it to the recipient was paid`,
  first_payment_to_country: `no payout to the country of the bank was paid: none of the ${LOOK.payoutsOfEach} oldest to each of the ${LOOK.recipientsOfCountry} oldest recipients there`,
  unusual_amount: `it is more than ${LOOK.unusualTimes} times the largest that was paid in its currency among the ${LOOK.back} payouts before it to the recipient; not set where none was`,
};

export const APPROVAL_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  PayoutFlags: {
    type: 'array',
    description: `What an approver should look at twice; only of held payouts. ${PAYOUT_FLAGS.map((flag) => `\`${flag}\`: ${MEANINGS[flag]}`).join('. ')}.`,
    items: { type: 'string', enum: [...PAYOUT_FLAGS] },
  },
  PayoutApproval: strictObject('What became of payouts that were approved together.', {
    object: { const: 'payout_approval' },
    livemode: { type: 'boolean' },
    approved_count: { type: 'integer', description: 'Payouts that are free to leave now.' },
    held_count: { type: 'integer', description: 'Payouts that wait for one more approval, by another family.' },
  }),
  PayoutBatchRelease: strictObject('What the approval of a batch would let leave.', {
    object: { const: 'payout_batch_release' },
    livemode: { type: 'boolean' },
    batch: { type: 'string' },
    held_count: { type: 'integer', description: 'Payouts that are held now.' },
    totals: {
      type: 'array',
      description: 'The held payouts by currency.',
      items: strictObject('The held payouts of a currency.', {
        currency: { type: 'string' },
        payouts_count: { type: 'integer' },
        total: { type: 'number', description: 'Major units.' },
        total_minor: { type: 'integer', description: 'The same in minor units.' },
      }),
    },
    fingerprint: {
      type: 'string',
      description:
        'It stands for all that leaves with the payouts of the batch that a rule held. The approval of the batch sends it.',
    },
  }),
};
