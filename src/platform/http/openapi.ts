/** The OpenAPI 3.1 document, made from the values that parse and serve. Pure. Next: `route.ts`, `request/params.ts`. */
import { type Code, ERRORS } from '../../core/values/errors.ts';
import { NAMES } from '../../core/values/ids.ts';
import { API_VERSION } from '../../core/values/version.ts';
import { deprecationText } from './version/deprecation.ts';
import { scopesOfExpand } from './expand.ts';
import type { Param } from './request/param.ts';
import { type JsonSchema, ref } from './request/params.ts';
import { bodiesOf, requestBodyOf } from './openapi-bodies.ts';
import { shareParts } from './openapi/parts.ts';
import { likeTheirObjects } from './openapi/dry-runs.ts';
import { extendObjects } from './openapi/extending.ts';
import { plain } from './openapi/plain.ts';
import { saidOnce, shareSchemas } from './openapi/schemas.ts';
import { LIST_FORM_PARAMS, LIST_FORMS } from './request/forms.ts';
import { listedBy, type Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

/** A release puts the address of the sources in its place (decision 0093). */
const SOURCE = 'https://source.invalid/bursar';

/** Refusals of every operation; below, those of every write. */
const ALWAYS: readonly Code[] = [
  'body_invalid',
  'body_too_deep',
  'parameter_invalid',
  'parameter_unknown',
  'parameter_repeated',
  'api_key_invalid',
  'version_unknown',
  'scope_missing',
  'ip_not_allowed',
  'account_not_allowed',
  'rate_limited',
  'internal_error',
  'stored_data_untrusted',
  'database_unavailable',
];
const ON_WRITES: readonly Code[] = [
  'body_too_large',
  'content_type_unsupported',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'overloaded',
];

/** Refusals of most operations, which stand once in the document: those of writes, of amounts and of ids are among them. */
const USUAL: ReadonlySet<Code> = new Set<Code>([
  ...ALWAYS,
  ...ON_WRITES,
  'parameter_missing',
  'parameter_conflict',
  'text_invalid',
  'text_too_long',
  'card_number_refused',
  'metadata_invalid',
  'amount_invalid',
  'amount_too_small',
  'amount_too_large',
  'currency_unsupported',
  'resource_missing',
  'http_version_unsupported',
  'sandbox_only',
]);

/** Prefix and name of the ids behind a segment of a path, which is the plural of its objects: `payment_links`, `deliveries`. */
function idBehind(segment: string | undefined): readonly [prefix: string, name: string] | undefined {
  const words = segment?.replaceAll('_', ' ');
  const name = words?.replace(/ies$/, 'y').replace(/(?<=ch)es$|s$/, '');
  return Object.entries(NAMES).find(([, known]) => known === name);
}

/** `schemas`: the objects of the slices; those of lists, errors and bodies are added. `webhooks`: by type. */
export function openapi(
  routes: readonly Route[],
  schemas: Readonly<Record<string, JsonSchema>>,
  service: { readonly version: string; readonly publicUrl: string },
  webhooks: Json = {},
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const shown = new Map(
    routes
      .filter((route) => isShown(route) && route.response.schema.$ref !== undefined)
      .toReversed() // the first is kept
      .map(({ response }) => [JSON.stringify(response.schema), response.example] as const),
  );
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, shown);
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const parts = shareParts({
    openapi: '3.1.0',
    info: {
      title: 'Bursar',
      version: service.version,
      description: `Accounts, currency exchange and payouts. Amounts go in as exact decimals in major units; balances come out as integers in minor units. Every write takes an \`Idempotency-Key\`. A filter takes one value (\`status\`) or, with brackets, up to 100 (\`status[]\`). Every JSON body may also be a form (\`application/x-www-form-urlencoded\`), with brackets for nested members: \`metadata[a]=b\`, \`payouts[0][amount]=5\`. \`Accept: application/problem+json\` adds the members of RFC 9457 to a refusal. The key decides between sandbox and live. \`…_minor\` is an amount in minor units, numbers that are no integers amounts in major units; what an update can unset is unset by \`null\`, in a form by an empty value; test helpers take sandbox keys only; \`created\`, \`at\` and \`…_at\` are Unix seconds. A list says \`has_more\` only if there is another page. Every answer has a \`Request-Id\`; the answer of an earlier request with the same idempotency key has \`Idempotent-Replayed: true\`. The header \`Bursar-Version\` (a date) asks for a version of the API; without it that of the key counts, and every answer names its own. This document is about the newest, \`${API_VERSION}\`. Answers may grow: \`x-extensible-enum\` lists the known values of a text, and there may be members, values and types of events that this document does not know. \`x-scope\` names the scopes that a restricted key needs, \`x-scope-maybe\` those that it needs for some parameters, such as \`expand[]\`.`,
      contact: { name: 'Bursar', url: SOURCE },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: service.publicUrl === '' ? '/' : service.publicUrl }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key: `sk_test_…`, `sk_live_…`, `rk_…`.' },
        basic: { type: 'http', scheme: 'basic', description: 'The API key as user name, no password.' },
      },
      headers: COMMON_HEADERS,
      responses: {
        Refused: {
          description: USUAL_CODES,
          headers: headerRefs(['Request-Id', 'WWW-Authenticate', 'Retry-After', 'RateLimit', 'Stripe-Should-Retry']),
          content: { 'application/json': { schema: ref('ErrorResponse') } },
        },
      },
      schemas: shareSchemas(
        saidOnce({
          ...extendObjects(likeTheirObjects(schemas)),
          ...listsOf(routes, schemas),
          ...bodiesOf(routes),
          ErrorDetail: ERROR_MEMBER,
          ErrorResponse: ERROR_SCHEMA,
        }),
      ),
    },
  });
  return plain(parts);
}

function operation(route: Route, shown: ReadonlyMap<string, unknown>): Json {
  const isWrite = route.method !== 'GET';
  const ending = route.deprecation === undefined ? '' : deprecationText(route.deprecation).trim();
  const maybe = [...new Set([...(route.mayNeed ?? []), ...scopesOfExpand(route.query?.fields['expand'])])];
  const description = [route.description ?? '', ending].filter((each) => each !== '').join(' ');
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(description !== '' && { description }),
    ...(route.deprecation && { deprecated: true }),
    ...(route.scope !== null && {
      'x-scope': route.alsoNeeds === undefined ? route.scope : [route.scope, route.alsoNeeds],
    }),
    ...(maybe.length > 0 && { 'x-scope-maybe': maybe }),
    parameters: [
      ...pathParameters(route.path),
      ...Object.entries({ ...route.query?.fields, ...(isList(route) && LIST_FORM_PARAMS.fields) }).flatMap(
        ([name, param]) => queryParameters(name, param),
      ),
      ...(isWrite ? [IDEMPOTENCY_HEADER] : []),
      ...(route.streams === true ? [LAST_EVENT_ID_HEADER] : []),
    ],
    ...requestBodyOf(route),
    responses: { '200': success(route, shown), ...failures(route) },
  };
}

function pathParameters(path: string): Json[] {
  const segments = path.split('/');
  return segments.flatMap((segment, at) => {
    if (!segment.startsWith(':')) return [];
    const id = idBehind(segments[at - 1]);
    const schema = id ? { type: 'string', pattern: `^${id[0]}_[0-9a-z]{26}$` } : { type: 'string' };
    const description = id ? `The id of the ${id[1]}.` : `The ${segment.slice(1)}.`;
    return [{ name: segment.slice(1), in: 'path', required: true, description, schema }];
  });
}

/** A filter that takes several values is `status[]`; generators make one name of it and `status`, which takes one value and stays unsaid. */
function queryParameters(name: string, param: Param<unknown>): Json[] {
  const one = queryParameter(name, param);
  if (param.mostValues === undefined) return [one];
  const { default: _, description: __, ...items } = withoutExamples(param.schema);
  const several: JsonSchema = { type: 'array', items }; // how many it takes is said in `info`
  const { description } = one;
  return [
    { name: `${name}[]`, in: 'query', description, schema: several, 'x-single': name }, // `form` and `explode` are usual
  ];
}

/** In a query the pattern says enough. */
function withoutExamples(schema: JsonSchema): JsonSchema {
  const { examples: _, ...shown } = schema;
  return shown;
}

/** In a query all values are text, and bounds of an instant are an object; generators know no parameter that may be either. */
function inQuery(schema: JsonSchema): JsonSchema {
  const object = schema.anyOf?.find(({ type }) => type === 'object');
  if (object !== undefined) return { ...object, properties: valuesOnly(object.properties ?? {}) };
  return Array.isArray(schema.type) && schema.type.includes('string') ? { ...schema, type: 'string' } : schema;
}

/** Without null, which a query has no word for. */
const valuesOnly = (properties: NonNullable<JsonSchema['properties']>): NonNullable<JsonSchema['properties']> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => {
      const { type, title: _, ...schema } = inner;
      const types = [type ?? []].flat().filter((each) => each !== 'null');
      return [name, { type: types.length === 1 ? types[0] : types, ...schema } as JsonSchema];
    }),
  );
/** Of every list: with the prefix of its ids they would be parameters of their own for each. */
const CURSORS: ReadonlySet<string> = new Set(['starting_after', 'ending_before']);
const ANY_ID: JsonSchema = { type: 'string', pattern: '^[a-z]+_[0-9a-z]{26}$' };

/** Brackets on the wire: `created[gte]` for objects, `types[]` for lists. */
function queryParameter(name: string, param: Param<unknown>): Json {
  const { schema } = param;
  const { description: _, ...shown } = CURSORS.has(name) ? ANY_ID : withoutExamples(inQuery(schema)); // it stands in the parameter
  const isList = schema.type === 'array';
  const isObject = schema.type === 'object' || schema.anyOf?.some(({ type }) => type === 'object') === true;
  return {
    name: isList ? `${name}[]` : name,
    in: 'query',
    ...(!param.optional && { required: true }),
    description: param.description,
    schema: shown,
    ...(isObject ? { style: 'deepObject', explode: true } : {}),
  };
}

const isList = (route: Route): boolean => listedBy(route) !== undefined;

function success(route: Route, shown: ReadonlyMap<string, unknown>): Json {
  const forms = isList(route) ? LIST_FORMS : route.forms;
  const types = forms?.types ?? route.responseContentTypes ?? ['application/json'];
  const { schema } = route.response;
  const example = isList(route)
    ? undefined
    : (shown.get(JSON.stringify(schema)) ?? (isShown(route) ? route.response.example : undefined));
  const content = (type: string) =>
    type === 'application/json' || route.streams === true
      ? { schema, ...(example !== undefined && { example }) }
      : { schema: { type: 'string' }, ...(typeof example === 'string' && { example }) };
  return {
    description: 'OK',
    ...(route.deprecation && {
      headers: {
        Deprecation: header('When the end of this operation was announced, as `@` and Unix seconds (RFC 9745).'),
        Sunset: header('From when it may be gone (RFC 8594).'),
      },
    }),
    content: Object.fromEntries(types.map((type) => [type, content(type)])),
  };
}

/** An example stands where an object is made or read, if it is not long, and wherever the same answer is given: that takes no room. */
function isShown({ method, path, streams, response }: Route): boolean {
  const isStep = method === 'POST' && path.includes('/:');
  const isOfMany = streams === true || path.endsWith('/batch') || path.endsWith('/search');
  return !isStep && (!isOfMany || path === '/v1/payouts/batch') && JSON.stringify(response.example ?? '').length < 900;
}

function failures(route: Route): Json {
  const codes = new Set<Code>([
    ...(route.errors ?? []),
    ...ALWAYS,
    ...(route.method === 'GET' ? [] : ON_WRITES),
    ...(route.downloads === true || isList(route) ? (['http_version_unsupported'] as const) : []),
    ...(route.query?.codes ?? []),
    ...(isList(route) ? LIST_FORM_PARAMS.codes : []),
    ...(route.body?.codes ?? []),
    ...(route.path.includes(':') ? (['resource_missing'] as const) : []),
    ...(route.sandboxOnly ? (['sandbox_only'] as const) : []),
  ]);
  const byStatus = new Map<number, Code[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const own = [...byStatus]
    .map(([status, of]) => [status, of.filter((code) => !isUsual(status, code))] as const)
    .filter(([, of]) => of.length > 0);
  return { default: { ...REFUSED, ...(own.length > 0 && { description: listed(own) }) } };
}

const listed = (byStatus: readonly (readonly [status: number, codes: readonly Code[]])[]): string =>
  byStatus
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => `${status}: ${named(codes.toSorted())}`)
    .join('\n\n');

/** The errors page explains each. */
const named = (codes: readonly Code[]): string => codes.map((code) => `\`${code}\``).join(', ');

/** What an operation refuses with besides stands beside the reference, and takes the place of the description. */
const REFUSED: Json = { $ref: '#/components/responses/Refused' };
const isUsual = (status: number, code: Code): boolean => USUAL.has(code) && ERRORS[code].status === status;
const USUAL_CODES: string = listed(
  [...new Set([...USUAL].map((code) => ERRORS[code].status))].map((status) => [
    status,
    [...USUAL].filter((code) => ERRORS[code].status === status),
  ]),
);

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const header = (description: string): Json => ({ description, schema: { type: 'string' } });
const COMMON_HEADERS: Json = {
  'Request-Id': header('The id of this request, on every answer; quote it when you report a problem.'),
  RateLimit: header('Requests left in this second (draft-ietf-httpapi-ratelimit-headers).'),
  'WWW-Authenticate': header('`Bearer`; `Basic` where HTML, CSV or a PDF was asked for.'),
  'Retry-After': header('Seconds to wait before trying again.'),
  'Stripe-Should-Retry': header('`true`: a retry with the same idempotency key is safe.'),
};

const IDEMPOTENCY_HEADER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes retries safe: the same key gives the same answer, and the effect happens once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

const LAST_EVENT_ID_HEADER: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id or the `sequence` of the last received event: the stream goes on after it. Browsers send it when they connect again.',
  schema: { type: 'string', pattern: '^(?:evt_[0-7][0-9a-hjkmnp-tv-z]{25}|0|[1-9][0-9]{0,15})$' },
};

const TEXT: JsonSchema = { type: 'string' };
const CSV_PLACE: Readonly<Record<string, JsonSchema>> = {
  line: { type: 'integer', minimum: 1, description: 'In a CSV file, the line on which the row begins.' },
  column: { type: 'integer', minimum: 1, description: 'In a CSV file, the column.' },
  column_name: { type: 'string', description: 'Its name in the header.' },
};
const ERROR_MEMBER: JsonSchema = {
  type: 'object',
  required: ['type', 'code', 'message', 'doc_url', 'request_id'],
  properties: {
    type: { type: 'string', 'x-extensible-enum': [...new Set(Object.values(ERRORS).map(({ type }) => type))] },
    code: { type: 'string', 'x-extensible-enum': Object.keys(ERRORS), description: 'The code: decide by it.' },
    message: { type: 'string', description: 'For people: the fault, the value that was sent, the allowed values.' },
    param: { type: 'string', description: 'The parameter, as it is written in a form: `payouts[0][amount]`.' },
    doc_url: {
      type: 'string',
      description: 'Where the code is explained.',
      examples: ['https://pay.example.com/docs/errors#amount_invalid'],
    },
    request_id: TEXT,
    allowed: { type: 'array', items: TEXT },
    available_minor: { type: 'integer', description: 'What the account has for it, in minor units.' },
    current_status: TEXT,
    resource_id: TEXT,
    ...CSV_PLACE,
    errors: {
      type: 'array',
      description:
        'All faults of a request that has more than one, by parameter, at most 50. The first is the error itself. For a batch, its faults by item.',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          index: { type: 'integer', minimum: 0, description: 'In a batch, the item, from 0.' },
          param: {
            type: 'string',
            description: 'The parameter. In a batch it has the name within the item: `metadata[a]`.',
          },
          code: TEXT,
          message: TEXT,
          resource_id: TEXT,
          account: { type: 'string', description: 'If the whole batch needs more money than there is: the account.' },
          available_minor: { type: 'integer', description: 'What the account has for it, in minor units.' },
          needed_minor: { type: 'integer', description: 'The amount that the batch needs from it, in minor units.' },
          ...CSV_PLACE,
        },
      },
    },
  },
};

const ERROR_SCHEMA: JsonSchema = { type: 'object', required: ['error'], properties: { error: ref('ErrorDetail') } };

/** The schemas of the lists that routes answer with, unless `schemas` has them: `PayoutList` of `Payout`. */
function listsOf(routes: readonly Route[], schemas: Readonly<Record<string, JsonSchema>>) {
  const lists = routes.flatMap(({ response }) => /\w+List$/.exec(response.schema.$ref ?? '') ?? []);
  const missing = lists.filter((list) => schemas[list] === undefined);
  return Object.fromEntries(missing.map((list) => [list, listOf(list.slice(0, -'List'.length))]));
}

/** The schema of a list of `name`: `{data, has_more?}`. */
function listOf(name: string): JsonSchema {
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: { type: 'array', items: ref(name) },
      has_more: { type: 'boolean' }, // `info` says when it is there
    },
  };
}
