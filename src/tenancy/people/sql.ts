/** The statements of users and of people. Of links: `links.ts`. */
import { uuidOf } from '../../core/values/ids.ts';
import { uuids } from '../../platform/db/wire/columns.ts';
import { keyed } from '../../platform/db/wire/keyed.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { type ObjectTable, tableOf } from '../../platform/db/wire/table.ts';
import { type OfPerson, USER, type User } from './fields.ts';

const STORED = tableOf(USER, 'users');

/** With what is shown of the person, by the primary key of people. */
const columns = (alias: string, prefix = ''): string => {
  const ofPerson = (column: string, name: string) =>
    `(SELECT p.${column} FROM people p WHERE p.id = ${alias}.person_id) AS ${prefix}${name}`;
  return [
    STORED.columns(alias, prefix),
    ofPerson('email', 'person_email'),
    ofPerson('name', 'person_name'),
    ofPerson('second_factor', 'second_factor'),
  ].join(', ');
};

export const USERS: ObjectTable<User> = {
  ...STORED,
  columns,
  load: keyed({ name: STORED.name, columns }),
  read: (row, prefix = '') => ({
    ...STORED.read(row, prefix),
    personEmail: (row[`${prefix}person_email`] as string | null | undefined) ?? null,
    personName: (row[`${prefix}person_name`] as string | null | undefined) ?? null,
    secondFactor: (row[`${prefix}second_factor`] as OfPerson['secondFactor'] | undefined) ?? null,
  }),
};

/** All users of these environments, by primary key; at most 1,000 each. */
export const loadUsersOf = (environmentIds: readonly string[]): Statement => ({
  name: 'load_users_of',
  text: `SELECT ${columns('u')} FROM users u WHERE u.environment_id = ANY ($1::uuid[])`,
  values: [uuids(environmentIds)],
});

/** Once a minute at most, outside the path: like the last use of a key. */
export const markSeen = (environmentId: string, user: string): Statement => ({
  name: 'mark_user_seen',
  text: 'UPDATE users SET last_seen_at = now() WHERE environment_id = $1 AND id = $2',
  values: [uuidOf(environmentId), uuidOf(user)],
});

/**
 * Whether the person of a user is a user elsewhere than here and, for a live environment, in the sandbox of the same merchant. Who resets a
 * person could sign in there (index users_person).
 */
export const usersElsewhere = (environmentId: string, user: string): Statement => ({
  name: 'users_elsewhere',
  text: `SELECT 1 FROM users u
      JOIN environments h ON h.environment_id = u.environment_id
      JOIN users o ON o.person_id = u.person_id AND o.environment_id <> u.environment_id
      JOIN environments e ON e.environment_id = o.environment_id
      WHERE u.environment_id = $1 AND u.id = $2 AND NOT (h.livemode AND NOT e.livemode AND e.merchant_id = h.merchant_id) LIMIT 1`,
  values: [uuidOf(environmentId), uuidOf(user)],
});

/** A new person, as the user that joins. No row comes back where the address is taken. */
export const insertPerson = (person: {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly name: string | null;
}): Statement => ({
  name: 'insert_person',
  text: `INSERT INTO people (id, email, email_lower, name) VALUES ($1, $2, $3, $4) ON CONFLICT (email_lower) DO NOTHING RETURNING id`,
  values: [uuidOf(person.id), person.email, person.emailKey, person.name],
});

const ENVIRONMENT = `now() AS now, e.clock_offset_ms, greatest(e.last_at, 'epoch') AS last_at, e.last_sequence, e.merchant_id,
    COALESCE((SELECT s.name FROM settings s WHERE s.environment_id = e.environment_id LIMIT 1), m.name) AS merchant
    FROM environments e JOIN merchants m ON m.id = e.merchant_id`;

/** A key, with its environment; by index api_keys_environment. */
export const actorOfKey = (environmentId: string, key: string): Statement => ({
  name: 'actor_of_key',
  text: `SELECT k.name, ${ENVIRONMENT} JOIN api_keys k ON k.environment_id = e.environment_id AND k.id = $2
      WHERE e.environment_id = $1`,
  values: [uuidOf(environmentId), uuidOf(key)],
});

/** A user, with its environment; by primary keys. */
export const actorOfUser = (environmentId: string, user: string): Statement => ({
  name: 'actor_of_user',
  text: `SELECT COALESCE(u.name, p.name) AS name, u.roles, ${ENVIRONMENT}
      JOIN users u ON u.environment_id = e.environment_id AND u.id = $2 LEFT JOIN people p ON p.id = u.person_id
      WHERE e.environment_id = $1`,
  values: [uuidOf(environmentId), uuidOf(user)],
});

/** What these keys and users are called; by primary key, and by index api_keys_environment. */
export const namesOfActors = (environmentId: string, actors: readonly string[]): Statement => ({
  name: 'names_of_actors',
  text: `SELECT k.id, k.name, 'key' AS kind FROM api_keys k WHERE k.environment_id = $1 AND k.id = ANY ($2::uuid[])
      UNION ALL SELECT u.id, COALESCE(u.name, p.name), 'user' FROM users u LEFT JOIN people p ON p.id = u.person_id
        WHERE u.environment_id = $1 AND u.id = ANY ($2::uuid[])`,
  values: [uuidOf(environmentId), uuids(actors)],
});
