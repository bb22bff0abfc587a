/** The client where the wire or somebody on the way is at fault: pages of proxies, answers cut off, and what the server says of retries. */
import { afterEach, describe, expect, it } from 'vitest';
import { BursarError, ConnectionError } from '../src/bursar.ts';
import { json, type RawServer, rawServer, refuse } from './raw-server.ts';

let server: RawServer;
afterEach(() => server.stop());

const PAYOUT = { amount: '1', currency: 'EUR', recipient: 'rcp_1' } as const;
const caught = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as BursarError,
  );

describe('a 200 that is no JSON', () => {
  it('is an error with the key, the request and what came, and is not tried again', async () => {
    server = await rawServer((response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Request-Id': 'req_7' }).end('<h1>Please log in</h1>');
    });
    const error = await caught(server.bursar.payouts.create(PAYOUT, { idempotencyKey: 'salary-1' }));
    expect(error).toBeInstanceOf(BursarError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'answer_unreadable', status: 200, requestId: 'req_7' });
    expect(error?.idempotencyKey).toBe('salary-1');
    expect(error?.message).toContain('200 with text/html, and it begins with "<h1>Please log in</h1>"');
    expect(error?.headers.get('Content-Type')).toBe('text/html');
    expect(BursarError.is(error, 'answer_unreadable')).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  it.each(['text/csv; charset=utf-8', 'application/xml', 'application/pdf'])(
    'says how to get a file, where %s was asked for',
    async (type) => {
      server = await rawServer((response) => response.writeHead(200, { 'Content-Type': type }).end('type,account'));
      const error = await caught(server.bursar.accounts.retrieveStatement('acct_1', {}, { headers: { Accept: type } }));
      expect(error?.message).toBe(
        `The answer is a file (${type}), and this method reads JSON. bursar.request(method, path) answers with the Response.`,
      );
      expect(error).toMatchObject({ code: 'answer_unreadable', status: 200 });
    },
  );

  it.each([
    ['an empty one', ''],
    ['a list', '[1]'],
    ['null', 'null'],
  ])('is not read either where it is %s', async (_, body) => {
    server = await rawServer((response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(body));
    expect(await caught(server.bursar.balances.retrieve())).toMatchObject({ code: 'answer_unreadable' });
  });

  it('ends a list, and a stream, instead of an endless wait', async () => {
    server = await rawServer((response, _, { path }) =>
      path.includes('/stream')
        ? response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')
        : json(response, 200, {}),
    );
    expect(await caught(server.bursar.payouts.list().page())).toMatchObject({ code: 'answer_unreadable' });
    const stream = server.bursar.events.stream({}, { lastEventId: '7' });
    expect(await caught(stream.next())).toMatchObject({ code: 'answer_unreadable', status: 200 });
  });
});

describe('an answer that is cut off', () => {
  it('by the connection is tried again with the same key, and then given', async () => {
    server = await rawServer((response, count) => {
      if (count > 2) return json(response, 200, { id: 'po_1', amount: 1 });
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"id":"po_1"', () => response.destroy());
      return undefined;
    });
    expect(await server.bursar.payouts.create(PAYOUT)).toMatchObject({ id: 'po_1', amount: '1' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it('by a proxy that ends it early is tried again too, and is an error that names the key in the end', async () => {
    server = await rawServer((response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Request-Id': 'req_9' })
        .end('{"id":"po');
    });
    const error = await caught(server.bursar.payouts.create(PAYOUT, { idempotencyKey: 'k', maxRetries: 1 }));
    expect(error).toMatchObject({ code: 'connection_failed', status: 200, requestId: 'req_9', idempotencyKey: 'k' });
    expect(error?.message).toBe('The answer 200 was cut off after 9 characters.');
    expect(server.requests).toHaveLength(2);
  });

  it('before it began has no status', async () => {
    server = await rawServer((response) => response.destroy());
    const error = await caught(server.bursar.payouts.create(PAYOUT, { idempotencyKey: 'k', maxRetries: 0 }));
    expect(error).toMatchObject({ code: 'connection_failed', status: 0, requestId: '', idempotencyKey: 'k' });
    expect(error?.message).toContain(`No answer from ${server.address}`);
  });
});

describe('the advice of the server', () => {
  const OK = { object: 'list', data: [], has_more: false };

  it.each(['Stripe-Should-Retry', 'Should-Retry'])('%s: false ends it, even after a 503', async (name) => {
    server = await rawServer((response) => refuse(response, 503, 'database_unavailable', { [name]: 'false' }));
    expect(await caught(server.bursar.accounts.list().page())).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['Stripe-Should-Retry', 'Should-Retry'])('%s: true goes on, even after a 400', async (name) => {
    server = await rawServer((response, count) =>
      count === 1 ? refuse(response, 400, 'parameter_invalid', { [name]: 'true' }) : json(response, 200, OK),
    );
    await server.bursar.accounts.list().page();
    expect(server.requests).toHaveLength(2);
  });

  it('control: without it a 503 is tried again, and a 400 is not', async () => {
    server = await rawServer((response, count) =>
      count === 1 ? refuse(response, 503, 'database_unavailable') : refuse(response, 400, 'parameter_invalid'),
    );
    expect(await caught(server.bursar.accounts.list().page())).toMatchObject({ code: 'parameter_invalid' });
    expect(server.requests).toHaveLength(2);
  });
});

it('a time-out in the middle of a body is a cut', async () => {
  server = await rawServer(() => undefined);
  const slow: typeof fetch = async (_, init) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  const error = await caught(server.client({ fetch: slow, timeout: 50, maxRetries: 0 }).balances.retrieve());
  expect(error).toMatchObject({ code: 'connection_failed', status: 200 });
  expect(error?.message).toContain('The answer 200 was cut off: Error: nothing came within 50 ms');
});
