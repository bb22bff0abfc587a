/**
 * Who asked for a change: an API key, a person, or a part of the service itself. Kept with every event, payout and transfer. Inside
 * and on the wire an actor is text: the id of a key or of a user, or a word such as `worker`. In the database it is a uuid: that of the
 * key, which is a UUIDv7, or a UUIDv8. A UUIDv8 is that of a user, or with the instant 0 it spells the word's number (decision 0104).
 */
import { encodeId, idOf, isId, uuidOf } from './values/ids.ts';
import type { JsonSchema } from './values/json-schema.ts';

/**
 * `worker`: things due by themselves (settlement, expiry, deliveries). `visitor`: a person on a payment page. `acquirer`: reports
 * about card payments. `cli`: the command line and the first start. `second_person`: whom a test helper of the sandbox stands for. Only ever append: their numbers are in databases.
 */
export const SERVICE_ACTORS = ['worker', 'visitor', 'acquirer', 'cli', 'second_person'] as const;
export type ServiceActor = (typeof SERVICE_ACTORS)[number];
/** The id of a key or of a user, or a {@link ServiceActor}. */
export type Actor = `key_${string}` | `usr_${string}` | ServiceActor;

/** Where a uuid as text has its version. */
const VERSION_AT = 14;
const isVersion8 = (uuid: string): boolean => uuid[VERSION_AT] === '8';

/** Whether it is the id of a key or a user in shape, with the version of UUID that such ids have: no other actor has the same uuid. */
export const isActorId = (text: string): boolean =>
  (isId('key', text) && !isVersion8(uuidOf(text))) || (isId('usr', text) && isVersion8(uuidOf(text)));

export const isPerson = (actor: string): actor is `usr_${string}` => actor.startsWith('usr_');

const ids = new Map<string, string>(
  SERVICE_ACTORS.map((word, index) => {
    const bytes = new Uint8Array(16);
    bytes[6] = 0x80;
    bytes[8] = 0x80;
    bytes[15] = index + 1;
    return [word, encodeId('key', bytes)];
  }),
);
const words = new Map(Array.from(ids, ([word, id]) => [id, word]));

export const actorId = (actor: Actor | null): string | null => (actor === null ? null : (ids.get(actor) ?? actor));

/** The actor of a uuid as PostgreSQL prints it; `null` for rows from before actors were kept. */
export function actorOf(uuid: string | null): Actor | null {
  if (uuid === null) return null;
  if (!isVersion8(uuid)) return idOf('key', uuid) as Actor;
  return (words.get(idOf('key', uuid)) ?? idOf('usr', uuid)) as Actor;
}

export const ACTOR_SCHEMA: JsonSchema = {
  type: ['string', 'null'],
  description: `Who asked for it: an API key by the id of the first key of its line (rolling a key keeps its line), a user by its id, or ${SERVICE_ACTORS.map((word) => `\`${word}\``).join(', ')}. \`null\` on objects that are older than this member.`,
};
