/** What an event says of a payment or of an expected payment, in words with exact amounts; `null`: nothing for a story. Pure. */
import type { Event, ExpectedPaymentEvent, PaymentEvent } from '../../../../client/src/generated/types.ts';
import { digitsOf } from '../../ui/digits.ts';
import type { Mark } from '../../ui/state.tsx';

export interface Chapter {
  readonly text: string;
  readonly mark?: Mark;
  /** Of what has a page: the payout of a refund. */
  readonly about?: string;
}

const isOfPayment = (event: Event): event is PaymentEvent => event.type.startsWith('payment.');
const isOfExpected = (event: Event): event is ExpectedPaymentEvent => event.type.startsWith('expected_payment.');

export function chapterOf(event: Event): Chapter | null {
  if (isOfPayment(event)) return ofPayment(event);
  return isOfExpected(event) ? ofExpected(event) : null;
}

interface Sums {
  readonly amount_minor: number;
  readonly amount_received_minor: number;
  readonly currency: string;
}

const inMoney = (minor: bigint, currency: string): string => `${digitsOf(minor, currency)} ${currency}`;

/** `50.00 EUR came. 200.00 EUR is missing.` `before`: what had come until then. */
function came(now: Sums, before: number | undefined): string {
  const [received, amount] = [BigInt(now.amount_received_minor), BigInt(now.amount_minor)];
  const money = (minor: bigint) => inMoney(minor, now.currency);
  const part = received - BigInt(before ?? 0);
  const rest =
    received < amount
      ? `${money(amount - received)} is missing.`
      : received === amount
        ? 'It is paid in full.'
        : `That is ${money(received - amount)} more than was asked for.`;
  return `${money(part)} came. ${rest}`;
}

/** What an entry of a bank had brought and was voided; `null`: nothing was taken back. */
function takenBack(now: Sums, before: number | undefined): string | null {
  if (before === undefined || before <= now.amount_received_minor) return null;
  const minor = BigInt(before) - BigInt(now.amount_received_minor);
  return `${inMoney(minor, now.currency)} was taken back: the bank’s entry was voided.`;
}

const FAILURES: Readonly<Record<string, Chapter>> = {
  expired: { mark: 'off', text: 'Nobody paid in time. Money that comes later is credited all the same.' },
  declined: { mark: 'bad', text: 'The card was declined.' },
  canceled: {
    mark: 'off',
    text: 'Given up for another payment by the same link. Money for it is credited all the same.',
  },
};

function ofPayment({ type, data }: PaymentEvent): Chapter | null {
  const { object: payment, previous_attributes: before = {} } = data;
  const money = (minor: bigint) => inMoney(minor, payment.currency);
  const back = takenBack(payment, before.amount_received_minor);
  if (type === 'payment.pending') {
    return { mark: 'going', text: `The payer began to pay. ${money(BigInt(payment.amount_minor))} is asked for.` };
  }
  if (type === 'payment.partially_paid' || type === 'payment.succeeded') {
    return { text: came(payment, before.amount_received_minor) };
  }
  if (type === 'payment.duplicate') {
    const text = `${money(BigInt(payment.amount_received_minor))} came, though it was paid already.`;
    return { mark: 'wait', text };
  }
  if (type === 'payment.failed') {
    return back === null ? (FAILURES[payment.failure_code ?? ''] ?? null) : { mark: 'bad', text: back };
  }
  if (type === 'payment.refunded') {
    const sent = BigInt(payment.amount_refunded_minor) - BigInt(before.amount_refunded_minor ?? 0);
    return {
      mark: 'going',
      text: `${money(sent)} is sent back.`,
      ...(payment.refund !== null && { about: payment.refund }),
    };
  }
  if (type === 'payment.reminder_due')
    return { mark: 'wait', text: 'It still waits: a good day to write to the payer.' };
  if (back !== null) return { mark: 'bad', text: back };
  const unsent = BigInt(before.amount_refunded_minor ?? payment.amount_refunded_minor);
  if (unsent > BigInt(payment.amount_refunded_minor)) {
    const text = `${money(unsent - BigInt(payment.amount_refunded_minor))} of a refund did not arrive, and is here again.`;
    return { mark: 'bad', text };
  }
  if (before.method !== undefined) {
    return { text: payment.method === 'card' ? 'The payer chose to pay by card.' : 'The payer chose a bank transfer.' };
  }
  return { text: 'Metadata changed.' };
}

function ofExpected({ type, data }: ExpectedPaymentEvent): Chapter | null {
  const { object: expected, previous_attributes: before = {} } = data;
  if (type === 'expected_payment.created') return { mark: 'going', text: 'Expected from now on.' };
  if (type === 'expected_payment.canceled') return { mark: 'off', text: 'Canceled. Money that came stays.' };
  if (type === 'expected_payment.overdue') {
    const missing = BigInt(expected.amount_minor) - BigInt(expected.amount_received_minor);
    return { mark: 'bad', text: `Its day has passed. ${inMoney(missing, expected.currency)} is missing.` };
  }
  if (type === 'expected_payment.updated') {
    const text = takenBack(expected, before.amount_received_minor);
    return text === null ? null : { mark: 'bad', text };
  }
  return { text: came(expected, before.amount_received_minor) };
}

/** The transfers that credited an expected payment, in order, each once. */
export function transfersIn(events: readonly Event[]): readonly string[] {
  const named = events
    .filter(isOfExpected)
    .filter(({ type }) => type === 'expected_payment.partially_paid' || type === 'expected_payment.paid')
    .flatMap(({ data }) => data.object.transfer ?? []);
  return [...new Set(named)];
}
