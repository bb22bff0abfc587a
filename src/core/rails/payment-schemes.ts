/** How money travels to a bank account, by currency, country and details: `paying/recipients/requirements.ts`. */
import { addBusinessDays, type Calendar, usualCalendar } from './business-days.ts';

export const PAYMENT_SCHEMES = ['sepa', 'local', 'swift'] as const;
export type PaymentScheme = (typeof PAYMENT_SCHEMES)[number];

/**
 * How fast a payout is to arrive. `instant`: within seconds, at any hour of any day. `urgent`: on the day it leaves, through the settlement system
 * for large payments. What a bank account can do: `iso20022/write/routes.ts`.
 */
export const SPEEDS = ['standard', 'instant', 'urgent'] as const;
export type Speed = (typeof SPEEDS)[number];

export const PAYMENT_METHODS = ['bank_transfer', 'card'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Countries and territories of SEPA: the EPC's list of 2025 (EPC409-09). */
const SEPA = new Set(
  'AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MF MK MQ MT NL NO PL PM PT RE RO RS SE SI SK SM VA YT'.split(
    ' ',
  ),
);

/** Of SEPA, but outside the European Economic Area. There the address of the payer is mandatory (EPC125-05, AT-P005), and the BIC is no surplus. */
const OUTSIDE_EEA = new Set('AD AL CH GB GG GI IM JE MC MD ME MK RS SM VA'.split(' '));
export const isOutsideEea = (country: string): boolean => OUTSIDE_EEA.has(country);

/** Currencies of SEPA countries outside the euro, in which their domestic payments go by IBAN. */
const OWN_CURRENCIES = new Set(
  'AL:ALL CH:CHF CZ:CZK DK:DKK GB:GBP GG:GBP GI:GIP HU:HUF IM:GBP IS:ISK JE:GBP LI:CHF MD:MDL MK:MKD NO:NOK PL:PLN RO:RON RS:RSD SE:SEK'.split(
    ' ',
  ),
);

/** Bank details that only the clearing of their country uses. */
const LOCAL_FIELDS = ['routing_number', 'sort_code', 'bsb', 'ifsc', 'clabe', 'transit_number'];

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

/** Business days that a payment takes at most. SEPA: credit transfer rulebook 4.3.1. */
const DAYS: Readonly<Record<PaymentScheme, number>> = { sepa: 1, local: 1, swift: 2 };

/** By calendar, business days and day: nearly all payouts of a moment leave on the same one. A key of all three took half a microsecond. */
const arrivals: Partial<Record<Calendar, Map<string, string>[]>> = {};
const MOST_ARRIVALS = 1_000;

export interface Journey {
  readonly scheme: PaymentScheme;
  readonly currency: string;
  readonly speed: Speed;
}

/** The day by which a payment that leaves on `day` should have arrived, by the clearing of its currency; both are ISO dates. */
export function expectedArrival({ scheme, currency, speed }: Journey, day: string): string {
  if (speed === 'instant') return day;
  const calendar = usualCalendar(currency);
  const days = speed === 'urgent' ? 0 : DAYS[scheme];
  const byDays = (arrivals[calendar] ??= []);
  const byDay = (byDays[days] ??= new Map());
  const known = byDay.get(day);
  if (known !== undefined) return known;
  const arrival = addBusinessDays(calendar, day, days);
  if (byDay.size >= MOST_ARRIVALS) byDay.clear();
  byDay.set(day, arrival);
  return arrival;
}
