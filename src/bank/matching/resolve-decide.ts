/**
 * The decision that ends a payout of a file by hand, when its bank has not reported for days. A person who approves payouts says what the
 * bank did. It is a fact like those of reports (`paying/payouts/facts-decide.ts`): a failed payout never leaves again, and a booking that
 * comes later is not counted twice. Pure.
 */
import { addBusinessDays, DAYS_OF_SILENCE } from '../../core/rails/business-days.ts';
import { localTime } from '../../core/rails/execution-day.ts';
import type { Decision } from '../../core/decision.ts';
import { makersOfPayout, unfitApprover } from '../../core/approvals.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { idAs } from '../../core/values/ids.ts';
import { BY_HAND } from '../../core/bank-answer.ts';
import { answered } from '../../paying/payouts/facts-decide.ts';
import { entriesOf } from '../statements/booking.ts';

export interface ResolvePayout {
  readonly type: 'resolve_payout';
  readonly payout: string;
  /** Whether the bank has executed it, as a person has found out. */
  readonly outcome: 'paid' | 'failed';
  readonly reason: string;
}

const NO_BANK = { calendar: 'weekdays', holidays: [], timeZone: 'UTC' } as const;

/** Refuses `resource_missing`, `payout_state_invalid`, `payout_not_overdue`, `approval_by_creator` and `balance_too_large`. Answers the payout. */
export function resolvePayout(draft: Draft, { payout: id, outcome, reason }: ResolvePayout): Decision {
  const payout = draft.find('payout', id);
  if (!payout) return missing('payout', id);
  const instruction = draft.find('bank_instruction', idAs('bi', id));
  const file = instruction?.status === 'claimed' ? draft.find('payment_file', instruction.file ?? '') : undefined;
  if (payout.status !== 'in_transit' || !instruction || file?.status !== 'sealed') {
    const message = `Payout ${id} is ${payout.status}. Only a payout that is in_transit in a sealed payment file is resolved by hand.`;
    return refusal('payout_state_invalid', message, { current_status: payout.status, allowed: ['in_transit'] });
  }
  if (outcome === 'failed' && instruction.early.length > 0) {
    const message = `Money of payout ${id} came back already: its bank has executed it. Resolve it as paid.`;
    return refusal('payout_state_invalid', message, { current_status: payout.status });
  }
  const { calendar, holidays, timeZone } = draft.find('bank_account', file.bankAccount) ?? NO_BANK;
  const from = addBusinessDays(calendar, file.executionOn, DAYS_OF_SILENCE, holidays);
  if (localTime(draft.atMs, timeZone).day < from) {
    const message = `The bank executes payment file ${file.id} on ${file.executionOn}: a payout of it can be resolved by hand from ${from} on. Import the newest statement meanwhile.`;
    return refusal('payout_not_overdue', message, { resource_id: file.id });
  }
  const unfit = unfitApprover(draft, {
    what: `The end of payout ${id} by hand`,
    by: makersOfPayout(payout),
    approvals: [],
  });
  if (unfit) return unfit;
  draft.audit('payout.resolved', id, { outcome, reason, payment_file: file.id });
  const wrong = answered(
    draft,
    { payout: id, file: file.id, status: BY_HAND, reason: null, reasonText: reason },
    { kind: outcome === 'paid' ? 'settled' : 'rejected', failureCode: 'timeout' },
    entriesOf(draft),
  );
  if (wrong !== null && typeof wrong !== 'string') return wrong; // no conflict in words: the payout is in transit
  return draft.find('payout', id) ?? payout;
}
