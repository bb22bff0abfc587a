/** What belongs to a payout: movements of money, events, and who has been sent them. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Delivery, Event, Payout, Transfer } from '../../../../client/src/generated/types.ts';
import { pageAt, type Bursar } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { CAUSES, deliveryState } from '../../ui/words.ts';
import { amountColumn, createdColumn } from '../../ui/columns.tsx';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Id } from '../../ui/id.tsx';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Kind = 'transfers' | 'events' | 'deliveries';

export function Around({ payout }: { readonly payout: Payout }) {
  const { id } = payout;
  const [kind, setKind] = useState<Kind>('transfers');
  const events = useRead(['payout', id, 'events'], (client) =>
    pageAt<Event>(client, '/v1/events', { related_object: id, limit: 100, order: 'asc' }),
  );
  const transferIds = transfersOf(payout, events.data?.data ?? []);
  // They never change.
  const transfers = useRead(
    ['fixed', 'transfers', transferIds],
    (client) => Promise.all(transferIds.map((each) => client.transfers.retrieve(each))),
    { isOff: events.isPending, keeps: true },
  );
  const eventIds = events.data?.data.map((event) => event.id) ?? [];
  // A request an event: only for who looks. That one has not arrived is said by the story.
  const deliveries = useRead(['payout', id, 'deliveries', eventIds], (client) => deliveriesOf(client, eventIds), {
    isOff: eventIds.length === 0 || kind !== 'deliveries',
    keeps: true,
  });
  const word = (name: string, count: number | undefined) => (count === undefined ? name : `${name} ${count}`);
  const data = [
    { value: 'transfers', label: word('Transfers', transfers.data?.length) },
    { value: 'events', label: word('Events', events.data?.data.length) },
    { value: 'deliveries', label: word('Deliveries', deliveries.data?.length) },
  ];
  const hasNoDeliveries = kind === 'deliveries' && events.data !== undefined && eventIds.length === 0;
  const query = { transfers, events, deliveries }[kind];
  return (
    <section className="card flush">
      <div className="card-head">
        <SegmentedControl
          size="sm"
          data={data}
          value={kind}
          onChange={(next) => setKind(next as Kind)}
          transitionDuration={0}
          aria-label="What belongs to it"
        />
      </div>
      {query.error !== null && query.data === undefined ? (
        <Failed error={query.error} again={() => void query.refetch()} what={kind} />
      ) : query.data === undefined && !hasNoDeliveries ? (
        <Loading lines={3} />
      ) : kind === 'transfers' ? (
        <Rows label="Transfers" rows={transfers.data ?? []} columns={TRANSFERS} none="No money has moved." />
      ) : kind === 'events' ? (
        <Rows
          label="Events"
          rows={events.data?.data ?? []}
          columns={EVENTS}
          none="Its events were deleted for their age."
          hrefOf={({ id: event }) => `/events/${event}`}
        />
      ) : (
        <Rows
          label="Deliveries"
          rows={deliveries.data ?? []}
          columns={DELIVERIES}
          none="No endpoint asks for its events."
        />
      )}
    </section>
  );
}

const TRANSFERS: readonly Column<Transfer>[] = [
  { key: 'what', title: 'What', phone: 'top-left', cell: ({ cause }) => CAUSES[cause] ?? cause },
  { key: 'id', title: 'Id', width: '28%', phone: 'bottom-left', cell: ({ id }) => <Id id={id} /> },
  createdColumn({ title: 'When', width: '20%', phone: 'bottom-right' }),
  amountColumn({ width: '24%' }),
];

const EVENTS: readonly Column<Event>[] = [
  { key: 'type', title: 'Type', phone: 'top-left', cell: ({ type }) => <span className="mono">{type}</span> },
  { key: 'id', title: 'Id', width: '34%', phone: 'bottom-left', cell: ({ id }) => <Id id={id} /> },
  createdColumn({ title: 'When', width: '24%', phone: 'bottom-right' }),
];

const DELIVERIES: readonly Column<Delivery>[] = [
  {
    key: 'type',
    title: 'Event',
    phone: 'top-left',
    cell: ({ event_type: type }) => <span className="mono">{type}</span>,
  },
  {
    key: 'to',
    title: 'Endpoint',
    width: '30%',
    phone: 'bottom-left',
    cell: ({ webhook_endpoint: id }) => <Id id={id} />,
  },
  {
    key: 'state',
    title: 'State',
    width: '34%',
    phone: 'bottom-right',
    cell: (delivery) => <State {...deliveryState(delivery)} />,
  },
];

interface RowsProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  /** Said where there is none. */
  readonly none: string;
  hrefOf?(row: T): string;
}

function Rows<T extends { readonly id: string }>({ none, ...table }: RowsProps<T>) {
  if (table.rows.length === 0) return <p className="none muted">{none}</p>;
  return <Table {...table} counts={false} keyOf={({ id }) => id} />;
}

/** Those that the payout and its events name; there is no list of them by cause. */
function transfersOf(payout: Payout, events: readonly Event[]): readonly string[] {
  const named = events.map((event) => (event.data as { readonly transfer?: string }).transfer);
  const ids = [payout.transfer, ...named, payout.reversal, ...payout.fees.map(({ transfer }) => transfer)];
  return [...new Set(ids)].filter((id): id is string => typeof id === 'string');
}

async function deliveriesOf(client: Bursar, events: readonly string[]): Promise<readonly Delivery[]> {
  const pages = await Promise.all(events.map((id) => pageAt<Delivery>(client, `/v1/events/${id}/deliveries`)));
  return pages.flatMap(({ data }) => data);
}
