/** Links and payments at rest: what is sealed comes back byte for byte, what is not ours to seal stays as it is, and nothing opens elsewhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealError } from '../../platform/vault/vault.ts';
import { PAYMENT_LINK, type PaymentLink } from './fields.ts';
import { paymentSeals } from './sealing.ts';
import { newToken } from './tokens.ts';

const ENVIRONMENT = 'env_01jd3v9q4ne8v8k3w2m6r5t7xa';
const SECRETS = { current: 'a server secret of the tests, 0123456789', previous: [] };
const seals = paymentSeals(SECRETS);

const link = (fields: Partial<PaymentLink> = {}): PaymentLink => {
  const token = newToken();
  return {
    object: 'payment_link',
    id: 'plink_01jd3v9q4ne8v8k3w2m6r5t7xa',
    createdAt: 0,
    amount: 5n,
    minimum: null,
    maximum: null,
    currency: 'EUR',
    status: 'active',
    account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
    reusable: false,
    maxPayments: null,
    paymentsCount: 0,
    openCount: 0,
    received: 0n,
    description: null,
    reference: null,
    customerEmail: null,
    expiresAt: null,
    endedAt: null,
    endedAs: null,
    metadata: {},
    token,
    url: `https://pay.example.com/pay/${token}`,
    redirectUrl: null,
    message: null,
    ...fields,
  };
};

describe('a link', () => {
  it('is sealed in token and url, and opens again', () => {
    const clear = link();
    const stored = seals.link.seal(clear, ENVIRONMENT);
    expect(JSON.stringify([stored.token, stored.url])).not.toContain(clear.token);
    expect(stored.url).toBe(`https://pay.example.com/pay/${stored.token}`);
    expect(seals.link.open(stored)).toEqual(clear);
    expect(seals.link.isCurrent(stored)).toBe(true);
    expect(seals.link.isCurrent(clear)).toBe(false);
  });
  it('in clear text is refused, but by the walk that seals old rows', () => {
    const clear = link();
    expect(() => seals.link.open(clear)).toThrow(SealError);
    const walk = paymentSeals(SECRETS, 'taken');
    expect(walk.link.open(clear)).toEqual(clear);
    expect(walk.link.open(seals.link.seal(clear, ENVIRONMENT))).toEqual(clear);
  });
  it('does not open as another', () => {
    const stored = seals.link.seal(link(), ENVIRONMENT);
    expect(() => seals.link.open({ ...stored, id: 'plink_01jd3v9q4ne8v8k3w2m6r5t7xb' })).toThrow(SealError);
  });
});

describe('its JSON', () => {
  it('comes back byte for byte, whatever merchants write, and holds no token', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.boolean(), (text, more, livemode) => {
        const clear = link({ description: text, reference: more, message: `"url":"https://x/pay/${newToken()}"` });
        const json = PAYMENT_LINK.render(clear, livemode);
        const stored = seals.json.seal(json);
        expect(stored).not.toContain(clear.token);
        expect(stored.length - json.length).toBe(82 - 24); // nothing else has changed
        expect(seals.json.open(stored)).toBe(json);
        expect([seals.json.isCurrent(json), seals.json.isCurrent(stored)]).toEqual([false, true]);
        expect(() => seals.json.open(json)).toThrow(SealError);
        expect(paymentSeals(SECRETS, 'taken').json.open(json)).toBe(json);
      }),
    );
  });
  it.each([
    '{"id":"acct_01jd3v9q4ne8v8k3w2m6r5t7xa","url":"https://x/pay/012345678901234567890123"}',
    '{"error":{"message":"{\\"id\\":\\"plink_\\"}"}}',
    '{"id":"plink_01jd3v9q4ne8v8k3w2m6r5t7xa","object":"payment_link","deleted":true}',
    '{"id":"plink_01jd3v9q4ne8v8k3w2m6r5t7xa","url":"https://x/pay/no-token"}',
    '{"id":"plink_01jd3v9q4ne8v8k3w2m6r5t7xa","url":"012345678901234567890123"}',
    '{"id":"plink_","url":"',
    '',
  ])('%s stays as it is', (json) => {
    expect(seals.json.seal(json)).toBe(json);
    expect(seals.json.open(json)).toBe(json);
  });
});

it('after a rotation a token is looked for under each secret, and never by itself', () => {
  const earlier = paymentSeals({ current: 'the one before', previous: [] });
  const now = paymentSeals({ current: 'the one now', previous: ['the one before'] });
  const token = newToken();
  expect(now.lookUpsOf(token)).toEqual([now.lookUpOf(token), earlier.lookUpOf(token)]);
  expect(now.lookUpOf(token)).not.toBe(earlier.lookUpOf(token));
  const stored = earlier.link.seal(link({ token, url: `/pay/${token}` }), ENVIRONMENT);
  expect(now.link.open(stored).token).toBe(token);
  expect(now.link.isCurrent(stored)).toBe(false);
});
