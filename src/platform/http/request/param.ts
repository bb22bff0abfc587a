/** A parameter, and the tree of untrusted values it parses. The kinds of parameters: `params.ts`, `metadata.ts`. */
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import { type Code, type ErrorDetails, type ParamFault, RequestError } from '../../../core/values/errors.ts';
import { quoted } from '../../../core/values/money.ts';
import { hint } from './hints.ts';

/** A JSON number as it was written: `250.00` and `1e3` are seen as such. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What stands for an object that could not be read, such as a row of a CSV file. No parameter takes it. */
export class Unreadable {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** What a body or query holds before parsing. Its objects inherit nothing: `__proto__` is a plain name. */
export type Tree =
  | string
  | NumberText
  | Unreadable
  | boolean
  | null
  | readonly Tree[]
  | { readonly [name: string]: Tree };

/**
 * JSON has numbers and booleans of its own, and no text is either; in a form, a query or a CSV file everything is text.
 * In JSON null says "no value", in a form an empty text does. A query has no such word, because nobody filters by nothing.
 */
export type Notation = 'json' | 'form' | 'query';

/** Whether the value says "no value". A new thing then lacks it, and a change unsets it (decision 0096). */
export const isNone = (value: Tree | undefined, notation: Notation): boolean =>
  value === null || (value === '' && notation === 'form');

export interface Param<T> {
  /** Throws a `RequestError` that names `path` (`payouts[0][amount]`), what was given and what is allowed. */
  parse(value: Tree, path: string, notation: Notation): T;
  /** All faults of a value that `parse` refuses, one by one; none, or left out: it has no parts. */
  faultsIn?(value: Tree, path: string, notation: Notation): readonly ParamFault[];
  readonly schema: JsonSchema;
  /** What `parse` can refuse with, beside `parameter_invalid`; for the OpenAPI document. */
  readonly codes: readonly Code[];
  readonly optional: boolean;
  readonly description: string;
  /** A change can unset it: with an empty text, and with what says "no value". */
  readonly clearable?: boolean;
  /** It parses null itself. What is only `clearable` parses an empty text instead. */
  readonly nullable?: boolean;
  /** It is what an update changes: "no value" unsets it, instead of being left out. */
  readonly isChange?: boolean;
  /** Of a filter: how many values it takes as `name[]`. */
  readonly mostValues?: number;
  /** What an absent optional parameter parses to. */
  readonly absent?: T;
}

/** A parameter whose values are few or exact. As the filter of a list it takes several of them (`platform/http/lists.ts`). */
export interface Choice<T> extends Param<T> {
  readonly isChoice: true;
}

export const choice = <T>(inner: Param<T>): Choice<T> => ({ ...inner, isChoice: true });

export interface About {
  readonly description: string;
  readonly example?: unknown;
}

export function paramError(code: Code, path: string, message: string, details: ErrorDetails = {}): RequestError {
  return new RequestError(code, message, { param: path, ...details });
}

export function given(value: Tree): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof NumberText) return value.text.length > 60 ? `${value.text.slice(0, 57)}…` : value.text;
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** `parameter_invalid` in the usual words: what was given, what is allowed; `body_invalid` for what could not be read. */
export function invalid(path: string, value: Tree, allowed: string, meant = hint(value)): RequestError {
  if (value instanceof Unreadable) return new RequestError('body_invalid', value.message);
  return paramError('parameter_invalid', path, `${path} must be ${allowed}, got ${given(value)}.${meant}`);
}

export function param<T>(
  { description, example }: About,
  schema: JsonSchema,
  parse: Param<T>['parse'],
  codes: readonly Code[] = [],
): Param<T> {
  const examples = example === undefined ? {} : { examples: [example] };
  return { parse, schema: { ...schema, description, ...examples }, codes, optional: false, description };
}

export function isObject(value: Tree): value is { readonly [name: string]: Tree } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof NumberText) && !(value instanceof Unreadable);
}

// An object without inherited members that V8 still gives a hidden class (Object.create(null) is a slow dictionary).
const Empty = function () {} as unknown as new () => object;
Empty.prototype = Object.create(null);

/** An empty object in which `__proto__` and `constructor` are names like any other. */
export function emptyObject<T>(): Record<string, T> {
  return new Empty() as Record<string, T>;
}

// In forms and CSV files, `payouts[0]` may be an index or a name, and `60` a number or a text. The parameter decides:
// `list` reads such an object, but no JSON object, as a list.
const FormEmpty = function () {} as unknown as new () => object;
FormEmpty.prototype = Object.create(null);

export function emptyFormObject(): Record<string, Tree> {
  return new FormEmpty() as Record<string, Tree>;
}

/** Whether the object came from a form, a query or a CSV file. */
export function isFormObject(value: Tree): value is { readonly [name: string]: Tree } {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === FormEmpty.prototype;
}

const QueryEmpty = function () {} as unknown as new () => object;
QueryEmpty.prototype = Object.create(null);

/** The outermost object of a query. Those inside are as in a form. */
export function emptyQueryObject(): Record<string, Tree> {
  return new QueryEmpty() as Record<string, Tree>;
}

/** Of the outermost object. */
export function notationOf(tree: Tree): Notation {
  if (isFormObject(tree)) return 'form';
  return typeof tree === 'object' && tree !== null && Object.getPrototypeOf(tree) === QueryEmpty.prototype
    ? 'query'
    : 'json';
}

/** Some members of an object, in its notation. */
export function partOf(tree: Tree, members: Readonly<Record<string, Tree>>): Tree {
  return Object.assign(isFormObject(tree) ? emptyFormObject() : emptyObject<Tree>(), members);
}

/** A parameter of an order, alone or of the item `path` of a batch. */
export const pathOf = (path: string, name: string): string => (path === '' ? name : `${path}[${name}]`);
