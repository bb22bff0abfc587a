/** The tour of shapes: what each text is taken for. */
import { expect, it } from 'vitest';
import { exampleId, NAMES, type Prefix } from '../../core/values/ids.ts';
import { rfReference } from '../../core/rails/creditor-reference.ts';
import { looksOf } from './shape.ts';

const kinds = (text: string) => looksOf(text).map(({ kind }) => kind);
const WORDS = ['exact', 'name'];

it.each((Object.keys(NAMES) as Prefix[]).filter((prefix) => prefix !== 'req'))('an id of %s', (prefix) => {
  const id = exampleId(prefix);
  expect(looksOf(id)).toEqual([{ kind: 'id', prefix, id }]);
  expect(looksOf(id.toUpperCase())).toEqual([{ kind: 'id', prefix, id }]);
});
it('the id of a request', () => expect(looksOf(exampleId('req'))).toEqual([{ kind: 'request', id: exampleId('req') }]));
it('what a bank quotes', () => {
  const sent = exampleId('po').replace('_', '').toUpperCase();
  expect(looksOf(sent)).toEqual([{ kind: 'id', prefix: 'po', id: exampleId('po') }]);
  expect(looksOf(sent.replace('PO', 'PF'))).toEqual([{ kind: 'id', prefix: 'pf', id: exampleId('pf') }]);
});
it('an IBAN, in whatever spelling', () => {
  expect(looksOf('de89 3704 0044 0532 0130 00')).toEqual([{ kind: 'iban', iban: 'DE89370400440532013000' }]);
  expect(kinds('DE89370400440532013001')).toEqual(WORDS); // its check digits are wrong
});
it('a creditor reference', () => {
  const reference = rfReference('4711');
  expect(looksOf(reference.toLowerCase())).toEqual([{ kind: 'reference', reference }]);
  expect(kinds('RF25 SEJH JCAN XRKE B')).toEqual(['reference']); // as long as an IBAN
  expect(kinds('RF004711')).toEqual(WORDS);
});
it.each<[string, readonly string[], string | null]>([
  ['1128.08', ['1128.08'], null],
  ['1,128.08', ['1128.08'], null],
  ['1.128,08', ['1128.08'], null],
  ['1 128,08', ['1128.08'], null],
  ['1\u00a0128,08', ['1128.08'], null],
  ["1'128.08 CHF", ['1128.08'], 'CHF'],
  ['1128,08 eur', ['1128.08'], 'EUR'],
  ['EUR 1128', ['1128'], 'EUR'],
  ['€1128', ['1128'], 'EUR'],
  ['12 £', ['12'], 'GBP'],
  ['1,128', ['1.128', '1128'], null],
  ['1.234.567', ['1234567'], null],
  ['4711', ['4711'], null],
])('the amount %s, and else words', (text, amounts, currency) =>
  expect(looksOf(text)).toEqual([
    { kind: 'amount', amounts, currency },
    { kind: 'exact', text },
    { kind: 'name', name: text },
  ]),
);
it.each(['1e3', '-5', '1128.', '.5', '1,12,8', '1.1.1', '12 XYZ', 'EUR 12 EUR', '4711-A', '1,128.0899'])(
  'no amount: %s',
  (text) => expect(kinds(text)).toEqual(WORDS),
);
it.each(['Ada Lovelace', 'payroll-2026-11', 'po_123', 'acct_', '🦄', 'RF', 'DE'])('words: %s', (text) =>
  expect(looksOf(text)).toEqual([
    { kind: 'exact', text },
    { kind: 'name', name: text },
  ]),
);
