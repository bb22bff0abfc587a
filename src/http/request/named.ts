/**
 * Named parameters: of a body, a query, or an object inside one. What is unknown, missing or wrong is refused by name. The kinds of parameters:
 * `params.ts`. Throws only `RequestError`s.
 */
import { type Code, RequestError } from '../../core/errors.ts';
import type { JsonSchema } from '../../core/json-schema.ts';
import { quoted } from '../../core/money.ts';
import { nearest } from '../../core/nearest.ts';
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
/** What `params(fields)` parses to. An absent optional parameter is `undefined`. */
export type Parsed<F extends Fields> = { readonly [K in keyof F]: F[K] extends Param<infer T> ? T : never };

export interface Params<T> {
  parse(tree: Tree): T;
  readonly schema: JsonSchema;
  /** What `parse` can refuse with, beside what every operation can. */
  readonly codes: readonly Code[];
  readonly fields: Fields;
}

/** A nested object of named parameters. */
export function object<F extends Fields>(fields: F, about: About): Param<Parsed<F>> {
  const parseFields = fieldsParser(fields);
  const parse = (value: Tree, path: string, notation: Notation): Parsed<F> => {
    if (isObject(value)) return parseFields(value, path, notation);
    throw invalid(path, value, `an object (form: ${path}[${Object.keys(fields)[0] ?? 'name'}]=…)`);
  };
  return param(about, objectSchema(fields), parse, codesOf(fields));
}

/** May be left out; then it is `undefined`. Null and an empty text are refused unless `inner` takes them. */
export function optional<T>(inner: Choice<T>): Choice<T | undefined>;
export function optional<T>(inner: Param<T>): Param<T | undefined>;
export function optional<T>(inner: Param<T>): Param<T | undefined> {
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
export function withDefault<T>(inner: Choice<T>, value: T & Plain): Choice<T>;
export function withDefault<T>(inner: Param<T>, value: T & Plain): Param<T>;
export function withDefault<T>(inner: Param<T>, value: T & Plain): Param<T> {
  const { parse } = optional(inner) as Param<T>;
  return { ...inner, parse, optional: true, absent: value, schema: { ...inner.schema, default: value } };
}

/**
 * All parameters of one body or query. Refuses unknown names first (a typing error explains a missing name), then missing
 * and wrong parameters in the order of `fields`. `check` refuses values that are wrong only together, with `codes`.
 */
export function params<F extends Fields>(
  fields: F,
  check?: (parsed: Parsed<F>) => void,
  codes: readonly Code[] = [],
): Params<Parsed<F>> {
  const parseFields = fieldsParser(fields);
  return {
    fields,
    codes: [...codesOf(fields), ...codes],
    schema: objectSchema(fields),
    parse(tree) {
      if (!isObject(tree)) throw new RequestError('body_invalid', `The body must be an object, got ${given(tree)}.`);
      const parsed = parseFields(tree, '', notationOf(tree));
      check?.(parsed);
      return parsed;
    },
  };
}

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

function fieldsParser<F extends Fields>(
  fields: F,
): (tree: { readonly [name: string]: Tree }, path: string, notation: Notation) => Parsed<F> {
  const names = Object.keys(fields);
  const known = new Map(Object.entries(fields));
  const all = Object.values(fields) as readonly Param<unknown>[];
  return (tree, path, notation) => {
    for (const name in tree) if (!known.has(name)) throw unknownName(name, path, names);
    const parsed: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const field = all[i] as Param<unknown>;
      const value = tree[name];
      if (value !== undefined) parsed[name] = field.parse(value, path === '' ? name : `${path}[${name}]`, notation);
      else if (field.optional) parsed[name] = field.absent;
      else {
        const at = path === '' ? name : `${path}[${name}]`;
        throw paramError('parameter_missing', at, `${at} is required.`);
      }
    }
    return parsed as Parsed<F>;
  };
}

function unknownName(name: string, path: string, names: readonly string[]): RequestError {
  const short = name.length > 60 ? `${name.slice(0, 57)}…` : name;
  const at = path === '' ? short : `${path}[${short}]`;
  const placed = (each: string) => (path === '' ? each : `${path}[${each}]`);
  const near = hintFor(name, names, placed) ?? mistyped(nearest(name, names), placed);
  const hint = near === undefined ? '' : ` ${near}`;
  return paramError('parameter_unknown', at, `There is no parameter ${quoted(at)} here.${hint}`, { allowed: names });
}

function mistyped(near: string | undefined, placed: (name: string) => string): string | undefined {
  return near === undefined ? undefined : `Did you mean ${placed(near)}?`;
}
