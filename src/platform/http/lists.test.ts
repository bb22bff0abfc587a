import { expect, test } from 'vitest';
import { newId } from '../../core/values/ids.ts';
import { readQuery } from './request/body.ts';
import { listParams, renderList } from './lists.ts';
import { oneOf } from './request/params.ts';

const fields = listParams('po', { status: oneOf(['paid', 'failed'], { description: 'x' }) });
const parse = (query: string) => fields.parse(readQuery(`/v1/payouts?${query}`));
const id = newId('po');

test('parameters and their defaults', () => {
  expect(parse('')).toEqual({
    limit: 10,
    order: 'desc',
    starting_after: undefined,
    ending_before: undefined,
    created: undefined,
    status: undefined,
  });
  expect(parse(`limit=100&order=asc&starting_after=${id}&created[gte]=5&status=paid`)).toEqual({
    limit: 100,
    order: 'asc',
    starting_after: id,
    ending_before: undefined,
    created: { fromMs: 5000, untilMs: undefined },
    status: 'paid',
  });
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=',
    'limit=1.0',
    'order=ASC',
    'starting_after=acct_1',
    'status=',
    'status=payed',
  ]) {
    expect(() => parse(query), query).toThrow(expect.objectContaining({ code: 'parameter_invalid' }));
  }
  expect(() => parse('state=paid')).toThrow(expect.objectContaining({ code: 'parameter_unknown' }));
  expect(() => parse('limit=1&limit=1')).toThrow(expect.objectContaining({ code: 'parameter_repeated' }));
  expect(() => parse(`starting_after=${id}&ending_before=${id}`)).toThrow(
    expect.objectContaining({ code: 'parameter_conflict' }),
  );
});

test('a choice takes several values, each once, by name or index; one stays as it was', () => {
  expect(parse('status[]=paid&status[]=failed&status[]=paid').status).toEqual(['paid', 'failed']);
  expect(parse('status[0]=paid&status[1]=failed').status).toEqual(['paid', 'failed']);
  expect(parse('status[]=paid').status).toEqual(['paid']);
  expect(() => parse('status[]=paid&status[]=payed')).toThrow(
    expect.objectContaining({ code: 'parameter_invalid', details: expect.objectContaining({ param: 'status[1]' }) }),
  );
  expect(() => parse('status=paid&status=failed')).toThrow(expect.objectContaining({ code: 'parameter_repeated' }));
  expect(() => parse('status=paid&status[]=failed')).toThrow(expect.objectContaining({ code: 'parameter_invalid' }));
  expect(() => parse('order[]=asc')).toThrow(expect.objectContaining({ code: 'parameter_invalid' })); // no filter
  const many = Array.from({ length: 101 }, () => 'status[]=paid').join('&');
  expect(() => parse(many)).toThrow(expect.objectContaining({ code: 'parameter_invalid' }));
});

test('the envelope says has_more only when there is more, and links the pages beside it, by the order of the list', () => {
  const baseUrl = () => 'https://pay.example.com';
  const link = (query: string, rel: string) => `<https://pay.example.com/v1/payouts?${query}>; rel="${rel}"`;
  const call = { url: '/v1/payouts?status=paid&starting_after=po_0&limit=2', baseUrl };
  expect(renderList([], false, call)).toEqual({ status: 200, body: '{"data":[]}' });
  expect(renderList(['{"a":1}', '{"a":2}'], false, call, 'po_2', 'po_1')).toEqual({
    status: 200,
    body: '{"data":[{"a":1},{"a":2}]}',
    headers: { Link: link('status=paid&limit=2&ending_before=po_1', 'prev') },
  });
  expect(renderList(['{"a":1}'], false, { ...call, url: '/v1/payouts' }, 'po_2', 'po_1')).toEqual({
    status: 200,
    body: '{"data":[{"a":1}]}',
  });
  expect(renderList(['{"a":1}'], true, call, 'po_2', 'po_1')).toEqual({
    status: 200,
    body: '{"data":[{"a":1}],"has_more":true}',
    headers: {
      Link: `${link('status=paid&limit=2&starting_after=po_2', 'next')}, ${link('status=paid&limit=2&ending_before=po_1', 'prev')}`,
    },
  });
  expect(renderList(['{}'], true, { url: '/v1/payouts?ending_before=po_9', baseUrl }, 'po_2', 'po_1').headers).toEqual({
    Link: `${link('starting_after=po_2', 'next')}, ${link('ending_before=po_1', 'prev')}`,
  });
  // The row of the cursor follows the page; nothing comes before it.
  expect(renderList(['{}'], false, { url: '/v1/payouts?ending_before=po_9', baseUrl }, 'po_2', 'po_1').headers).toEqual(
    {
      Link: link('starting_after=po_2', 'next'),
    },
  );
  expect(renderList(['{}'], true, { url: '/v1/payouts', baseUrl }, 'po_2').headers).toEqual({
    Link: '<https://pay.example.com/v1/payouts?starting_after=po_2>; rel="next"',
  });
});
