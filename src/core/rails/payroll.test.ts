/** What is hidden of a payroll, as text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, membersOf, objectOf } from '../values/json-text.ts';
import { withoutPayees } from './payroll.ts';

const payout = (more: object = {}) => ({ object: 'payout', category_purpose: 'SALA', recipient: 'rcp_1', ...more });
const hidden = (value: unknown) => JSON.parse(withoutPayees(JSON.stringify(value))) as unknown;

describe('a payout', () => {
  it.each(['BONU', 'PENS', 'SALA'])('of the category %s does not name its payee', (category) => {
    expect(hidden(payout({ category_purpose: category }))).toMatchObject({ recipient: null });
  });

  it.each([null, 'SUPP', 'SSBE', 'GOVT', 'TAXS'])('of the category %s stays as it is, byte for byte', (category) => {
    const text = `{"amount":25.50,${JSON.stringify(payout({ category_purpose: category })).slice(1)}`;
    expect(withoutPayees(text)).toBe(text);
  });

  it('keeps the digits of its amounts', () => {
    const text = '{"object":"payout","amount":25.50,"category_purpose":"SALA","recipient":"rcp_1"}';
    expect(withoutPayees(text)).toBe('{"object":"payout","amount":25.50,"category_purpose":"SALA","recipient":null}');
  });

  it('hides words within what stays', () => {
    const said = {
      bank_reason: { code: 'AC04', text: 'Ada has moved' },
      payee_check: { result: 'match', name: 'Ada' },
    };
    const release = { status: 'held', reasons: ['new_recipient'], fingerprint: 'abc' };
    expect(hidden(payout({ ...said, release }))).toMatchObject({
      bank_reason: { code: 'AC04', text: null },
      payee_check: { result: 'match', name: null },
      release: { status: 'held', fingerprint: null },
    });
    expect(hidden(payout({ bank_reason: null, release: null }))).toMatchObject({ bank_reason: null, release: null });
  });

  it('is found wherever it stands: in lists, results of batches and what is expanded', () => {
    const batch = { object: 'payout_batch', category_purpose: 'SALA', results: [{ index: 0, payout: payout() }] };
    expect(JSON.stringify(hidden({ data: [payout(), batch] }))).not.toContain('rcp_1');
    const expanded = { recipient: { object: 'recipient', name: 'Ada' }, account: { object: 'account' } };
    expect(hidden(payout({ expanded }))).toMatchObject({ expanded: { account: { object: 'account' } } });
    expect(JSON.stringify(hidden(payout({ expanded })))).not.toContain('Ada');
  });

  it('metadata are no objects of ours', () => {
    const text = JSON.stringify({
      object: 'account',
      metadata: { object: 'payout', category_purpose: 'SALA', recipient: 'x' },
    });
    expect(withoutPayees(text)).toBe(text);
  });
});

describe('an event', () => {
  const event = (object: object, more: object = {}) => ({
    object: 'event',
    data: { object, ...more },
    request: { id: 'req_1', idempotency_key: 'for Ada' },
  });

  it('hides what was before too, and the idempotency key', () => {
    expect(hidden(event(payout(), { previous_attributes: { reference: 'Ada', status: 'pending' } }))).toEqual({
      object: 'event',
      data: { object: { ...payout(), recipient: null }, previous_attributes: { reference: null, status: 'pending' } },
      request: { id: 'req_1', idempotency_key: null },
    });
  });

  it('of what is no payroll stays', () => {
    const text = JSON.stringify(
      event(payout({ category_purpose: null }), { previous_attributes: { category_purpose: 'SALA' } }),
    );
    expect(withoutPayees(text)).toBe(text);
  });
});

describe('an entry of a bank', () => {
  const entry = (more: object) => ({
    object: 'bank_entry',
    counterparty: { name: 'Ada', account_last4: '2051' },
    remittance: { text: 'for Ada', return_reason: 'AC04', return_text: 'Ada has moved' },
    transactions: [{ counterparty: { name: 'Ada', account_last4: '2051' }, text: 'for Ada' }],
    ...more,
  });

  it.each([
    { assignments: [{ to: 'po_1' }] },
    { assignments: [{ to: 'fees' }, { to: 'pf_1' }] },
    { payment_file: 'pf_1' },
    { return_payout: 'po_1' },
    { suggestions: [{ to: 'po_1' }] },
  ])('of a payout names nobody: %j', (more) => {
    const text = JSON.stringify(hidden(entry(more)));
    expect(text).not.toMatch(/Ada|2051/);
    expect(text).toContain('AC04');
  });

  it('of a payment does', () => {
    const text = JSON.stringify(entry({ assignments: [{ to: 'pay_1' }] }));
    expect(withoutPayees(text)).toBe(text);
  });
});

it('property: taken apart and put together, JSON is the same', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), (object, array) => {
      const [text, list] = [JSON.stringify(object), JSON.stringify(array)];
      expect(objectOf(membersOf(text))).toBe(text);
      expect(`[${elementsOf(list).join(',')}]`).toBe(list);
    }),
  );
});
