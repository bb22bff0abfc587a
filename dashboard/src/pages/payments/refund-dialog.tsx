/**
 * Sends money of a payment back: all that is left, or a part, to where it came from or, where the service does not know that, to a recipient. The
 * amount is sent as it stands on the button, so that money which comes meanwhile does not leave with it.
 */
import { Radio, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Payment, Recipient } from '../../../../client/src/generated/types.ts';
import { post } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { digitsOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { RecipientField } from '../../ui/recipient-field.tsx';
import { isPayerKnown, leftOf, type Refund, refundOf } from './refund.ts';

interface Props {
  readonly payment: Payment;
  readonly isOpen: boolean;
  close(): void;
}

const FRESH = { isPart: false, amount: '', isToOther: false };

export function RefundDialog({ payment, isOpen, close }: Props) {
  const { id, currency, payer, amount_received_minor: received, amount_refunded_minor: refunded } = payment;
  const may = useMay();
  const [values, setValues] = useState(FRESH);
  const [recipient, choose] = useState<Recipient | null>(null);
  const isKnown = isPayerKnown(payment);
  const isToOther = values.isToOther || !isKnown;
  const mayPay = may('payouts:write');
  const asked = refundOf({ ...values, isToOther, recipient: recipient?.id ?? '' }, payment);
  const money = (minor: bigint | number) => `${digitsOf(minor, currency)} ${currency}`;
  const write = useWrite(async (client, options, refund: Refund | null) => {
    if (refund === null) throw new Error('There is no amount yet.');
    const after = await post<Payment>(client, `/v1/payments/${id}/refund`, refund, options);
    notifications.show({ message: `${refund.amount} ${currency} is on its way back.` });
    setValues(FRESH);
    choose(null);
    return after;
  });
  const set = (change: Partial<typeof FRESH>) => {
    setValues({ ...values, ...change });
    write.reset(); // what was refused was another refund
  };
  return (
    <Confirm
      title="Refund"
      verb={asked.refund === null ? 'Refund' : `Refund ${money(asked.minor)}`}
      isIncomplete={asked.refund === null || (isToOther && !mayPay)}
      isOpen={isOpen}
      write={write}
      input={asked.refund}
      close={close}
    >
      <p>
        {money(received)} came.
        {refunded > 0 && ` ${money(refunded)} was sent back already.`}
      </p>
      <Radio.Group
        label="How much"
        value={values.isPart ? 'part' : 'all'}
        onChange={(next) => set({ isPart: next === 'part' })}
      >
        <div className="stack">
          <Radio
            value="all"
            label={refunded > 0 ? `What is left, ${money(leftOf(payment))}` : `All of it, ${money(leftOf(payment))}`}
          />
          <Radio value="part" label="A part" />
        </div>
      </Radio.Group>
      {values.isPart && (
        <TextInput
          label={`Amount in ${currency}`}
          inputMode="decimal"
          value={values.amount}
          onChange={(event) => set({ amount: event.currentTarget.value })}
          error={asked.fault}
          autoComplete="off"
          data-autofocus
        />
      )}
      {isKnown ? (
        <Radio.Group
          label="To"
          value={isToOther ? 'other' : 'payer'}
          onChange={(next) => set({ isToOther: next === 'other' })}
        >
          <div className="stack">
            <Radio
              value="payer"
              label={
                <>
                  Where it came from: <bdi>{payer.name}</bdi> ···{payer.account_last4}
                </>
              }
            />
            <Radio value="other" label="Somebody else" disabled={!mayPay} />
          </div>
        </Radio.Group>
      ) : (
        <p>
          The account that it came from is not known, as with every card. Choose who gets it: the recipient has to be{' '}
          <Go to="/recipients/new">added</Go> first.
        </p>
      )}
      {isToOther && mayPay && (
        <RecipientField
          label="Who gets it"
          chosen={recipient}
          currency={currency}
          choose={(next) => {
            choose(next);
            write.reset();
          }}
        />
      )}
      {!mayPay && !isKnown && <p className="muted">Your role may not pay, so it cannot name who gets it.</p>}
      {asked.refund !== null && asked.rest > 0n && <p className="muted">Then {money(asked.rest)} is left.</p>}
    </Confirm>
  );
}
