/** Accounts and what is on them. */
import { useFilters } from '../../ui/filters.ts';
import type { Account } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import { Empty, Failed, Loading, NoHit } from '../../ui/conditions.tsx';
import { Choice } from '../../ui/filter-fields.tsx';
import { shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCurrencies } from '../../ui/currencies.ts';

const CURL = `curl ${location.origin}/v1/accounts -H "Authorization: Bearer $BURSAR_KEY" \\
  -d currency=EUR -d "name=Main EUR"`;

/** Its name, or else what tells it from the others. */
export const accountName = ({ name, currency, id }: Pick<Account, 'name' | 'currency' | 'id'>): string =>
  name ?? `${currency} ${shortId(id)}`;

const COLUMNS: readonly Column<Account>[] = [
  { key: 'name', title: 'Account', phone: 'top-left', cell: (row) => <bdi>{accountName(row)}</bdi> },
  {
    key: 'state',
    title: 'State',
    width: '18%',
    phone: 'bottom-right',
    cell: ({ status }) => <State {...stateOf(status)} />,
  },
  {
    key: 'created',
    title: 'Created',
    width: '18%',
    phone: 'bottom-left',
    cell: ({ created }) => (
      <span className="muted">
        <Time at={created} />
      </span>
    ),
  },
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
  const { currency, status } = filters.values;
  const list = useList<Account>(['accounts', filters.values], (client) =>
    pageAt(client, '/v1/accounts', { currency, status, limit: 100 }),
  );
  const currencies = useCurrencies();
  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="accounts" />;
    if (list.isLoading) return <Loading lines={5} />;
    if (list.rows.length > 0)
      return (
        <Table
          label="Accounts"
          {...list}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/accounts/${id}`}
        />
      );
    if (filters.isFiltered) return <NoHit what="account" clear={filters.clear} />;
    return <Empty curl={CURL}>There is no account yet. This opens one:</Empty>;
  };
  return (
    <Page title="Accounts">
      <div className="filters">
        <Choice
          label="Any currency"
          value={currency}
          options={currencies}
          onChange={(next) => filters.set({ currency: next })}
          width={140}
        />
        <Choice
          label="Open and closed"
          value={status}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
          ]}
          onChange={(next) => filters.set({ status: next })}
        />
      </div>
      {content()}
    </Page>
  );
}
