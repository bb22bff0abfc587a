/** The bodies of requests in the OpenAPI document. */
import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../core/values/assert.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { ref } from './request/params.ts';
import type { Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

const hasBody = (route: Route): boolean => route.body !== undefined && Object.keys(route.body.fields).length > 0;
/** `CreatePayoutRequest` of `createPayout`. */
const bodyName = ({ operationId, bodyOf = operationId }: Route) =>
  `${bodyOf[0]?.toUpperCase()}${bodyOf.slice(1)}Request`;

export function bodiesOf(routes: readonly Route[]): Readonly<Record<string, JsonSchema>> {
  const described = (route: Route): JsonSchema => ({ ...route.body?.schema });
  const own = routes.filter((route) => hasBody(route) && route.bodyOf === undefined);
  const bodies = Object.fromEntries(own.map((route) => [bodyName(route), described(route)]));
  for (const route of routes.filter(({ bodyOf }) => bodyOf !== undefined)) {
    assert(
      isDeepStrictEqual(bodies[bodyName(route)], route.body?.schema),
      `${route.operationId} takes what ${route.bodyOf} takes`,
    );
  }
  return bodies;
}

export function requestBodyOf(route: Route): Json {
  if (route.uploads === true) return { requestBody: FILE_BODY };
  if (!hasBody(route)) return {};
  const { fields } = route.body as NonNullable<Route['body']>;
  const schema = ref(bodyName(route));
  const content = {
    // Forms are taken too, and said once for all: where both stand, clients in Python send the one under the other's name.
    'application/json': { schema, ...(route.request !== undefined && { example: route.request }) },
    ...(route.acceptsCsv === true && { 'text/csv': { schema: CSV_SCHEMA } }),
  };
  return { requestBody: { required: Object.values(fields).some(({ optional }) => !optional), content } };
}

/** A file as it is; every type is taken, because banks and browsers name them differently. */
const FILE_BODY: Json = {
  required: true,
  content: Object.fromEntries(
    ['application/octet-stream', 'application/xml', 'application/zip'].map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  ),
};

const CSV_SCHEMA: JsonSchema = {
  type: 'string',
  description: 'The first row names the columns like form fields (`amount,currency,recipient,metadata[invoice]`).',
};
