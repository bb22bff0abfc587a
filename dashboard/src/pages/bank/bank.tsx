/** One bank account: what is proved and until when, its next cut-off, what it does not cover, and its statements. Ways to close a month, and in and out. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { BankAccount, BankStatement } from '../../../../client/src/generated/types.ts';
import { get } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useClockAheadMs, useMay, useMinute } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import type { Summary } from '../../api/shapes.ts';
import { Action } from '../../ui/action.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { countOf } from '../../ui/digits.ts';
import { Choice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { List } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { nextCutOffOn } from './cut-off.ts';
import { ExportDialog } from './export-dialog.tsx';
import { unfitToExport } from './unfit.ts';
import { ImportFile } from './import-file.tsx';
import { Proof, unanswered } from './proof.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { messageWord, PROOF_CHOICES, STATUS_CHOICES, statementState } from './statement-words.ts';

const FROM = { to: '/bank-accounts', word: 'Bank accounts' };

export function OneBankAccount() {
  const { id = '' } = useParams();
  const account = useRead(['bank_account', id], (client) => client.bankAccounts.retrieve(id));
  if (account.data !== undefined) return <Found account={account.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this bank account" read={account} />;
}

function Found({ account }: { readonly account: BankAccount }) {
  const { id, name, holder, currency, balance, exports_stopped_by: stoppedBy } = account;
  const may = useMay();
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'export' | 'resume' | null>(null);
  const close = () => setOpen(null);
  const pays = account.status === 'open' && account.uses.includes('payouts');
  return (
    <Page
      title={name ?? holder}
      heading={<Money minor={balance} currency={currency} size="big" />}
      from={FROM}
      about={
        <>
          <bdi>{name ?? holder}</bdi>
          <span className="muted">what the bank has booked</span>
          {account.status === 'closed' && <State mark="off" word="Closed" />}
        </>
      }
      actions={
        <>
          <Button variant="default" onClick={() => navigate(`/${mode}/bank-accounts/${id}/month`)}>
            Close a month
          </Button>
          {pays && (
            <Action reason={unfitToExport(account, may('payment_files:write'))} onClick={() => setOpen('export')}>
              Export now
            </Action>
          )}
        </>
      }
    >
      {stoppedBy !== null && (
        <div className="notice bad">
          <strong>Exports are stopped: bank and books differ.</strong>
          <p>
            Payouts wait, and no money leaves. <Go to={`/bank-statements/${stoppedBy}`}>The statement that differs</Go>{' '}
            says by how much. Once you know why, go on.
          </p>
          <Action
            variant="default"
            size="xs"
            reason={may('bank_accounts:write') ? null : 'Your role may not resume exports.'}
            onClick={() => setOpen('resume')}
          >
            Resume exports
          </Action>
        </div>
      )}
      <div className="columns">
        <Standing account={account} pays={pays} />
        {account.status === 'open' && (
          <Card title="What the bank sends">
            <ImportFile />
          </Card>
        )}
      </div>
      <Statements id={id} />
      {open === 'export' && <ExportDialog bankAccount={id} close={close} />}
      {open === 'resume' && <ResumeDialog id={id} close={close} />}
    </Page>
  );
}

function Standing({ account, pays }: { readonly account: BankAccount; readonly pays: boolean }) {
  const { id, currency, cut_off: cutOff, time_zone: zone } = account;
  const may = useMay();
  useMinute();
  const nowMs = Date.now() + useClockAheadMs();
  const summary = useRead(['summary'], (client) => get<Summary>(client, '/v1/summary'), { keeps: true });
  const standing = summary.data?.bank.find(({ bank_account: of }) => of === id);
  const waiting = useRead(['bank_statements', 'waiting', id], (client) =>
    client.bankStatements.list({ bank_account: id, status: ['importing', 'needs_review'], limit: 100 }).page(),
  );
  // A trial of the export says it, and who may not export is not answered.
  const plan = useRead(
    ['payment_files', 'plan', id],
    (client) => client.paymentFiles.create({ bank_account: id, dry_run: true }),
    { isOff: !pays || unfitToExport(account, may('payment_files:write')) !== null },
  );
  const lacks = plan.data?.shortfalls.find(({ bank_account: of }) => of === id);
  const waits = waiting.data?.data.filter(({ status }) => status === 'needs_review') ?? [];
  return (
    <Card title="How it stands">
      <Facts
        rows={[
          ['Statements', standing === undefined ? null : <Proof key="" standing={standing} />],
          [
            'To review',
            waits.length === 0 ? null : (
              <Go key="" to={`/bank-statements/${waits[0]?.id ?? ''}`}>
                {waits.length === 1
                  ? 'a statement waits for somebody'
                  : `${countOf(waits.length)} statements wait for somebody`}
              </Go>
            ),
          ],
          [
            'Not covered',
            lacks === undefined ? null : (
              <>
                <span className="bad">
                  <Money minor={lacks.amount_minor} currency={currency} />
                </span>{' '}
                of the payouts that have left and are to leave
              </>
            ),
          ],
          ['Files', standing === undefined ? null : unanswered(standing.unanswered_files)],
          [
            'Next cut-off',
            account.status === 'closed' ? null : (
              <>
                <Day on={nextCutOffOn(account, nowMs)} /> {cutOff}, {zone.replaceAll('_', ' ')}{' '}
                <span className="muted small">if that is no holiday of its clearing</span>
              </>
            ),
          ],
          [
            'Payouts leave',
            !pays
              ? null
              : account.exports === 'by_hand'
                ? 'when somebody exports them'
                : 'before each cut-off, by themselves',
          ],
          [
            'If they differ',
            account.on_drift === 'stop_exports' ? 'exports stop' : 'an event says so, and exports go on',
          ],
          ['Books begin', account.books_from_on === null ? null : <Day key="" on={account.books_from_on} />],
          ['Account', Object.values(account.bank_details).join(' · ')],
          [
            'Rules',
            may('bank_entries:read') ? (
              <Go key="" to="/bank-rules">
                what is placed by itself
              </Go>
            ) : null,
          ],
          ['Id', <Id key="" id={id} whole here />],
        ]}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<BankStatement>[] = [
  {
    key: 'day',
    title: 'Until',
    width: '16%',
    phone: 'top-left',
    cell: ({ closed_on: on, reference, id }) => (on === null ? <bdi>{reference ?? shortId(id)}</bdi> : <Day on={on} />),
  },
  {
    key: 'state',
    title: 'Proof',
    phone: 'bottom-left',
    cell: (statement) => <State {...statementState(statement)} />,
  },
  { key: 'message', title: 'Message', width: '14%', cell: ({ message }) => messageWord(message) },
  {
    key: 'new',
    title: 'New entries',
    width: '14%',
    align: 'right',
    phone: 'bottom-right',
    cell: ({ new_count: count, waiting_count: waiting }) =>
      waiting > 0 ? `${countOf(waiting)} wait` : count === 0 ? null : countOf(count),
  },
  {
    key: 'balance',
    title: 'Ends with',
    width: '20%',
    align: 'right',
    phone: 'top-right',
    cell: ({ closing_balance: minor, currency }) =>
      minor === null ? null : <Money minor={minor} currency={currency} />,
  },
];

function Statements({ id }: { readonly id: string }) {
  const filters = useFilters({ proof: 'one', status: 'one' });
  const { proof, status } = filters.values;
  const list = useList<BankStatement>(['bank_statements', id, proof, status], (client) =>
    client.bankStatements
      .list({
        bank_account: id,
        limit: 100,
        ...(proof !== '' && { proof: proof as BankStatement['proof'] }),
        ...(status !== '' && { status: status as BankStatement['status'] }),
      })
      .page(),
  );
  return (
    <>
      <div className="filters">
        <h2 className="grow">Statements</h2>
        <Choice
          label="Any proof"
          width={220}
          value={proof}
          options={PROOF_CHOICES}
          onChange={(next) => filters.set({ proof: next })}
        />
        <Choice
          label="Any state"
          width={190}
          value={status}
          options={STATUS_CHOICES}
          onChange={(next) => filters.set({ status: next })}
        />
      </div>
      <List
        words={['statement', 'statements']}
        list={list}
        lines={5}
        columns={COLUMNS}
        hrefOf={({ id: of }) => `/bank-statements/${of}`}
        filters={filters}
        empty={
          <Empty>
            No statement has come yet. Import the oldest one first: what is older is in its opening balance.
          </Empty>
        }
      />
    </>
  );
}
