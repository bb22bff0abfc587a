/**
 * `null` in a body, and in a form an empty value (contract 13, decision 0096): a new thing is as if the parameter were left out; an update unsets
 * it, or says that it cannot be unset. Asked of every operation of the document, by what its body parses to: handlers see nothing else.
 */
import { stringify } from 'qs';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../test/support/harness/all-routes.ts';
import { RequestError } from '../../../core/values/errors.ts';
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import type { Params } from './params.ts';
import { readForm } from './form.ts';
import { readJson } from './json.ts';
import type { Tree } from './param.ts';

type Value = string | number | boolean | null | readonly Value[] | Body;
interface Body {
  readonly [name: string]: Value;
}
type Parser = Pick<Params<unknown>, 'parse'>;

/** What a body parses to, or how it is refused. */
function outcome({ parse }: Parser, tree: Tree): unknown {
  try {
    return { parsed: parse(tree) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message, details } = error;
    return { code, message, details };
  }
}
const json = (body: Body) => readJson(JSON.stringify(body), 8);
const form = (body: Body) => readForm(stringify(body), 8);

/** A copy with null at one place, and one without that place. */
interface Pair {
  readonly at: string;
  readonly withNull: Body;
  readonly without: Body;
}

const isBody = (value: Value | undefined): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One pair for each parameter that may be left out, however deep it stands in the example. */
function pairsOf({ properties = {}, required = [] }: JsonSchema, body: Body, path = ''): Pair[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { [name]: here, ...rest } = body;
    const at = path === '' ? name : `${path}[${name}]`;
    const own = required.includes(name) ? [] : [{ at, withNull: { ...rest, [name]: null }, without: rest }];
    const [first] = Array.isArray(here) ? (here as readonly Value[]) : [];
    const [inner, within] = isBody(here) ? [here, schema] : [first, schema.items ?? {}];
    if (!isBody(inner)) return own;
    const wrapped = (value: Body): Body => ({ ...rest, [name]: isBody(here) ? value : [value] });
    const below = pairsOf(within, inner, at).map((pair) => ({
      at: pair.at,
      withNull: wrapped(pair.withNull),
      without: wrapped(pair.without),
    }));
    return [...own, ...below];
  });
}

const allNull = (pairs: readonly Pair[], key: 'withNull' | 'without', body: Body): Body =>
  pairs
    .filter(({ at }) => !at.includes('['))
    .reduce((whole, { at }) => {
      const { [at]: _, ...rest } = whole;
      return key === 'withNull' ? { ...rest, [at]: null } : rest;
    }, body);

/** The places at which null makes a difference. */
function differing(parser: Parser & Pick<Params<unknown>, 'schema'>, example: Body): string[] {
  const pairs = pairsOf(parser.schema, example);
  const all = {
    at: 'all',
    withNull: allNull(pairs, 'withNull', example),
    without: allNull(pairs, 'without', example),
  };
  return [...pairs, all].flatMap(({ at, withNull, without }) => {
    const inJson = isSame(parser, json(withNull), json(without)) ? [] : [`${at} in JSON`];
    // A form has no empty object, so JSON says what is left out of one.
    const inForm = isSame(parser, form(withNull), json(without)) ? [] : [`${at} in a form`];
    return [...inJson, ...inForm];
  });
}

function isSame(parser: Parser, one: Tree, other: Tree): boolean {
  try {
    expect(outcome(parser, one)).toEqual(outcome(parser, other));
    return true;
  } catch {
    return false;
  }
}

const isUpdate = (path: string) => path.endsWith('/:id') || path.startsWith('/v1/settings');
const bodies = ROUTES.flatMap(({ method, path, body, request }) =>
  body === undefined || Object.keys(body.fields).length === 0 || path.endsWith('/approve') || path.endsWith('/reject')
    ? []
    : [{ name: `${method} ${path}`, path, body, example: (request ?? {}) as Body }],
);

describe('what is made', () => {
  const makers = bodies.filter(({ path }) => !isUpdate(path));
  it('is found', () => expect(makers.length).toBeGreaterThan(40));

  it.each(makers)('$name takes null, and in a form an empty value, as left out', ({ body, example }) => {
    expect(differing(body, example)).toEqual([]);
  });

  it('control: a body that sees null differs', () => {
    const schema = { properties: { a: {}, b: { properties: { c: {} } } }, required: ['b'] };
    const parser = { schema, parse: (tree: Tree) => tree };
    expect(differing(parser, { b: { c: 1 } })).toEqual([
      'a in JSON',
      'a in a form',
      'b[c] in JSON',
      'b[c] in a form',
      'all in JSON',
      'all in a form',
    ]);
  });
});

/** Parameters of updates that are no property of the object: left out, they say nothing. */
const NO_PROPERTY: Readonly<Record<string, RegExp>> = {
  'POST /v1/payouts/:id': /^reference_type$/,
  'POST /v1/standing_orders/:id': /^reference_type$/,
};
/** Bank details change as a whole, so null is one that the new ones do not have. Alone it unsets nothing, and is refused. */
const WHOLE = /bank_details|_number$|^(?:iban|bic|sort_code|bsb|ifsc|clabe|account_type|bank_name|branch_code)$/;

describe('what is changed', () => {
  const updates = bodies.filter(({ path }) => isUpdate(path));
  const cases = updates.flatMap(({ name, body }) =>
    Object.keys(body.fields).flatMap((parameter) =>
      NO_PROPERTY[name]?.test(parameter) || (name === 'POST /v1/recipients/:id' && WHOLE.test(parameter))
        ? []
        : [{ name, body, parameter, mayBeNull: takesNull(body.schema.properties?.[parameter]) }],
    ),
  );
  it('is found, with some that can be unset and some that cannot', () => {
    expect(updates.length).toBeGreaterThan(8);
    expect(cases.filter(({ mayBeNull }) => mayBeNull).length).toBeGreaterThan(20);
    expect(cases.filter(({ mayBeNull }) => !mayBeNull).length).toBeGreaterThan(20);
  });

  it.each(cases)('$name: $parameter', ({ body, parameter, mayBeNull }) => {
    const sent = [json({ [parameter]: null }), form({ [parameter]: null })];
    for (const tree of sent) {
      const found = outcome(body, tree) as { parsed?: Record<string, unknown>; message?: string };
      if (mayBeNull) expect(found.parsed?.[parameter]).toBeDefined();
      else expect(found.message).toMatch(new RegExp(`^${parameter} is (?:null|empty), but it cannot be unset\\.`));
    }
    expect(outcome(body, sent[0] as Tree)).toHaveProperty(mayBeNull ? 'parsed' : 'code');
  });
});

function takesNull({ type, anyOf = [] }: JsonSchema = {}): boolean {
  return [type ?? []].flat().includes('null') || anyOf.some((each) => each.type === 'null');
}
