/**
 * From a request to its caller, or the refusal. A key that this process knows costs no look-up. Made-up keys are counted by
 * client address (`keyless.ts`); once they are many they are not looked up. Then the answer is 429 and not 401: a key that this
 * process has not met yet may be valid, and clients give up on a 401. Next: `serve.ts`; keys: `tenancy/keys/authenticate.ts`.
 */
import type { FastifyRequest } from 'fastify';
import { RequestError } from '../../core/values/errors.ts';
import { keyIn, keyRefused } from './auth.ts';
import type { ClientAddresses } from './client-address.ts';
import type { Keyless } from './keyless.ts';
import { covers } from '../../core/scopes.ts';
import { STEP_UP_MS } from '../../core/roles.ts';
import type { Caller, Route, Scope } from './route.ts';

/** A key that is known and does not open anything: it has ended, or it came from an address that it does not allow. */
export interface RefusedKey {
  readonly environmentId: string;
  readonly keyId: string;
  readonly reason: 'revoked' | 'expired' | 'address';
}

/** Whose a key is; `null`: no such key. */
export type Found = Caller | RefusedKey | null;

/** Called with the look-up of a key that was never found valid; decides whether and when it happens. */
export type LookUp = (look: () => Promise<Found>) => Promise<Found>;

/** Not a promise when the key is cached. Without `lookUp`, unknown keys are looked up too. */
export type Authenticate = (keyText: string, lookUp?: LookUp) => Promise<Found> | Found;

export interface Admission {
  readonly authenticate: Authenticate;
  readonly keyless: Keyless;
  readonly clients: ClientAddresses;
  /** For the audit log. Must not throw. */
  onRefusedKey(key: RefusedKey, from: { readonly address: string; readonly requestId: string }): void;
}

export const isCaller = (found: Found): found is Caller => found !== null && 'livemode' in found;

/** Not a promise when the key is cached. Rejects with `refused`, `rate_limited`, or `ip_not_allowed`. */
export function admit(
  admission: Admission,
  request: FastifyRequest,
  refused: () => RequestError = keyRefused,
): Caller | Promise<Caller> {
  const { authenticate, keyless } = admission;
  let isCounted = false;
  const refuse = async (): Promise<never> => {
    if (!isCounted) await keyless.count(request);
    throw refused();
  };
  const judge = (found: Found): Caller | Promise<Caller> => {
    if (isCaller(found)) return found.isAllowedFrom === null ? found : fromAllowedAddress(admission, found, request);
    if (found !== null) note(admission, found, request);
    return refuse();
  };
  const keyText = keyIn(request.headers);
  if (keyText === undefined) return refuse();
  const found = authenticate(keyText, (look) => {
    isCounted = true;
    return keyless.lookUp(request, look, isCaller);
  });
  return found instanceof Promise ? found.then(judge) : judge(found);
}

async function fromAllowedAddress(admission: Admission, caller: Caller, request: FastifyRequest): Promise<Caller> {
  const address = admission.clients.addressOf(request);
  if (caller.isAllowedFrom?.(address)) return caller;
  const { environmentId, actorId: keyId } = caller;
  note(admission, { environmentId, keyId, reason: 'address' }, request);
  throw new RequestError(
    'ip_not_allowed',
    `This key may not be used from ${address}. Its allowed_ips name other addresses. Send the request from one of these, or use another key.`,
  );
}

function note({ clients, onRefusedKey }: Admission, key: RefusedKey, request: FastifyRequest): void {
  request.refusedKey = key;
  onRefusedKey(key, { address: clients.addressOf(request), requestId: request.id });
}

/** The scopes that a route needs, its own first. */
export const scopesOfRoute = ({ scope, alsoNeeds }: Pick<Route, 'scope' | 'alsoNeeds'>): readonly Scope[] =>
  [scope, alsoNeeds].filter((each) => each !== null && each !== undefined);

/** Throws `sandbox_only`, `step_up_required`, and `scope_missing` where a restricted key lacks what the route needs. */
export function permit(route: Route, caller: Caller): void {
  if (route.sandboxOnly && caller.livemode) {
    throw new RequestError(
      'sandbox_only',
      'Test helpers work with sandbox keys only; this is a live key. Use a key that begins with sk_test_ or rk_test_.',
    );
  }
  const { scopes, session } = caller;
  const lacking = scopes === null ? undefined : scopesOfRoute(route).find((scope) => !covers(scopes, scope));
  if (lacking !== undefined) {
    const message =
      session === null
        ? `This restricted key lacks the scope ${lacking}. Use a key that has it.`
        : `Your roles here lack the scope ${lacking}. Ask an administrator for a role that has it.`;
    throw new RequestError('scope_missing', message, { allowed: [...(scopes ?? [])] });
  }
  if (session === null || !caller.livemode || route.needsStepUp !== true) return;
  if (session.steppedUpAt !== null && Date.now() - session.steppedUpAt <= STEP_UP_MS) return;
  throw new RequestError(
    'step_up_required',
    'This decides about money or rights in live. Show your passkey or a code again, then send the same request.',
  );
}
