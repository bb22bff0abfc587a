/** Standing orders, newest first. */
import type { Account, StandingOrder } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList, useRead } from '../../api/reads.ts';
import { amountColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Chip, Choice, CurrencyChoice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { Payee } from './payee.tsx';
import { everyOf, orderState, STATE_CHOICES } from './words.ts';

const CURL = `curl ${location.origin}/v1/standing_orders \\
  -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=850 -d currency=EUR -d recipient=rcp_… \\
  -d interval=month -d starts_on=2026-12-31 -d reference=Rent`;

const COLUMNS: readonly Column<StandingOrder>[] = [
  { key: 'to', title: 'To', width: '26%', phone: 'top-left', cell: ({ recipient }) => <Payee id={recipient} /> },
  {
    key: 'reference',
    title: 'Reference',
    cell: ({ reference }) => <bdi className="muted">{reference}</bdi>,
  },
  {
    key: 'every',
    title: 'How often',
    width: '150px',
    cell: (order) => <span className="muted">{everyOf(order)}</span>,
  },
  {
    key: 'next',
    title: 'Next',
    width: '110px',
    phone: 'bottom-left',
    cell: ({ status, next_run_on: next }) => (status === 'active' ? <Day on={next} /> : null),
  },
  {
    key: 'state',
    title: 'State',
    width: '150px',
    phone: 'bottom-right',
    cell: (row) => <State {...orderState(row)} />,
  },
  amountColumn(),
];

/** What stands in no field, and a link brings along. */
const LINKED = { recipient: 'Recipient', ordered_by: 'Ordered by' } as const;

export function StandingOrders() {
  const filters = useFilters({ status: 'one', currency: 'one', account: 'one', recipient: 'one', ordered_by: 'one' });
  const { values } = filters;
  const list = useList<StandingOrder>(['standing_orders', values], (client) =>
    pageAt(client, '/v1/standing_orders', { ...values, limit: 100 }),
  );
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  return (
    <ListPage
      title="Standing orders"
      actions={
        <NewButton
          word="New standing order"
          to="/standing-orders/new"
          needs={['standing_orders:write', 'payouts:write']}
          verb="make standing orders"
        />
      }
      words={['standing order', 'standing orders']}
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/standing-orders/${id}`}
      filters={filters}
      csv={{ path: '/v1/standing_orders', query: () => values, file: 'standing-orders.csv' }}
      empty={<Empty curl={CURL}>Nothing is paid again and again yet. This makes a standing order:</Empty>}
      fields={
        <>
          <Choice
            label="Any state"
            value={values.status}
            options={STATE_CHOICES}
            onChange={(status) => filters.set({ status })}
          />
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency })} />
          <Choice
            label="Any account"
            value={values.account}
            options={(accounts.data?.data ?? []).map((each) => ({ value: each.id, label: accountName(each) }))}
            onChange={(account) => filters.set({ account })}
          />
          {Object.entries(LINKED).map(([name, word]) => {
            const value = values[name as keyof typeof LINKED];
            return (
              value !== '' && <Chip key={name} word={word} value={value} clear={() => filters.set({ [name]: '' })} />
            );
          })}
        </>
      }
    />
  );
}
