/** The decision that changes a payout: metadata always, its text, purposes, bank account and day while it is pending. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { refusedPayingAccount } from '../../core/company.ts';
import { giveBackShares } from '../../core/limits.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { mergeMetadata } from '../../core/metadata.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { wrongForQr } from '../../iso20022/write/payable.ts';
import { isHeld, planned } from './decide.ts';
import { checkPlannedDay } from './waiting.ts';
import { typeOfReference } from './payable-decide.ts';
import type { Payout, Release } from './fields.ts';
import { judgeAgain, type Verdict } from './rules.ts';

const CHANGING = ['reference', 'referenceType', 'scheduledOn', 'categoryPurpose', 'purpose', 'bankAccount'] as const;

export interface UpdatePayout
  extends Given<Payout, 'metadata' | 'reference' | 'scheduledOn'>,
    Partial<Given<Payout, 'categoryPurpose' | 'purpose' | 'bankAccount'>> {
  readonly type: 'update_payout';
  readonly payout: string;
  /** Of the reference that is given with it; left out: what that shows by itself. */
  readonly referenceType?: Payout['referenceType'];
  /** As in `create_payout`: a payout with a new day is planned anew. */
  readonly settlementDelayMs: number | null;
}

/**
 * Refuses `resource_missing`, `metadata_invalid`, `payout_state_invalid`, `scheduled_on_invalid`, `payout_not_payable`, `limit_exceeded`,
 * `rate_unavailable` and what `refusedPayingAccount` does.
 */
export function updatePayout(draft: Draft, command: UpdatePayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return missing('payout', command.payout);
  const metadata = mergeMetadata(payout.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const given = withGiven({ ...payout, metadata }, { ...command, referenceType: newTypeOf(payout, command) }, CHANGING);
  const previous = previousOf(payout, given, CHANGING);
  const [first] = Object.keys(previous);
  const changers = [...new Set([...(payout.changedBy ?? []), draft.actor])];
  const changed = first === undefined ? given : { ...given, changedBy: changers };
  if (first !== undefined && payout.status !== 'pending' && payout.status !== 'waiting') {
    const message = `Payout ${payout.id} is ${payout.status}; its ${first} can be changed only while it is pending.`;
    return refusal('payout_state_invalid', message, {
      param: first,
      current_status: payout.status,
      allowed: ['waiting', 'pending'],
    });
  }
  // It was made with a QR reference if, and only if, it goes to a QR-IBAN.
  const isQr = payout.referenceType === 'qrr';
  if (isQr !== (changed.referenceType === 'qrr')) {
    return refusal('payout_not_payable', wrongForQr(isQr), { param: 'reference' });
  }
  const isElsewhere = changed.bankAccount !== payout.bankAccount;
  const misnamed = isElsewhere ? refusedPayingAccount(draft, changed.bankAccount, payout.currency) : null;
  if (misnamed) return misnamed;
  const isMoved = changed.scheduledOn !== payout.scheduledOn;
  const misplanned = isMoved ? checkPlannedDay(changed.scheduledOn, draft.atMs) : null;
  if (misplanned) return misplanned;
  const held = first === undefined ? null : heldAgain(changed);
  if (held !== null) giveBackShares(draft, payout.shares);
  // A waiting payout is planned when it has its money, and counts on no day before.
  const isPlanned = payout.status === 'pending' && (isMoved || held !== null);
  const verdict = held ? { release: held, shares: null } : isPlanned ? moved(draft, changed) : null;
  if (verdict !== null && isRefusal(verdict)) return verdict;
  const judged = { ...changed, ...verdict };
  const plan =
    isPlanned || (payout.status === 'pending' && isElsewhere) ? planned(draft, judged, command.settlementDelayMs) : {};
  // What only the bank moves has no first step here, but a day.
  const after = { ...judged, ...plan, ...(payout.dueAt === null && { dueAt: null }) };
  const updated = update(draft, payout, after, previous, 'payout.updated');
  if (isHeld(after) && !isHeld(payout)) draft.emit('payout.held', after);
  return updated;
}

/** `undefined`: it stays. */
function newTypeOf(
  { destination, reference: before }: Payout,
  { reference, referenceType }: UpdatePayout,
): Payout['referenceType'] | undefined {
  if (reference === undefined || (reference === before && !referenceType)) return undefined;
  return typeOfReference({ reference, ...(referenceType && { referenceType }) }, destination?.country ?? '');
}

/** It counts on its new day. Refuses `limit_exceeded` and `rate_unavailable`. */
function moved(draft: Draft, payout: Payout): Verdict | Refusal {
  giveBackShares(draft, payout.shares);
  return judgeAgain(draft, { ...payout, shares: null });
}

/** Approvals are of what was seen: a payout that changed waits for them anew. `null`: no rule held it. */
function heldAgain({ release }: Payout): Release | null {
  return release && { ...release, status: 'held', approvals: [] };
}
