/** One person: what they may do here, how they sign in, and what an administrator can do about it. */
import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParams } from 'wouter';
import { get, post } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import { useActor, useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import type { User } from '../../api/shapes.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Go } from '../../ui/go.tsx';
import { Id } from '../../ui/id.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { Who } from '../../ui/who.tsx';
import { PersonActions } from './actions.tsx';
import { isSameSet, ROLES, rolesInWords, roleWarning } from '../../ui/roles.ts';
import { Unread } from '../../ui/unread.tsx';
import { RolesField } from './roles-field.tsx';
import { factorInWords, nameOf, UserState } from './words.tsx';
import classes from './people.module.css';

const FROM = { to: '/people', word: 'People' };

export function OnePerson() {
  const { id = '' } = useParams() as { readonly id?: string };
  return <Read key={id} id={id} />;
}

function Read({ id }: { readonly id: string }) {
  const user = useRead(['person', id], (client) => get<User>(client, `/v1/users/${encodeURIComponent(id)}`));
  if (user.data === undefined) {
    return <Unread title="Person" from={FROM} what="people" read={user} />;
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
  const [before, setBefore] = useState(user.roles);
  // The list takes the place of all that the person has: what somebody took away meanwhile must not come back by it.
  const write = useWrite(async (client, options, roles: readonly string[]) => {
    const { roles: now } = await get<User>(client, `/v1/users/${user.id}`);
    if (isSameSet(now, before)) return post<User>(client, `/v1/users/${user.id}`, { roles }, options);
    setBefore(now);
    setChosen(now);
    throw new Error(`Somebody changed the roles meanwhile: ${rolesInWords(now) || 'none'}. Look at them again.`);
  });
  if (chosen !== null) {
    const save = async (event: FormEvent) => {
      event.preventDefault();
      if (write.isBusy) return;
      if ((await write.run(chosen)) !== undefined) setChosen(null);
    };
    return (
      <Card title="Roles">
        <form className="stack" onSubmit={(event) => void save(event)}>
          <RolesField
            roles={chosen}
            isLive={mode === 'live'}
            error={faultOf(write.error, 'roles')}
            onChange={setChosen}
          />
          {faultOf(write.error, 'roles') === undefined && <Trouble error={write.error} />}
          <div className="buttons">
            <Button
              variant="default"
              onClick={() => {
                write.reset();
                setChosen(null);
              }}
            >
              Cancel
            </Button>
            <Button type="submit" loading={write.isBusy} disabled={isSameSet(chosen, before)}>
              Save
            </Button>
          </div>
        </form>
      </Card>
    );
  }
  return (
    <Card
      title="Roles"
      aside={
        <Action
          variant="default"
          size="xs"
          reason={may('users:write') ? null : 'Your role may not change roles.'}
          onClick={() => {
            setBefore(user.roles);
            setChosen(user.roles);
          }}
        >
          Change
        </Action>
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
  const own = useActor();
  const reason =
    user.status === 'invited'
      ? 'After the person has joined, a third one has to confirm that it is the right one.'
      : user.id === own
        ? 'A third person has to confirm that the right one has joined.'
        : user.created_by === own
          ? 'You let the person in, so somebody else has to confirm it.'
          : may('payout_approvals:write')
            ? null
            : 'A third person has to confirm that the right one has joined. Your role may not.';
  return (
    <div className="notice wait row">
      <div className="grow">
        <strong>{nameOf(user)} approves nothing yet.</strong>
        {reason ?? 'A third person has to confirm that the right one has joined.'}
      </div>
      <Button variant="default" disabled={reason !== null} onClick={() => setOpen(true)}>
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
