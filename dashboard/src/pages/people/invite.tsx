/** Invites a person. No mail is sent: the link is shown once, to hand over. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { post } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf, isAboutOthers } from '../../api/errors.ts';
import type { User } from '../../api/shapes.ts';
import { useWrite } from '../../api/writes.ts';
import { Once } from '../../ui/once.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { RolesField } from './roles-field.tsx';
import { MOST } from '../../ui/most.ts';

const FIELDS = ['email', 'name', 'roles'];

interface Sent {
  readonly email: string;
  readonly roles: readonly string[];
  readonly name?: string;
}

export function Invite() {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const [invited, setInvited] = useState<User | null>(null);
  const write = useWrite((client, options, sent: Sent) => post<User>(client, '/v1/users', sent, options));
  const { error } = write;
  const leave = (id?: string) => navigate(`/${mode}/people${id === undefined ? '' : `/${id}`}`);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sent = { email: email.trim(), roles, ...(name.trim() !== '' && { name: name.trim() }) };
    const answer = await write.run(sent);
    if (answer === undefined) return;
    if (answer.invitation_url === undefined)
      leave(answer.id); // came a second time: the page of the person makes a new link
    else setInvited(answer);
  };
  return (
    <Page title="Invite a person" from={{ to: '/people', word: 'People' }}>
      <Card>
        <form className="stack narrow" onSubmit={(event) => void submit(event)} noValidate>
          <TextInput
            label="E-mail"
            description="By which you know the person. Nothing is sent to it."
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={faultOf(error, 'email')}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="Name"
            description="Empty: the person chooses."
            value={name}
            maxLength={MOST.personName}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(error, 'name')}
            autoComplete="off"
          />
          <RolesField roles={roles} isLive={mode === 'live'} error={faultOf(error, 'roles')} onChange={setRoles} />
          {roles.includes('approver') && (
            <p className="small muted">
              Whom you let in approves nothing until a third person has confirmed it. Everything else works at once.
            </p>
          )}
          {isAboutOthers(error, FIELDS) && <Trouble error={error} />}
          <div className="buttons">
            <Button variant="default" onClick={() => leave()}>
              Cancel
            </Button>
            <Button type="submit" loading={write.isBusy} disabled={email.trim() === '' || roles.length === 0}>
              Invite
            </Button>
          </div>
        </form>
      </Card>
      <Once title="The invitation" secret={invited?.invitation_url ?? null} close={() => leave(invited?.id)}>
        Hand this link to {invited?.email ?? 'the person'} yourself. Whoever opens it first joins with these roles. It
        works once and for seven days, and is shown only now.
      </Once>
    </Page>
  );
}
