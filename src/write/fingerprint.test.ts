/** Hashes in recorded fingerprints: under the server secret, and still compared after it was rotated. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fingerprint, fingerprinter } from './fingerprint.ts';
import { answerAgain, type Recorded } from './idempotency.ts';

const IBAN = 'DE89370400440532013000';
const BODY = { amount: '1', iban: IBAN, name: 'Ada' };
const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)];
const old = fingerprinter({ current: OLD, previous: [] });
const rotated = fingerprinter({ current: NEW, previous: [OLD] });
const forgotten = fingerprinter({ current: NEW, previous: [] });
const ask = (print: typeof old, recorded: string, changes: object = {}) => {
  const { fingerprintLike } = print('POST', '/v1/recipients', { ...BODY, ...changes });
  const record: Omit<Recorded, 'key'> = {
    fingerprint: recorded,
    status: 200,
    body: '{"id":"rcp_1"}',
    eventSequence: null,
    resourceId: null,
    maker: 'worker',
    request: null,
  };
  const { status, body } = answerAgain(record, fingerprintLike(recorded), 'req_1', { actor: 'worker' });
  return status === 200 ? 'again' : (JSON.parse(body) as { error: { param?: string } }).error.param;
};
const recorded = old('POST', '/v1/recipients', BODY).fingerprint;
const unkeyed = fingerprint('POST', '/v1/recipients', BODY);

describe('a fingerprint', () => {
  it('confirms no guess without the server secret (control: unkeyed, it does)', () => {
    const guess = hash('sha256', IBAN, 'base64');
    expect(unkeyed).toContain(guess);
    expect(recorded).not.toContain(guess);
    expect(recorded).not.toBe(rotated('POST', '/v1/recipients', BODY).fingerprint);
    expect(recorded).toContain('amount=1');
  });

  it.each([
    ['the same secret', old, recorded],
    ['a previous secret', rotated, recorded],
    ['none, before hashes had a key', rotated, unkeyed],
  ])('is compared under %s', (_, print, text) => {
    expect(ask(print, text)).toBe('again');
    expect(ask(print, text, { iban: 'DE02120300000000202051' })).toBe('iban');
    expect(ask(print, text, { amount: '2' })).toBe('amount');
    expect(ask(print, text, { reference: 'x' })).toBe('reference');
  });

  it('under a secret that is gone is compared by what is in clear, and by names', () => {
    expect(ask(forgotten, recorded)).toBe('again');
    expect(ask(forgotten, recorded, { amount: '2' })).toBe('amount');
    expect(ask(forgotten, recorded, { reference: 'x' })).toBe('reference');
    expect(ask(forgotten, recorded, { name: undefined })).toBe('name');
    expect(ask(forgotten, recorded, { iban: 'DE02120300000000202051' })).toBe('again');
  });
});
