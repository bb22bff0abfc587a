/**
 * Passkeys (WebAuthn, by `@simplewebauthn/server`): what a browser is asked, and whether its answer is right. Discoverable, so that no name is
 * asked for, and with the person verified by the device, so that one is two factors. Who may ask: `sign-in.ts`, `account.ts`.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { uuidOf } from '../../core/values/ids.ts';

/** Loaded with the first passkey: it takes 23 MB and as long as three times the HTTP server, and whoever has keys only never needs it. */
const webauthn = () => import('@simplewebauthn/server');

/** Milliseconds that a browser waits for its person, and that a challenge is good for. */
export const CHALLENGE_MS = 300_000;

/** What a browser is asked to do, for `navigator.credentials`. */
export type Options = { readonly challenge: string } & Readonly<Record<string, unknown>>;

export interface Passkey {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** What an answer must be about: this challenge, asked at this origin for this name. */
export interface Expected {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
}

/** Of a person. */
export const MOST_PASSKEYS = 20;

export interface PasskeyOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}

export async function newPasskeyOptions(
  rpId: string,
  { id, name, email }: PasskeyOwner,
  known: readonly Pick<Passkey, 'id' | 'transports'>[],
): Promise<Options> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Bursar',
    rpID: rpId,
    userID: Uint8Array.from(Buffer.from(uuidOf(id).replaceAll('-', ''), 'hex')),
    userName: email ?? name,
    userDisplayName: name,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map((each) => ({ id: each.id, transports: [...each.transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

/** The new passkey; `null`: the answer is wrong, or about something else. */
export async function newPasskeyFrom(response: object, expected: Expected): Promise<Passkey | null> {
  const answer = response as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await verifyRegistrationResponse({
    response: answer,
    ...wanted(expected),
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter, transports: transportsIn(transports) };
}

/** `known`: the passkeys of a person who is known already; none: any that the browser has. `challenge`: left out, it is random. */
export async function assertionOptions(
  rpId: string,
  known: readonly Pick<Passkey, 'id' | 'transports'>[] = [],
  challenge?: Uint8Array<ArrayBuffer>,
): Promise<Options> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    ...(challenge !== undefined && { challenge }),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: known.map((each) => ({ id: each.id, transports: [...each.transports] })),
  });
  return { ...options };
}

/** At most 1,023 bytes in base64url. */
const ID = /^[\w-]{1,1364}$/;
/** The id of the passkey that an answer says it is of; '' where it says nothing. */
export function idIn(response: object): string {
  const { id } = response as { readonly id?: unknown };
  return typeof id === 'string' && ID.test(id) ? id : '';
}

/** How a browser reaches it, of its answer; words that are none are left out. No part of what is signed, so anything may stand there. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
const transportsIn = (said: unknown): readonly (typeof TRANSPORTS)[number][] =>
  Array.isArray(said) ? TRANSPORTS.filter((each) => said.includes(each)) : [];

/** The new count of signatures; `null`: the answer is wrong, about something else, or of a passkey that was copied. */
export async function counterAfter(response: object, passkey: Passkey, expected: Expected): Promise<number | null> {
  const { id, publicKey, counter, transports } = passkey;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    ...wanted(expected),
    expectedRPID: expected.rpId,
    requireUserVerification: true,
    credential: { id, publicKey: Uint8Array.from(publicKey), counter, transports: [...transports] },
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

const wanted = ({ challenge, origin, rpId }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
});
