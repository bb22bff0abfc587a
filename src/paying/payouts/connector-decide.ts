/**
 * The connector of a sandbox: it takes a pending payout, as the claim into a payment file does, and fabricates the facts that a bank
 * would report. The table of state × fact (`facts-decide.ts`) decides on them as in live, but what does not fit is refused, where a real
 * bank's booking would be a conflict. Pure. Who sends the steps: `settlement.ts`; which facts: `core/rails/test-accounts.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { DEFAULT_FAILURE_CODE } from '../../core/rails/failures.ts';
import { type BankStep, nextBankStep, type TestOutcome } from '../../core/rails/test-accounts.ts';
import { comeBack, fail, isHeld, leave, readyToLeave, settle } from './decide.ts';
import { type FactKind, type Step, STEPS_OF_FACTS, stepOf } from './facts-decide.ts';
import { type Payout, PAYOUT_STATUSES, type PayoutStatus } from './fields.ts';

/** A step that the fabricated bank takes. `next` is the next step of a payout that succeeds. */
export interface StepPayout {
  readonly type: 'step_payout';
  readonly payout: string;
  readonly to: 'next' | 'in_transit' | 'paid' | 'failed' | 'returned';
  readonly failureCode: string | null;
  /** For `next`: how a payout to this account ends in the sandbox; without one it is paid. */
  readonly expected?: TestOutcome | undefined;
  /** Wait before the settlement worker takes the step after this one; `null` is never. */
  readonly nextDelayMs: number | null;
}

/** The fact that brings a payout to a state, and what the table must make of it. */
const FACTS = {
  paid: { kind: 'debited', step: 'settle' },
  failed: { kind: 'rejected', step: 'fail' },
  returned: { kind: 'returned', step: 'return' },
} as const satisfies Record<string, { readonly kind: FactKind; readonly step: Step }>;

/** Refuses `resource_missing`, `payout_state_invalid`, `balance_too_large` and what {@link readyToLeave} does. */
export function stepPayout(draft: Draft, command: StepPayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return missing('payout', command.payout);
  const next = command.to === 'next' ? nextBankStep(payout.status, command.expected) : null;
  const { to, failureCode } = next ?? { to: command.to as BankStep['to'], failureCode: command.failureCode };
  if (!isPossible(draft, payout, to)) return outOfState(payout, to);
  const code = failureCode ?? DEFAULT_FAILURE_CODE;
  if (to === 'failed') return fail(draft, payout, code);
  if (to === 'returned') return comeBack(draft, payout, { by: 'bank', amount: payout.amount, failureCode: code });
  const ready = payout.status === 'pending' ? readyToLeave(draft, payout) : payout;
  if (isRefusal(ready) || isHeld(ready)) return ready;
  const isLast = command.nextDelayMs === null || next?.goesOn === false;
  const dueAt = isLast ? null : draft.atMs + command.nextDelayMs;
  return to === 'in_transit' ? leave(draft, ready, { dueAt }) : settle(draft, ready, 'bank', dueAt).paid;
}

/** A fabricated return is over all of the payout, so there is one. */
function isPossible(draft: Draft, payout: Payout, to: BankStep['to']): boolean {
  if (to === 'in_transit') return payout.status === 'pending';
  const { kind, step } = FACTS[to];
  return payout.status !== 'returned' && stepOf(draft, payout, kind) === step;
}

function outOfState({ id, status }: Payout, to: BankStep['to']): Refusal {
  const follows = (before: PayoutStatus) =>
    to === 'in_transit' ? before === 'pending' : STEPS_OF_FACTS[before][FACTS[to].kind] === FACTS[to].step;
  const allowed = PAYOUT_STATUSES.filter((before) => before !== 'returned' && follows(before));
  const message = `Payout ${id} is ${status}; ${to} follows ${allowed.join(' or ')}.`;
  return refusal('payout_state_invalid', message, { current_status: status, allowed });
}
