/** Requests: refusals first with one switch; what was asked and what was answered stand side by side at the right. */
import { Switch } from '@mantine/core';
import { pageAt } from '../../api/client.ts';
import { useList } from '../../api/reads.ts';
import type { RequestLog } from '../../api/shapes.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Choice, FilterText } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { shortId } from '../../ui/id.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { useOpen } from '../../ui/open.ts';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { PAGE } from './behind.ts';
import { useNewest } from './kept.ts';
import { RequestDetail } from './request.tsx';
import { markOf, NOT_KEPT, tookInWords } from './words.ts';

const FILTERS = {
  status: 'one',
  method: 'one',
  path: 'one',
  code: 'one',
  actor: 'one',
  idempotency_key: 'one',
  resource: 'one',
} as const;

const METHODS = ['GET', 'POST', 'DELETE'].map((value) => ({ value, label: value }));

export function Requests() {
  const filters = useFilters(FILTERS);
  const open = useOpen('/requests');
  const { status, method, path, code, actor, idempotency_key: key, resource } = filters.values;
  const query = {
    limit: PAGE,
    ...(status !== '' && { status: [status] }),
    method,
    path,
    code,
    actor,
    idempotency_key: key,
    resource,
  };
  const list = useList(['requests', query], (client) => pageAt<RequestLog>(client, '/v1/request_logs', query));
  useNewest(list, query);
  const columns: Column<RequestLog>[] = [
    {
      key: 'what',
      title: 'Request',
      phone: 'top-left',
      cell: (log) => (
        <span
          className="mono"
          aria-current={log.id === open.id ? 'true' : undefined}
          title={`${log.method} ${log.path}`}
        >
          {log.method} {log.path}
        </span>
      ),
    },
    {
      key: 'answer',
      title: 'Answer',
      width: open.id === null ? '240px' : '130px',
      phone: 'top-right',
      cell: (log) => (
        <State
          mark={markOf(log.status)}
          word={`${log.status}${log.code === null || open.id !== null ? '' : ` ${log.code}`}`}
        />
      ),
    },
    ...(open.id === null
      ? [
          {
            key: 'object',
            title: 'Made',
            width: '160px',
            cell: ({ resource: made }: RequestLog) =>
              made === null ? null : <span className="mono muted">{shortId(made)}</span>,
          },
          { key: 'who', title: 'By', width: '150px', cell: ({ actor: by }: RequestLog) => <Who actor={by} /> },
          {
            key: 'took',
            title: 'Took',
            width: '90px',
            align: 'right' as const,
            phone: 'bottom-right' as const,
            cell: ({ duration_ms: ms }: RequestLog) => <span className="money muted">{tookInWords(ms)}</span>,
          },
        ]
      : []),
    {
      key: 'time',
      title: 'Time',
      width: '130px',
      align: 'right',
      phone: 'bottom-left',
      cell: ({ created }) => <Time at={created} />,
    },
  ];
  return (
    <ListPage
      title="Requests"
      words={['request', 'requests']}
      about={<span className="muted">What was asked with keys and in the dashboard, and what was answered.</span>}
      actions={
        <Switch
          label="Refused only"
          checked={status === 'refused'}
          onChange={(event) => filters.set({ status: event.currentTarget.checked ? 'refused' : '' })}
        />
      }
      filters={filters}
      fields={
        <>
          <Choice
            label="Any method"
            width={130}
            value={method}
            options={METHODS}
            onChange={(next) => filters.set({ method: next })}
          />
          <FilterText
            label="Path begins with"
            width={180}
            value={path}
            onChange={(next) => filters.set({ path: next })}
          />
          <FilterText label="Code" width={160} value={code} onChange={(next) => filters.set({ code: next })} />
          <FilterText
            label="Idempotency key"
            width={180}
            value={key}
            onChange={(next) => filters.set({ idempotency_key: next })}
          />
          <FilterText
            label="Id of an object"
            width={180}
            value={resource}
            onChange={(next) => filters.set({ resource: next })}
          />
          <FilterText
            label="By key or person"
            width={180}
            value={actor}
            onChange={(next) => filters.set({ actor: next })}
          />
        </>
      }
      list={list}
      columns={columns}
      hrefOf={({ id }) => open.hrefOf(id)}
      open={{
        label: 'The request',
        back: open.back,
        chosen: open.id === null ? null : <RequestDetail key={open.id} id={open.id} />,
      }}
      below={<p className="small muted">{NOT_KEPT}</p>}
      empty={
        <Empty curl={`curl ${location.origin}/v1/accounts -H "Authorization: Bearer $BURSAR_KEY"`}>
          No request has been kept yet. This makes one:
        </Empty>
      }
    />
  );
}
