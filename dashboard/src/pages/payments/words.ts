/** States of payments, payment links and expected payments in words. Pure. */
import type { BankAccount, ExpectedPayment, Payment, PaymentLink } from '../../../../client/src/generated/types.ts';
import type { StateWords } from '../../ui/state.tsx';

const PAYMENTS: Readonly<Record<Payment['status'], StateWords>> = {
  pending: { mark: 'wait', word: 'Waits for money' },
  partially_paid: { mark: 'wait', word: 'Partly paid' },
  succeeded: { mark: 'done', word: 'Paid' },
  overpaid: { mark: 'done', word: 'Overpaid' },
  failed: { mark: 'off', word: 'Not paid' },
  refunded: { mark: 'off', word: 'Refunded' },
};

type Sums = Pick<
  Payment,
  'status' | 'failure_code' | 'duplicate_of' | 'amount_received_minor' | 'amount_refunded_minor'
>;

/** What came twice and is still here says so, though it is `succeeded` like others; what went back in part says that. */
export function paymentState(payment: Sums): StateWords {
  const { status, failure_code: code, duplicate_of: first, amount_refunded_minor: refunded } = payment;
  if (status === 'failed' && code === 'declined') return { mark: 'bad', word: 'Declined' };
  if (status === 'failed' && code === 'expired') return { mark: 'off', word: 'Not paid in time' };
  if (status === 'failed' || status === 'refunded') return PAYMENTS[status];
  if (refunded > 0) return { mark: 'done', word: 'Partly refunded' };
  return first === null ? PAYMENTS[status] : { mark: 'wait', word: 'Came twice' };
}

export const PAYMENT_CHOICES = Object.entries(PAYMENTS).map(([value, { word }]) => ({ value, label: word }));

export const METHODS: Readonly<Record<Payment['method'], string>> = { bank_transfer: 'Bank transfer', card: 'Card' };

const LINKS: Readonly<Record<PaymentLink['status'], StateWords>> = {
  active: { mark: 'going', word: 'Active' },
  completed: { mark: 'done', word: 'Paid' },
  expired: { mark: 'off', word: 'Expired' },
  canceled: { mark: 'off', word: 'Deactivated' },
};

export const linkState = ({ status }: Pick<PaymentLink, 'status'>): StateWords => LINKS[status];
export const LINK_CHOICES = Object.entries(LINKS).map(([value, { word }]) => ({ value, label: word }));

/** What it is for, or else what tells it from the others. */
export const linkName = ({ description, reference }: Pick<PaymentLink, 'description' | 'reference'>): string =>
  description ?? reference ?? 'Payment link';

const EXPECTED: Readonly<Record<ExpectedPayment['status'], StateWords>> = {
  open: { mark: 'wait', word: 'Waits for money' },
  partially_paid: { mark: 'wait', word: 'Partly paid' },
  overdue: { mark: 'bad', word: 'Overdue' },
  paid: { mark: 'done', word: 'Paid' },
  canceled: { mark: 'off', word: 'Canceled' },
};

export function expectedState(
  expected: Pick<ExpectedPayment, 'status' | 'amount_minor' | 'amount_received_minor'>,
): StateWords {
  const { status, amount_minor: amount, amount_received_minor: received } = expected;
  return status === 'paid' && received > amount ? { mark: 'done', word: 'Overpaid' } : EXPECTED[status];
}

export const EXPECTED_CHOICES = Object.entries(EXPECTED).map(([value, { word }]) => ({ value, label: word }));

export const expectedName = ({
  description,
  payer,
  reference,
}: Pick<ExpectedPayment, 'description' | 'payer' | 'reference'>): string => description ?? payer ?? reference;

/** In groups of four, as it is read out and typed: `RF28 K3W2 …`. */
export const inFours = (reference: string): string => reference.replaceAll(/(.{4})(?=.)/g, '$1 ');

type Collecting = Pick<BankAccount, 'uses' | 'status' | 'currency' | 'holder_address'>;

/** Why the service would have none, as far as a page knows; `null`: it may. */
export function whyNoCode(currency: string, banks: readonly Collecting[]): string | null {
  if (currency !== 'EUR' && currency !== 'CHF') return 'Codes for banking apps are for EUR and CHF.';
  const own = banks.filter(
    ({ uses, status, currency: of }) => of === currency && status === 'open' && uses.includes('collections'),
  );
  if (own.length === 0) return `No bank account of yours collects ${currency} yet, so there is no code.`;
  return currency === 'CHF' && own.every(({ holder_address: home }) => home === null)
    ? 'A code needs the address of the bank account’s holder.'
    : null;
}
