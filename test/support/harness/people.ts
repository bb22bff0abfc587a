/** Users as literals, for tests of decisions; and a person who has joined, for tests with a server. */
import type { Actor } from '../../../src/core/actor.ts';
import { idOf, uuidOf } from '../../../src/core/values/ids.ts';
import { NOBODY, type User } from '../../../src/tenancy/people/fields.ts';
import { insertPerson } from '../../../src/tenancy/people/sql.ts';
import { addressKey } from '../../../src/tenancy/people/decide.ts';
import type { Application, Holder } from './application.ts';
import { BEFORE } from './literals.ts';

/** The nth user: a UUIDv8, as every id of a user is. */
export const userId = (n: number): Actor & `usr_${string}` =>
  idOf('usr', `00000000-0001-8000-8000-${n.toString(16).padStart(12, '0')}`) as `usr_${string}`;

/** Active, let in by the command line, and confirmed. */
export function user(n: number, fields: Partial<User> = {}): User {
  return {
    object: 'user',
    id: userId(n),
    ...NOBODY,
    invitedEmail: `person-${n}@example.com`,
    givenName: `Person ${n}`,
    roles: ['viewer'],
    person: userId(n),
    suspendedAt: null,
    lastSeenAt: null,
    createdBy: 'cli',
    confirmedBy: 'cli',
    letInBy: ['cli'],
    createdAt: BEFORE,
    ...fields,
  };
}

/** Who asks in a session of that user. */
export const asUser = (id: string) => ({ actor: id as Actor, lineage: [id] });

/** The person of an invitation joins, as the door does it. */
export async function join(
  application: Application,
  { environmentId }: Pick<Holder, 'environmentId'>,
  invited: { readonly id: string; readonly email: string },
  known?: string,
): Promise<string> {
  const person = known ?? invited.id;
  if (known === undefined) {
    const { text, values } = insertPerson({
      id: person,
      email: invited.email,
      emailKey: addressKey(invited.email),
      name: 'Self',
    });
    await application.sql(text, values);
  }
  const [row] = await application.sql('SELECT email, name FROM people WHERE id = $1', [uuidOf(person)]);
  const ofPerson = { personEmail: row?.['email'] as string, personName: row?.['name'] as string, secondFactor: null };
  await application.submit(
    environmentId,
    { type: 'join_user', user: invited.id, person, ofPerson },
    asUser(invited.id),
  );
  return person;
}
