/**
 * One request from its bytes to its answer: key, rate, mode, scope, idempotency header, body, query, handler. A key is
 * checked before a body is read (`admit.ts`); else no Fastify hooks, which cost time and hide the order. Never logs
 * keys, bodies, queries or names. Next: `route.ts`, then a slice's routes; `page.ts` for pages.
 */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { isPerson } from '../../core/actor.ts';
import { type Code, RequestError, errorBody } from '../../core/values/errors.ts';
import { type Admission, type Found, isCaller, permit, type RefusedKey, scopesOfRoute } from './admit.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { challengeFor } from './auth.ts';
import { covers } from '../../core/scopes.ts';
import { mayHoldBack } from './expect.ts';
import { readBody } from './request/body.ts';
import { asProblem, faultOf, loggable, PROBLEM_JSON } from './errors.ts';
import { columnsOf, type Columns } from './csv.ts';
import { acceptedForm, csvOrder, listForm, parseQuery, queryIn } from './request/forms.ts';
import { openStreams, type RouteTimer, routeTimer } from './metrics.ts';
import { emptyObject, type Tree } from './request/param.ts';
import { assertPlain, idempotencyKey, kindOf } from './request/headers.ts';
import { params } from './request/params.ts';
import { endSpan, spanOf, traceOf } from '../tracing/request-span.ts';
import type { RateLimit } from './rate-limit.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import { type Answer, type Call, type Caller, inVersion, lineOf, listedBy, type Route, shown } from './route.ts';
import { head, type OnAnswered, Served } from './served.ts';
import { singleFlight } from './cache/single-flight.ts';
import type { Fill, OpenStreams } from './transfer/stream.ts';
import { canBeCut, wholeFile } from './transfer/whole-file.ts';
import type { Uploads } from './transfer/upload.ts';
import { readable } from './transfer/validators.ts';
import { deprecationHeaders } from './version/deprecation.ts';
import type { Past, Versions } from './version/versions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key it is, found before the body was read; `null` where there is no body to wait for. `left`: it has been counted. */
    admitted: { readonly caller: Caller; readonly atMs: number; readonly left?: number } | null;
    /** Of a key that is known and opens nothing. */
    refusedKey: RefusedKey | null;
  }
}

export interface Serving extends Admission {
  readonly log: Logger;
  readonly limit: RateLimit | null;
  readonly streams: OpenStreams;
  readonly uploads: Uploads;
  /** Where clients find the service, without a trailing slash: the public address, or where this process listens. */
  baseUrl(this: void): string;
  /** `null`: every read goes to the database. */
  readonly responseCache: ResponseCache | null;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly versions: Versions;
  /** `null`: nobody keeps what was asked. */
  readonly onAnswered: OnAnswered | null;
}

/** Where requests to operations come in, and who they are. */
export interface Entry {
  /** Before the path of the operation: '' for keys. Cut off before a route is looked for, so that a retry is the same request at both. */
  readonly prefix: string;
  /** Not a promise when the caller is known. Rejects with the refusal. */
  admit(request: FastifyRequest): Caller | Promise<Caller>;
  /** The caller as of now, for a request that takes long; `null` or a refused key: it opens nothing any more. */
  again(request: FastifyRequest): Promise<Found>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
export const RETRY_AFTER_S = '1';
const NOTHING = params({});
/** How long the look at a key counts while the body arrives. */
const ADMITTED_MS = 100;

/** The Fastify route. Answers everything itself; nothing its functions return or throw reaches Fastify. */
export function serveRoute(route: Route, serving: Serving, entries: readonly Entry[]): RouteOptions {
  const { method, path, path: url } = route;
  const ways = entries.map((entry) => ({ entry, timer: routeTimer(`${entry.prefix}${path}`, method) }));
  const wayOf = ({ originalUrl }: FastifyRequest) =>
    ways.find(({ entry }) => originalUrl.startsWith(entry.prefix)) as (typeof ways)[number];
  const listed = listedBy(route);
  const columns = listed === undefined ? null : columnsOf(listed, serving.schemas[listed]);
  const deprecation = route.deprecation === undefined ? null : deprecationHeaders(route.deprecation);
  const servedOf = (request: FastifyRequest, reply: FastifyReply) => {
    const served = new Served(request, reply, path);
    served.operation = route;
    served.hasForms = columns !== null || route.forms !== undefined;
    served.uploads = route.uploads === true;
    served.deprecation = deprecation;
    served.version = serving.versions.asked(request.headers['bursar-version']);
    return served;
  };
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    const served = servedOf(request, reply);
    served.span = spanOf(served);
    const { entry, timer } = wayOf(request);
    void answer(serving, served, timer, run(route, serving, served, columns, entry));
  };
  if (method === 'GET') return { method, url, handler };
  const onRequest = (request: FastifyRequest, reply: FastifyReply, readOn: () => void) => {
    const { entry, timer } = wayOf(request);
    const refuse = (thrown: unknown, served = servedOf(request, reply)) => {
      served.span = spanOf(served);
      sendFault(serving, served, thrown, timer, isLong(request) ? CLOSING : undefined);
    };
    const take = (caller: Caller) => {
      request.admitted = { caller, atMs: performance.now() };
      if (mayHoldBack(request.raw)) return judge(caller);
      readOn();
    };
    const judge = (caller: Caller) => {
      const served = servedOf(request, reply);
      try {
        judgeHead(route, serving, served, caller);
        idempotencyKey(request.headers['idempotency-key']);
        if (route.uploads !== true && request.headers['content-length'] !== '0')
          kindOf(request.headers, route.acceptsCsv);
      } catch (thrown) {
        return refuse(thrown, served);
      }
      request.admitted = { caller, atMs: performance.now(), left: served.left };
      readOn();
    };
    let found: Caller | Promise<Caller>;
    try {
      found = entry.admit(request);
    } catch (thrown) {
      return refuse(thrown);
    }
    if (found instanceof Promise) found.then(take, (thrown: unknown) => refuse(thrown));
    else take(found);
  };
  return { method, url, onRequest, handler };
}

/** Of a refused request: what Node reads and forgets, so that the connection can go on. */
const FORGOTTEN_BYTES = 65_536;
/** The rest of a refused body may still come: the connection is closed. */
export const CLOSING = { Connection: 'close' };

/** Whether more of the body may come than Node forgets. */
export function isLong({ headers, raw }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined || mayHoldBack(raw)) return true;
  return Number(headers['content-length'] ?? 0) > FORGOTTEN_BYTES;
}

/** Sends the result. A failure while sending is answered as a fault; if that fails too, the connection is closed. */
export async function answer(
  serving: Serving,
  served: Served,
  timer: RouteTimer,
  result: Promise<Answer<string | Buffer>>,
): Promise<void> {
  try {
    const given = await result;
    if (given.stream === undefined) send(serving, served, given, timer);
    else if (given.isFile === true && canBeCut(served.reply.raw)) {
      send(serving, served, { ...given, body: await wholeFile(given.stream, served.mayGoOn) }, timer);
    } else await sendStream(serving, served, given, given.stream, timer);
  } catch (thrown) {
    sendFault(serving, served, thrown, timer, served.uploads && !served.request.raw.complete ? CLOSING : undefined);
  }
}

async function run(
  route: Route,
  serving: Serving,
  served: Served,
  columns: Columns | null,
  entry: Entry,
): Promise<Answer<string | Buffer>> {
  const { request } = served;
  const known = request.admitted;
  // A body may take half a minute to arrive; a revoked key must not work that long.
  const isFresh = known !== null && served.startedMs - known.atMs < ADMITTED_MS;
  const found = isFresh ? known.caller : entry.admit(request);
  const caller = found instanceof Promise ? await found : found;
  judgeHead(route, serving, served, caller, known?.left);
  const { url } = request;
  const mark = url.indexOf('?');
  const isWrite = route.method !== 'GET';
  const list = columns === null ? null : listForm(url, mark, request.headers.accept);
  const asCsv = columns !== null && list !== null && list.form === 'csv';
  const form = route.forms === undefined ? undefined : acceptedForm(route.forms, request.headers.accept);
  const version = served.version ?? caller.version;
  const { past } = version;
  const parsed = (): Call<unknown, unknown> => ({
    caller,
    requestId: request.id,
    trace: isWrite ? traceOf(served) : null,
    idempotencyKey: isWrite ? idempotencyKey(request.headers['idempotency-key']) : null,
    method: route.method,
    path: mark === -1 ? url : url.slice(0, mark),
    url,
    baseUrl: serving.baseUrl,
    path_params: request.params as Readonly<Record<string, string>>,
    lastEventId: request.headers['last-event-id'] as string | undefined,
    csv: asCsv ? { ...csvOrder(list, url), columns: columns.of(past), named: columns.named, past } : null,
    version,
    form,
    address: () => serving.clients.addressOf(request),
    body:
      isWrite && route.uploads !== true
        ? (route.body ?? NOTHING).parse(inNewest(past, route, bodyTree(request, route)))
        : undefined,
    upload: route.uploads === true && request.body ? serving.uploads.bytesOf(request.raw) : null,
    query:
      mark === -1 && route.query === undefined
        ? undefined
        : parseQuery(route.query ?? NOTHING, inNewest(past, route, queryIn(url, list)), list !== null),
  });
  const handled = async (call = parsed()) => inVersion(past, shown(caller, await route.handle(call)));
  if (isWrite) return handled();
  if (route.streams === true || route.downloads === true || asCsv) {
    served.mayGoOn = async () => stillOpens(await entry.again(request), caller, route);
    return handled();
  }
  const own = `${sharedBy(caller)} ${url}${form === undefined ? '' : ` ${form}`}`;
  const key = past === null ? own : `${own} ${version.date}`;
  const { isRepeatable } = route;
  const { responseCache } = serving;
  if (isRepeatable === undefined || responseCache === null) return shareRead(key, () => handled());
  const read = async () => {
    const call = parsed();
    const answer = await handled(call);
    return { answer, environmentId: isRepeatable(call.query) ? caller.environmentId : null };
  };
  return shareRead(key, () => responseCache(key, read));
}

/** The parameters of a request in the newest version. */
const inNewest = (past: Past | null, { operationId }: Route, given: Tree): Tree =>
  past === null ? given : past.request(operationId, given);

/**
 * Who may get the same bytes. An answer to a read depends only on the environment's state and the URL, but for keys that see only a part.
 * A session shares with nobody, whatever its scopes say: roles change, and a person is another caller in each environment.
 */
export function sharedBy({ environmentId, actorId, session, accounts, scopes }: Caller): string {
  if (session !== null) return `${environmentId} ${actorId} ${session.id}`;
  return accounts === null && scopes === null ? environmentId : actorId;
}

const shareRead = singleFlight<Answer<string | Buffer>>();

function stillOpens(found: Found, caller: Caller, route: Route): boolean {
  if (!isCaller(found) || found.environmentId !== caller.environmentId) return false;
  const { scopes } = found;
  return scopes === null || scopesOfRoute(route).every((scope) => covers(scopes, scope));
}

/** Counts the request, unless `left` says that it was counted, and refuses what key and headers decide. */
function judgeHead(route: Route, serving: Serving, served: Served, caller: Caller, left?: number): void {
  served.actorId = caller.actorId;
  served.caller = caller;
  if (serving.limit !== null) {
    served.limit = serving.limit;
    served.left = left ?? serving.limit.take(lineOf(caller), served.startedMs);
    if (served.left < 0) {
      throw new RequestError('rate_limited', `Too many requests with this key. Retry after ${RETRY_AFTER_S} second.`);
    }
  }
  served.version = caller.version;
  const asked = served.request.headers['bursar-version'];
  if (asked !== undefined) served.version = serving.versions.named(asked as string);
  permit(route, caller);
  if (route.method !== 'GET') assertPlain(served.request.headers);
}

function bodyTree(request: FastifyRequest, route: Route): Tree {
  const bytes = request.body as Buffer | undefined;
  if (bytes === undefined || bytes === null || bytes.length === 0) return emptyObject();
  return readBody(kindOf(request.headers, route.acceptsCsv), bytes);
}

/** Answers a thrown value with its refusal. Logs what is not a `RequestError`, with its stack. */
export function sendFault(
  serving: Serving,
  served: Served,
  thrown: unknown,
  timer: RouteTimer,
  headers?: Readonly<Record<string, string>>,
): void {
  const fault = faultOf(thrown);
  if (fault !== thrown) {
    serving.log.error({ request_id: served.request.id, route: served.route, err: loggable(thrown) }, 'request failed');
  }
  if (served.reply.raw.headersSent) {
    served.request.raw.destroy();
    return;
  }
  const { request, page } = served;
  const given =
    page?.refusal(fault.status) ??
    inVersion(served.version?.past ?? null, {
      status: fault.status,
      body: errorBody(fault, request.id, serving.baseUrl()),
    });
  const all = headers === undefined ? given : { ...given, headers: { ...given.headers, ...headers } };
  try {
    send(serving, served, all, timer, fault.code);
  } catch (error) {
    serving.log.error({ request_id: served.request.id, route: served.route, err: loggable(error) }, 'fault not sent');
    served.request.raw.destroy();
  }
}

/** All but streams. Writes to Node's response: Fastify's `reply.send` copies the headers twice (2 µs). */
export function send(serving: Serving, served: Served, given: Answer<string | Buffer>, timer: RouteTimer, code?: Code) {
  const { request, reply } = served;
  const { status } = given;
  let { body } = given;
  let contentType = given.contentType ?? JSON_TYPE;
  const asksProblem = status >= 400 && contentType === JSON_TYPE && request.headers.accept?.includes(PROBLEM_JSON);
  // A page's JSON with an error status is no error body.
  if (asksProblem === true && typeof body === 'string' && served.page === null) {
    body = asProblem(body, status);
    contentType = PROBLEM_JSON;
  }
  if (contentType === JSON_TYPE) body = readable(body, request.headers, given.headers);
  const headers = head(served, contentType, given.headers);
  if (status !== 304) headers.push('Content-Length', String(Buffer.byteLength(body)));
  if (status >= 400) pushAdvice(headers, status, request);
  for (const name in given.headers) headers.push(name, given.headers[name] as string);
  reply.raw.writeHead(status, headers);
  reply.hijack();
  reply.raw.end(body);
  const ms = performance.now() - served.startedMs;
  timer.observe(status, ms / 1000);
  if (served.span !== null) endSpan(served.span, status, code);
  const from = status === 401 ? { address: serving.clients.addressOf(request) } : {};
  serving.log.info(line(served, status, ms, { code, ...from }));
  serving.onAnswered?.(served, given, ms, code);
}

/**
 * Sends a streaming answer. The metrics count its duration until the head; it is logged once, at its end. The connection is
 * closed behind it, so that no other answer can be read as a part of the stream.
 */
async function sendStream(
  serving: Serving,
  served: Served,
  given: Answer<string | Buffer>,
  fill: Fill,
  timer: RouteTimer,
): Promise<void> {
  const { status, contentType = JSON_TYPE } = given;
  const headers = head(served, contentType, given.headers);
  for (const name in given.headers) headers.push(name, given.headers[name] as string);
  headers.push('X-Accel-Buffering', 'no', 'Connection', 'close');
  const response = served.reply.raw;
  response.writeHead(status, headers);
  served.reply.hijack();
  timer.observe(status, (performance.now() - served.startedMs) / 1000);
  openStreams.inc({ route: served.route });
  let ended = 'failed';
  try {
    ended = await serving.streams.run(response, fill, served.mayGoOn, { isFile: given.isFile ?? false });
  } finally {
    openStreams.dec({ route: served.route });
    if (served.span !== null) endSpan(served.span, status);
    const ms = performance.now() - served.startedMs;
    serving.log.info(line(served, status, ms, { ended }));
    serving.onAnswered?.(served, given, ms);
  }
}

function line({ request, route, actorId, version }: Served, status: number, ms: number, more: object): object {
  const { id, method } = request;
  const who = actorId !== undefined && isPerson(actorId) ? { user_id: actorId } : { key_id: actorId };
  const known = { request_id: id, method, route, status, ...more, ms: Math.round(ms * 1000) / 1000, ...who };
  return (version?.past ?? null) === null ? known : { ...known, api_version: version?.date };
}

function pushAdvice(headers: string[], status: number, request: FastifyRequest): void {
  if (status === 401) headers.push('WWW-Authenticate', challengeFor(request));
  if (status === 429 || status === 503) headers.push('Retry-After', RETRY_AFTER_S);
  if (status === 503) headers.push('Stripe-Should-Retry', 'true');
}
