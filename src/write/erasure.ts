/**
 * Erases a person in the tables, as their owner: reads and rewrites the past. Decisions:
 * `paying/recipients/redact.ts` and `core/redact.ts`.
 */
import { GAP } from '../core/rails/destination.ts';
import type { Erasure, Past } from '../core/erasure.ts';
import { assert } from '../core/values/assert.ts';
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { State } from '../core/state.ts';
import { int4s, int8s, texts, uuids } from '../platform/db/wire/columns.ts';
import type { Key, Row, Statement } from '../platform/db/wire/statement.ts';
import { unnest } from '../platform/db/wire/unnest.ts';
import type { RecipientSeals } from '../paying/recipients/sealing.ts';
import { ownRecordKey } from './idempotency.ts';

/** The instant in an id. */
const INSTANT_OF_TRANSFER = `to_timestamp(('x' || left(replace(p.transfer_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/**
 * Of recipients, payment links, payments, expected payments and bank entries; what is of another kind finds nothing. By primary keys and the
 * indexes payouts_recipient, payments_link and events_object.
 */
export function loadPasts(keys: readonly Key[]): Statement {
  return {
    name: 'load_pasts',
    text: `SELECT k.e AS environment_id, k.i AS id, p.open, e.events, v.versions, greatest(p.paid,
        (SELECT max(${INSTANT_OF_TRANSFER}) FROM payments p WHERE p.environment_id = k.e AND p.link_id = k.i),
        (SELECT ${INSTANT_OF_TRANSFER} FROM payments p WHERE p.environment_id = k.e AND p.id = k.i),
        (SELECT ${INSTANT_OF_TRANSFER} FROM expected_payments p WHERE p.environment_id = k.e AND p.id = k.i),
        (SELECT coalesce(b.booked_on::timestamp AT TIME ZONE 'UTC', b.created_at) FROM bank_entries b
          WHERE b.environment_id = k.e AND b.id = k.i)) AS moved
      FROM ${unnest({ e: 'uuid', i: 'uuid' })} AS k
      CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE p.status IN ('waiting', 'pending', 'in_transit'))::int4 AS open,
          max(p.ended_at) FILTER (WHERE p.status IN ('paid', 'returned')) AS paid
        FROM payouts p WHERE p.recipient_id = k.i AND p.environment_id = k.e) AS p
      CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object('sequence', e.sequence::text, 'object', e.object,
          'previous', e.previous_attributes, 'key', e.idempotency_key, 'request', e.request_id) ORDER BY e.sequence), '[]')::text AS events
        FROM events e WHERE e.object_id = k.i AND e.environment_id = k.e) AS e
      CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object('version', v.version, 'name', v.name, 'details', v.bank_details::text)), '[]')::text
          AS versions FROM recipient_versions v WHERE v.environment_id = k.e AND v.recipient_id = k.i) AS v`,
    values: [uuids(keys.map(({ environmentId }) => environmentId)), uuids(keys.map(({ id }) => id))],
  };
}

interface EventRow {
  readonly sequence: string;
  readonly object: string;
  readonly previous: string | null;
  readonly key: string | null;
  readonly request: string | null;
}

/** `wanted`: among them the one that the row is about. `detailsOf` opens bank details. Throws `SealError`. */
export function pastOf(
  row: Row,
  wanted: readonly Key[],
  detailsOf: RecipientSeals['detailsOf'],
): { readonly id: string; readonly past: Past } {
  const id = wanted.find((key) => uuidOf(key.id) === row['id'])?.id;
  assert(id, 'no past is read that was not asked for');
  const events = JSON.parse(row['events'] as string) as readonly EventRow[];
  const versions = JSON.parse(row['versions'] as string) as readonly {
    version: number;
    name: string;
    details: string;
  }[];
  const keys = events.flatMap(({ key, request }) => {
    if (key !== null || request === null) return key ?? [];
    const id = idOf('req', request);
    return [id, ownRecordKey(id)]; // records from before such names had the id alone
  });
  const past: Past = {
    openPayouts: row['open'] as number,
    lastMovedAt: row['moved'] as number | null,
    events: events.map(({ sequence, object, previous }) => ({ sequence: BigInt(sequence), object, previous })),
    versions: versions.map(({ version, name, details }) => ({ version, name, bankDetails: detailsOf(details, id) })),
    keys: [...new Set(keys)],
  };
  return { id, past };
}

/** Events keep their sequences. Records stay, so that their keys are not used anew, but what they answered and were asked is gone. */
export function* erasureStatements(
  states: readonly State[],
  sealedDetails: RecipientSeals['sealedDetails'],
): Generator<Statement> {
  for (const { environment, erasures } of states) {
    const environmentUuid = uuidOf(environment.id);
    for (const { id, name, events, versions, keys, person } of erasures) {
      const uuid = uuidOf(id);
      const sequences = int8s(events.map(({ sequence }) => sequence));
      yield {
        text: `UPDATE events AS t SET object = v.o, previous_attributes = v.p, shape = NULL
          FROM (SELECT unnest($2::int8[]) AS s, unnest($3::text[]) AS o, unnest($4::text[]) AS p) AS v
          WHERE t.environment_id = $1 AND t.sequence = v.s`,
        values: [
          environmentUuid,
          sequences,
          texts(events.map(({ object }) => object)),
          texts(events.map(({ previous }) => previous)),
        ],
      };
      yield withoutAnswers(environmentUuid, '$2::int8[]', sequences);
      if (versions.length > 0) {
        const details = versions.map(({ bankDetails }) => JSON.stringify(sealedDetails(bankDetails, id)));
        yield* ofRecipient(environmentUuid, uuid, { name, versions }, details);
      }
      yield {
        text: `UPDATE idempotency_records SET fingerprint = '', body = CASE WHEN body IS NULL THEN NULL ELSE '{}' END
          WHERE environment_id = $1 AND (key = ANY ($3::text[]) OR (resource_prefix IN ('rcp', 'plink', 'pay', 'xp', 'be', 'usr') AND body IS NOT NULL AND resource_id = $2))`,
        values: [environmentUuid, uuid, texts(keys)],
      };
      if (person) yield withoutUsers(person);
    }
  }
}

/**
 * A person who is a user of no environment any more, with what it signed in by and its sessions; links go with it. The user of this erasure
 * has let go of it before.
 */
const withoutUsers = (person: string): Statement => ({
  text: `WITH gone AS (
      DELETE FROM people p WHERE p.id = $1 AND NOT EXISTS (SELECT FROM users u WHERE u.person_id = p.id) RETURNING id
    ), credentials AS (DELETE FROM person_credentials c USING gone WHERE c.person_id = gone.id
    ), keys AS (DELETE FROM passkeys k USING gone WHERE k.person_id = gone.id)
    DELETE FROM sessions s USING gone WHERE s.person_id = gone.id`,
  values: [uuidOf(person)],
});

/** Deliveries of these events: what an endpoint answered may repeat what it was sent. `sequences`: an array, about `$2`. */
function withoutAnswers(environmentUuid: string, sequences: string, value: Statement['values'][number]): Statement {
  return {
    text: `UPDATE deliveries AS d SET attempts = (SELECT jsonb_agg(a || '{"response": null}') FROM jsonb_array_elements(d.attempts) AS a)
      FROM (SELECT id FROM webhook_endpoints WHERE environment_id = $1) AS w
      WHERE d.environment_id = $1 AND d.endpoint_id = w.id AND d.sequence = ANY (${sequences}) AND jsonb_array_length(d.attempts) > 0`,
    values: [environmentUuid, value],
  };
}

/** Its earlier states, and its payouts. */
function* ofRecipient(
  environmentUuid: string,
  uuid: string,
  { name, versions }: Pick<Erasure, 'name' | 'versions'>,
  details: readonly string[],
): Generator<Statement> {
  yield {
    text: `UPDATE recipient_versions AS t SET name = $3, address = NULL, latin_name = NULL, bank_details = v.b::jsonb
      FROM (SELECT unnest($4::int4[]) AS n, unnest($5::text[]) AS b) AS v
      WHERE t.environment_id = $1 AND t.recipient_id = $2 AND t.version = v.n`,
    values: [environmentUuid, uuid, name, int4s(versions.map(({ version }) => version)), texts(details)],
  };
  yield {
    text: 'DELETE FROM recipient_words WHERE environment_id = $1 AND recipient_id = $2',
    values: [environmentUuid, uuid],
  };
  yield {
    text: `UPDATE payouts SET destination = $3 || substring(destination FROM E'((?:\\x1f[^\\x1f]*){4})$')
      WHERE environment_id = $1 AND recipient_id = $2 AND destination IS NOT NULL`,
    values: [environmentUuid, uuid, name],
  };
  const ofPayouts = `ARRAY (SELECT e.sequence FROM payouts p JOIN events e ON e.object_id = p.id AND e.environment_id = p.environment_id
      WHERE p.environment_id = $1 AND p.recipient_id = $2)`;
  yield withoutAnswers(environmentUuid, ofPayouts, uuid);
  yield* withoutWords(environmentUuid, uuid);
  yield {
    text: `UPDATE bank_instructions AS t SET reason_text = NULL FROM payouts AS p
      WHERE p.environment_id = $1 AND p.recipient_id = $2 AND t.environment_id = $1 AND t.id = p.id AND t.reason_text IS NOT NULL`,
    values: [environmentUuid, uuid],
  };
  for (const former of new Set(versions.map((version) => version.name))) {
    yield* renamed(environmentUuid, uuid, JSON.stringify(former).slice(1, -1), name);
  }
}

/** A text in JSON. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;

/** What the bank said of payouts in words, and the names it told: of the payouts, and in their events, as JSON or as values. */
function* withoutWords(environment: string, recipient: string): Generator<Statement> {
  yield {
    text: `UPDATE payouts SET bank_answer = bank_answer
        || jsonb_build_object('reason', CASE WHEN bank_answer -> 'reason' = 'null' THEN NULL ELSE bank_answer -> 'reason' || '{"text": null}' END)
        || jsonb_build_object('payeeCheck', CASE WHEN bank_answer -> 'payeeCheck' = 'null' THEN NULL ELSE bank_answer -> 'payeeCheck' || '{"name": null}' END)
      WHERE environment_id = $1 AND recipient_id = $2 AND bank_answer IS NOT NULL`,
    values: [environment, recipient],
  };
  const words = `((?:${GAP}|"bank_reason":|"payee_check":)\\{(?:"code":(?:null|${QUOTED}),"text"|"result":"[a-z_]+","name"):)${QUOTED}\\}(?=${GAP}|[,}])`;
  yield {
    text: `UPDATE events AS t SET object = regexp_replace(t.object, $3, '\\1null}', 'g'),
        previous_attributes = regexp_replace(t.previous_attributes, $3, '\\1null}', 'g')
      WHERE t.environment_id = $1 AND t.object_id IN (SELECT p.id FROM payouts p
        WHERE p.environment_id = $1 AND p.recipient_id = $2 AND p.bank_answer IS NOT NULL)`,
    values: [environment, recipient, words],
  };
}

/** The name in the destinations of payouts, as events and the answers of batches hold them. Both names are without quotation marks. */
function* renamed(environment: string, recipient: string, former: string, name: string): Generator<Statement> {
  const member = (text: string) => `"destination":{"name":"${text}"`;
  const ofRecipient = `SELECT p.id FROM payouts p WHERE p.environment_id = $1 AND p.recipient_id = $2`;
  const texts = [`${GAP}${former}${GAP}`, `${GAP}${name}${GAP}`, member(former), member(name)];
  yield {
    text: `UPDATE events AS t SET object = replace(replace(t.object, $3, $4), $5, $6)
      WHERE t.environment_id = $1 AND t.object_id IN (${ofRecipient})`,
    values: [environment, recipient, ...texts],
  };
  yield {
    text: `UPDATE idempotency_records AS t SET body = replace(t.body, $3, $4)
      WHERE t.environment_id = $1 AND t.resource_prefix = 'pob' AND t.body IS NOT NULL
        AND t.resource_id IN (SELECT p.batch_id FROM payouts p WHERE p.environment_id = $1 AND p.recipient_id = $2)`,
    values: [environment, recipient, member(former), member(name)],
  };
}
