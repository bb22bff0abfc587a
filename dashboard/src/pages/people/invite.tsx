/** Invites a person. No mail is sent: the link is shown once, to hand over. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { post } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import type { User } from '../../api/shapes.ts';
import { useWrite } from '../../api/writes.ts';
import { Once } from '../../ui/once.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { WriteForm } from '../../ui/write-form.tsx';
import { RolesField } from './roles-field.tsx';
import { MOST } from '../../ui/most.ts';

const PARAMS = ['email', 'name', 'roles'];

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
  const sent = { email: email.trim(), roles, ...(name.trim() !== '' && { name: name.trim() }) };
  // One that came a second time has no link: the page of the person makes a new one.
  const done = (answer: User) => (answer.invitation_url === undefined ? leave(answer.id) : setInvited(answer));
  return (
    <Page title="Invite a person" from={{ to: '/people', word: 'People' }}>
      <Card>
        <WriteForm
          write={write}
          input={email.trim() === '' || roles.length === 0 ? null : sent}
          params={PARAMS}
          verb="Invite"
          cancel={() => leave()}
          done={done}
        >
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
        </WriteForm>
      </Card>
      <Once title="The invitation" secret={invited?.invitation_url ?? null} close={() => leave(invited?.id)}>
        Hand this link to {invited?.email ?? 'the person'} yourself. Whoever opens it first joins with these roles. It
        works once and for seven days, and is shown only now.
      </Once>
    </Page>
  );
}
