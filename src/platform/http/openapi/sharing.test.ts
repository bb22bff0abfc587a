/** What the document says once: units, prefixes of ids, members of another object. The whole document: `test/openapi.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import { extendObjects } from './extending.ts';
import { saidOnce, shareSchemas } from './schemas.ts';

const said = (description: string, type = 'integer'): JsonSchema => ({ type, description });
/** What is left of what is said of a member. */
const left = (member: string, schema: JsonSchema, owner = 'Payout') =>
  saidOnce({ [owner]: { type: 'object', properties: { [member]: schema } } })[owner]?.properties?.[member]?.description;

describe('a member says no unit that its name or type says', () => {
  it.each([
    ['paid_at', said('When it was paid. Unix seconds.'), 'When it was paid.'],
    ['at', said('When, Unix seconds.'), undefined],
    ['fee_minor', said('What it cost, in minor units.'), 'What it cost.'],
    ['total', said('Sum of the payouts, major units.', 'number'), 'Sum of the payouts.'],
    ['used', said('What left, in major units. `null`: nothing.', 'number'), 'What left. `null`: nothing.'],
    ['id', said('po_…', 'string'), undefined],
  ])('%s', (member, schema, expected) => expect(left(member, schema)).toBe(expected));

  it.each([
    ['balance', said('What is booked, minor units.')],
    ['from', said('The first second. Unix seconds.')],
    ['text', said('In major units.', 'string')],
    ['recipient', said('rcp_…', 'string')],
  ])('control: %s keeps it', (member, schema) => expect(left(member, schema)).toBe(schema.description));

  it('control: a request keeps it', () => {
    const schema = said('The sum, in major units.', 'number');
    expect(left('amount', schema, 'CreatePayoutRequest')).toBe(schema.description);
  });
});

const members = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, { type: 'string' }]));
const small: JsonSchema = { type: 'object', required: ['a', 'b'], properties: members };
const large = (more: JsonSchema['properties']): JsonSchema => ({
  type: 'object',
  description: 'More.',
  required: ['a', 'b', 'g'],
  properties: { ...members, ...more },
});

describe('an answer', () => {
  it('with all members of another object extends it', () => {
    expect(extendObjects({ Small: small, Large: large({ g: { type: 'integer' } }) })['Large']).toEqual({
      description: 'More.',
      allOf: [
        { $ref: '#/components/schemas/Small' },
        { type: 'object', required: ['g'], properties: { g: { type: 'integer' } } },
      ],
    });
  });

  it.each([
    ['a member that is another one', large({ g: { type: 'integer' }, a: { type: 'integer' } }), small],
    ['a member that may be missing', large({ g: { type: 'integer' } }), { ...small, required: ['c'] }],
  ])('control: %s keeps it apart', (_, whole, part) => {
    expect(extendObjects({ Small: part, Large: whole })['Large']).toBe(whole);
  });
});

describe('an object that is one of several choices', () => {
  const inner = {
    type: 'object',
    properties: { text: said('The words that the payer sent with the money.', 'string') },
  };
  const owner = (description: string): JsonSchema => ({
    type: 'object',
    properties: { note: { description, anyOf: [inner, { type: 'null' }] } },
  });
  const choiceIn = (schema: JsonSchema | undefined) => schema?.properties?.['note']?.anyOf?.[0];

  it('is shared like any other', () => {
    const shared = shareSchemas({ One: owner('One.'), Two: owner('Two.'), Three: owner('Three.') });
    expect(shared['Note']).toEqual(inner);
    expect(choiceIn(shared['Two'])).toEqual({ $ref: '#/components/schemas/Note' });
  });

  it('has a name of its own where the choice is shared too', () => {
    const shared = shareSchemas({ One: owner('All.'), Two: owner('All.'), Three: owner('All.') });
    expect(shared['Note']?.anyOf?.[0]).toEqual({ $ref: '#/components/schemas/OneNote' });
    expect(shared['OneNote']).toEqual(inner);
  });
});
