/**
 * The statements of the request log. A row is written once, behind the answer; only whole days are dropped, by the owner. The indexes are
 * named in migrations/0147_request_logs.sql, each in the order of the list.
 */
import { type Condition, equal, inOrder } from '../../platform/db/wire/page.ts';
import type { Scoped, Statement } from '../../platform/db/wire/statement.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import { REQUEST_LOG, type RequestLog } from './fields.ts';

export const REQUEST_LOGS = tableOf(REQUEST_LOG, 'request_logs');

/** May be repeated: a row that is there stays. */
export function insertRequestLogs(rows: readonly Scoped<RequestLog>[]): Statement {
  const { text, values } = REQUEST_LOGS.insert(rows);
  return { name: 'insert_request_logs', text: `${text} ON CONFLICT DO NOTHING`, values };
}

/** Every answer with such a status is a refusal. */
export const REFUSED_FROM = 400;

export interface LogFilters {
  /** A status, or `refused`: any refusal. */
  readonly status?: string | readonly string[] | undefined;
  readonly code?: string | readonly string[] | undefined;
  readonly idempotencyKey?: string | readonly string[] | undefined;
  readonly resource?: string | readonly string[] | undefined;
  /** Uuids. */
  readonly actors?: readonly string[] | undefined;
  /** By operationId; `undefined`: any. */
  readonly operations?: readonly string[] | undefined;
  readonly method?: string | readonly string[] | undefined;
  /** Parts with which the path begins, and the first id among them. */
  readonly path?: string | undefined;
  readonly id?: string | undefined;
}

/** The conditions of the filters (alias `t`). The first one that has an index in the order of the list is walked by it. */
export function filtered(filters: LogFilters): Condition[] {
  const { idempotencyKey, id, resource, code, status, actors, operations, method, path } = filters;
  const [first, ...others] = [
    ...inOrder('t.idempotency_key', 'text', idempotencyKey),
    ...inOrder('t.resource', 'text', id),
    ...inOrder('t.resource', 'text', resource),
    ...inOrder('t.code', 'text', code),
    ...ofStatus([status ?? []].flat()),
    ...inOrder('t.actor', 'uuid', actors),
    ...inOrder('t.operation', 'text', operations),
    ...equal({ 't.method': method }),
    ...(path === undefined ? [] : [{ sql: "starts_with(t.path || '/', $::text || '/')", value: path }]),
  ];
  if (first === undefined) return [];
  // A page walks one index; by several values of a rarer one it would read them all.
  return [first, ...others.map(({ sql, value }) => ({ sql, value }))];
}

/** Refusals have indexes of their own, whose condition has to stand there as it is; the others are most of the log. */
function ofStatus(statuses: readonly string[]): Condition[] {
  const numbers = statuses.filter((each) => each !== 'refused').map(Number);
  const isAnyRefusal = numbers.length < statuses.length;
  const others = numbers.filter((each) => each < REFUSED_FROM);
  const refusal = `t.status >= ${REFUSED_FROM}`;
  if (statuses.length === 0) return [];
  if (isAnyRefusal && others.length === 0) return [{ sql: `${refusal} AND t.status >= $::int4`, value: REFUSED_FROM }];
  if (isAnyRefusal) return [{ sql: `(${refusal} OR t.status = ANY ($::int4[]))`, value: others }];
  if (others.length > 0) return [{ sql: 't.status = ANY ($::int4[])', value: numbers }];
  if (numbers.length === 1) return [{ sql: `t.status = $::int4 AND ${refusal}`, value: numbers[0] }];
  const each = { sql: `t.status = each.value AND ${refusal}`, type: 'int4' };
  return [{ sql: `t.status = ANY ($::int4[]) AND ${refusal}`, value: numbers, each }];
}
