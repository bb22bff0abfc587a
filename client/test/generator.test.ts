/** Types that are made from schemas: where `null` is taken, and what chooses events. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Document, operationsOf } from '../../scripts/client/operations.ts';
import { type Schema, typeOf } from '../../scripts/client/types.ts';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;

it.each<[string, Schema, string]>([
  ['a text', { type: ['string', 'null'] }, 'string | null'],
  ['a reference', { anyOf: [{ $ref: '#/components/schemas/Address' }, { type: 'null' }] }, 'Address | null'],
  ['known values', { enum: ['a', null] }, "'a' | null"],
  ['a list', { type: ['array', 'null'], items: { type: 'string' } }, 'readonly string[] | null'],
  ['an amount', { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] }, 'Decimal | null'],
  ['an amount of two types', { anyOf: [{ type: 'number' }, { type: ['string', 'null'] }] }, 'Decimal | null'],
  ['an amount by its types', { type: ['number', 'string', 'null'] }, 'Decimal | null'],
  ['a whole number', { type: ['integer', 'null'] }, 'number | null'],
  ['control: a text that is no null', { type: 'string' }, 'string'],
  ['control: an amount that is no null', { anyOf: [{ type: 'number' }, { type: 'string' }] }, 'Decimal'],
])('null is taken where the document takes it: %s', (_, schema, type) => {
  const [member] = /readonly a\?: .*;/.exec(typeOf({ properties: { a: schema } }, 'request')) ?? [];
  expect(member).toBe(`readonly a?: ${type} | undefined;`);
});

it.each([
  ['enabled_events', 'readonly EventFilter[]'],
  ['types', 'readonly EventFilter[]'],
  ['scopes', 'readonly string[]'],
])('%s is typed as %s', (name, type) => {
  const schema = { properties: { [name]: { type: 'array', items: { type: 'string' } } }, required: [name] };
  expect(typeOf(schema, 'answer')).toContain(`readonly ${name}: ${type};`);
});

it('every method takes ids, a file where it is one, parameters and options, in this order', () => {
  const inOrder = (signature: string) =>
    /^\w+\((?:\w+: string, )*(?:file: [^,]+, )?params\??: [^,]+(?: & \{[^}]*\})?, options\?: \w+\): /.test(signature);
  const signatures = operationsOf(document).flatMap((each) => each.signatures);
  expect(signatures.length).toBeGreaterThan(100);
  expect(signatures.filter((each) => !inOrder(each))).toEqual([]);
  expect(inOrder('cancel(id: string, options?: RequestOptions): Promise<Payout>;')).toBe(false); // control
});
