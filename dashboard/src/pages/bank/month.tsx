/**
 * The month of a bank account, closed: what is done and what is missing, each with the way to it; then the signature. What the lines say is
 * decided by `month-lines.ts`. Who signs signs the report that stood here when they pressed the button, and no other.
 */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { BankAccount, Reconciliation } from '../../../../client/src/generated/types.ts';
import { useDownload } from '../../api/download.ts';
import { useActor, useClockAheadMs, useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { Action } from '../../ui/action.tsx';
import { Failed, Loading, Trouble } from '../../ui/conditions.tsx';
import { Choice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Go } from '../../ui/go.tsx';
import { Icon } from '../../ui/icons.tsx';
import { shortId } from '../../ui/id.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { type Mark, State } from '../../ui/state.tsx';
import { Unread } from '../../ui/unread.tsx';
import classes from './month.module.css';
import { type Known, type Line, linesOf, missingIn, standingOf } from './month-lines.ts';
import { Figures } from './month-report.tsx';
import { isMonth, monthAfter, monthsOf, monthWord } from './month-words.ts';
import { SignDialog } from './sign-dialog.tsx';
import { Signatures } from './signatures.tsx';

export function Month() {
  const { id = '' } = useParams();
  const account = useRead(['bank_account', id], (client) => client.bankAccounts.retrieve(id));
  const from = { to: `/bank-accounts/${id}`, word: 'Bank account' };
  if (account.data !== undefined) return <Found account={account.data} />;
  return <Unread title={shortId(id)} from={from} what="this bank account" read={account} />;
}

function Found({ account }: { readonly account: BankAccount }) {
  const { id, name, holder, currency } = account;
  const filters = useFilters({ month: 'one' });
  const nowMs = Date.now() + useClockAheadMs();
  const months = monthsOf(account, nowMs);
  // The newest that is over: the one that somebody came to close.
  const usual = (months[1] ?? months[0])?.from.slice(0, 7) ?? '';
  const month = filters.values.month === '' ? usual : filters.values.month;
  const known = useKnown(id, month, nowMs);
  const file = useDownload();
  const save = (format: 'csv' | 'json') =>
    void file.start(
      `/v1/bank_accounts/${id}/reconciliation`,
      { month, ...(format === 'csv' && { format, bom: true }) },
      `reconciliation_${id}_${month}.${format}`,
    );
  const isRead = known.data !== undefined;
  return (
    <Page
      title={`Close ${monthWord(month)}`}
      from={{ to: `/bank-accounts/${id}`, word: name ?? holder }}
      about={
        <>
          <bdi>{name ?? holder}</bdi> {currency}
        </>
      }
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            disabled={!isRead}
            loading={file.isBusy}
            onClick={() => save('csv')}
          >
            Report as CSV
          </Button>
          <Button variant="default" disabled={!isRead} loading={file.isBusy} onClick={() => save('json')}>
            {known.data?.report.signature?.is_current === true ? 'The signed report' : 'Report as JSON'}
          </Button>
        </>
      }
    >
      <div className="filters">
        <Choice
          label={`Month, now ${monthWord(usual)}`}
          width={230}
          value={filters.values.month}
          options={months.map(({ from, word }) => ({ value: from.slice(0, 7), label: word }))}
          onChange={(next) => filters.set({ month: next })}
        />
      </div>
      <Trouble error={file.error} />
      {known.data !== undefined ? (
        <Closing key={month} known={known.data} reread={known.reread} />
      ) : known.error === null ? (
        <Loading lines={8} />
      ) : (
        <Failed error={known.error} again={known.again} what="months of bank accounts" />
      )}
    </Page>
  );
}

/** All that the lines need, or nothing: with a part of it unread a month could look better than it is. */
function useKnown(id: string, month: string, nowMs: number) {
  const reconciliation = (of: string) => ['reconciliation', id, of] as const;
  const report = useRead(reconciliation(month), (client) => client.bankAccounts.retrieveReconciliation(id, { month }));
  const after = monthAfter(month);
  const next = useRead(
    reconciliation(after),
    (client) => client.bankAccounts.retrieveReconciliation(id, { month: after }),
    { isOff: !isMonth(month) },
  );
  const waiting = useRead(['bank_statements', 'waiting', id], (client) =>
    client.bankStatements.list({ bank_account: id, status: ['importing', 'needs_review'], limit: 100 }).page(),
  );
  const unmatched = useRead(['bank_entries', 'unmatched', id], (client) =>
    client.bankEntries.list({ bank_account: id, status: 'unmatched', order: 'asc', limit: 100 }).page(),
  );
  const all = [report, next, waiting, unmatched];
  const data =
    report.data && next.data && waiting.data && unmatched.data
      ? { report: report.data, next: next.data, waiting: waiting.data, unmatched: unmatched.data, nowMs }
      : undefined;
  return {
    data,
    error: all.find(({ error, data: read }) => error !== null && read === undefined)?.error ?? null,
    reread: () => all.forEach((each) => void each.refetch()),
    again: () => all.filter(({ error }) => error !== null).forEach((each) => void each.refetch()),
  };
}

const MARKS: Readonly<Record<Line['state'], { readonly mark: Mark; readonly word: string }>> = {
  done: { mark: 'done', word: 'Done' },
  missing: { mark: 'wait', word: 'Missing' },
  note: { mark: 'off', word: 'To know' },
};

interface ClosingProps {
  readonly known: Known;
  reread(): void;
}

function Closing({ known, reread }: ClosingProps) {
  const { report } = known;
  const { month, signature } = report;
  const may = useMay();
  const actor = useActor();
  const [asked, ask] = useState<Reconciliation | null>(null);
  const lines = linesOf(known);
  const missing = missingIn(lines);
  const isSignedByMe = signature !== null && signature.is_current && signature.signed_by === actor;
  const reason = !may('reconciliation:write')
    ? 'Your role may not sign months.'
    : report.status === 'open'
      ? 'A month is signed when it is over.'
      : isSignedByMe
        ? 'You have signed this report.'
        : null;
  return (
    <>
      <Card title="What closes it" aside={<State {...standingOf(report, missing.length)} />} flush>
        <ol className={classes['lines']}>
          {lines.map(({ key, state, words, link }) => (
            <li key={key}>
              <State {...MARKS[state]} />
              <span className="grow">{words}</span>
              {link !== undefined && <Go to={link.to}>{link.word}</Go>}
            </li>
          ))}
          <li>
            <SignedMark signature={signature} />
            <span className="grow">{signedWords(signature, missing.length)}</span>
            <Action reason={reason} onClick={() => ask(report)} variant={missing.length === 0 ? 'filled' : 'default'}>
              {signature === null ? 'Sign' : 'Sign again'}
            </Action>
          </li>
        </ol>
      </Card>
      <Signatures report={report} />
      <Figures report={report} />
      {asked !== null && (
        <SignDialog
          report={asked}
          title={`Sign ${monthWord(month)}`}
          missing={missing.map(({ words }) => words)}
          reread={reread}
          close={() => ask(null)}
        />
      )}
    </>
  );
}

type Signature = Reconciliation['signature'];

function SignedMark({ signature }: { readonly signature: Signature }) {
  if (signature === null) return <State mark="wait" word="Missing" />;
  return signature.is_current ? <State mark="done" word="Done" /> : <State mark="bad" word="Changed" />;
}

function signedWords(signature: Signature, missing: number): string {
  if (signature === null)
    return missing === 0 ? 'Nobody has signed it yet.' : 'Nobody has signed it yet: first what is missing above.';
  if (!signature.is_current)
    return 'The report is not the one that was signed: a file came late, a payment file was given up, an entry was voided, or the time zone changed. Look at it, and sign again.';
  return missing === 0
    ? 'The report is the one that was signed.'
    : 'The report is the one that was signed, and what is missing above still is.';
}
