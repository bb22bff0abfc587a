/** A wrong booking is voided, or un-voided, by two people. The decisions: `bank/statements/void-decide.ts`. */
import type { Approve } from '../../core/approvals.ts';
import type { Cause } from '../../core/transfer.ts';
import { idOf } from '../../core/values/ids.ts';
import { params, pathId, text } from '../../platform/http/request/params.ts';
import { answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { ENTRY_EXAMPLE } from '../statements/schema.ts';
import type { Assignment } from '../statements/fields.ts';
import { payoutOfClosing } from '../statements/parts.ts';
import { BANK_ENTRIES, causeOf, nextOfPayment, settledOfFile } from '../statements/sql.ts';
import type { MovedPart } from '../statements/slice.ts';
import type { MatchingCommand } from './slice.ts';

const route = routesOf('Bank statements', 'bank_entries');
const helper = routesOf('Test helpers', 'test_helpers');

const askParams = params({
  reason: text({
    max: 200,
    description: 'Why. The second person sees it, and the audit log keeps it.',
    example: 'Booked twice',
  }),
});

const approveParams = params({
  fingerprint: text({
    kind: 'code',
    max: 120,
    description: 'The fingerprint from `pending_changes`. Another one is refused: `approval_outdated`.',
  }),
});

const FINGERPRINT = '7d1c0e4fb3a25986e2c4a60d8f13b759';
const waiting = (status: string) => ({
  changes: { status },
  reason: 'Booked twice',
  actors: ['key_01jd3v9q4ne8v8k3w2m6r5t7xa'],
  at: 1_732_184_003,
  approvals_required: 1,
  approvals: [],
  fingerprint: FINGERPRINT,
});
const ASKED = { ...ENTRY_EXAMPLE, pending_changes: waiting('voided') };
const VOIDED = { ...ENTRY_EXAMPLE, status: 'voided', amount_unassigned: 0 };

const APPROVAL_ERRORS = [
  'change_not_held',
  'approval_repeated',
  'approval_outdated',
  'bank_entry_voided',
  'bank_entry_not_voidable',
  'bank_assignment_final',
  'bank_account_closed',
  'balance_insufficient',
  'balance_too_large',
] as const;

const NO_ENTRY = { assignments: [], bankAccount: null };

export interface VoidParts {
  /** Decides the statements of the bank account that wait: the books are others now. */
  decideWaiting(call: Call<unknown, unknown>, bankAccount: string): Promise<void>;
}

export function voidRoutes(service: Service<MatchingCommand>, parts: VoidParts): Route[] {
  /** How the money of a part came to its place. */
  const movedPart = async (environmentId: string, part: Assignment): Promise<MovedPart> => {
    const { to, transfer, at } = part;
    const none = { to, transfer, cause: null, payouts: [], payment: null };
    if (transfer === null) return { ...none, payouts: [payoutOfClosing(part)].filter((id) => id !== null) };
    const [row] = await service.rows(causeOf(environmentId, transfer));
    const moved = { ...none, cause: row?.['cause'] as Cause };
    if (to.startsWith('po_')) return { ...moved, payouts: [to] };
    if (to.startsWith('pf_')) {
      const settled = await service.rows(settledOfFile(environmentId, { to, transfer, at }));
      return { ...moved, payouts: settled.map((each) => idOf('po', each['id'] as string)) };
    }
    if (!to.startsWith('pay_')) return moved;
    const id = idOf('pay', row?.['cause_id'] as string);
    const [next] = await service.rows(nextOfPayment(environmentId, transfer, id));
    const fee = next?.['cause'] === 'payment_fee' ? idOf('trf', next['id'] as string) : null;
    return { ...moved, payment: { id, fee } };
  };
  const approve = async (call: Call<unknown, unknown>) => {
    const { environmentId } = call.caller;
    const entry = pathId(call, 'be');
    const [row] = await service.rows(BANK_ENTRIES.load([{ environmentId, id: entry }]));
    const { assignments, bankAccount } = row === undefined ? NO_ENTRY : BANK_ENTRIES.read(row);
    const known = await Promise.all(
      assignments.filter(({ undoneBy }) => undoneBy === null).map((part) => movedPart(environmentId, part)),
    );
    return { type: 'approve_bank_entry', entry, bankAccount, parts: known } as const;
  };
  /** A call that is repeated decides again what its first try left. */
  const approved = async (call: Call<unknown, unknown>, how: Approve) => {
    const command = await approve(call);
    const answer = await service.write(call, { ...command, ...how });
    if (answer.status === 200 && command.bankAccount !== null) await parts.decideWaiting(call, command.bankAccount);
    return answer;
  };
  return [
    route('voidBankEntry', 'POST /v1/bank_entries/:id/void', {
      summary: 'Ask to void a bank entry',
      description:
        'For a wrong booking. Nothing moves until a second person approves it with `pending_changes.fingerprint`. Then the entry’s money leaves the places where it was, and the bank account.',
      body: askParams,
      request: { reason: 'Booked twice' },
      response: answers('BankEntry', ASKED),
      errors: ['bank_entry_voided', 'bank_entry_not_voidable'],
      handle: (call) => service.write(call, { type: 'void_bank_entry', entry: pathId(call, 'be'), ...call.body }),
    }),
    route('unvoidBankEntry', 'POST /v1/bank_entries/:id/unvoid', {
      summary: 'Ask to un-void a bank entry',
      description:
        'A second person approves it. Then the entry counts again, and all of it is without a place: assign it anew.',
      bodyOf: 'voidBankEntry',
      body: askParams,
      request: { reason: 'It was right' },
      response: answers('BankEntry', { ...VOIDED, pending_changes: waiting('unmatched') }),
      errors: ['bank_entry_not_voided'],
      handle: (call) => service.write(call, { type: 'unvoid_bank_entry', entry: pathId(call, 'be'), ...call.body }),
    }),
    route('approveBankEntry', 'POST /v1/bank_entries/:id/approve', {
      needsStepUp: true,
      summary: 'Approve that a bank entry is voided or un-voided',
      description:
        'The key approves payouts, and is of another family than those that asked. An assignment meanwhile changes the fingerprint. Money that was spent is missing: `balance_insufficient`.',
      alsoNeeds: 'payout_approvals:write',
      body: approveParams,
      request: { fingerprint: FINGERPRINT },
      response: answers('BankEntry', VOIDED),
      errors: [...APPROVAL_ERRORS, 'approval_by_creator', 'approval_key_unconfirmed'],
      handle: (call) => approved(call, call.body),
    }),
    route('rejectBankEntry', 'POST /v1/bank_entries/:id/reject', {
      needsStepUp: true,
      summary: 'Reject that a bank entry is voided or un-voided',
      description: 'Also for who asked. The entry stays as it is.',
      response: answers('BankEntry', ENTRY_EXAMPLE),
      errors: ['change_not_held'],
      handle: (call) => service.write(call, { type: 'reject_bank_entry', entry: pathId(call, 'be') }),
    }),
    helper('approveBankEntryAsSecondPerson', 'POST /v1/test_helpers/bank_entries/:id/approve', {
      summary: 'Approve a change of a bank entry as a second person',
      description: 'Stands for a second person, so that you need no second family of keys to try it. It approves once.',
      response: answers('BankEntry', VOIDED),
      errors: APPROVAL_ERRORS,
      handle: (call) => approved(call, { fingerprint: null, as: 'second_person' }),
    }),
  ];
}
