/** API keys: the newest first, and those that work unless others are asked for. */
import type { Key } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useList } from '../../api/reads.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Choice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { scopesInShort } from './scopes.ts';
import { KeyState } from './words.tsx';

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

export function Keys() {
  const { mode } = useHere();
  const filters = useFilters({ status: 'one' } as const);
  const { status } = filters.values;
  const query = { limit: 100, ...(status !== 'all' && { status: [status === '' ? 'active' : status] }) };
  const list = useList(['keys', query], (client) => pageAt<Key>(client, '/v1/keys', query));
  return (
    <ListPage
      title="Keys"
      words={['key', 'keys']}
      about={
        <span className="muted">
          By a key a program signs in. These are of {mode === 'live' ? 'live' : 'the sandbox'} alone.
        </span>
      }
      actions={<NewButton word="Make a key" to="/keys/new" needs={['keys:write']} verb="make keys" />}
      filters={filters}
      fields={
        <Choice label="Active" value={status} options={CHOICES} onChange={(next) => filters.set({ status: next })} />
      }
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/keys/${id}`}
      empty={<Empty>No key works here. A program signs in with one.</Empty>}
    />
  );
}
