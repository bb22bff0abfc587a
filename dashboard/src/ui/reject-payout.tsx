/** Says no to a payout that waits, with a reason that reaches whoever asked. What was typed is of one payout: another one begins without. */
import { Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useWrite } from '../api/writes.ts';
import { Confirm } from './confirm.tsx';
import { MOST } from './most.ts';
import { PayoutShort, type ShortPayout } from './payout-short.tsx';

interface Props {
  /** `null`: closed. */
  readonly payout: ShortPayout | null;
  close(): void;
}

export function RejectPayout({ payout, close }: Props) {
  const [typed, setTyped] = useState({ id: '', text: '' });
  const id = payout?.id ?? '';
  const reason = typed.id === id ? typed.text : '';
  const write = useWrite(async (client, options, sent: { readonly id: string; readonly reason: string }) => {
    const answer = await client.payouts.reject(sent.id, sent.reason === '' ? {} : { reason: sent.reason }, options);
    notifications.show({ message: 'Rejected.' });
    return answer;
  });
  return (
    <Confirm
      title="Reject this payout"
      verb="Reject"
      isDangerous
      isOpen={payout !== null}
      write={write}
      input={{ id, reason: reason.trim() }}
      close={close}
    >
      {payout !== null && <PayoutShort payout={payout} />}
      <Textarea
        label="Reason"
        description="Whoever asked for it reads this."
        value={reason}
        onChange={(event) => setTyped({ id, text: event.currentTarget.value })}
        autosize
        minRows={2}
        maxLength={MOST.rejectReason}
      />
    </Confirm>
  );
}
