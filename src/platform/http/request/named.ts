/** Named parameters of a body, a query, or an object inside. Throws only `RequestError`s. The kinds: `params.ts`. */
import { type Code, type ParamFault, RequestError } from '../../../core/values/errors.ts';
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import { quoted } from '../../../core/values/money.ts';
import { nearest } from '../../../core/values/nearest.ts';
import { hintFor } from './other-names.ts';
import {
  type About,
  type Choice,
  given,
  invalid,
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

/** A nested object of named parameters. It is refused for its first fault; `faultsIn` returns all faults. */
export function object<F extends Fields>(fields: F, about: About): Param<Parsed<F>> {
  const parseFields = fieldsParser(fields);
  const parse = (value: Tree, path: string, notation: Notation): Parsed<F> => {
    if (isObject(value)) return parseFields(value, path, notation);
    throw invalid(path, value, `an object (form: ${path}[${Object.keys(fields)[0] ?? 'name'}]=…)`);
  };
  const faultsIn = faultsFinder(fields);
  return {
    ...param(about, objectSchema(fields), parse, codesOf(fields)),
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

/** They may be left out; then they are `undefined`. Null and an empty text are refused unless the parameter takes them. */
export function optional<F extends Fields>(fields: F): Optional<F> {
  const all = Object.entries(fields).map(([name, field]) => [name, field.optional ? field : leftOut(field)]);
  return Object.fromEntries(all) as Optional<F>;
}

function leftOut<T>(inner: Param<T>): Param<T> {
  const parse = (value: Tree, path: string, notation: Notation): T => {
    if (value === '' && !inner.clearable) {
      throw paramError('parameter_invalid', path, `${path} is empty. Leave it out instead.`);
    }
    if (value === null && !inner.nullable) {
      const how = inner.clearable ? 'Send an empty text to unset it, or leave it out.' : 'Leave it out instead.';
      throw paramError('parameter_invalid', path, `${path} is null. ${how}`);
    }
    return inner.parse(value, path, notation);
  };
  return { ...inner, parse, optional: true };
}

type Plain = string | number | boolean | readonly string[];

/** May be left out; then it is `value`. */
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
    properties: Object.fromEntries(names.map((name) => [name, (fields[name] as Param<unknown>).schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

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
      if (value !== undefined) parsed[name] = field.parse(value, path === '' ? name : `${path}[${name}]`, notation);
      else if (!field.optional) throw missingName(path === '' ? name : `${path}[${name}]`);
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
      if (value !== undefined) faults.push(...faultsOf(field, value, at, notation));
      else if (!field.optional) faults.push(faultOf(missingName(at)));
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

const missingName = (at: string) => paramError('parameter_missing', at, `${at} is required.`);

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
