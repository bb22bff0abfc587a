/** One key: what it may do in words, where it comes from, and how it ends. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '../../../../client/src/bursar.ts';
import { faultOf } from '../../api/errors.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Id } from '../../ui/id.tsx';
import { Once } from '../../ui/once.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { KeyState } from './keys.tsx';
import { scopeInWords } from './scopes.ts';
import classes from './keys.module.css';

const FROM = { to: '/keys', word: 'Keys' };

export function OneKey({ id }: { readonly id: string }) {
  const key = useRead(['key', id], (client) => client.keys.retrieve(id) as Promise<Key>);
  if (key.data === undefined) {
    return (
      <Page title="Key" from={FROM}>
        {key.error === null ? <Loading /> : <Failed error={key.error} again={() => void key.refetch()} what="keys" />}
      </Page>
    );
  }
  return <Loaded found={key.data} />;
}

/** A key that another key or a person made approves nothing until a second person confirms it. */
const waitsForConfirmation = ({ status, scopes, confirmed_by: by, created_by: maker }: Key): boolean =>
  status === 'active' && by === null && maker !== null && maker !== 'cli' && mayApprove(scopes);

const mayApprove = (scopes: readonly string[] | null): boolean =>
  scopes === null || scopes.includes('payout_approvals:write');

function Loaded({ found }: { readonly found: Key }) {
  const { id, name, prefix, last4, scopes, accounts, allowed_ips: ips, status } = found;
  return (
    <Page
      title={name}
      from={FROM}
      about={
        <>
          <span className="mono muted">
            {prefix}…{last4}
          </span>
          <KeyState status={status} />
        </>
      }
      actions={<Actions found={found} />}
    >
      {waitsForConfirmation(found) && <Waits id={id} />}
      <div className="columns">
        <Card title="What it may do">
          {scopes === null ? (
            <p>Everything in this environment.</p>
          ) : (
            <ul className={classes['list']}>
              {scopes.map((scope) => (
                <li key={scope} title={scope}>
                  {scopeInWords(scope)}
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card title="Details">
          <Facts
            rows={[
              ['Made', <Time key="made" at={found.created} />],
              ['Made by', <Who key="maker" actor={found.created_by} />],
              ['Last used', found.last_used_at === null ? 'Not yet' : <Time key="used" at={found.last_used_at} ago />],
              ['Works until', found.expires_at === null ? null : <Time key="ends" at={found.expires_at} />],
              ['Revoked', found.revoked_at === null ? null : <Time key="revoked" at={found.revoked_at} />],
              ['Rolled to', found.rolled_to === null ? null : <Id key="to" id={found.rolled_to} />],
              ['First of its line', found.line === id ? null : <Id key="line" id={found.line} />],
              ['Confirmed by', found.confirmed_by === null ? null : <Who key="by" actor={found.confirmed_by} />],
              ['Accounts', accounts === null ? null : accounts.map((account) => <Id key={account} id={account} />)],
              [
                'From addresses',
                ips === null ? null : (
                  <span key="ips" className="mono">
                    {ips.join(', ')}
                  </span>
                ),
              ],
              ['Version', found.version],
              ['Id', <Id key="id" id={id} whole here />],
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}

function Waits({ id }: { readonly id: string }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite((client, options) => client.keys.confirm(id, {}, options));
  const isOff = !may('payout_approvals:write');
  return (
    <div className="notice wait row">
      <div className="grow">
        <strong>This key approves nothing yet.</strong>
        Another person than its maker has to confirm it. Everything else it may do already.
      </div>
      <Button
        variant="default"
        disabled={isOff}
        title={isOff ? 'Your role may not approve.' : undefined}
        onClick={() => setOpen(true)}
      >
        Confirm
      </Button>
      <Confirm
        title="May this key approve?"
        verb="Confirm"
        isOpen={isOpen}
        write={write}
        input={undefined}
        close={() => setOpen(false)}
      >
        <p>From then on it, and what it is rolled to, may approve payouts that others asked for.</p>
      </Confirm>
    </div>
  );
}

const OVERLAPS = [
  { value: '0', label: 'not at all: it ends at once' },
  { value: '3600', label: 'one hour' },
  { value: '86400', label: 'one day' },
  { value: '604800', label: 'seven days' },
];

function Actions({ found }: { readonly found: Key }) {
  const { id, status, rolled_to: rolledTo } = found;
  const may = useMay();
  const [asked, setAsked] = useState<'roll' | 'revoke' | 'rename' | null>(null);
  const [overlap, setOverlap] = useState('86400');
  const [name, setName] = useState(found.name);
  const [secret, setSecret] = useState<string | null>(null);
  const roll = useWrite(async (client, options, seconds: number) => {
    const rolled = await client.keys.roll(id, { expires_in: seconds }, options);
    setSecret(rolled.secret ?? null);
    return rolled;
  });
  const revoke = useWrite((client, options) => client.keys.revoke(id, {}, options));
  const rename = useWrite((client, options, next: string) => client.keys.update(id, { name: next }, options));
  const isOff = !may('keys:write') || status !== 'active';
  const close = () => setAsked(null);
  return (
    <>
      <Button variant="default" disabled={isOff} onClick={() => setAsked('rename')}>
        Rename
      </Button>
      <Button
        variant="default"
        disabled={isOff || rolledTo !== null}
        title={rolledTo === null ? undefined : 'It was rolled already: roll the new one.'}
        onClick={() => setAsked('roll')}
      >
        Roll
      </Button>
      <Button variant="default" disabled={isOff} onClick={() => setAsked('revoke')}>
        Revoke
      </Button>
      <Confirm
        title="Rename this key"
        verb="Rename"
        isOpen={asked === 'rename'}
        isIncomplete={name.trim() === ''}
        write={rename}
        input={name.trim()}
        close={close}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultOf(rename.error, 'name')}
          data-autofocus
        />
      </Confirm>
      <Confirm
        title="Roll this key?"
        verb="Roll"
        isOpen={asked === 'roll'}
        write={roll}
        input={Number(overlap)}
        close={close}
      >
        <p>A new key takes its place, with the same name and the same rights.</p>
        <Select
          label="The old one works for"
          data={OVERLAPS}
          value={overlap}
          onChange={(next) => setOverlap(next ?? '0')}
        />
      </Confirm>
      <Confirm
        title="Revoke this key?"
        verb="Revoke"
        isDangerous
        typed="revoke"
        isOpen={asked === 'revoke'}
        write={revoke}
        input={undefined}
        close={close}
      >
        <p>
          Within a second whatever signs in with “{found.name}” is refused. This cannot be taken back.
          {found.last_used_at !== null && (
            <>
              {' '}
              It was last used <Time at={found.last_used_at} ago />.
            </>
          )}
        </p>
      </Confirm>
      <Once title="The new key" secret={secret} close={() => setSecret(null)}>
        It is shown only now. Give it to your program before the old one ends.
      </Once>
    </>
  );
}
