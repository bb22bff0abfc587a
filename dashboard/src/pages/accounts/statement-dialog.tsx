/** A statement of one month, as a file. */
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../../../client/src/generated/types.ts';
import { useDownload } from '../../api/download.ts';
import { useClockAheadMs } from '../../api/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { monthsUntil } from '../../ui/months.ts';

const FORMATS = [
  { value: 'pdf', label: 'PDF, for people' },
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'camt.053', label: 'camt.053, for accounting software' },
  { value: 'json', label: 'JSON' },
];
const ENDS: Readonly<Record<string, string>> = { 'camt.053': 'xml' };

interface Props {
  readonly account: Account;
  readonly isOpen: boolean;
  close(): void;
}

export function StatementDialog({ account, isOpen, close }: Props) {
  const nowMs = Date.now() + useClockAheadMs();
  const months = monthsUntil(nowMs, account.created * 1_000);
  const [chosen, choose] = useState('');
  const [format, setFormat] = useState('pdf');
  const file = useDownload();
  const month = months.find(({ from }) => from === chosen) ?? months[0];
  if (month === undefined) return null;
  const name = `statement-${month.from.slice(0, 7)}.${ENDS[format] ?? format}`;
  return (
    <Dialog title="Download a statement" isOpen={isOpen} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const { from, to } = month;
          void file.start(`/v1/accounts/${account.id}/statement`, { format, from, to }, name);
        }}
      >
        <Select
          label="Month (UTC)"
          data={months.map(({ from, word }) => ({ value: from, label: word }))}
          value={month.from}
          onChange={(next) => choose(next ?? '')}
        />
        <Select label="Format" data={FORMATS} value={format} onChange={(next) => setFormat(next ?? 'pdf')} />
        <Trouble error={file.error} />
        <div className="buttons">
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button type="submit" loading={file.isBusy}>
            Download
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
