/**
 * The HTTP server: Fastify with our own body parsers and error answers, and the few paths that need no key. Its only state
 * is the rate limits. Next: `serve.ts` (one request), `page.ts` (pages for people); called by `process/app.ts`.
 */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { ERRORS_PAGE } from '../core/error-body.ts';
import { type Code, RequestError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { errorsPage } from './errors.ts';
import { answerMalformed } from './malformed.ts';
import { routeTimer } from './metrics.ts';
import { openapi } from './openapi.ts';
import { isPageUrl, type Page, type PageLimits, type PageParts, pageSite, plainFault } from './page.ts';
import { ServedPage, servePages } from './page.ts';
import type { JsonSchema } from './request/params.ts';
import { rateLimit } from './rate-limit.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { Answer, Route } from './route.ts';
import { type Authenticate, answer, Served, sendFault, type Serving, serveRoute } from './serve.ts';
import { OpenStreams } from './stream.ts';

export interface HttpConfig extends PageLimits {
  /** Per key; 0 switches the limit off, and those of pages with it. */
  readonly requestsPerSecond: number;
  readonly bodyLimitBytes: number;
  /** For headers and body together. */
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** How long the receiver of a stream may stop reading. */
  readonly streamStallMs: number;
  /** The service's address as clients see it, without a trailing slash; '' if unknown. */
  readonly publicUrl: string;
  readonly version: string;
}

export interface ServerParts {
  readonly config: HttpConfig;
  readonly routes: readonly Route[];
  /** Pages that need no key. */
  readonly pages?: readonly Page[];
  /** Writes the page for an error below `/pay`. */
  readonly onFault?: PageParts['onFault'];
  /** `components/schemas` of the OpenAPI document, by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Without it every read goes to the database. */
  readonly responseCache?: ResponseCache;
  /** `null` when requests can be served, else why not, in words. Must not throw. */
  readonly readiness: () => Promise<string | null> | string | null;
}

/** How often Node looks for connections past their time-outs. */
const TIMEOUT_CHECK_MS = 2_000;
/** Longer path parameters are answered as unknown paths. */
const MAX_PATH_PARAM_LENGTH = 500;

/** Builds the server; the caller listens and closes. While closing, requests under way are answered and streams end. */
export function buildServer(parts: ServerParts): FastifyInstance {
  const { config, log, authenticate, pages = [], onFault = plainFault, responseCache = null } = parts;
  const streams = new OpenStreams(config.streamStallMs);
  const limit = rateLimit(config.requestsPerSecond);
  const serving: Serving = { authenticate, log, limit, streams, responseCache };
  const unmatched = routeTimer('(none)', '(any)');
  const site = pageSite({ limits: pageLimits(config), publicUrl: config.publicUrl, onFault });
  const refuse = (request: FastifyRequest, reply: FastifyReply, thrown: unknown, headers?: Record<string, string>) => {
    const served = isPageUrl(request.url)
      ? new ServedPage(serving, site, request, reply)
      : new Served(request, reply, '(none)');
    sendFault(serving, served, thrown, unmatched, headers);
  };

  const app = fastify({
    logger: false,
    genReqId: () => newId('req'),
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    http: { headersTimeout: config.headersTimeoutMs, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    routerOptions: { maxParamLength: MAX_PATH_PARAM_LENGTH },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed(log),
    frameworkErrors: (_error, request, reply) =>
      refuse(request as FastifyRequest, reply as FastifyReply, unknownPath()),
  });

  // One parser for every type, which keeps the bytes; the types of a route are checked after authentication. The usual
  // types are named, because Fastify caches named types and parses the header for '*'.
  app.removeAllContentTypeParsers();
  for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/csv', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }
  const allowed = allowedMethods([...parts.routes, ...pages, ...Object.keys(publicPages(parts)).map(asGet)]);
  const refuseUnmatched = (request: FastifyRequest, reply: FastifyReply, headers?: Record<string, string>) => {
    const methods = allowed(request.url.split('?', 1)[0] as string);
    if (methods.length === 0 || methods.includes(request.method)) return refuse(request, reply, unknownPath(), headers);
    const message = `${request.method} is not possible here; ${methods.join(', ')} is.`;
    const fault = new RequestError('method_not_allowed', message, { allowed: methods });
    refuse(request, reply, fault, { ...headers, Allow: methods.join(', ') });
  };
  app.setNotFoundHandler((request, reply) => refuseUnmatched(request, reply));
  // The rest of a refused body may still arrive, so the connection is closed after the answer. For an unknown path the
  // fault of the body does not matter.
  const closing = { Connection: 'close' };
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) refuseUnmatched(request, reply, closing);
    else refuse(request, reply, readingFault(error, config.bodyLimitBytes), closing);
  });

  // An open stream would keep the server from closing.
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });

  for (const route of parts.routes) {
    app.route({ method: route.method, url: route.path, handler: serveRoute(route, serving) });
  }
  for (const [path, page] of Object.entries(publicPages(parts))) {
    const timer = routeTimer(path, 'GET');
    app.get(path, (request, reply) => void answer(serving, new Served(request, reply, path), timer, page()));
  }

  servePages(app, serving, site, pages);
  return app;
}

function pageLimits(config: HttpConfig): PageLimits {
  return config.requestsPerSecond > 0 ? config : { ...config, pageRequestsPerSecond: 0, pagePostsPerSecond: 0 };
}

function unknownPath(): RequestError {
  return new RequestError('path_unknown', 'No such path. Paths begin with /v1; GET /openapi.json lists them.');
}

/** Our refusal for an error of Fastify while it reads a request. */
function readingFault(error: unknown, bodyLimitBytes: number): unknown {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const as = (known: Code, message: string) => new RequestError(known, message);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return as('body_too_large', `The body is larger than ${bodyLimitBytes} bytes. Send fewer items a request.`);
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return as('content_type_unsupported', 'Send application/x-www-form-urlencoded or application/json, in UTF-8.');
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return as('body_invalid', 'The body could not be read; its length may differ from Content-Length.');
  }
  return error;
}

const asGet = (path: string) => ({ method: 'GET', path });

/** The methods of a path; called only when no route matched. */
function allowedMethods(routes: readonly { readonly method: string; readonly path: string }[]) {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const methods = byPath.get(path) ?? new Set();
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    byPath.set(path, methods);
  }
  const patterns = [...byPath].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:[a-z_]+/g, '[^/]+')}$`),
    methods,
  }));
  return (path: string): string[] => [
    ...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])),
  ];
}

/** The API's own pages, which need no key. */
function publicPages(parts: ServerParts): Readonly<Record<string, () => Promise<Answer>>> {
  const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });
  const { version, publicUrl } = parts.config;
  let document: Answer | undefined;
  return {
    '/': async () => json(200, { name: 'Bursar', version, openapi: '/openapi.json', errors: ERRORS_PAGE }),
    '/livez': async () => json(200, { status: 'ok' }),
    '/readyz': async () => {
      const why = await parts.readiness();
      return why === null ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable', reason: why });
    },
    '/metrics': async () => ({
      status: 200,
      body: await parts.metrics.metrics(),
      contentType: parts.metrics.contentType,
    }),
    '/openapi.json': async () => (document ??= json(200, openapi(parts.routes, parts.schemas, { version, publicUrl }))),
    [ERRORS_PAGE]: async () => ({ status: 200, body: errorsPage(), contentType: 'text/html; charset=utf-8' }),
  };
}
