/** Payouts, newest first. */
import type { Account, Payout } from '../../../../client/src/generated/types.ts';
import { type Bursar, pageAt, type Query } from '../../api/client.ts';
import { useClockAheadMs } from '../../api/me.ts';
import { type Ahead, useList, useRead } from '../../api/reads.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Chip, Choice, CurrencyChoice, FilterText, SinceChoice } from '../../ui/filter-fields.tsx';
import { type FilterValues, readFilters } from '../../ui/filter-values.ts';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { accountName, payoutColumns, payoutHref } from '../../ui/payout-columns.tsx';
import { LINKED, PAYOUT_FILTERS, queryOfPayouts, STATE_CHOICES } from './filters.ts';

const CURL = `curl ${location.origin}/v1/payouts \\
  -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=250.00 -d currency=EUR -d recipient=rcp_…`;

const rowsOf = (values: FilterValues<typeof PAYOUT_FILTERS>, query: () => Query) =>
  [['payouts', values], (client: Bursar) => pageAt<Payout>(client, '/v1/payouts', { ...query(), limit: 100 })] as const;

// A day counts back from the environment's clock, which is not known yet.
Payouts.ahead = async (ask: Ahead) => {
  const values = readFilters(PAYOUT_FILTERS, location.search);
  if (values.since === '') await ask.list(...rowsOf(values, () => queryOfPayouts(values, 0)));
};

export function Payouts() {
  const filters = useFilters(PAYOUT_FILTERS);
  const { values } = filters;
  const aheadMs = useClockAheadMs();
  const query = () => queryOfPayouts(values, Math.floor((Date.now() + aheadMs) / 1_000));
  const list = useList(...rowsOf(values, query));
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  return (
    <ListPage
      title="Payouts"
      actions={<NewButton word="New payout" to="/payouts/new" needs={['payouts:write']} verb="pay" />}
      words={['payout', 'payouts']}
      list={list}
      columns={payoutColumns}
      hrefOf={payoutHref}
      filters={filters}
      csv={{ path: '/v1/payouts', query, file: 'payouts.csv' }}
      empty={<Empty curl={CURL}>No payout has been made yet. This makes one:</Empty>}
      fields={
        <>
          <Choice
            label="Any state"
            value={values.state.join(',')}
            options={STATE_CHOICES}
            onChange={(state) => filters.set({ state: state === '' ? [] : state.split(',') })}
            width={180}
          />
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency, amount: '' })} />
          {values.currency !== '' && (
            <FilterText
              label={`Amount in ${values.currency}`}
              value={values.amount}
              onChange={(amount) => filters.set({ amount })}
              width={140}
            />
          )}
          <Choice
            label="Any account"
            value={values.account}
            options={(accounts.data?.data ?? []).map((each) => ({ value: each.id, label: accountName(each) }))}
            onChange={(account) => filters.set({ account })}
          />
          <SinceChoice value={values.since} onChange={(since) => filters.set({ since })} />
          <FilterText
            label="Your id"
            value={values.external_id}
            onChange={(external_id) => filters.set({ external_id })}
            width={140}
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
