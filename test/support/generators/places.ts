/**
 * Where an id can stand in an operation: in the path, in the query, in the body however deep. Found in the OpenAPI
 * document by the patterns of ids, so that a new operation is tried without anybody remembering it. Next: `contract.ts`.
 */
import type { Operation } from './contract.ts';
import type { Fixtures } from '../harness/fixtures.ts';
import type { Json, JsonValue } from '../harness/http.ts';
import type { Schema } from './schema.ts';

export const KINDS = [
  'acct',
  'trf',
  'rcp',
  'quo',
  'exc',
  'po',
  'pob',
  'plink',
  'pay',
  'evt',
  'we',
  'dlv',
  'rep',
  'key',
  'usr',
  'aud',
  'lim',
  'fee',
  'ba',
  'sf',
  'bs',
  'be',
  'br',
  'xp',
  'pf',
  'so',
  'sor',
  'stm',
  'req',
] as const;
export type Kind = (typeof KINDS)[number];

/** The kind of id a schema asks for: `acct` of `^acct_[0-7]…$`. */
export function kindOf(schema: Schema): Kind | undefined {
  const prefix = /^\^([a-z]+)_\[/.exec((schema['pattern'] ?? '') as string)?.[1];
  return KINDS.find((kind) => kind === prefix);
}

type Way = readonly (string | number)[];

/** Ways to the places in a body where an id stands, with its kind; the first item stands for all items of a list. */
export function idPlaces(schema: Schema, way: Way = []): readonly { readonly way: Way; readonly kind: Kind }[] {
  const kind = kindOf(schema);
  if (kind !== undefined) return [{ way, kind }];
  const items = schema['items'] as Schema | undefined;
  if (items) return idPlaces(items, [...way, 0]);
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  return properties.flatMap(([name, inner]) => idPlaces(inner, [...way, name]));
}

/** A copy with `value` at that place. */
export function standing(body: JsonValue, [step, ...rest]: Way, value: JsonValue): JsonValue {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: JsonValue[] = Array.isArray(body) ? [...(body as readonly JsonValue[])] : [];
    list[step] = standing(list[step] ?? {}, rest, value);
    return list as readonly Json[];
  }
  return { ...(body as Json), [step]: standing((body as Json)[step] ?? {}, rest, value) };
}

/** The example of the document with the ids that exist. */
export function exampleBody(operation: Operation, fixtures: Fixtures): Json {
  let body: JsonValue = (operation.exampleRequest ?? {}) as Json;
  for (const { way, kind } of operation.body ? idPlaces(operation.body) : []) {
    if (valueAt(body, way) === undefined) continue;
    const id = way.at(-1) === 'to' ? fixtures.otherAccount : kind === 'quo' ? fixtures.quote : fixtures[kind];
    body = standing(body, way, id);
  }
  return body as Json;
}

function valueAt(body: JsonValue, way: Way): JsonValue | undefined {
  return way.reduce<JsonValue | undefined>((at, step) => (at as Json | undefined)?.[step], body);
}

/** The path with ids in it: what `idOf` gives for the kind that each parameter asks for. */
export function pathOf(operation: Operation, idOf: (kind: Kind) => string): string {
  return operation.path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(idOf(kindOf(parameter?.schema ?? {}) as Kind));
  });
}
