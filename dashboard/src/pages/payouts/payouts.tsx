/** Payouts, newest first. */
import { Button, CloseButton } from '@mantine/core';
import type { Account, Payout } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useDownload } from '../../api/download.ts';
import { useClockAheadMs } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import { Empty, Failed, Loading, NoHit } from '../../ui/conditions.tsx';
import { Choice, FilterText } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Icon } from '../../ui/icons.tsx';
import { shortId } from '../../ui/id.tsx';
import { Page } from '../../ui/page.tsx';
import { payoutColumns, payoutHref } from '../../ui/payout-columns.tsx';
import { Table } from '../../ui/table.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { LINKED, PAYOUT_FILTERS, queryOfPayouts, SINCE_CHOICES, STATE_CHOICES } from './filters.ts';

const CURL = `curl ${location.origin}/v1/payouts \\
  -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=250.00 -d currency=EUR -d recipient=rcp_…`;

export function Payouts() {
  const filters = useFilters(PAYOUT_FILTERS);
  const { values } = filters;
  const aheadMs = useClockAheadMs();
  const query = () => queryOfPayouts(values, Math.floor((Date.now() + aheadMs) / 1_000));
  const list = useList<Payout>(['payouts', values], (client) =>
    pageAt(client, '/v1/payouts', { ...query(), limit: 100 }),
  );
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const file = useDownload();
  const currencies = [...new Set(accounts.data?.data.map(({ currency }) => currency))].toSorted();

  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="payouts" />;
    if (list.isLoading) return <Loading lines={10} />;
    if (list.rows.length > 0)
      return <Table label="Payouts" {...list} columns={payoutColumns} keyOf={({ id }) => id} hrefOf={payoutHref} />;
    if (filters.isFiltered) return <NoHit what="payout" clear={filters.clear} />;
    return <Empty curl={CURL}>No payout has been made yet. This makes one:</Empty>;
  };

  return (
    <Page
      title="Payouts"
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          loading={file.isBusy}
          disabled={list.rows.length === 0}
          onClick={() => void file.start('/v1/payouts', { ...query(), format: 'csv', bom: true }, 'payouts.csv')}
        >
          {filters.isFiltered ? 'These as CSV' : 'All as CSV'}
        </Button>
      }
    >
      <div className="filters">
        <Choice
          label="Any state"
          value={values.state.join(',')}
          options={STATE_CHOICES}
          onChange={(state) => filters.set({ state: state === '' ? [] : state.split(',') })}
          width={180}
        />
        <Choice
          label="Any currency"
          value={values.currency}
          options={currencies.map((each) => ({ value: each, label: each }))}
          onChange={(currency) => filters.set({ currency, amount: '' })}
          width={140}
        />
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
          options={(accounts.data?.data ?? []).map(({ id, name, currency }) => ({
            value: id,
            label: name === null ? `${currency} ${shortId(id)}` : name,
          }))}
          onChange={(account) => filters.set({ account })}
        />
        <Choice
          label="Any day"
          value={values.since}
          options={SINCE_CHOICES}
          onChange={(since) => filters.set({ since })}
          width={150}
        />
        <FilterText
          label="Your id"
          value={values.external_id}
          onChange={(external_id) => filters.set({ external_id })}
          width={140}
        />
        {Object.entries(LINKED).map(([name, word]) => {
          const value = values[name as keyof typeof LINKED];
          if (value === '') return null;
          return (
            <span key={name} className="chip">
              {word} <span className="mono">{shortId(value)}</span>
              <CloseButton size="sm" aria-label={`Without ${word}`} onClick={() => filters.set({ [name]: '' })} />
            </span>
          );
        })}
        {filters.isFiltered && (
          <Button variant="subtle" onClick={filters.clear}>
            Clear filters
          </Button>
        )}
      </div>
      <Trouble error={file.error} />
      {content()}
    </Page>
  );
}
