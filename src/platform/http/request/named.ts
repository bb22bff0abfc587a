/** Named parameters of a body, a query, or an object inside. Throws only `RequestError`s. The kinds: `params.ts`. */
import { type Code, type ParamFault, RequestError } from '../../../core/values/errors.ts';
import { assert } from '../../../core/values/assert.ts';
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import { quoted } from '../../../core/values/money.ts';
import { nearest } from '../../../core/values/nearest.ts';
import { hintFor } from './other-names.ts';
import {
  type About,
  type Choice,
  given,
  invalid,
  isNone,
  isObject,
  type Notation,
  notationOf,
  type Param,
  param,
  paramError,
  type Tree,
} from './param.ts';

type Fields = Readonly<Record<string, Param<unknown>>>;
type Group = { readonly [name: string]: Tree };
/** What `params(fields)` parses to. An absent optional parameter is `undefined`. */
export type Parsed<F extends Fields> = { readonly [K in keyof F]: F[K] extends Param<infer T> ? T : never };

export interface Params<T> {
  parse(tree: Tree): T;
  readonly schema: JsonSchema;
  /** What `parse` can refuse with, beside what every operation can. */
  readonly codes: readonly Code[];
  readonly fields: Fields;
}

/**
 * A nested object of named parameters. It is refused for its first fault; `faultsIn` returns all faults. `title`: its name in the document, which the
 * items of a list need: Go has no other way to write one.
 */
export function object<F extends Fields>(fields: F, about: About & { readonly title?: string }): Param<Parsed<F>> {
  const parseFields = fieldsParser(fields);
  const parse = (value: Tree, path: string, notation: Notation): Parsed<F> => {
    if (isObject(value)) return parseFields(value, path, notation);
    throw invalid(path, value, `an object (form: ${path}[${Object.keys(fields)[0] ?? 'name'}]=…)`);
  };
  const faultsIn = faultsFinder(fields);
  const { title } = about;
  return {
    ...param(about, { ...(title && { title }), ...objectSchema(fields) }, parse, codesOf(fields)),
    faultsIn: (value, path, notation) => (isObject(value) ? faultsIn(value, path, notation) : []),
  };
}

type Optional<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Defaulted<unknown>
    ? F[K]
    : F[K] extends Choice<infer T>
      ? Choice<T | undefined>
      : F[K] extends Param<infer T>
        ? Param<T | undefined>
        : never;
};
type Defaulted<P> = P & { readonly absent: Plain };

/** They may be left out; then they are `undefined`. "No value" (`isNone`) is the same; another empty text is refused unless it is clearable. */
export function optional<F extends Fields>(fields: F): Optional<F> {
  const all = Object.entries(fields).map(([name, field]) => [name, field.optional ? field : leftOut(field)]);
  return Object.fromEntries(all) as Optional<F>;
}

function leftOut<T>(inner: Param<T>): Param<T> {
  const parse = (value: Tree, path: string, notation: Notation): T => {
    if (value === '' && !inner.clearable) {
      const allowed = inner.schema['enum'] as readonly string[] | undefined;
      const next =
        allowed === undefined ? 'Leave it out instead' : `Send one of ${allowed.join(', ')}, or leave it out`;
      throw paramError('parameter_invalid', path, `${path} is empty. ${next}.`, allowed && { allowed });
    }
    return inner.parse(value, path, notation);
  };
  return { ...inner, parse, optional: true };
}

/**
 * What an update may change: what is left out stays. "No value" (`isNone`) unsets what can be unset, and the rest refuses it, because
 * a client that sends back an answer must not lose by silence what it cleared.
 */
export function changes<F extends Fields>(fields: F): Optional<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, changed(field)])) as Optional<F>;
}

const isUnsettable = ({ clearable, nullable }: Param<unknown>): boolean => clearable === true || nullable === true;

function changed<T>(inner: Param<T>): Param<T> {
  const none: Tree = inner.nullable ? null : '';
  const parse = (value: Tree, path: string, notation: Notation): T => {
    const isNothing = isNone(value, notation);
    if (isUnsettable(inner)) return inner.parse(isNothing ? none : value, path, notation);
    if (!isNothing && value !== '') return inner.parse(value, path, notation);
    const message = `${path} is ${value === null ? 'null' : 'empty'}, but it cannot be unset. Send a value, or leave it out to keep the present one.`;
    throw paramError('parameter_invalid', path, message);
  };
  return { ...inner, parse, optional: true, isChange: true };
}

/** It can be unset: "no value" parses to null. */
export const unsettable = <T>(inner: Param<T>): Param<T | null> => ({
  ...inner,
  clearable: true,
  nullable: true,
  parse: (value, path, notation) => (isNone(value, notation) ? null : inner.parse(value, path, notation)),
});

type Plain = string | number | boolean | readonly string[];

/** May be left out, also by "no value"; then it is `value`. */
export function withDefault<T>(inner: Choice<T>, value: T & Plain): Defaulted<Choice<T>>;
export function withDefault<T>(inner: Param<T>, value: T & Plain): Defaulted<Param<T>>;
export function withDefault<T>(inner: Param<T>, value: T & Plain): Defaulted<Param<T>> {
  return { ...leftOut(inner), absent: value, schema: { ...inner.schema, default: value } };
}

/**
 * Refuses unknown names first (a typing error explains a missing name), then missing and wrong parameters in the order
 * of `fields`; several are in `errors`. `check` refuses, with `codes`, what is wrong only together.
 */
export function params<F extends Fields>(
  fields: F,
  check?: (parsed: Parsed<F>) => void,
  codes: readonly Code[] = [],
): Params<Parsed<F>> {
  const parseFields = fieldsParser(fields);
  const faultsIn = faultsFinder(fields);
  return {
    fields,
    codes: [...codesOf(fields), ...codes],
    schema: objectSchema(fields),
    parse(tree) {
      if (!isObject(tree)) throw new RequestError('body_invalid', `The body must be an object, got ${given(tree)}.`);
      const notation = notationOf(tree);
      let parsed: Parsed<F>;
      try {
        parsed = parseFields(tree, '', notation);
      } catch (first) {
        throw withAll(first, faultsIn(tree, '', notation));
      }
      check?.(parsed);
      return parsed;
    },
  };
}

/** The same, where every parameter may be left out. */
export const optionalParams = <F extends Fields>(
  fields: F,
  check?: (parsed: Parsed<Optional<F>>) => void,
  codes?: readonly Code[],
): Params<Parsed<Optional<F>>> => params(optional(fields), check, codes);

/** The same of an update: {@link changes}. */
export const changesParams = <F extends Fields>(
  fields: F,
  check?: (parsed: Parsed<Optional<F>>) => void,
  codes?: readonly Code[],
): Params<Parsed<Optional<F>>> => params(changes(fields), check, codes);

function codesOf(fields: Fields): readonly Code[] {
  const all = Object.values(fields);
  const codes = all.flatMap((field) => field.codes);
  return all.every((field) => field.optional) ? codes : [...codes, 'parameter_missing'];
}

function objectSchema(fields: Fields): JsonSchema {
  const names = Object.keys(fields);
  const required = names.filter((name) => fields[name]?.optional === false);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** In a body, what may be left out or unset may be null. */
const schemaOf = (field: Param<unknown>): JsonSchema =>
  field.optional && (!field.isChange || isUnsettable(field)) ? orNull(field.schema) : field.schema;

/** The schema that allows null, too. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: words } = schema;
  if (anyOf !== undefined) {
    return anyOf.some((each) => each.type === 'null') ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  }
  const types = [type ?? []].flat();
  if (types.includes('null')) return schema;
  assert(types.length > 0, 'a parameter has a type');
  return { ...schema, type: [...types, 'null'], ...(words && { enum: [...words, null] }) };
}

/** Of a new thing; an empty text for what can be unset leaves it out, too. */
const isLeftOut = (field: Param<unknown>, value: Tree, notation: Notation): boolean =>
  field.isChange !== true && (isNone(value, notation) || (value === '' && field.clearable === true && !field.nullable));

function fieldsParser<F extends Fields>(fields: F): (tree: Group, path: string, notation: Notation) => Parsed<F> {
  const names = Object.keys(fields);
  const known = new Map(Object.entries(fields));
  const all = Object.values(fields) as readonly Param<unknown>[];
  // Copied for each request: so all of them have one shape, whatever they leave out.
  const absent = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.absent]));
  return (tree, path, notation) => {
    for (const name in tree) if (!known.has(name)) throw unknownName(name, path, names);
    const parsed: Record<string, unknown> = { ...absent };
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const field = all[i] as Param<unknown>;
      const value = tree[name];
      if (value !== undefined && !isLeftOut(field, value, notation))
        parsed[name] = field.parse(value, path === '' ? name : `${path}[${name}]`, notation);
      else if (!field.optional) throw missingName(path === '' ? name : `${path}[${name}]`, value);
    }
    return parsed as Parsed<F>;
  };
}

/** At most so many unknown names are reported. A request with more is something else. */
const MAX_UNKNOWN_NAMES = 5;
const MAX_FAULTS = 50;

/** All faults of named parameters, in the order in which the first one is thrown. Only asked where there is one: each is parsed anew. */
function faultsFinder(fields: Fields): (tree: Group, path: string, notation: Notation) => readonly ParamFault[] {
  const names = Object.keys(fields);
  return (tree, path, notation) => {
    const faults: ParamFault[] = [];
    const unknown = Object.keys(tree).filter((name) => !Object.hasOwn(fields, name));
    for (const name of unknown.slice(0, MAX_UNKNOWN_NAMES)) faults.push(faultOf(unknownName(name, path, names)));
    for (const [name, field] of Object.entries(fields)) {
      const at = path === '' ? name : `${path}[${name}]`;
      const value = tree[name];
      if (value !== undefined && !isLeftOut(field, value, notation))
        faults.push(...faultsOf(field, value, at, notation));
      else if (!field.optional) faults.push(faultOf(missingName(at, value)));
    }
    return faults;
  };
}

export function faultsOf(field: Param<unknown>, value: Tree, path: string, notation: Notation): readonly ParamFault[] {
  try {
    field.parse(value, path, notation);
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const inside = field.faultsIn?.(value, path, notation) ?? [];
    return inside.length > 0 ? inside : [faultOf(error)];
  }
}

function faultOf({ code, message, details: { param: name } }: RequestError): ParamFault {
  return { ...(name !== undefined && { param: name }), code, message };
}

/** The first fault. If there are more, it contains all faults, as in an item of a batch. */
function withAll(first: unknown, all: readonly ParamFault[]): unknown {
  if (!(first instanceof RequestError) || all.length < 2) return first;
  return new RequestError(first.code, first.message, { ...first.details, errors: all.slice(0, MAX_FAULTS) });
}

function missingName(at: string, value: Tree | undefined): RequestError {
  const sent = value === undefined ? '' : `, but it is ${value === null ? 'null' : 'empty'}`;
  return paramError('parameter_missing', at, `${at} is required${sent}.`);
}

export function unknownName(name: string, path: string, names: readonly string[]): RequestError {
  const inPath = (each: string) => (path === '' ? each : `${path}[${each}]`);
  const at = inPath(name.length > 60 ? `${name.slice(0, 57)}…` : name);
  const near = nearest(name, names);
  const mistyped = near === undefined ? '' : `Did you mean ${inPath(near)}?`;
  const hint = hintFor(name, names, inPath) ?? mistyped;
  const message = `There is no parameter ${quoted(at)} here.${hint === '' ? '' : ` ${hint}`}`;
  return paramError('parameter_unknown', at, message, { allowed: names });
}

type Camel<S> = S extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : S;
type CamelCased<T> = { readonly [K in keyof T as Camel<K>]: T[K] };

/** A parsed body with the names of commands: `cutOff` for `cut_off`. The body itself keeps its names, because they are hashed. */
export const camelCased = <T extends object>(parsed: T): CamelCased<T> =>
  Object.fromEntries(Object.entries(parsed).map(([name, value]) => [camelCase(name), value])) as CamelCased<T>;

const camelCase = (name: string) => name.replaceAll(/_[a-z]/g, (pair) => pair.slice(1).toUpperCase());
