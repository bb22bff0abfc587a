/** How a payment stands, in a sentence to read out; `null`: as it should be. Pure. */
import type { Payment } from '../../../../client/src/generated/types.ts';
import { digitsOf } from '../../ui/digits.ts';
import { leftOf } from './refund.ts';

export interface Standing {
  readonly tone: '' | 'wait' | 'bad';
  readonly title: string;
  readonly text: string;
}

export function standingOf(payment: Payment): Standing | null {
  const { amount_minor, amount_received_minor, amount_refunded_minor, currency, duplicate_of: first, status } = payment;
  const money = (minor: bigint) => `${digitsOf(minor, currency)} ${currency}`;
  const [amount, received, refunded] = [amount_minor, amount_received_minor, amount_refunded_minor].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const left = leftOf(payment);
  if (received === 0n) {
    return status === 'failed'
      ? { tone: '', title: 'No money came.', text: 'What comes later is credited all the same.' }
      : {
          tone: '',
          title: 'No money has come yet.',
          text: 'It comes with a statement of your bank, or by card at once.',
        };
  }
  if (left === 0n) return { tone: '', title: `All of it, ${money(refunded)}, was sent back.`, text: '' };
  if (refunded > 0n) {
    return { tone: '', title: `${money(refunded)} was sent back.`, text: `${money(left)} can still go back.` };
  }
  if (first !== null) {
    const text = 'Another payment for the same was there before it. It can be refunded.';
    return { tone: 'wait', title: `${money(received)} came twice.`, text };
  }
  if (received < amount) {
    return { tone: 'wait', title: `${money(amount - received)} is missing.`, text: `${money(received)} came.` };
  }
  if (received === amount) return null;
  return { tone: '', title: `${money(received - amount)} more came than was asked for.`, text: 'It can be refunded.' };
}
