/**
 * Answers to dry runs in the document: only what differs from the object, whose name `x-like` is. Pure. Generators that do not know the word get the members
 * that differ, and the others as members that they do not know; `scripts/client/types.ts` knows it. See docs/decisions/0095.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../../core/values/json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

const ENDING = /DryRun$/;

/** The same schemas, with those of dry runs written by what differs. One of an object that is no schema of its own stays as it is. */
export const likeTheirObjects = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const object = name.replace(ENDING, '');
      const { properties } = schemas[object] ?? {};
      const isLike = properties !== undefined && isSame(schema.properties?.['object'] ?? {}, properties['object']);
      return [name, ENDING.test(name) && isLike ? likeIt(schema, object, properties) : schema];
    }),
  );

function likeIt({ properties = {}, required = [], ...rest }: JsonSchema, object: string, known: Schemas): JsonSchema {
  const own = Object.entries(properties).filter(([name, schema]) => !isSame(schema, known[name]));
  const names = new Set(own.map(([name]) => name));
  return {
    ...rest,
    ...(rest.description !== undefined && { description: rest.description.replace(/^.*(?=Answer to a dry run)/, '') }),
    'x-like': object,
    required: required.filter((name) => names.has(name)),
    properties: Object.fromEntries(own),
  };
}

/** Apart from what a schema says for people: a dry run leaves that out. */
const isSame = (one: JsonSchema, other: JsonSchema | undefined): boolean =>
  other !== undefined && isDeepStrictEqual(unsaid(one), unsaid(other));

const unsaid = (schema: JsonSchema): unknown =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? undefined : value,
  );
