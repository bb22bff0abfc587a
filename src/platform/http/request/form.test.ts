import fc from 'fast-check';
import qs from 'qs';
import { expect, test } from 'vitest';
import { readForm } from './form.ts';
import { isFormObject } from './param.ts';

const code = (name: string) => expect.objectContaining({ code: name });
const asJson = (tree: unknown) => JSON.parse(JSON.stringify(tree)) as unknown;

test('flat, nested, indexed and listed parameters', () => {
  expect(
    asJson(
      readForm(
        'amount=250&currency=eur&metadata%5Ba+b%5D=c%26d&types[]=x&types[]=y&&payouts[1][amount]=6&payouts[0][amount]=5',
        8,
      ),
    ),
  ).toEqual({
    amount: '250',
    currency: 'eur',
    metadata: { 'a b': 'c&d' },
    types: ['x', 'y'],
    payouts: { 0: { amount: '5' }, 1: { amount: '6' } },
  });
  expect(isFormObject((readForm('a[0]=1', 8) as { a: string }).a)).toBe(true);
  expect(asJson(readForm('a=1=2&b&c=', 8))).toEqual({ a: '1=2', b: '', c: '' });
  expect(asJson(readForm('', 8))).toEqual({});
});

test('means what qs means, where qs does not guess', () => {
  const name = fc.stringMatching(/^[a-z_ é+&%=]{1,8}$/);
  const value = fc.string({ unit: 'grapheme', maxLength: 12 });
  const leaf = fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 });
  const tree = fc.dictionary(name, fc.oneof(value, leaf, fc.array(value, { minLength: 1, maxLength: 4 })), {
    maxKeys: 5,
  });
  fc.assert(
    fc.property(tree, (sent) => {
      const text = qs.stringify(sent, { arrayFormat: 'brackets', format: 'RFC1738' });
      expect(asJson(readForm(text, 8))).toEqual(asJson(qs.parse(text, { plainObjects: true })));
    }),
    { numRuns: 1000 },
  );
});

test('what is sent twice or in two forms is refused', () => {
  for (const text of ['a=1&a=1', 'a=1&a=2', 'm[x]=1&m[x]=2', 'p[0][a]=1&p[0][a]=1', 'a=1&%61=2']) {
    expect(() => readForm(text, 8), text).toThrow(code('parameter_repeated'));
  }
  for (const text of [
    'a=1&a[b]=2',
    'a[b]=2&a=1',
    'a[]=1&a[0]=2',
    'a[0]=1&a[]=2',
    'a[]=1&a=2',
    'a[][b]=1',
    'a[b]=1&a[b][c]=1',
    'a[b][]=1&a[b]=2',
  ]) {
    expect(() => readForm(text, 8), text).toThrow(code('parameter_invalid'));
  }
});

test('broken encodings and brackets are refused', () => {
  for (const text of [
    'a=%',
    'a=%4',
    'a=%zz',
    'a=%ff',
    'a=%c0%80',
    'a=%ed%a0%80',
    '%e9=1',
    'a[=1',
    'a]=1',
    'a[b=1',
    'a[b]c=1',
    '[a]=1',
    'a[[b]]=1',
    '=1',
    `a${'['.repeat(500_000)}=1`,
    `a${'[b]'.repeat(300_000)}=1`,
  ]) {
    expect(() => readForm(text, 8), text.slice(0, 20)).toThrow(code('body_invalid'));
  }
  expect(() => readForm('a[b][c][d][e][f][g][h][i]=1', 8)).toThrow(code('body_too_deep'));
  expect(() => readForm('a=1&'.repeat(30_000), 8)).toThrow(code('parameter_repeated'));
  expect(() => readForm(Array.from({ length: 20_001 }, (_, i) => `a${i}=`).join('&'), 8)).toThrow(
    code('body_too_large'),
  );
});

test('__proto__ is a name', () => {
  expect(Object.keys(readForm('__proto__=1&constructor[prototype][x]=1&toString=2', 8) as object)).toEqual([
    '__proto__',
    'constructor',
    'toString',
  ]);
  expect(Object.keys((readForm('a[__proto__]=1', 8) as { a: object }).a)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
