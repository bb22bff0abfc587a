/** What may be kept of a request: known shapes of known parameters, and nothing else, whatever a client sends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorBody, RequestError } from '../../core/values/errors.ts';
import { readBody, readQuery } from '../../platform/http/request/body.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { emptyObject, type Tree } from '../../platform/http/request/param.ts';
import {
  idIn,
  isOfPayroll,
  keptKey,
  MASK,
  maskedAgent,
  maskedError,
  maskedParameters,
  maskedPath,
  MOST_PARAMETER_CHARACTERS,
} from './masking.ts';

const ofJson = (body: object | string) =>
  maskedParameters(readBody('json', Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))));
const shownOf = (body: object) => JSON.parse(ofJson(body) ?? 'null') as unknown;
const RECIPIENT = 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa';
const ID = 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa';

describe('parameters', () => {
  it('shows what explains a refusal: amounts, currencies, days, words, flags, ids', () => {
    const order = {
      source_account: ID,
      amount: '250.00',
      currency: 'EUR',
      scheduled_on: '2026-12-24',
      speed: 'instant',
      dry_run: true,
      wait_until_on: null,
    };
    expect(shownOf(order)).toEqual(order);
  });

  it('numbers keep their text', () => {
    expect(ofJson('{"amount":250.00,"limit":10}')).toBe('{"amount":250.00,"limit":10}');
  });

  it('shows what was typed wrong, as far as it is told from a name', () => {
    const wrong = { amount: '1.000,00', currency: 'EURO', scheduled_on: '24.12.2026', status: 'paidd', limit: '-1' };
    expect(shownOf(wrong)).toEqual(wrong);
  });

  it('masks all that people and programs write themselves', () => {
    const sent = {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      reference: 'Rent',
      external_id: 'salary-42',
      metadata: { customer: 'Ada', vip: true },
      headers: { Authorization: 'Bearer x' },
      bank_details: { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
      category_purpose: 'SALA', // whom salaries pay is a right of its own
    };
    expect(shownOf(sent)).toEqual({
      ...Object.fromEntries(Object.keys(sent).map((name) => [name, MASK])),
      bank_details: { iban: MASK, bic: MASK },
    });
  });

  it('masks a number where a text belongs, and a text where a number belongs', () => {
    expect(
      shownOf({ account_number: 12345678, amount: 'twelve', limit: 'ada@example.com', currency: 12345678 }),
    ).toEqual({
      account_number: MASK,
      amount: MASK,
      limit: MASK,
      currency: MASK,
    });
  });

  it('masks names of parameters in another form than names have', () => {
    expect(shownOf({ 'Ada Lovelace': 1, DE02120300000000202051: 'x', fooo: 'x' })).toEqual({
      [MASK]: MASK,
      fooo: MASK,
    });
  });

  it('reads forms and queries alike', () => {
    const form = readBody('form', Buffer.from('payouts[0][amount]=5&payouts[0][name]=Ada&types[]=payout.paid'));
    expect(JSON.parse(maskedParameters(form) ?? '')).toEqual({
      payouts: { 0: { amount: '5', name: MASK } },
      types: ['payout.paid'],
    });
    expect(maskedParameters(readQuery('/v1/payouts?created[gte]=1732184000&email=ada@example.com'))).toBe(
      '{"created":{"gte":"1732184000"},"email":"•"}',
    );
  });

  it('cuts lists, and leaves out what is long all the same', () => {
    const payouts = Array.from({ length: 1000 }, () => ({ recipient: ID, amount: '5.00', reference: 'x' }));
    const text = ofJson({ payouts }) ?? '';
    expect(text).toContain('more"');
    expect(text.length).toBeLessThanOrEqual(MOST_PARAMETER_CHARACTERS);
    const wide = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `${'n'.repeat(36)}${String.fromCodePoint(97 + (at % 26))}`,
        [ID, ID, ID, ID, ID, ID],
      ]),
    );
    const nested = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`x${String.fromCodePoint(97 + (at % 26))}`, wide]),
    );
    expect((ofJson(nested) ?? '').length).toBeLessThanOrEqual(MOST_PARAMETER_CHARACTERS);
  });

  it.each([
    [{ recipient: RECIPIENT, amount: '5.00', category_purpose: 'SALA' }, true],
    [{ payouts: [{ recipient: RECIPIENT }, { recipient: RECIPIENT, category_purpose: 'PENS' }] }, true],
    [{ recipient: RECIPIENT, category_purpose: 'SUPP' }, false],
    [{ recipient: RECIPIENT, category_purpose: 7 }, false],
    [{ recipient: RECIPIENT, note: 'SALA' }, false],
  ])('%j: nothing says whom a payroll pays (%s)', (body, isSecret) => {
    expect(isOfPayroll(readBody('json', Buffer.from(JSON.stringify(body))))).toBe(isSecret);
    expect((ofJson(body) ?? '').includes(RECIPIENT)).toBe(!isSecret);
  });

  it('of nothing is nothing', () => expect(ofJson({})).toBeNull());

  /** Of secrets, mails and account numbers, in every parameter of every operation, at any depth. */
  const SECRETS = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9+/_-]{20,60}$/).map((text) => `${text}9Z`),
    fc.stringMatching(/^[a-z]{3,10}@[a-z]{3,10}\.com$/),
    fc.stringMatching(/^DE\d{20}$/),
    fc.stringMatching(/^whsec_[A-Za-z0-9]{20}$/),
    fc.stringMatching(/^sk_live_[a-z0-9]{40}$/),
    fc.stringMatching(/^[A-Z][a-z]{3,9} [A-Z][a-z]{3,9}$/),
  );
  const names = [
    ...new Set(
      ROUTES.flatMap(({ body, query }) => [...Object.keys(body?.fields ?? {}), ...Object.keys(query?.fields ?? {})]),
    ),
  ];
  const leaks = (mask: (tree: Tree) => string | null) =>
    fc.property(fc.constantFrom(...names), SECRETS, fc.nat(3), (name, secret, depth) => {
      let value: unknown = secret;
      for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { [name]: value };
      const text = mask(readBody('json', Buffer.from(JSON.stringify({ [name]: value })))) ?? '';
      expect(text).not.toContain(secret.slice(0, 12));
    });

  it('property: no secret in any parameter stays', () => {
    expect(names.length).toBeGreaterThan(100);
    fc.assert(leaks(maskedParameters), { numRuns: 2_000 });
  });
  it('control: without masking they do', () => {
    expect(
      fc.check(
        leaks((tree) => JSON.stringify(tree)),
        { numRuns: 50 },
      ).failed,
    ).toBe(true);
  });
});

describe('paths', () => {
  it.each([
    [
      '/v1/payouts/:id/cancel',
      '/v1/payouts/po_01jd3v9q4ne8v8k3w2m6r5t7xa/cancel',
      '/v1/payouts/po_01jd3v9q4ne8v8k3w2m6r5t7xa/cancel',
    ],
    ['/v1/payouts/:id', '/v1/payouts/lovelace', '/v1/payouts/•'],
    ['/v1/payouts/:id', '/v1/payouts/xx_01jd3v9q4ne8v8k3w2m6r5t7xa', '/v1/payouts/•'],
    ['', '/v1/payouts/lovelace', ''],
    ['/v1/payouts', '/dashboard/api/v1/payouts', '/v1/payouts'],
    ['/v1/accounts/:id', '/v1/accounts/DE02120300000000202051/', '/v1/accounts/•'],
    ['/v1/accounts/:id', '/v1//accounts/DE02120300000000202051//', '/v1/accounts/•'],
    ['/v1/*', '/v1/DE02120300000000202051', '/v1/•'],
    ['/v1/payouts/:id', '', '/v1/payouts/•'],
  ])('%s of %s: %s', (pattern, path, expected) => expect(maskedPath(pattern, path)).toBe(expected));

  it('the first id', () => {
    expect(idIn(`/v1/accounts/${ID}/statement`)).toBe(ID);
    expect(idIn('/v1/accounts/•')).toBeNull();
  });
});

describe('refusals', () => {
  const kept = (fault: RequestError) =>
    JSON.parse(maskedError(errorBody(fault, null)) ?? '') as Record<string, unknown>;

  it('keep code, parameter and sentence, without what the sentence quotes', () => {
    const fault = new RequestError(
      'parameter_invalid',
      'name must be text, got "Ada \\"L\\" Lovelace". Send 1 to 70.',
      {
        param: 'name',
      },
    );
    expect(kept(fault)).toEqual({
      type: 'invalid_request_error',
      code: 'parameter_invalid',
      param: 'name',
      message: 'name must be text, got "•". Send 1 to 70.',
    });
  });

  it('mask a parameter whose name is no name, in the sentence too', () => {
    const param = 'metadata[Ada Lovelace]';
    const fault = new RequestError('text_invalid', `${param} holds U+0007.`, { param });
    expect(kept(fault)).toMatchObject({ param: 'metadata[•]', message: 'metadata[•] holds U+0007.' });
  });

  it('mask what looks private even where nothing quotes it, and keep ids', () => {
    const message = `Not DE02120300000000202051, 123456789, ada@example.com, sk_live_abc or whsec_abc; but ${ID} holds 2222646.11 EUR.`;
    expect(kept(new RequestError('parameter_invalid', message))).toMatchObject({
      message: `Not •, •, • • or •; but ${ID} holds 2222646.11 EUR.`,
    });
  });

  it('mask a number that was given, where no number belongs', () => {
    const fault = (param: string, number: string) => {
      const message = `${param} must be text, got ${number}. Send it in quotes.`;
      return kept(new RequestError('parameter_invalid', message, { param }))['message'];
    };
    expect(fault('payouts[0][account_number]', '12345678')).toContain('got •. Send');
    expect(fault('sort_code', '200000')).toContain('got •.');
    expect(fault('amount', '12.5')).toContain('got 12.5.');
    expect(fault('payouts[3][amount]', '-7')).toContain('got -7.');
  });

  it('of a batch keep the first faults', () => {
    const errors = Array.from(
      { length: 12 },
      (_, index) => ({ index, code: 'amount_invalid', message: 'got "x"' }) as const,
    );
    const { errors: shown } = kept(new RequestError('batch_invalid', 'Twelve.', { errors }));
    expect(shown).toHaveLength(10);
    expect((shown as object[])[3]).toEqual({ index: 3, code: 'amount_invalid', message: 'got "•"' });
  });

  it.each(['', 'HTTP 500', '{}', '{"error":1}', '[]', 'null'])('%j is none', (text) =>
    expect(maskedError(text)).toBeNull(),
  );
});

describe('clients', () => {
  it.each([
    [undefined, null],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['x ada@example.com\u0007é', 'x •'],
    ['a'.repeat(900), 'a'.repeat(200)],
  ])('%j calls itself %j', (header, expected) => expect(maskedAgent(header)).toBe(expected));
});

describe('idempotency keys', () => {
  it.each([
    'salary-42',
    '01900000-0000-7000-8000-000000000001',
    'de12abcd-5678-4abc-8def-1234567890ab',
    '1732184000123',
    'DE00120300000000202051',
  ])('%s stays', (key) => expect(keptKey(key)).toBe(key));
  it.each([
    'pay ada@example.com',
    'salary-DE02120300000000202051-nov',
    'xDE02120300000000202051nov',
    'de02120300000000202051',
    'sk_live_abc',
    'whsec_abc',
    'eyJhbGciOi',
  ])('%s does not', (key) => expect(keptKey(key)).toBeNull());
});

it('a long text takes its length and not the square of it', () => {
  const long = 'x'.repeat(2_000_000);
  expect(maskedAgent(long)).toBe('x'.repeat(200));
  expect(maskedAgent(`${long}@example.com`)).toBe(MASK);
  expect(maskedError(JSON.stringify({ error: { message: long } }))).toContain('xxx');
});

it('an empty tree has a shape of its own', () => expect(maskedParameters(emptyObject())).toBeNull());
