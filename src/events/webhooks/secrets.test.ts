/** Secrets: what they look like, and that a sealed one opens where it should and nowhere else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SealError } from '../../platform/vault/vault.ts';
import { newSecret, secretBox } from './secrets.ts';

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
      expect(messageOf(() => box.open(text, ENDPOINT))).toContain('form that this version knows');
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
