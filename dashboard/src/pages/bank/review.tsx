/**
 * A statement of which it is not certain what is new: the ways to read it side by side, what each would book, entry by entry, and where they are
 * at odds. Nothing is booked before one of them is taken, with a reason. Two people at once: one decides, the other is refused.
 */
import { Checkbox, Radio } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { BankStatement } from '../../../../client/src/generated/types.ts';
import type { Bursar, PageOf } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useList } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { List } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { usePhone } from '../../ui/screen.ts';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import classes from './bank.module.css';
import { some } from './month-lines.ts';
import { differs, sumsOf, type WaitingEntry, type Way, waysOf } from './readings.ts';
import { WhyField } from './why-field.tsx';

interface Props {
  readonly statement: BankStatement;
  /** Of the bank account in the books, minor units; `null`: not known. */
  readonly balance: number | null;
}

type Row = WaitingEntry & { readonly id: string };

const MOST_A_PAGE = 500;

/** A list by position, and not by id. */
async function waitingAt(client: Bursar, id: string, after: number): Promise<PageOf<Row>> {
  const { data, has_more: hasMore } = await client.bankStatements.listWaitingEntries(id, {
    limit: MOST_A_PAGE,
    ...(after > 0 && { after }),
  });
  const rows = data.map((entry) => ({ ...entry, id: String(entry.position) }));
  const last = rows.at(-1)?.position ?? after;
  return { data: rows, hasMore, next: async () => (hasMore ? waitingAt(client, id, last) : null) };
}

/** What is taken: as it stood there when the button was pressed. */
interface Taken {
  readonly new_entries: string;
  readonly count: number | null;
}

export function Review({ statement, balance }: Props) {
  const { id, status } = statement;
  // Stays when somebody else has decided meanwhile: what was typed is there, and so is the refusal.
  const [taken, take] = useState<Taken | null>(null);
  const [reason, setReason] = useState('');
  const review = useWrite(async (client, options, sent: { readonly new_entries: string; readonly reason: string }) => {
    const answer = await client.bankStatements.review(id, sent, options);
    notifications.show({ message: 'It is decided.' });
    return answer;
  });
  return (
    <>
      {status === 'needs_review' && <Ways statement={statement} balance={balance} take={take} />}
      {taken !== null && (
        <Confirm
          title={taken.new_entries === 'none' ? 'Book nothing of it' : 'Book what is new'}
          verb={taken.new_entries === 'none' ? 'Book nothing' : 'Book'}
          isOpen
          isIncomplete={reason.trim() === ''}
          write={review}
          input={{ new_entries: taken.new_entries, reason: reason.trim() }}
          close={() => take(null)}
        >
          <p>
            {taken.new_entries === 'none'
              ? 'All of its entries that wait are taken for entries that the books have.'
              : `${taken.count === null ? 'The entries that are new' : some(taken.count, 'entry', 'entries')} will be booked, and the others that wait are taken for entries that the books have.`}{' '}
            To take back a booking needs two people.
          </p>
          <WhyField value={reason} description="Stays in the audit log." onChange={setReason} />
        </Confirm>
      )}
    </>
  );
}

function Ways({ statement, balance, take }: Props & { take(taken: Taken): void }) {
  const { id, readings, waiting_count: waiting, currency } = statement;
  const may = useMay();
  const isPhone = usePhone();
  const list = useList<Row>(['bank_statement', id, 'waiting'], (client) => waitingAt(client, id, 0));
  const [key, choose] = useState<string | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const ways = waysOf(readings, ticked);
  const chosen = ways.find((way) => way.key === key);
  const isWhole = !list.hasMore && !list.isLoading && list.error === null;
  const toggle = (position: number) =>
    setTicked((before) => {
      const next = new Set(before);
      if (!next.delete(position)) next.add(position);
      return next;
    });
  const reason = !may('statement_files:write')
    ? 'Your role may not decide what of a statement is new.'
    : chosen === undefined
      ? 'Choose how to read it.'
      : chosen.key === 'own' && !isWhole
        ? 'Not all of its entries are read yet: scroll to the end.'
        : null;
  return (
    <Card
      title="What of it is new?"
      aside={
        <Action
          reason={reason}
          onClick={() =>
            chosen !== undefined &&
            take({ new_entries: chosen.newEntries, count: isWhole ? sumsOf(list.rows, chosen).count : null })
          }
        >
          {chosen?.newEntries === 'none' ? 'Book nothing' : 'Book what is new'}
        </Action>
      }
      flush
    >
      <div className={`stack ${classes['choose']}`}>
        <p>
          Of {some(waiting, 'entry', 'entries')} it is not certain whether the books have{' '}
          {waiting === 1 ? 'it' : 'them'}.{' '}
          {statement.proof === 'failed'
            ? 'Its entries do not lead from its opening to its closing balance.'
            : readings.length === 0
              ? 'No way to read it fits.'
              : 'These are the ways to read it.'}
        </p>
        <Radio.Group value={key} onChange={choose} aria-label="How to read it" w="100%">
          <div className={classes['readings']}>
            {ways.map((way) => (
              <div key={way.key} className={classes['reading']} data-chosen={way.key === key || undefined}>
                <Radio value={way.key} label={way.word} />
                {isWhole && <WouldBook entries={list.rows} way={way} currency={currency} balance={balance} />}
              </div>
            ))}
          </div>
        </Radio.Group>
      </div>
      <List
        words={['entry', 'entries']}
        label="Entries that wait"
        list={list}
        lines={4}
        columns={columnsOf(ways, readings.length, isPhone, key === 'own' ? { ticked, toggle } : null)}
        empty={<p className="none muted">No entry waits any more.</p>}
      />
    </Card>
  );
}

interface WouldBookProps {
  readonly entries: readonly WaitingEntry[];
  readonly way: Way;
  readonly currency: string;
  readonly balance: number | null;
}

function WouldBook({ entries, way, currency, balance }: WouldBookProps) {
  const { count, came, went } = sumsOf(entries, way);
  if (count === 0) return <span className="muted small">Nothing would be booked.</span>;
  return (
    <span className="small">
      {some(count, 'entry', 'entries')}: {came > 0n && <Money minor={came} currency={currency} signed />}
      {came > 0n && went > 0n && ', '}
      {went > 0n && <Money minor={-went} currency={currency} />}
      {balance !== null && (
        <span className="muted">
          . The balance in the books would be <Money minor={BigInt(balance) + came - went} currency={currency} />
        </span>
      )}
    </span>
  );
}

interface Ticking {
  readonly ticked: ReadonlySet<number>;
  toggle(position: number): void;
}

const NEW = <State mark="done" word="new" />;
const KNOWN = <State mark="off" word="in the books" />;

function columnsOf(
  ways: readonly Way[],
  readings: number,
  isPhone: boolean,
  ticking: Ticking | null,
): readonly Column<Row>[] {
  const read = ways.slice(0, readings);
  const isNarrow = isPhone && readings > 0;
  const tick: Column<Row> = {
    key: 'own',
    title: 'New',
    width: '80px',
    phone: 'bottom-right',
    cell: (entry) => (
      <Checkbox
        size="xs"
        aria-label={`Entry ${entry.position} is new`}
        checked={ticking?.ticked.has(entry.position) ?? false}
        onChange={() => ticking?.toggle(entry.position)}
      />
    ),
  };
  return [
    {
      key: 'who',
      title: 'Entry',
      phone: 'top-left',
      cell: (entry) => (
        <>
          <span className="muted">{entry.position} </span>
          <bdi>{entry.counterparty.name ?? 'without a name'}</bdi> <bdi className="muted">{entry.text}</bdi>
        </>
      ),
    },
    { key: 'day', title: 'Booked', width: '10%', cell: ({ booked_on: on }) => <Day on={on} /> },
    // On a phone one column says it all: there is room for four corners.
    ...(isNarrow
      ? [
          {
            key: 'readings',
            title: 'New in',
            phone: 'bottom-left' as const,
            cell: ({ new_in: numbers }: Row) =>
              numbers.length === 0 ? 'in the books' : `new in ${numbers.map((each) => `reading ${each}`).join(', ')}`,
          },
        ]
      : read.map(
          (way): Column<Row> => ({
            key: way.key,
            title: `Reading ${way.key}`,
            width: '13%',
            cell: (entry) => (way.isNew(entry) ? NEW : KNOWN),
          }),
        )),
    {
      key: 'differs',
      title: 'Differs',
      width: '110px',
      ...(ticking === null && { phone: 'bottom-right' as const }),
      cell: (entry) => (differs(entry, readings) ? <State mark="wait" word="differs" /> : null),
    },
    ...(ticking === null ? [] : [tick]),
    {
      key: 'amount',
      title: 'Amount',
      width: '16%',
      align: 'right',
      phone: 'top-right',
      cell: ({ direction, amount_minor: minor, currency }) => (
        <Money minor={direction === 'credit' ? minor : -minor} currency={currency} signed />
      ),
    },
  ];
}
