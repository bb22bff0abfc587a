/**
 * The paths that need no key: health, metrics, the OpenAPI document, the documentation, the files of the dashboard. All but the health checks are
 * counted by client address: a load balancer that is refused takes the service for dead. Metrics are of the whole process, all
 * merchants together, so they need a token, or a key with the scope `metrics:read`. Next: `serve.ts`.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { RequestError, ERRORS_PAGE } from '../../core/values/errors.ts';
import { admit } from './admit.ts';
import { DOCS_PATHS, docsSite } from './docs.ts';
import { unknownPath } from './methods.ts';
import { routeTimer } from './metrics.ts';
import type { Answer } from './route.ts';
import { answer, type Serving } from './serve.ts';
import { Served } from './served.ts';
import type { BuildState } from './transfer/built-folder.ts';
import { isKnown, takesGzip } from './transfer/validators.ts';

export interface PublicParts {
  readonly version: string;
  readonly metrics: Registry;
  readonly metricsToken: string | null;
  readonly readiness: () => Promise<string | null> | string | null;
  /** The OpenAPI document; called once. */
  readonly document: () => object;
  readonly docsFolder: string | null;
  readonly docsBuild: () => BuildState;
  /** Answers what is below `/dashboard`, but for its API; `null`: there is no dashboard. An answer of `null`: nothing is there. */
  readonly dashboard: ((request: FastifyRequest) => Promise<PublicAnswer | null>) | null;
  /** The page at `/` for people; `null`: everybody gets JSON there. */
  readonly home: (() => { readonly body: string; readonly headers: Readonly<Record<string, string>> }) | null;
}

const PUBLIC_PATHS = ['/', '/livez', '/readyz', '/metrics', '/openapi.json', '/llms.txt', ...DOCS_PATHS] as const;
const DASHBOARD_PATHS = ['/dashboard', '/dashboard/*'] as const;

export const publicPaths = (hasDashboard: boolean): readonly string[] =>
  hasDashboard ? [...PUBLIC_PATHS, ...DASHBOARD_PATHS] : PUBLIC_PATHS;

type PublicAnswer = Answer<string | Buffer>;
type PublicPage = (request: FastifyRequest) => Promise<PublicAnswer> | PublicAnswer;

export function servePublic(app: FastifyInstance, serving: Serving, parts: PublicParts): void {
  const { version, readiness, document, home } = parts;
  const links = {
    name: 'Bursar',
    version,
    openapi: '/openapi.json',
    errors: ERRORS_PAGE,
    docs: '/docs',
    health: '/readyz',
  };
  const metrics = metricsPage(serving, parts);
  const openapi = preparedJson(document);
  const counted =
    (page: PublicPage): PublicPage =>
    async (request) => {
      await serving.keyless.count(request);
      return page(request);
    };
  const site = docsSite(parts.docsFolder, undefined, parts.docsBuild);
  const docs = counted(async (request) => {
    const found = await site(request);
    if (found === null)
      throw new RequestError(
        'path_unknown',
        'No such page. /docs lists those there are, and says how the site is built.',
      );
    return found;
  });
  const pages: Readonly<Record<(typeof PUBLIC_PATHS)[number], PublicPage>> = {
    '/': counted(({ headers }) =>
      home !== null && /\btext\/html\b/i.test(headers.accept ?? '')
        ? { status: 200, contentType: 'text/html; charset=utf-8', ...home() }
        : { ...json(200, links), headers: { Vary: 'Accept' } },
    ),
    '/livez': () => json(200, { status: 'ok' }),
    '/readyz': async () => {
      const why = await readiness();
      return why === null ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable', reason: why });
    },
    '/metrics': metrics,
    '/openapi.json': counted(({ headers }) => openapi(headers['accept-encoding'], headers['if-none-match'])),
    '/llms.txt': counted(() => ({ status: 307, body: '', headers: { Location: '/docs/llms.txt' } })),
    '/docs': docs,
    '/docs/*': docs,
  };
  const serve = (path: string, page: PublicPage) => {
    const timer = routeTimer(path, 'GET');
    app.get(path, (request: FastifyRequest, reply: FastifyReply) => {
      const result = async () => page(request);
      void answer(serving, new Served(request, reply, path), timer, result());
    });
  };
  for (const path of PUBLIC_PATHS) serve(path, pages[path]);
  const { dashboard } = parts;
  if (dashboard === null) return;
  const shown = counted(async (request) => {
    const found = await dashboard(request);
    if (found === null) throw unknownPath(); // as where there is no dashboard
    return found;
  });
  for (const path of DASHBOARD_PATHS) serve(path, shown);
}

const json = (status: number, value: unknown): PublicAnswer => ({ status, body: JSON.stringify(value) });

/** A JSON document that never changes: made, hashed and compressed once, when it is first asked for. */
function preparedJson(document: () => object): (encodings?: string, known?: string) => PublicAnswer {
  const prepare = () => {
    const plain = Buffer.from(JSON.stringify(document()));
    const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
    const common = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    return {
      plain: { body: plain, headers: { ...common, ETag: `"${tag}"` } },
      gzip: { body: gzipSync(plain), headers: { ...common, ETag: `"${tag}-gzip"`, 'Content-Encoding': 'gzip' } },
    };
  };
  let variants: ReturnType<typeof prepare> | undefined;
  return (encodings, known) => {
    const { body, headers } = (variants ??= prepare())[takesGzip(encodings) ? 'gzip' : 'plain'];
    return isKnown(headers.ETag, known) ? { status: 304, body: '', headers } : { status: 200, body, headers };
  };
}

/** Rendering takes milliseconds, and nobody needs two in a second. */
const RENDERED_MS = 1_000;

function metricsPage(serving: Serving, { metrics, metricsToken }: PublicParts): PublicPage {
  let rendered: Promise<string> | undefined;
  let renderedAtMs = 0;
  const render = async (): Promise<PublicAnswer> => {
    const nowMs = performance.now();
    if (rendered === undefined || nowMs - renderedAtMs >= RENDERED_MS) {
      rendered = metrics.metrics();
      renderedAtMs = nowMs;
    }
    return { status: 200, body: await rendered, contentType: metrics.contentType };
  };
  return async (request) => {
    if (metricsToken !== null && isBearer(request.headers.authorization, metricsToken)) return render();
    // nginx asks with HTTP/1.0 and adds no header, unless it is told to. No scraper does.
    if (request.raw.httpVersion !== '1.0' && serving.clients.isLocal(request)) {
      await serving.keyless.count(request);
      return render();
    }
    const { scopes } = await admit(serving, request, metricsRefused);
    if (scopes?.has('metrics:read') === true) return render();
    const advice = 'Metrics are of all merchants, so a key reads them only with the scope metrics:read.';
    throw new RequestError('scope_missing', `${advice} Make one: bursar keys create --live --scope metrics:read.`);
  };
}

function metricsRefused(): RequestError {
  return new RequestError(
    'api_key_invalid',
    'Send `Authorization: Bearer <BURSAR_METRICS_TOKEN>`, or a key with the scope metrics:read. Without one, metrics are shown only to this machine itself, as localhost or 127.0.0.1 and with no proxy between.',
  );
}

/** In the same time for every wrong token. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  const [a, b] = [given, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
