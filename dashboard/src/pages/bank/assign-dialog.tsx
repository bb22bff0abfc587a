/** Gives an entry its place by hand: one, or several with an amount each. The last one without an amount takes what is left. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { usePlaces } from './places.ts';
import classes from './unmatched.module.css';
import { WhyField } from './why-field.tsx';

interface Part {
  readonly to: string;
  readonly amount: string;
}

interface Props {
  readonly entry: BankEntry;
  close(): void;
}

export function AssignDialog({ entry, close }: Props) {
  const places = usePlaces(entry);
  const [parts, setParts] = useState<readonly Part[]>([{ to: '', amount: '' }]);
  const [reason, setReason] = useState('');
  const assign = useWrite((client, options, sent: { readonly parts: readonly Part[]; readonly reason: string }) => {
    const assignments = sent.parts.map(({ to, amount }) => ({
      to,
      ...(amount !== '' && { amount: amount as `${number}` }),
    }));
    return client.bankEntries.assign(
      entry.id,
      { assignments, ...(sent.reason !== '' && { reason: sent.reason }) },
      options,
    );
  });
  const set = (at: number, changed: Partial<Part>) =>
    setParts((before) => before.map((part, nth) => (nth === at ? { ...part, ...changed } : part)));
  const trimmed = parts.map(({ to, amount }) => ({ to: to.trim(), amount: amount.trim() }));
  return (
    <Confirm
      title="Give it a place"
      verb="Assign"
      isOpen
      isIncomplete={trimmed.some(({ to }) => to === '')}
      write={assign}
      input={{ parts: trimmed, reason: reason.trim() }}
      close={close}
    >
      <p>
        <Money minor={entry.amount_unassigned_minor} currency={entry.currency} /> has no place yet.
      </p>
      {parts.map((part, at) => (
        <div key={at} className={classes['part']}>
          <Select
            label={at === 0 ? 'Where to' : `Part ${at + 1}`}
            data={[...places]}
            value={part.to === '' ? null : part.to}
            onChange={(to) => set(at, { to: to ?? '' })}
            searchable
            nothingFoundMessage="Nothing is called that."
          />
          <TextInput
            label="Amount"
            placeholder="all that is left"
            inputMode="decimal"
            autoComplete="off"
            value={part.amount}
            onChange={(event) => set(at, { amount: event.currentTarget.value })}
          />
        </div>
      ))}
      <div>
        <Button variant="subtle" size="xs" onClick={() => setParts((before) => [...before, { to: '', amount: '' }])}>
          Split it once more
        </Button>
      </div>
      <WhyField value={reason} onChange={setReason} />
    </Confirm>
  );
}
