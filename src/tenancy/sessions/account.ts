/**
 * What a person does with its own account: name and password, passkeys, an authenticator app, sessions, and showing a factor again. Whoever
 * has something to sign in by shows it again before any of it changes, so that a session which was left open, or a link that was found, adds
 * nothing of its own. What makes a session stronger gives it a new token. Next: `factors.ts`.
 */
import { STEP_UP_MS } from '../../core/roles.ts';
import { RequestError } from '../../core/values/errors.ts';
import { idOf, isId } from '../../core/values/ids.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { DoorCall } from '../../platform/http/door.ts';
import type { Answer, Factor } from '../../platform/http/route.ts';
import { sessionRequired } from './admission.ts';
import { hashOfRecoveryCode, newRecoveryCodes, newTotpSecret, stepOf, totpUri } from './codes.ts';
import * as factors from './factors.ts';
import { assertionOptions, MOST_PASSKEYS, newPasskeyFrom, newPasskeyOptions, type Passkey } from './passkeys.ts';
import { hashPassword, weakness } from './passwords.ts';
import type { SignInParts } from './parts.ts';
import { aboutOf, insertProof, type Seen } from './proofs.ts';
import { currentSession, note } from './sign-in.ts';
import * as sql from './sql.ts';
import type { OpenSession } from './store.ts';
import * as view from './view.ts';

type Call<B = unknown> = DoorCall<B>;

/** Throws `session_required`, and `rate_limited` for who asks without pause. */
export async function mustBeSignedIn(parts: SignInParts, call: Call): Promise<OpenSession> {
  const session = await currentSession(parts, call);
  if (session === null) throw sessionRequired();
  const waitMs = parts.tries.account.take(session.person.id, Date.now());
  if (waitMs > 0) throw factors.tooMany('requests about this account', waitMs);
  return session;
}

/** How long a sign-in counts of somebody who has no second factor to show again. */
const ENROLMENT_MS = 1_800_000;

/** A change of what signs a person in. Throws `step_up_required` where a factor, or the sign-in of one without, is too old. */
async function mustBeFresh(parts: SignInParts, call: Call): Promise<OpenSession> {
  const session = await parts.store.now(await mustBeSignedIn(parts, call));
  if (session === null) throw sessionRequired();
  const { person, steppedUpAt, createdAt } = session;
  if (!view.hasWayIn(person)) return session;
  const hasFactor = person.hasPasskey || person.hasTotp;
  // Who has no factor yet is on the way to one, and needs some minutes for it.
  const isFresh = hasFactor
    ? steppedUpAt !== null && Date.now() - steppedUpAt <= STEP_UP_MS
    : Date.now() - createdAt <= ENROLMENT_MS;
  if (isFresh) return session;
  const next = hasFactor ? 'Show your passkey or a code again' : 'Sign in with your password again';
  throw new RequestError('step_up_required', `This changes how you sign in. ${next}, then send the same request.`);
}

/** The session after it has become stronger, with its new token. */
async function raised(parts: SignInParts, session: OpenSession, by: Factor): Promise<Answer> {
  const token = await parts.store.raise(session, by);
  const found = token === null ? null : await parts.store.find(token.text);
  if (token === null || found === null) throw sessionRequired();
  return view.opened(found, token, parts);
}

export interface AskBody {
  /** What is to be approved: the passkey signs it. */
  readonly approves: readonly Seen[] | undefined;
}

export async function askToStepUp(parts: SignInParts, call: Call<AskBody>): Promise<Answer> {
  const { person, hash } = await mustBeSignedIn(parts, call);
  const rpId = factors.rpIdOf(call);
  const rows = await parts.rows(sql.passkeysOf(person.id));
  const here = rows.filter((row) => row['rp_id'] === rpId).map(knownPasskey);
  if (here.length === 0) {
    throw new RequestError('passkey_invalid', 'You have no passkey that works at this address. Use a code instead.');
  }
  const { approves } = call.body;
  const about = approves === undefined ? null : aboutOf(approves);
  const options = await assertionOptions(rpId, here, about?.challenge);
  await factors.ask(parts, call, hash, 'step_up', options, about);
  return view.answered({ ...options, ...(about !== null && { nonce: about.nonce }) });
}

export interface StepUpBody {
  readonly assertion: object | undefined;
  readonly code: string | undefined;
}

/** Throws `sign_in_refused` for what is wrong. */
export async function stepUp(parts: SignInParts, call: Call<StepUpBody>): Promise<Answer> {
  const session = await mustBeSignedIn(parts, call);
  const { person } = session;
  const { assertion, code } = call.body;
  if ((assertion === undefined) === (code === undefined)) {
    throw new RequestError('parameter_missing', 'Send either assertion or code.', { param: 'assertion' });
  }
  const name = `step up ${person.id}`;
  factors.countTry(parts, call, name);
  let by: string | null;
  let proof: (() => Promise<unknown>) | null = null;
  if (assertion === undefined) by = await factors.takesCode(parts, person.id, code as string);
  else {
    const expected = await factors.asked(parts, call, 'step_up');
    by = (await factors.personByPasskey(parts, assertion, expected, session)) === null ? null : 'passkey';
    const { challenge, about } = expected;
    if (about !== null) proof = () => parts.write(insertProof({ ...about, challenge, session, assertion }));
  }
  if (by === null) {
    factors.noteFailure(parts, call, person.id, assertion === undefined ? 'code' : 'passkey');
    throw factors.signInRefused();
  }
  factors.forgive(parts, call, name);
  await proof?.();
  await note(parts, call, session, 'user.stepped_up', { by });
  return raised(parts, session, by === 'passkey' ? 'passkey' : 'code');
}

export interface PersonBody {
  readonly name: string;
  readonly email: string | undefined;
  readonly password: string | undefined;
}

/** Address and password are what signs in; the name alone is not. */
export async function updatePerson(parts: SignInParts, call: Call<PersonBody>): Promise<Answer> {
  const { name, email, password } = call.body;
  const before = await mustBeSignedIn(parts, call);
  const isNew = email !== undefined && parts.addressKey(email) !== parts.addressKey(before.person.email);
  const session = isNew || password !== undefined ? await mustBeFresh(parts, call) : before;
  const { person } = session;
  if (password !== undefined) {
    const why = weakness(password, [name, email ?? person.email]);
    if (why !== null) throw new RequestError('password_weak', why, { param: 'password' });
  }
  // To be told that an address is taken is to learn who else is here, and a password costs a tenth of a second.
  if (isNew || password !== undefined) factors.countChange(parts, person.id);
  const address = email === undefined ? null : { text: email, key: parts.addressKey(email) };
  await parts.write(sql.namePerson(person.id, name, address)).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    throw new RequestError('parameter_invalid', 'email cannot be used here. Choose another address.', {
      param: 'email',
    });
  });
  await note(parts, call, session, 'user.person_changed', { address: isNew });
  if (password !== undefined) {
    const set = await parts.write(sql.setPassword(person.id, await hashPassword(password), session.hash));
    if (set.length === 0) throw sessionRequired();
    await parts.store.endAll(person.id, session.id);
    await note(parts, call, session, 'user.password_changed');
  }
  return again(parts, call, person.id);
}

const UNIQUE_VIOLATION = '23505';

/** The session as it is after a change that keeps its token. */
async function again(parts: SignInParts, call: Call, person: string): Promise<Answer> {
  parts.store.forget(person);
  return view.answered(view.shown(await mustBeSignedIn(parts, call), parts));
}

const knownPasskey = (row: Readonly<Record<string, unknown>>): Pick<Passkey, 'id' | 'transports'> => ({
  id: row['id'] as string,
  transports: row['transports'] as string[],
});

export async function askForNewPasskey(parts: SignInParts, call: Call): Promise<Answer> {
  const { person, hash } = await mustBeFresh(parts, call);
  const known = await parts.rows(sql.passkeysOf(person.id));
  if (known.length >= MOST_PASSKEYS) {
    throw new RequestError('passkey_invalid', `You have ${MOST_PASSKEYS} passkeys, and no more fit. Remove one first.`);
  }
  const owner = { id: person.id, name: person.name ?? person.email, email: person.email };
  const options = await newPasskeyOptions(factors.rpIdOf(call), owner, known.map(knownPasskey));
  await factors.ask(parts, call, hash, 'passkey', options);
  return view.answered(options);
}

export interface PasskeyBody {
  readonly attestation: object;
  readonly name: string;
}

/** Throws `passkey_invalid`. The person was verified by the device, so the session has shown a second factor. */
export async function addPasskey(parts: SignInParts, call: Call<PasskeyBody>): Promise<Answer> {
  const session = await mustBeFresh(parts, call);
  const { attestation, name } = call.body;
  const expected = await factors.asked(parts, call, 'passkey');
  const made = await newPasskeyFrom(attestation, expected);
  const row = { person: session.person.id, rpId: expected.rpId, name, session: session.hash };
  const rows = made === null ? [] : await parts.write(sql.insertPasskey({ ...made, ...row }));
  if (rows.length === 0) throw factors.passkeyInvalid();
  await parts.write(sql.noteSecondFactor(session.person.id));
  await note(parts, call, session, 'user.passkey_added', { name });
  return raised(parts, session, session.steppedUpBy ?? 'passkey'); // not a way around what the factor before has to sign
}

export async function listPasskeys(parts: SignInParts, call: Call): Promise<Answer> {
  const { person } = await mustBeSignedIn(parts, call);
  const rows = await parts.rows(sql.passkeysOf(person.id));
  const data = rows.map((row) => ({
    object: 'passkey',
    id: row['id'],
    name: row['name'],
    created: unixSeconds(row['created_at'] as number),
    last_used_at: row['last_used_at'] === null ? null : unixSeconds(row['last_used_at'] as number),
    host: row['rp_id'],
  }));
  return view.answered({ object: 'list', data });
}

/** Throws `resource_missing`, and `credential_last` for the only way in. Sessions that may have been opened by it end. */
export async function removePasskey(parts: SignInParts, call: Call): Promise<Answer> {
  const session = await mustBeFresh(parts, call);
  const { person } = session;
  const { id = '' } = call.path_params;
  const mine = await parts.rows(sql.passkeysOf(person.id));
  const passkey = mine.find((row) => row['id'] === id);
  if (passkey === undefined) throw new RequestError('resource_missing', 'You have no such passkey.');
  if (mine.length === 1 && !person.hasPassword) {
    throw new RequestError(
      'credential_last',
      'Without this passkey you could not sign in again. Add another passkey or a password first.',
    );
  }
  await parts.write(sql.removePasskey(person.id, id));
  await parts.write(sql.noteSecondFactor(person.id));
  await parts.store.endAll(person.id, session.id);
  await note(parts, call, session, 'user.passkey_removed', { name: passkey['name'] as string });
  return again(parts, call, person.id);
}

/** A secret for an authenticator app, shown this once. It counts when a code of it was entered. */
export async function startTotp(parts: SignInParts, call: Call): Promise<Answer> {
  const { person } = await mustBeFresh(parts, call);
  const secret = newTotpSecret();
  await parts.write(sql.setPendingTotp(person.id, parts.totp.seal(secret, person.id)));
  return view.answered({ object: 'totp_secret', secret, uri: totpUri(secret, person.email) });
}

/** Answers ten recovery codes, shown this once; those from before are gone. Throws `code_invalid`. */
export async function confirmTotp(parts: SignInParts, call: Call<{ readonly code: string }>): Promise<Answer> {
  const session = await mustBeFresh(parts, call);
  const { person } = session;
  const name = `app ${person.id}`;
  factors.countTry(parts, call, name);
  const [row] = await parts.rows(sql.credentialsOf(person.id));
  const sealed = row?.['totp_pending_sealed'] as string | null | undefined;
  const secret = sealed === undefined || sealed === null ? null : parts.totp.open(sealed, person.id);
  const step = secret === null ? null : stepOf(secret, call.body.code, Date.now());
  const codes = newRecoveryCodes();
  const rows =
    step === null || sealed === undefined || sealed === null
      ? []
      : await parts.write(
          sql.confirmTotp(person.id, { sealed, step, recovery: codes.map(hashOfRecoveryCode), session: session.hash }),
        );
  if (rows.length === 0) {
    throw new RequestError('code_invalid', 'code is not the one that the app shows now.', { param: 'code' });
  }
  factors.forgive(parts, call, name);
  await parts.write(sql.noteSecondFactor(person.id));
  await note(parts, call, session, 'user.app_added');
  const answer = await raised(parts, session, session.steppedUpBy ?? 'code');
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), recovery_codes: codes }) };
}

export async function listSessions(parts: SignInParts, call: Call): Promise<Answer> {
  const { person, id: own } = await mustBeSignedIn(parts, call);
  const rows = await parts.rows(sql.openSessionsOf(person.id));
  const data = rows.map((row) => {
    const id = idOf('ses', row['id'] as string);
    const [created, seen, ends] = ['created_at', 'seen_at', 'ends_at'].map((name) => unixSeconds(row[name] as number));
    const how = {
      method: row['method'],
      second_factor: row['second_factor'],
      ip: row['ip'],
      user_agent: row['user_agent'],
    };
    return { object: 'session', id, current: id === own, ...how, created, seen_at: seen, ends_at: ends };
  });
  return view.answered({ object: 'list', data });
}

/** Throws `resource_missing`. */
export async function endSession(parts: SignInParts, call: Call): Promise<Answer> {
  const session = await mustBeSignedIn(parts, call);
  const { id = '' } = call.path_params;
  if (!isId('ses', id) || !(await parts.store.endOne(session.person.id, id))) {
    throw new RequestError('resource_missing', 'You have no such open session.');
  }
  await note(parts, call, session, 'user.sessions_closed', { count: 1 });
  return id === session.id ? view.signedOut() : view.answered({ object: 'ended', count: 1 });
}

export async function endOthers(parts: SignInParts, call: Call): Promise<Answer> {
  const session = await mustBeSignedIn(parts, call);
  const count = await parts.store.endAll(session.person.id, session.id);
  if (count > 0) await note(parts, call, session, 'user.sessions_closed', { count });
  return view.answered({ object: 'ended', count });
}
