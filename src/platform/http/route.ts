/** A route: one value that serves requests and describes them. A handler parses, writes or reads, and renders. */
import { shownTo } from '../../core/scopes.ts';
import type { Code } from '../../core/values/errors.ts';
import type { Deprecation } from './version/deprecation.ts';
import { type JsonSchema, type Params, ref } from './request/params.ts';
import type { Forms } from './request/forms.ts';
import type { Fill } from './transfer/stream.ts';
import type { Past, Version } from './version/versions.ts';

/** How a person is signed in, where one asks. */
export interface Session {
  readonly id: string;
  /** The `usr_` id of the person, as all its environments know it. */
  readonly person: string;
  readonly method: 'passkey' | 'password' | 'claim';
  /** When the person last showed a factor again, milliseconds of real time; `null`: not since signing in. */
  readonly steppedUpAt: number | null;
  /** What it was; `null`: not since signing in, or before that was kept. */
  readonly steppedUpBy: Factor | null;
  readonly secondFactor: boolean;
}

export type Factor = 'passkey' | 'code';

/** The environment that a key or a person's session opens, and what of it. Nothing of another environment is visible through it. */
export interface Caller {
  readonly environmentId: string;
  readonly livemode: boolean;
  /** The id of the key (`key_…`), or of the user (`usr_…`). */
  readonly actorId: string;
  /** `null`: a key asks, not a person. */
  readonly session: Session | null;
  /** The lines that the key descends from, the root first and its own last: each the id of the first key of a line, the root perhaps that of a user. Of a user: its own id alone. */
  readonly lineage: readonly string[];
  /** `null` for a secret key (everything of its environment), else scopes such as `payouts:read`. Never `null` in a session. */
  readonly scopes: ReadonlySet<string> | null;
  /** The only accounts that the key may see and use; `null`: all of its environment. */
  readonly accounts: ReadonlySet<string> | null;
  /** Networks that the key may be used from; `null`: from everywhere. */
  readonly allowedIps: readonly string[] | null;
  /** Whether one of these networks holds the address; `null` where there is no restriction. */
  readonly isAllowedFrom: ((address: string) => boolean) | null;
  /** When the key ends, milliseconds; `null`: never. */
  readonly expiresAt: number | null;
  /** What the key is pinned to: it counts where a request names none. */
  readonly version: Version;
}

/** Who a key is, whatever it was rolled to; a person is itself. */
export const lineOf = ({ lineage, actorId }: Caller): string => lineage.at(-1) ?? actorId;

export interface CsvOrder {
  readonly columns: readonly string[];
  /** The members beside which the file has names. */
  readonly named: readonly string[];
  /** What the file begins with: nothing, or a byte order mark. */
  readonly bom: string;
  /** The query names a `limit`: one page. Otherwise everything that the filters select. */
  readonly isOnePage: boolean;
  /** Whose columns they are; `null`: of the newest version. */
  readonly past: Past | null;
}

/** One request after authentication and parsing. */
export interface Call<B, Q> {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** The trace that its events keep (W3C trace context); `null`: none. */
  readonly trace: string | null;
  readonly method: string;
  /** The path as sent, without the query: `/v1/payouts/po_…/cancel`. */
  readonly path: string;
  /** Path and query as sent, for the `Link` header of lists. */
  readonly url: string;
  /** Where clients find the service, without a trailing slash; never taken from a header of the request. */
  baseUrl(this: void): string;
  /** Path parameters by name; shape unchecked. */
  readonly path_params: Readonly<Record<string, string>>;
  /** The `Last-Event-ID` header as sent; only streaming routes use it. */
  readonly lastEventId: string | undefined;
  readonly csv?: CsvOrder | null;
  /** In which the request is, and its answer. Handlers answer in the newest; streams see to their events. */
  readonly version: Version;
  /** The form that `Accept` asks for, of a route with `forms`. */
  readonly form?: string | undefined;
  /** The client's address, behind trusted proxies too. */
  address(this: void): string;
  readonly body: B;
  readonly query: Q;
  /** The file that the request sends, as it arrives; only routes that take uploads have one. */
  readonly upload?: AsyncIterable<Uint8Array> | null;
}

/** A `Body` of bytes, such as a picture, is for pages only (`page.ts`). */
export interface Answer<Body extends string | Buffer = string> {
  readonly status: number;
  /** The exact bytes to send. */
  readonly body: Body;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, after `body`, to send the rest. Only from a route that `streams`. */
  readonly stream?: Fill;
  /** The stream is a file: if it ends early, the connection is cut (`download.ts`). */
  readonly isFile?: boolean;
}

/** An answer in JSON as the key may see it: all leave by this door. Lists as CSV, and streams, see to their rows. */
export const shown = ({ scopes }: Caller, given: Answer<string | Buffer>): Answer<string | Buffer> =>
  scopes === null || typeof given.body !== 'string' || given.contentType !== undefined
    ? given
    : { ...given, body: shownTo(scopes, given.body) };

/** An answer in JSON as an older version of the API has it. Lists as CSV, and streams, see to their rows; files are in no version. */
export const inVersion = (past: Past | null, given: Answer<string | Buffer>): Answer<string | Buffer> =>
  past === null || typeof given.body !== 'string' || given.contentType !== undefined || given.body === ''
    ? given
    : { ...given, body: past.answer(given.body) };

export const RESOURCES = [
  'accounts',
  'transfers',
  'recipients',
  'exchanges',
  'payouts',
  'standing_orders',
  'payment_links',
  'payments',
  'settings',
  'events',
  'webhook_endpoints',
  'payout_rules',
  'payout_approvals',
  'limits',
  'fee_rules',
  'bank_accounts',
  'bank_account_approvals',
  'statement_files',
  'bank_entries',
  'payment_files',
  'reconciliation',
  'keys',
  'users',
  'audit_log',
  'verification',
  'summary',
  'search',
  'request_logs',
  'test_helpers',
] as const;
type Resource = (typeof RESOURCES)[number];
/**
 * `metrics:read` has no route of a merchant: `public.ts` asks for it by name, and a secret key does not have it. `payroll:read` has none
 * either: it shows more of what other scopes show (decision 0090).
 */
export type Scope = `${Resource}:${'read' | 'write'}` | 'metrics:read' | 'payroll:read';
export const SCOPES: readonly Scope[] = [
  ...RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
  'metrics:read',
  'payroll:read',
];

interface Response {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

type Method = 'GET' | 'POST' | 'DELETE';

interface Operation<B, Q> {
  readonly summary: string;
  readonly description?: string;
  readonly query?: Params<Q>;
  readonly body?: Params<B>;
  /** The body may also be `text/csv` (batches): turns rows into the body tree. */
  readonly acceptsCsv?: boolean;
  /** Whether the answer depends only on what the write path has written in the environment: it may be repeated. */
  isRepeatable?(query: Q): boolean;
  /** The answer is a stream of server-sent events: never shared, and ended with its key. */
  readonly streams?: boolean;
  /** It only looks: a POST because what it looks for is private, and addresses are logged. The read scope is enough. */
  readonly looksOnly?: boolean;
  /** A scope that a restricted key needs beside the operation's own: what the operation leads to is another resource's. */
  readonly alsoNeeds?: Scope;
  /** It decides about money or rights: a person has to show a factor again in live (`admit.ts`). Nothing to a key. What is written to {@link DECIDING} always does. */
  readonly needsStepUp?: boolean;
  /** Scopes that a restricted key needs for some parameters or objects only; the description says for which. Those of `expand` are known without. */
  readonly mayNeed?: readonly Scope[];
  /** The answer is a file that is sent as it is read: never shared, and cut off when its key ends. */
  readonly downloads?: boolean;
  /** The body is a file of any type, which is read as it arrives and not bounded like others. There is no other parameter but the query's. */
  readonly uploads?: boolean;
  /** Another operation that takes exactly the same body; the document has its schema once. */
  readonly bodyOf?: string;
  readonly deprecation?: Deprecation;
  /** An example of the body. */
  readonly request?: unknown;
  readonly response: Response;
  /** The answer has several forms. Lists need not say so: each has JSON and CSV. */
  readonly forms?: Forms;
  /** `text/csv` and the like, when the answer is not JSON and has one form. */
  readonly responseContentTypes?: readonly string[];
  /** The refusals beyond those of every operation (key, limits, faults) and of every path with an id (`resource_missing`). */
  readonly errors?: readonly Code[];
  handle(call: Call<B, Q>): Promise<Answer<string | Buffer>>;
}

/** Who writes to these says what others may do, or says yes to what others asked for. */
const DECIDING: ReadonlySet<Resource> = new Set([
  'payout_rules',
  'payout_approvals',
  'limits',
  'fee_rules',
  'bank_accounts',
  'bank_account_approvals',
  'keys',
  'users',
]);

export interface Route extends Operation<unknown, unknown> {
  readonly method: Method;
  /** With `:name` parameters. */
  readonly path: `/v1/${string}`;
  readonly operationId: string;
  readonly tag: string;
  /** `null`: every key and every session may ask. */
  readonly scope: Scope | null;
  /** Refused with `sandbox_only` for a live key. */
  readonly sandboxOnly: boolean;
}

/** For `response`: an object with the schema of this name in `components/schemas`. */
export const answers = (name: string, example?: unknown): Response => ({ schema: ref(name), example });

/** The same for an operation that takes `dry_run`; `components/schemas` has `<name>DryRun` too. */
export const answersOrTries = (name: string, example?: unknown): Response => ({
  schema: { anyOf: [ref(name), ref(`${name}DryRun`)] }, // of open answers, a generator in Java finds that both fit
  example,
});

export const answersList = (name: string, example?: unknown): Response => ({
  schema: ref(`${name}List`),
  example: example && { data: [example] },
});

/** The schema of the objects that a route lists; `undefined`: it is no list. */
export function listedBy({ method, response }: Pick<Route, 'method' | 'response'>): string | undefined {
  const name = response.schema.$ref?.split('/').at(-1);
  return method === 'GET' && name?.endsWith('List') === true ? name.slice(0, -'List'.length) : undefined;
}

/** For `errors`: the faults of an amount in major units. */
export const AMOUNT_ERRORS: readonly Code[] = ['amount_invalid', 'amount_too_small', 'amount_too_large'];
export const PAYEE_ERRORS: readonly Code[] = [
  'recipient_archived',
  'recipient_redacted',
  'recipient_currency_mismatch',
];

/** Of an operation that names the bank account that pays. */
export const PAYING_ACCOUNT_ERRORS: readonly Code[] = [
  'resource_missing',
  'bank_account_currency_mismatch',
  'bank_account_not_paying',
];

export const always = (): boolean => true;

/**
 * A key needs the resource's `read` scope for a GET and for what only looks, else `write`; without a resource it needs none. Test helpers are
 * for sandbox keys only.
 */
export function routesOf(tag: string, resource: Resource | null) {
  return <B = undefined, Q = undefined>(
    operationId: string,
    methodAndPath: `${Method} ${Route['path']}`,
    operation: Operation<B, Q>,
  ): Route => {
    const [method, path] = methodAndPath.split(' ') as [Method, Route['path']];
    const verb = method === 'GET' || operation.looksOnly === true ? 'read' : 'write';
    const scope: Scope | null = resource && `${resource}:${verb}`;
    const needsStepUp = operation.needsStepUp ?? (verb === 'write' && resource !== null && DECIDING.has(resource));
    return {
      ...operation,
      needsStepUp,
      method,
      path,
      operationId,
      tag,
      scope,
      sandboxOnly: resource === 'test_helpers',
    };
  };
}
