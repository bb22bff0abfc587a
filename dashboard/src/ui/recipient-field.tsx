/** Whom to pay: found by name or account as one types. What is typed is sent in a body and stands in no address. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Recipient } from '../../../client/src/generated/types.ts';
import { pageAt } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { accountEndOf } from './bank-details.ts';
import { searchRecipients } from './search-recipients.ts';

interface Props {
  readonly chosen: Recipient | null;
  choose(recipient: Recipient | null): void;
  readonly error: string | undefined;
}

const WAIT_MS = 250;
const ACTIVE = { currency: '', type: '', status: 'active' };

export function RecipientField({ chosen, choose, error }: Props) {
  const [text, setText] = useState('');
  const [sought] = useDebouncedValue(text.trim(), WAIT_MS);
  // The field shows the one that was chosen: nobody looks for that text.
  const isChosen = chosen !== null && sought === labelOf(chosen);
  const found = useRead(
    ['recipients', 'field', isChosen ? '' : sought],
    (client) =>
      isChosen || sought === ''
        ? pageAt<Recipient>(client, '/v1/recipients', { status: 'active', limit: 20 })
        : searchRecipients(client, sought, ACTIVE),
    { keeps: true },
  );
  const hits = found.data?.data ?? [];
  const shown = chosen === null || hits.some(({ id }) => id === chosen.id) ? hits : [chosen, ...hits];
  return (
    <Select
      label="To"
      placeholder="Name or IBAN"
      searchable
      clearable
      data={shown.map((each) => ({ value: each.id, label: labelOf(each) }))}
      filter={({ options }) => options}
      value={chosen?.id ?? null}
      onChange={(id) => choose(shown.find((each) => each.id === id) ?? null)}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={found.isPending ? 'Looking …' : 'Nobody is like that.'}
      error={error}
      autoComplete="off"
      data-autofocus
    />
  );
}

const labelOf = (recipient: Recipient): string =>
  `${recipient.name} · ${accountEndOf(recipient)} · ${recipient.currency}`;
