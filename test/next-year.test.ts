/** The document and the answers of next year that clients of today are tried with (`scripts/clients.ts`): what is in them that is not there today. */
import { expect, it } from 'vitest';
import { DOCUMENT } from './support/harness/all-routes.ts';
import { knownValues, NEW, nextAnswer, nextDocument } from './support/generators/next-year.ts';

type Schemas = Readonly<
  Record<string, { properties: Record<string, Record<string, unknown>>; additionalProperties?: boolean }>
>;
const today = JSON.parse(JSON.stringify(DOCUMENT));
const next = JSON.parse(JSON.stringify(nextDocument(today)));
const schemas = next.components.schemas as Schemas;

it('the document grows in answers: members, values, event types, error codes, an operation', () => {
  expect(schemas['Payout']?.properties).toHaveProperty(NEW);
  expect(schemas['ErrorDetail']?.properties['code']?.['x-extensible-enum']).toContain(NEW);
  expect((schemas['EventType'] as unknown as Record<string, string[]>)['x-extensible-enum']).toContain(NEW);
  expect(Object.keys(next.paths)).toHaveLength(Object.keys(today.paths).length + 1);
});

it('and not in requests', () => {
  expect(schemas['CreatePayoutRequest']).toEqual(today.components.schemas.CreatePayoutRequest);
});

it('answers grow everywhere, and an error keeps its code', () => {
  const known = knownValues(today);
  const payout = { id: 'po_1', object: 'payout', status: 'paid', metadata: {}, fees: [{ amount: 1 }] };
  expect(nextAnswer({ data: [payout] }, known)).toEqual({
    data: [{ ...payout, status: NEW, metadata: { [NEW]: 'new' }, fees: [{ amount: 1, [NEW]: 'new' }], [NEW]: 'new' }],
    [NEW]: 'new',
  });
  expect(nextAnswer({ type: 'payout.paid' }, known)).toMatchObject({ type: NEW });
  expect(nextAnswer({ code: 'balance_insufficient' }, known)).toMatchObject({ code: 'balance_insufficient' });
});
