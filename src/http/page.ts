/**
 * Public pages: no key, but forms, streams and signed notifications, and the headers that keep a page of money from
 * being framed, followed or read by others. Whatever goes wrong is answered as a page for people. Never logs tokens,
 * forms, queries or addresses: a page is known by its pattern. Next: `serve.ts`, how an answer leaves.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../core/errors.ts';
import { addressLimit } from './address-limit.ts';
import { bodyKind, readBody } from './request/body.ts';
import { loggable } from './errors.ts';
import { routeTimer } from './metrics.ts';
import { emptyObject, type Tree } from './request/param.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Answer } from './route.ts';
import { answer, NOT_COUNTED, pushLimit, RETRY_AFTER_S, Served, type Serving } from './serve.ts';
import { singleFlight } from './cache/single-flight.ts';

/** One request of somebody who has no key: nothing in it can be believed. */
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
  /** The body's bytes as they came, for what is signed over them. */
  readonly rawBody: Buffer;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The browser says that another site sent this; a link may come from anywhere, so only forms ask. See `isForeign`. */
  readonly isForeign: boolean;
}

export type PageAnswer = Answer<string | Buffer>;

export interface Page {
  readonly method: 'GET' | 'POST';
  /** With `:name` parameters. */
  readonly path: `/pay/${string}`;
  /** For a read without side effects: equal reads at once share one answer. The key holds all that tells two apart. */
  readonly share?: (call: PageCall) => string;
  /** The answer is a stream of server-sent events: never shared, and only so many at once. */
  readonly streams?: boolean;
  /** `false`: comes from servers, as often as they like; who sends it is checked by its signature. */
  readonly limited?: boolean;
  /** May throw: a `RequestError`, or anything else as our fault. `PageParts.onFault` then writes the page. */
  handle(call: PageCall): Promise<PageAnswer>;
}

export interface PageLimits {
  /** Reads of one client address; 0 switches the limit off. */
  readonly pageRequestsPerSecond: number;
  /** Forms sent from one client address; 0 switches the limit off. */
  readonly pagePostsPerSecond: number;
  /** Streams of pages open at once. */
  readonly pageStreams: number;
  /** Of these, streams of one path. */
  readonly pageStreamsPerPath: number;
}

export interface PageParts {
  readonly limits: PageLimits;
  /** The service's address as browsers see it; '' if unknown. */
  readonly publicUrl: string;
  /** What a person is shown for a status from 400: an unknown path, a refusal, our fault. What it throws is logged. */
  readonly onFault: (call: PageCall, status: number) => PageAnswer;
}

/** What answers faults where nobody wrote pages for them, and where writing one failed. */
export function plainFault(_call: PageCall, status: number): PageAnswer {
  return { status, body: `HTTP ${status}\n`, contentType: 'text/plain; charset=utf-8' };
}

const HTML_TYPE = 'text/html; charset=utf-8';
/** A year, as is usual. Subdomains are not bound: they may not be ours. */
const HSTS = 'max-age=31536000';

/**
 * The policy of every page: nothing but what this site serves. `formTargets` are origins that a form may lead to beside
 * this site, redirects behind it included, such as `https://checkout.stripe.com`; send it as a header of the answer.
 */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  const own = ['style-src', 'script-src', 'img-src', 'connect-src'].map((kind) => `${kind} 'self'`);
  const forms = ['form-action', "'self'", ...formTargets].join(' ');
  return ["default-src 'none'", ...own, forms, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

function standingHeaders(publicUrl: string): readonly (readonly [string, string])[] {
  return [
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', contentSecurityPolicy()],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['X-Robots-Tag', 'noindex, nofollow'],
    ['Referrer-Policy', 'no-referrer'], // the address is the secret
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
    ...(publicUrl.startsWith('https:') ? [['Strict-Transport-Security', HSTS] as const] : []),
  ];
}

/** What all pages of one server have in common. */
export class PageSite {
  readonly parts: PageParts;
  readonly #standing: readonly (readonly [string, string])[];

  constructor(parts: PageParts) {
    this.parts = parts;
    this.#standing = standingHeaders(parts.publicUrl);
  }

  /** Names and values in turn, without those that the answer sets itself. */
  above(own: PageAnswer['headers'] = {}): string[] {
    const set = new Set(Object.keys(own).map((name) => name.toLowerCase()));
    return this.#standing.filter(([name]) => !set.has(name.toLowerCase())).flat();
  }
}

/** Whether what goes wrong at this URL is shown to people rather than to programs. */
export function isPageUrl(url: string): boolean {
  return /^\/pay(?:[/?]|$)/.test(url);
}

/** A request for a page while it is served, or one below `/pay` that found none. */
export class ServedPage extends Served {
  readonly call: PageCall;
  readonly #serving: Serving;
  readonly #site: PageSite;
  readonly #limit: RateLimit | null;

  constructor(
    serving: Serving,
    site: PageSite,
    request: FastifyRequest,
    reply: FastifyReply,
    found?: { readonly page: Page; readonly limit: RateLimit | null },
  ) {
    super(request, reply, found?.page.path ?? '(none)');
    this.call = pageCall(request, found?.page, site.parts.publicUrl);
    this.#serving = serving;
    this.#site = site;
    this.#limit = found?.limit ?? null;
  }

  /** Counts this request. Throws `rate_limited` for one too many. */
  count(): void {
    if (this.#limit === null) return;
    this.left = this.#limit.take(this.request.socket.remoteAddress ?? '', this.startedMs);
    if (this.left < 0) {
      throw new RequestError('rate_limited', `Too many requests. Retry after ${RETRY_AFTER_S} second.`);
    }
  }

  // JSON of a page is of its own making.
  override get speaksProblems(): boolean {
    return false;
  }

  override head(_serving: Serving, contentType: string, own: PageAnswer['headers']): string[] {
    const headers = ['Content-Type', contentType, 'Request-Id', this.request.id, ...this.#site.above(own)];
    if (this.#limit !== null && this.left !== NOT_COUNTED) pushLimit(headers, this.#limit, this.left);
    return headers;
  }

  override refusal(_fault: RequestError, status: number): PageAnswer {
    try {
      return { contentType: HTML_TYPE, ...this.#site.parts.onFault(this.call, status) };
    } catch (error) {
      const about = { request_id: this.request.id, route: this.route, err: loggable(error) };
      this.#serving.log.error(about, 'fault page failed');
      return plainFault(this.call, status);
    }
  }
}

/** Adds the pages to the server: limit, then place of a stream, then handler. */
export function servePages(app: FastifyInstance, serving: Serving, site: PageSite, pages: readonly Page[]): void {
  const { limits } = site.parts;
  const reads = addressLimit(limits.pageRequestsPerSecond);
  const posts = addressLimit(limits.pagePostsPerSecond);
  const takePlace = streamPlaces(limits);
  for (const page of pages) {
    const limit = page.limited === false ? null : page.method === 'POST' ? posts : reads;
    const timer = routeTimer(page.path, page.method);
    const share = singleFlight<PageAnswer>();
    const run = async (served: ServedPage): Promise<PageAnswer> => {
      served.count();
      const { call, reply } = served;
      if (page.streams === true) takePlace(`${page.path} ${JSON.stringify(call.params)}`, reply.raw);
      const handle = async () => ({ contentType: HTML_TYPE, ...(await page.handle(call)) });
      return page.share === undefined || page.streams === true ? handle() : share(page.share(call), handle);
    };
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const served = new ServedPage(serving, site, request, reply, { page, limit });
      void answer(serving, served, timer, run(served));
    };
    app.route({ method: page.method, url: page.path, handler });
  }
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

/** Links come back from mail programs and shops with parameters of theirs, so what the API refuses is passed over here. */
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
 * Whether the browser says that another site sent the request. `Sec-Fetch-Site` decides where it is sent: over https and
 * to localhost, by every browser since 2023. Else `Origin` must name this site. `Origin: null` says nothing: with the
 * `Referrer-Policy` of our pages it is what our own forms send (Fetch standard, 3.2 "append a request `Origin` header"),
 * and so is no header at all. There the token in the form is what protects.
 */
export function isForeign(header: PageCall['header'], publicUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = header('origin');
  if (origin === undefined || origin === 'null') return false;
  if (!URL.canParse(origin)) return true;
  const { host, protocol } = new URL(origin);
  // A proxy may have put a name of its own into Host.
  return ![`${protocol}//${header('host') ?? ''}`, publicUrl].some(
    (own) => URL.canParse(own) && new URL(own).host === host,
  );
}

/** Takes a place until the response is over. Throws `overloaded` when there is none. */
function streamPlaces({
  pageStreams,
  pageStreamsPerPath,
}: PageLimits): (path: string, response: ServerResponse) => void {
  const open = new Map<string, number>();
  let all = 0;
  return (path, response) => {
    const here = open.get(path) ?? 0;
    // Without a socket it waits behind another answer of its connection, and nobody would say when that one is gone.
    if (response.socket === null || all >= pageStreams || here >= pageStreamsPerPath) {
      throw new RequestError('overloaded', 'Too many streams are open. Try again later.');
    }
    all += 1;
    open.set(path, here + 1);
    response.once('close', () => {
      all -= 1;
      const left = (open.get(path) ?? 0) - 1;
      if (left > 0) open.set(path, left);
      else open.delete(path);
    });
  };
}
