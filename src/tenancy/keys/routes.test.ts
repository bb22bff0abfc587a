/** What a key opens, seen from outside: every way to send one, scopes, expiry, rolling and revoking while servers run. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../platform/db/wire/types.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { Client } from '../../../test/support/harness/http.ts';
import { listedKeys, type Run } from './keys.ts';

let application: Application;
let database: pg.Client;
let run: Run;

beforeAll(async () => {
  application = await startApplication();
  database = new pg.Client({ connectionString: application.databaseUrl, types: TYPES });
  await database.connect();
  run = async (statement) => (await database.query(statement)).rows;
});
afterAll(async () => {
  await database?.end();
  await application?.stop();
});

const ask = async (authorization: string) =>
  outcome(await application.sandbox.client.send('GET', '/v1/accounts', '', { authorization }));
const base64 = (text: string) => Buffer.from(text).toString('base64');
/** A change is seen by every process. That it is within a second: `test/long/keys-end.test.ts`. */
const refused = ({ client }: Holder) =>
  eventually('the key is refused', async () => outcome(await client.get('/v1/accounts')) === '401 api_key_invalid');

describe('200', () => {
  it.each([
    ['Bearer', (key: string) => `Bearer ${key}`],
    ['bearer in lower case', (key: string) => `bearer ${key}`],
    ['Basic with the key as user name', (key: string) => `Basic ${base64(`${key}:`)}`],
  ])('%s', async (_, header) => expect(await ask(header(application.sandbox.key))).toBe('200'));

  it('several keys of one environment open the same', async () => {
    const second = await application.key({ name: 'second' });
    const made = await second.client.post('/v1/accounts', { currency: 'EUR', name: 'shared' });
    const seen = await application.sandbox.client.get(`/v1/accounts/${made.json['id'] as string}`);
    expect(seen.text).toBe(made.text);
    expect(second.environmentId).toBe(application.sandbox.environmentId);
  });

  it('a retry with a rolled key is still the same request', async () => {
    const old = await application.key();
    const options = { idempotencyKey: 'across keys' };
    const first = await old.client.post('/v1/accounts', { currency: 'EUR' }, options);
    const rolled = await old.client.post(`/v1/keys/${old.id}/roll`, { expires_in: 3_600 });
    const client = new Client(application.address, rolled.json['secret'] as string);
    const again = await client.post('/v1/accounts', { currency: 'EUR' }, options);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await ask(`Bearer ${old.key}`)).toBe('200'); // the overlap
    client.close();
  });

  it('20 rolls at once make one key, and it is the one that is rolled next', async () => {
    const old = await application.key();
    const roll = (id: string) => old.client.post(`/v1/keys/${id}/roll`, { expires_in: 3_600 });
    const rolls = await Promise.all(Array.from({ length: 20 }, () => roll(old.id)));
    const [made, ...others] = rolls.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const refusals = rolls.filter(({ status }) => status !== 200);
    const next = made?.json['id'] as string;
    expect(refusals.map(({ json }) => json['error'])).toEqual(
      Array(19).fill(expect.objectContaining({ code: 'key_rolled', resource_id: next })),
    );
    expect((await application.sandbox.client.get(`/v1/keys/${old.id}`)).json).toMatchObject({ rolled_to: next });
    expect(outcome(await roll(next))).toBe('200');
  });

  it('a restricted key does what its scopes say', async () => {
    const { client, key } = await application.key({ scopes: ['accounts:read', 'payouts:write'] });
    expect(key).toMatch(/^rk_test_/);
    expect(outcome(await client.get('/v1/accounts'))).toBe('200');
    const refused = await client.post('/v1/accounts', { currency: 'EUR' });
    expect(outcome(refused)).toBe('403 scope_missing');
    expect(refused.json['error']).toMatchObject({
      type: 'permission_error',
      allowed: ['accounts:read', 'payouts:write'],
    });
    expect(outcome(await client.post('/v1/payouts', {}))).toMatch(/^400 /);
  });

  it('notes when it was last used', async () => {
    const holder = await application.key({ name: 'noted' });
    const noted = async () => (await listedKeys(run, 'first')).find(({ id }) => id === holder.id)?.lastUsedAt ?? null;
    expect(await noted()).toBeNull();
    const before = Date.now();
    await holder.client.get('/v1/accounts');
    expect(await eventually('its use is noted', noted)).toBeGreaterThanOrEqual(before - 1_000);
  });
});

describe('401', () => {
  it.each([
    ['nothing', () => ''],
    ['Bearer alone', () => 'Bearer'],
    ['the key alone', (key: string) => key],
    ['another scheme', (key: string) => `Token ${key}`],
    ['a character more', (key: string) => `Bearer ${key}a`],
    ['a character less', (key: string) => `Bearer ${key.slice(0, -1)}`],
    ['another character', (key: string) => `Bearer ${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`],
    ['another prefix', (key: string) => `Bearer ${key.replace('sk_test_', 'sk_live_')}`],
    ['in upper case', (key: string) => `Bearer ${key.toUpperCase()}`],
    ['a password as well', (key: string) => `Basic ${base64(`${key}:secret`)}`],
    ['Basic without a colon', (key: string) => `Basic ${base64(key)}`],
    ['two keys', (key: string) => `Bearer ${key}, Bearer ${key}`],
    ['a key of 10,000 characters', () => `Bearer sk_test_${'a'.repeat(10_000)}`],
  ])('%s: one message for all', async (_, header) => {
    const reply = await application.sandbox.client.send('GET', '/v1/accounts', '', {
      authorization: header(application.sandbox.key),
    });
    expect(outcome(reply)).toBe('401 api_key_invalid');
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.json['error']).toMatchObject({
      type: 'authentication_error',
      message: expect.stringContaining('missing, malformed, unknown, revoked or expired'),
    });
  });

  it.concurrent('a revoked key stops, on a server that has just used it', async () => {
    const holder = await application.key();
    expect(outcome(await holder.client.get('/v1/accounts'))).toBe('200');
    await application.revoke(holder);
    await refused(holder);
    expect(outcome(await holder.client.post('/v1/accounts', { currency: 'EUR' }))).toBe('401 api_key_invalid');
  });

  it.concurrent('a key ends when it expires, to the moment', async () => {
    const expiresAt = Date.now() + 1_500;
    const holder = await application.key({ expiresAt });
    for (let isOver = false; !isOver; ) {
      isOver = Date.now() >= expiresAt; // asked after the moment
      const answer = outcome(await holder.client.get('/v1/accounts'));
      if (isOver) expect(answer).toBe('401 api_key_invalid');
      else if (Date.now() < expiresAt) expect(answer).toBe('200'); // answered before it
    }
  });

  it.concurrent('a key that was rolled without an overlap ends', async () => {
    const holder = await application.key();
    await holder.client.get('/v1/accounts');
    await holder.client.post(`/v1/keys/${holder.id}/roll`, {});
    await refused(holder);
  });
});

describe('429', () => {
  it('more requests than a second allows; another key of the same environment goes on', async () => {
    const strict = await startApplication({ config: { requestsPerSecond: 1 } });
    try {
      const { sandbox, otherSandbox } = strict;
      const replies = await Promise.all(Array.from({ length: 20 }, () => sandbox.client.get('/v1/accounts')));
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThan(20);
      expect(refused[0]?.json['error']).toMatchObject({ type: 'rate_limit_error', code: 'rate_limited' });
      expect(refused[0]?.headers).toMatchObject({
        'retry-after': '1',
        ratelimit: '"default";r=0;t=1',
        'ratelimit-policy': '"default";q=1;w=1',
      });
      expect(outcome(await otherSandbox.client.get('/v1/accounts'))).toBe('200');
      await eventually('another is allowed', async () => (await sandbox.client.get('/v1/accounts')).status === 200);
    } finally {
      await strict.stop();
    }
  });
});
