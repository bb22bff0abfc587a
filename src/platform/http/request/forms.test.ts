/** Which form an answer has: what `Accept` says, by RFC 9110, and that `format=` wins. Over HTTP: `platform/http/csv-lists.soak.test.ts`. */
import { describe, expect, it } from 'vitest';
import { acceptedForm, bomFor, formOf, formsOf, LIST_FORMS, listForm } from './forms.ts';

const STATEMENT = formsOf({
  json: 'application/json',
  csv: 'text/csv',
  'camt.053': 'application/xml',
  pdf: 'application/pdf',
});

describe('Accept', () => {
  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/csv', 'csv'],
    ['Text/CSV; charset=utf-8', 'csv'],
    ['text/csv; header=present;q=0.9, application/json;q=0.1', 'csv'],
    ['text/csv, */*', 'csv'],
    ['application/json, text/csv', 'json'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['application/json, text/csv;q=0.9', 'json'],
    ['application/xml;q=0.8, application/pdf', 'pdf'],
    ['application/xml', 'camt.053'],
    ['text/*', 'csv'],
    ['text/csv;q=0', 'json'],
    ['*/*;q=0.1, text/csv;q=0', 'json'],
  ])('%s is %s', (accept, form) => expect(acceptedForm(STATEMENT, accept)).toBe(form));

  it.each([
    ['none of the forms', 'image/png, text/plain'],
    ['a list that cannot be read', ';;;,,'],
    ['a type with more letters', 'text/csvx'],
    ['a browser, which wants a page', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['more than is read', `${'a/b,'.repeat(200)}text/csv`],
  ])('%s has the first form', (_, accept) => expect(acceptedForm(STATEMENT, accept)).toBe('json'));

  it('a picture has forms without JSON', () => {
    const picture = formsOf({ svg: 'image/svg+xml', png: 'image/png' });
    const asked = [undefined, 'image/png', 'image/*', 'application/json'];
    expect(asked.map((each) => acceptedForm(picture, each))).toEqual(['svg', 'png', 'svg', 'svg']);
  });
});

it('format wins over Accept', () => {
  expect(formOf<'json' | 'csv'>({ query: { format: 'json' }, form: 'csv' })).toBe('json');
  expect(formOf<'json' | 'csv'>({ query: {}, form: acceptedForm(LIST_FORMS, 'text/csv') })).toBe('csv');
});

it('only CSV has a mark', () => {
  expect([bomFor(true, 'csv'), bomFor(false, 'csv'), bomFor(undefined, 'json')]).toEqual(['\ufeff', '', '']);
  const refused = { code: 'parameter_conflict', message: expect.stringContaining('this answer is pdf') as string };
  expect(() => bomFor(true, 'pdf')).toThrow(expect.objectContaining(refused));
});

describe('a query that names a form wrongly is told the parameter and the forms', () => {
  const list = (query: string) => listForm(`/v1/payouts?${query}`, 11, undefined);
  const forms = { allowed: ['json', 'csv'] };
  it.each([
    ['format=xml', 'parameter_invalid', 'format must be one of json, csv, got "xml".', forms],
    ['format=', 'parameter_invalid', 'format is empty. Send one of json, csv, or leave it out.', forms],
    ['format[]=csv', 'parameter_invalid', 'format must be one of json, csv, got a list.', forms],
    [
      'format=csv&format=json',
      'parameter_repeated',
      '"format" was sent more than once. Send it once. Where it takes several values, send each as "format[]".',
      {},
    ],
    ['bom=', 'parameter_invalid', 'bom is empty. Leave it out instead.', {}],
    ['bom[]=true&format=csv', 'parameter_invalid', 'bom must be true or false, got a list.', {}],
  ])('%s', (query, code, message, more) => {
    expect(() => list(query)).toThrow(
      expect.objectContaining({ code, message, details: expect.objectContaining(more) }),
    );
  });
  it('control: one that names it rightly, or none', () => {
    expect([list('format=csv').form, list('limit=1').form, list('reference=format').form]).toEqual([
      'csv',
      'json',
      'json',
    ]);
  });
});
