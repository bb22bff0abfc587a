/**
 * Passkeys: what the browser wants as bytes and the server sends as base64url, and back. Instead of a library, since this is all of it. Errors of
 * the browser become one sentence for people; `null` where the person closed the dialog.
 */
import { base64url, bytesOf } from './bytes.ts';

interface Named {
  readonly id: string;
  readonly type: 'public-key';
  readonly transports?: readonly string[];
}

/** As `@simplewebauthn/server` makes them. */
export interface CreationJson {
  readonly challenge: string;
  readonly rp: { readonly id?: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly alg: number; readonly type: 'public-key' }[];
  readonly timeout?: number;
  readonly excludeCredentials?: readonly Named[];
  readonly authenticatorSelection?: AuthenticatorSelectionCriteria;
  readonly attestation?: AttestationConveyancePreference;
}

export interface RequestJson {
  readonly challenge: string;
  readonly rpId?: string;
  readonly timeout?: number;
  readonly allowCredentials?: readonly Named[];
  readonly userVerification?: UserVerificationRequirement;
}

const namedBytes = (list: readonly Named[] | undefined): PublicKeyCredentialDescriptor[] =>
  (list ?? []).map(({ id, type, transports }) => ({
    id: bytesOf(id),
    type,
    ...(transports !== undefined && { transports: transports as AuthenticatorTransport[] }),
  }));

/** False where the page has no secure context or the browser no passkeys. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && window.isSecureContext;

/** Makes a passkey on this device; the answer goes to the server as it is. */
export async function makePasskey(options: CreationJson): Promise<object> {
  const { challenge, user, excludeCredentials, pubKeyCredParams, ...others } = options;
  const made = await navigator.credentials.create({
    publicKey: {
      ...others,
      pubKeyCredParams: [...pubKeyCredParams],
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: namedBytes(excludeCredentials),
    },
  });
  if (!(made instanceof PublicKeyCredential)) throw new Error('The browser made no passkey.');
  const answer = made.response as AuthenticatorAttestationResponse;
  return {
    ...answerOf(made),
    response: {
      clientDataJSON: base64url(answer.clientDataJSON),
      attestationObject: base64url(answer.attestationObject),
      transports: answer.getTransports(),
    },
  };
}

/** Signs with a passkey; the answer goes to the server as it is. */
export async function usePasskey(options: RequestJson): Promise<object> {
  const { challenge, allowCredentials, ...others } = options;
  const used = await navigator.credentials.get({
    publicKey: { ...others, challenge: bytesOf(challenge), allowCredentials: namedBytes(allowCredentials) },
  });
  if (!(used instanceof PublicKeyCredential)) throw new Error('The browser used no passkey.');
  const answer = used.response as AuthenticatorAssertionResponse;
  return {
    ...answerOf(used),
    response: {
      clientDataJSON: base64url(answer.clientDataJSON),
      authenticatorData: base64url(answer.authenticatorData),
      signature: base64url(answer.signature),
      ...(answer.userHandle !== null && { userHandle: base64url(answer.userHandle) }),
    },
  };
}

const answerOf = (credential: PublicKeyCredential) => ({
  id: credential.id,
  rawId: base64url(credential.rawId),
  type: credential.type,
  clientExtensionResults: credential.getClientExtensionResults(),
  ...(credential.authenticatorAttachment !== null && {
    authenticatorAttachment: credential.authenticatorAttachment,
  }),
});

/** What a fault of the browser means; its own texts speak to programmers. */
export function passkeyFault(error: unknown): string | null {
  if (!(error instanceof DOMException)) return null;
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') {
    return 'No passkey was used: the dialog was closed, or its time was over. Try again.';
  }
  if (error.name === 'InvalidStateError') return 'This device has a passkey for you already.';
  if (error.name === 'SecurityError') return 'Passkeys work here only by https, or at http://localhost.';
  if (error.name === 'NotSupportedError') return 'This device has no kind of passkey that the service takes.';
  return 'The passkey did not work. Try again, or sign in with your password.';
}
