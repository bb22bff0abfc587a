/** Where a payout went: a summary of the recipient, kept with the payout, since recipients change and are erased. */
import { assert } from '../values/assert.ts';
import { type BankAccount, type PaymentScheme, schemeOf } from './payment-schemes.ts';

export interface Destination {
  readonly name: string;
  readonly scheme: PaymentScheme;
  readonly country: string;
  /** BIC, or the number of bank and branch in the form of its country; `null`: the account number says it. */
  readonly bank: string | null;
  readonly last4: string;
}

/** What of a bank account may be shown: scheme, bank and last four. Kept with the recipient, whose bank details are sealed. */
export function bankSummaryOf(account: BankAccount): string {
  const { bankDetails } = account;
  return [schemeOf(account), bankOf(bankDetails) ?? '', lastFour(bankDetails)].join(GAP);
}

interface Recipient extends BankAccount {
  readonly name: string;
  /** As {@link bankSummaryOf} gives it; `null` on a recipient that is older. */
  readonly bankSummary: string | null;
}

/** Opens sealed bank details only where no summary is stored. */
export function destinationOf(recipient: Recipient): Destination {
  const { name, country } = recipient;
  const [scheme, bank, last4] = (recipient.bankSummary ?? bankSummaryOf(recipient)).split(GAP) as [
    PaymentScheme,
    string,
    string,
  ];
  return { name, scheme, country, bank: bank || null, last4 };
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

/** Shown where a name holds a {@link GAP}: payouts from before statement files were read so strictly. */
const MARK = '\ufffd';

/** As it is stored: a third of its JSON. */
export const destinationText = ({ name, scheme, country, bank, last4 }: Destination): string =>
  [name.replaceAll(GAP, MARK), scheme, country, bank ?? '', last4].join(GAP);

/** The name is what stands before the last four parts. */
export function destinationIn(stored: string): Destination {
  const parts = stored.split(GAP);
  const [scheme, country, bank, last4] = parts.slice(-4) as [PaymentScheme, string, string, string];
  assert(parts.length >= 5, 'a destination has five parts');
  return { name: parts.slice(0, -4).join(MARK), scheme, country, bank: bank || null, last4 };
}
