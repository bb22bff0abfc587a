/** One person: what they may do here, how they sign in, and what an administrator can do about it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { get, post } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import type { User } from '../../api/shapes.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Go } from '../../ui/go.tsx';
import { Id } from '../../ui/id.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { Who } from '../../ui/who.tsx';
import { PersonActions } from './actions.tsx';
import { ROLES, roleWarning } from '../../ui/roles.ts';
import { RolesField } from './roles-field.tsx';
import { factorInWords, nameOf, UserState } from './words.tsx';
import classes from './people.module.css';

const FROM = { to: '/people', word: 'People' };

export function OnePerson({ id }: { readonly id: string }) {
  const user = useRead(['person', id], (client) => get<User>(client, `/v1/users/${encodeURIComponent(id)}`));
  if (user.data === undefined) {
    return (
      <Page title="Person" from={FROM}>
        {user.error === null ? (
          <Loading />
        ) : (
          <Failed error={user.error} again={() => void user.refetch()} what="people" />
        )}
      </Page>
    );
  }
  return <Loaded user={user.data} />;
}

/** Whoever was let in by a person or a key says yes to nothing until a third one has confirmed it. */
const waitsForConfirmation = ({ roles, confirmed_by: by, created_by: maker, status }: User): boolean =>
  roles.includes('approver') && by === null && maker !== 'cli' && status !== 'suspended';

function Loaded({ user }: { readonly user: User }) {
  const warning = roleWarning(user.roles);
  return (
    <Page
      title={nameOf(user)}
      from={FROM}
      about={
        <>
          {user.name !== null && <span className="muted">{user.email}</span>}
          <UserState status={user.status} />
        </>
      }
      actions={<PersonActions user={user} />}
    >
      {waitsForConfirmation(user) && <Waits user={user} />}
      {warning !== null && (
        <div className="notice bad">
          <strong>Admin and approver in one hand</strong>
          {warning}
        </div>
      )}
      <div className="columns">
        <Roles user={user} />
        <Card title="Details">
          <Facts
            rows={[
              ['Second factor', factorInWords(user)],
              ['Last seen', user.last_seen_at === null ? 'Not yet' : <Time key="seen" at={user.last_seen_at} ago />],
              ['Let in', <Time key="created" at={user.created} />],
              ['Let in by', <Who key="by" actor={user.created_by} />],
              ['Confirmed by', user.confirmed_by === null ? null : <Who key="confirmed" actor={user.confirmed_by} />],
              [
                'Did',
                <Go key="did" to={`/audit?actor=${user.id}`}>
                  See the audit log
                </Go>,
              ],
              ['Id', <Id key="id" id={user.id} whole here />],
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}

function Roles({ user }: { readonly user: User }) {
  const { mode } = useHere();
  const may = useMay();
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const write = useWrite((client, options, roles: readonly string[]) =>
    post<User>(client, `/v1/users/${user.id}`, { roles }, options),
  );
  const isOff = !may('users:write');
  if (chosen !== null) {
    const save = async () => {
      if ((await write.run(chosen)) !== undefined) setChosen(null);
    };
    return (
      <Card title="Roles">
        <div className="stack">
          <RolesField
            roles={chosen}
            isLive={mode === 'live'}
            error={faultOf(write.error, 'roles')}
            onChange={setChosen}
          />
          {faultOf(write.error, 'roles') === undefined && <Trouble error={write.error} />}
          <div className="buttons">
            <Button variant="default" onClick={() => setChosen(null)}>
              Cancel
            </Button>
            <Button onClick={() => void save()} loading={write.isBusy}>
              Save
            </Button>
          </div>
        </div>
      </Card>
    );
  }
  return (
    <Card
      title="Roles"
      aside={
        <Button
          variant="default"
          size="xs"
          disabled={isOff}
          title={isOff ? 'Your role may not change roles.' : undefined}
          onClick={() => setChosen(user.roles)}
        >
          Change
        </Button>
      }
    >
      {user.roles.length === 0 && <p className="muted">None: this person may do nothing here.</p>}
      <dl className={classes['roles']}>
        {ROLES.filter(({ role }) => user.roles.includes(role)).map(({ role, name, may: allowed }) => (
          <div key={role}>
            <dt>{name}</dt>
            <dd className="muted">{allowed}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Waits({ user }: { readonly user: User }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite((client, options) => post<User>(client, `/v1/users/${user.id}/confirm`, {}, options));
  const isOff = !may('payout_approvals:write') || user.status === 'invited';
  return (
    <div className="notice wait row">
      <div className="grow">
        <strong>{nameOf(user)} approves nothing yet.</strong>
        {user.status === 'invited'
          ? 'After the person has joined, a third one has to confirm that it is the right one.'
          : 'A third person has to confirm that the right one has joined.'}
      </div>
      <Button
        variant="default"
        disabled={isOff}
        title={isOff && user.status !== 'invited' ? 'Your role may not approve.' : undefined}
        onClick={() => setOpen(true)}
      >
        Confirm
      </Button>
      <Confirm
        title={`May ${nameOf(user)} approve?`}
        verb="Confirm"
        isOpen={isOpen}
        write={write}
        input={undefined}
        close={() => setOpen(false)}
      >
        <p>
          Confirm only if you know that the right person has joined, for example by asking them. Then they approve what
          others ask for.
        </p>
      </Confirm>
    </div>
  );
}
