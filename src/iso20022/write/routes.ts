/**
 * How a payment travels from one account to another, the first that fits:
 *
 * | route      | currency    | creditor                              | debtor             |
 * |------------|-------------|---------------------------------------|--------------------|
 * | `sepa`     | EUR         | IBAN within SEPA                      | IBAN within SEPA   |
 * | `domestic` | its own     | IBAN, or account and clearing number  | same country       |
 * | `swift`    | each        | IBAN or account, with BIC or clearing number | each        |
 *
 * | speed      | route          | where it would go by                                              |
 * |------------|----------------|-------------------------------------------------------------------|
 * | `instant`  | `sepa_instant` | `sepa`                                                            |
 * | `urgent`   | `urgent`       | `domestic`; `sepa` and `swift` where BIC or clearing number is known |
 *
 * A profile may not know a route (`profiles.ts`). To a QR-IBAN payments go within Switzerland and Liechtenstein only, in francs and euro: the
 * reference that it wants is unknown elsewhere (SIX, Swiss Implementation Guidelines QR-bill 2.3).
 */
import { schemeOf, schemeOfIban, type Speed } from '../../core/rails/payment-schemes.ts';
import { isQrIban } from '../../core/rails/structured-references.ts';

/** Bank details, canonical, as recipients have them. */
export type Details = Readonly<Record<string, string>>;

export const ROUTES = ['sepa', 'domestic', 'swift', 'sepa_instant', 'urgent'] as const;
export type Route = (typeof ROUTES)[number];
export const isSepa = (route: Route | null): boolean => route === 'sepa' || route === 'sepa_instant';

/** An account at a bank. */
export interface Place {
  readonly country: string;
  readonly details: Details;
}

/** A number of a bank in the clearing of its country, as ISO 20022 names it (`ExternalClearingSystemIdentification1Code`). */
export interface ClearingMember {
  readonly system: string;
  readonly member: string;
}

export function clearingMemberOf(details: Details): ClearingMember | null {
  if (details['routing_number'] !== undefined) return { system: 'USABA', member: details['routing_number'] };
  if (details['sort_code'] !== undefined) return { system: 'GBDSC', member: details['sort_code'] };
  if (details['bsb'] !== undefined) return { system: 'AUBSB', member: details['bsb'] };
  if (details['ifsc'] !== undefined) return { system: 'INFSC', member: details['ifsc'] };
  const { institution_number: institution, transit_number: transit } = details;
  if (institution === undefined || transit === undefined) return null;
  return { system: 'CACPA', member: `0${institution}${transit}` }; // Payments Canada: nought, institution, branch
}

/** Number of the account itself. */
export const accountNumberOf = (details: Details): string | null =>
  details['iban'] ?? details['account_number'] ?? details['clabe'] ?? null;

/** Liechtenstein takes part in the Swiss clearing. */
const clearingOf = (country: string): string => (country === 'LI' ? 'CH' : country);

/** `null`: there is none, whatever the profile. */
export function routeOf(debtor: Place, creditor: Place, currency: string, speed: Speed): Route | null {
  const usual = usualRoute(debtor, creditor, currency);
  if (speed === 'standard') return usual;
  if (speed === 'instant') return usual === 'sepa' ? 'sepa_instant' : null;
  return usual === 'domestic' || (usual !== null && isBankNamed(creditor.details)) ? 'urgent' : null;
}

const isBankNamed = (details: Details): boolean => details['bic'] !== undefined || clearingMemberOf(details) !== null;

function usualRoute(debtor: Place, creditor: Place, currency: string): 'sepa' | 'domestic' | 'swift' | null {
  if (isQrIban(creditor.details['iban'])) {
    return clearingOf(debtor.country) === 'CH' && (currency === 'CHF' || currency === 'EUR') ? 'domestic' : null;
  }
  const isSepa = (place: Place) => place.details['iban'] !== undefined && schemeOfIban(place.country, 'EUR') === 'sepa';
  if (currency === 'EUR' && isSepa(creditor) && isSepa(debtor)) return 'sepa';
  if (accountNumberOf(creditor.details) === null) return null;
  const scheme = schemeOf({ currency, country: creditor.country, bankDetails: creditor.details });
  if (scheme === 'local' && clearingOf(creditor.country) === clearingOf(debtor.country)) return 'domestic';
  return isBankNamed(creditor.details) ? 'swift' : null;
}
