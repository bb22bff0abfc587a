/**
 * How money travels to a bank account: by SEPA, by the clearing of its country, or by SWIFT. It follows from currency, country and
 * bank details. Which details each country needs: `recipients/requirements.ts`.
 */
import { addBusinessDays, type Calendar } from './business-days.ts';

export const PAYMENT_SCHEMES = ['sepa', 'local', 'swift'] as const;
export type PaymentScheme = (typeof PAYMENT_SCHEMES)[number];

/** How a payer pays. */
export const PAYMENT_METHODS = ['bank_transfer', 'card'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Countries and territories of SEPA: the EPC's list of 2025 (EPC409-09). */
const SEPA = new Set(
  'AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MF MK MQ MT NL NO PL PM PT RE RO RS SE SI SK SM VA YT'.split(
    ' ',
  ),
);

/** Currencies of SEPA countries outside the euro, in which their domestic payments go by IBAN. */
const OWN_CURRENCIES = new Set(
  'AL:ALL CH:CHF CZ:CZK DK:DKK GB:GBP GG:GBP GI:GIP HU:HUF IM:GBP IS:ISK JE:GBP LI:CHF MD:MDL MK:MKD NO:NOK PL:PLN RO:RON RS:RSD SE:SEK'.split(
    ' ',
  ),
);

/** Bank details that only the clearing of their country uses. */
const LOCAL_FIELDS = ['routing_number', 'sort_code', 'bsb', 'ifsc', 'clabe', 'transit_number'];

/** A bank account, and the currency of payouts to it. */
export interface BankAccount {
  readonly currency: string;
  readonly country: string;
  /** Canonical, not masked. */
  readonly bankDetails: Readonly<Record<string, string>>;
}

/** By IBAN alone, without a BIC: `sepa` for euro within SEPA, `local` for the own currency of a SEPA country, else `null`. */
export function schemeOfIban(country: string, currency: string): 'sepa' | 'local' | null {
  if (!SEPA.has(country)) return null;
  if (currency === 'EUR') return 'sepa';
  return OWN_CURRENCIES.has(`${country}:${currency}`) ? 'local' : null;
}

export function schemeOf({ currency, country, bankDetails }: BankAccount): PaymentScheme {
  if (LOCAL_FIELDS.some((name) => bankDetails[name] !== undefined)) return 'local';
  if (bankDetails['iban'] === undefined) return 'swift';
  return schemeOfIban(country, currency) ?? 'swift';
}

/** Business days that a payment takes at most, and the days that count. */
const JOURNEYS: Readonly<Record<PaymentScheme, { readonly calendar: Calendar; readonly days: number }>> = {
  sepa: { calendar: 'target', days: 1 }, // SEPA credit transfer rulebook 4.3.1
  local: { calendar: 'weekdays', days: 1 },
  swift: { calendar: 'weekdays', days: 2 },
};

/** By scheme and day: nearly all payouts of a moment leave on the same one. */
const arrivals = new Map<string, string>();
const MOST_ARRIVALS = 1_000;

/** The day by which a payment that leaves on `day` should have arrived; both are ISO dates. */
export function expectedArrival(scheme: PaymentScheme, day: string): string {
  const key = scheme + day;
  const known = arrivals.get(key);
  if (known !== undefined) return known;
  const { calendar, days } = JOURNEYS[scheme];
  const arrival = addBusinessDays(calendar, day, days);
  if (arrivals.size >= MOST_ARRIVALS) arrivals.clear();
  arrivals.set(key, arrival);
  return arrival;
}
