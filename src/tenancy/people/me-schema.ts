/** Who asks, on the wire. */
import { isPerson } from '../../core/actor.ts';
import { ROLES, STEP_UP_MS } from '../../core/roles.ts';
import { RequestError } from '../../core/values/errors.ts';
import { idOf } from '../../core/values/ids.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import type { JsonSchema } from '../../platform/http/request/params.ts';
import type { Caller } from '../../platform/http/route.ts';

const textsOrNull = (description: string): JsonSchema => ({
  type: ['array', 'null'],
  items: { type: 'string' },
  description,
});

export const ME_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Me: strictObject('The key or person that asks, its environment, and what it may do there.', {
    object: { type: 'string', const: 'me' },
    livemode: { type: 'boolean' },
    sequence: { type: 'integer', description: 'Of the newest event; 0: there is none.' },
    now: {
      type: 'integer',
      description: 'The clock of the environment, in Unix seconds. That of a sandbox can be moved.',
    },
    merchant: strictObject('Whose environment it is.', {
      id: { type: 'string', description: 'mer_…' },
      name: { type: 'string', description: 'That of the settings; without one, as the operator calls it.' },
    }),
    environment: { type: 'string', description: 'The id of the environment.' },
    actor: strictObject('Who asks.', {
      id: { type: 'string', description: 'The id of the key, or of the user.' },
      name: { type: ['string', 'null'] },
      kind: { type: 'string', enum: ['key', 'user'] },
    }),
    scopes: textsOrNull('What it may do; `null`: everything.'),
    accounts: textsOrNull('The only accounts that it may see and use; `null`: all.'),
    roles: { type: ['array', 'null'], items: { type: 'string', enum: ROLES }, description: '`null`: it is a key.' },
    stepped_up_until: {
      type: ['integer', 'null'],
      description: 'Until when a factor counts that the person has shown again, in Unix seconds; `null`: none does.',
    },
  }),
};

/** `undefined`: the key or user has ended since it was admitted. */
export function renderMe(
  row: Row | undefined,
  { environmentId, livemode, actorId, session, scopes, accounts }: Caller,
): string {
  if (row === undefined) throw new RequestError('api_key_invalid', 'The key or session has ended.');
  const until = session?.steppedUpAt == null ? null : session.steppedUpAt + STEP_UP_MS;
  return JSON.stringify({
    object: 'me',
    livemode,
    sequence: Number(row['last_sequence']),
    now: unixSeconds(Math.max((row['now'] as number) + Number(row['clock_offset_ms']), row['last_at'] as number)),
    merchant: { id: idOf('mer', row['merchant_id'] as string), name: row['merchant'] },
    environment: environmentId,
    actor: { id: actorId, name: row['name'] ?? null, kind: isPerson(actorId) ? 'user' : 'key' },
    scopes: scopes && [...scopes].toSorted(),
    accounts: accounts && [...accounts],
    roles: (row['roles'] as readonly string[] | null | undefined) ?? null,
    stepped_up_until: until === null || until <= (row['now'] as number) ? null : unixSeconds(until),
  });
}
