/** Who may send webhooks to this machine: the rule as a table, and what it says of a real database. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import pg from 'pg';
import { loadConfig } from '../config.ts';
import { ensureEnvironment } from '../tenancy/keys/keys.ts';
import { createDatabase, type Database } from '../../test/support/harness/database.ts';
import { privateTargetsOf, targetPolicy } from './private-targets.ts';

describe('privateTargetsOf', () => {
  const settings = (env: Record<string, string>) => loadConfig(env);
  it.each([
    ['a laptop', {}, 1, 'loopback'],
    ['nobody yet', {}, 0, 'loopback'],
    ['a second merchant', {}, 2, 'none'],
    ['another name of loopback', { HOST: 'localhost' }, 1, 'loopback'],
    ['loopback by IPv6', { HOST: '::1' }, 1, 'loopback'],
    ['a server for all', { HOST: '0.0.0.0' }, 1, 'none'],
    ['an address of a network', { HOST: '192.168.0.7' }, 1, 'none'],
    ['a proxy in front', { BURSAR_PUBLIC_URL: 'https://pay.example.com' }, 1, 'none'],
    ['a proxy on this machine', { BURSAR_TRUSTED_PROXIES: '127.0.0.1' }, 1, 'none'],
    ['what the operator says', { HOST: '0.0.0.0', BURSAR_WEBHOOK_PRIVATE_TARGETS: 'private' }, 2, 'private'],
    ['what the operator forbids', { BURSAR_WEBHOOK_PRIVATE_TARGETS: 'none' }, 1, 'none'],
  ] as const)('%s', (_what, env, merchants, expected) => {
    expect(privateTargetsOf(settings(env), merchants)).toBe(expected);
  });
});

describe('targetPolicy', () => {
  let database: Database;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    vi.useRealTimers();
    await client?.end();
    await database?.drop();
  });

  it('closes the door within five seconds of a second merchant', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let looks = 0;
    const rows = async (statement: { text: string; values: readonly unknown[] }) => {
      looks += 1;
      return (await client.query(statement.text, [...statement.values])).rows;
    };
    await ensureEnvironment(rows, 'first', false);
    const policy = targetPolicy({ config: loadConfig({}), rows });
    expect(policy.now()).toBe('none'); // until it has looked
    expect([await policy.latest(), policy.now()]).toEqual(['loopback', 'loopback']);
    expect(policy.showsAnswers()).toBe(true);
    const chosen = loadConfig({ BURSAR_WEBHOOK_PRIVATE_TARGETS: 'loopback' });
    expect(targetPolicy({ config: chosen, rows }).showsAnswers()).toBe(false);
    await ensureEnvironment(rows, 'second', false);
    vi.advanceTimersByTime(4_999);
    looks = 0;
    expect([policy.now(), await policy.latest(), looks]).toEqual(['loopback', 'loopback', 0]); // as of the last look
    vi.advanceTimersByTime(1);
    expect(policy.now()).toBe('loopback'); // this delivery is the last one: it has begun another look
    expect([await policy.latest(), policy.now(), policy.showsAnswers(), looks]).toEqual(['none', 'none', false, 1]);
  });
});
