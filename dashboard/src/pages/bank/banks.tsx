/** The company's accounts at banks: what the books say is there, until when statements prove it, and payouts that leave in a file now. */
import { useState } from 'react';
import type { BankAccount } from '../../../../client/src/generated/types.ts';
import { get } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import type { Summary } from '../../api/shapes.ts';
import { Action } from '../../ui/action.tsx';
import { Empty, Failed, Loading } from '../../ui/conditions.tsx';
import { Go } from '../../ui/go.tsx';
import { Id } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Proof, type Standing, unanswered } from './proof.tsx';
import { unfitToExport } from './unfit.ts';

const CURL = `curl ${location.origin}/v1/bank_accounts -H "Authorization: Bearer $BURSAR_KEY" \\
  -d currency=EUR -d country=DE -d "holder=Example GmbH" -d "bank_details[iban]=DE02600501010002034304" \\
  -d cut_off=14:30 -d time_zone=Europe/Berlin`;

export function BankAccounts() {
  const list = useList<BankAccount>(['bank_accounts', 'list'], (client) =>
    client.bankAccounts.list({ limit: 100 }).page(),
  );
  const summary = useRead(['summary'], (client) => get<Summary>(client, '/v1/summary'), { keeps: true });
  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="bank accounts" />;
    if (list.isLoading) return <Loading lines={4} />;
    if (list.rows.length === 0)
      return (
        <Empty curl={CURL}>
          No account at a bank is known yet. This makes one known, and needs the role administrator:
        </Empty>
      );
    return list.rows.map((account) => (
      <Bank
        key={account.id}
        account={account}
        standing={summary.data?.bank.find(({ bank_account: id }) => id === account.id)}
      />
    ));
  };
  return <Page title="Bank accounts">{content()}</Page>;
}

function Bank({ account, standing }: { readonly account: BankAccount; readonly standing: Standing | undefined }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { id, name, holder, currency, balance, cut_off: cutOff, time_zone: zone, status } = account;
  return (
    <Card
      title={
        <Go to={`/bank-accounts/${id}`}>
          <bdi>{name ?? holder}</bdi>
        </Go>
      }
      aside={<Id id={id} here />}
    >
      <Facts
        rows={[
          ['Booked by the bank', <Money key="balance" minor={balance} currency={currency} />],
          ['Statements', standing === undefined ? null : <Proof key="proof" standing={standing} />],
          ['Files', standing === undefined ? null : unanswered(standing.unanswered_files)],
          ['Its day ends', `${cutOff}, ${zone.replace('_', ' ')}`],
          [
            'Payouts leave',
            account.exports === 'by_hand' ? 'when somebody exports them' : 'before the end of its day, by themselves',
          ],
          ['Exports', account.exports_stopped_by === null ? null : 'stopped, because bank and books differ'],
          ['State', status === 'open' ? null : 'closed'],
        ]}
      />
      {status === 'open' && account.uses.includes('payouts') && (
        <div className="buttons">
          <Action
            variant="default"
            reason={unfitToExport(account, may('payment_files:write'))}
            onClick={() => setOpen(true)}
          >
            Export now
          </Action>
        </div>
      )}
      {isOpen && <ExportDialog bankAccount={id} close={() => setOpen(false)} />}
    </Card>
  );
}
