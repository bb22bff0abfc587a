/**
 * From a session to its caller in one environment: who the person is there, and what its roles are worth now. The environment is named by the
 * request and never kept, so that two tabs with two modes cannot be mixed up. A session always has scopes. Next: `store.ts`; what a
 * request must look like before: `platform/http/door.ts`.
 */
import type { Role } from '../../core/roles.ts';
import { RequestError } from '../../core/values/errors.ts';
import { isId } from '../../core/values/ids.ts';
import type { Visit } from '../../platform/http/door.ts';
import type { Caller, Session } from '../../platform/http/route.ts';
import type { Version } from '../../platform/http/version/versions.ts';
import { tokenIn } from './cookie.ts';
import { IDLE_MS, type Membership, type OpenSession, type SessionStore } from './store.ts';

export const ENVIRONMENT_HEADER = 'Bursar-Environment';

export interface AdmissionOptions {
  readonly store: SessionStore;
  /** The newest of the API. */
  readonly version: Version;
  /** What a person with these roles may do in an environment of this mode. */
  scopesOf(roles: readonly Role[], livemode: boolean): ReadonlySet<string>;
  needsSecondFactor(roles: readonly Role[], livemode: boolean): boolean;
}

export type AdmitSession = (
  visit: Visit,
  environment: string | undefined,
  isQuiet: boolean,
) => Promise<Caller> | Caller;

/** Rejects with `session_required`, `parameter_missing`, `parameter_invalid`, `environment_not_open` and `second_factor_required`. */
export function sessionAdmission(options: AdmissionOptions): AdmitSession {
  const { store } = options;
  const judge = (
    found: OpenSession | null,
    environment: string | undefined,
    isQuiet: boolean,
  ): Promise<Caller> | Caller => {
    if (found === null) throw sessionRequired();
    const membership = membershipIn(found, environment);
    const idleMs = Date.now() - found.seenAt;
    if (idleMs > (membership.livemode ? IDLE_MS.live : IDLE_MS.sandbox)) return timedOut(store, found);
    if (membership.livemode && !hasFactor(found, membership, options)) throw factorRequired(found);
    // What was left alone for longer than live allows is not woken up by a page of the sandbox: live stays shut until somebody signs in.
    if (!isQuiet && idleMs <= IDLE_MS.live) store.touch(found, membership);
    return callerOf(found, membership, options);
  };
  return (visit, environment, isQuiet) => {
    const token = tokenIn(visit.cookie);
    if (token === null) throw sessionRequired();
    const found = store.find(token, (look) => visit.lookUp(look, (session) => session !== null));
    if (found instanceof Promise) return found.then((session) => judge(session, environment, isQuiet));
    return judge(found, environment, isQuiet);
  };
}

/** Whoever comes by a link alone, and whoever decides about money or rights, has shown a second factor in this session. */
function hasFactor(found: OpenSession, { roles }: Membership, { needsSecondFactor }: AdmissionOptions): boolean {
  return found.secondFactor || (found.method !== 'claim' && !needsSecondFactor(roles, true));
}

async function timedOut(store: SessionStore, { person, id }: OpenSession): Promise<never> {
  await store.endOne(person.id, id);
  throw sessionRequired();
}

/** `seesAll` of shared answers is about keys: the scopes here are never `null`. */
function callerOf(found: OpenSession, membership: Membership, { version, scopesOf }: AdmissionOptions): Caller {
  const { environmentId, livemode, user, roles } = membership;
  const { id, method, secondFactor, steppedUpAt, steppedUpBy, endsAt, person } = found;
  const session: Session = { id, person: person.id, method, steppedUpAt, steppedUpBy, secondFactor };
  return {
    environmentId,
    livemode,
    actorId: user,
    lineage: [user],
    session,
    scopes: scopesOf(roles, livemode),
    accounts: null,
    allowedIps: null,
    isAllowedFrom: null,
    expiresAt: endsAt,
    version,
  };
}

/** The membership that a request names. A person of several merchants has to name the environment by its id. */
function membershipIn({ person }: OpenSession, named: string | undefined): Membership {
  if (named === undefined || named === '') {
    throw new RequestError(
      'parameter_missing',
      `Send the header ${ENVIRONMENT_HEADER}: sandbox, live or the id of an environment.`,
      {
        param: ENVIRONMENT_HEADER,
      },
    );
  }
  const isMode = named === 'sandbox' || named === 'live';
  if (!isMode && !isId('env', named)) {
    throw new RequestError(
      'parameter_invalid',
      `The header ${ENVIRONMENT_HEADER} must be sandbox, live or the id of an environment (env_…).`,
      { param: ENVIRONMENT_HEADER },
    );
  }
  const open = person.memberships.filter(({ isSuspended }) => !isSuspended);
  const fitting = open.filter((each) => (isMode ? each.livemode === (named === 'live') : each.environmentId === named));
  const [membership] = fitting;
  if (membership === undefined) {
    throw new RequestError('environment_not_open', `You have no role in ${isMode ? named : 'this environment'}.`);
  }
  if (fitting.length > 1) {
    throw new RequestError(
      'parameter_invalid',
      `You belong to several merchants, so the header ${ENVIRONMENT_HEADER} must be the id of an environment.`,
      { param: ENVIRONMENT_HEADER, allowed: fitting.map(({ environmentId }) => environmentId) },
    );
  }
  return membership;
}

export const sessionRequired = (): RequestError =>
  new RequestError('session_required', 'Nobody is signed in here, or the session has ended. Sign in.');

function factorRequired({ person }: OpenSession): RequestError {
  const has = person.hasPasskey || person.hasTotp;
  const next = has
    ? 'Show your passkey or a code once in this session.'
    : 'Add a passkey or an authenticator app to your account first.';
  return new RequestError('second_factor_required', `In live you need a second factor. ${next}`);
}
