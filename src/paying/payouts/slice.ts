/** Payouts, their batches and rules, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { HIDDEN, nothing, slice } from '../../core/slice.ts';
import * as approval from './approval-decide.ts';
import { renderCancellation } from './batch-schema.ts';
import { createPayoutBatch, cancelPayoutBatch } from './batch.ts';
import { stepPayout } from './connector-decide.ts';
import * as decide from './decide.ts';
import type { Readable } from './batch-faults.ts';
import { PAYOUT, PAYOUT_BATCH } from './fields.ts';
import { fundPayout } from './funding-decide.ts';
import * as loosening from './loosening-decide.ts';
import * as rules from './rules-decide.ts';
import { renderApproval } from './approval-schema.ts';
import { renderRules, renderAnnouncedLimit } from './rules-schema.ts';
import { renderBatchResults } from './schema.ts';
import { LIMIT_USAGES, PAYOUT_BATCHES, PAYOUTS } from './sql.ts';
import { updatePayout } from './update-decide.ts';

/** An order, or what could be read of one that has faults. */
function needsOfOrder(need: ReadSet, order: Readable): void {
  const { recipient, payee, account, bankAccount, currency, externalId, conversion } = order;
  if (bankAccount) need.all('bankAccountsOf');
  need.keys('recipients', recipient ?? null);
  if (payee !== undefined) need.payee(payee.bankDetails);
  if (account !== undefined) need.account(account, currency ?? null);
  if (conversion) {
    need.keys('quotes', conversion.quote);
    if (conversion.account !== null || conversion.quote === null) {
      need.account(conversion.account, conversion.sellCurrency);
    }
  }
  need.externalId('externalIds', externalId);
}

const ofPayout = (need: ReadSet, { payout }: { readonly payout: string }) => need.keys('payouts', payout);
const ofBatch = (need: ReadSet, { batch }: { readonly batch: string }) => need.keys('batches', batch);

const approved =
  <C>(needs: (need: ReadSet, command: C) => void) =>
  (need: ReadSet, command: C) => {
    needs(need, command);
    need.all('familiesOf');
  };

export const payouts = slice({
  decisions: {
    create_payout: decide.createPayout,
    update_payout: updatePayout,
    fund_payout: fundPayout,
    cancel_payout: decide.cancelPayout,
    step_payout: stepPayout,
    create_payout_batch: createPayoutBatch,
    cancel_payout_batch: cancelPayoutBatch,
    approve_payout: approval.approvePayout,
    approve_payouts: approval.approvePayouts,
    reject_payout: approval.rejectPayout,
    approve_payout_batch: approval.approvePayoutBatch,
    reject_payout_batch: approval.rejectPayoutBatch,
    update_payout_rules: rules.updatePayoutRules,
    create_limit: rules.createLimit,
    delete_limit: rules.deleteLimit,
    approve_payout_rules: loosening.approvePayoutRules,
    reject_payout_rules: loosening.rejectPayoutRules,
    approve_limit_deletion: loosening.approveLimitDeletion,
    reject_limit_deletion: loosening.rejectLimitDeletion,
  },
  needs: {
    create_payout: (need, { order }) => needsOfOrder(need, order),
    update_payout: (need, command) => {
      ofPayout(need, command);
      if (command.bankAccount) need.all('bankAccountsOf');
    },
    fund_payout: (need, command) => {
      ofPayout(need, command);
      need.all('waitingOf');
    },
    cancel_payout: ofPayout,
    step_payout: ofPayout,
    create_payout_batch: (need, { externalId, orders }) => {
      need.externalId('externalIdsOfBatches', externalId);
      for (const item of orders) needsOfOrder(need, 'faults' in item ? item.read : item);
    },
    cancel_payout_batch: ofBatch,
    approve_payout: approved(ofPayout),
    approve_payouts: approved((need, { payouts: seen }) => need.keys('payouts', ...seen.map(({ id }) => id))),
    reject_payout: approved(ofPayout),
    approve_payout_batch: approved(ofBatch),
    reject_payout_batch: approved(ofBatch),
    update_payout_rules: (need) => need.all('waitingOf'),
    create_limit: (need, { of, per }) => {
      need.all('limitsOf');
      if (per === 'account') need.keys('accounts', of);
      if (per === 'recipient') need.keys('recipients', of);
      if (per === 'key') need.keys('apiKeys', of);
    },
    delete_limit: nothing,
    approve_payout_rules: approved(nothing),
    reject_payout_rules: nothing,
    approve_limit_deletion: approved(nothing),
    reject_limit_deletion: nothing,
  },
  audited: [
    'update_payout_rules',
    'create_limit',
    'delete_limit',
    'approve_payout_rules',
    'reject_payout_rules',
    'approve_limit_deletion',
    'reject_limit_deletion',
    'approve_payout',
    'approve_payouts',
    'reject_payout',
    'approve_payout_batch',
    'reject_payout_batch',
  ],
  tables: { payout: PAYOUTS, payout_batch: PAYOUT_BATCHES, limit_usage: LIMIT_USAGES },
  objects: {
    payout: PAYOUT,
    payout_batch: PAYOUT_BATCH,
    limit_usage: HIDDEN,
    payout_rules: { render: ({ rules }, livemode) => renderRules(rules, livemode) },
    limit: { render: renderAnnouncedLimit },
  },
  replies: {
    payout_batch_results: renderBatchResults,
    payout_batch_cancellation: renderCancellation,
    payout_approval: renderApproval,
    kept_limit: ({ id }) => `{"id":"${id}","object":"limit","deleted":false}`,
  },
});
export type PayoutCommand = CommandOf<typeof payouts.decisions>;
