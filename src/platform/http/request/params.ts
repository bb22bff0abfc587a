/**
 * The parameter language: one definition parses a request and describes it. Never coerces: numbers keep their text,
 * `"60"` is a text. Null is "no value": left out, or unset by an update. Throws only `RequestError`s. Trees: `body.ts`; text: `text-rules.ts`.
 */
import { isActorId } from '../../../core/actor.ts';
import { type Currency, currencyOf } from '../../../core/values/currencies.ts';
import type { RequestError } from '../../../core/values/errors.ts';
import { exampleId, isId, NAMES, type Prefix } from '../../../core/values/ids.ts';
import { parseAmount, quoted } from '../../../core/values/money.ts';
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import {
  type About,
  type Choice,
  choice,
  given,
  invalid,
  isFormObject,
  isObject,
  type Notation,
  NumberText,
  type Param,
  param,
  paramError,
  type Tree,
} from './param.ts';
import { booleanHint, hint } from './hints.ts';
import { faultsOf, object, optional } from './named.ts';
import { safeText, textCodes, type TextKind, refuseUnsafe } from './text-rules.ts';

export { metadata } from './metadata.ts';
export {
  camelCased,
  changes,
  changesParams,
  object,
  optional,
  optionalParams,
  params,
  unsettable,
  withDefault,
} from './named.ts';
export type { Params, Parsed } from './named.ts';
export { type JsonSchema, ref } from '../../../core/values/json-schema.ts';
export { type About, type Choice, choice, NumberText, type Param, paramError, type Tree } from './param.ts';

export interface TextRules extends About {
  /** Who reads it; `prose` unless said. */
  readonly kind?: TextKind;
  /** Code points after normalisation. */
  readonly max: number;
  readonly min?: number;
  readonly pattern?: RegExp;
  /** The pattern in words: "six digits". */
  readonly shape?: string;
  readonly clearable?: boolean;
}

/** Free text, NFC. Refuses with the codes of its kind; with `clearable`, '' unsets the field. */
export function text(rules: TextRules): Param<string> {
  const { min = 1, max, pattern, kind = 'prose', clearable = false } = rules;
  const schema: JsonSchema = {
    type: 'string',
    ...(clearable ? {} : { minLength: min }),
    maxLength: max,
    ...(pattern ? { pattern: clearable ? `^$|${pattern.source}` : pattern.source } : {}),
  };
  const parse = (value: Tree, path: string): string => {
    if (typeof value !== 'string') throw invalid(path, value, 'text');
    if (value === '') {
      if (clearable) return value;
      throw paramError(
        'parameter_invalid',
        path,
        `${path} must not be empty. Send ${min === max ? min : `${min} to ${max}`} characters.`,
      );
    }
    const kept = safeText(value, path, max, kind);
    if (kept.length < min) throw invalid(path, value, `text of at least ${min} characters`);
    if (pattern && !pattern.test(kept))
      throw invalid(path, value, rules.shape ?? `text that matches ${pattern.source}`);
    return kept;
  };
  return { ...param(rules, schema, parse, textCodes(kind)), clearable };
}

/** `250`, `250.0` and `250.00` are one amount and so one text: equal requests have equal fingerprints. */
function plainAmount(given: string): string {
  if (!/^\d{1,20}(?:\.\d{1,20})?$/.test(given)) return given;
  const whole = given.replace(/^0+(?=\d)/, '');
  return whole.includes('.') ? whole.replace(/\.?0+$/, '') : whole;
}

// Digits and at most one point: the fingerprint of an idempotency key is kept as text that PostgreSQL must accept.
const PLAIN_AMOUNT = /^\d+(?:\.\d+)?$/;

/**
 * A plain decimal in major units; `amountIn` reads it once the currency is known. `amount_invalid`, `amount_too_small`.
 */
export function amount(about: About): Param<string> {
  const schema: JsonSchema = {
    title: 'AmountSent',
    type: ['number', 'string'],
    exclusiveMinimum: 0,
    pattern: '^[0-9]+(\\.[0-9]+)?$',
  };
  const parse = (value: Tree, path: string): string => {
    const written = value instanceof NumberText ? value.text : value;
    if (typeof written === 'string' && PLAIN_AMOUNT.test(written)) {
      if (/[1-9]/.test(written)) return plainAmount(written);
      throw paramError('amount_too_small', path, `${path} must be above zero, got ${given(value)}.`);
    }
    const form = 'digits and at most one point, no sign, blanks, separators or exponent';
    const message = `${path} must be a plain decimal in major units, such as 250.00 (${form}), got ${given(value)}.${hint(value)}`;
    throw paramError('amount_invalid', path, message);
  };
  return param(about, schema, parse, ['amount_invalid', 'amount_too_small', 'amount_too_large']);
}

/** Minor units of an amount's text. Throws `amount_invalid`, `amount_too_small` or `amount_too_large`. */
export function amountIn(currency: Currency, amountText: string, path: string): bigint {
  const minor = parseAmount(amountText, currency, path);
  if (typeof minor === 'bigint') return minor;
  throw paramError(minor.code, path, minor.message, minor.details);
}

/** A current ISO 4217 currency; lower case is accepted. `currency_unsupported`. */
export function currency(about: About): Choice<Currency> {
  const parse = (value: Tree, path: string): Currency => {
    const found = typeof value === 'string' ? (currencyOf(value) ?? currencyOfAnyCase(value)) : undefined;
    if (found) return found;
    const message = `${path} must be a current ISO 4217 currency code such as EUR, got ${given(value)}.${hint(value)}`;
    throw paramError('currency_unsupported', path, message);
  };
  const schema = { type: 'string', pattern: '^[A-Za-z]{3}$' };
  return choice(param({ example: 'EUR', ...about }, schema, parse, ['currency_unsupported']));
}

function currencyOfAnyCase(code: string): Currency | undefined {
  return /^[A-Za-z]{3}$/.test(code) ? currencyOf(code.toUpperCase()) : undefined;
}

/** Two letters of ISO 3166, upper case out. Whether the country is served is decided later. `country_unsupported`. */
export function country(about: About): Choice<string> {
  const parse = (value: Tree, path: string): string => {
    if (typeof value === 'string' && /^[A-Za-z]{2}$/.test(value)) return value.toUpperCase();
    const message = `${path} must be a two-letter ISO 3166 country code such as DE, got ${given(value)}.${hint(value)}`;
    throw paramError('country_unsupported', path, message);
  };
  const schema = { type: 'string', pattern: '^[A-Za-z]{2}$' };
  return choice(param({ example: 'DE', ...about }, schema, parse, ['country_unsupported']));
}

const article = (what: string) => (/^[aeiou]/i.test(what) ? 'an' : 'a');

/** A well-formed id of one type; existence is decided later. */
export function id(prefix: Prefix, about: About): Choice<string> {
  const what = NAMES[prefix];
  const pattern = `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;
  return choice(
    param({ example: exampleId(prefix), ...about }, { type: 'string', pattern }, (value, path) => {
      if (typeof value === 'string' && isId(prefix, value)) return value;
      const message = `${given(value)} in ${path} is not ${article(what)} ${what} id; it begins with ${prefix}_ and has 26 more characters.${hint(value)}`;
      throw paramError('parameter_invalid', path, message);
    }),
  );
}

/** A key or a user, by its id. */
export function actorId(about: About): Choice<string> {
  const shape = '[0-7][0-9a-hjkmnp-tv-z]{25}$';
  return choice(
    param(
      { example: exampleId('key'), ...about },
      { type: 'string', pattern: `^key_${shape}|^usr_${shape}` },
      (value, path) => {
        if (typeof value === 'string' && isActorId(value)) return value;
        const message = `${given(value)} in ${path} is not the id of a key or a user; it begins with key_ or usr_ and has 26 more characters.${hint(value)}`;
        throw paramError('parameter_invalid', path, message);
      },
    ),
  );
}

/** The id in the path. A malformed one is answered like an unknown one: `resource_missing`. */
export function pathId(
  call: { readonly path_params: Readonly<Record<string, string>> },
  prefix: Prefix,
  name = 'id',
): string {
  const what = NAMES[prefix];
  const value = call.path_params[name] ?? '';
  if (isId(prefix, value)) return value;
  const message = `No such ${what}: ${quoted(value)} is not ${article(what)} ${what} id; it begins with ${prefix}_.${hint(value)}`;
  throw paramError('resource_missing', name, message);
}

const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/;

/** Added to the refusal of a number or a boolean in quotes. */
const unquoted = (value: Tree, notation: Notation) =>
  notation === 'json' && typeof value === 'string' ? ' (in JSON without quotes)' : '';

/** A whole number, both bounds included: a JSON number without fraction and exponent, in a form its text. */
export function integer(rules: About & { readonly min: number; readonly max: number }): Param<number> {
  const { min, max } = rules;
  return param(rules, { type: 'integer', minimum: min, maximum: max }, (value, path, notation) => {
    const written = value instanceof NumberText ? value.text : notation === 'json' ? null : value;
    const number = typeof written === 'string' && INTEGER.test(written) ? Number(written) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw invalid(path, value, `a whole number from ${min} to ${max}${unquoted(value, notation)}`);
  });
}

/** The JSON words `true` and `false`, in a form their text. */
export function boolean(about: About): Param<boolean> {
  return param(about, { type: 'boolean' }, (value, path, notation) => {
    if (value === true || (value === 'true' && notation !== 'json')) return true;
    if (value === false || (value === 'false' && notation !== 'json')) return false;
    const written = value instanceof NumberText ? value.text : value;
    throw invalid(path, value, `true or false${unquoted(value, notation)}`, booleanHint(written));
  });
}

/** One of a few words, exactly as written. */
export function oneOf<const V extends readonly string[]>(values: V, about: About): Choice<V[number]> {
  return choice(
    param(about, { type: 'string', enum: values }, (value, path) => {
      if (typeof value === 'string' && values.includes(value)) return value;
      const message = `${path} must be one of ${values.join(', ')}, got ${given(value)}.${hint(value, values)}`;
      throw paramError('parameter_invalid', path, message, { allowed: values });
    }),
  );
}

const EMAIL = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)+$/;

/** An e-mail address with one @ and a dotted host; whether it is reachable is not checked. */
export function email(about: About & { readonly clearable?: boolean }): Param<string> {
  const rules = { kind: 'code', max: 254, pattern: EMAIL, shape: 'an e-mail address' } as const;
  const inner = text({ example: 'ada@example.com', ...about, ...rules });
  const { pattern: _, ...schema } = inner.schema; // our pattern is looser than `format: email`; clients use the latter
  return { ...inner, schema: about.clearable ? schema : { ...schema, format: 'email' } };
}

/** Several of one kind, in the order sent. Form: `types[]=a&types[]=b` or `payouts[0][amount]=5`. */
export function list<T>(
  item: Param<T>,
  rules: About & { readonly max: number; readonly min?: number },
): Param<readonly T[]> {
  const min = rules.min ?? 1;
  const schema: JsonSchema = { type: 'array', items: item.schema, minItems: min, maxItems: rules.max };
  const parse = (value: Tree, path: string, notation: Notation): readonly T[] => {
    const items = isFormObject(value) ? indexed(value, path) : value;
    if (!Array.isArray(items)) throw invalid(path, value, `a list (form: ${path}[]=…)`);
    if (items.length < min || items.length > rules.max) {
      throw paramError('parameter_invalid', path, `${path} takes ${min} to ${rules.max} items, got ${items.length}.`);
    }
    return items.map((element: Tree, index) => item.parse(element, `${path}[${index}]`, notation));
  };
  const faultsIn = (value: Tree, path: string, notation: Notation) => {
    const items = isFormObject(value) ? indexed(value, path) : value;
    if (!Array.isArray(items) || items.length < min || items.length > rules.max) return [];
    return items.flatMap((element: Tree, index) => faultsOf(item, element, `${path}[${index}]`, notation));
  };
  return { ...param(rules, schema, parse, item.codes), faultsIn };
}

// `payouts[0][amount]=5&payouts[1]…` in any order, every index from 0 up present.
function indexed(group: { readonly [name: string]: Tree }, path: string): readonly Tree[] {
  const names = Object.keys(group);
  return names.map((_, index) => {
    const element = group[index];
    if (element !== undefined) return element;
    const odd = names.find((name) => !/^(?:0|[1-9]\d*)$/.test(name));
    const why = odd === undefined ? `${path}[${index}] is missing` : `${quoted(odd)} is not an index`;
    throw paramError('parameter_invalid', path, `${path} must be a list with indices from 0 without gaps: ${why}.`);
  });
}

export const { dry_run: dryRun } = optional({
  dry_run: boolean({ description: 'Check everything, answer as if it had happened, write nothing.' }),
});

export interface InstantRange {
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
}

/** `created=1732184000` or `created[gte]=…&created[lt]=…`, Unix seconds in. */
export function instantFilter(about: About): Param<InstantRange> {
  const whole = integer({ description: 'Unix seconds.', min: 0, max: 253_402_300_799 }); // year 9999
  const second = { ...whole, schema: { ...whole.schema, title: 'InstantSent' } };
  const bounds = object(optional({ gt: second, gte: second, lt: second, lte: second }), about);
  const parse = (value: Tree, path: string, notation: Notation): InstantRange => {
    if (!isObject(value)) {
      const at = second.parse(value, path, notation);
      return { fromMs: at * 1000, untilMs: (at + 1) * 1000 };
    }
    const { gt, gte, lt, lte } = bounds.parse(value, path, notation);
    if (gt !== undefined && gte !== undefined) throw conflict(path, 'gt', 'gte');
    if (lt !== undefined && lte !== undefined) throw conflict(path, 'lt', 'lte');
    const from = gte ?? (gt === undefined ? undefined : gt + 1);
    const until = lt ?? (lte === undefined ? undefined : lte + 1);
    return {
      fromMs: from === undefined ? undefined : from * 1000,
      untilMs: until === undefined ? undefined : until * 1000,
    };
  };
  return param(about, { anyOf: [bounds.schema, second.schema] }, parse, ['parameter_conflict']);
}

function conflict(path: string, one: string, other: string): RequestError {
  const message = `${path}[${one}] and ${path}[${other}] exclude each other. Send one of the two.`;
  return paramError('parameter_conflict', `${path}[${one}]`, message);
}

/** `text_invalid`, `text_too_long`; with `clearable`, '' unsets. Not `text`: digits of a path are no card number. */
export function url(rules: About & { readonly max: number; readonly clearable?: boolean }): Param<string> {
  const { max, clearable = false } = rules;
  const schema = { type: 'string', ...(clearable ? {} : { minLength: 1 }), maxLength: max } as const;
  const parse = (value: Tree, path: string): string => {
    if (typeof value !== 'string' || (value === '' && !clearable)) throw invalid(path, value, 'a URL, as text');
    if (value.length > max) {
      const message = `${path} has ${value.length} characters; at most ${max} are allowed.`;
      throw paramError('text_too_long', path, message);
    }
    refuseUnsafe(value, path);
    return value;
  };
  return { ...param(rules, schema, parse, ['text_invalid', 'text_too_long']), clearable };
}
