/** Events: the list at the left, what happened and who was told at the right. "Follow" shows new ones as they are committed. */
import { Switch } from '@mantine/core';
import type { Event } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Choice, FilterText } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { useOpen } from '../../ui/open.ts';
import { curlOf } from '../../ui/shell-text.tsx';
import type { Column } from '../../ui/table.tsx';
import { shortId } from '../../ui/id.tsx';
import { Time } from '../../ui/time.tsx';
import { EventDetail } from './event.tsx';
import { useFollowed } from './follow.ts';
import { familyOptions } from '../../ui/event-types.ts';

const FILTERS = { type: 'one', object: 'one', delivered: 'one', follow: 'one' } as const;

const objectIn = ({ data }: Event): string => {
  const { id, object } = data.object as { readonly id?: string; readonly object: string };
  return id ?? object;
};

export function Events() {
  const filters = useFilters(FILTERS);
  const open = useOpen('/events');
  const { type, object, delivered, follow } = filters.values;
  const query = {
    limit: 100,
    ...(type !== '' && { type: [type] }),
    related_object: object,
    delivery_success: delivered,
  };
  const list = useList(['events', query], (client) => pageAt<Event>(client, '/v1/events', query));
  const isFollowed = follow !== '' && delivered === ''; // what has only just happened was delivered nowhere
  const fresh = useFollowed(isFollowed, { type, object });
  const known = new Set(list.rows.map(({ id }) => id));
  const rows = [...fresh.filter(({ id }) => !known.has(id)), ...list.rows];
  const isNarrow = open.id !== null;
  const columns: Column<Event>[] = [
    {
      key: 'type',
      title: 'Type',
      phone: 'top-left',
      cell: (event) => <span aria-current={event.id === open.id ? 'true' : undefined}>{event.type}</span>,
    },
    {
      key: 'object',
      title: 'Object',
      phone: 'bottom-left',
      cell: (event) => <span className="mono muted">{shortId(objectIn(event))}</span>,
    },
    ...(isNarrow
      ? []
      : [
          {
            key: 'sequence',
            title: 'Sequence',
            align: 'right' as const,
            width: '120px',
            cell: ({ sequence }: Event) => <span className="money muted">{sequence}</span>,
          },
        ]),
    {
      key: 'time',
      title: 'Time',
      width: '130px',
      align: 'right',
      phone: 'top-right',
      cell: ({ created }) => <Time at={created} />,
    },
  ];
  return (
    <ListPage
      title="Events"
      words={['event', 'events']}
      about={<span className="muted">Everything that happened, in the order of its commits. Kept for 90 days.</span>}
      actions={
        <Switch
          label="Follow"
          checked={isFollowed}
          disabled={delivered !== ''}
          description={delivered === '' ? undefined : 'Not with “delivered or not”'}
          onChange={(event) => filters.set({ follow: event.currentTarget.checked ? '1' : '' })}
        />
      }
      filters={{ isFiltered: type + object + delivered !== '', clear: filters.clear }}
      fields={
        <>
          <Choice
            label="Every type"
            value={type}
            options={familyOptions}
            onChange={(next) => filters.set({ type: next })}
          />
          <FilterText
            label="Id of an object"
            value={object}
            onChange={(next) => filters.set({ object: next })}
            width={260}
          />
          <Choice
            label="Delivered or not"
            value={delivered}
            options={[
              { value: 'false', label: 'Not delivered' },
              { value: 'true', label: 'Delivered' },
            ]}
            onChange={(next) => filters.set({ delivered: next })}
          />
        </>
      }
      list={{ ...list, rows }}
      columns={columns}
      hrefOf={({ id }) => open.hrefOf(id)}
      open={{
        label: 'The event',
        back: open.back,
        chosen: open.id === null ? null : <EventDetail key={open.id} id={open.id} />,
      }}
      empty={
        <Empty curl={curlOf({ method: 'POST', path: '/v1/accounts', body: { currency: 'EUR', name: 'Main' } })}>
          Nothing has happened here yet. Each change makes an event.
        </Empty>
      }
    />
  );
}
