/** API keys. `/keys/new` makes one, `/keys/key_…` is one of them. */
import { Button } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import type { Key } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useList } from '../../api/reads.ts';
import { Empty, Failed, Loading, NoHit } from '../../ui/conditions.tsx';
import { Choice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { type Mark, State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { OneKey } from './key.tsx';
import { NewKey } from './new-key.tsx';
import { scopesInShort } from './scopes.ts';

export function Keys() {
  const { id } = useParams() as { readonly id?: string };
  if (id === undefined) return <List />;
  return id === 'new' ? <NewKey /> : <OneKey key={id} id={id} />;
}

const STATES: Readonly<Record<string, readonly [Mark, string]>> = {
  active: ['done', 'Active'],
  expired: ['off', 'Expired'],
  revoked: ['off', 'Revoked'],
};

export function KeyState({ status }: { readonly status: string }) {
  const [mark, word] = STATES[status] ?? ['wait', status];
  return <State mark={mark} word={word} />;
}

const COLUMNS: readonly Column<Key>[] = [
  { key: 'name', title: 'Name', phone: 'top-left', cell: ({ name }) => name },
  {
    key: 'key',
    title: 'Key',
    width: '130px',
    phone: 'bottom-left',
    cell: ({ prefix, last4 }) => (
      <span className="mono muted">
        {prefix}…{last4}
      </span>
    ),
  },
  {
    key: 'may',
    title: 'May do',
    cell: ({ scopes }) => <span title={scopesInShort(scopes)}>{scopesInShort(scopes)}</span>,
  },
  { key: 'made', title: 'Made by', width: '170px', cell: ({ created_by: maker }) => <Who actor={maker} /> },
  {
    key: 'state',
    title: 'State',
    width: '120px',
    phone: 'top-right',
    cell: ({ status }) => <KeyState status={status} />,
  },
  {
    key: 'used',
    title: 'Last used',
    width: '140px',
    align: 'right',
    phone: 'bottom-right',
    cell: ({ last_used_at: at }) => (at === null ? <span className="muted">Not yet</span> : <Time at={at} ago />),
  },
];

/** What is on the page when nothing is chosen: the keys that work. */
const CHOICES = [
  { value: 'all', label: 'Every state' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
];

function List() {
  const { mode } = useHere();
  const may = useMay();
  const [, navigate] = useLocation();
  const filters = useFilters({ status: 'one' } as const);
  const { status } = filters.values;
  const list = useList(['keys', 'list'], (client) => pageAt<Key>(client, '/v1/keys', { limit: 100 }));
  const rows = list.rows.filter((key) => status === 'all' || key.status === (status === '' ? 'active' : status));
  const add = (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      disabled={!may('keys:write')}
      title={may('keys:write') ? undefined : 'Your role may not make keys.'}
      onClick={() => navigate(`/${mode}/keys/new`)}
    >
      Make a key
    </Button>
  );
  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="keys" />;
    if (list.isLoading) return <Loading />;
    if (rows.length > 0 || list.hasMore) {
      return (
        <Table
          label="Keys"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/keys/${id}`}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          more={list.more}
        />
      );
    }
    if (list.rows.length > 0) return <NoHit what="key" clear={filters.clear} />;
    return <Empty action={add}>There is no key yet. A program signs in with one.</Empty>;
  };
  return (
    <Page
      title="Keys"
      about={
        <span className="muted">
          By a key a program signs in. These are of {mode === 'live' ? 'live' : 'the sandbox'} alone.
        </span>
      }
      actions={add}
    >
      <div className="filters">
        <Choice label="Active" value={status} options={CHOICES} onChange={(next) => filters.set({ status: next })} />
      </div>
      {content()}
    </Page>
  );
}
