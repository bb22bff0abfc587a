/** The operations of the second person: approve and reject held payouts, one by one or by the batch. Decisions: `approval-decide.ts`. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { always, answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import type { SeenPayout } from './approval-decide.ts';
import * as wire from './approval-schema.ts';
import { PAYOUT_BATCH } from './fields.ts';
import { PAYOUT_EXAMPLE, type SettlementDelay } from './routes.ts';
import type { PayoutCommand } from './slice.ts';
import { PAYOUT_BATCHES, PAYOUTS, payoutsOfBatch } from './sql.ts';

const approval = routesOf('Approvals', 'payout_approvals');
const helper = routesOf('Test helpers', 'test_helpers');

const FINGERPRINT = '7d1c0e4fb3a25986e2c4a60d8f13b759';
const release = (more: object) => ({
  status: 'held',
  reasons: ['new_recipient'],
  approvals_required: 1,
  approvals: [],
  rejection: null,
  changed_by: [],
  fingerprint: FINGERPRINT,
  ...more,
});
const by = { actor: 'key_01jd3v9q4ne8v8k3w2m6r5t7xb', at: 1_732_184_003 };
const APPROVED = { ...PAYOUT_EXAMPLE, release: release({ status: 'approved', approvals: [by] }) };
const AS_SECOND_PERSON = release({ status: 'approved', approvals: [{ ...by, actor: 'second_person' }] });
const REJECTED = {
  ...PAYOUT_EXAMPLE,
  status: 'canceled',
  reversal: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb',
  release: release({ status: 'rejected', rejection: { ...by, reason: 'not our supplier' } }),
};
const NONE = { object: 'payout_approval', approvedCount: 0, heldCount: 0 } as const;
const BATCH = exampleOf(PAYOUT_BATCH, { payouts_count: 2, open_count: 2 });
const APPROVAL_ERRORS = [
  'payout_not_held',
  'approval_by_creator',
  'approval_repeated',
  'approval_key_unconfirmed',
  'limit_exceeded',
  'rate_unavailable',
] as const;

/** What proves that whoever asks has seen these; `null`: nothing has to (`tenancy/sessions`). Throws `step_up_required`. */
export type ProofOf = (
  call: Pick<Call<unknown, unknown>, 'caller' | 'idempotencyKey' | 'requestId'>,
  seen: readonly SeenPayout[],
) => Promise<string | null>;

export function approvalRoutes(
  service: Service<PayoutCommand>,
  settlementDelay: SettlementDelay,
  proofOf: ProofOf,
): Route[] {
  const batches = readsOf(service, PAYOUT_BATCH, PAYOUT_BATCHES);
  return [
    approval('approvePayout', 'POST /v1/payouts/:id/approve', {
      summary: 'Approve a held payout',
      description:
        'The approving key is of another family than the one that created the payout: its root, a key of the command line, is another one. With `approvals_required` of 2, two families have to approve.',
      body: wire.approveParams,
      request: { fingerprint: FINGERPRINT },
      response: answers('Payout', APPROVED),
      errors: [...APPROVAL_ERRORS, 'approval_outdated'],
      handle: async (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const payout = pathId(call, 'po');
        const proof = await proofOf(call, [{ id: payout, ...call.body }]);
        return service.write(call, { type: 'approve_payout', payout, ...call.body, proof, settlementDelayMs });
      },
    }),
    approval('approvePayouts', 'POST /v1/payouts/approve', {
      summary: 'Approve many held payouts',
      description:
        'All of them or none, each as by itself, in this order. The fault names the row: `payouts[3][fingerprint]`.',
      body: wire.approveManyParams,
      request: { payouts: [{ id: PAYOUT_EXAMPLE.id, fingerprint: FINGERPRINT }] },
      response: answers('PayoutApproval', JSON.parse(wire.renderApproval({ ...NONE, approvedCount: 1 }, false))),
      errors: [...APPROVAL_ERRORS, 'approval_outdated', 'resource_missing'],
      handle: async (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const payouts = wire.eachOnce(call.body.payouts);
        const proof = await proofOf(call, payouts);
        return service.write(call, { type: 'approve_payouts', payouts, proof, settlementDelayMs });
      },
    }),
    helper('approvePayoutAsSecondPerson', 'POST /v1/test_helpers/payouts/:id/approve', {
      summary: 'Approve a held sandbox payout as a second person',
      description:
        'Stands for a second person, so that you need no second family of keys to try approvals. It approves once.',
      response: answers('Payout', { ...APPROVED, release: AS_SECOND_PERSON }),
      errors: ['payout_not_held', 'approval_repeated', 'limit_exceeded', 'rate_unavailable'],
      handle: (call) =>
        service.write(call, {
          type: 'approve_payout',
          payout: pathId(call, 'po'),
          fingerprint: null,
          settlementDelayMs: settlementDelay(call.caller.livemode),
          as: 'second_person',
        }),
    }),
    approval('rejectPayout', 'POST /v1/payouts/:id/reject', {
      summary: 'Reject a held payout',
      description: 'Cancels it, which credits the account back, and keeps the reason.',
      body: wire.rejectParams,
      request: { reason: 'not our supplier' },
      response: answers('Payout', REJECTED),
      errors: ['payout_not_held'],
      handle: (call) => {
        const { reason = null } = call.body;
        return service.write(call, { type: 'reject_payout', payout: pathId(call, 'po'), reason });
      },
    }),
    approval('approvePayoutBatch', 'POST /v1/payout_batches/:id/approve', {
      summary: 'Approve the held payouts of a batch',
      description:
        'All held payouts or none. Those that your family of keys approved by themselves before wait for another one.',
      body: wire.approveBatchParams,
      request: { fingerprint: FINGERPRINT },
      response: answers('PayoutBatch', BATCH),
      errors: [...APPROVAL_ERRORS, 'approval_outdated'],
      handle: async (call) => {
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const batch = pathId(call, 'pob');
        const proof = await proofOf(call, [{ id: batch, ...call.body }]);
        return service.write(call, { type: 'approve_payout_batch', batch, ...call.body, proof, settlementDelayMs });
      },
    }),
    approval('retrievePayoutBatchRelease', 'GET /v1/payout_batches/:id/release', {
      summary: 'Retrieve what the approval of a batch lets leave',
      description: 'How many of its payouts are held, their totals, and the `fingerprint` that the approval sends.',
      isRepeatable: always,
      response: answers('PayoutBatchRelease', JSON.parse(wire.renderBatchRelease(BATCH.id, [], false))),
      handle: async (call) => {
        const { id } = await batches.find(call);
        const rows = await service.rows(payoutsOfBatch(call.caller.environmentId, id));
        const payouts = rows.map((row) => PAYOUTS.read(row));
        return { status: 200, body: wire.renderBatchRelease(id, payouts, call.caller.livemode) };
      },
    }),
    approval('rejectPayoutBatch', 'POST /v1/payout_batches/:id/reject', {
      summary: 'Reject the held payouts of a batch',
      description: 'Cancels all held payouts.',
      body: wire.rejectParams,
      request: { reason: 'entered twice' },
      response: answers('PayoutBatch', {
        ...BATCH,
        status: 'completed_with_failures',
        open_count: 0,
        failed_count: 2,
        completed_at: 1_732_184_003,
      }),
      errors: ['payout_not_held'],
      handle: (call) => {
        const { reason = null } = call.body;
        return service.write(call, { type: 'reject_payout_batch', batch: pathId(call, 'pob'), reason });
      },
    }),
  ];
}
