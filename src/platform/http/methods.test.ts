/** Every path of the service with every method, without a key: what is served asks for one, everything else says what there is. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { newId } from '../../core/values/ids.ts';
import { allowedMethods, nearestPath, shadowedMethods } from './methods.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication({ config: { keylessRequestsPerSecond: 0 } });
}, 60_000);
afterAll(() => application?.stop());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const ID = newId('po');
const filled = (path: string) => path.replace(/:[a-z_]+/g, ID);

const paths = [...new Set(ROUTES.map(({ path }) => path))].map((path) => {
  const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method as string);
  return { path, allow: methods.includes('GET') ? [...methods, 'HEAD'] : methods };
});

async function ask(method: (typeof METHODS)[number], url: string) {
  const body = method === 'POST' || method === 'PUT' ? { payload: 'a=1' } : {};
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await application.inject({ method, url, ...(body.payload && { ...body, headers }) });
  const text = method === 'HEAD' ? '' : reply.text; // HTTP drops the body then: page.test.ts
  const { code } = (text === '' ? {} : (JSON.parse(text) as { error: { code: string } }).error) as {
    code?: string;
  };
  const allow = reply.headers['allow'] as string | undefined;
  return { status: reply.status, code, allow: allow?.split(', ').toSorted() };
}

describe('every path', () => {
  it.each(paths)('$path', async ({ path, allow }) => {
    for (const method of METHODS) {
      const { status, code, allow: named } = await ask(method, filled(path));
      const isHead = method === 'HEAD';
      if (allow.includes(method))
        expect([method, status, code]).toEqual([method, 401, isHead ? undefined : 'api_key_invalid']);
      else
        expect([method, status, isHead ? 'method_not_allowed' : code, named]).toEqual([
          method,
          405,
          'method_not_allowed',
          allow.toSorted(),
        ]);
    }
  });

  it.each(paths)('nothing below $path but what the table has', async ({ path }) => {
    const below = `${filled(path)}/nothing/at/all`;
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expect(await ask(method, below)).toEqual({ status: 404, code: 'path_unknown', allow: undefined });
    }
  });
});

describe('siblings of a path with an id', () => {
  it.each([
    ['PUT', '/v1/payout_batches', ['GET', 'HEAD']],
    ['POST', '/v1/payout_batches', ['GET', 'HEAD']],
    ['DELETE', '/v1/payout_batches', ['GET', 'HEAD']],
    ['GET', '/v1/payouts/batch', ['POST']],
    ['HEAD', '/v1/payouts/batch', ['POST']],
    ['GET', '/v1/exchanges/quote', ['POST']],
    ['POST', '/v1/recipients/requirements', ['GET', 'HEAD']],
    ['DELETE', '/v1/recipients/validate', ['POST']],
    ['DELETE', `/v1/payouts/${ID}`, ['GET', 'HEAD', 'POST']],
    ['GET', `/v1/payouts/${ID}/cancel`, ['POST']],
    ['POST', '/v1/balances', ['GET', 'HEAD']],
    ['POST', '/livez', ['GET', 'HEAD']],
  ] as const)('%s %s', async (method, path, allow) => {
    expect(await ask(method, path)).toMatchObject({ status: 405, allow });
  });

  it('say what is possible', async () => {
    const { text } = await application.inject({ method: 'PUT', url: `/v1/payouts/${ID}` });
    expect((JSON.parse(text) as { error: { message: string } }).error.message).toBe(
      'PUT is not possible here. Possible: GET, HEAD, POST.',
    );
  });

  it('keep the connection in order where a long body follows', async () => {
    const { client } = application.sandbox;
    const long = await client.post('/v1/recipients/requirements', { a: 'x'.repeat(200_000) });
    expect([long.status, long.headers['connection']]).toEqual([405, 'close']);
    const short = await client.post('/v1/recipients/requirements', { a: 'x' });
    expect([short.status, short.headers['connection']]).toEqual([405, 'keep-alive']);
    expect((await client.get('/v1/recipients/requirements?country=DE&currency=EUR')).status).toBe(200);
  });
});

test('the most specific route decides', () => {
  const routes = [
    { method: 'GET', path: '/v1/things/:id' },
    { method: 'DELETE', path: '/v1/things/:id' },
    { method: 'POST', path: '/v1/things/batch' },
    { method: 'GET', path: '/v1/things/list.csv' },
    { method: 'POST', path: '/v1/things/:id/close' },
    { method: 'GET', path: '/v1/things/batch/:id' },
  ];
  const allowed = allowedMethods(routes);
  expect(allowed('/v1/things/batch')).toEqual(['POST']);
  expect(allowed('/v1/things/x')).toEqual(['GET', 'HEAD', 'DELETE']);
  expect(allowed('/v1/things/batch/close')).toEqual(['GET', 'HEAD']);
  expect(allowed('/v1/things/listxcsv')).toEqual(['GET', 'HEAD', 'DELETE']);
  expect(allowed('/v1/other')).toEqual([]);
  expect(shadowedMethods(routes)).toEqual([
    { method: 'GET', path: '/v1/things/batch' },
    { method: 'DELETE', path: '/v1/things/batch' },
    { method: 'DELETE', path: '/v1/things/list.csv' },
  ]);
});

describe('an unknown path', () => {
  const near = nearestPath(ROUTES);
  it.each([
    ['/v1/payout', '/v1/payouts'],
    ['/payouts', '/v1/payouts'],
    ['/v1/Payouts/', '/v1/payouts'],
    [`/v1/payouts/${ID}/cancle`, '/v1/payouts/:id/cancel'],
    ['/v1/recepients', '/v1/recipients'],
    ['/v1/webhookendpoints', '/v1/webhook_endpoints'],
    ['/', undefined],
    ['/v1/kangaroos', undefined],
    [`/v1/${'x'.repeat(500)}`, undefined],
  ])('%s: %s is near', (path, wanted) => expect(near(path)).toBe(wanted));

  it('is answered with the near one', async () => {
    const { text } = await application.inject({ method: 'GET', url: '/v1/payout?limit=1' });
    expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain('Did you mean /v1/payouts?');
  });
});
