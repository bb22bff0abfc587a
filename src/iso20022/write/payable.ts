/**
 * Whether a payment can be written into a file: all its faults at once; and whether the bank account that pays in its currency could take
 * it. Pure. `pain001.ts` writes what has no fault.
 */
import { formatMoney } from '../../core/values/money.ts';
import type { Speed } from '../../core/rails/payment-schemes.ts';
import type { Creditor, Debtor } from './payment-file.ts';
import { DIALECTS, type Profile } from './profiles.ts';
import { type Place, type Route, routeOf } from './routes.ts';
import { writableName } from './text.ts';
import type { Environment } from '../../core/objects.ts';
import { type PayingBank, payingBankOf } from '../../core/rails/paying-banks.ts';

export interface Complaint {
  /** Of the recipient, or of the payout. */
  readonly field: 'bank_details' | 'name' | 'amount' | 'speed';
  readonly message: string;
}

export type Judged =
  | { readonly route: Route; readonly complaints: readonly [] }
  | { readonly route: null; readonly complaints: readonly [Complaint, ...Complaint[]] };

/** Characters of a name (EPC guidelines, `Max70Text`). */
export const MAX_NAME = 70;
/** In minor units of euro: the German and the European rulebooks take no more by SEPA. */
const MAX_SEPA = 99_999_999_999n;
/** `ActiveOrHistoricCurrencyAndAmount`: 18 digits. */
const MAX_ANY = 999_999_999_999_999n;

export function judgePayment(
  profile: Profile,
  debtor: Pick<Debtor, 'country' | 'details'>,
  creditor: Pick<Creditor, 'name' | 'latinName' | 'country' | 'details'>,
  { amount, currency, speed }: { readonly amount: bigint; readonly currency: string; readonly speed: Speed },
): Judged {
  const complaints: Complaint[] = [];
  const route = routeOf(debtor, creditor, currency, speed);
  if (route === null) complaints.push(noRoute(debtor, creditor, currency, speed));
  else if (!DIALECTS[profile].routes.includes(route)) {
    const message = `Files of the profile ${profile} take no ${route} payments.`;
    complaints.push({ field: speed === 'standard' ? 'bank_details' : 'speed', message });
  }
  if (nameOf(creditor, profile) === null) {
    const message = 'The name has letters that banks do not take. Give the recipient a latin_name.';
    complaints.push({ field: 'name', message });
  }
  const most = route === 'sepa' || route === 'sepa_instant' ? MAX_SEPA : MAX_ANY;
  if (amount > most) {
    const message = `A payment by this route is at most ${formatMoney(most, currency)}.`;
    complaints.push({ field: 'amount', message });
  }
  const [first, ...others] = complaints;
  return first === undefined
    ? { route: route as Route, complaints: [] }
    : { route: null, complaints: [first, ...others] };
}

/** Which of the two is missing: any route, or one of this speed. */
function noRoute(debtor: Place, creditor: Place, currency: string, speed: Speed): Complaint {
  const from = `from an account in ${debtor.country} to these bank details in ${currency}`;
  if (speed === 'standard' || routeOf(debtor, creditor, currency, 'standard') === null) {
    const message = `There is no route ${from}: a BIC or a clearing number of the bank is missing.`;
    return { field: 'bank_details', message };
  }
  const needed =
    speed === 'instant'
      ? 'instant payments go in euro between IBANs within SEPA'
      : 'urgent payments need the BIC or the clearing number of the bank';
  return { field: 'speed', message: `There is no ${speed} route ${from}: ${needed}.` };
}

/** The name as it is written. */
export const nameOf = ({ name, latinName }: Pick<Creditor, 'name' | 'latinName'>, profile: Profile): string | null =>
  writableName(latinName ?? name, DIALECTS[profile].charset, MAX_NAME);

export interface Judge {
  readonly bank: PayingBank | undefined;
  /** A payment that no bank account could make is refused: always in live, by a rule in a sandbox (`routes=live`). */
  readonly isStrict: boolean;
}

/** Who judges payments in a currency. `bankAccount`: the one that is named; `null`: none is. */
export function judgeOf(
  { livemode, payoutRules, payingBanks }: Pick<Environment, 'livemode' | 'payoutRules' | 'payingBanks'>,
  currency: string,
  bankAccount: string | null = null,
): Judge {
  const bank = payingBankOf(payingBanks, { currency, bankAccount });
  return { bank, isStrict: livemode || payoutRules?.routes === 'live' };
}

interface PayableJudgement {
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
