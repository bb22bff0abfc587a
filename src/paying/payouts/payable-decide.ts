/** Whether the bank that pays could take a new payout into a payment file, and on which day. What it takes, and nothing else, is accepted. Pure. */
import type { Draft } from '../../core/draft.ts';
import { executionDayOf } from '../../core/rails/execution-day.ts';
import { payingBankOf } from '../../core/rails/paying-banks.ts';
import { mayHaveQrIban, referenceTypeOf } from '../../core/rails/structured-references.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import type { Stored } from '../../core/objects.ts';
import { judgedBy, judgeOf, type Order } from '../../iso20022/write/payable.ts';
import type { Payout } from './fields.ts';

/** What the reference of a payout to a country is. `null`: there is none. */
export function typeOfReference(
  { reference, referenceType }: { readonly reference: string | null; readonly referenceType?: Payout['referenceType'] },
  country: string,
): Payout['referenceType'] {
  return reference === null ? null : (referenceType ?? referenceTypeOf(reference, country));
}

/** Refuses `payout_not_payable` where no bank account could make the payment, with all that is wrong. */
export function refusedByBank(
  draft: Draft,
  recipient: Stored['recipient'],
  payment: Order & Pick<Payout, 'bankAccount'>,
): Refusal | null {
  const judge = judgeOf(draft.state.environment, payment.currency, payment.bankAccount);
  const isJudged = judge.bank !== undefined || judge.isStrict;
  // Only then are the bank details opened, which are sealed.
  if (!isJudged && !mayHaveQrIban(recipient.country) && payment.referenceType !== 'qrr') return null;
  const { name, latinName, country, bankDetails: details } = recipient;
  const { complaints } = judgedBy(judge, { name, latinName, country, details }, payment);
  const [first] = complaints;
  if (first === undefined) return null;
  const param = OF_PAYOUT.includes(first.field) ? first.field : 'recipient';
  return refusal('payout_not_payable', complaints.map(({ message }) => message).join(' '), { param });
}

/** What an order says itself; the rest is about whom it goes to. */
const OF_PAYOUT: readonly string[] = ['amount', 'currency', 'speed', 'reference'];

/** The day on which the bank executes a payout that may leave now; `null`: no bank account pays it. */
export function expectedExecution(
  draft: Draft,
  payout: Pick<Payout, 'currency' | 'bankAccount' | 'speed' | 'scheduledOn'>,
): string | null {
  const bank = payingBankOf(draft.state.environment.payingBanks, payout);
  return bank === undefined ? null : executionDayOf(draft.atMs, bank, payout);
}
