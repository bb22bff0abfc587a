/** Exchanges, newest first. */
import type { Exchange } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useClockAheadMs } from '../../api/me.ts';
import { useList } from '../../api/reads.ts';
import { createdColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Chip, Choice, SinceChoice, useCurrencies } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Money } from '../../ui/money.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { sinceOf } from '../../ui/since.ts';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Who } from '../../ui/who.tsx';
import { rateText } from './words.ts';

const CURL = `curl ${location.origin}/v1/exchanges -H "Authorization: Bearer $BURSAR_KEY" \\
  -d sell_currency=EUR -d buy_currency=USD -d amount=100.00`;

const FILTERS = { sell_currency: 'one', buy_currency: 'one', since: 'one', quote: 'one' } as const;

const COLUMNS: readonly Column<Exchange>[] = [
  {
    key: 'sold',
    title: 'Sold → bought',
    phone: 'top-left',
    cell: (row) => (
      <>
        <Money minor={row.sell_amount_minor} currency={row.sell_currency} /> →{' '}
        <Money minor={row.buy_amount_minor} currency={row.buy_currency} />
      </>
    ),
  },
  {
    key: 'rate',
    title: 'Rate',
    width: '230px',
    phone: 'bottom-left',
    cell: (row) => <span className="muted">{rateText(row.sell_currency, row.rate, row.buy_currency)}</span>,
  },
  {
    key: 'who',
    title: 'By',
    width: '170px',
    cell: ({ expanded }) => <Who actor={expanded?.sell_transfer?.created_by ?? null} />,
  },
  createdColumn({ title: 'When', phone: 'bottom-right' }),
  { key: 'state', title: 'State', width: '140px', cell: ({ status }) => <State {...stateOf(status)} /> },
];

export function Exchanges() {
  const filters = useFilters(FILTERS);
  const { since, ...others } = filters.values;
  const aheadMs = useClockAheadMs();
  const currencies = useCurrencies();
  const named = (side: string) => currencies.map(({ value }) => ({ value, label: `${side} ${value}` }));
  const query = () => ({ ...others, 'created[gte]': sinceOf(since, Math.floor((Date.now() + aheadMs) / 1_000)) });
  // Who booked it is known of the transfers.
  const list = useList<Exchange>(['exchanges', filters.values], (client) =>
    pageAt(client, '/v1/exchanges', { ...query(), expand: ['sell_transfer'], limit: 100 }),
  );
  return (
    <ListPage
      title="Exchanges"
      actions={<NewButton word="New exchange" to="/exchanges/new" needs={['exchanges:write']} verb="exchange money" />}
      words={['exchange', 'exchanges']}
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/exchanges/${id}`}
      filters={filters}
      csv={{ path: '/v1/exchanges', query, file: 'exchanges.csv' }}
      empty={<Empty curl={CURL}>No money has been exchanged yet. This exchanges some:</Empty>}
      fields={
        <>
          <Choice
            label="Sold: any"
            value={others.sell_currency}
            options={named('Sold')}
            onChange={(sell_currency) => filters.set({ sell_currency })}
            width={150}
          />
          <Choice
            label="Bought: any"
            value={others.buy_currency}
            options={named('Bought')}
            onChange={(buy_currency) => filters.set({ buy_currency })}
            width={150}
          />
          <SinceChoice value={since} onChange={(next) => filters.set({ since: next })} />
          {others.quote !== '' && <Chip word="Quote" value={others.quote} clear={() => filters.set({ quote: '' })} />}
        </>
      }
    />
  );
}
