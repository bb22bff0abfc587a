/**
 * Decisions about users: who is let in, as what, and who is shut out. Pure. A user lives in real time, also in a sandbox whose clock was moved
 * on. Whom a person or a key lets in approves nothing until a third of another family confirms it, since who makes a link can use it
 * (docs/decisions/0104). No entry of the audit log has an address or a name. Next: `links.ts`.
 */
import { unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { DECIDING, type Role, ROLES } from '../../core/roles.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { emailOf, type MadeLink, NOBODY, type OfPerson, statusOf, type User } from './fields.ts';

/** The operator, who holds everything, and whose users need nobody's confirmation. */
const OPERATOR = 'cli';
/** Of an environment. Each invitation reads them. */
const MAX_USERS = 1_000;

export interface CreateUser {
  readonly type: 'create_user';
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly Role[];
  /** Roles that hold more than who asks. */
  readonly beyond: readonly Role[];
  readonly link: MadeLink;
}

/** A person who opened the invitation is the user from now on. */
export interface JoinUser {
  readonly type: 'join_user';
  readonly user: string;
  readonly person: string;
  readonly ofPerson: OfPerson;
}

/** What is `undefined` stays as it is. */
export interface UpdateUser {
  readonly type: 'update_user';
  readonly user: string;
  readonly name: string | null | undefined;
  readonly roles: readonly Role[] | undefined;
  readonly beyond: readonly Role[];
}

export interface SuspendUser {
  readonly type: 'suspend_user';
  readonly user: string;
}

export interface ResumeUser {
  readonly type: 'resume_user';
  readonly user: string;
  readonly beyond: readonly Role[];
}

/** A third person agrees that the user may approve. */
export interface ConfirmUser {
  readonly type: 'confirm_user';
  readonly user: string;
}

/** Signs the person out. The sessions themselves end as the answer leaves (`parts.ts`). */
export interface EndUserSessions {
  readonly type: 'end_user_sessions';
  readonly user: string;
}

/** A new link: to join, where nobody has, else to set new credentials. */
export interface LinkUser {
  readonly type: 'link_user';
  readonly user: string;
  readonly link: Omit<MadeLink, 'kind'>;
  readonly beyond: readonly Role[];
}

/** What is known of the person is forgotten, and the user opens nothing any more. The person itself: `operator/person-redact.ts`. */
export interface RedactUser {
  readonly type: 'redact_user';
  readonly user: string;
}

/** Refuses `user_too_wide`, `user_exists` and `user_count`. */
export function createUser(draft: Draft, { id, email, name, roles, beyond, link }: CreateUser): Decision {
  const wider = tooWide(roles, beyond);
  if (wider) return wider;
  const before = draft.all('user').find((user) => isSameAddress(user, email));
  if (before) return exists(before.id, 'email');
  if (draft.all('user').length >= MAX_USERS) {
    return refusal('user_count', `The environment has ${MAX_USERS} users, and no more fit.`);
  }
  const user: User = {
    object: 'user',
    id,
    ...NOBODY,
    invitedEmail: email,
    givenName: name,
    roles: inOrder(roles),
    person: null,
    suspendedAt: null,
    lastSeenAt: null,
    createdBy: draft.actor,
    confirmedBy: draft.actor === OPERATOR ? OPERATOR : null,
    letInBy: [draft.actor],
    createdAt: realTime(draft),
  };
  draft.audit('user.invited', id, { roles: user.roles });
  draft.create(user);
  return { object: 'user_with_link', id, user, link };
}

/** Refuses `resource_missing`, `user_suspended`, `user_joined`, and `user_exists` for a person who is a user already. */
export function joinUser(draft: Draft, { user: id, person, ofPerson }: JoinUser): Decision {
  const user = findOpen(draft, id);
  if (isRefusal(user)) return user;
  if (user.person === person) return user;
  if (user.person !== null) {
    return refusal('user_joined', `Somebody has joined as user ${id} before. Make a link to sign in for that person.`);
  }
  const other = draft.all('user').find((each) => each.person === person);
  if (other) return exists(other.id);
  draft.audit('user.joined', id, {});
  return draft.update<User>({ ...user, ...ofPerson, person });
}

/** A role that decides is confirmed anew. Refuses `resource_missing`, `user_too_wide` and `user_last_admin`. */
export function updateUser(draft: Draft, { user: id, name, roles = undefined, beyond }: UpdateUser): Decision {
  const user = draft.find('user', id);
  if (!user) return missing('user', id);
  const added = (roles ?? []).filter((role) => !user.roles.includes(role));
  const wider = tooWide(added, beyond);
  if (wider) return wider;
  if (roles && !roles.includes('admin') && isLastAdmin(draft, user)) return lastAdmin(id);
  const given: User = {
    ...user,
    givenName: name === undefined ? user.givenName : name,
    roles: inOrder(roles ?? user.roles),
  };
  const changed = [
    ...(given.givenName === user.givenName ? [] : ['name']),
    ...(given.roles.join() === user.roles.join() ? [] : ['roles']),
  ];
  if (changed.length === 0) return user;
  const decides = added.some((role) => DECIDING.includes(role));
  draft.audit('user.updated', id, { changed, roles: given.roles, roles_before: user.roles });
  return draft.update<User>(decides ? unconfirmed(draft, given) : given);
}

/** Refuses `resource_missing`, `user_self` and `user_last_admin`. */
export function suspendUser(draft: Draft, { user: id }: SuspendUser): Decision {
  const user = draft.find('user', id);
  if (!user) return missing('user', id);
  if (draft.actor === id) return refusal('user_self', 'Nobody suspends oneself. Another administrator can.');
  if (user.suspendedAt !== null) return user;
  if (isLastAdmin(draft, user)) return lastAdmin(id);
  draft.audit('user.suspended', id);
  return draft.update<User>({ ...user, suspendedAt: realTime(draft) });
}

/** Refuses `resource_missing`, and `user_too_wide` for a user that may do more than who asks. */
export function resumeUser(draft: Draft, { user: id, beyond }: ResumeUser): Decision {
  const user = draft.find('user', id);
  if (!user) return missing('user', id);
  if (user.suspendedAt === null) return user;
  const wider = tooWide(user.roles, beyond, id);
  if (wider) return wider;
  draft.audit('user.resumed', id);
  return draft.update<User>({ ...user, suspendedAt: null });
}

/**
 * From then on the user may approve, as far as its roles go. Refuses `resource_missing`, `user_suspended`, `user_not_confirmable`, and what
 * `unfitApprover` refuses: nobody of the families of those who let it in confirms it.
 */
export function confirmUser(draft: Draft, { user: id }: ConfirmUser): Decision {
  const user = findOpen(draft, id);
  if (isRefusal(user)) return user;
  if (user.person === null) {
    return refusal('user_not_confirmable', `Nobody has joined as user ${id} yet. Confirm the person who did.`);
  }
  if (user.confirmedBy !== null) {
    return refusal(
      'user_not_confirmable',
      `User ${id} was confirmed by ${user.confirmedBy} before, so it may approve.`,
    );
  }
  const unfit =
    draft.actor === OPERATOR
      ? null
      : unfitApprover(draft, { what: `User ${id}`, by: [id, ...user.letInBy], approvals: [] });
  if (unfit) return unfit;
  draft.audit('user.confirmed', id, { let_in_by: user.letInBy });
  return draft.update<User>({ ...user, confirmedBy: draft.actor });
}

/** Refuses `resource_missing`. */
export function endUserSessions(draft: Draft, { user: id }: EndUserSessions): Decision {
  const user = draft.find('user', id);
  if (!user) return missing('user', id);
  draft.audit('user.sessions_ended', id);
  return user;
}

/** Who makes a link can use it: so it is confirmed anew. Refuses `resource_missing`, `user_suspended` and `user_too_wide`. */
export function linkUser(draft: Draft, { user: id, link, beyond }: LinkUser): Decision {
  const user = findOpen(draft, id);
  if (isRefusal(user)) return user;
  const wider = tooWide(user.roles, beyond, id);
  if (wider) return wider;
  const kind = user.person === null ? 'invite' : 'reset';
  draft.audit('user.link_made', id, { kind });
  const after = draft.actor === OPERATOR ? user : unconfirmed(draft, user);
  if (after !== user) draft.update<User>(after);
  return { object: 'user_with_link', id, user: after, link: { ...link, kind } };
}

/** Refuses `resource_missing`, and `user_last_admin`. */
export function redactUser(draft: Draft, { user: id }: RedactUser): Decision {
  const user = draft.find('user', id);
  if (!user) return missing('user', id);
  if (isLastAdmin(draft, user)) return lastAdmin(id);
  draft.audit('user.redacted', id);
  const suspendedAt = user.suspendedAt ?? realTime(draft);
  // `.invalid` is nobody's (RFC 2606).
  return draft.update<User>({
    ...user,
    ...NOBODY,
    invitedEmail: `${id}@redacted.invalid`,
    givenName: null,
    person: null,
    suspendedAt,
  });
}

/** The operator needs nobody, and whoever else made this possible is on the list of those who do not confirm it. */
const unconfirmed = ({ actor }: Draft, user: User): User =>
  actor === OPERATOR ? user : { ...user, confirmedBy: null, letInBy: [...new Set([...user.letInBy, actor])] };

const inOrder = (roles: readonly Role[]): readonly Role[] => ROLES.filter((role) => roles.includes(role));

/** How addresses are compared, and looked up at sign-in. */
export const addressKey = (email: string): string => email.normalize('NFC').toLowerCase();

const isSameAddress = (user: User, email: string): boolean => addressKey(emailOf(user)) === addressKey(email);

const isActiveAdmin = (user: User): boolean => user.roles.includes('admin') && statusOf(user) === 'active';

/** Keys of the command line could still let somebody in; but nobody should lock out all people by a click. */
const isLastAdmin = (draft: Draft, user: User): boolean =>
  isActiveAdmin(user) && !draft.all('user').some((other) => other.id !== user.id && isActiveAdmin(other));

const lastAdmin = (id: string): Refusal =>
  refusal(
    'user_last_admin',
    `User ${id} is the last active administrator. Give the role admin to another person first.`,
  );

const exists = (id: string, param?: string): Refusal =>
  refusal('user_exists', `User ${id} is that person already. Update it, or make a new link for it.`, {
    resource_id: id,
    ...(param !== undefined && { param }),
  });

/** `user`: whose roles they are; else they are the parameter `roles`. */
function tooWide(roles: readonly Role[], beyond: readonly Role[], user?: string): Refusal | null {
  const wider = roles.find((role) => beyond.includes(role));
  if (wider === undefined) return null;
  const allowed = ROLES.filter((role) => !beyond.includes(role));
  const what = user === undefined ? `The role ${wider} holds` : `User ${user} is ${wider}, which holds`;
  const message = `${what} scopes that you do not hold, and nobody gives more than that. Somebody who holds them can, or the command line.`;
  return refusal('user_too_wide', message, { ...(user === undefined && { param: 'roles' }), allowed });
}

function findOpen(draft: Draft, id: string): User | Refusal {
  const user = draft.find('user', id);
  if (!user) return missing('user', id);
  if (user.suspendedAt === null) return user;
  return refusal('user_suspended', `User ${id} is suspended. Resume it first: POST /v1/users/${id}/resume.`);
}

const realTime = ({ atMs, state }: Draft): number => atMs - state.environment.clockOffsetMs;
