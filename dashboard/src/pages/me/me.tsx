/** One's own account: name and roles, ways to sign in, and where one is signed in. */
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useHere } from '../../api/environment.tsx';
import { useRefreshSession, useSession } from '../../api/session.ts';
import { deviceOf } from '../../factors/device.ts';
import { door, type SessionRow } from '../../factors/door.ts';
import { FormFault } from '../../factors/form-fault.tsx';
import { useAttempt } from '../../factors/use-attempt.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Id } from '../../ui/id.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { rolesInWords } from '../../ui/roles.ts';
import { Time } from '../../ui/time.tsx';
import { Factors } from './factors.tsx';
import classes from './me.module.css';
import { MOST } from '../../ui/most.ts';

export function Me() {
  const { person } = useHere();
  const { data: session } = useSession();
  return (
    <Page title="Your account" about={<span className="muted">{person.email}</span>}>
      <div className="columns">
        <div className="stack">
          <Factors person={session?.person ?? person} />
          <Sessions />
        </div>
        <div className="stack">
          <Name />
          <Roles />
        </div>
      </div>
    </Page>
  );
}

function Name() {
  const { person } = useHere();
  const refresh = useRefreshSession();
  const [name, setName] = useState(person.name ?? '');
  const attempt = useAttempt(['name']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt.run(async () => {
      await door.person({ name: name.trim() });
      await refresh();
    });
  };
  return (
    <Card title="You">
      <form className="form-stack" onSubmit={submit} noValidate>
        <TextInput
          label="Your name"
          description="It stands beside everything that you do here."
          autoComplete="name"
          value={name}
          maxLength={MOST.personName}
          onChange={(event) => setName(event.currentTarget.value)}
          error={attempt.of('name')}
        />
        <FormFault text={attempt.text} />
        <div className="buttons">
          <Button
            type="submit"
            variant="default"
            loading={attempt.isBusy}
            disabled={name.trim() === '' || name.trim() === person.name}
          >
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Roles() {
  const { environments, person } = useHere();
  return (
    <Card title="Where you may go">
      <Facts
        rows={[
          ...environments.map(
            ({ id, merchant, mode, roles }) =>
              [
                `${merchant.name} · ${mode === 'live' ? 'Live' : 'Sandbox'}`,
                <span key={id}>{roles.length === 0 ? 'No role' : rolesInWords(roles)}</span>,
              ] as const,
          ),
          ['Id', <Id key="id" id={person.id} here />],
        ]}
      />
    </Card>
  );
}

const METHODS: Readonly<Record<string, string>> = {
  passkey: 'by passkey',
  password: 'by password',
  claim: 'by a link',
};

function Sessions() {
  const queries = useQueryClient();
  const sessions = useQuery({ queryKey: ['door', 'sessions'], queryFn: door.sessions });
  const attempt = useAttempt();
  const again = () => queries.invalidateQueries({ queryKey: ['door', 'sessions'] });
  const end = (work: () => Promise<unknown>) =>
    void attempt.run(async () => {
      await work();
      await again();
    });
  const rows = sessions.data?.data ?? [];
  return (
    <Card
      title="Where you are signed in"
      aside={
        rows.length > 1 && (
          <Button variant="default" size="xs" loading={attempt.isBusy} onClick={() => end(door.endOthers)}>
            End all others
          </Button>
        )
      }
    >
      <FormFault text={attempt.text} />
      {sessions.error !== null ? (
        <Failed error={sessions.error} again={() => void sessions.refetch()} what="sessions" />
      ) : sessions.data === undefined ? (
        <Loading lines={2} />
      ) : (
        <ul className={classes['rows']}>
          {rows.map((row) => (
            <li key={row.id}>
              <SessionLine row={row} />
              {!row.current && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`End the session of ${deviceOf(row.user_agent)}`}
                  disabled={attempt.isBusy}
                  onClick={() => end(() => door.endSession(row.id))}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function SessionLine({ row }: { readonly row: SessionRow }) {
  return (
    <div className="grow">
      <div title={row.user_agent ?? undefined}>
        {deviceOf(row.user_agent)}
        {row.current && <span className="muted"> · this one</span>}
      </div>
      <div className="small muted">
        {row.ip ?? 'unknown address'} · signed in <Time at={row.created} /> {METHODS[row.method] ?? row.method}
        {row.seen_at !== null && !row.current && (
          <>
            {' '}
            · seen <Time at={row.seen_at} ago />
          </>
        )}
      </div>
    </div>
  );
}
