/** One key: what it may do in words, where it comes from, and how it ends. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { Key } from '../../../../client/src/bursar.ts';
import { faultOf } from '../../api/errors.ts';
import { useActor, useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { useAsked } from '../../ui/asked.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Id } from '../../ui/id.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Roll } from '../../ui/roll.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { makerOf } from './maker.ts';
import { scopeInWords } from './scopes.ts';
import { KeyState } from './words.tsx';
import classes from './keys.module.css';
import { MOST } from '../../ui/most.ts';
import { Unread } from '../../ui/unread.tsx';

const FROM = { to: '/keys', word: 'Keys' };

export function OneKey() {
  const { id = '' } = useParams() as { readonly id?: string };
  return <Read key={id} id={id} />;
}

function Read({ id }: { readonly id: string }) {
  const key = useRead(['key', id], (client) => client.keys.retrieve(id) as Promise<Key>);
  if (key.data === undefined) {
    return <Unread title="Key" from={FROM} what="keys" read={key} />;
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
      {waitsForConfirmation(found) && <Waits found={found} />}
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

function Waits({ found }: { readonly found: Key }) {
  const may = useMay();
  const own = useActor();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite((client, options) => client.keys.confirm(found.id, {}, options));
  const reason = !may('payout_approvals:write')
    ? 'Your role may not approve.'
    : found.created_by === own
      ? 'You made it, so you cannot.'
      : null;
  return (
    <div className="notice wait row">
      <div className="grow">
        <strong>This key approves nothing yet.</strong>
        Another person than its maker has to confirm it. Everything else it may do already. {reason}
      </div>
      <Button variant="default" disabled={reason !== null} onClick={() => setOpen(true)}>
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

/** Who made the first key that it descends from: a key and those below it are rolled by their maker. `undefined`: not known yet, or not to be read. */
function useMaker({ id, line, created_by }: Key): string | undefined {
  const made = useRead(['key', id, 'maker'], async (client) => ({
    by: await makerOf({ id, line, created_by }, (other) => client.keys.retrieve(other)),
  }));
  return made.data?.by ?? undefined;
}

function Actions({ found }: { readonly found: Key }) {
  const { id, status, rolled_to: rolledTo } = found;
  const may = useMay();
  const asked = useAsked<'roll' | 'revoke' | 'rename'>();
  const [name, setName] = useState(found.name);
  const revoke = useWrite((client, options) => client.keys.revoke(id, {}, options));
  const rename = useWrite((client, options, next: string) => client.keys.update(id, { name: next }, options));
  const maker = useMaker(found);
  const own = useActor();
  const isOff = !may('keys:write') || status !== 'active';
  const isOfOthers = maker !== undefined && own !== undefined && maker !== own;
  const reason = !may('keys:write')
    ? 'Your role may not change keys.'
    : status === 'active' && rolledTo !== null
      ? 'It was rolled already: roll the new one.'
      : status === 'active' && isOfOthers
        ? 'Others made it, so you cannot roll it: its maker can, or the command line.'
        : null;
  const askForName = () => {
    setName(found.name); // another person may have renamed it meanwhile
    asked.ask('rename');
  };
  return (
    <>
      {reason !== null && <span className="small muted">{reason}</span>}
      <Button variant="default" disabled={isOff} onClick={askForName}>
        Rename
      </Button>
      <Button variant="default" disabled={isOff || rolledTo !== null || isOfOthers} onClick={() => asked.ask('roll')}>
        Roll
      </Button>
      <Button variant="default" disabled={isOff} onClick={() => asked.ask('revoke')}>
        Revoke
      </Button>
      <Confirm
        title="Rename this key"
        verb="Rename"
        isIncomplete={name.trim() === ''}
        write={rename}
        input={name.trim()}
        {...asked.of('rename')}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={MOST.keyName}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faultOf(rename.error, 'name')}
          data-autofocus
        />
      </Confirm>
      <Roll
        title="Roll this key?"
        label="The old one works for"
        made="The new key"
        advice="It is shown only now. Give it to your program before the old one ends."
        {...asked.of('roll')}
        roll={(client, given, options) => client.keys.roll(id, given, options)}
      >
        A new key takes its place, with the same name and the same rights.
      </Roll>
      <Confirm
        title="Revoke this key?"
        verb="Revoke"
        isDangerous
        typed="revoke"
        write={revoke}
        input={undefined}
        {...asked.of('revoke')}
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
    </>
  );
}
