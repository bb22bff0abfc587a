/** Changes what can be changed of a standing order: the amount, the text, the end. It is open as long as it is there, and sends what is another than when it was opened. */
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { StandingOrder } from '../../../../client/src/generated/types.ts';
import { fromMinor } from '../../../../client/src/money.ts';
import { post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { MOST } from '../../ui/most.ts';
import { EndFields } from './end-fields.tsx';
import { type Change, changeOf, type Changing, endIn } from './order.ts';

interface Props {
  readonly order: StandingOrder;
  close(): void;
}

export function ChangeDialog({ order, close }: Props) {
  // Who else changes it meanwhile keeps what they changed.
  const [before] = useState(order);
  const [values, setValues] = useState<Changing>({
    amount: fromMinor(before.amount_minor, before.currency),
    isPlain: true,
    reference: before.reference ?? '',
    ...endIn(before),
  });
  const write = useWrite(async (client, options, sent: Change | null) => {
    const answer = await post<StandingOrder>(client, `/v1/standing_orders/${before.id}`, sent ?? {}, options);
    notifications.show({ message: 'Changed.' });
    return answer;
  });
  const set = (change: Partial<Changing>) => {
    setValues((now) => ({ ...now, ...change }));
    write.reset();
  };
  const { change, faults } = changeOf(values, before);
  return (
    <Confirm
      title="Change this standing order"
      verb="Change"
      isOpen
      isIncomplete={change === null}
      write={write}
      input={change}
      close={close}
    >
      <TextInput
        label={`Amount in ${before.currency}`}
        description="Of each payout from the next day on."
        inputMode="decimal"
        value={values.amount}
        onChange={(event) => set({ amount: event.currentTarget.value, isPlain: false })}
        error={faults.amount ?? faultOf(write.error, 'amount')}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="Reference"
        value={values.reference}
        maxLength={MOST.payoutReference}
        onChange={(event) => set({ reference: event.currentTarget.value })}
        error={faultOf(write.error, 'reference')}
        autoComplete="off"
      />
      <EndFields
        end={values}
        set={set}
        faults={{ lastDay: faultOf(write.error, 'ends_on'), count: faults.count ?? faultOf(write.error, 'count') }}
      />
      <p className="small muted">
        Its coming payouts are then ordered by you: they count against your limits, and somebody else approves them. For
        another recipient, account or rhythm make another order.
      </p>
    </Confirm>
  );
}
