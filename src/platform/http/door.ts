/**
 * The dashboard's way in: the operations of the API below `/dashboard/api` too, opened by a person's session in place of a key, and
 * the operations of sessions themselves. A request counts only if a page of the dashboard sent it: the host is one of the settings, the browser
 * says that the page is of this origin, and of what a cookie opens the environment stands in a header that no form can send. A cookie opens
 * nothing at `/v1`, and a key nothing here. Never logs cookies or bodies. What a session is: `tenancy/sessions/`; one request: `serve.ts`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Code, RequestError } from '../../core/values/errors.ts';
import { DASHBOARD_API } from './auth.ts';
import { readBody } from './request/body.ts';
import { kindOf } from './request/headers.ts';
import { emptyObject } from './request/param.ts';
import { type Params, params } from './request/params.ts';
import { routeTimer } from './metrics.ts';
import type { Answer, Caller } from './route.ts';
import { answer, type Entry, type Serving } from './serve.ts';
import { Served } from './served.ts';

/** Where a browser has the dashboard. */
export interface DashboardPlace {
  /** As it writes it in `Origin`. */
  readonly origin: string;
  /** The name that passkeys are made for; `null`: an address, at which there are none. */
  readonly rpId: string | null;
}

/** What a browser sent to be known by. */
export interface Visit {
  readonly place: DashboardPlace;
  /** The `Cookie` header as sent. */
  readonly cookie: string | undefined;
  /** As the browser names itself, at most 400 characters. */
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The client's address, behind trusted proxies too. */
  address(this: void): string;
  /** The address, or the network of it that one client has to itself. */
  network(this: void): string;
  /** Wraps the look-up of a token that was never found, so that made-up ones are counted as made-up keys are. */
  lookUp<Found>(this: void, look: () => Promise<Found>, isValid: (found: Found) => boolean): Promise<Found>;
}

/** One request to an operation of sessions. */
export interface DoorCall<B> extends Visit {
  readonly body: B;
  /** Path parameters by name; shape unchecked. */
  readonly path_params: Readonly<Record<string, string>>;
}

export interface DoorOperation {
  readonly method: 'GET' | 'POST';
  readonly path: `${typeof DASHBOARD_API}/${string}`;
  readonly body?: Params<unknown>;
  handle(call: DoorCall<unknown>): Promise<Answer>;
}

export const doorOperation = <B>(
  methodAndPath: `${'GET' | 'POST'} ${string}`,
  handle: (call: DoorCall<B>) => Promise<Answer>,
  body?: Params<B>,
): DoorOperation => {
  const [method, path] = methodAndPath.split(' ') as ['GET' | 'POST', string];
  return { method, path: `${DASHBOARD_API}${path}` as DoorOperation['path'], handle, ...(body && { body }) };
};

export interface Door {
  /** What is at the `Host` of a request: 404: nothing, and 421: not the dashboard. */
  placeAt(host: string | undefined): DashboardPlace | 404 | 421;
  /** Whether the browser says that a page of this place sent the request. */
  isOwnPage(headers: IncomingHttpHeaders, place: DashboardPlace): boolean;
  /**
   * The caller that the session of this browser is in the environment, by its header: `sandbox`, `live` or an id. `isQuiet`: nobody did
   * anything, the page asks by itself. Not a promise where the session is known. Rejects with `session_required` and what else refuses it.
   */
  admit(visit: Visit, environment: string | undefined, isQuiet: boolean): Promise<Caller> | Caller;
  readonly operations: readonly DoorOperation[];
}

/** Refusals behind which nobody stands; counted by client address, as requests without a key are. */
const NOBODY: ReadonlySet<Code> = new Set(['session_required', 'request_cross_site', 'host_unknown', 'path_unknown']);

/** Where the session's operations come in. */
export function doorEntry(door: Door, serving: Serving): Entry {
  const judge = (
    request: FastifyRequest,
    isQuiet = request.headers['bursar-activity'] === 'none',
  ): Promise<Caller> | Caller => {
    const visit = visitOf(door, serving, request);
    return door.admit(visit, request.headers['bursar-environment'] as string | undefined, isQuiet);
  };
  const refuse = async (request: FastifyRequest, error: unknown): Promise<never> => {
    if (error instanceof RequestError && NOBODY.has(error.code)) await serving.keyless.count(request);
    throw error;
  };
  const admit = (request: FastifyRequest): Promise<Caller> | Caller => {
    try {
      const found = judge(request);
      return found instanceof Promise ? found.catch((error: unknown) => refuse(request, error)) : found;
    } catch (error) {
      return refuse(request, error);
    }
  };
  return {
    prefix: DASHBOARD_API,
    admit,
    async again(request) {
      try {
        return await judge(request, true); // a stream that stays open is nobody who does something
      } catch (error) {
        if (error instanceof RequestError && error.status < 429) return null;
        throw error;
      }
    },
  };
}

/** The host comes first: at a name of somebody else nothing is read. */
function visitOf(door: Door, serving: Serving, request: FastifyRequest): Visit {
  const { headers } = request;
  const place = door.placeAt(headers.host);
  if (place === 404) throw new RequestError('path_unknown', 'No such path. The dashboard has a host of its own.');
  if (place === 421) {
    throw new RequestError(
      'host_unknown',
      'The dashboard does not answer at this host. Open it at its own address, or as localhost on its machine.',
    );
  }
  if (!door.isOwnPage(headers, place)) {
    throw new RequestError(
      'request_cross_site',
      'The browser does not say that a page of the dashboard sent this request, so its session does not count.',
    );
  }
  const { clients, keyless } = serving;
  return {
    place,
    cookie: headers.cookie,
    userAgent: headers['user-agent']?.slice(0, 400) ?? null,
    requestId: request.id,
    address: () => clients.addressOf(request),
    network: () => clients.networkOf(request),
    lookUp: (look, isValid) => keyless.lookUp(request, look, isValid),
  };
}

/** `Sec-Fetch-Site` is the browser's own word, which no page can write. Browsers without it send `Origin` with what changes something. */
export function isOwnPage(headers: IncomingHttpHeaders, { origin }: DashboardPlace): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}

const NOTHING = params({});

/** Serves the operations of sessions: JSON in and out, and each counted by client address when it is refused. */
export function serveDoor(app: FastifyInstance, serving: Serving, door: Door): void {
  for (const operation of door.operations) {
    const { method, path: url } = operation;
    const timer = routeTimer(url, method);
    const run = async (request: FastifyRequest): Promise<Answer> => {
      try {
        const visit = visitOf(door, serving, request);
        const call = {
          ...visit,
          body: bodyOf(request, operation),
          path_params: request.params as Record<string, string>,
        };
        return await operation.handle(call);
      } catch (error) {
        if (error instanceof RequestError && error.status < 429) await serving.keyless.count(request);
        throw error;
      }
    };
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      void answer(serving, new Served(request, reply, url), timer, run(request));
    app.route({ method, url, handler });
  }
}

function bodyOf(request: FastifyRequest, { method, body = NOTHING }: DoorOperation): unknown {
  if (method === 'GET') return undefined;
  // A form of another site could be sent without being asked about; JSON cannot.
  if (kindOf(request.headers) !== 'json') {
    throw new RequestError('content_type_unsupported', 'Send application/json, in UTF-8.');
  }
  const bytes = request.body as Buffer | undefined | null;
  return body.parse(
    bytes === undefined || bytes === null || bytes.length === 0 ? emptyObject() : readBody('json', bytes),
  );
}
