import { describe, expect, it } from 'vitest';
import { answerFaults, readContract } from './contract.ts';
import { type Schema, schemaFaults } from './schema.ts';

const schemas = { Name: { type: 'string', minLength: 2, maxLength: 3 } };
const fault = (schema: Schema, value: unknown) => schemaFaults(schema, value, schemas).length > 0;

describe('schemaFaults', () => {
  it.each<[Schema, unknown, unknown]>([
    [{ type: 'string' }, 'a', 5],
    [{ type: ['string', 'null'] }, null, 5],
    [{ type: 'integer' }, 5, 5.5],
    [{ type: 'integer' }, 5, 2 ** 60],
    [{ type: 'number' }, 5.5, '5'],
    [{ type: 'object' }, {}, []],
    [{ const: 'a' }, 'a', 'b'],
    [{ enum: ['a', null] }, null, 'b'],
    [{ pattern: '^a$' }, 'a', 'b'],
    [{ $ref: '#/components/schemas/Name' }, '😀😀😀', '😀'],
    [{ $ref: '#/components/schemas/Name' }, 'ab', 'abcd'],
    [{ format: 'date' }, '2026-01-31', '2026-13-31'],
    [{ minimum: 1, maximum: 2 }, 1, 0],
    [{ minimum: 1, maximum: 2 }, 2, 3],
    [{ exclusiveMinimum: 0 }, 0.01, 0],
    [{ items: { type: 'string' }, minItems: 1, maxItems: 2 }, ['a'], []],
    [{ items: { type: 'string' }, minItems: 1, maxItems: 2 }, ['a'], ['a', 5]],
    [{ items: { type: 'string' }, minItems: 1, maxItems: 2 }, ['a'], ['a', 'a', 'a']],
    [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    [{ required: ['a'] }, { a: null }, { b: 1 }],
    [{ required: ['toString'] }, { toString: 1 }, {}],
    [{ properties: { a: { type: 'string' } } }, { b: 5 }, { a: 5 }],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 5 }, { b: 5 }],
    [{ additionalProperties: { type: 'string' } }, { a: 'a' }, { a: 5 }],
    [{ propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 5],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, null, 5],
    [{ oneOf: [{ type: 'string' }, { type: 'string' }], description: 'Never.' }, undefined, 'a'],
  ])('%j takes %j and refuses %j', (schema, good, bad) => {
    if (good !== undefined) expect(schemaFaults(schema, good, schemas)).toEqual([]);
    expect(fault(schema, bad)).toBe(true);
  });

  it('names the place, however deep', () => {
    const schema = { properties: { data: { items: { properties: { id: { $ref: '#/components/schemas/Name' } } } } } };
    expect(schemaFaults(schema, { data: [{ id: 'ab' }, { id: 5 }] }, schemas)).toEqual([
      '/data/1/id: 5 is against type "string"',
    ]);
  });

  it('refuses what it does not know rather than passing it', () => {
    expect(fault({ multipelOf: 2 }, 2)).toBe(true);
    expect(fault({ format: 'iban' }, 'DE')).toBe(true);
    expect(fault({ $ref: '#/components/schemas/Gone' }, 2)).toBe(true);
    expect(fault({ type: 'money' }, 2)).toBe(true);
  });
});

describe('answerFaults', () => {
  const content = { 'application/json': { schema: { type: 'object', required: ['id'] } } };
  const error = { 'application/json': { schema: { type: 'object', required: ['error'] } } };
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  const operation = {
    operationId: 'get',
    'x-scope': 'payouts:read',
    parameters: [],
    responses: {
      '200': { content: { ...content, ...stream } },
      '404': { description: '`resource_missing`: Gone.', content: error },
    },
  };
  const contract = readContract({
    paths: { '/x': { get: operation } },
    components: { schemas: { Event: { required: ['data'] } } },
  });
  const faults = (status: number, text: string, headers: Record<string, unknown> = {}) => {
    const all = { 'content-type': 'application/json; charset=utf-8', 'request-id': 'req_1', ...headers };
    return answerFaults(contract, contract.operations[0] as never, { status, text, headers: all });
  };
  const asStream = { 'content-type': 'text/event-stream' };
  const event = 'id: evt_1\nevent: ping\ndata: {"id":"evt_1","object":"event","type":"ping","data":{}}\n\n';
  const missing = '{"error":{"code":"resource_missing"}}';

  it('has nothing against what is documented', () => {
    expect(faults(200, '{"id":1}')).toEqual([]);
    expect(faults(404, missing)).toEqual([]);
    expect(faults(200, `retry: 1000\n\n${event}: heartbeat\n\n${event}`, asStream)).toEqual([]);
  });

  it.each<[string, number, string, Record<string, unknown>]>([
    ['a 500', 500, missing, {}],
    ['another status', 402, missing, {}],
    ['another body', 200, '{"di":1}', {}],
    ['no JSON', 200, '<html>', {}],
    ['another code', 404, missing.replace('missing', 'lost'), {}],
    ['another type', 200, '{"id":1}', { 'content-type': 'text/html' }],
    ['a stream without its first line', 200, event, asStream],
    ['an event that is none', 200, `retry: 1000\n\n${event.replace(',"data":{}', '')}`, asStream],
    ['an event under the id of another', 200, `retry: 1000\n\n${event.replace('evt_1', 'evt_2')}`, asStream],
    ['an event over several lines', 200, `retry: 1000\n\n${event.replace('"data"', '\n"data"')}`, asStream],
    ['no request id', 200, '{"id":1}', { 'request-id': undefined }],
  ])('control: flags %s', (_, status, text, headers) => expect(faults(status, text, headers)).not.toEqual([]));
});
