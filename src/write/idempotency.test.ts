/** Fingerprints: equal for the same request, different for every other one; and what a retry is answered. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyOf } from '../core/values/currencies.ts';
import { ERRORS } from '../core/values/errors.ts';
import { idAt, PAYOUT } from '../../test/support/harness/literals.ts';
import type { Actor } from '../core/actor.ts';
import { fingerprint } from './fingerprint.ts';
import { answerAgain, type Reader, isRecorded, ownRecordKey, type Recorded } from './idempotency.ts';

const PATH = '/v1/payouts';
const BODY = { amount: '250', currency: currencyOf('EUR'), recipient: idAt('rcp', 1), metadata: { b: '2', a: '1' } };
const print = (changes: object = {}, path = PATH, method = 'POST') =>
  fingerprint(method, path, { ...BODY, ...changes });

const MAKER = idAt('key', 1) as Actor;

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
    maker: MAKER,
    request: 'req_0',
  };
  const maker = { actor: MAKER };

  it('gives the same bytes to the same request', () => {
    expect(answerAgain(recorded, print(), 'req_1', maker)).toEqual({
      status: 200,
      body: recorded.body,
      replayed: true,
    });
  });

  it.each([
    ['amount', { amount: '251' }],
    ['currency', { currency: currencyOf('USD') }],
    ['metadata', { metadata: {} }],
    ['reference', { reference: 'new' }],
    ['recipient', { recipient: undefined }],
  ])('refuses another request and names %s', (param, changes) => {
    const { status, body, replayed } = answerAgain(recorded, print(changes), 'req_1', maker);
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
    const { body } = answerAgain({ ...recorded, resourceId: null }, print({}, '/v1/transfers'), null, maker);
    const { error } = JSON.parse(body) as { error: Record<string, unknown> };
    expect(error['message']).toContain('method or path');
    expect(error).not.toHaveProperty('param');
    expect(error).not.toHaveProperty('resource_id');
  });
});

describe('a record belongs to who made it', () => {
  const body = '{"id":"po","secret":"of a wider key"}';
  const paid: Recorded = {
    key: 'k',
    fingerprint: print(),
    status: 200,
    body,
    eventSequence: null,
    resourceId: PAYOUT,
    maker: MAKER,
    request: 'req_0',
  };
  const other: Reader = { actor: idAt('key', 2) as Actor, key: idAt('key', 2) as Actor, scopes: null, accounts: null };
  const replied = (recorded: Recorded, reader: Reader, changes: object = {}) => {
    const { status, body: said, replayed } = answerAgain(recorded, print(changes), 'req_1', reader);
    if (status === 200) return { said, replayed };
    const { error } = JSON.parse(said) as { error: Record<string, unknown> };
    expect([status, replayed, error['code']]).toEqual([400, false, 'idempotency_key_reused']);
    return [error['param'], error['resource_id'], error['message']];
  };
  const nothing = [undefined, undefined, 'This Idempotency-Key was used before by somebody else. Use a new key.'];
  const all = { scopes: null, accounts: null };

  it.each<[string, Reader, object]>([
    ['another line with the same request', other, {}],
    ['another line with another request', other, { amount: '999' }],
    ['a part of the service', { actor: 'visitor' }, {}],
  ])('%s is told nothing', (_, reader, changes) => expect(replied(paid, reader, changes)).toEqual(nothing));

  it.each<[string, Reader]>([
    ['the line that made it', { actor: MAKER, ...all }],
    ['a key that its maker was rolled to', { actor: MAKER, key: idAt('key', 3) as Actor, ...all }],
    ['its very maker, of whom an older record says no line', { actor: idAt('key', 4) as Actor, key: MAKER, ...all }],
  ])('control: %s is answered again', (_, reader) =>
    expect(replied(paid, reader)).toEqual({ said: body, replayed: true }),
  );

  it('a request that finds its own record is answered for the first time', () => {
    const again = (recorded: Recorded) => answerAgain(recorded, print(), 'req_0', { actor: MAKER }).replayed;
    expect([again(paid), again({ ...paid, request: 'req_1' }), again({ ...paid, request: null })]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('a record of nobody belongs to whoever may see everything', () => {
    const old = { ...paid, maker: null };
    expect(replied(old, other)).toEqual({ said: body, replayed: true });
    expect(replied(old, { ...other, scopes: new Set(['payouts:write']) })).toEqual(nothing);
    expect(replied(old, { ...other, accounts: new Set([idAt('acct', 1)]) })).toEqual(nothing);
  });
});

it('what no client asked for is recorded under a name that no client can send', () => {
  expect(ownRecordKey('req_1')).not.toMatch(/^[\x20-\x7e]*$/);
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
