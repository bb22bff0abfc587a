import { describe, expect, test } from 'vitest';
import type { Code } from '../../../core/values/errors.ts';
import { UNSET_ALL } from '../../../core/metadata.ts';
import { newId } from '../../../core/values/ids.ts';
import { readQuery } from './body.ts';
import { readForm } from './form.ts';
import { readJson } from './json.ts';
import {
  amount,
  amountIn,
  boolean,
  changesParams,
  country,
  currency,
  email,
  id,
  instantFilter,
  integer,
  list,
  metadata,
  object,
  oneOf,
  optional,
  type Param,
  type Params,
  params,
  pathId,
  text,
  unsettable,
  withDefault,
} from './params.ts';
import { date } from './date.ts';

const d = { description: 'x' };
const form = (text: string) => readForm(text, 8);
const json = (value: unknown) => readJson(typeof value === 'string' ? value : JSON.stringify(value), 8);
const refused = (code: Code, param?: string) =>
  expect.objectContaining(param === undefined ? { code } : { code, details: expect.objectContaining({ param }) });
const one = <T>(param: Param<T>) => params({ p: param });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const payout = params({
  amount: amount(d),
  currency: currency(d),
  recipient: id('rcp', d),
  ...optional({
    reference: text({ ...d, max: 140 }),
    note: text({ ...d, max: 20, clearable: true }),
    metadata: metadata(),
  }),
});
const recipient = newId('rcp');

test('a form and its JSON parse to the same value', () => {
  const fromForm = payout.parse(
    form(`amount=250.00&currency=eur&recipient=${recipient}&metadata[a]=b&metadata[7]=c&note=`),
  );
  const fromJson = payout.parse(
    json(`{"amount":250.00,"currency":"EUR","recipient":"${recipient}","metadata":{"a":"b","7":"c"},"note":""}`),
  );
  expect(plain(fromForm)).toEqual(plain(fromJson));
  expect(fromForm.currency.code).toBe('EUR');
  expect(fromForm.amount).toBe('250'); // one text for equal amounts, for equal fingerprints
  expect(fromForm.reference).toBeUndefined();
  expect(amountIn(fromForm.currency, fromForm.amount, 'amount')).toBe(25_000n);
});

describe('names', () => {
  const base = `amount=1&currency=eur&recipient=${recipient}`;
  test('unknown ones are refused before anything else, with the nearest known', () => {
    for (const [given, near] of [
      ['amout', 'amount'],
      ['recipent', 'recipient'],
      ['Currency', 'currency'],
      ['refernece', 'reference'],
    ]) {
      expect(() => payout.parse(form(`${given}=1`))).toThrow(`Did you mean ${near}?`);
    }
    expect(() => payout.parse(form(`${base}&colour=1`))).toThrow(refused('parameter_unknown', 'colour'));
    expect(() => payout.parse(form(`${base}&colour=1`))).toThrow(
      expect.objectContaining({ details: { param: 'colour', allowed: Object.keys(payout.fields) } }),
    );
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(() => payout.parse(form(`${base}&${name}=1`))).toThrow(refused('parameter_unknown', name));
      expect(() => payout.parse(json(`{"${name}":{"amount":"1"}}`))).toThrow(refused('parameter_unknown', name));
    }
  });
  test('missing ones are named, inherited ones do not count', () => {
    expect(() => payout.parse(form('amount=1&currency=eur'))).toThrow(refused('parameter_missing', 'recipient'));
    const odd = params({ toString: text({ ...d, max: 9 }) });
    expect(() => odd.parse(json({}))).toThrow(refused('parameter_missing', 'toString'));
  });
  test('null, and in a form an empty text, is absent', () => {
    const given = { amount: '1', currency: 'eur', recipient };
    const without = payout.parse(json(given));
    for (const name of ['reference', 'note', 'metadata']) {
      expect(payout.parse(json({ ...given, [name]: null }))).toEqual(without);
      expect(payout.parse(form(`${base}&${name}=`))).toEqual(without);
    }
    expect(() => payout.parse(json({ ...given, amount: null }))).toThrow('amount is required, but it is null.');
    expect(() => payout.parse(form(`${base.slice(8)}&amount=`))).toThrow('amount is required, but it is empty.');
    expect(() => payout.parse(json({ ...given, colour: null }))).toThrow(refused('parameter_unknown', 'colour'));
  });
  test('an empty text in JSON is one, and a query has no word for nothing', () => {
    const given = { amount: '1', currency: 'eur', recipient };
    expect(() => payout.parse(json({ ...given, reference: '' }))).toThrow(refused('parameter_invalid', 'reference'));
    expect(() => payout.parse(readQuery(`/?${base}&reference=`))).toThrow(refused('parameter_invalid', 'reference'));
    expect(() => payout.parse(readQuery('/?amount='))).toThrow(refused('amount_invalid', 'amount'));
  });
  test('an update unsets what can be unset, and refuses the rest', () => {
    const update = changesParams({
      name: text({ ...d, max: 9 }),
      note: text({ ...d, max: 9, clearable: true }),
      count: unsettable(integer({ ...d, min: 1, max: 9 })),
      metadata: metadata(),
    });
    const none = { name: undefined, note: undefined, count: undefined, metadata: undefined };
    expect(update.parse(json({}))).toEqual(none);
    for (const [name, unset] of [
      ['note', ''],
      ['count', null],
      ['metadata', UNSET_ALL],
    ] as const) {
      expect(update.parse(json({ [name]: null }))).toEqual({ ...none, [name]: unset });
      expect(update.parse(form(`${name}=`))).toEqual({ ...none, [name]: unset });
    }
    for (const sent of [json({ name: null }), form('name='), json({ name: '' })]) {
      expect(() => update.parse(sent)).toThrow(/^name is (?:null|empty), but it cannot be unset\. Send a value, or /);
    }
    expect(update.schema.properties).toMatchObject({
      name: { type: 'string' },
      note: { type: ['string', 'null'] },
      count: { type: ['integer', 'null'] },
    });
  });
});

describe('kinds', () => {
  const bad = (schema: Params<unknown>, code: Code, values: readonly unknown[]) => {
    for (const p of values) expect(() => schema.parse(json({ p })), JSON.stringify(p)).toThrow(refused(code));
  };
  test('currency, country, id', () => {
    expect(one(currency(d)).parse(form('p=jpy')).p).toMatchObject({ code: 'JPY', exponent: 0 });
    bad(one(currency(d)), 'currency_unsupported', [
      '',
      'EU',
      'EURO',
      'XXX',
      'ANG',
      'ÉUR',
      'eur ',
      978,
      ['EUR'],
      'ıqd',
      '__proto__',
    ]);
    expect(one(country(d)).parse(form('p=de')).p).toBe('DE');
    bad(one(country(d)), 'country_unsupported', ['', 'DEU', 'D', 'ß', 49, true]);
    expect(one(id('rcp', d)).parse(form(`p=${recipient}`)).p).toBe(recipient);
    bad(one(id('rcp', d)), 'parameter_invalid', [
      '',
      newId('po'),
      recipient.toUpperCase(),
      `${recipient}0`,
      ` ${recipient}`,
      5,
    ]);
    expect(() => one(id('rcp', d)).parse(json({ p: 'po_1' }))).toThrow(
      '"po_1" in p is not a recipient id; it begins with rcp_',
    );
  });
  test('integer, boolean, oneOf', () => {
    const ten = one(integer({ ...d, min: -5, max: 10 }));
    for (const [given, value] of [
      ['0', 0],
      ['10', 10],
      ['-5', -5],
    ] as const) {
      expect(ten.parse(form(`p=${given}`)).p).toBe(value);
      expect(ten.parse(json(`{"p":${given}}`)).p).toBe(value);
    }
    for (const given of [
      '11',
      '-6',
      '1.0',
      '1e0',
      '-0',
      'true',
      '"5"',
      '"0x1"',
      '" 1"',
      '"+1"',
      '"01"',
      '[1]',
      '99999999999999999999',
    ]) {
      expect(() => ten.parse(json(`{"p":${given}}`)), given).toThrow(refused('parameter_invalid', 'p'));
    }
    expect(one(boolean(d)).parse(form('p=true')).p).toBe(true);
    expect(one(boolean(d)).parse(json({ p: false })).p).toBe(false);
    bad(one(boolean(d)), 'parameter_invalid', ['', 'True', 'true', 'false', '1', 1, 0, 'yes']);
    const mode = one(oneOf(['partial', 'all'], d));
    expect(mode.parse(form('p=all')).p satisfies 'partial' | 'all').toBe('all');
    bad(mode, 'parameter_invalid', ['', 'ALL', 'partail', ['all']]);
    expect(() => mode.parse(form('p=partail'))).toThrow('Did you mean partial?');
  });
  test('a number or a boolean in quotes is a text in JSON, at whatever depth, and itself in a form', () => {
    const inner = { count: integer({ ...d, min: 1, max: 99 }), sure: withDefault(boolean(d), false) };
    const fields = params({
      ...inner,
      ...optional({
        one: object(inner, d),
        many: list(object(inner, d), { ...d, max: 2 }),
        numbers: list(integer({ ...d, min: 1, max: 9 }), { ...d, max: 2 }),
        at: instantFilter(d),
      }),
    });
    const whole = { count: 60, sure: true };
    const right = { ...whole, one: whole, many: [whole], numbers: [1, 2] };
    expect(plain(fields.parse(json(right)))).toEqual(right);
    const asForm = ['', 'one', 'many[0]'].map((at) =>
      at === '' ? 'count=60&sure=true' : `${at}[count]=60&${at}[sure]=true`,
    );
    expect(plain(fields.parse(form(`${asForm.join('&')}&numbers[]=1&numbers[]=2`)))).toEqual(right);
    expect(fields.parse(form('count=60&at[gte]=5')).at?.fromMs).toBe(5000);
    for (const [param, quoted] of [
      ['count', { count: '60' }],
      ['sure', { sure: 'true' }],
      ['one[count]', { one: { count: '60' } }],
      ['one[sure]', { one: { ...whole, sure: 'false' } }],
      ['many[1][count]', { many: [whole, { count: '60' }] }],
      ['numbers[1]', { numbers: [1, '2'] }],
      ['at', { at: '5' }],
      ['at[gt]', { at: { gt: '5' } }],
    ] as const) {
      expect(() => fields.parse(json({ ...whole, ...quoted })), param).toThrow(refused('parameter_invalid', param));
    }
    expect(() => fields.parse(json({ count: '60' }))).toThrow(
      'count must be a whole number from 1 to 99 (in JSON without quotes), got "60".',
    );
    expect(() => fields.parse(json({ ...whole, sure: 'true' }))).toThrow(
      'sure must be true or false (in JSON without quotes), got "true".',
    );
  });
  test.each([
    ['True', 'true'],
    [' TRUE ', 'true'],
    ['1', 'true'],
    ['yes', 'true'],
    ['on', 'true'],
    ['False', 'false'],
    ['0', 'false'],
    ['no', 'false'],
  ])('a boolean %s was meant to be %s', (given, meant) => {
    const message = `p must be true or false, got ${JSON.stringify(given)}. Did you mean ${meant}?`;
    expect(() => one(boolean(d)).parse(form(`p=${given}`))).toThrow(message);
    if (!/^\d$/.test(given)) return;
    const inJson = `p must be true or false, got ${given}. Did you mean ${meant}?`;
    expect(() => one(boolean(d)).parse(json(`{"p":${given}}`))).toThrow(inJson);
  });
  test('a boolean in quotes was meant without them, and of any other word nothing is guessed', () => {
    const message = 'p must be true or false (in JSON without quotes), got "false". Did you mean false?';
    expect(() => one(boolean(d)).parse(json({ p: 'false' }))).toThrow(message);
    expect(() => one(boolean(d)).parse(form('p=maybe'))).toThrow(/got "maybe"\.$/);
    expect(() => one(boolean(d)).parse(json({ p: 2 }))).toThrow(/got 2\.$/);
  });
  test.each(['undefined', 'null', 'NaN', 'None', '[object Object]'])('%s says that there was no value', (given) => {
    const kinds = {
      boolean: boolean(d),
      integer: integer({ ...d, min: 0, max: 9 }),
      amount: amount(d),
      currency: currency(d),
      country: country(d),
      id: id('rcp', d),
      oneOf: oneOf(['partial', 'all'], d),
      list: list(text({ ...d, max: 9 }), { ...d, max: 2 }),
      date: date(d),
      email: email(d),
      instants: instantFilter(d),
    };
    for (const [kind, param] of Object.entries(kinds)) {
      for (const tree of [form(`p=${given}`), json({ p: given })]) {
        expect(() => params({ p: param }).parse(tree), kind).toThrow(/ The program that sent it had no value here\.$/);
      }
    }
    // control: a text may be any word
    expect(params({ p: text({ ...d, max: 20 }) }).parse(json({ p: given })).p).toBe(given);
  });
  test('date and email', () => {
    for (const p of ['2026-11-21', '2028-02-29']) expect(one(date(d)).parse(json({ p })).p).toBe(p);
    bad(one(date(d)), 'parameter_invalid', [
      '',
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-1-1',
      '2026-11-21T00:00:00Z',
      '20261121',
      20261121,
      '0000-01-01',
      '+002026-01-01',
    ]);
    for (const p of ['ada@example.com', "o'neil+x@sub.example.co.uk", 'zoë@müller.example'])
      expect(one(email(d)).parse(json({ p })).p).toBe(p);
    bad(one(email(d)), 'parameter_invalid', [
      '',
      'ada',
      'ada@',
      '@x.y',
      'a@b',
      'a b@c.d',
      'a@b@c.d',
      'a@b..c',
      'a@b.c.',
      'A <a@b.c>',
      5,
    ]);
    bad(one(email(d)), 'text_invalid', ['a\u0000@b.c', 'a\r\nBcc: x@y.z@b.c']);
    bad(one(email(d)), 'text_too_long', [`${'a'.repeat(250)}@b.cd`]);
  });
  test('text with pattern and minimum', () => {
    const sort = one(text({ ...d, max: 6, pattern: /^\d{6}$/, shape: 'six digits' }));
    expect(sort.parse(form('p=123456')).p).toBe('123456');
    expect(() => sort.parse(form('p=12345'))).toThrow('p must be six digits, got "12345".');
    bad(one(text({ ...d, max: 9, min: 3 })), 'parameter_invalid', ['', 'ab', 5, true, {}, []]);
  });
  test('metadata', () => {
    const m = one(metadata());
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
    expect(plain(m.parse(json({ p: { ...many(49), last: '' } })).p)).toEqual({ ...many(49), last: '' });
    expect(plain(m.parse(json({ p: { ['👍'.repeat(40)]: '👍'.repeat(500) } })).p)).toBeTruthy();
    expect(plain(m.parse(form('p[__proto__]=x&p[0]=y')).p)).toEqual({ ['__proto__']: 'x', 0: 'y' });
    bad(m, 'metadata_invalid', [
      many(51),
      { ['k'.repeat(41)]: 'v' },
      { k: 'v'.repeat(501) },
      { k: 5 },
      { k: { a: 'b' } },
      { '': 'v' },
      { 'a[b]': 'v' },
    ]);
    bad(m, 'text_invalid', [{ k: '\u0000' }, { 'k\u202e': 'v' }, { k: '\ud800' }]);
    expect(plain(m.parse(json({ p: { '4111111111111111': '4111 1111 1111 1111' } })).p)).toEqual({
      '4111111111111111': '4111 1111 1111 1111',
    });
    bad(m, 'parameter_repeated', [{ é: 'a', 'e\u0301': 'b' }]);
    bad(m, 'parameter_invalid', ['x', '', [], 5]);
    expect(plain(m.parse(json({ p: { k: null, l: '' } })).p)).toEqual({ k: '', l: '' });
    expect(() => m.parse(form('p[]=a'))).toThrow(refused('parameter_invalid', 'p'));
  });
  test('lists and objects, from form indices in any order', () => {
    const batch = params({
      payouts: list(object({ amount: amount(d), ...optional({ note: text({ ...d, max: 5 }) }) }, d), { ...d, max: 3 }),
    });
    const sent = form('payouts[1][amount]=2&payouts[0][amount]=1&payouts[0][note]=a');
    expect(plain(batch.parse(sent))).toEqual({ payouts: [{ amount: '1', note: 'a' }, { amount: '2' }] });
    expect(plain(batch.parse(json({ payouts: [{ amount: '1' }] })))).toEqual({ payouts: [{ amount: '1' }] });
    const wrong = (text: string, code: Code, param: string) =>
      expect(() => batch.parse(form(text)), text).toThrow(refused(code, param));
    wrong('payouts[1][amount]=1', 'parameter_invalid', 'payouts');
    wrong('payouts[0][amount]=1&payouts[2][amount]=1', 'parameter_invalid', 'payouts');
    wrong('payouts[00][amount]=1', 'parameter_invalid', 'payouts');
    wrong('payouts[x][amount]=1', 'parameter_invalid', 'payouts');
    wrong('payouts=1', 'parameter_invalid', 'payouts');
    wrong('payouts[0]=1', 'parameter_invalid', 'payouts[0]');
    wrong('payouts[0][note]=1', 'parameter_missing', 'payouts[0][amount]');
    wrong('payouts[0][amout]=1', 'parameter_unknown', 'payouts[0][amout]');
    wrong('payouts[0][amount]=1&payouts[0][note]=aaaaaa', 'text_too_long', 'payouts[0][note]');
    wrong([0, 1, 2, 3].map((i) => `payouts[${i}][amount]=1`).join('&'), 'parameter_invalid', 'payouts');
    expect(() => batch.parse(json({ payouts: [] }))).toThrow(refused('parameter_invalid', 'payouts'));
    expect(() => batch.parse(json({ payouts: { 0: { amount: '1' } } }))).toThrow(
      refused('parameter_invalid', 'payouts'),
    );
  });
  test('instant filters are half-open spans in milliseconds', () => {
    const filter = one(instantFilter(d));
    expect(filter.parse(form('p=5')).p).toEqual({ fromMs: 5000, untilMs: 6000 });
    expect(filter.parse(form('p[gt]=5&p[lte]=7')).p).toEqual({ fromMs: 6000, untilMs: 8000 });
    expect(filter.parse(form('p[gte]=5&p[lt]=7')).p).toEqual({ fromMs: 5000, untilMs: 7000 });
    expect(filter.parse(form('p[lt]=7')).p).toEqual({ fromMs: undefined, untilMs: 7000 });
    expect(() => filter.parse(form('p[gt]=1&p[gte]=1'))).toThrow(refused('parameter_conflict'));
    expect(() => filter.parse(form('p[gtt]=1'))).toThrow(refused('parameter_unknown', 'p[gtt]'));
    expect(() => filter.parse(form('p[gt]=1.5'))).toThrow(refused('parameter_invalid', 'p[gt]'));
  });
  test('defaults and checks across parameters', () => {
    const fields = params({ n: withDefault(integer({ ...d, min: 1, max: 9 }), 3) }, ({ n }) => {
      if (n === 7) throw new Error('seven');
    });
    expect(fields.parse(form('')).n).toBe(3);
    expect([fields.parse(form('n=')).n, fields.parse(json({ n: null })).n]).toEqual([3, 3]);
    expect(() => fields.parse(form('n=7'))).toThrow('seven');
    expect(fields.schema).toEqual({
      type: 'object',
      properties: { n: { type: ['integer', 'null'], minimum: 1, maximum: 9, default: 3, description: 'x' } },
      additionalProperties: false,
    });
  });
  test('a malformed id in the path is an unknown object', () => {
    expect(pathId({ path_params: { id: recipient } }, 'rcp')).toBe(recipient);
    expect(() => pathId({ path_params: { id: 'x' } }, 'rcp')).toThrow(refused('resource_missing', 'id'));
    expect(() => pathId({ path_params: { id: 'x' } }, 'rcp')).toThrow(/it begins with rcp_\.$/);
    for (const id of ['undefined', 'null', '[object Object]'])
      expect(() => pathId({ path_params: { id } }, 'rcp')).toThrow('The program that sent it had no value here.');
  });
});
