/**
 * Idempotency: what a key was used for and what was answered, in the business transaction itself. A retry that finds
 * the record gets the same bytes; the same key for another request is refused. Source: contract, section 6.
 */
import { type Actor, actorId, actorOf } from '../core/actor.ts';
import { type Code, type ErrorDetails, ERRORS, refusal, errorBody } from '../core/values/errors.ts';
import { idOf, type Prefix } from '../core/values/ids.ts';
import { int2s, int8s, texts, uuids } from '../platform/db/wire/columns.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { column, ofEnvironment, overRows } from '../platform/db/wire/table.ts';
import { unnest } from '../platform/db/wire/unnest.ts';
import { objectFrom } from '../events/log/sql.ts';
import { firstDifference } from './fingerprint.ts';
import type { TextSeals } from '../platform/vault/seals.ts';

/** The answer to a write: the very bytes, now and on every replay. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

export interface Recorded {
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  /** The event whose object is the body; then body and resource are not stored twice. */
  readonly eventSequence: bigint | null;
  readonly resourceId: string | null;
  /** Who made the request; `null`: in records from before this was kept. */
  readonly maker: Actor | null;
  /** The request that was answered; `null`: a command that was no request, and in records from before this was kept. */
  readonly request: string | null;
}

/**
 * The name under which a request without an `Idempotency-Key` is recorded, or a command that is no request. No client can send it: a
 * header's key is ASCII.
 */
export const ownRecordKey = (name: string): string => `§${name}`;

/** Who asks: the line of its key, or a part of the service, and what it may do; `null`, or left out, is everything. */
export interface Reader {
  readonly actor: Actor;
  /** The very key: records from before lines name it. */
  readonly key?: Actor | undefined;
  readonly scopes?: ReadonlySet<string> | null | undefined;
  readonly accounts?: ReadonlySet<string> | null | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * The answer to a request whose key was seen before. It belongs to who made the first request; to anybody else it is refused without a
 * word about it. What was answered then may be gone (`recordFrom`): then it is refused too.
 */
export function answerAgain(
  recorded: Omit<Recorded, 'key'>,
  print: string,
  requestId: string | null,
  reader: Reader,
): Outcome {
  const code = 'idempotency_key_reused' satisfies Code;
  const refused = (message: string, details: ErrorDetails = {}): Outcome => ({
    status: ERRORS[code].status,
    body: errorBody(refusal(code, message, details), requestId, reader.baseUrl),
    replayed: false,
  });
  const { status, body, resourceId } = recorded;
  if (!isMaker(recorded.maker, reader))
    return refused('This Idempotency-Key was used before by somebody else. Use a new key.');
  if (body === GONE) return refused('What was answered under this Idempotency-Key is no longer kept. Use a new key.');
  if (recorded.fingerprint === print) {
    // Where it was unknown whether a request was committed, it finds its own record.
    const isOwn = recorded.request !== null && recorded.request === requestId;
    return { status, body, replayed: !isOwn };
  }
  const field = firstDifference(recorded.fingerprint, print);
  return refused(`This Idempotency-Key was used before with another ${field}. Use a new key for a new request.`, {
    ...(field !== 'method or path' && { param: field }),
    ...(resourceId !== null && { resource_id: resourceId }),
  });
}

/** Of a record from before makers were kept, whoever may see everything is as good as its maker. */
function isMaker(maker: Actor | null, { actor, key, scopes = null, accounts = null }: Reader): boolean {
  if (maker === null) return scopes === null && accounts === null;
  return maker === actor || maker === key;
}

/** Refusals that say the request was malformed: nothing was decided, so the key stays free (contract, section 6). */
const NOT_RECORDED: ReadonlySet<Code> = new Set<Code>([
  'amount_invalid',
  'amount_too_large',
  'amount_too_small',
  'parameter_missing',
  'parameter_unknown',
  'parameter_invalid',
  'iban_invalid',
  'bic_invalid',
  'routing_number_invalid',
  'sort_code_invalid',
  'account_number_invalid',
  'rate_unavailable',
  'scope_missing',
]);

/** Whether a refusal is an outcome to be kept: a decision on state or funds, not on the form of the request. */
export function isRecorded(code: Code): boolean {
  return !NOT_RECORDED.has(code);
}

/** How long a secret is given again under the key of its request. */
const SECRET_MINUTES = 10;
/** Where an answer holds a sealed secret: at its end, or before `metadata`. Values of `metadata` are texts, so nothing in it looks the same. */
export const SECRET = ',"secret":"v1\\.[^"]*"(\\}$|,"metadata":\\{)';
const HOLDS_SECRET = `r.resource_prefix IN ('key', 'we') AND r.body ~ '${SECRET}'`;
const WITHOUT_SECRET = `regexp_replace(r.body, '${SECRET}', '\\1')`;
const IS_LATE = `r.created_at < now() - interval '${SECRET_MINUTES} minutes'`;

/** Takes secrets that are no longer given again out of the table; by the index `idempotency_secrets`, whose condition this one repeats. */
export const forgetSecrets: Statement = {
  text: `UPDATE idempotency_records AS r SET body = ${WITHOUT_SECRET} WHERE ${HOLDS_SECRET} AND ${IS_LATE}`,
  values: [],
};
/** One row where {@link forgetSecrets} has something to do. */
export const forgottenSecrets: Statement = {
  name: 'forgotten_secrets',
  text: `SELECT 1 FROM idempotency_records AS r WHERE ${HOLDS_SECRET} AND ${IS_LATE} LIMIT 1`,
  values: [],
};

/** Records by key (primary key), with the body from the event where that holds it. */
export const loadRecords = overRows<{ readonly environmentId: string; readonly key: string }>(
  'load_idempotency_records',
  { environment_id: ofEnvironment, key: column('text', (each) => each.key) },
  (rows) => `SELECT r.environment_id, r.key, r.fingerprint, r.status, r.event_sequence,
        CASE WHEN ${HOLDS_SECRET} AND ${IS_LATE} THEN ${WITHOUT_SECRET} ELSE r.body END AS body,
        r.resource_id, r.resource_prefix, COALESCE(r.maker, e.actor) AS maker, COALESCE(r.request_id, e.request_id) AS request_id, e.object, e.shape, e.object_id, e.actor
      FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM idempotency_records r
        WHERE r.environment_id = k.environment_id AND r.key = k.key LIMIT 1) AS r
      LEFT JOIN LATERAL (SELECT * FROM events e
        WHERE e.environment_id = r.environment_id AND e.sequence = r.event_sequence LIMIT 1) AS e ON true`,
);

/** Instead of a body: its event was erased. Carrying the request out again could pay twice. */
const GONE = '';

export function recordFrom(row: Row, seals: TextSeals): Recorded {
  const own = row['body'] as string | null;
  const body = own !== null ? seals.open(own) : row['object'] === null ? GONE : objectFrom(row, seals);
  const eventSequence = row['event_sequence'] as bigint | null;
  const resource = row['resource_id'] as string | null;
  const stored = resource === null ? null : idOf(row['resource_prefix'] as Prefix, resource);
  return {
    key: row['key'] as string,
    fingerprint: row['fingerprint'] as string,
    status: row['status'] as number,
    body,
    eventSequence,
    maker: actorOf(row['maker'] as string | null),
    request: row['request_id'] === null ? null : idOf('req', row['request_id'] as string),
    resourceId:
      eventSequence === null || body === GONE ? stored : ((JSON.parse(body) as { readonly id?: string }).id ?? null),
  };
}

export function insertRecords(
  rows: readonly { readonly environmentId: string; readonly record: Recorded }[],
  seals: TextSeals,
): Statement {
  const records = rows.map((row) => row.record);
  // What the event holds is not stored twice: the body, the resource, which is its object, and the request with who made it.
  const own = records.map(({ eventSequence, body, resourceId, maker, request }) =>
    eventSequence === null
      ? { body: seals.seal(body), resourceId, maker: actorId(maker), request }
      : { body: null, resourceId: null, maker: null, request: null },
  );
  return {
    name: 'insert_idempotency_records',
    text: `INSERT INTO idempotency_records
        (environment_id, key, fingerprint, status, event_sequence, body, resource_id, resource_prefix, maker, request_id, created_at)
      SELECT e, k, f, s, q, b, r, p, m, i, now()
      FROM ${unnest({ e: 'uuid', k: 'text', f: 'text', s: 'int2', q: 'int8', b: 'text', r: 'uuid', p: 'text', m: 'uuid', i: 'uuid' })} AS v`,
    values: [
      uuids(rows.map((row) => row.environmentId)),
      texts(records.map((record) => record.key)),
      texts(records.map((record) => record.fingerprint)),
      int2s(records.map((record) => record.status)),
      int8s(records.map((record) => record.eventSequence)),
      texts(own.map(({ body }) => body)),
      uuids(own.map(({ resourceId }) => resourceId)),
      texts(own.map(({ resourceId }) => resourceId?.slice(0, resourceId.indexOf('_')) ?? null)),
      uuids(own.map(({ maker }) => maker)),
      uuids(own.map(({ request }) => request)),
    ],
  };
}
