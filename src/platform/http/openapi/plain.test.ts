import { expect, it } from 'vitest';
import { DOCUMENT } from '../../../../test/support/harness/all-routes.ts';
import { plain } from './plain.ts';

const SCHEMAS = '#/components/schemas/';
const documentOf = (schemas: object) => ({ components: { schemas } });
const amount = { exclusiveMinimum: 0, pattern: '^[0-9]+$' };
const asAmount = {
  anyOf: [
    { type: 'string', pattern: '^[0-9]+$' },
    { type: 'number', exclusiveMinimum: 0, format: 'double' },
  ],
};

it('gives a value that may be null the type of the value: nobody meets two types of amounts', () => {
  const document = documentOf({
    Amount: { ...amount, type: ['number', 'string'] },
    AmountSent: { ...amount, type: ['number', 'string', 'null'] },
    Order: {
      type: 'object',
      properties: {
        amount: { $ref: `${SCHEMAS}Amount`, description: 'What is paid.' },
        fee: { $ref: `${SCHEMAS}AmountSent`, description: 'What it costs.' },
      },
    },
  });
  expect(plain(document)).toEqual(
    documentOf({
      Amount: asAmount,
      Order: {
        type: 'object',
        properties: {
          amount: { $ref: `${SCHEMAS}Amount`, description: 'What is paid.' },
          fee: { anyOf: [{ $ref: `${SCHEMAS}Amount` }, { type: 'null' }], description: 'What it costs.' },
        },
      },
    }),
  );
});

it('takes the shorter name, whichever of the two may be null', () => {
  const details = { type: 'object', properties: { iban: { type: 'string' } } };
  const document = documentOf({
    DetailsSent: details,
    Details: { anyOf: [details, { type: 'null' }] },
    All: { type: 'array', items: { $ref: `${SCHEMAS}DetailsSent` } },
    Maybe: { type: 'array', items: { $ref: `${SCHEMAS}Details` } },
  });
  const reference = { $ref: `${SCHEMAS}Details` };
  expect(plain(document)).toEqual(
    documentOf({
      Details: details,
      All: { type: 'array', items: reference },
      Maybe: { type: 'array', items: { anyOf: [reference, { type: 'null' }] } },
    }),
  );
});

it('control: leaves two types alike where none may be null, and a text or null as it is', () => {
  const request = { type: 'object', properties: { reason: { type: ['string', 'null'] } } };
  const document = documentOf({ Reject: request, Withdraw: request, Reason: { type: ['string', 'null'] } });
  expect(plain(document)).toEqual(document);
});

it('every number of the document has 64 bits: of a plain one Go makes 32, which lose cents, and Java an int', () => {
  const narrow = (part: unknown): readonly object[] => {
    if (typeof part !== 'object' || part === null) return [];
    const { type, format, maximum, example: _, examples: __, ...inner } = part as Readonly<Record<string, unknown>>;
    const types = [type].flat();
    const isSmall = typeof maximum === 'number' && maximum < 2 ** 31;
    const isFloat = types.includes('number') && format !== 'double';
    const isInt = types.includes('integer') && format !== 'int64' && !isSmall;
    return [...(isFloat || isInt ? [part] : []), ...Object.values(inner).flatMap(narrow)];
  };
  expect(narrow(DOCUMENT)).toEqual([]);
  const controls = [{ type: 'number' }, { type: 'integer' }, { type: ['integer', 'null'], maximum: 2 ** 40 }];
  expect(narrow({ items: { anyOf: [...controls, { type: 'integer', maximum: 100 }] } })).toEqual(controls);
});
