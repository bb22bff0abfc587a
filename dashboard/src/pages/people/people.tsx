/** People of this environment: who, as what, and when they were here last. */
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useList } from '../../api/reads.ts';
import type { User } from '../../api/shapes.ts';
import { Empty } from '../../ui/conditions.tsx';
import { curlOf } from '../../ui/shell-text.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { rolesInWords, roleWarning } from '../../ui/roles.ts';
import { factorInWords, nameOf, UserState } from './words.tsx';

const CURL = { method: 'POST', path: '/v1/users', body: { email: 'ada@example.com', roles: ['operator'] } } as const;

const COLUMNS: readonly Column<User>[] = [
  { key: 'name', title: 'Name', phone: 'top-left', cell: nameOf },
  {
    key: 'roles',
    title: 'Roles',
    phone: 'bottom-left',
    cell: ({ roles }) => (
      <span className={roleWarning(roles) === null ? undefined : 'bad'} title={roleWarning(roles) ?? undefined}>
        {roles.length === 0 ? 'None' : rolesInWords(roles)}
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '130px',
    phone: 'top-right',
    cell: ({ status }) => <UserState status={status} />,
  },
  {
    key: 'factor',
    title: 'Second factor',
    width: '150px',
    cell: (user) => <span className={user.second_factor === 'none' ? 'muted' : undefined}>{factorInWords(user)}</span>,
  },
  {
    key: 'seen',
    title: 'Last seen',
    width: '140px',
    align: 'right',
    phone: 'bottom-right',
    cell: ({ last_seen_at: at }) => (at === null ? <span className="muted">Not yet</span> : <Time at={at} ago />),
  },
];

export function People() {
  const { mode } = useHere();
  const list = useList(['people', 'list'], (client) => pageAt<User>(client, '/v1/users', { limit: 100 }));
  const both = list.rows.filter(({ status, roles }) => status !== 'suspended' && roleWarning(roles) !== null);
  return (
    <ListPage
      title="People"
      words={['person', 'people']}
      about={
        <span className="muted">
          Who may come in here, and what for. Roles count in {mode === 'live' ? 'live' : 'the sandbox'} alone.
        </span>
      }
      actions={<NewButton word="Invite a person" to="/people/new" needs={['users:write']} verb="invite people" />}
      above={
        both.length > 0 && (
          <div className="notice bad">
            <strong>{both.map(nameOf).join(', ')}: admin and approver in one hand</strong>
            Such a person can change the rules of approval, and approve by them. Give one of the two roles to somebody
            else.
          </div>
        )
      }
      list={list}
      columns={COLUMNS}
      hrefOf={({ id }) => `/people/${id}`}
      empty={<Empty curl={curlOf(CURL)}>Nobody has been let in yet. This invites a person:</Empty>}
    />
  );
}
