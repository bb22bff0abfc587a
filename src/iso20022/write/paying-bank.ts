/**
 * Whether the bank account that pays in a currency could take a payment into a file. One answer for the creation of a payout, for
 * `POST /v1/recipients/validate` and for the requirements of recipients. Pure. What is wrong in detail: `payable.ts`.
 */
import type { Environment } from '../../core/objects.ts';
import type { PayingBank } from '../../core/rails/paying-banks.ts';
import type { Speed } from '../../core/rails/payment-schemes.ts';
import { type Complaint, judgePayment } from './payable.ts';
import type { Creditor } from './payment-file.ts';
import type { Profile } from './profiles.ts';
import type { Route } from './routes.ts';

export interface Judge {
  readonly bank: PayingBank | undefined;
  /** A payment that no bank account could make is refused: always in live, by a rule in a sandbox (`routes=live`). */
  readonly isStrict: boolean;
}

/** Who judges payments in a currency. */
export function judgeOf(
  { livemode, payoutRules, payingBanks }: Pick<Environment, 'livemode' | 'payoutRules' | 'payingBanks'>,
  currency: string,
): Judge {
  const bank = payingBanks.find((each) => each.currency === currency);
  return { bank, isStrict: livemode || payoutRules?.routes === 'live' };
}

export interface PayableJudgement {
  /** `null`: there is none, or nobody judges. */
  readonly route: Route | null;
  readonly complaints: readonly (Omit<Complaint, 'field'> & { readonly field: Complaint['field'] | 'currency' })[];
}

export function judgedBy(
  { bank, isStrict }: Judge,
  creditor: Pick<Creditor, 'name' | 'latinName' | 'country' | 'details'>,
  payment: { readonly amount: bigint; readonly currency: string; readonly speed: Speed },
): PayableJudgement {
  if (bank !== undefined) {
    const debtor = { country: bank.country, details: bank.hasIban ? { iban: '' } : {} };
    return judgePayment(bank.profile as Profile, debtor, creditor, payment);
  }
  if (!isStrict) return { route: null, complaints: [] };
  const message = `No bank account of yours pays in ${payment.currency}. Add one with POST /v1/bank_accounts.`;
  return { route: null, complaints: [{ field: 'currency', message }] };
}
