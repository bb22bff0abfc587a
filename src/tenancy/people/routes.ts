/**
 * The operations of users. Links are kept and shown here as answers leave (`parts.ts`): commands and idempotency records hold nothing that opens
 * a door. Decisions: `decide.ts`. Signing in is no operation of the API: a key can do whatever a person can, but for that.
 */
import { RequestError } from '../../core/values/errors.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { rolesBeyond } from '../../platform/http/roles.ts';
import { answers, answersList, type Call, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import { USER } from './fields.ts';
import { createUserParams, updateUserParams } from './parameters.ts';
import type { UserParts } from './parts.ts';
import type { UserCommand } from './slice.ts';
import { USERS, usersElsewhere } from './sql.ts';

const route = routesOf('Users', 'users');
const approval = routesOf('Users', 'payout_approvals');

const GIVEN = { email: 'ada@example.com', roles: ['operator'], confirmed_by: 'cli', created_by: 'cli' };
const EXAMPLE = { ...exampleOf(USER, GIVEN), livemode: true };
const INVITED = { ...EXAMPLE, status: 'invited', second_factor: 'none', last_seen_at: null };
const LINK = 'https://pay.example.com/dashboard#';

const beyond = ({ scopes, livemode }: Caller) => rolesBeyond(scopes, livemode);

export function userRoutes(service: Service<UserCommand>, parts: UserParts): Route[] {
  const { idIn, list, retrieve } = readsOf(service, USER, USERS);
  const linked = async (call: Call<unknown, unknown>, command: UserCommand) =>
    parts.opened(call.caller, await service.write(call, command));
  return [
    route('createUser', 'POST /v1/users', {
      summary: 'Invite a person',
      description:
        'The person joins by `invitation_url`, which the answer shows once. No mail is sent. Nobody gives roles with more scopes than they hold. Until a third person of another family has confirmed it, a user that you let in approves nothing; it does everything else at once.',
      body: createUserParams,
      request: { email: EXAMPLE.email, roles: EXAMPLE.roles },
      response: answers('UserWithLink', {
        ...INVITED,
        confirmed_by: null,
        invitation_url: `${LINK}invite=9hVq…c2k`,
      }),
      errors: ['user_too_wide', 'user_exists', 'user_count'],
      handle: (call) => {
        const { email, roles, name = null } = call.body;
        const link = parts.maker.make('invite');
        const asked = { id: parts.newUser(), email, name, roles, link };
        return linked(call, { type: 'create_user', ...asked, beyond: beyond(call.caller) });
      },
    }),
    route('listUsers', 'GET /v1/users', {
      summary: 'List users',
      query: listParams('usr', {}),
      response: answersList('User', EXAMPLE),
      handle: (call) => list(call),
    }),
    route('retrieveUser', 'GET /v1/users/:id', {
      summary: 'Retrieve a user',
      response: answers('User', EXAMPLE),
      handle: retrieve,
    }),
    route('updateUser', 'POST /v1/users/:id', {
      summary: 'Update a user',
      description:
        'Its roles, and how you call the person. `roles` takes the place of all that it had. Who gets a role that approves is confirmed anew. Nobody gives roles with more scopes than they hold; taking some away is free, but from the last active administrator.',
      body: updateUserParams,
      request: { roles: ['operator', 'accountant'] },
      response: answers('User', EXAMPLE),
      errors: ['user_too_wide', 'user_last_admin'],
      handle: (call) => {
        const { name, roles } = call.body;
        const asked = { user: idIn(call), name, roles, beyond: beyond(call.caller) };
        return service.write(call, { type: 'update_user', ...asked });
      },
    }),
    route('suspendUser', 'POST /v1/users/:id/suspend', {
      summary: 'Suspend a user',
      description:
        'Within a second it opens nothing any more in this environment. Keys that it made stay; revoke them.',
      response: answers('User', { ...EXAMPLE, status: 'suspended' }),
      errors: ['user_self', 'user_last_admin'],
      handle: (call) => service.write(call, { type: 'suspend_user', user: idIn(call) }),
    }),
    route('resumeUser', 'POST /v1/users/:id/resume', {
      summary: 'Resume a user',
      description: 'Everything that it was before. Nobody resumes a user with more scopes than they hold.',
      response: answers('User', EXAMPLE),
      errors: ['user_too_wide'],
      handle: (call) => service.write(call, { type: 'resume_user', user: idIn(call), beyond: beyond(call.caller) }),
    }),
    approval('confirmUser', 'POST /v1/users/:id/confirm', {
      summary: 'Confirm that a user may approve',
      description:
        'Whom a person or a key let in approves nothing until a third one has confirmed it, of another family than all who could have used its links. Look that the right person has joined before you do.',
      response: answers('User', { ...EXAMPLE, confirmed_by: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa' }),
      errors: ['user_suspended', 'user_not_confirmable', 'approval_by_creator', 'approval_key_unconfirmed'],
      handle: (call) => service.write(call, { type: 'confirm_user', user: idIn(call) }),
    }),
    route('endUserSessions', 'POST /v1/users/:id/end_sessions', {
      summary: 'End the sessions of a user',
      description: 'The person is signed out everywhere within a second, and may sign in again.',
      response: answers('User', EXAMPLE),
      handle: async (call) => {
        const user = idIn(call);
        const answer = await service.write(call, { type: 'end_user_sessions', user });
        if (answer.status === 200) await parts.endSessions(call.caller.environmentId, user);
        return answer;
      },
    }),
    route('linkUser', 'POST /v1/users/:id/reset_link', {
      summary: 'Make a new link for a user',
      description:
        'For who has lost the invitation, `invitation_url`; for who has lost password or passkey, `reset_url`. Earlier links end. Whoever makes it could use it, so the user is confirmed anew. A person who is a user of another merchant, or of live where you ask with a sandbox key, gets one from the operator of the service only.',
      response: answers('UserWithLink', { ...EXAMPLE, confirmed_by: null, reset_url: `${LINK}reset=T0b1…x9w` }),
      errors: ['user_suspended', 'user_too_wide', 'user_elsewhere'],
      handle: async (call) => {
        const user = idIn(call);
        const { environmentId } = call.caller;
        if ((await service.rows(usersElsewhere(environmentId, user))).length > 0) throw elsewhere(user);
        const { kind: _, ...link } = parts.maker.make('reset');
        return linked(call, { type: 'link_user', user, link, beyond: beyond(call.caller) });
      },
    }),
  ];
}

const elsewhere = (user: string): RequestError =>
  new RequestError(
    'user_elsewhere',
    `The person of user ${user} can sign in where you cannot, so your link could open that too. The operator of the service makes one: bursar dashboard reset.`,
  );
