/**
 * The request log: what was asked, by whom, and what came of it. Answers wait for nothing of it: an answered request leaves an entry in memory,
 * and once a second the entries are masked and written. What there is no room for is counted and left out, refusals last
 * (decision 0108). Must never keep what `masking.ts` has not seen, throw into a request, or grow while the database is away. Next: `budget.ts`, `masking.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Actor } from '../../core/actor.ts';
import { instantOf } from '../../core/values/ids.ts';
import { isConnectionLost } from '../../platform/db/wire/connection-lost.ts';
import type { Scoped, Statement } from '../../platform/db/wire/statement.ts';
import { registry } from '../../platform/http/metrics.ts';
import { bodyKind, readBody, readQuery } from '../../platform/http/request/body.ts';
import { idempotencyKey } from '../../platform/http/request/headers.ts';
import { emptyObject, isObject, type Tree } from '../../platform/http/request/param.ts';
import { type Answer, lineOf } from '../../platform/http/route.ts';
import type { OnAnswered, Served } from '../../platform/http/served.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { Budget, type Limits, type Reason } from './budget.ts';
import type { RequestLog } from './fields.ts';
import {
  idIn,
  isOfPayroll,
  keptKey,
  maskedAgent,
  maskedError,
  maskedParameters,
  maskedPath,
  withoutPayees,
} from './masking.ts';
import { insertRequestLogs, REFUSED_FROM } from './sql.ts';

/**
 * 20,000 at once, a million a day. Measured on 29 November 2026 on two cores with a load of 30: an entry takes 1.3 µs of its request, a
 * row up to 35 µs of this thread behind it, and what is left out 0.2 µs.
 */
const ALWAYS: Limits = {
  burstEntries: 20_000,
  entriesPerSecond: 12,
  mostEntriesPerSecond: 4_000,
  waitingEntries: 4_096,
};
/** The same, at a pace that takes 2 % of a core even then: these come as fast as payouts do. */
const OTHERS: Limits = { ...ALWAYS, mostEntriesPerSecond: 500 };
export const ROUND_MS = 1_000;
/** Rows of one statement: 2 ms, in which nobody else is served. */
const ROWS = 256;
/** Longer bodies are not kept. */
const MOST_BODY_BYTES = 8_192;
/** While so much of bodies, refusals and addresses waits, of others there is only what is short. */
const MOST_WAITING_BYTES = 4_194_304;
const MOST_AGENT_CHARACTERS = 1_000;
const MOST_KEY_CHARACTERS = 255;

const dropped = new Counter({
  name: 'bursar_request_logs_dropped_total',
  help: 'Requests that the request log has not kept: no more may be written (budget), too many waited (full), or the database failed (database).',
  labelNames: ['reason'],
  registers: [registry],
});
for (const reason of ['budget', 'full', 'database']) dropped.inc({ reason }, 0);
/** Not yet in the metric: the library takes a microsecond to count, which a request has that is left out. */
const uncounted = { budget: 0, full: 0, database: 0 };
function countDropped(): void {
  for (const [reason, count] of Object.entries(uncounted)) if (count > 0) dropped.inc({ reason }, count);
  Object.assign(uncounted, { budget: 0, full: 0, database: 0 });
}

/** What is kept of a request until the next round. */
interface Entry {
  readonly environmentId: string;
  readonly id: string;
  readonly actor: string;
  readonly source: RequestLog['source'];
  readonly method: string;
  readonly url: string;
  readonly route: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
  readonly key: string | string[] | undefined;
  readonly replayed: boolean;
  readonly made: string | null;
  readonly ip: string;
  readonly agent: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Buffer | null;
  readonly error: string | null;
}

export interface RequestLogs {
  listener(this: void, addressOf: (request: FastifyRequest) => string): OnAnswered;
  /** Writes what waits; resolves when it can be read. Rejects when the database fails. */
  flush(this: void): Promise<void>;
  /** Writes what waits and ends. */
  stop(this: void): Promise<void>;
}

export interface RequestLogOptions {
  /** Runs a statement that may be repeated; its last commits may be lost in a crash. */
  run(statement: Statement): Promise<unknown>;
  readonly onFault: (message: string, error: unknown) => void;
}

export function startRequestLog({ run, onFault }: RequestLogOptions): RequestLogs {
  const onLeftOut = (reason: Reason, count: number) => {
    uncounted[reason] += count;
  };
  const always = new Budget<Entry>(ALWAYS, onLeftOut);
  const others = new Budget<Entry>(OTHERS, onLeftOut);
  let waitingBytes = 0;
  /** Taken, and not known to be written: only a lost connection leaves any. */
  let unwritten: Scoped<RequestLog>[] = [];

  const listener = (addressOf: (request: FastifyRequest) => string): OnAnswered => {
    return (served, given, ms, code) => {
      const environmentId = served.caller?.environmentId ?? served.request.refusedKey?.environmentId;
      if (environmentId === undefined || served.page !== null) return;
      const kept = isKept(served, given.status);
      if (kept === 'never') return;
      const budget = kept === 'always' ? always : others;
      if (!budget.hasRoom(environmentId, performance.now())) return;
      const entry = entryOf(served, given, ms, code, addressOf(served.request));
      const bytes = (entry.body?.length ?? 0) + (entry.error?.length ?? 0) + entry.url.length;
      const isOver = waitingBytes + bytes > MOST_WAITING_BYTES;
      if (!isOver) waitingBytes += bytes;
      budget.add(environmentId, isOver ? short(entry) : entry);
    };
  };

  const round = async (): Promise<void> => {
    if (unwritten.length === 0) {
      const nowMs = performance.now();
      const taken = [...always.take(nowMs), ...others.take(nowMs)];
      waitingBytes = 0;
      for (let at = 0; at < taken.length; at += ROWS) {
        unwritten = taken.slice(at, at + ROWS).map(rowOf);
        await writeAll();
      }
    } else await writeAll();
  };
  const writeAll = async () => {
    try {
      await run(insertRequestLogs(unwritten));
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      uncounted.database += unwritten.length;
      onFault('Entries of the request log were not written; they are left out', error);
    }
    unwritten = [];
  };

  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  /** One round at a time. Whoever asks during one gets the next, which has what was asked before. */
  const flush = (): Promise<void> => {
    if (running === null) {
      running = round().finally(() => {
        running = null;
        countDropped();
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return flush();
      });
    return next;
  };
  const poll = async () => {
    await flush();
    return false;
  };
  const failed = (error: unknown) => {
    // Whose connection it is says that it is lost, once.
    if (!isConnectionLost(error)) onFault('The request log was not written; trying again', error);
  };
  const poller: Poller = startPoller({ pauseMs: ROUND_MS, poll, onFault: failed });
  const stop = async () => {
    await poller.stop();
    await flush().catch(failed);
  };
  return { listener, flush, stop };
}

/** What another process keeps of a request is written within so long. */
const OTHERS_WRITE_MS = 1_500;
const LOOK_AGAIN_MS = 250;

/** What `find` finds of the request with this id, which may wait to be written, here or by another process; not at once only while it is new. */
export async function foundSoon<T>(
  id: string,
  log: Pick<RequestLogs, 'flush'> | null,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const isNew = () => Math.abs(Date.now() - instantOf(id)) < OTHERS_WRITE_MS;
  let found = await find();
  if (found === undefined && log !== null) {
    await log.flush();
    found = await find();
  }
  while (found === undefined && isNew()) {
    await sleep(LOOK_AGAIN_MS);
    found = await find();
  }
  return found;
}

/** Polls would fill the log: what is always kept are refusals, but for those by the rate limit, and what a person changes. */
function isKept({ caller, operation }: Served, status: number): 'always' | 'as room allows' | 'never' {
  const onlyLooks = operation?.method === 'GET' || operation?.looksOnly === true;
  const byPage = caller?.session != null;
  // A page looks for what may not be there yet.
  if (status >= REFUSED_FROM && !(byPage && onlyLooks && status === 404))
    return status === 429 ? 'as room allows' : 'always';
  if (byPage) return onlyLooks ? 'never' : 'always';
  return operation?.path === '/v1/me' ? 'never' : 'as room allows';
}

const MADE = /^\{"id":"([a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25})"/;

/** Copies what is cut from a longer text, which would stay in memory with it. */
const own = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Whole words: half of a secret has no shape by which it is known. */
const cut = (text: string | undefined, most: number): string | undefined =>
  text === undefined || text.length <= most ? text : own(text.slice(0, most).replace(/\S*$/, ''));

/** Without what may be long. */
const short = (entry: Entry): Entry => ({ ...entry, body: null, error: null, url: own(pathOf(entry.url)) });

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/** One that is too long is none. */
const keyIn = (key: string | string[] | undefined) =>
  [key].flat().join('').length > MOST_KEY_CHARACTERS ? undefined : key;

function entryOf(
  { caller, request, operation, uploads }: Served,
  { status, body, headers }: Answer<string | Buffer>,
  ms: number,
  code: string | undefined,
  ip: string,
): Entry {
  const sent: unknown = request.body;
  const isRefused = status >= REFUSED_FROM;
  const made = !isRefused && typeof body === 'string' ? MADE.exec(body)?.[1] : undefined;
  const isShort = !uploads && Buffer.isBuffer(sent) && sent.length <= MOST_BODY_BYTES;
  return {
    environmentId: caller?.environmentId ?? request.refusedKey?.environmentId ?? '',
    id: request.id,
    actor: caller === null ? (request.refusedKey?.keyId ?? '') : lineOf(caller),
    source: caller?.session == null ? 'api' : 'dashboard',
    method: request.method,
    url: request.url,
    route: operation?.path ?? request.routeOptions.url ?? '',
    operation: operation?.operationId ?? '',
    status,
    code: code ?? null,
    ms,
    key: keyIn(request.headers['idempotency-key']),
    replayed: headers?.['Idempotent-Replayed'] !== undefined,
    made: made === undefined ? null : own(made),
    ip,
    agent: cut(request.headers['user-agent'], MOST_AGENT_CHARACTERS),
    contentType: request.headers['content-type'],
    body: isShort ? sent : null,
    error: isRefused && typeof body === 'string' ? body : null,
  };
}

function rowOf(entry: Entry): Scoped<RequestLog> {
  const { environmentId, id, url, route, error, agent, made, operation } = entry;
  const { source, method, status, code, replayed, ip } = entry;
  const path = maskedPath(route, pathOf(url));
  const { text, isSecret } = parametersOf(entry);
  const refused = error === null ? null : maskedError(error);
  const refusal = refused !== null && isSecret ? withoutPayees(refused) : refused;
  const object: RequestLog = {
    object: 'request_log',
    id,
    createdAt: instantOf(id),
    actor: entry.actor as Actor,
    source,
    method,
    path,
    route,
    operation,
    status,
    code: code ?? codeIn(refusal),
    durationMs: Math.round(entry.ms),
    idempotencyKey: isSecret ? null : keyOf(entry),
    replayed,
    resource: idIn(path) ?? made,
    ip,
    userAgent: maskedAgent(agent),
    request: text,
    error: refusal,
  };
  return { environmentId, object };
}

/** A replayed refusal is no fault of this request, so only its text says the code. */
const codeIn = (refusal: string | null): string | null =>
  refusal === null ? null : ((JSON.parse(refusal) as { readonly code?: string }).code ?? null);

/** One that was refused may be anything. */
function keyOf({ key }: Entry): string | null {
  try {
    const named = idempotencyKey(key);
    return named === null ? null : keptKey(named);
  } catch {
    return null;
  }
}

/** Of query and body together, masked, and whether they are of a payroll; `null`: none, or not to be kept. */
function parametersOf(entry: Entry): { readonly text: string | null; readonly isSecret: boolean } {
  try {
    const tree = treeOf(entry);
    return tree === null
      ? { text: null, isSecret: false }
      : { text: maskedParameters(tree), isSecret: isOfPayroll(tree) };
  } catch {
    return { text: null, isSecret: false }; // what cannot be read cannot be masked
  }
}

function treeOf({ url, body, contentType }: Entry): Tree | null {
  const query = readQuery(url);
  if (body === null || body.length === 0) return query;
  const kind = contentType === undefined ? undefined : bodyKind(contentType);
  if (kind === undefined || kind === 'csv') return null;
  const tree = readBody(kind, body);
  return isObject(tree) && isObject(query) ? Object.assign(emptyObject<Tree>(), query, tree) : null;
}
