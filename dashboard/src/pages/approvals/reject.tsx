/** Says no to one payout, with a reason that reaches whoever asked. */
import { Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import type { HeldPayout } from './row.tsx';

export function Reject({ payout, close }: { readonly payout: HeldPayout | null; close(): void }) {
  const [reason, setReason] = useState('');
  const write = useWrite(async (client, options, { id, text }: { id: string; text: string }) => {
    const answer = await client.payouts.reject(id, text === '' ? {} : { reason: text }, options);
    notifications.show({ message: 'Rejected.' });
    setReason('');
    return answer;
  });
  return (
    <Confirm
      title="Reject this payout"
      verb="Reject"
      isDangerous
      isOpen={payout !== null}
      write={write}
      input={{ id: payout?.id ?? '', text: reason.trim() }}
      close={close}
    >
      {payout !== null && (
        <div>
          <Money minor={payout.amount_minor} currency={payout.currency} size="large" />
          <div>
            to <bdi>{payout.destination?.name ?? 'somebody who is not shown to you'}</bdi>
          </div>
        </div>
      )}
      <Textarea
        label="Reason"
        description="Whoever asked for it reads this."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        autosize
        minRows={2}
        maxLength={140}
      />
    </Confirm>
  );
}
