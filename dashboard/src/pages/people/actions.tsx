/** What an administrator can do about a person: suspend, end sessions, make a new link. */
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import type { User } from '../../api/shapes.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Once } from '../../ui/once.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { nameOf } from './words.tsx';

type Asked = 'suspend' | 'end_sessions' | 'reset_link' | null;

export function PersonActions({ user }: { readonly user: User }) {
  const may = useMay();
  const [asked, setAsked] = useState<Asked>(null);
  const [link, setLink] = useState<string | null>(null);
  const act = (verb: string) => (client: Parameters<typeof post>[0], options: object) =>
    post<User>(client, `/v1/users/${user.id}/${verb}`, {}, options);
  const suspend = useWrite(act('suspend'));
  const resume = useWrite(act('resume'));
  const endSessions = useWrite(act('end_sessions'));
  const makeLink = useWrite(async (client, options) => {
    const linked = await act('reset_link')(client, options);
    setLink(linked.reset_url ?? linked.invitation_url ?? null);
    return linked;
  });
  const isOff = !may('users:write');
  const reason = isOff ? 'Your role may not change people.' : undefined;
  const name = nameOf(user);
  const close = () => setAsked(null);
  const isInvited = user.status === 'invited';
  return (
    <>
      <Trouble error={resume.error} />
      {user.status === 'suspended' ? (
        <Button disabled={isOff} title={reason} loading={resume.isBusy} onClick={() => void resume.run()}>
          Resume
        </Button>
      ) : (
        <Button variant="default" disabled={isOff} title={reason} onClick={() => setAsked('suspend')}>
          Suspend
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <Button variant="default" disabled={isOff} title={reason} rightSection={<Icon name="down" size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={user.status === 'suspended'} onClick={() => setAsked('reset_link')}>
            {isInvited ? 'Make a new invitation' : 'Make a link to sign in anew'}
          </Menu.Item>
          <Menu.Item disabled={isInvited} onClick={() => setAsked('end_sessions')}>
            End all sessions
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title={`Suspend ${name}?`}
        verb="Suspend"
        isDangerous
        typed="suspend"
        isOpen={asked === 'suspend'}
        write={suspend}
        input={undefined}
        close={close}
      >
        <p>Within a second nothing here opens for {name}. Keys that the person made keep working: revoke them apart.</p>
      </Confirm>
      <Confirm
        title={`End all sessions of ${name}?`}
        verb="End sessions"
        isDangerous
        isOpen={asked === 'end_sessions'}
        write={endSessions}
        input={undefined}
        close={close}
      >
        <p>{name} is signed out everywhere within a second, and may sign in again.</p>
      </Confirm>
      <Confirm
        title={isInvited ? `A new invitation for ${name}?` : `A link for ${name} to sign in anew?`}
        verb="Make the link"
        isOpen={asked === 'reset_link'}
        write={makeLink}
        input={undefined}
        close={close}
      >
        <p>
          {isInvited
            ? 'The earlier invitation ends.'
            : 'For who has lost password or passkey. When it is opened, password, passkeys and app of before end. Whoever makes it could use it: so an approver is confirmed anew.'}
        </p>
      </Confirm>
      <Once title="The link" secret={link} close={() => setLink(null)}>
        Hand it to {name} yourself: nothing is sent. It works once, and is shown only now.
      </Once>
    </>
  );
}
