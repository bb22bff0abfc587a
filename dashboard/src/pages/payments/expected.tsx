/** Transfers that customers are expected to make, newest first; those that are late say so in red. */
import type { ExpectedPayment } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import { amountColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Choice, CurrencyChoice, FilterText } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { NewExpectedButton } from './new-button.tsx';
import { Tabs } from './tabs.tsx';
import { EXPECTED_CHOICES, expectedState } from './words.ts';

const CURL = `curl ${location.origin}/v1/expected_payments -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=119.00 -d currency=EUR -d "payer=Example AG" -d "description=Invoice 2026-17" -d due_on=2026-12-20`;

const COLUMNS: readonly Column<ExpectedPayment>[] = [
  {
    key: 'from',
    title: 'From',
    width: '22%',
    phone: 'top-left',
    cell: ({ payer }) => (payer === null ? <span className="muted">Anybody</span> : <bdi>{payer}</bdi>),
  },
  {
    key: 'for',
    title: 'For',
    phone: 'bottom-left',
    cell: ({ description, reference }) => <bdi className="muted">{description ?? reference}</bdi>,
  },
  {
    key: 'state',
    title: 'State',
    width: '160px',
    phone: 'bottom-right',
    cell: (row) => <State {...expectedState(row)} />,
  },
  {
    key: 'due',
    title: 'Due',
    width: '130px',
    cell: ({ due_on: on }) => (
      <span className="muted">
        <Day on={on} />
      </span>
    ),
  },
  amountColumn({ width: '160px' }),
  {
    key: 'received',
    title: 'Came',
    width: '160px',
    align: 'right',
    cell: ({ amount_received_minor: minor, currency }) => minor > 0 && <Money minor={minor} currency={currency} />,
  },
];

export function ExpectedPayments() {
  const filters = useFilters({ status: 'one', currency: 'one', reference: 'one' });
  const { values } = filters;
  const query = () => ({ ...values, reference: values.reference.replaceAll(/\s/g, '').toUpperCase() });
  const list = useList<ExpectedPayment>(['expected_payments', values], (client) =>
    pageAt(client, '/v1/expected_payments', { ...query(), limit: 100 }),
  );
  return (
    <ListPage
      title="Expected payments"
      about={<Tabs />}
      actions={<NewExpectedButton />}
      words={['expected payment', 'expected payments']}
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/expected-payments/${id}`}
      filters={filters}
      csv={{ path: '/v1/expected_payments', query, file: 'expected-payments.csv' }}
      empty={<Empty curl={CURL}>No payment is expected yet. This expects one:</Empty>}
      fields={
        <>
          <Choice
            label="Any state"
            value={values.status}
            options={EXPECTED_CHOICES}
            onChange={(status) => filters.set({ status })}
          />
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency })} />
          <FilterText
            label="Reference RF…"
            value={values.reference}
            onChange={(reference) => filters.set({ reference })}
          />
        </>
      }
    />
  );
}
