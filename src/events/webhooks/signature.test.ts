/** Signatures against vectors that others published or computed. Against the libraries: test/webhook-signatures.test.ts. */
import { describe, expect, it } from 'vitest';
import { signatureHeaders, newSecret, secretBox } from './signature.ts';
import fc from 'fast-check';
import { SealError } from '../../platform/vault/vault.ts';

/** The vector of the Standard Webhooks and Svix documentation. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const AT = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const STANDARD = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const STRIPE = 'v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964';

const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the headers of a delivery', () => {
  it('match the published vector, in both forms', () => {
    expect(signatureHeaders([SECRET], ID, AT, BODY)).toEqual({
      'webhook-id': ID,
      'webhook-timestamp': '1614265330',
      'webhook-signature': STANDARD,
      'Bursar-Signature': `t=1614265330,${STRIPE}`,
    });
  });

  it('sign with every secret of an overlap, the newest first', () => {
    const alone = signatureHeaders([OTHER], ID, AT, BODY);
    const both = signatureHeaders([OTHER, SECRET], ID, AT, BODY);
    expect(both['webhook-signature']).toBe(`${alone['webhook-signature']} ${STANDARD}`);
    expect(both['Bursar-Signature']).toBe(`${alone['Bursar-Signature']},${STRIPE}`);
  });

  it.each([
    ['another secret', signatureHeaders([OTHER], ID, AT, BODY), true],
    ['another body', signatureHeaders([SECRET], ID, AT, '{"test": 2432232315}'), true],
    ['another second', signatureHeaders([SECRET], ID, AT + 1, BODY), true],
    ['another event', signatureHeaders([SECRET], 'msg_other', AT, BODY), false],
  ])('%s is another signature', (_, headers, inBoth) => {
    expect(headers['webhook-signature']).not.toBe(STANDARD);
    // Stripe's form has no place for the id: there the one in the body counts.
    expect(headers['Bursar-Signature']?.endsWith(STRIPE)).toBe(!inBoth);
  });

  it.each([
    ['no secret', [], AT],
    ['a text that is no secret', ['sk_test_123'], AT],
    ['half a second', [SECRET], AT + 0.5],
  ])('are refused for %s', (_, secrets, at) => {
    expect(() => signatureHeaders(secrets, ID, at, BODY)).toThrow('Assertion failed');
  });
});

const SERVER_SECRET = 'a server secret of the tests, 0123456789';
const ENDPOINT = 'we_01jd3zzzzzzzzzzzzzzzzzzzzz';
const box = secretBox({ current: SERVER_SECRET, previous: [] });

function messageOf(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    expect(error).toBeInstanceOf(SealError);
    return (error as Error).message;
  }
  throw new Error('It opened.');
}

describe('a new secret', () => {
  it('is whsec_ and 32 bytes in base64', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  });
  it('is another each time', () => {
    expect(new Set(Array.from({ length: 1000 }, newSecret)).size).toBe(1000);
  });
});

describe('a sealed secret', () => {
  it('opens again, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, endpoint) => {
        expect(box.open(box.seal(secret, endpoint), endpoint)).toBe(secret);
      }),
    );
  });
  it('opens in another process with the same server secret', () => {
    expect(secretBox({ current: SERVER_SECRET, previous: [] }).open(box.seal('whsec_abc', ENDPOINT), ENDPOINT)).toBe(
      'whsec_abc',
    );
  });
  it('opens for ever: a text of the first version', () => {
    const kept = 'v1.54bced19.jEbLREBSgk1uL8RP70hY4sudggzpRVlKC2VKUA60HKuYxwRPJsK6egEJaH3-IQiqiBfJvj-anBhoNYq7sKGMj7OD';
    expect(box.open(kept, ENDPOINT)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  });
  it('is another text each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => box.seal('whsec_abc', ENDPOINT))).size).toBe(1000);
  });
  it('can stand in JSON as it is and holds nothing of the secret', () => {
    for (let i = 0; i < 1000; i++) {
      const secret = newSecret();
      const sealed = box.seal(secret, ENDPOINT);
      expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
      expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes(secret.slice(6, 14))).toBe(false);
    }
  });
});

describe('what does not open', () => {
  const secret = newSecret();
  const sealed = box.seal(secret, ENDPOINT);

  it('another server secret, and the message says so', () => {
    const message = messageOf(() =>
      secretBox({ current: 'another server secret, 0123456789abc', previous: [] }).open(sealed, ENDPOINT),
    );
    expect(message).toContain('another server secret');
    expect(message).toContain(ENDPOINT);
  });
  it('another endpoint', () => {
    expect(messageOf(() => box.open(sealed, 'we_other'))).toContain('belongs to another object');
  });
  it('any single bit changed', () => {
    const [version, keyId, text] = sealed.split('.');
    const bytes = Buffer.from(text ?? '', 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(messageOf(() => box.open(`${version}.${keyId}.${changed.toString('base64url')}`, ENDPOINT))).toContain(
        'damaged',
      );
    }
  });
  it.each(['', 'v1', 'v1..', secret, sealed.replace('v1.', 'v2.'), sealed.slice(0, 30), `${sealed} `, `${sealed}=`])(
    'a text of no known form: %j',
    (text) => {
      expect(messageOf(() => box.open(text, ENDPOINT))).toContain('form that this version does not know');
    },
  );
  it('says nothing about secret, key or sealed text', () => {
    const messages = [
      messageOf(() =>
        secretBox({ current: 'another server secret, 0123456789abc', previous: [] }).open(sealed, ENDPOINT),
      ),
      messageOf(() => box.open(sealed, 'we_other')),
      messageOf(() => box.open(sealed.slice(0, 30), ENDPOINT)),
    ].join(' ');
    for (const canary of [secret, secret.slice(6, 16), sealed.split('.')[2] ?? '', SERVER_SECRET]) {
      expect(messages).not.toContain(canary);
    }
  });
});
