/** Payments through links, newest first: what payers began, paid, and got back. */
import type { Payment } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useClockAheadMs, useMay } from '../../api/me.ts';
import { useList } from '../../api/reads.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Chip, Choice, CurrencyChoice, FilterText, SinceChoice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { sinceOf } from '../../ui/since.ts';
import { NewLinkButton } from './new-button.tsx';
import { PAYMENT_COLUMNS, paymentHref } from './payment-columns.tsx';
import { Tabs } from './tabs.tsx';
import { METHODS, PAYMENT_CHOICES } from './words.ts';

const CURL = `curl ${location.origin}/v1/test_helpers/payment_links/plink_…/pay \\
  -H "Authorization: Bearer $BURSAR_KEY" -X POST`;

const TWICE = [
  { value: 'true', label: 'Came twice' },
  { value: 'false', label: 'Came once' },
];

export function Payments() {
  const may = useMay();
  const aheadMs = useClockAheadMs();
  const filters = useFilters({
    status: 'one',
    currency: 'one',
    method: 'one',
    duplicate: 'one',
    since: 'one',
    reference: 'one',
    payment_link: 'one',
  });
  const { values } = filters;
  const query = () => {
    const { since, ...same } = values;
    return { ...same, 'created[gte]': sinceOf(since, Math.floor((Date.now() + aheadMs) / 1_000)) };
  };
  const expand = may('payment_links:read') ? ['payment_link'] : [];
  const list = useList<Payment>(['payments', values, expand], (client) =>
    pageAt(client, '/v1/payments', { ...query(), expand, limit: 100 }),
  );
  return (
    <ListPage
      title="Payments"
      about={<Tabs />}
      actions={<NewLinkButton />}
      words={['payment', 'payments']}
      list={list}
      columns={PAYMENT_COLUMNS}
      hrefOf={paymentHref}
      filters={filters}
      csv={{ path: '/v1/payments', query, file: 'payments.csv' }}
      empty={
        <Empty curl={CURL}>
          Nobody has paid by a link yet. In the sandbox an invented payer pays one by this line:
        </Empty>
      }
      fields={
        <>
          <Choice
            label="Any state"
            value={values.status}
            options={PAYMENT_CHOICES}
            onChange={(status) => filters.set({ status })}
          />
          <CurrencyChoice value={values.currency} onChange={(currency) => filters.set({ currency })} />
          <Choice
            label="Any way"
            value={values.method}
            options={Object.entries(METHODS).map(([value, label]) => ({ value, label }))}
            onChange={(method) => filters.set({ method })}
            width={150}
          />
          <Choice
            label="Once or twice"
            value={values.duplicate}
            options={TWICE}
            onChange={(duplicate) => filters.set({ duplicate })}
            width={150}
          />
          <SinceChoice value={values.since} onChange={(since) => filters.set({ since })} />
          <FilterText
            label="Reference RF…"
            value={values.reference}
            onChange={(reference) => filters.set({ reference })}
          />
          {values.payment_link !== '' && (
            <Chip word="Link" value={values.payment_link} clear={() => filters.set({ payment_link: '' })} />
          )}
        </>
      }
    />
  );
}
