/**
 * Where a payout went: what is shown of the recipient as it was when the payout was made. Kept with the payout, since recipients
 * change and are erased.
 */
import { assert } from './assert.ts';
import { schemeOf, type PaymentScheme } from './payment-schemes.ts';

export interface Destination {
  readonly name: string;
  readonly scheme: PaymentScheme;
  readonly country: string;
  /** BIC, or the number of bank and branch in the form of its country; `null`: the account number says it. */
  readonly bank: string | null;
  /** Of the account. */
  readonly last4: string;
}

interface Recipient {
  readonly name: string;
  readonly currency: string;
  readonly country: string;
  /** Canonical, not masked. */
  readonly bankDetails: Readonly<Record<string, string>>;
}

export function destinationOf(recipient: Recipient): Destination {
  const { name, country, bankDetails } = recipient;
  return { name, scheme: schemeOf(recipient), country, bank: bankOf(bankDetails), last4: lastFour(bankDetails) };
}

function bankOf(details: Readonly<Record<string, string>>): string | null {
  const { institution_number: institution, transit_number: transit } = details;
  if (institution !== undefined && transit !== undefined) return `${institution}-${transit}`;
  return (
    details['bic'] ?? details['routing_number'] ?? details['sort_code'] ?? details['bsb'] ?? details['ifsc'] ?? null
  );
}

const lastFour = ({ iban, account_number: number, clabe }: Readonly<Record<string, string>>): string =>
  (iban ?? number ?? clabe ?? '').slice(-4);

/** Between the parts of the stored text; no parameter takes it. */
export const GAP = '\u001f';

/** As it is stored: a third of its JSON. */
export const destinationText = ({ name, scheme, country, bank, last4 }: Destination): string =>
  [name, scheme, country, bank ?? '', last4].join(GAP);

export function destinationIn(stored: string): Destination {
  const [name, scheme, country, bank, last4, ...more] = stored.split(GAP) as [string, PaymentScheme, ...string[]];
  assert(last4 !== undefined && country !== undefined && more.length === 0, 'a destination has five parts');
  return { name, scheme, country, bank: bank || null, last4 };
}
