/**
 * From a request to its caller, or the refusal. A key that this process knows costs no look-up. Made-up keys are counted by
 * client address (`keyless.ts`); once they are many they are not looked up. Then the answer is 429 and not 401: a key that this
 * process has not met yet may be valid, and clients give up on a 401. Next: `serve.ts`; keys: `keys/authenticate.ts`.
 */
import type { FastifyRequest } from 'fastify';
import type { RequestError } from '../core/errors.ts';
import { keyIn, keyRefused } from './auth.ts';
import type { Keyless } from './keyless.ts';
import type { Caller } from './route.ts';

/** Called with the look-up of a key that was never found valid; decides whether and when it happens. */
export type LookUp = (look: () => Promise<Caller | null>) => Promise<Caller | null>;

/** The caller of a key; null for an invalid key. Not a promise when the key is cached. Without `lookUp`, unknown keys are too. */
export type Authenticate = (keyText: string, lookUp?: LookUp) => Promise<Caller | null> | Caller | null;

export interface Admission {
  readonly authenticate: Authenticate;
  readonly keyless: Keyless;
}

/** Not a promise when the key is cached. Rejects with `refused`, or with `rate_limited`. */
export function admit(
  { authenticate, keyless }: Admission,
  request: FastifyRequest,
  refused: () => RequestError = keyRefused,
): Caller | Promise<Caller> {
  let isCounted = false;
  const refuse = async (): Promise<never> => {
    if (!isCounted) await keyless.count(request);
    throw refused();
  };
  const keyText = keyIn(request.headers.authorization);
  if (keyText === undefined) return refuse();
  const found = authenticate(keyText, (look) => {
    isCounted = true;
    return keyless.lookUp(request, look);
  });
  if (!(found instanceof Promise)) return found ?? refuse();
  return found.then((caller) => caller ?? refuse());
}
