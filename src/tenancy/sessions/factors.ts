/**
 * What a person shows: a password, a code or a passkey. Each is checked once, and every try is counted before it is looked at. Whoever is
 * unknown, suspended or wrong gets the same answer, after the same work. Next: `sign-in.ts`, `account.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { idOf } from '../../core/values/ids.ts';
import type { DoorCall } from '../../platform/http/door.ts';
import { type Token, hashOf, newToken, tokenIn } from './cookie.ts';
import { hashOfRecoveryCode, isRecoveryCode, stepOf } from './codes.ts';
import { CHALLENGE_MS, counterAfter, type Expected, idIn, type Options } from './passkeys.ts';
import type { SignInParts } from './parts.ts';
import type { About } from './proofs.ts';
import * as sql from './sql.ts';
import type { OpenSession } from './store.ts';

type Call = DoorCall<unknown>;

/** Between two entries about failed tries of a person, so that nobody can fill the audit log. */
const NOTED_EVERY_MS = 60_000;
const MAX_NOTED = 10_000;
const notedAt = new Map<string, number>();

export const signInRefused = (): RequestError =>
  new RequestError(
    'sign_in_refused',
    'That is not right. Check what you entered; after some tries each one has to wait longer.',
  );

/**
 * Counts a try from this network, and as this person; `null`: nobody is named before the answer is known. Throws `rate_limited`, and then nothing
 * is looked at.
 */
export function countTry({ tries }: SignInParts, call: Call, name: string | null): void {
  const nowMs = Date.now();
  // The network first: one that has to wait counts against nobody, and has no other names forgotten.
  const ofNetwork = tries.network.take(call.network(), nowMs);
  const waitMs = ofNetwork > 0 || name === null ? ofNetwork : tries.person.take(name, nowMs);
  if (waitMs > 0) throw tooMany('tries to sign in', waitMs);
}

/** A change that costs much, or tells something about others: counted for the person who asks for it. Throws `rate_limited`. */
export function countChange({ tries }: SignInParts, person: string): void {
  const waitMs = tries.person.take(`change ${person}`, Date.now());
  if (waitMs > 0) throw tooMany('changes', waitMs);
}

export const tooMany = (what: string, waitMs: number): RequestError =>
  new RequestError('rate_limited', `Too many ${what}. Try again in ${Math.ceil(waitMs / 1000)} seconds.`);

/** It was right: what came before was mistyped. */
export function forgive({ tries }: SignInParts, call: Call, name: string | null): void {
  if (name !== null) tries.person.forgive(name);
  tries.network.giveBack(call.network());
}

/** Notes failed tries in the audit log, at most one a minute and person. Nobody waits for it: how long it takes would tell that there is somebody. */
export function noteFailure(parts: SignInParts, call: Call, person: string, how: string): void {
  const nowMs = Date.now();
  if (nowMs - (notedAt.get(person) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return;
  if (notedAt.size >= MAX_NOTED) notedAt.clear();
  notedAt.set(person, nowMs);
  const noted = { person, action: 'user.sign_in_failed', details: { method: how }, isPerson: false } as const;
  const from = { requestId: call.requestId, address: call.address() };
  const write = async () => {
    const memberships = (await parts.store.person(person))?.memberships ?? [];
    await parts.note(memberships, { ...noted, session: null }, from);
  };
  void write().catch((error: unknown) => parts.onFault('A failed sign-in could not be noted', error));
}

/** Whether it is a code of the person's app or a recovery code, which is used by this. Throws `rate_limited` behind many that were wrong. */
export async function takesCode(parts: SignInParts, person: string, code: string): Promise<'app' | 'recovery' | null> {
  if (isRecoveryCode(code)) {
    const rows = await parts.write(sql.useRecoveryCode(person, hashOfRecoveryCode(code)));
    return rows.length > 0 ? 'recovery' : null;
  }
  const [row] = await parts.rows(sql.credentialsOf(person));
  const sealed = row?.['totp_sealed'] as string | null | undefined;
  if (sealed === undefined || sealed === null) return null;
  const waitMs = parts.tries.codes.take(person, Date.now());
  if (waitMs > 0) throw tooMany('codes', waitMs);
  const step = stepOf(parts.totp.open(sealed, person), code, Date.now());
  if (step === null) return null;
  if ((await parts.write(sql.useTotpStep(person, step))).length === 0) return null;
  parts.tries.codes.forgive(person);
  return 'app';
}

/** The browser that asks: the token in its cookie, or a new one that the answer has to set. */
export function holderOf({ cookie }: Pick<Call, 'cookie'>): { readonly holder: Buffer; readonly fresh: Token | null } {
  const token = tokenIn(cookie);
  if (token !== null) return { holder: hashOf(token), fresh: null };
  const fresh = newToken();
  return { holder: fresh.hash, fresh };
}

/** Asks this browser, and nobody else, once. Bounded by network, since each question is a row. */
export async function ask(
  parts: SignInParts,
  call: Call,
  holder: Buffer,
  purpose: sql.Purpose,
  options: Options,
  about: About | null = null,
): Promise<void> {
  if (parts.tries.questions.take(call.network(), Date.now()) > 0) {
    throw new RequestError('rate_limited', 'Too many questions to passkeys from this network. Try again in a minute.');
  }
  await parts.write(sql.putChallenge(holder, purpose, options.challenge, about));
}

/** What the answer of this browser must be about. It can be asked for once. Throws `passkey_invalid`. */
export async function asked(
  parts: SignInParts,
  call: Call,
  purpose: sql.Purpose,
): Promise<Expected & { readonly about: About | null }> {
  const token = tokenIn(call.cookie);
  const rows = token === null ? [] : await parts.write(sql.takeChallenge(hashOf(token), purpose, CHALLENGE_MS));
  const challenge = rows[0]?.['challenge'] as string | undefined;
  if (challenge === undefined) throw passkeyInvalid();
  const [nonce, approves] = [rows[0]?.['nonce'] as string | null, rows[0]?.['approves'] as string | null];
  const about = nonce === null || approves === null ? null : { nonce, approves };
  return { challenge, origin: call.place.origin, rpId: rpIdOf(call), about };
}

export function rpIdOf({ place }: Pick<Call, 'place'>): string {
  if (place.rpId !== null) return place.rpId;
  throw new RequestError(
    'passkey_invalid',
    'Passkeys need a name, and this is an address. Open the dashboard as localhost, or at the name of the service.',
  );
}

export const passkeyInvalid = (): RequestError =>
  new RequestError('passkey_invalid', 'The passkey did not answer this question in time. Try again.');

/** The passkey that answered, and its person; `owner`: who it has to be. `null`: it is wrong, unknown, removed or was used before. */
export async function personByPasskey(
  parts: SignInParts,
  response: object,
  expected: Expected,
  owner: OpenSession | null,
): Promise<{ readonly person: string; readonly passkey: string } | null> {
  const [row] = await parts.rows(sql.passkeyById(idIn(response)));
  if (row === undefined) return null;
  const person = idOf('usr', row['person_id'] as string);
  if (owner !== null && owner.person.id !== person) return null;
  const passkey = {
    id: row['id'] as string,
    publicKey: row['public_key'] as Buffer,
    counter: Number(row['counter']),
    transports: row['transports'] as string[],
  };
  const counter = await counterAfter(response, passkey, expected);
  if (counter === null) return null;
  return (await parts.write(sql.usePasskey(passkey.id, counter))).length > 0 ? { person, passkey: passkey.id } : null;
}
