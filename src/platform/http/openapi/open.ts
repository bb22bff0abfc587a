/** Schemas of answers as clients may rely on them: open, so that next year's answer is no fault. Pure. See docs/decisions/0095. */
import type { JsonSchema } from '../../../core/values/json-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** By name: each without a closed object and without a closed list of values, however deep. Bodies of requests stay closed: they do not come here. */
export const openedAll = (schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, opened(schema)]));

/** Known values are `x-extensible-enum`, which generators read as any text; `null` among them stays in `type`. */
export function opened(schema: JsonSchema): JsonSchema {
  return open(schema) as JsonSchema;
}

function open(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(open);
  if (typeof part !== 'object' || part === null) return part;
  const { additionalProperties: values, unevaluatedProperties: _, enum: known, ...rest } = part as Json;
  const members = Object.entries(rest).map(([word, inner]) => [word, AS_IT_IS.has(word) ? inner : open(inner)]);
  return {
    ...Object.fromEntries(members),
    ...(Array.isArray(known) && { 'x-extensible-enum': known.filter((value) => value !== null) }),
    ...(values !== undefined && values !== false && { additionalProperties: open(values) }),
    // A member of an object may be called `enum`, and is no list then.
    ...(known !== undefined && !Array.isArray(known) && { enum: open(known) }),
  };
}

/** Values, in which no word is one of a schema. */
const AS_IT_IS: ReadonlySet<string> = new Set(['examples', 'default', 'const', 'required', 'discriminator']);
