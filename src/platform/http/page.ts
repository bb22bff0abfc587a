/**
 * Public pages: no key, but forms, streams and signed notifications, with headers against framing, tracking and other
 * sites. Errors are pages too. Never logs tokens, forms, queries or addresses. Next: `serve.ts`, which sends answers.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../core/values/errors.ts';
import { bodyKind, readBody } from './request/body.ts';
import { loggable } from './errors.ts';
import { holdBack } from './keyless.ts';
import { routeTimer } from './metrics.ts';
import { emptyObject, type Tree } from './request/param.ts';
import { Places } from './transfer/places.ts';
import { rateLimit, tokenBuckets } from './rate-limit.ts';
import type { Answer } from './route.ts';
import { answer, RETRY_AFTER_S, type Serving } from './serve.ts';
import { type PageLook, Served } from './served.ts';
import { parseUrl } from '../../core/values/url.ts';
import { singleFlight } from './cache/single-flight.ts';

/** One request without a key; nothing in it can be trusted. */
export interface PageCall {
  readonly requestId: string;
  /** That of the page: a HEAD request reads GET. */
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Path parameters by name; shape unchecked, 0 to 500 characters. None where no page matched. */
  readonly params: Readonly<Record<string, string>>;
  /** The first value; `undefined` too when the query is not percent-encoded UTF-8. Never throws. */
  readonly query: (name: string) => string | undefined;
  /** A field of a form body, any characters in it. A broken body, or a field sent twice: no fields. Never throws. */
  readonly form: (name: string) => string | undefined;
  readonly rawBody: Buffer;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Whether another site sent this, as the browser says. For forms; a link may come from any site. See {@link isForeign}. */
  readonly isForeign: boolean;
}

export type PageAnswer = Answer<string | Buffer>;

export interface Page {
  readonly method: 'GET' | 'POST';
  /** With `:name` parameters. */
  readonly path: `/pay/${string}`;
  /** For a read without side effects: equal reads at once share one answer. The key holds all that the answer depends on. */
  readonly share?: (call: PageCall) => string;
  /**
   * For a form: whether a page of this site made it. Asked before the form is counted and handled, so that wrong forms are
   * counted apart. Must write nothing; may throw as `handle` may, which has to check again. Without it every form is ours.
   */
  isOurs?(call: PageCall): Promise<boolean>;
  /** The answer is a stream of server-sent events: never shared, and only so many at once. */
  readonly streams?: boolean;
  /** `false`: sent by servers without a limit; the handler checks their signature. */
  readonly limited?: boolean;
  /** May throw a `RequestError`; anything else is an internal error. `PageParts.onFault` then writes the page. */
  handle(call: PageCall): Promise<PageAnswer>;
}

export interface PageLimits {
  /** Views of one client address; 0 switches the limit off. */
  readonly pageRequestsPerSecond: number;
  /** Forms sent from one client address; 0 switches the limit off. */
  readonly pagePostsPerSecond: number;
  /** Wrong links and wrong forms of one client address, which count as neither of the above; 0 switches the limit off. */
  readonly pageFaultsPerSecond: number;
  /** Streams of pages open at once. */
  readonly pageStreams: number;
  /** Of these, streams of one path. */
  readonly pageStreamsPerPath: number;
}

export interface PageParts {
  readonly limits: PageLimits;
  /** The service's address as browsers see it; '' if unknown. */
  readonly publicUrl: string;
  /** The page for a status from 400: an unknown path, a refusal, an internal error. What it throws is logged. */
  readonly onFault: (call: PageCall, status: number) => PageAnswer;
}

/** The answer to an error when there is no `onFault`, or when it has failed. */
export function plainFault(_call: PageCall, status: number): PageAnswer {
  return { status, body: `HTTP ${status}\n`, contentType: 'text/plain; charset=utf-8' };
}

const HTML_TYPE = 'text/html; charset=utf-8';
/** A year. Without subdomains, which may belong to others. */
const HSTS = 'max-age=31536000';

/**
 * The policy of every page: only content of this site. `formTargets` are further origins that a form or its redirects may
 * lead to, such as `https://checkout.stripe.com`; a page that needs them sends this policy as a header of its answer.
 */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  const own = ['style-src', 'script-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`);
  const forms = ['form-action', "'self'", ...formTargets].join(' ');
  return ["default-src 'none'", ...own, forms, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

export interface PageSite {
  readonly parts: PageParts;
  readonly above: PageLook['above'];
}

export function pageSite(parts: PageParts): PageSite {
  const standing: readonly (readonly [string, string])[] = [
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', contentSecurityPolicy()],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['X-Robots-Tag', 'noindex, nofollow'],
    ['Referrer-Policy', 'no-referrer'], // the URL holds the secret token
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
    ...(parts.publicUrl.startsWith('https:') ? [['Strict-Transport-Security', HSTS] as const] : []),
  ];
  return {
    parts,
    above(own = {}) {
      const set = new Set(Object.keys(own).map((name) => name.toLowerCase()));
      return standing.filter(([name]) => !set.has(name.toLowerCase())).flat();
    },
  };
}

export function isPageUrl(url: string): boolean {
  return /^\/pay(?:[/?]|$)/.test(url);
}

export function servedAsPage(
  serving: Serving,
  site: PageSite,
  request: FastifyRequest,
  reply: FastifyReply,
  page?: Page,
): { readonly served: Served; readonly call: PageCall } {
  const { onFault, publicUrl } = site.parts;
  const served = new Served(request, reply, page?.path ?? '(none)');
  const call = pageCall(request, page, publicUrl);
  served.page = {
    above: site.above,
    refusal(status) {
      try {
        return { contentType: HTML_TYPE, ...onFault(call, status) };
      } catch (error) {
        const about = { request_id: request.id, route: served.route, err: loggable(error) };
        serving.log.error(about, 'fault page failed');
        return plainFault(call, status);
      }
    },
  };
  return { served, call };
}

function tooMany(): RequestError {
  return new RequestError('rate_limited', `Too many requests. Retry after ${RETRY_AFTER_S} second.`);
}

/**
 * Order of checks: rate limit, place for a stream, handler. A view is counted behind its handler, a form between
 * `isOurs` and handler: who shares an address with somebody trying links is not locked out.
 */
export function servePages(app: FastifyInstance, serving: Serving, site: PageSite, pages: readonly Page[]): void {
  const { limits } = site.parts;
  const faults = tokenBuckets(limits.pageFaultsPerSecond);
  const views = rateLimit(limits.pageRequestsPerSecond);
  const forms = rateLimit(limits.pagePostsPerSecond);
  const { pageStreams: all, pageStreamsPerPath: each } = limits;
  const streams = new Places({ all, each, kept: Math.floor(all / 5) });
  for (const page of pages) {
    const isForm = page.method === 'POST';
    const isLimited = page.limited !== false;
    const limit = !isLimited ? null : isForm ? forms : views;
    const timer = routeTimer(page.path, page.method);
    const share = singleFlight<PageAnswer>();
    const clientOf = ({ request }: Served) => serving.clients.networkOf(request);
    /** Throws `rate_limited` for one too many. */
    const count = (served: Served) => {
      if (limit === null) return;
      served.left = limit.take(clientOf(served), served.startedMs);
      if (served.left < 0) throw tooMany();
    };
    const countFault = (served: Served) => {
      if (isLimited && !faults.take(clientOf(served), performance.now())) throw tooMany();
    };
    const produce = async ({ reply }: Served, call: PageCall): Promise<PageAnswer> => {
      if (page.streams === true) takePlace(streams, `${page.path} ${JSON.stringify(call.params)}`, reply.raw);
      const handle = async () => ({ contentType: HTML_TYPE, ...(await page.handle(call)) });
      return page.share === undefined || page.streams === true ? handle() : share(page.share(call), handle);
    };
    const counted = async (served: Served, call: PageCall): Promise<PageAnswer> => {
      let isHonest = false;
      try {
        if (!isForm) {
          if (limit?.isSpent(clientOf(served), served.startedMs) === true) count(served);
        } else if ((await page.isOurs?.(call)) ?? true) {
          isHonest = true; // whatever becomes of it: somebody else may have paid first
          count(served);
        }
        const made = await produce(served, call);
        if (isHonest) return made;
        if (isForm || made.status >= 400) countFault(served);
        else count(served);
        return made;
      } catch (error) {
        if (!isHonest && isWrong(error)) countFault(served);
        throw error;
      }
    };
    const run = async (served: Served, call: PageCall): Promise<PageAnswer> => {
      try {
        return await counted(served, call);
      } catch (error) {
        if (error instanceof RequestError && error.code === 'rate_limited') await holdBack();
        throw error;
      }
    };
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const { served, call } = servedAsPage(serving, site, request, reply, page);
      served.limit = limit;
      void answer(serving, served, timer, run(served, call));
    };
    app.route({ method: page.method, url: page.path, handler });
  }
}

/** A refusal that the visitor caused, other than by too many requests. */
function isWrong(error: unknown): boolean {
  return error instanceof RequestError && error.status < 429;
}

function pageCall(request: FastifyRequest, page: Page | undefined, publicUrl: string): PageCall {
  const { url, headers } = request;
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  let fields: Tree | undefined;
  let parameters: URLSearchParams | undefined;
  return {
    requestId: request.id,
    method: page?.method ?? request.method,
    url,
    params: page === undefined ? {} : (request.params as Readonly<Record<string, string>>),
    query: (name) => (parameters ??= readableQuery(url)).get(name) ?? undefined,
    form: (name) => {
      fields ??= readableForm(header('content-type'), rawBody);
      const value = (fields as Readonly<Record<string, Tree>>)[name];
      return typeof value === 'string' ? value : undefined;
    },
    rawBody,
    header,
    isForeign: isForeign(header, publicUrl),
  };
}

/** Lenient, unlike the API: mail programs and shops add parameters of their own to links. */
function readableQuery(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  const query = mark === -1 ? '' : url.slice(mark + 1);
  try {
    decodeURIComponent(query);
    return new URLSearchParams(query);
  } catch {
    return new URLSearchParams();
  }
}

function readableForm(contentType: string | undefined, bytes: Buffer): Tree {
  if (contentType === undefined || bodyKind(contentType) !== 'form') return emptyObject();
  try {
    return readBody('form', bytes);
  } catch (error) {
    if (error instanceof RequestError) return emptyObject();
    throw error;
  }
}

/**
 * `Sec-Fetch-Site` decides if present; every browser since 2023 sends it over https and to localhost. Else `Origin`
 * must name this site; our own forms send none or `null` because of the `Referrer-Policy` (Fetch standard, 3.2), and
 * then only the token in the form protects.
 */
export function isForeign(header: PageCall['header'], publicUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = header('origin');
  if (origin === undefined || origin === 'null') return false;
  const asking = parseUrl(origin);
  if (asking === null) return true;
  const { host, protocol } = asking;
  // A proxy may have replaced Host, so `publicUrl` is accepted too.
  return ![`${protocol}//${header('host') ?? ''}`, publicUrl].some((own) => parseUrl(own)?.host === host);
}

/** Takes a place until the response is over. Throws `overloaded` when there is none. */
function takePlace(streams: Places, path: string, response: ServerResponse): void {
  // A pipelined response without a socket gets no `close` when the browser leaves, so its place would never be freed.
  const leave = response.socket === null ? null : streams.take(path);
  if (leave === null) throw new RequestError('overloaded', 'Too many streams are open. Try again later.');
  response.once('close', leave);
}
