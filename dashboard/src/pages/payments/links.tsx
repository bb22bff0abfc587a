/** Payment links, newest first: what for, how much, what came in by them. */
import type { PaymentLink } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import { createdColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Choice, CurrencyChoice, FilterText } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { NewLinkButton } from './new-button.tsx';
import { Tabs } from './tabs.tsx';
import { LINK_CHOICES, linkName, linkState } from './words.ts';

const CURL = `curl ${location.origin}/v1/payment_links -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=250.00 -d currency=EUR -d "description=Garden table" -d "reference=Invoice 4711"`;

const COLUMNS: readonly Column<PaymentLink>[] = [
  { key: 'for', title: 'For', phone: 'top-left', cell: (row) => <bdi>{linkName(row)}</bdi> },
  {
    key: 'reference',
    title: 'Reference',
    width: '20%',
    phone: 'bottom-left',
    cell: ({ reference }) => <bdi className="muted">{reference}</bdi>,
  },
  { key: 'state', title: 'State', width: '140px', phone: 'bottom-right', cell: (row) => <State {...linkState(row)} /> },
  createdColumn(),
  {
    key: 'amount',
    title: 'Amount',
    width: '160px',
    align: 'right',
    phone: 'top-right',
    cell: ({ amount_minor: minor, currency }) =>
      minor === null ? <span className="muted">Any {currency}</span> : <Money minor={minor} currency={currency} />,
  },
  {
    key: 'received',
    title: 'Came',
    width: '160px',
    align: 'right',
    cell: ({ amount_received_minor: minor, currency }) => minor > 0 && <Money minor={minor} currency={currency} />,
  },
];

const REUSE = [
  { value: 'false', label: 'For one payment' },
  { value: 'true', label: 'For several' },
];

export function PaymentLinks() {
  const filters = useFilters({ status: 'one', currency: 'one', reusable: 'one', reference: 'one' });
  const { values } = filters;
  const list = useList<PaymentLink>(['payment_links', values], (client) =>
    pageAt(client, '/v1/payment_links', { ...values, limit: 100 }),
  );
  return (
    <ListPage
      title="Payment links"
      about={<Tabs />}
      actions={<NewLinkButton />}
      words={['payment link', 'payment links']}
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/payment-links/${id}`}
      filters={filters}
      csv={{ path: '/v1/payment_links', query: () => values, file: 'payment-links.csv' }}
      empty={<Empty curl={CURL}>There is no payment link yet. This makes one:</Empty>}
      fields={
        <>
          <Choice
            label="Any state"
            value={values.status}
            options={LINK_CHOICES}
            onChange={(status) => filters.set({ status })}
          />
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency })} />
          <Choice
            label="For one or several"
            value={values.reusable}
            options={REUSE}
            onChange={(reusable) => filters.set({ reusable })}
          />
          <FilterText
            label="Your reference"
            value={values.reference}
            onChange={(reference) => filters.set({ reference })}
          />
        </>
      }
    />
  );
}
