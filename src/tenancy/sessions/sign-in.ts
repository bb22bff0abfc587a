/**
 * How a person signs in: by a passkey, by password and code, or by a one-time link. Each opens a session with a new token. A link for somebody
 * who has signed in before opens nothing for anybody else: who invites a person does not become that person. Next: `factors.ts`, `account.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { idOf } from '../../core/values/ids.ts';
import type { DoorCall } from '../../platform/http/door.ts';
import type { Answer } from '../../platform/http/route.ts';
import { cookieWith, tokenIn } from './cookie.ts';
import * as factors from './factors.ts';
import { assertionOptions } from './passkeys.ts';
import { isPassword } from './passwords.ts';
import type { Invited, OpenedLink, Origin, SignInParts } from './parts.ts';
import type { SignInAction } from './decide.ts';
import * as sql from './sql.ts';
import type { Beginning, Membership, OpenSession, Person } from './store.ts';
import * as view from './view.ts';

type Call<B = unknown> = DoorCall<B>;

export const originOf = (call: Call): Origin => ({ requestId: call.requestId, address: call.address() });

/** The session of this browser; `null`: nobody is signed in. */
export function currentSession(parts: SignInParts, call: Call): Promise<OpenSession | null> {
  const token = tokenIn(call.cookie);
  if (token === null) return Promise.resolve(null);
  return Promise.resolve(parts.store.find(token, (look) => call.lookUp(look, (found) => found !== null)));
}

export async function showSession(parts: SignInParts, call: Call): Promise<Answer> {
  const session = await currentSession(parts, call);
  return view.answered(session === null ? view.NOBODY : view.shown(session, parts));
}

/** Opens a session, and notes it. What this browser had before ends. */
async function begin(
  parts: SignInParts,
  call: Call,
  person: Person,
  how: Pick<Beginning, 'method' | 'secondFactor' | 'shown'>,
  details: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const begun = { ...how, person: person.id, ip: call.address(), userAgent: call.userAgent };
  const token = await parts.store.begin(begun, tokenIn(call.cookie));
  if (token === null) throw factors.signInRefused();
  const session = { id: token.id, method: how.method };
  const about = { ...details, second_factor: how.secondFactor };
  const noted = { person: person.id, action: 'user.signed_in', details: about, isPerson: true, session } as const;
  await parts.note(person.memberships, noted, originOf(call));
  const found = await parts.store.find(token.text);
  if (found === null) throw factors.signInRefused();
  return view.opened(found, token, parts);
}

const isShutOut = ({ isSuspended, memberships }: Person): boolean =>
  isSuspended || memberships.every((each) => each.isSuspended);

export interface PasswordBody {
  readonly email: string;
  readonly password: string;
  readonly code: string | undefined;
}

/** By password, and a code where the person has an app. */
export async function byPassword(parts: SignInParts, call: Call<PasswordBody>): Promise<Answer> {
  const { email, password, code } = call.body;
  const name = `password ${parts.addressKey(email)}`;
  factors.countTry(parts, call, name);
  const [row] = await parts.rows(sql.credentialsByEmail(parts.addressKey(email)));
  const stored = (row?.['password_hash'] as string | null | undefined) ?? null;
  const isRight = await (parts.isPassword ?? isPassword)(password, stored);
  const id = row === undefined ? null : idOf('usr', row['person_id'] as string);
  // What is looked up and noted about somebody would take longer than about nobody: wrong ones do not wait for it.
  const person = isRight && id !== null ? await parts.store.person(id) : null;
  if (stored === null || person === null || isShutOut(person)) {
    if (id !== null) factors.noteFailure(parts, call, id, 'password');
    throw factors.signInRefused();
  }
  const shown = { passwordHash: stored };
  if (!person.hasTotp) {
    factors.forgive(parts, call, name);
    return begin(parts, call, person, { method: 'password', secondFactor: false, shown });
  }
  if (code === undefined) {
    throw new RequestError('second_factor_required', 'Enter the code that your authenticator app shows, too.', {
      param: 'code',
    });
  }
  const by = await factors.takesCode(parts, person.id, code);
  if (by === null) {
    factors.noteFailure(parts, call, person.id, 'code');
    throw factors.signInRefused();
  }
  factors.forgive(parts, call, name);
  const how = { method: 'password', secondFactor: true, shown } as const;
  return begin(parts, call, person, how, by === 'recovery' ? { code: by } : {});
}

/** What the browser asks its authenticator; any passkey of this place may answer. */
export async function askForPasskey(parts: SignInParts, call: Call): Promise<Answer> {
  const options = await assertionOptions(factors.rpIdOf(call));
  const { holder, fresh } = factors.holderOf(call);
  await factors.ask(parts, call, holder, 'sign_in', options);
  return view.answered(options, fresh === null ? undefined : cookieWith(fresh.text));
}

export async function byPasskey(parts: SignInParts, call: Call<object>): Promise<Answer> {
  factors.countTry(parts, call, null);
  const expected = await factors.asked(parts, call, 'sign_in');
  const by = await factors.personByPasskey(parts, call.body, expected, null);
  const person = by === null ? null : await parts.store.person(by.person);
  if (by === null || person === null || isShutOut(person)) throw factors.signInRefused();
  factors.forgive(parts, call, null);
  return begin(parts, call, person, { method: 'passkey', secondFactor: true, shown: { passkey: by.passkey } });
}

export async function signOut(parts: SignInParts, call: Call): Promise<Answer> {
  const session = await currentSession(parts, call);
  const token = tokenIn(call.cookie);
  if (session === null || token === null) return view.signedOut();
  await parts.store.end(token);
  await note(parts, call, session, 'user.signed_out');
  return view.signedOut();
}

/** What a person did in its session, in the audit log of each of its environments. */
export function note(
  parts: SignInParts,
  call: Call,
  { id, method, person }: OpenSession,
  action: SignInAction,
  details: Readonly<Record<string, string | number | boolean>> = {},
): Promise<void> {
  const noted = { person: person.id, action, details, isPerson: true, session: { id, method } };
  return parts.note(person.memberships, noted, originOf(call));
}

const linkInvalid = (): RequestError =>
  new RequestError('link_invalid', 'This link was used before, has ended, or never existed. Ask for a new one.');

/** By a one-time link. Of any number that open it at once, one gets in. */
export async function byLink(parts: SignInParts, call: Call<{ readonly token: string }>): Promise<Answer> {
  const { token } = call.body;
  factors.countTry(parts, call, null);
  const link = await parts.links.look(token);
  if (link === null) return openedBefore(parts, call, token);
  const use = async () => {
    if ((await parts.links.use(token)) === null) throw linkInvalid();
    factors.forgive(parts, call, null);
  };
  const person = await (link.kind === 'invite' ? joined(parts, call, link, use) : known(parts, call, link, use));
  if (isShutOut(person)) throw linkInvalid();
  const current = await currentSession(parts, call);
  if (current !== null && current.person.id === person.id && link.kind === 'invite') {
    const now = await parts.store.now(current);
    return view.answered({ ...(now === null ? view.NOBODY : view.shown(now, parts)), kind: link.kind });
  }
  const answer = await begin(
    parts,
    call,
    person,
    { method: 'claim', secondFactor: false, shown: {} },
    { link: link.kind },
  );
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), kind: link.kind }) };
}

/** Who is signed in by the link goes on where its page was loaded again. It gets no more than it has. Throws `link_invalid` for everybody else. */
async function openedBefore(parts: SignInParts, call: Call, token: string): Promise<Answer> {
  const session = await currentSession(parts, call);
  const used = session === null ? null : await parts.links.used(token);
  const isSame =
    session !== null && (used?.kind === 'claim' ? session.method === 'claim' : used?.person === session.person.id);
  if (session === null || used === null || !isSame) throw linkInvalid();
  factors.forgive(parts, call, null);
  return view.answered({ ...view.shown(session, parts), kind: used.kind });
}

async function known(parts: SignInParts, call: Call, link: OpenedLink, use: () => Promise<void>): Promise<Person> {
  await use();
  if (link.kind === 'claim') {
    const first = await parts.links.firstUser(originOf(call));
    if (first === null) throw linkInvalid();
    await parts.links.makePerson(first.user, first.email, null);
    await parts.links.join(first.environmentId, first.user, first.user, originOf(call));
    return found(parts, first.user);
  }
  if (link.person === null) throw linkInvalid();
  const person = await found(parts, link.person);
  if (link.kind !== 'reset') return person;
  // Before: so that none of them adds anything. Behind it: so that none stays that somebody opened with what is cleared.
  await parts.store.endAll(person.id);
  await parts.write(sql.clearCredentials(person.id));
  await parts.store.endAll(person.id);
  await parts.write(sql.noteSecondFactor(person.id));
  const noted = {
    person: person.id,
    action: 'user.credentials_cleared',
    details: {},
    isPerson: true,
    session: null,
  } as const;
  await parts.note(person.memberships, noted, originOf(call));
  return found(parts, person.id);
}

/** Who is signed in joins as that person. Else somebody new does, or somebody of this merchant who has not been here before. */
async function joined(parts: SignInParts, call: Call, link: OpenedLink, use: () => Promise<void>): Promise<Person> {
  const { environmentId, user } = link;
  const { links, store } = parts;
  const invited = environmentId === null || user === null ? null : await links.invited(environmentId, user);
  if (environmentId === null || user === null || invited === null) throw linkInvalid();
  const current = await currentSession(parts, call);
  const join = async (person: string) => {
    await links.join(environmentId, user, person, originOf(call));
    store.forget(person);
    return found(parts, person);
  };
  if (current !== null) {
    await use();
    return join(current.person.id);
  }
  const before = await links.personWith(invited.email);
  if (before !== null) {
    const person = await found(parts, before);
    if (view.hasWayIn(person)) {
      throw new RequestError('link_not_yours', 'Sign in first, then open this link again: it adds to what you have.');
    }
    if (person.memberships.some((each) => isBeyond(each, environmentId, invited))) throw linkBeyond();
    await use();
    await store.endAll(before);
    return join(before);
  }
  await use();
  if (!(await links.makePerson(user, invited.email, invited.name))) throw linkInvalid();
  return join(user);
}

/** Whoever opens the link becomes the person, so it must not open more than who made it: as with links that reset (docs/decisions/0104). */
function isBeyond(membership: Membership, environmentId: string, { merchant, livemode }: Invited): boolean {
  if (membership.environmentId === environmentId) return false;
  return !(livemode && !membership.livemode && membership.merchant.id === merchant);
}

const linkBeyond = (): RequestError =>
  new RequestError(
    'link_not_yours',
    'Somebody has joined with this address and set up nothing to sign in by. Go on in the browser in which you joined, or ask who let you in first for a new link.',
  );

async function found({ store }: SignInParts, id: string): Promise<Person> {
  const person = await store.person(id);
  if (person === null) throw linkInvalid();
  return person;
}
