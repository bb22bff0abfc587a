/** What is known of a request while it is served, and the headers that every answer has. Next: `serve.ts`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Span } from '../tracing/request-span.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Answer } from './route.ts';
import { type Version, VERSION_HEADER } from './version/versions.ts';

/** The request was not counted, because it had no valid key. */
const NOT_COUNTED = -2;

export class Served {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly route: string;
  readonly startedMs = performance.now();
  actorId: string | undefined;
  /** What counts the request, by key or by client address. */
  limit: RateLimit | null = null;
  /** Requests left in the second of the key or address; -1 is one too many. */
  left = NOT_COUNTED;
  /** Its form depends on `Accept`. */
  hasForms = false;
  /** The body is read as it arrives, so some of it may be missing when the answer is known. */
  uploads = false;
  /** Names and values of the headers that announce its end; `null`: it stays. */
  deprecation: readonly string[] | null = null;
  /** Whether the key is still valid for the route; asked while a stream is open. */
  mayGoOn: () => Promise<boolean> = async () => true;
  /** In which version of the API it is answered; `null`: it is no answer of the API. */
  version: Version | null = null;
  /** How a page for people looks; `null`: the answer is one of the API. */
  page: PageLook | null = null;
  /** `null`: tracing is off, or the request has none. */
  span: Span | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply, route: string) {
    this.request = request;
    this.reply = reply;
    this.route = route;
  }
}

export interface PageLook {
  /** The standing headers, names and values in turn, without those that the answer sets itself. */
  above(own: Answer['headers']): string[];
  refusal(status: number): Answer<string | Buffer>;
}

/** The headers before the answer's own, names and values in turn. An answer that does not say how it may be kept must not be. */
export function head(
  { request, page, hasForms, limit, left, deprecation, version }: Served,
  contentType: string,
  own: Answer['headers'],
) {
  const headers = ['Content-Type', contentType, 'Request-Id', request.id];
  if (page !== null) headers.push(...page.above(own));
  else {
    if (own?.['Cache-Control'] === undefined) headers.push('Cache-Control', 'no-store');
    headers.push('X-Content-Type-Options', 'nosniff');
  }
  if (hasForms) headers.push('Vary', 'Accept');
  if (limit !== null && left !== NOT_COUNTED) {
    headers.push('RateLimit', limit.header(left), 'RateLimit-Policy', limit.policy);
  }
  if (version !== null) headers.push(VERSION_HEADER, version.date);
  const ends = deprecation ?? version?.past?.deprecation ?? null;
  if (ends !== null) headers.push(...ends);
  return headers;
}
