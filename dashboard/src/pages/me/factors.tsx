/** Ways to sign in: passkeys, a password, and an app that makes codes. A change asks for a factor once more where the last one is too old. */
import { Button, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefreshSession } from '../../api/session.ts';
import type { Person } from '../../api/shapes.ts';
import { useWrite } from '../../api/writes.ts';
import { door, type PasskeyRow } from '../../factors/door.ts';
import { NewApp } from '../../factors/new-app.tsx';
import { NewPasskey } from '../../factors/new-passkey.tsx';
import { PasswordForm } from '../../factors/password-form.tsx';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './me.module.css';

type Open = 'passkey' | 'password' | 'app' | null;

const TITLES: Readonly<Record<Exclude<Open, null>, string>> = {
  passkey: 'Add a passkey',
  password: 'Your password',
  app: 'An app that makes codes',
};

export function Factors({ person }: { readonly person: Person }) {
  const queries = useQueryClient();
  const refresh = useRefreshSession();
  const [open, setOpen] = useState<Open>(null);
  const { methods } = person;
  const hasPassword = methods.includes('password');
  const hasApp = methods.includes('totp');
  const done = async () => {
    setOpen(null);
    await refresh();
    await queries.invalidateQueries({ queryKey: ['door'] });
  };
  return (
    <Card title="How you sign in">
      <Passkeys add={() => setOpen('passkey')} removed={done} />
      <ul className={classes['rows']}>
        <Way
          name="Password"
          about={
            hasPassword
              ? 'With your e-mail address.'
              : 'None. A passkey is better; a password is a way in where there is none.'
          }
          verb={hasPassword ? 'Change' : 'Set one'}
          act={() => setOpen('password')}
        />
        <Way
          name="App that makes codes"
          about={
            hasApp
              ? 'Asked for after the password. A new one takes its place, with new recovery codes.'
              : 'None. It makes a password safe enough for live.'
          }
          verb={hasApp ? 'Replace' : 'Add one'}
          act={() => setOpen('app')}
        />
      </ul>
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === null ? '' : TITLES[open]}
        closeButtonProps={{ 'aria-label': 'Close' }}
        closeOnClickOutside={false}
        closeOnEscape={open !== 'app'}
        withCloseButton={open !== 'app'}
      >
        {open === 'passkey' && <NewPasskey asksName onMade={done} />}
        {open === 'password' && (
          <PasswordForm name={person.name ?? ''} email={person.email ?? ''} verb="Save" onSet={done} />
        )}
        {open === 'app' && <NewApp onReady={done} onCancel={() => setOpen(null)} />}
      </Modal>
    </Card>
  );
}

interface WayProps {
  readonly name: string;
  readonly about: string;
  readonly verb: string;
  act(): void;
}

const Way = ({ name, about, verb, act }: WayProps) => (
  <li>
    <div className="grow">
      <div>{name}</div>
      <div className="small muted">{about}</div>
    </div>
    <Button variant="default" size="xs" aria-label={`${verb}: ${name}`} onClick={act}>
      {verb}
    </Button>
  </li>
);

function Passkeys({ add, removed }: { add(): void; removed(): Promise<void> }) {
  const passkeys = useQuery({ queryKey: ['door', 'passkeys'], queryFn: door.passkeys });
  const [asked, setAsked] = useState<PasskeyRow | null>(null);
  const remove = useWrite(async (_client, _options, id: string) => {
    await door.removePasskey(id);
    await removed();
    return id;
  });
  if (passkeys.error !== null)
    return <Failed error={passkeys.error} again={() => void passkeys.refetch()} what="passkeys" />;
  if (passkeys.data === undefined) return <Loading lines={2} />;
  return (
    <>
      <ul className={classes['rows']}>
        {passkeys.data.data.map((passkey) => (
          <li key={passkey.id}>
            <PasskeyLine passkey={passkey} />
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove the passkey ${passkey.name}`}
              onClick={() => setAsked(passkey)}
            >
              Remove
            </Button>
          </li>
        ))}
        <Way
          name={passkeys.data.data.length === 0 ? 'Passkey' : 'Another passkey'}
          about={
            passkeys.data.data.length === 0
              ? 'None yet. It is the quickest way in, and no false page can take it.'
              : 'A second one, on another device, is a way in when the first is lost.'
          }
          verb="Add"
          act={add}
        />
      </ul>
      <Confirm
        title={`Remove the passkey ${asked?.name ?? ''}?`}
        verb="Remove"
        isDangerous
        isOpen={asked !== null}
        write={remove}
        input={asked?.id ?? ''}
        close={() => setAsked(null)}
      >
        <p>
          It opens nothing here any more. {passkeys.data.data.length === 1 && 'It is the only one that you have. '}
          Delete it on the device too, so that it is not offered there.
        </p>
      </Confirm>
    </>
  );
}

function PasskeyLine({ passkey }: { readonly passkey: PasskeyRow }) {
  return (
    <div className="grow">
      <div>{passkey.name}</div>
      <div className="small muted">
        Passkey · added <Time at={passkey.created} />
        {passkey.last_used_at !== null && (
          <>
            {' '}
            · used <Time at={passkey.last_used_at} ago />
          </>
        )}
      </div>
    </div>
  );
}
