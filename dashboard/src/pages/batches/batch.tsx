/** One batch: how far it is, its payouts, what became of each row, and the way to take back what has not left. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { Payout, PayoutBatch } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useDownload } from '../../api/download.ts';
import { useMay } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Empty, Failed, Loading, Trouble } from '../../ui/conditions.tsx';
import { categoryWord } from '../../ui/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { countOf } from '../../ui/digits.ts';
import { Icon } from '../../ui/icons.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { payoutColumns, payoutHref } from '../../ui/payout-columns.tsx';
import { State } from '../../ui/state.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { batchState } from './words.ts';

const FROM = { to: '/batches', word: 'Batches' };

export function Batch() {
  const { id = '' } = useParams();
  const batch = useRead(['batch', id], (client) => client.payoutBatches.retrieve(id));
  if (batch.data !== undefined) return <Found batch={batch.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this batch" read={batch} />;
}

function Found({ batch }: { readonly batch: PayoutBatch }) {
  const { id, external_id, payouts_count, rejected_count, open_count, failed_count, category_purpose } = batch;
  const may = useMay();
  const file = useDownload();
  const [isAsked, ask] = useState(false);
  const payouts = useList<Payout>(['payouts', { batch: id }], (client) =>
    pageAt(client, '/v1/payouts', { batch: id, limit: 100 }),
  );
  const cancel = useWrite((client, options) => client.payoutBatches.cancel(id, {}, options));
  const content = () => {
    if (payouts.error !== null) return <Failed error={payouts.error} again={payouts.again} what="payouts" />;
    if (payouts.isLoading) return <Loading lines={8} />;
    if (payouts.rows.length === 0) return <Empty>No payout was made of its rows.</Empty>;
    return (
      <Table
        label="Payouts of the batch"
        {...payouts}
        columns={payoutColumns}
        keyOf={(row) => row.id}
        hrefOf={payoutHref}
      />
    );
  };
  return (
    <Page
      title={external_id ?? shortId(id)}
      heading={<bdi>{external_id ?? shortId(id)}</bdi>}
      from={FROM}
      about={<State {...batchState(batch)} />}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            loading={file.isBusy}
            onClick={() => void file.start(`/v1/payout_batches/${id}/results`, { bom: true }, `${id}.csv`)}
          >
            Results
          </Button>
          {open_count > 0 && (
            <Action
              variant="default"
              reason={may('payouts:write') ? null : 'Your role may not cancel.'}
              onClick={() => ask(true)}
            >
              Cancel what has not left
            </Action>
          )}
        </>
      }
    >
      <Trouble error={file.error} />
      <Card>
        <Facts
          rows={[
            ['Payouts', countOf(payouts_count)],
            ['Under way', open_count === 0 ? null : countOf(open_count)],
            ['Failed or canceled', failed_count === 0 ? null : countOf(failed_count)],
            ['Rows refused', rejected_count === 0 ? null : countOf(rejected_count)],
            ['What it is', categoryWord(category_purpose)],
            ['Created', <Time key="" at={batch.created} />],
            ['Id', <Id key="" id={id} whole here />],
          ]}
        />
      </Card>
      {content()}
      <Confirm
        title="Cancel what has not left"
        verb="Cancel them"
        isDangerous
        isOpen={isAsked}
        write={cancel}
        input={undefined}
        close={() => ask(false)}
      >
        <p>
          Payouts of this batch that are waiting or pending are canceled, and their money is back at once. Others go on.
        </p>
      </Confirm>
    </Page>
  );
}
