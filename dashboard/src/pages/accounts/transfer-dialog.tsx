/**
 * Money from this account to another one of the company, of the same currency. It moves at once.
 */
import { Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Account, Transfer } from '../../../../client/src/generated/types.ts';
import { post } from '../../api/client.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { MOST } from '../../ui/most.ts';
import { accountName } from '../../ui/payout-columns.tsx';
import { typedAmount } from '../../ui/typed-amount.ts';

interface Props {
  readonly account: Account;
  /** Open accounts of the same currency. */
  readonly others: readonly Account[];
  readonly isOpen: boolean;
  close(): void;
}

interface Sent {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly description?: string;
}

const EMPTY = { to: '', amount: '', description: '' };

export function TransferDialog({ account, others, isOpen, close }: Props) {
  const [values, setValues] = useState(EMPTY);
  const { currency, balance } = account;
  const read = typedAmount(values.amount, currency);
  const only = others.length === 1 ? others[0] : undefined;
  const to = others.find(({ id }) => id === values.to) ?? only;
  const transfer = useWrite(async (client, options, sent: Sent) => {
    const made = await post<Transfer>(client, '/v1/transfers', sent, options);
    notifications.show({ message: 'The money has moved.' });
    setValues(EMPTY);
    return made;
  });
  const set = (change: Partial<typeof EMPTY>) => {
    setValues({ ...values, ...change });
    transfer.reset(); // what was refused was another transfer
  };
  const description = values.description.trim();
  const input: Sent = {
    from: account.id,
    to: to?.id ?? '',
    amount: read.amount ?? '',
    ...(description !== '' && { description }),
  };
  return (
    <Confirm
      title={`Transfer from ${accountName(account)}`}
      verb="Transfer"
      isOpen={isOpen}
      isIncomplete={to === undefined || read.amount === null}
      write={transfer}
      input={input}
      close={close}
    >
      <Select
        label="To"
        placeholder="Another account of yours"
        data={others.map((each) => ({ value: each.id, label: accountName(each) }))}
        value={to?.id ?? null}
        onChange={(next) => set({ to: next ?? '' })}
        allowDeselect={false}
      />
      <TextInput
        label={`Amount in ${currency}`}
        inputMode="decimal"
        value={values.amount}
        onChange={(event) => set({ amount: event.currentTarget.value })}
        error={read.fault}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="What for"
        description="For your own books."
        value={values.description}
        maxLength={MOST.transferDescription}
        onChange={(event) => set({ description: event.currentTarget.value })}
        autoComplete="off"
      />
      {read.amount !== null && to !== undefined && BigInt(balance) >= read.minor && (
        <div>
          <Behind account={account} minor={BigInt(balance) - read.minor} />
          <Behind account={to} minor={BigInt(to.balance) + read.minor} />
        </div>
      )}
    </Confirm>
  );
}

/** What an account holds, and what it would hold. */
function Behind({ account, minor }: { readonly account: Account; readonly minor: bigint }) {
  return (
    <div>
      <bdi className="muted">{accountName(account)}</bdi> <Money minor={account.balance} currency={account.currency} />{' '}
      → <Money minor={minor} currency={account.currency} />
    </div>
  );
}
