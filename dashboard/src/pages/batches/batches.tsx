/** Batches of payouts, newest first. */
import type { PayoutBatch } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import { Empty, Failed, Loading } from '../../ui/conditions.tsx';
import { countOf } from '../../ui/digits.ts';
import { shortId } from '../../ui/id.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { batchState } from './words.ts';

const CURL = `curl ${location.origin}/v1/payouts/batch -H "Authorization: Bearer $BURSAR_KEY" \\
  -H "Content-Type: text/csv" --data-binary @payees.csv`;

const COLUMNS: readonly Column<PayoutBatch>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'top-left',
    cell: ({ id, external_id }) => <bdi>{external_id ?? shortId(id)}</bdi>,
  },
  { key: 'state', title: 'State', width: '24%', phone: 'bottom-right', cell: (row) => <State {...batchState(row)} /> },
  {
    key: 'count',
    title: 'Payouts',
    width: '14%',
    align: 'right',
    phone: 'top-right',
    cell: ({ payouts_count }) => countOf(payouts_count),
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
];

export function Batches() {
  const list = useList<PayoutBatch>(['batches'], (client) => pageAt(client, '/v1/payout_batches', { limit: 100 }));
  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="batches" />;
    if (list.isLoading) return <Loading lines={10} />;
    if (list.rows.length > 0)
      return (
        <Table
          label="Batches"
          {...list}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/batches/${id}`}
        />
      );
    return <Empty curl={CURL}>No batch has been made yet. Drop a file of names and IBANs, or send one:</Empty>;
  };
  return (
    <Page
      title="Batches"
      actions={<NewButton word="New batch" to="/batches/new" needs={['payouts:write']} verb="pay from a file" />}
    >
      {content()}
    </Page>
  );
}
