/**
 * Whether a payment can be written into a file: all its faults at once; and whether the bank account that pays in its currency could take
 * it. Pure. `pain001.ts` writes what has no fault.
 */
import { formatMoney } from '../../core/values/money.ts';
import { isOutsideEea, type Speed } from '../../core/rails/payment-schemes.ts';
import { formOf, isQrIban, type ReferenceType, referenceTypeOf } from '../../core/rails/structured-references.ts';
import type { Address, Creditor } from './initiation.ts';
import { DIALECTS, type Profile } from './profiles.ts';
import { isSepa, type Place, type Route, routeOf } from './routes.ts';
import { writableName } from './text.ts';
import type { Environment } from '../../core/objects.ts';
import { type PayingBank, payingBankOf } from '../../core/rails/paying-banks.ts';

export interface Complaint {
  /** Of the recipient, of the bank account that pays, or of the payout. */
  readonly field: 'bank_details' | 'name' | 'holder' | 'holder_address' | 'amount' | 'speed' | 'reference';
  readonly message: string;
}

export type Judged =
  | { readonly route: Route; readonly complaints: readonly [] }
  | { readonly route: null; readonly complaints: readonly [Complaint, ...Complaint[]] };

/** Characters of a name (EPC guidelines, `Max70Text`). */
export const MAX_NAME = 70;
export const MAX_TOWN = 35;
/** In minor units of euro: the German and the European rulebooks take no more by SEPA. */
const MAX_SEPA = 99_999_999_999n;
/** `ActiveOrHistoricCurrencyAndAmount`: 18 digits. */
const MAX_ANY = 999_999_999_999_999n;

/** What is to be paid. */
export interface Order {
  readonly amount: bigint;
  readonly currency: string;
  readonly speed: Speed;
  /** `undefined`: nobody has said yet what the payee is told. */
  readonly reference?: string | null;
  /** `null`: what the reference shows by itself. */
  readonly referenceType?: ReferenceType | null;
}

export function judgePayment(
  profile: Profile,
  debtor: Place & Pick<PayingBank, 'hasName' | 'hasAddress'>,
  creditor: Pick<Creditor, 'name' | 'latinName' | 'country' | 'details'>,
  order: Order,
): Judged {
  const { amount, currency, speed } = order;
  const complaints: Complaint[] = [];
  const route = routeOf(debtor, creditor, currency, speed);
  if (route === null) complaints.push(noRoute(debtor, creditor, currency, speed));
  else if (!DIALECTS[profile].routes.includes(route)) {
    const message = `Files of the profile ${profile} take no ${route} payments.`;
    complaints.push({ field: speed === 'standard' ? 'bank_details' : 'speed', message });
  }
  if (nameOf(creditor, profile) === null) {
    const message = 'The name has letters that banks do not take, or none at all. Give the recipient a latin_name.';
    complaints.push({ field: 'name', message });
  }
  if (!debtor.hasName) {
    const message = 'The holder of your bank account has letters that banks do not take. Write it in Latin ones.';
    complaints.push({ field: 'holder', message });
  }
  const isAbroad = isOutsideEea(debtor.country) || isOutsideEea(creditor.country);
  if (isSepa(route) && isAbroad && DIALECTS[profile].needsPayerAddress && !debtor.hasAddress) {
    const message = `By SEPA from ${debtor.country} to ${creditor.country}, files name the payer’s town and country. Give your bank account a holder_address.`;
    complaints.push({ field: 'holder_address', message });
  }
  complaints.push(...wrongReference(creditor, order));
  const most = isSepa(route) ? MAX_SEPA : MAX_ANY;
  if (amount > most) {
    const message = `A payment by this route is at most ${formatMoney(most, currency)}.`;
    complaints.push({ field: 'amount', message });
  }
  const [first, ...others] = complaints;
  return first === undefined
    ? { route: route as Route, complaints: [] }
    : { route: null, complaints: [first, ...others] };
}

/** A QR-IBAN takes QR references and nothing else, and no other account takes them (SIX, Swiss Implementation Guidelines QR-bill 2.3). */
function wrongReference({ country, details }: Place, { reference, referenceType }: Order): Complaint[] {
  if (reference === undefined) return [];
  const type = reference === null ? null : (referenceType ?? referenceTypeOf(reference, country));
  const isQr = isQrIban(details['iban']);
  return isQr === (type === 'qrr') ? [] : [{ field: 'reference', message: wrongForQr(isQr) }];
}

export const wrongForQr = (isQr: boolean): string =>
  isQr
    ? `The account is a QR-IBAN. It takes only the QR reference of its bill: ${formOf('qrr')}.`
    : 'A QR reference goes to a QR-IBAN, and the account is none. With reference_type=text it is sent as words.';

/** Which of the two is missing: any route, or one of this speed. */
function noRoute(debtor: Place, creditor: Place, currency: string, speed: Speed): Complaint {
  const from = `from an account in ${debtor.country} to these bank details in ${currency}`;
  if (speed === 'standard' || routeOf(debtor, creditor, currency, 'standard') === null) {
    const why = isQrIban(creditor.details['iban'])
      ? 'a QR-IBAN is paid from Switzerland and Liechtenstein only, in CHF or EUR. Ask the payee for the IBAN'
      : 'a BIC or a clearing number of the bank is missing';
    const message = `There is no route ${from}: ${why}.`;
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

/** Whether files can name the holder of an account. */
export const isHolderWritable = (holder: string, profile: Profile): boolean =>
  nameOf({ name: holder, latinName: null }, profile) !== null;

/** Whether an address goes into files: its town can be written. */
export const isAddressWritable = (address: Pick<Address, 'city'> | null, profile: Profile): boolean =>
  address !== null && writableName(address.city, DIALECTS[profile].charset, MAX_TOWN) !== null;

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
  payment: Order,
): PayableJudgement {
  if (bank !== undefined) {
    const { hasIban, ...payer } = bank;
    const debtor = { ...payer, details: hasIban ? { iban: '' } : {} };
    return judgePayment(bank.profile as Profile, debtor, creditor, payment);
  }
  if (!isStrict) return { route: null, complaints: wrongReference(creditor, payment) };
  const message = `No bank account of yours pays in ${payment.currency}. Add one with POST /v1/bank_accounts.`;
  return { route: null, complaints: [{ field: 'currency', message }] };
}
