/** Accounts and what is on them. */
import { useState } from 'react';
import type { Account } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useList } from '../../api/reads.ts';
import { Action } from '../../ui/action.tsx';
import { createdColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Choice, CurrencyChoice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Icon } from '../../ui/icons.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { NewAccount } from './new-account.tsx';

const CURL = `curl ${location.origin}/v1/accounts -H "Authorization: Bearer $BURSAR_KEY" \\
  -d currency=EUR -d "name=Main EUR"`;

const COLUMNS: readonly Column<Account>[] = [
  { key: 'name', title: 'Account', phone: 'top-left', cell: (row) => <bdi>{accountName(row)}</bdi> },
  {
    key: 'state',
    title: 'State',
    width: '18%',
    phone: 'bottom-right',
    cell: ({ status }) => <State {...stateOf(status)} />,
  },
  createdColumn({ width: '18%', phone: 'bottom-left' }),
  {
    key: 'balance',
    title: 'Balance',
    width: '24%',
    align: 'right',
    phone: 'top-right',
    cell: ({ balance, currency }) => <Money minor={balance} currency={currency} />,
  },
];

export function Accounts() {
  const filters = useFilters({ currency: 'one', status: 'one' });
  const { values } = filters;
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const list = useList<Account>(['accounts', values], (client) =>
    pageAt(client, '/v1/accounts', { ...values, limit: 100 }),
  );
  return (
    <ListPage
      title="Accounts"
      actions={
        <Action
          leftSection={<Icon name="plus" size={16} />}
          reason={may('accounts:write') ? null : 'Your role may not open accounts.'}
          onClick={() => setOpen(true)}
        >
          New account
        </Action>
      }
      below={<NewAccount isOpen={isOpen} close={() => setOpen(false)} />}
      words={['account', 'accounts']}
      list={list}
      lines={5}
      columns={COLUMNS}
      hrefOf={({ id }) => `/accounts/${id}`}
      filters={filters}
      empty={<Empty curl={CURL}>There is no account yet. This opens one:</Empty>}
      fields={
        <>
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency })} />
          <Choice
            label="Open and closed"
            value={values.status}
            options={[
              { value: 'open', label: 'Open' },
              { value: 'closed', label: 'Closed' },
            ]}
            onChange={(status) => filters.set({ status })}
          />
        </>
      }
    />
  );
}
