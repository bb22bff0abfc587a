/** Whether the bank that pays could take a new payout into a payment file, and on which day. What it takes, and nothing else, is accepted. Pure. */
import type { Draft } from '../../core/draft.ts';
import { executionDayOf } from '../../core/rails/execution-day.ts';
import { payingBankOf } from '../../core/rails/paying-banks.ts';
import type { Speed } from '../../core/rails/payment-schemes.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import type { Stored } from '../../core/objects.ts';
import { judgedBy, judgeOf } from '../../iso20022/write/payable.ts';
import type { Payout } from './fields.ts';

/** Refuses `payout_not_payable` where no bank account could make the payment, with all that is wrong. */
export function refusedByBank(
  draft: Draft,
  recipient: Stored['recipient'],
  payment: {
    readonly amount: bigint;
    readonly currency: string;
    readonly speed: Speed;
    readonly bankAccount: string | null;
  },
): Refusal | null {
  const judge = judgeOf(draft.state.environment, payment.currency, payment.bankAccount);
  if (judge.bank === undefined && !judge.isStrict) return null;
  const { name, latinName, country, bankDetails: details } = recipient;
  const { complaints } = judgedBy(judge, { name, latinName, country, details }, payment);
  const [first] = complaints;
  if (first === undefined) return null;
  const param = first.field === 'name' || first.field === 'bank_details' ? 'recipient' : first.field;
  return refusal('payout_not_payable', complaints.map(({ message }) => message).join(' '), { param });
}

/** The day on which the bank executes a payout that may leave now; `null`: no bank account pays it. */
export function expectedExecution(
  draft: Draft,
  payout: Pick<Payout, 'currency' | 'bankAccount' | 'speed' | 'scheduledFor'>,
): string | null {
  const bank = payingBankOf(draft.state.environment.payingBanks, payout);
  return bank === undefined ? null : executionDayOf(draft.atMs, bank, payout);
}
