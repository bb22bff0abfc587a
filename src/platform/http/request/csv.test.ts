import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { placesOf, readCsv } from './csv.ts';
import { Unreadable } from './param.ts';

const read = (text: string) => JSON.parse(JSON.stringify(readCsv(text, 8))) as { payouts: unknown[] };
const code = (name: string) => expect.objectContaining({ code: name });

test('header, quotes, line ends, byte order mark, brackets, blank lines, empty cells', () => {
  const text =
    '\ufeffamount, currency ,reference,metadata[a]\r\n250.00,eur,"Rent, ""May""\nsecond",x\n\n5,usd,,\r\n"6","jpy",a b,"y"';
  expect(read(text)).toEqual({
    payouts: [
      { amount: '250.00', currency: 'eur', reference: 'Rent, "May"\nsecond', metadata: { a: 'x' } },
      { amount: '5', currency: 'usd' },
      { amount: '6', currency: 'jpy', reference: 'a b', metadata: { a: 'y' } },
    ],
  });
  expect(read('amount\n')).toEqual({ payouts: [] });
});

test('a malformed row says on which line, and the others are read', () => {
  const text = 'amount,currency\n1,eur\n2\n"3\n3",eur\n4,eur,x';
  const { payouts } = readCsv(text, 8) as unknown as { payouts: object[] };
  expect(payouts).toEqual([
    { amount: '1', currency: 'eur' },
    new Unreadable('Line 3 has 1 cells; the header names 2 columns.'),
    { amount: '3\n3', currency: 'eur' },
    new Unreadable('Line 6 has 3 cells; the header names 2 columns.'),
  ]);
  expect(placesOf(payouts)).toEqual({
    columns: ['amount', 'currency'],
    lines: [2, 3, 4, 6],
    sha256: createHash('sha256').update(text).digest('hex'),
  });
});

test('a first line that names the separator is none of the columns', () => {
  expect(read('sep=,\r\namount,currency\r\n1,eur')).toEqual({ payouts: [{ amount: '1', currency: 'eur' }] });
  expect(placesOf((readCsv('"sep=,"\namount\n1', 8) as unknown as { payouts: object }).payouts)?.lines).toEqual([3]);
  for (const text of ['sep=;\namount;currency\n1;eur', 'sep=\t\namount\n1', 'sep=;\namount,currency\n1,eur']) {
    expect(() => readCsv(text, 8), JSON.stringify(text)).toThrow('The first line names the separator');
  }
});

test('what is no such file is refused', () => {
  for (const text of [
    '\n\n',
    'amount;currency\n1;eur',
    'amount\tcurrency\n1\teur',
    'amount\n"1',
    'amount\n"1"2',
    'amount\n1"2',
    'amount\r1',
  ]) {
    expect(() => readCsv(text, 8), JSON.stringify(text)).toThrow(code('body_invalid'));
  }
  expect(() => readCsv('amount,amount\n1,2', 8)).toThrow(code('parameter_repeated'));
  expect(() => readCsv(`amount\n"${'""'.repeat(500_000)}`, 8)).toThrow(code('body_invalid'));
  expect(read(`amount\n"${'""'.repeat(500_000)}"`).payouts).toHaveLength(1);
});
