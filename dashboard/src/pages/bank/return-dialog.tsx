/** Sends money back to whom it came from: a payout of what has no place. */
import { useState } from 'react';
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { WhyField } from './why-field.tsx';

interface Props {
  readonly entry: BankEntry;
  close(): void;
}

export function ReturnDialog({ entry, close }: Props) {
  const [reason, setReason] = useState('');
  const send = useWrite((client, options, why: string) =>
    client.bankEntries.return(entry.id, why === '' ? {} : { reason: why }, options),
  );
  return (
    <Confirm title="Send it back" verb="Send it back" isOpen write={send} input={reason.trim()} close={close}>
      <p>
        <Money minor={entry.amount_unassigned_minor} currency={entry.currency} /> goes back to{' '}
        <bdi>{entry.counterparty.name ?? 'the account that it came from'}</bdi>, as a payout. Your rules count it too.
      </p>
      <WhyField value={reason} onChange={setReason} />
    </Confirm>
  );
}
