/** Files between the company and its banks: out, with what the bank said; in, with what became of them. */
import { Button } from '@mantine/core';
import type { PaymentFile, StatementFile } from '../../../../client/src/generated/types.ts';
import { useDownload } from '../../api/download.ts';
import { useList } from '../../api/reads.ts';
import { Failed, Loading, Trouble } from '../../ui/conditions.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { fileState } from './file-words.ts';
import { ImportFile } from './import-file.tsx';

export function Files() {
  return (
    <Page title="Files" about="Payments that leave for your banks, and what the banks say.">
      <Out />
      <In />
    </Page>
  );
}

function Out() {
  const list = useList<PaymentFile>(['payment_files', 'list'], (client) =>
    client.paymentFiles.list({ limit: 100 }).page(),
  );
  const file = useDownload();
  const columns: readonly Column<PaymentFile>[] = [
    { key: 'id', title: 'File', phone: 'top-left', cell: ({ message_id: id }) => <span className="mono">{id}</span> },
    { key: 'state', title: 'The bank', phone: 'bottom-left', cell: (row) => <State {...fileState(row)} /> },
    { key: 'day', title: 'For', width: '13%', cell: ({ execution_on: on }) => <Day on={on} /> },
    { key: 'count', title: 'Payouts', width: '10%', align: 'right', cell: ({ payouts_count: count }) => count },
    {
      key: 'total',
      title: 'Sum',
      width: '18%',
      align: 'right',
      phone: 'top-right',
      cell: ({ total_minor: minor, currency }) => <Money minor={minor} currency={currency} />,
    },
    {
      key: 'download',
      title: 'Content',
      width: '14%',
      align: 'right',
      phone: 'bottom-right',
      cell: ({ id, message_id: message, status }) =>
        status === 'sealed' && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={`Download ${message}`}
            onClick={() => void file.start(`/v1/payment_files/${id}/content`, {}, `${message}.xml`)}
          >
            Download
          </Button>
        ),
    },
  ];
  return (
    <Card title="Out" flush>
      {list.error !== null && <Failed error={list.error} again={list.again} what="payment files" />}
      {list.isLoading && <Loading lines={4} />}
      <Trouble error={file.error} />
      {list.rows.length > 0 && (
        <Table
          label="Payment files"
          {...list}
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/payment-files/${id}`}
        />
      )}
      {!list.isLoading && list.error === null && list.rows.length === 0 && (
        <div className="condition">
          <p>No payout has left in a file yet. Bank accounts have the button for it.</p>
        </div>
      )}
    </Card>
  );
}

const IN_COLUMNS: readonly Column<StatementFile>[] = [
  { key: 'at', title: 'Came in', phone: 'top-left', cell: ({ created }) => <Time at={created} /> },
  {
    key: 'state',
    title: 'State',
    width: '20%',
    phone: 'bottom-left',
    cell: ({ status }) => (
      <State
        {...(status === 'imported' ? { mark: 'done', word: 'Imported' } : { mark: 'going', word: 'Being read' })}
      />
    ),
  },
  {
    key: 'statements',
    title: 'Statements',
    width: '14%',
    align: 'right',
    phone: 'top-right',
    cell: ({ statements_count: count }) => (count === 0 ? null : count),
  },
  { key: 'notes', title: 'Notes', width: '40%', cell: ({ notes }) => <span className="muted">{notes.join(' ')}</span> },
];

function In() {
  const list = useList<StatementFile>(['statement_files', 'list'], (client) =>
    client.statementFiles.list({ limit: 100 }).page(),
  );
  return (
    <Card title="In" flush>
      <div className="condition">
        <ImportFile />
      </div>
      {list.error !== null && <Failed error={list.error} again={list.again} what="files of banks" />}
      {list.isLoading && <Loading lines={4} />}
      {list.rows.length > 0 && <Table label="Files of banks" {...list} columns={IN_COLUMNS} keyOf={({ id }) => id} />}
    </Card>
  );
}
