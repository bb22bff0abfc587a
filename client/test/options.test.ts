/** Options that nobody knows, for callers without a compiler: refused before anything is sent, with the option that was probably meant. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bursar, createClient, webhooks } from '../src/bursar.ts';
import { OF_CALLS, OF_CLIENTS, OF_STREAMS } from '../src/options.ts';
import { json, type RawServer, rawServer } from './raw-server.ts';

let server: RawServer;
let bursar: Bursar;

beforeEach(async () => {
  server = await rawServer((response) => json(response, 200, { object: 'list', data: [], has_more: false }));
  ({ bursar } = server);
});
afterEach(() => server.stop());

type Untyped = (...given: readonly unknown[]) => unknown;
const untyped = (method: unknown): Untyped => method as Untyped;
const create = untyped(createClient);

describe('createClient', () => {
  it('refuses an option that does not exist, and names those that do', () => {
    expect(() => create({ url: server.address, key: 'sk_test_x' })).toThrow(
      new TypeError(
        `key is no option of createClient; there are ${Object.keys(OF_CLIENTS).join(', ')}. Did you mean apiKey?`,
      ),
    );
    expect(() => create({ url: server.address, apiKey: 'k', password: 'x' })).toThrow(
      /there are url, apiKey, .*Browser\.$/,
    );
  });

  it.each([
    ['api_key', 'apiKey'],
    ['apikye', 'apiKey'],
    ['baseURL', 'url'],
    ['rul', 'url'],
    ['retries', 'maxRetries'],
    ['max-retries', 'maxRetries'],
    ['timeoutMs', 'timeout'],
    ['header', 'headers'],
    ['onretry', 'onRetry'],
    ['apiVersion', 'version'],
  ])('%s was probably %s', (name, near) => {
    expect(() => create({ url: server.address, [name]: 'x' })).toThrow(`Did you mean ${near}?`);
  });

  it.each(['x', 'ur', 'password', '__proto', 'constructor', 'k'.repeat(50)])('%s is near none', (name) => {
    expect(() => create({ url: server.address, [name]: 'x' })).toThrow(/ is no option of createClient; .*Browser\.$/);
  });

  it('control: takes every option that there is, and undefined for those that may be left out', async () => {
    const none = Object.fromEntries(Object.keys(OF_CLIENTS).map((name) => [name, undefined]));
    const client = create({ ...none, url: server.address, apiKey: 'sk_test_x' }) as Bursar;
    await client.payouts.list().page();
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [undefined, 'url is missing.'],
    ['sk_test_x', 'The options of createClient are an object, not a string.'],
    [{ apiKey: 'sk_test_x' }, 'url is missing.'],
    [{ url: '' }, 'url is "", which is no address.'],
    [{ url: 'localhost:4242' }, 'url is "localhost:4242", which is no address.'],
    [{ url: '/v1' }, 'url is "/v1", which is no address.'],
  ])('of %j says what is missing', (options, message) => {
    expect(() => create(options)).toThrow(message);
  });
});

describe('a call', () => {
  it('refuses an option that does not exist, on every way', async () => {
    const { cancel, list } = bursar.payouts;
    expect(() => untyped(cancel)('po_1', {}, { key: 'sk_test_x' })).toThrow('Did you mean apiKey?');
    expect(() => untyped(cancel)('po_1', {}, { idempotency_key: 'k' })).toThrow('Did you mean idempotencyKey?');
    expect(() => untyped(cancel)('po_1', {}, { reason: 'x' })).toThrow('Parameters stand before the options');
    expect(() => untyped(cancel)('po_1', {}, 'key-1')).toThrow('The options of a call are an object, not a string.');
    expect(() => untyped(cancel)('po_1', {}, null)).toThrow('The options of a call are an object, not null.');
    expect(() => untyped(bursar.events.stream)({}, { last_event_id: '1' })).toThrow('Did you mean lastEventId?');
    await expect(untyped(bursar.request)('POST', '/v1/payouts', { json: {} })).rejects.toThrow(
      'json is no option of request',
    );
    await expect(untyped(list().autoPagingToArray)({ limit: 1, maxretries: 1 })).rejects.toThrow(
      'maxretries is no option of autoPagingToArray',
    );
    await expect(untyped(list().autoPagingToArray)()).rejects.toThrow('takes a limit of 1 to 10000');
    expect(server.requests).toEqual([]);
  });

  it('control: takes every option that there is', async () => {
    const all = Object.fromEntries(Object.keys(OF_CALLS).map((name) => [name, undefined]));
    await untyped(bursar.payouts.cancel)('po_1', {}, all);
    await bursar.request('POST', '/v1/payouts', { ...all, body: '{}' });
    await bursar.payouts.list({}, all).autoPagingToArray({ limit: 1 });
    await untyped(bursar.payouts.cancel)('po_1', undefined, undefined);
    expect(server.requests).toHaveLength(4);
    const ofStreams = Object.fromEntries(Object.keys(OF_STREAMS).map((name) => [name, undefined]));
    expect(() => bursar.events.stream({}, ofStreams)).not.toThrow();
  });
});

describe('webhooks', () => {
  const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
  it('refuse an option that does not exist: a tolerance with another name would count for nothing', async () => {
    const headers = await webhooks.generateTestHeaders({ payload: '{}', secret });
    const verify = untyped(webhooks.verify);
    await expect(verify('{}', headers, secret, { tolerance: 60 })).rejects.toThrow('Did you mean toleranceSeconds?');
    await expect(verify('{}', headers, secret, 60)).rejects.toThrow('The options of verify are an object');
    await expect(untyped(webhooks.generateTestHeaders)({ payload: '{}', secret, time: 1 })).rejects.toThrow(
      'Did you mean timestamp?',
    );
    await expect(verify('{}', headers, secret, { toleranceSeconds: 60 })).resolves.toEqual({}); // control
  });
});
