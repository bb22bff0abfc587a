/**
 * The endpoints of the door beside `session` itself (`api/session.ts`): everything that a person does for their own sign-in. These are the only
 * calls that no key can make. All throw `BursarError`.
 */
import { door as call } from '../api/client.ts';
import type { Instant, SessionAnswer } from '../api/shapes.ts';
import type { Seen } from '../api/step-up.ts';
import type { CreationJson, RequestJson } from './webauthn.ts';

export interface SessionRow {
  readonly id: string;
  readonly created: Instant;
  readonly seen_at: Instant | null;
  readonly ends_at: Instant;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly method: string;
  readonly current: boolean;
}

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly created: Instant;
  readonly last_used_at: Instant | null;
  /** The name of the place at which it works. */
  readonly host?: string;
}

interface Listed<T> {
  readonly data: readonly T[];
}

const post = <T = unknown>(path: string, body: object = {}): Promise<T> => call<T>('POST', path, body);
const at = (path: string, id: string, verb: string): string => `${path}/${encodeURIComponent(id)}/${verb}`;

export const door = {
  claim: (token: string) => post<SessionAnswer>('session/claim', { token }),
  /** Refused as `second_factor_required` where the password was right and a code is missing. */
  password: (given: { email: string; password: string; code?: string }) => post('session/password', given),
  passkeyOptions: () => post<RequestJson>('session/passkey/options'),
  passkeyVerify: (assertion: object) => post('session/passkey/verify', { assertion }),
  end: () => post('session/end'),
  sessions: () => call<Listed<SessionRow>>('GET', 'sessions'),
  endSession: (id: string) => post(at('sessions', id, 'end')),
  endOthers: () => post('sessions/end_others'),
  person: (given: { name: string; email?: string; password?: string }) => post('person', given),
  newPasskey: () => post<CreationJson>('passkeys/options'),
  addPasskey: (attestation: object, name: string) => post('passkeys', { attestation, name }),
  passkeys: () => call<Listed<PasskeyRow>>('GET', 'passkeys'),
  removePasskey: (id: string) => post(at('passkeys', id, 'remove')),
  startTotp: () => post<{ readonly secret: string; readonly uri: string }>('totp/start'),
  confirmTotp: (code: string) => post<{ readonly recovery_codes: readonly string[] }>('totp/confirm', { code }),
  /** `approves`: what the passkey signs. */
  stepUpOptions: (approves: readonly Seen[]) =>
    post<RequestJson>('step_up/options', approves.length === 0 ? {} : { approves }),
  stepUp: (given: { assertion: object } | { code: string }) => post('step_up', given),
};
