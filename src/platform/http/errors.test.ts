import { expect, test } from 'vitest';
import { ERRORS, RequestError, refusal, errorBody } from '../../core/values/errors.ts';
import { asProblem, errorsPage, faultOf } from './errors.ts';

test('the body of a refusal, details included, minor units exact', () => {
  const fault = refusal('balance_insufficient', 'Not enough.', {
    param: 'amount',
    available_minor: 9_007_199_254_740_991n,
    allowed: ['a'],
  });
  expect(errorBody(fault, 'req_1')).toBe(
    '{"error":{"type":"invalid_request_error","code":"balance_insufficient","message":"Not enough.","param":"amount","available_minor":9007199254740991,"allowed":["a"],"doc_url":"/docs/errors#balance_insufficient","request_id":"req_1"}}',
  );
  expect(JSON.parse(errorBody(refusal('account_closed', 'Closed.'), 'req_2'))).toEqual({
    error: {
      type: 'invalid_request_error',
      code: 'account_closed',
      message: 'Closed.',
      doc_url: '/docs/errors#account_closed',
      request_id: 'req_2',
    },
  });
  expect(() => errorBody(refusal('account_closed', 'x', { available_minor: 2n ** 60n }), 'req_3')).toThrow(
    'no exact JSON integer',
  );
});

test('problem members stand beside an untouched error', () => {
  const body = errorBody(refusal('quote_expired', 'It "expired".', { resource_id: 'quo_1' }), 'req_1');
  const problem = asProblem(body, 400);
  expect(problem.endsWith(body.slice(1))).toBe(true);
  expect(JSON.parse(problem)).toMatchObject({
    type: '/docs/errors#quote_expired',
    title: ERRORS.quote_expired.meaning,
    status: 400,
    detail: 'It "expired".',
    instance: 'urn:bursar:request:req_1',
    error: { code: 'quote_expired', resource_id: 'quo_1' },
  });
});

test('what is thrown becomes what may be said', () => {
  const own = new RequestError('overloaded', 'x');
  expect(faultOf(own)).toBe(own);
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300']) {
    expect(faultOf(Object.assign(new Error('x'), { code })).code, code).toBe('database_unavailable');
  }
  expect(faultOf(Object.assign(new Error('x'), { code: '57014' })).code).toBe('overloaded');
  expect(faultOf(null).code).toBe('internal_error');
  expect(faultOf(new Error('Connection terminated unexpectedly')).code).toBe('database_unavailable');
  expect(faultOf(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' })).code).toBe(
    'database_unavailable',
  );
  for (const odd of [
    new Error('secret'),
    Object.assign(new Error('secret'), { code: '23505' }),
    Object.assign(new Error('secret'), { code: 'ENOENT', syscall: 'open' }),
    'secret',
    null,
    undefined,
    { code: 'balance_insufficient', message: 'secret' },
  ]) {
    expect(faultOf(odd).code).toBe('internal_error');
    expect(errorBody(faultOf(odd), 'req_1')).not.toContain('secret');
  }
});

test('the errors page has an anchor for every code', () => {
  const page = errorsPage();
  for (const [code, { status }] of Object.entries(ERRORS)) {
    expect(page).toContain(`<tr id="${code}">`);
    expect(page).toContain(`<td>${status}<`);
  }
});
