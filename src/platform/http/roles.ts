/** The scopes of roles (`core/roles.ts`), out of all that there are. Never `null`: a session always has scopes. */
import { type Role, ROLES, scopesOfRoles } from '../../core/roles.ts';
import { covers } from '../../core/scopes.ts';
import { type Caller, SCOPES } from './route.ts';

/** What a person with these roles may do in an environment of this mode; nothing without a role. */
export const scopesOf = (roles: readonly Role[], livemode: boolean): ReadonlySet<string> =>
  scopesOfRoles(roles, livemode, SCOPES);

/** The roles that hold more than these scopes, so that who has them gives none of those. `null`: a secret key, which holds everything. */
export function rolesBeyond(scopes: ReadonlySet<string> | null, livemode: boolean): readonly Role[] {
  if (scopes === null) return [];
  return ROLES.filter((role) => ![...scopesOf([role], livemode)].every((scope) => covers(scopes, scope)));
}

/** A person who lets people in. In an emergency it ends any key: that takes nothing which it would have to hold. */
export const isAdministrator = ({ session, scopes }: Caller): boolean =>
  session !== null && scopes !== null && covers(scopes, 'users:write');
