/**
 * The sandbox bank, as payers see it: invented accounts, an invented payer, and the facts that a real bank would
 * report.
 */
import type { CollectionAccount } from '../../core/objects.ts';
import type { Payment } from './fields.ts';
import { isOpen } from '../../core/payments.ts';
import type { FailPayment, ReceivePayment } from './decide.ts';

export const SANDBOX_PAYER = { payerName: 'Grace Hopper', payerIban: 'NL91ABNA0417164300' } as const;

/** What the panel "simulate the bank" offers. */
export const OUTCOMES = ['exact', 'partial', 'twice', 'fail'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const BANK_NAME = 'Sandbox Bank';
/** Well-known examples of each kind; whatever currency is not here has a plain account number. */
const ACCOUNTS: Readonly<Record<string, CollectionAccount>> = {
  EUR: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  GBP: { account_number: '31926819', sort_code: '601613' },
  USD: { account_number: '000123456789', routing_number: '110000000' },
  CHF: { iban: 'CH9300762011623852957', line1: 'Bundesplatz 3', postal_code: '3003', city: 'Bern', country: 'CH' },
  AUD: { account_number: '123456', bsb: '000000' },
  INR: { account_number: '000123456789', ifsc: 'HDFC0004051' },
  MXN: { clabe: '032180000118359719' },
};

/** Where payers of a sandbox send money, unless a bank account of it takes collections. */
export function sandboxAccount(currency: string, holder: string): CollectionAccount {
  const known = ACCOUNTS[currency] ?? { account_number: '000123456789' };
  return { account_holder: holder, bank_name: BANK_NAME, ...known };
}

/** What the bank reports when a visitor asks it to do this, in order. */
export function factsOf(
  payment: Omit<Payment, 'metadata'>,
  outcome: Outcome,
): readonly (ReceivePayment | FailPayment)[] {
  const missing = isOpen(payment) ? payment.amount - payment.received : payment.amount;
  const came = (amount: bigint): ReceivePayment => ({
    type: 'receive_payment',
    payment: payment.id,
    method: 'bank_transfer',
    session: null,
    amount,
    ...SANDBOX_PAYER,
  });
  switch (outcome) {
    case 'exact':
      return [came(missing)];
    case 'partial':
      return [came(missing > 1n ? missing / 2n : missing)];
    case 'twice':
      return isOpen(payment) ? [came(missing), came(payment.amount)] : [came(payment.amount)];
    case 'fail':
      return [{ type: 'fail_payment', payment: payment.id, reason: 'declined', session: null }];
  }
}
