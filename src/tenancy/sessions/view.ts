/** A session as its browser sees it: who, what it opens, and what is still missing. Instants are Unix seconds. */
import { unixSeconds } from '../../core/values/time.ts';
import { STEP_UP_MS } from '../../core/roles.ts';
import type { Answer } from '../../platform/http/route.ts';
import { cookieWith, COOKIE_REMOVED, type Token } from './cookie.ts';
import type { SignInParts } from './parts.ts';
import type { Membership, OpenSession, Person } from './store.ts';

export const answered = (body: object, cookie?: string): Answer => ({
  status: 200,
  body: JSON.stringify(body),
  ...(cookie !== undefined && { headers: { 'Set-Cookie': cookie } }),
});

/** The address of the first person, until there is another one. */
export const FIRST_EMAIL = 'admin@localhost';

/** Nobody is signed in. */
export const NOBODY = { object: 'session', person: null, environments: [], needs: null } as const;
export const signedOut = (): Answer => answered(NOBODY, COOKIE_REMOVED);

/** The session with the cookie of its new token. */
export const opened = (session: OpenSession, token: Token, parts: SignInParts): Answer =>
  answered(shown(session, parts), cookieWith(token.text));

export function shown(session: OpenSession, parts: Pick<SignInParts, 'needsSecondFactor'>): object {
  const { person, endsAt, steppedUpAt } = session;
  const until = steppedUpAt === null ? null : steppedUpAt + STEP_UP_MS;
  return {
    object: 'session',
    id: session.id,
    method: session.method,
    second_factor: session.secondFactor,
    person: {
      id: person.id,
      name: person.name ?? '',
      email: person.email === FIRST_EMAIL ? null : person.email,
      second_factor: person.hasPasskey ? 'passkey' : person.hasTotp ? 'totp' : 'none',
      methods: methodsOf(person),
    },
    environments: person.memberships.map(environment),
    ends_at: unixSeconds(endsAt),
    stepped_up_until: until === null || until < Date.now() ? null : unixSeconds(until),
    needs: needsEnrolment(person, parts) ? 'enrol' : null,
  };
}

const methodsOf = ({ hasPasskey, hasPassword, hasTotp }: Person): readonly string[] => [
  ...(hasPasskey ? ['passkey'] : []),
  ...(hasPassword ? ['password'] : []),
  ...(hasTotp ? ['totp'] : []),
];

const environment = ({ environmentId, livemode, merchant, roles, user, isSuspended }: Membership) => ({
  id: environmentId,
  merchant,
  livemode,
  mode: livemode ? 'live' : 'sandbox',
  user,
  roles,
  status: isSuspended ? 'suspended' : 'active',
});

export const hasWayIn = ({ hasPasskey, hasPassword }: Person): boolean => hasPasskey || hasPassword;

/** Whether the person could not come back, or not to all that its roles are for. */
function needsEnrolment(person: Person, { needsSecondFactor }: Pick<SignInParts, 'needsSecondFactor'>): boolean {
  if (!hasWayIn(person)) return true;
  if (person.hasPasskey || person.hasTotp) return false;
  return person.memberships.some(
    ({ roles, livemode, isSuspended }) => !isSuspended && needsSecondFactor(roles, livemode),
  );
}
