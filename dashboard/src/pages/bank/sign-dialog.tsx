/** Signs the report of a month, by its hash: if it is another one by now, the signature is refused. What is missing is signed only knowingly. */
import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Reconciliation } from '../../../../client/src/generated/types.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { Facts } from '../../ui/page.tsx';

interface Props {
  readonly report: Reconciliation;
  readonly title: string;
  readonly missing: readonly string[];
  /** What stands on the page is read anew: not every change of a report is an event, by which pages learn. */
  reread(): void;
  close(): void;
}

export function SignDialog({ report, title, missing, reread, close }: Props) {
  const { bank_account: id, month, sha256, currency } = report;
  // Of what stands here now: when more goes missing meanwhile, it is asked again.
  const all = missing.join('\n');
  const [known, setKnown] = useState<string | null>(null);
  const isKnown = known === all;
  const sign = useWrite(async (client, options, sent: { readonly month: string; readonly sha256: string }) => {
    try {
      const answer = await client.bankAccounts.signReconciliation(id, sent, options);
      notifications.show({ message: 'The month is signed.' });
      return answer;
    } catch (fault) {
      reread();
      throw fault;
    }
  });
  return (
    <Confirm
      title={title}
      verb="Sign"
      isOpen
      isIncomplete={missing.length > 0 && !isKnown}
      write={sign}
      input={{ month, sha256 }}
      close={close}
    >
      <p>You sign this report. Your name, your address and the time stay beside it in the audit log.</p>
      <Facts
        rows={[
          ['It begins with', <Money key="" minor={report.opening_balance} currency={currency} />],
          ['It ends with', <Money key="" minor={report.closing_balance} currency={currency} />],
          [
            'SHA-256',
            <span key="" className="mono small">
              {sha256}
            </span>,
          ],
        ]}
      />
      {missing.length > 0 && (
        <>
          <ul>
            {missing.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
          <Checkbox
            label="I sign it although this is missing"
            checked={isKnown}
            onChange={(event) => setKnown(event.currentTarget.checked ? all : null)}
          />
        </>
      )}
    </Confirm>
  );
}
