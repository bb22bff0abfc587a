/** The operations of the request log: a list, newest first, and one entry by the id of its request. */
import { actorId, isActorId, SERVICE_ACTORS } from '../../core/actor.ts';
import { ERRORS } from '../../core/values/errors.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf, schemaOf } from '../../platform/http/object-schema.ts';
import { choice, given, param as custom, paramError } from '../../platform/http/request/param.ts';
import { oneOf, text } from '../../platform/http/request/params.ts';
import {
  answers,
  answersList,
  type Call,
  type Caller,
  lineOf,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { lineMates, missing, readsOf, type Service } from '../../platform/http/service.ts';
import { REQUEST_LOG } from './fields.ts';
import { foundSoon, type RequestLogs } from './log.ts';
import { ofPath } from './paths.ts';
import { filtered, REQUEST_LOGS } from './sql.ts';

const route = routesOf('Request logs', 'request_logs');

const EXAMPLE = exampleOf(REQUEST_LOG);
/** What an answer of the API has. */
const STATUSES = ['200', ...new Set(Object.values(ERRORS).map(({ status }) => String(status)))].toSorted();
const METHODS = ['GET', 'POST', 'DELETE'] as const;

const WHAT =
  'Every refusal is kept, but for those by the rate limit; of other requests as many as there is room for (at most 12 a second in the long run), and what a person changes in the dashboard. Not kept: polls (`GET /v1/me`), what the dashboard reads, requests without a key that is or was one of yours. Within a second an entry can be read; it is dropped after 14 days unless the operator sets others.';

const actor = custom(
  { description: 'Only requests of this actor: a key by its id, with what it was rolled from and to, or a user.' },
  { type: 'string' },
  (value, path) => {
    const word = SERVICE_ACTORS.find((each) => each === value);
    if (word !== undefined) return actorId(word) as string;
    if (typeof value === 'string' && isActorId(value)) return value;
    const message = `${path} must be the id of a key or of a user, got ${given(value)}.`;
    throw paramError('parameter_invalid', path, message);
  },
);

const PATH = /^\/v1(?:\/[A-Za-z0-9_]*)*$/;
const path = custom(
  { description: 'Only paths that begin with this: whole parts, such as `/v1/payouts` or one with an id.' },
  { type: 'string', maxLength: 200 },
  (value, name) => {
    if (typeof value === 'string' && value.length <= 200 && PATH.test(value)) return value;
    const message = `${name} must be the beginning of a path, such as /v1/payouts, got ${given(value)}.`;
    throw paramError('parameter_invalid', name, message);
  },
);

/** One code: there are more of them than a filter takes values. */
const code = custom(
  { description: 'Only refusals with this code.' },
  { type: 'string', maxLength: 60 },
  (value, name) => {
    if (typeof value === 'string' && Object.hasOwn(ERRORS, value)) return value;
    throw paramError('parameter_invalid', name, `${name} must be the code of a refusal, got ${given(value)}.`);
  },
);

export function requestLogRoutes(service: Service, log: RequestLogs | null, routes: () => readonly Route[]): Route[] {
  const { list, idIn } = readsOf(service, REQUEST_LOG, REQUEST_LOGS);
  /** A key that sees some accounts only sees what its own line asked. */
  const ownAlone = (caller: Caller) =>
    caller.accounts === null ? [] : [{ sql: 't.actor = $::uuid', value: uuidOf(lineOf(caller)) }];
  const find = async (call: Call<unknown, unknown>, id: string) => {
    const { caller } = call;
    const [row] = await service.rows(REQUEST_LOGS.load([{ environmentId: caller.environmentId, id }]));
    const found = row === undefined ? undefined : REQUEST_LOGS.read(row);
    return found !== undefined && (caller.accounts === null || found.actor === lineOf(caller)) ? found : undefined;
  };
  return [
    route('listRequestLogs', 'GET /v1/request_logs', {
      summary: 'List request logs',
      description: `What was asked with the keys of this environment and in its dashboard, and what came of it, newest first. ${WHAT} A key that is restricted to accounts sees its own requests.`,
      query: listParams('req', {
        status: oneOf(['refused', ...STATUSES], {
          description: 'Only this status of the answer; `refused`: any refusal.',
        }),
        method: oneOf(METHODS, { description: 'Only this method.' }),
        path,
        code,
        actor: choice(actor),
        idempotency_key: text({ kind: 'code', max: 255, description: 'Only requests with this `Idempotency-Key`.' }),
        resource: text({ kind: 'code', max: 40, description: 'Only requests about the object with this id.' }),
      }),
      response: answersList('RequestLog', EXAMPLE),
      handle: async (call) => {
        const { status, method, path: begin, code: why, actor: actors, ...others } = call.query;
        const { idempotency_key: key, resource, ...common } = others;
        const named = await lineMates(service, call.caller, actors);
        const under = ofPath(routes(), begin, method);
        const conditions = filtered({ ...under, status, code: why, resource, idempotencyKey: key, actors: named });
        return list({ ...call, query: common }, {}, [...conditions, ...ownAlone(call.caller)]);
      },
    }),
    route('retrieveRequestLog', 'GET /v1/request_logs/:id', {
      summary: 'Retrieve a request log',
      description: `By the \`Request-Id\` of the answer. ${WHAT}`,
      response: answers('RequestLog', EXAMPLE),
      handle: async (call) => {
        const id = idIn(call);
        const found = await foundSoon(id, log, () => find(call, id));
        if (found === undefined) throw missing('request', id);
        return { status: 200, body: REQUEST_LOG.render(found, call.caller.livemode) };
      },
    }),
  ];
}

export const REQUEST_LOG_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  RequestLog: schemaOf(REQUEST_LOG, 'A request, and what came of it.'),
};
