/** Objects of answers that have all members of another object are written as that object and the rest (`allOf`). Pure. Answers only: requests are closed. */
import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, ref } from '../../../core/values/json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Fewer shared members take less room than the reference and its `allOf`. */
const LEAST_MEMBERS = 6;

/** The same schemas. An object extends the largest one whose members it has, each as it is there. */
export const extendObjects = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const bases = Object.keys(schemas).filter((each) => each !== name && isPart(schemas[each] ?? {}, schema));
      const [base] = bases.toSorted((one, other) => sizeOf(schemas[other]) - sizeOf(schemas[one]));
      return [name, base === undefined ? schema : extending(schema, base, schemas[base] ?? {})];
    }),
  );

const sizeOf = (schema: JsonSchema | undefined): number => Object.keys(schema?.properties ?? {}).length;

function isPart({ properties = {}, required = [], ...base }: JsonSchema, whole: JsonSchema): boolean {
  const names = Object.keys(properties);
  const isAny = names.length >= LEAST_MEMBERS && names.length < sizeOf(whole) && base['x-like'] === undefined;
  return (
    isAny &&
    whole['x-like'] === undefined &&
    required.every((name) => whole.required?.includes(name)) &&
    names.every((name) => isDeepStrictEqual(properties[name], whole.properties?.[name]))
  );
}

function extending(schema: JsonSchema, base: string, { properties: known = {}, required: always = [] }: JsonSchema) {
  const { properties = {}, required = [], type: _, description, ...rest } = schema;
  const own = Object.entries(properties).filter(([name]) => known[name] === undefined);
  return {
    ...(description !== undefined && { description }),
    allOf: [
      ref(base),
      {
        ...rest,
        type: 'object',
        required: required.filter((name) => !always.includes(name)),
        properties: Object.fromEntries(own),
      },
    ],
  };
}
