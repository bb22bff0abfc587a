/** An operation that goes away, made up here: each answer says so, and the document. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, describe, expect, it } from 'vitest';
import { callerWith } from '../../../../test/support/harness/keys.ts';
import { loadConfig } from '../../../config.ts';
import { RequestError } from '../../../core/values/errors.ts';
import { type Deprecation, deprecationHeaders } from './deprecation.ts';
import { amount, params } from '../request/params.ts';
import { answers, routesOf } from '../route.ts';
import { buildServer } from '../server.ts';

const route = routesOf('Things', 'payouts');
const deprecation: Deprecation = { since: '2026-11-21', sunset: '2027-11-21', instead: 'POST /v1/things' };
const base = { summary: 'x', response: answers('Thing') };
const ok = async () => ({ status: 200, body: '{}' });
const body = params({ amount: amount({ description: 'x' }) });

const app = buildServer({
  routes: [
    route('old', 'POST /v1/old_things', { ...base, deprecation, body, handle: ok }),
    route('oldOne', 'GET /v1/old_things/:id', {
      ...base,
      deprecation,
      handle: async () => {
        throw new RequestError('resource_missing', 'No such thing.');
      },
    }),
    route('new', 'POST /v1/things', { ...base, body, handle: ok }),
  ],
  schemas: {},
  authenticate: async (key: string) => (key.startsWith('sk_test_') ? callerWith({ scopes: null }) : null),
  log: pino({ level: 'silent' }),
  metrics: new Registry(),
  readiness: () => null,
  config: { ...loadConfig({}), publicUrl: '', version: '1.2.3' },
});
afterAll(() => app.close());

const key = `sk_test_${'a'.repeat(40)}`;
const ask = (method: 'GET' | 'POST', url: string, payload?: object, authorization = `Bearer ${key}`) =>
  app.inject({ method, url, headers: { authorization }, ...(payload && { payload }) });
const announced = { deprecation: '@1795219200', sunset: 'Sun, 21 Nov 2027 00:00:00 GMT' };

describe('a deprecated operation', () => {
  it.each([
    ['its success', 200, () => ask('POST', '/v1/old_things', { amount: '1' })],
    ['a refused body', 400, () => ask('POST', '/v1/old_things', { amount: 'x' })],
    ['a refused key', 401, () => ask('POST', '/v1/old_things', { amount: '1' }, 'Bearer nothing')],
    ['a refusal of its handler', 404, () => ask('GET', '/v1/old_things/1')],
  ] as const)('says so with %s', async (_, status, send) => {
    const { statusCode, headers } = await send();
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject(announced);
  });

  it('says so in the document, and what to use instead', async () => {
    const { paths, components } = (await app.inject('/openapi.json')).json<{
      paths: Record<
        string,
        { post: { deprecated?: boolean; description: string; responses: { 200: { $ref: string } } } }
      >;
      components: { responses: Record<string, { headers: object }> };
    }>();
    const old = paths['/v1/old_things']?.post;
    expect(old?.deprecated).toBe(true);
    expect(old?.description).toContain('gone from 2027-11-21 at the earliest. Use `POST /v1/things`.');
    const shared = old?.responses[200].$ref.split('/').at(-1) ?? ''; // two operations answer alike
    expect(Object.keys(components.responses[shared]?.headers ?? {})).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset']),
    );
    expect(paths['/v1/things']?.post).not.toHaveProperty('deprecated');
  });
});

it('others say nothing', async () => {
  const { headers } = await ask('POST', '/v1/things', { amount: '1' });
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['deprecation']));
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['sunset']));
});

it('less than 12 months of notice is a mistake of ours', () => {
  expect(() => deprecationHeaders({ ...deprecation, sunset: '2027-11-20' })).toThrow('12 months');
  expect(() => deprecationHeaders({ ...deprecation, since: 'soon' })).toThrow();
});
