/**
 * What the operator does with people, on the machine of the service: lets somebody in, makes links, confirms, and signs out. Links are bearer
 * secrets: they are printed once. Through the API: `tenancy/people/routes.ts`. Who calls this: `cli/dashboard.ts`, the first start.
 */
import { FIRST_MERCHANT } from '../core/company.ts';
import type { Role } from '../core/roles.ts';
import { idOf, newId, uuidOf } from '../core/values/ids.ts';
import type { Statement } from '../platform/db/wire/statement.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';
import { ensureEnvironment, type Run } from '../tenancy/keys/keys.ts';
import { environmentOf } from '../tenancy/keys/sql.ts';
import { addressKey } from '../tenancy/people/decide.ts';
import { linkMaker } from '../tenancy/people/links.ts';
import { keptLink } from '../tenancy/people/parts.ts';
import { ANYBODY, endSessionsOf, personByEmail, signOutAll } from '../tenancy/sessions/sql.ts';
import type { Submit } from './operator.ts';

/** A refusal, in the words of its message. */
export class PersonRefused extends Error {}

export interface PeopleOperator {
  readonly submit: Submit;
  /** On a connection of the tables' owner. */
  readonly run: Run;
  readonly secrets: ServerSecrets;
  /** Where people open the dashboard, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Invitation {
  readonly merchant: string;
  readonly livemode: boolean;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly Role[];
}

async function accepted({ submit }: PeopleOperator, ...[environmentId, command]: Parameters<Submit>): Promise<string> {
  const { status, body } = await submit(environmentId, command);
  if (status === 200) return body;
  throw new PersonRefused((JSON.parse(body) as { error: { message: string } }).error.message);
}

const partsOf = ({ run, secrets, baseUrl }: PeopleOperator) => ({
  maker: linkMaker(secrets),
  rows: run,
  baseUrl: () => baseUrl,
});

/** Lets somebody in as the operator, whose users need nobody's confirmation. Resolves with the link. Rejects with {@link PersonRefused}. */
export async function invitePerson(
  operator: PeopleOperator,
  { merchant, livemode, email, name, roles }: Invitation,
): Promise<{ readonly user: string; readonly url: string }> {
  const environmentId = await ensureEnvironment(operator.run, merchant, livemode);
  const parts = partsOf(operator);
  const link = parts.maker.make('invite');
  const user = newId('usr');
  const asked = { id: user, email, name, roles, beyond: [], link };
  await accepted(operator, environmentId, { type: 'create_user', ...asked });
  const url = await keptLink(parts, link, { environmentId, user, person: null, by: 'cli' });
  if (url === null) throw new PersonRefused('The link could not be kept. Run the command again.');
  return { user, url };
}

/** A link by which a person signs in (`login`), or sets a new password and passkey (`reset`). It belongs to no environment. */
export async function linkPerson(operator: PeopleOperator, email: string, kind: 'login' | 'reset'): Promise<string> {
  const person = await personOf(operator, email);
  const parts = partsOf(operator);
  const about = { environmentId: null, user: null, person, by: 'cli' } as const;
  const url = await keptLink(parts, parts.maker.make(kind), about);
  if (url === null) throw new PersonRefused('The link could not be kept. Run the command again.');
  return url;
}

/** The operator agrees that a user may approve. */
export async function confirmPerson(operator: PeopleOperator, user: string): Promise<void> {
  const [row] = await operator.run({ text: 'SELECT environment_id FROM users WHERE id = $1', values: [uuidOf(user)] });
  if (row === undefined) throw new PersonRefused(`No user ${user}. See: bursar dashboard list`);
  await accepted(operator, idOf('env', row['environment_id'] as string), { type: 'confirm_user', user });
}

/** Signs a person out, or everybody where `email` is `null`. Resolves with the number of sessions that ended. */
export async function endSessions(operator: PeopleOperator, email: string | null): Promise<number> {
  const statement = email === null ? signOutAll : endSessionsOf(await personOf(operator, email), null);
  return (await operator.run(statement)).length;
}

async function personOf({ run }: PeopleOperator, email: string): Promise<string> {
  const [row] = await run(personByEmail(addressKey(email)));
  if (row !== undefined) return idOf('usr', row['id'] as string);
  throw new PersonRefused(
    `Nobody has joined with the address ${email}. See who has: bursar dashboard list. Or let somebody in: bursar dashboard invite`,
  );
}

/** One user of one environment, as the command line lists it. */
export interface ListedPerson {
  readonly user: string;
  readonly email: string;
  readonly name: string | null;
  readonly merchant: string;
  readonly mode: 'live' | 'sandbox';
  readonly roles: readonly string[];
  readonly status: 'invited' | 'active' | 'suspended';
  readonly secondFactor: string;
  readonly mayApprove: boolean;
  /** Milliseconds. */
  readonly lastSeenAt: number | null;
  readonly sessions: number;
}

/** Everybody, by address, merchant and mode. */
export async function listPeople(run: Run): Promise<readonly ListedPerson[]> {
  const rows = await run({
    text: `SELECT u.id, COALESCE(p.email, u.email) AS email, COALESCE(u.name, p.name) AS name, m.name AS merchant, e.livemode, u.roles,
        u.person_id, u.suspended_at, u.confirmed_by, u.last_seen_at, p.second_factor,
        (SELECT count(*)::int4 FROM sessions s WHERE s.person_id = u.person_id AND s.ended_at IS NULL AND s.ends_at > now()) AS sessions
      FROM users u JOIN environments e ON e.environment_id = u.environment_id JOIN merchants m ON m.id = e.merchant_id
      LEFT JOIN people p ON p.id = u.person_id ORDER BY 2, m.name, e.livemode, u.id`,
    values: [],
  });
  return rows.map((row) => ({
    user: idOf('usr', row['id'] as string),
    email: row['email'] as string,
    name: row['name'] as string | null,
    merchant: row['merchant'] as string,
    mode: row['livemode'] === true ? 'live' : 'sandbox',
    roles: row['roles'] as string[],
    status: row['suspended_at'] !== null ? 'suspended' : row['person_id'] === null ? 'invited' : 'active',
    secondFactor: (row['second_factor'] as string | null) ?? 'none',
    mayApprove: row['confirmed_by'] !== null,
    lastSeenAt: row['last_seen_at'] as number | null,
    sessions: row['sessions'] as number,
  }));
}

/** The only person, where it has set up nothing to sign in by: it came by an earlier link, and its browser was closed. */
const ONLY_PERSON: Statement = {
  name: 'only_person_without_way_in',
  text: `SELECT p.id FROM people p WHERE NOT EXISTS (SELECT FROM people o WHERE o.id <> p.id)
    AND NOT EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id AND k.removed_at IS NULL)
    AND NOT EXISTS (SELECT FROM person_credentials c WHERE c.person_id = p.id AND c.password_hash IS NOT NULL)`,
  values: [],
};

async function linkOfOnly(run: Run, secrets: ServerSecrets, baseUrl: string): Promise<string | null> {
  const [row] = await run(ONLY_PERSON);
  if (row === undefined) return null;
  const parts = { maker: linkMaker(secrets), rows: run, baseUrl: () => baseUrl };
  const person = idOf('usr', row['id'] as string);
  return keptLink(parts, parts.maker.make('reset'), { environmentId: null, user: null, person, by: 'cli' });
}

/**
 * The link for the first person, who is there for the sandbox alone, or for the only one who cannot come back yet; `null`: somebody is there. For an installation that nobody but this machine
 * reaches, with a database of its own. One of an earlier start ends.
 */
export async function firstLink(run: Run, secrets: ServerSecrets, baseUrl: string): Promise<string | null> {
  const [found] = await run(ANYBODY);
  const [sandbox] = await run(environmentOf(FIRST_MERCHANT, false));
  if (found?.['any'] !== false) return linkOfOnly(run, secrets, baseUrl);
  if (sandbox === undefined) return null;
  await run({ text: `UPDATE one_time_links SET used_at = now() WHERE kind = 'claim' AND used_at IS NULL`, values: [] });
  const parts = { maker: linkMaker(secrets), rows: run, baseUrl: () => baseUrl };
  const environmentId = idOf('env', sandbox['environment_id'] as string);
  return keptLink(parts, parts.maker.make('claim'), { environmentId, user: null, person: null, by: 'cli' });
}
