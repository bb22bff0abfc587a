/** A new account of the company: its currency, and a name that tells it from others. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../../api/environment.tsx';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { MOST } from '../../ui/most.ts';

interface Sent {
  readonly currency: string;
  readonly name?: string;
}

const EMPTY = { currency: '', name: '' };

export function NewAccount({ isOpen, close }: { readonly isOpen: boolean; close(): void }) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [values, setValues] = useState(EMPTY);
  const create = useWrite(async (client, options, sent: Sent) => {
    const made = await client.accounts.create(sent, options);
    navigate(`/${mode}/accounts/${made.id}`);
    return made;
  });
  const set = (change: Partial<typeof EMPTY>) => {
    setValues({ ...values, ...change });
    create.reset();
  };
  const name = values.name.trim();
  return (
    <Confirm
      title="New account"
      verb="Open the account"
      isOpen={isOpen}
      isIncomplete={values.currency.length !== 3}
      write={create}
      input={{ currency: values.currency, ...(name !== '' && { name }) }}
      close={close}
    >
      <TextInput
        label="Currency"
        description="Its three letters, as EUR. It stays."
        value={values.currency}
        onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase().slice(0, 3) })}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label="Name"
        description="For you alone."
        value={values.name}
        maxLength={MOST.accountName}
        onChange={(event) => set({ name: event.currentTarget.value })}
        autoComplete="off"
      />
    </Confirm>
  );
}
