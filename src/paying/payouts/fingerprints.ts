/**
 * What an approval is bound to: all that leaves, where from, to whom, when and how fast. An approver sends the fingerprint of what he saw,
 * so nothing else is approved.
 */
import { fingerprint } from '../../core/values/fingerprint.ts';

/** A payout. */
interface Leaving {
  readonly id: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly account: string;
  readonly recipient: string;
  readonly recipientVersion: number;
  readonly reference: string | null;
  readonly referenceType: string | null;
  readonly statementDescriptor: string | null;
  readonly scheduledOn: string | null;
  readonly speed: string;
  readonly categoryPurpose: string | null;
  readonly purpose: string | null;
  readonly bankAccount: string | null;
  readonly release: object | null;
}

/** No bank details of a recipient's version ever change, so its number stands for them. */
export function fingerprintOf(payout: Leaving): string {
  const { id, amount, currency, account, recipient, recipientVersion, scheduledOn, speed } = payout;
  const texts = [payout.reference, payout.referenceType, payout.statementDescriptor];
  const purposes = [payout.categoryPurpose, payout.purpose, payout.bankAccount];
  const to = [recipient, recipientVersion];
  return fingerprint(
    JSON.stringify([id, String(amount), currency, account, ...to, texts, scheduledOn, speed, purposes]),
  );
}

/**
 * Of the payouts of a batch that a rule held, whatever became of them. So a payout that is approved or rejected by itself does not outdate
 * the approval of the batch, and one that was changed does.
 */
export function fingerprintOfHeld(payouts: readonly Leaving[]): string {
  const held = payouts.filter(({ release }) => release !== null);
  return fingerprint(held.map(fingerprintOf).sort().join('\n'));
}
