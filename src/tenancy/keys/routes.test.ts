/** What a key opens, seen from outside: every way to send one, scopes, expiry, rolling and revoking while servers run. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TYPES } from '../../platform/db/wire/types.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { listedKeys, type Run } from './keys.ts';
import { API_KEYS } from './sql.ts';

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
    // By itself: the old one ends within the hour now, so it makes none that does not, as soon as it is looked up again.
    const successor = new Client(application.address, made?.json['secret'] as string);
    expect(outcome(await successor.post(`/v1/keys/${next}/roll`, { expires_in: 3_600 }))).toBe('200');
    successor.close();
    await eventually('the old one rolls nothing wider', async () => {
      const { rolled_to: last } = must(await application.sandbox.client.get(`/v1/keys/${next}`)).json;
      return outcome(await roll(last as string)) === '403 key_too_wide';
    });
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

  it('shows the last use of a key, and that of its line', async () => {
    const { client } = application.sandbox;
    const shown = async (id: string) => {
      const key = must(await client.get(`/v1/keys/${id}`)).json;
      return [key['last_used_at'], key['line_last_used_at']];
    };
    const made = async (name: string) => must(await client.post('/v1/keys', { name })).json as { readonly id: string };
    const [first, other] = [await made('line'), await made('other line')];
    const use = (id: string, atS: number) =>
      database.query('UPDATE api_keys SET last_used_at = to_timestamp($2) WHERE id = $1', [uuidOf(id), atS]);
    expect(await shown(first.id)).toEqual([null, null]);
    await use(other.id, 1_790_000_000);
    await use(first.id, 1_780_000_000);
    expect(await shown(first.id)).toEqual([1_780_000_000, 1_780_000_000]);
    const roll = async (id: string) => must(await client.post(`/v1/keys/${id}/roll`, { expires_in: 3_600 })).json;
    const second = await roll(first.id);
    expect([second['last_used_at'], second['line_last_used_at']]).toEqual([null, 1_780_000_000]);
    const secondId = second['id'] as string;
    // In the overlap: which of them is still in use is told, and that the line is.
    await use(first.id, 1_780_000_600);
    expect(await shown(secondId)).toEqual([null, 1_780_000_600]);
    await use(secondId, 1_780_001_200);
    expect(await shown(first.id)).toEqual([1_780_000_600, 1_780_001_200]);
    // A line of three, the last of which nobody has used; then the first ends.
    const thirdId = (await roll(secondId))['id'] as string;
    expect(await shown(thirdId)).toEqual([null, 1_780_001_200]);
    const revoked = must(await client.post(`/v1/keys/${first.id}/revoke`)).json;
    expect([revoked['last_used_at'], revoked['line_last_used_at']]).toEqual([1_780_000_600, 1_780_001_200]);
    const listed = must(await client.get('/v1/keys?limit=100')).json['data'] as Json[];
    const uses = [first.id, secondId, thirdId].map(
      (id) => listed.find((key) => key['id'] === id)?.['line_last_used_at'],
    );
    expect(uses).toEqual([1_780_001_200, 1_780_001_200, 1_780_001_200]);
    const onCommandLine = (await listedKeys(run, 'first')).find(({ id }) => id === thirdId);
    expect(onCommandLine).toMatchObject({ lastUsedAt: null, lineLastUsedAt: 1_780_001_200_000 });
    expect(await shown(other.id)).toEqual([1_790_000_000, 1_790_000_000]);
  });

  it('keys by their status, one or several', async () => {
    const { client } = await application.key({ merchant: 'by status' });
    const made = async (name: string) => must(await client.post('/v1/keys', { name })).json['id'] as string;
    const [active, expired, revoked] = [await made('active'), await made('expired'), await made('revoked')];
    must(await client.post(`/v1/keys/${revoked}/revoke`));
    // As time would: a key may not be made to end in the past.
    await database.query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)", [
      [uuidOf(expired), uuidOf(revoked)],
    ]);
    const found = async (query: string) => {
      const data = must(await client.get(`/v1/keys?limit=100&${query}`)).json['data'] as Json[];
      return [active, expired, revoked].filter((id) => data.some((key) => key['id'] === id));
    };
    expect(await found('')).toEqual([active, expired, revoked]);
    expect(await found('status=active')).toEqual([active]);
    expect(await found('status=expired')).toEqual([expired]);
    expect(await found('status=revoked')).toEqual([revoked]);
    expect(await found('status[]=active&status[]=revoked')).toEqual([active, revoked]);
    expect(outcome(await client.get('/v1/keys?status=ended'))).toBe('400 parameter_invalid status');
  });

  it('an answer that confirms a key has the last use of its line too', async () => {
    const { client } = application.sandbox;
    const made = must(await client.post('/v1/keys', { name: 'approver' })).json;
    const id = made['id'] as string;
    await database.query('UPDATE api_keys SET last_used_at = to_timestamp(1780000000) WHERE id = $1', [uuidOf(id)]);
    const another = await application.key(); // of another family
    const confirmed = must(await another.client.post(`/v1/keys/${id}/confirm`)).json;
    expect(confirmed).toMatchObject({ confirmed_by: another.id, line_last_used_at: 1_780_000_000 });
  });

  it('a use writes its own key alone, and its line shows it', async () => {
    const old = must(await application.sandbox.client.post('/v1/keys', { name: 'old' })).json as {
      readonly id: string;
    };
    const { json } = await application.sandbox.client.post(`/v1/keys/${old.id}/roll`, { expires_in: 3_600 });
    const client = new Client(application.address, json['secret'] as string);
    const versionsOf = async () =>
      (await database.query('SELECT xmin::text FROM api_keys WHERE id = $1', [uuidOf(old.id)])).rows as unknown[];
    const before = await versionsOf();
    must(await client.get('/v1/accounts'));
    const used = async () =>
      must(await application.sandbox.client.get(`/v1/keys/${old.id}`)).json['line_last_used_at'] ?? undefined;
    const line = await eventually('the line is used', used);
    const now = must(await application.sandbox.client.get(`/v1/keys/${json['id'] as string}`)).json;
    expect([now['last_used_at'], now['line_last_used_at']]).toEqual([line, line]);
    expect(await versionsOf()).toEqual(before);
    client.close();
  });

  it('the last use of a line is found along its index', async () => {
    await database.query('SET enable_seqscan = off');
    const { text, values } = API_KEYS.load([
      { environmentId: application.sandbox.environmentId, id: application.sandbox.id },
    ]);
    const { rows } = await database.query(`EXPLAIN ${text}`, values);
    expect(JSON.stringify(rows)).toContain('api_keys_line');
    await database.query('RESET enable_seqscan');
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
