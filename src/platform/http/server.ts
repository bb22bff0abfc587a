/** The HTTP server: Fastify with our own parsers and error answers. Next: `serve.ts` (one request), `page.ts`. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Code, RequestError } from '../../core/values/errors.ts';
import { newId } from '../../core/values/ids.ts';
import { type Admission, admit, type Authenticate } from './admit.ts';
import { DASHBOARD_API, keyIn } from './auth.ts';
import { clientAddresses, type TrustedProxies } from './client-address.ts';
import { keyless } from './keyless.ts';
import { answerMalformed, repeatedHeader } from './malformed.ts';
import { allowedMethods, nearestPath, shadowedMethods, unknownPath } from './methods.ts';
import { routeTimer } from './metrics.ts';
import { openapi } from './openapi.ts';
import { isPageUrl, type Page, type PageLimits, type PageParts, pageSite, plainFault } from './page.ts';
import { servedAsPage, servePages } from './page.ts';
import type { JsonSchema } from './request/params.ts';
import { rateLimit } from './rate-limit.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import { type Door, doorEntry, serveDoor } from './door.ts';
import { siteFolder } from './docs.ts';
import { askForBodiesLate, mayHoldBack } from './expect.ts';
import { inTurn } from './pipelining.ts';
import { type PublicParts, publicPaths, servePublic } from './public.ts';
import type { Route } from './route.ts';
import { CLOSING, type Entry, isLong, sendFault, type Serving, serveRoute } from './serve.ts';
import { type OnAnswered, Served } from './served.ts';
import type { BuildState } from './transfer/built-folder.ts';
import { OpenStreams } from './transfer/stream.ts';
import { Uploads } from './transfer/upload.ts';
import { Versions } from './version/versions.ts';

export interface HttpConfig extends PageLimits {
  /** Per key; 0 switches the limit off. */
  readonly requestsPerSecond: number;
  /** Without a valid key, per client address; 0 switches the limit off. */
  readonly keylessRequestsPerSecond: number;
  readonly trustedProxies: TrustedProxies;
  /** Opens GET /metrics; `null`: only keys do. */
  readonly metricsToken: string | null;
  readonly bodyLimitBytes: number;
  /** For headers and body together. */
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** How long the receiver of a stream may stop reading; the time in which an upload or a download has to move `LEAST_BYTES`. */
  readonly streamStallMs: number;
  /** The service's address as clients see it, without a trailing slash; '' if unknown. */
  readonly publicUrl: string;
  readonly version: string;
}

export interface ServerParts {
  readonly config: HttpConfig;
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  readonly onFault?: PageParts['onFault'];
  /** `components/schemas` of the OpenAPI document, by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly webhooks?: Readonly<Record<string, unknown>>;
  readonly authenticate: Authenticate;
  /** Where clients find the service, without a trailing slash; left out: the public address alone. */
  readonly baseUrl?: () => string;
  /** A key was used that does not open anything; for the audit log. */
  readonly onRefusedKey?: Admission['onRefusedKey'];
  /** Makes what hears of every request with an answer, from how the address of a client is found; left out: nobody does. */
  readonly onAnswered?: ((addressOf: (request: FastifyRequest) => string) => OnAnswered) | undefined;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Without it every read goes to the database. */
  readonly responseCache?: ResponseCache;
  /** Of the API; left out: those there are. */
  readonly versions?: Versions;
  /** `null` when requests can be served, else why not, in words. Must not throw. */
  readonly readiness: () => Promise<string | null> | string | null;
  /** Where the built documentation site is, or will be; `null`: nowhere; left out: of this installation. */
  readonly docsFolder?: string | null;
  /** How far a build of that site is. */
  readonly docsBuild?: () => BuildState;
  /** The dashboard's way in; left out: there is no dashboard. */
  readonly door?: Door;
  /** The dashboard; left out: there is none. */
  readonly dashboard?: NonNullable<PublicParts['dashboard']>;
  /** The page at `/` for people. */
  readonly home?: NonNullable<PublicParts['home']>;
}

/** How often Node looks for connections past their time-outs. */
const TIMEOUT_CHECK_MS = 2_000;
/** Longer path parameters are answered as unknown paths. */
const MAX_PATH_PARAM_LENGTH = 500;
/** An operation of the API where a session opens it. */
const IS_BY_SESSION = new RegExp(`^${DASHBOARD_API}/v1/`);

/** Routes have no schemas of the framework. Loading its compilers, which nobody would ask, took 90 ms of every start. */
const noCompiler = () => () => {
  throw new Error('A route has a schema of the framework; `params` checks what is sent.');
};

/** Builds the server; the caller listens and closes. While closing, requests under way are answered and streams end. */
export function buildServer(parts: ServerParts): FastifyInstance {
  const {
    config,
    log,
    authenticate,
    onRefusedKey = () => undefined,
    pages = [],
    onFault = plainFault,
    responseCache = null,
    baseUrl = () => config.publicUrl,
    versions = new Versions(),
  } = parts;
  const clients = clientAddresses(config.trustedProxies, (message) => log.warn(message));
  const serving: Serving = {
    authenticate,
    onRefusedKey,
    keyless: keyless(clients, config.keylessRequestsPerSecond),
    clients,
    log,
    limit: rateLimit(config.requestsPerSecond),
    streams: new OpenStreams(config.streamStallMs),
    uploads: new Uploads(config.streamStallMs),
    responseCache,
    baseUrl,
    schemas: parts.schemas,
    versions,
    onAnswered: parts.onAnswered?.(clients.addressOf) ?? null,
  };
  const unmatched = routeTimer('(none)', '(any)');
  const site = pageSite({ limits: config, publicUrl: config.publicUrl, onFault });
  const refuse = (request: FastifyRequest, reply: FastifyReply, thrown: unknown, headers?: Record<string, string>) => {
    const served = isPageUrl(request.url)
      ? servedAsPage(serving, site, request, reply).served
      : new Served(request, reply, '(none)');
    served.caller = request.admitted?.caller ?? null;
    if (request.url.startsWith('/v1/')) served.version = versions.asked(request.headers['bursar-version']);
    sendFault(serving, served, thrown, unmatched, headers);
  };
  // No key was looked at: whoever asks for what does not exist is counted by address.
  const refuseCounted: typeof refuse = (request, reply, thrown, headers) => {
    const refuseAs = (fault: unknown) => refuse(request, reply, fault, headers);
    serving.keyless.count(request).then(() => refuseAs(thrown), refuseAs);
  };

  const { door, dashboard = null } = parts;
  const app = fastify({
    logger: false,
    // A session reaches the same routes as a key: each twice was a tenth of every start.
    rewriteUrl: ({ url = '' }) =>
      door !== undefined && IS_BY_SESSION.test(url) ? url.slice(DASHBOARD_API.length) : url,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: () => newId('req'),
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    http: { headersTimeout: config.headersTimeoutMs, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    routerOptions: { maxParamLength: MAX_PATH_PARAM_LENGTH },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed(log, baseUrl, serving.uploads),
    frameworkErrors: (_error, request, reply) => inTurn(reply.raw, () => refuseCounted(request, reply, unknownPath())),
  });
  askForBodiesLate(app.server);
  app.decorateRequest('admitted', null);
  app.decorateRequest('refusedKey', null);
  app.addHook('onRequest', (request, reply, done) => {
    // Proxies differ in which of the two they believe, so one may have checked what another serves.
    const twice = repeatedHeader(request.raw.rawHeaders);
    if (twice !== null) refuse(request, reply, sentTwice(twice), CLOSING);
    else if (request.is404 && mayHoldBack(request.raw))
      inTurn(reply.raw, () => refuseUnmatched(request, reply, CLOSING));
    else inTurn(reply.raw, done);
  });

  // One parser for every type, which keeps the bytes; the types of a route are checked after authentication. The usual
  // types are named, because Fastify caches named types and parses the header for '*'.
  app.removeAllContentTypeParsers();
  for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/csv', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }
  const known = [...parts.routes, ...(door?.operations ?? [])];
  const all = [...known, ...pages, ...publicPaths(dashboard !== null).map(asGet)];
  const allowed = allowedMethods(all);
  const near = nearestPath(parts.routes);
  const refuseUnmatched = (request: FastifyRequest, reply: FastifyReply, headers?: Record<string, string>) => {
    const methods = allowed(request.url.split('?', 1)[0] as string);
    if (methods.length === 0 || methods.includes(request.method)) {
      return refuseCounted(request, reply, unknownPath(near(request.url.split('?', 1)[0] as string)), headers);
    }
    const message = `${request.method} is not possible here. Possible: ${methods.join(', ')}.`;
    const fault = new RequestError('method_not_allowed', message, { allowed: methods });
    refuseCounted(request, reply, fault, { ...headers, Allow: methods.join(', ') });
  };
  app.setNotFoundHandler((request, reply) => refuseUnmatched(request, reply));
  // For an unknown path the fault of the body does not matter.
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) refuseUnmatched(request, reply, CLOSING);
    else refuse(request, reply, readingFault(error, config.bodyLimitBytes), CLOSING);
  });

  // An open stream or upload would keep the server from closing.
  app.addHook('preClose', (done) => {
    serving.streams.close();
    serving.uploads.close();
    done();
  });

  const keys: Entry = {
    prefix: '',
    admit: (request) => admit(serving, request),
    again: async ({ headers }) => serving.authenticate(keyIn(headers) as string),
  };
  // The first whose prefix a request has: every one has that of keys.
  const entries = door === undefined ? [keys] : [doorEntry(door, serving), keys];
  const routesOf = (uploads: boolean) =>
    parts.routes
      .filter((route) => (route.uploads === true) === uploads)
      .map((route) => serveRoute(route, serving, entries));
  for (const route of routesOf(false)) app.route(route);
  void app.register((uploads, _options, done) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body));
    for (const route of routesOf(true)) uploads.route(route);
    done();
  });
  for (const { method, path: url } of shadowedMethods(all)) {
    const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
      refuseUnmatched(request, reply, isLong(request) ? CLOSING : undefined);
    app.route({ method, url, onRequest, handler: () => undefined });
  }
  const { version, publicUrl, metricsToken } = config;
  const document = () => openapi(parts.routes, parts.schemas, { version, publicUrl }, parts.webhooks);
  const { metrics, readiness, docsFolder = siteFolder(), docsBuild = () => 'none', home = null } = parts;
  const shown = { docsFolder, docsBuild, dashboard, home };
  servePublic(app, serving, { version, metrics, metricsToken, readiness, document, ...shown });
  servePages(app, serving, site, pages);
  if (door !== undefined) serveDoor(app, serving, door);
  return app;
}

function sentTwice(name: string): RequestError {
  const code = name === 'Idempotency-Key' ? 'idempotency_key_invalid' : 'body_invalid';
  return new RequestError(code, `${name} was sent more than once. Send one ${name} header.`);
}

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
