/** Who can be paid. */
import { useState } from 'react';
import type { Recipient } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import { createdColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Choice, FilterText, CurrencyChoice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { accountEndOf } from '../../ui/bank-details.ts';
import { searchRecipients } from '../../ui/search-recipients.ts';

const CURL = `curl ${location.origin}/v1/recipients -H "Authorization: Bearer $BURSAR_KEY" \\
  -d "name=Grace Hopper" -d type=individual -d currency=EUR -d country=DE \\
  -d "bank_details[iban]=DE89370400440532013000"`;

const COLUMNS: readonly Column<Recipient>[] = [
  { key: 'name', title: 'Name', phone: 'top-left', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    key: 'account',
    title: 'Bank account',
    width: '20%',
    phone: 'bottom-left',
    cell: (row) => <span className="muted">{accountEndOf(row)}</span>,
  },
  { key: 'currency', title: 'Currency', width: '12%', phone: 'top-right', cell: ({ currency }) => currency },
  {
    key: 'type',
    title: 'Type',
    width: '14%',
    cell: ({ type }) => <span className="muted">{type === 'company' ? 'Company' : 'Person'}</span>,
  },
  {
    key: 'state',
    title: 'State',
    width: '14%',
    phone: 'bottom-right',
    cell: ({ status }) => <State {...stateOf(status)} />,
  },
  createdColumn({ width: '14%' }),
];

export function Recipients() {
  const filters = useFilters({ currency: 'one', type: 'one', status: 'one' });
  const { values } = filters;
  // Not in the address, where the other filters are: it would name a person in histories and logs.
  const [sought, seek] = useState('');
  const list = useList<Recipient>(['recipients', values, sought], (client) =>
    sought === ''
      ? pageAt(client, '/v1/recipients', { ...values, limit: 100 })
      : searchRecipients(client, sought, values),
  );
  const all = {
    isFiltered: filters.isFiltered || sought !== '',
    clear: () => {
      seek('');
      filters.clear();
    },
  };
  return (
    <ListPage
      title="Recipients"
      actions={
        <NewButton word="New recipient" to="/recipients/new" needs={['recipients:write']} verb="add recipients" />
      }
      words={['recipient', 'recipients']}
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/recipients/${id}`}
      filters={all}
      empty={<Empty curl={CURL}>There is nobody to pay yet. This makes a recipient:</Empty>}
      fields={
        <>
          <FilterText label="Name or IBAN" value={sought} onChange={seek} width={220} />
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency })} />
          <Choice
            label="People and companies"
            value={values.type}
            options={[
              { value: 'individual', label: 'People' },
              { value: 'company', label: 'Companies' },
            ]}
            onChange={(type) => filters.set({ type })}
            width={200}
          />
          <Choice
            label="Active"
            value={values.status}
            options={[
              { value: 'archived', label: 'Archived' },
              { value: 'redacted', label: 'Erased' },
            ]}
            onChange={(status) => filters.set({ status })}
            width={130}
          />
        </>
      }
    />
  );
}
