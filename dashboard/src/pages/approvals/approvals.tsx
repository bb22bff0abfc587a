/**
 * Payouts that wait for approval, oldest first: who asked, to whom, and what to look at twice. One press approves all that is chosen; in live the
 * passkey signs them as they are on the screen. Keys: j and k move, x chooses, a approves, r rejects, Enter opens.
 */
import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { get, pageAt, post } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import type { Summary } from '../../api/shapes.ts';
import type { Seen } from '../../api/step-up.ts';
import { useWrite } from '../../api/writes.ts';
import { useApprover } from '../../ui/approver.ts';
import { Empty, Failed, Loading, Trouble } from '../../ui/conditions.tsx';
import { countOf } from '../../ui/digits.ts';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { RejectPayout } from '../../ui/reject-payout.tsx';
import { isHeld } from '../../ui/payout-words.ts';
import { isDialogOpen, isTyping, SECOND_KEY_MS } from '../../ui/screen.ts';
import { type Approver, unfitToApprove } from '../../ui/unfit.ts';
import classes from './approvals.module.css';
import { all, type Chosen, chosenOf, isChosen, sumsOf, toggled } from './chosen.ts';
import { type HeldPayout, Row, type Waiting } from './row.tsx';

/** The answer to `POST /v1/payouts/approve`. */
interface Approved {
  readonly approved_count: number;
  readonly held_count: number;
}

export function Approvals() {
  const approver = useApprover();
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const list = useList<HeldPayout>(['payouts', 'inbox'], (client) =>
    pageAt(client, '/v1/payouts', { release: 'held', order: 'asc', limit: 100, expand: ['flags', 'created_by'] }),
  );
  const rows = list.rows.filter(isHeld).map((payout) => waitingOf(payout, approver));
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [current, setCurrent] = useState(-1);
  const [rejected, setRejected] = useState<HeldPayout | null>(null);
  const those = chosenOf(chosen, rows);
  const fit = rows.filter(({ unfit }) => unfit === null);

  const approve = useWrite(
    (client, options, payouts: readonly Seen[]) => post<Approved>(client, '/v1/payouts/approve', { payouts }, options),
    (payouts) => payouts,
  );
  const approveChosen = async () => {
    if (those.length === 0 || approve.isBusy) return;
    const answer = await approve.run(those.map(({ id, fingerprint }) => ({ id, fingerprint })));
    if (answer === undefined) return list.again();
    setChosen(new Map());
    notifications.show({ message: saidOf(answer) });
  };

  const wentAtMs = useRef(Number.NEGATIVE_INFINITY);
  const keys = useRef<(event: KeyboardEvent) => void>(undefined);
  keys.current = (event) => {
    // A box that was pressed has the focus, and is no field.
    const isBox = (event.target as HTMLElement).matches?.('input[type="checkbox"]') && !isDialogOpen();
    if ((isTyping(event) && !isBox) || event.ctrlKey || event.metaKey || event.altKey) return;
    // `g` and a letter goes to another page (`shell/shortcuts.ts`): no approval by the way there.
    const isSecond = event.timeStamp - wentAtMs.current < SECOND_KEY_MS;
    wentAtMs.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (isSecond) return;
    const row = rows[current];
    const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
    if (step !== 0) return setCurrent(Math.min(Math.max(current + step, 0), rows.length - 1));
    if (event.key === 'x' && row !== undefined) setChosen(toggled(chosen, row));
    else if (event.key === 'a') void approveChosen();
    else if (event.key === 'r' && row !== undefined && row.unfit === null) setRejected(row.payout);
    else if (event.key === 'Enter' && row !== undefined && event.target === document.body)
      navigate(`/${mode}/payouts/${row.id}`);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => keys.current?.(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);

  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="payouts" />;
    if (list.isLoading) return <Loading lines={6} />;
    if (rows.length === 0) return <Empty>Nothing waits for approval.</Empty>;
    return (
      <>
        <section className="card flush">
          {fit.length > 0 && (
            <div className={classes['head']}>
              <Checkbox
                label={`Select all ${countOf(fit.length)}`}
                checked={those.length > 0 && those.length === fit.length}
                indeterminate={those.length > 0 && those.length < fit.length}
                onChange={() => setChosen(those.length === fit.length ? new Map() : all(rows))}
              />
            </div>
          )}
          <ul className={classes['rows']} aria-label="Payouts that wait for approval, oldest first">
            {rows.map((row, index) => (
              <Row
                key={row.id}
                row={row}
                isChosen={isChosen(chosen, row)}
                isCurrent={index === current}
                toggle={() => setChosen(toggled(chosen, row))}
                reject={() => setRejected(row.payout)}
              />
            ))}
          </ul>
        </section>
        {list.hasMore && (
          <Button variant="default" loading={list.isLoadingMore} onClick={list.more}>
            Show more
          </Button>
        )}
      </>
    );
  };

  return (
    <Page title="Approvals" about={<Standing rows={rows} hasMore={list.hasMore} />}>
      {content()}
      {(fit.length > 0 || approve.error !== null) && (
        <section className={classes['bar']} aria-label="What is selected">
          <Trouble error={approve.error} />
          <div className={classes['choice']} role="status">
            {those.length === 0 ? 'Nothing is selected.' : `${countOf(those.length)} selected`}
            {sumsOf(those).map(({ currency, minor }) => (
              <Money key={currency} minor={minor} currency={currency} />
            ))}
          </div>
          {those.length === 0 ? (
            <Button variant="default" disabled={fit.length === 0} onClick={() => setChosen(all(rows))}>
              Select all {countOf(fit.length)}
            </Button>
          ) : (
            <Button loading={approve.isBusy} onClick={() => void approveChosen()}>
              Approve {countOf(those.length)}
            </Button>
          )}
        </section>
      )}
      <RejectPayout payout={rejected} close={() => setRejected(null)} />
    </Page>
  );
}

function waitingOf(payout: HeldPayout, approver: Approver): Waiting {
  const { id, amount_minor: minor, currency, release } = payout;
  // Whom a salary pays is not shown to everybody, and who does not see it approves nothing.
  const fingerprint = release?.fingerprint ?? '';
  const isHidden = fingerprint === '' && approver.mayApprove;
  const unfit = isHidden ? 'You may not see whom it pays.' : unfitToApprove(payout, approver);
  return { id, fingerprint, minor, currency, unfit, payout };
}

function saidOf({ approved_count: approved, held_count: held }: Approved): string {
  const free = approved === 0 ? '' : `Approved ${countOf(approved)}.`;
  const more = held === 0 ? '' : `${countOf(held)} ${held === 1 ? 'waits' : 'wait'} for one more approval.`;
  return `${free} ${more}`.trim();
}

/** How many wait and how much, by currency: of all, where the role may know it, else of what is read. */
function Standing({ rows, hasMore }: { readonly rows: readonly Waiting[]; readonly hasMore: boolean }) {
  const may = useMay();
  const summary = useRead(['summary'], (client) => get<Summary>(client, '/v1/summary'), {
    isOff: !may('summary:read'),
  });
  if (rows.length === 0) return null;
  const known = summary.data?.currencies.filter(({ held }) => held.count > 0);
  const sums = known?.map(({ currency, held }) => ({ currency, minor: BigInt(held.amount_minor) })) ?? sumsOf(rows);
  const count = summary.data?.payouts.held ?? rows.length;
  const isAll = summary.data !== undefined || !hasMore;
  return (
    <>
      <span>
        {isAll ? '' : 'More than '}
        {countOf(count)} {count === 1 ? 'waits' : 'wait'}
      </span>
      {sums.map(({ currency, minor }) => (
        <Money key={currency} minor={minor} currency={currency} />
      ))}
    </>
  );
}
