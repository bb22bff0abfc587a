/** Fingerprints: equal for the same request, different for every other one; and what a retry is answered. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyOf } from '../core/values/currencies.ts';
import { ERRORS } from '../core/values/errors.ts';
import { idAt, PAYOUT } from '../../test/support/harness/literals.ts';
import { answerAgain, fingerprint, isRecorded, type Recorded } from './idempotency.ts';

const PATH = '/v1/payouts';
const BODY = { amount: '250', currency: currencyOf('EUR'), recipient: idAt('rcp', 1), metadata: { b: '2', a: '1' } };
const print = (changes: object = {}, path = PATH, method = 'POST') =>
  fingerprint(method, path, { ...BODY, ...changes });

describe('fingerprint', () => {
  it('does not depend on the order of parameters or of metadata', () => {
    const { metadata, recipient, currency, amount } = BODY;
    const shuffled = { metadata: { a: metadata.a, b: metadata.b }, recipient, currency, amount };
    expect(fingerprint('POST', PATH, shuffled)).toBe(print());
  });

  it('takes an absent parameter and undefined for the same, and leaves dry_run out', () => {
    expect(print({ account: undefined })).toBe(print());
    expect(print({ dry_run: false })).toBe(print());
  });

  it('differs with method, path, and every parameter added, removed or changed', () => {
    const others = [
      print({}, '/v1/payouts/batch'),
      print({}, PATH, 'DELETE'),
      print({ amount: '250.01' }),
      print({ amount: undefined }),
      print({ currency: currencyOf('USD') }),
      print({ recipient: idAt('rcp', 2) }),
      print({ metadata: { a: '1' } }),
      print({ metadata: { a: '2', b: '2' } }),
      print({ metadata: {} }),
      print({ metadata: undefined }),
      print({ reference: '' }),
      print({ reference: 'x' }),
      print({ items: [1, 2] }),
      print({ items: [2, 1] }),
      print({ items: ['1', '2'] }),
    ];
    expect(new Set([print(), ...others]).size).toBe(others.length + 1);
  });

  it('is not fooled by a value that looks like the next line', () => {
    expect(fingerprint('POST', PATH, { a: '1\nb=2' })).not.toBe(fingerprint('POST', PATH, { a: '1', b: '2' }));
  });

  it('keeps long values as a hash that still tells them apart', () => {
    const long = 'x'.repeat(500);
    expect(print({ reference: long }).length).toBeLessThan(400);
    expect(print({ reference: long })).not.toBe(print({ reference: `${long}y` }));
  });

  it('is the same text for the same tree, another for another', () => {
    const value = fc.dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 5 }), { maxKeys: 4 });
    const one = (metadata: unknown) => fingerprint('POST', PATH, { metadata });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const reversed = Object.fromEntries(Object.entries(a).toReversed());
        expect(one(reversed)).toBe(one(a));
        expect(one(a) === one(b)).toBe(isDeepStrictEqual({ ...a }, { ...b })); // fast-check makes some without prototype
      }),
    );
  });
});

describe('answerAgain', () => {
  const recorded: Recorded = {
    key: 'k',
    fingerprint: print(),
    status: 200,
    body: '{"id":"po"}',
    eventSequence: 7n,
    resourceId: PAYOUT,
  };

  it('gives the same bytes to the same request', () => {
    expect(answerAgain(recorded, print(), 'req_1')).toEqual({ status: 200, body: recorded.body, replayed: true });
  });

  it.each([
    ['amount', { amount: '251' }],
    ['currency', { currency: currencyOf('USD') }],
    ['metadata', { metadata: {} }],
    ['reference', { reference: 'new' }],
    ['recipient', { recipient: undefined }],
  ])('refuses another request and names %s', (param, changes) => {
    const { status, body, replayed } = answerAgain(recorded, print(changes), 'req_1');
    expect([status, replayed]).toEqual([400, false]);
    expect(JSON.parse(body)).toMatchObject({
      error: {
        type: 'idempotency_error',
        code: 'idempotency_key_reused',
        param,
        resource_id: PAYOUT,
        request_id: 'req_1',
      },
    });
  });

  it('names no parameter where the path is another', () => {
    const { body } = answerAgain({ ...recorded, resourceId: null }, print({}, '/v1/transfers'), null);
    const { error } = JSON.parse(body) as { error: Record<string, unknown> };
    expect(error['message']).toContain('method or path');
    expect(error).not.toHaveProperty('param');
    expect(error).not.toHaveProperty('resource_id');
  });
});

describe('what a key may not read is not told', () => {
  const paid: Recorded = {
    key: 'k',
    fingerprint: print(),
    status: 200,
    body: '{}',
    eventSequence: null,
    resourceId: PAYOUT,
  };
  const refused = { ...paid, status: 400, resourceId: null };
  const own = idAt('acct', 1);
  const shown = (recorded: Recorded, reader: Parameters<typeof answerAgain>[3]) => {
    const { status, body, replayed } = answerAgain(recorded, print({ amount: '999' }), 'req_1', reader);
    const { error } = JSON.parse(body) as { error: Record<string, unknown> };
    expect([status, replayed, error['code']]).toEqual([400, false, 'idempotency_key_reused']);
    return [error['param'], error['resource_id'], String(error['message']).includes('amount')];
  };
  const only = (...scopes: string[]) => ({ scopes: new Set(scopes), accounts: null });

  it.each<[string, Recorded, Parameters<typeof answerAgain>[3]]>([
    ['scopes of something else', paid, only('accounts:write', 'recipients:read')],
    ['no scopes', paid, only()],
    ['scopes of something else, about a request that was refused', refused, only('accounts:write')],
    ['other accounts', paid, { scopes: null, accounts: new Set([own]) }],
    ['an object that is read with no scope', { ...paid, resourceId: idAt('aud', 1) }, only('audit_log:read')],
  ])('%s', (_, recorded, reader) => expect(shown(recorded, reader)).toEqual([undefined, undefined, false]));

  it.each<[string, Recorded, Parameters<typeof answerAgain>[3]]>([
    ['a secret key', paid, { scopes: null, accounts: null }],
    ['the read scope', paid, only('payouts:read')],
    ['the write scope', paid, only('payouts:write')],
    [
      'the account of the request',
      { ...paid, fingerprint: print({ account: own }) },
      { scopes: new Set(['payouts:write']), accounts: new Set([own]) },
    ],
  ])('control: %s is told all', (_, recorded, reader) => {
    const { body } = answerAgain(recorded, print({ amount: '999', account: undefined }), null, reader);
    expect(JSON.parse(body)).toMatchObject({ error: { param: expect.any(String), resource_id: PAYOUT } });
  });

  it('control: of a request that was refused, whoever may read its resource is told what differs', () => {
    expect(shown(refused, only('payouts:read'))).toEqual(['amount', undefined, true]);
  });
});

describe('isRecorded', () => {
  it('keeps decisions on state and funds, not words on the form of a request or on our own trouble', () => {
    for (const code of [
      'balance_insufficient',
      'payout_not_cancelable',
      'external_id_used',
      'batch_invalid',
      'quote_expired',
    ] as const) {
      expect([code, isRecorded(code)]).toEqual([code, true]);
    }
    for (const code of [
      'amount_invalid',
      'amount_too_large',
      'parameter_invalid',
      'rate_unavailable',
      'scope_missing',
    ] as const) {
      expect([code, isRecorded(code)]).toEqual([code, false]);
    }
    expect(ERRORS.rate_unavailable.status).toBe(503);
  });
});
