/** Keys over the API: made, rolled and revoked while a server runs, and restricted to scopes, accounts and addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { Client } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { loadConfig } from '../../config.ts';

let application: Application;
const clients: Client[] = [];
beforeAll(async () => {
  const { trustedProxies } = loadConfig({ BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
  application = await startApplication({ config: { trustedProxies } });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await application?.stop();
});

async function made(
  body: Record<string, unknown>,
  by: Client = application.sandbox.client,
): Promise<{ id: string; client: Client; secret: string }> {
  const reply = await by.post('/v1/keys', { name: 'made', ...body });
  expect(reply.status, reply.text).toBe(200);
  const { id, secret } = reply.json as { id: string; secret: string };
  const client = new Client(application.address, secret);
  clients.push(client);
  return { id, client, secret };
}

it('bank:write, the scope of a database from before the rights on the bank were apart, is none any more', async () => {
  const { status, json } = await application.sandbox.client.post('/v1/keys', { name: 'old', scopes: ['bank:write'] });
  const { code, param, message, allowed } = json['error'] as Record<string, unknown>;
  expect([status, code, param]).toEqual([400, 'parameter_invalid', 'scopes[0]']);
  expect(message).toContain('got "bank:write"');
  expect(message).toContain('bank_accounts:write, bank_account_approvals:read');
  expect(allowed).toEqual(expect.arrayContaining(['payment_files:write', 'bank_entries:write']));
});

describe('a key made with a key', () => {
  it('works, is shown once, and is listed without its text', async () => {
    const options = { idempotencyKey: 'one key' };
    const first = await application.sandbox.client.post(
      '/v1/keys',
      { name: 'payroll', scopes: ['payouts:read'] },
      options,
    );
    expect(first.json).toMatchObject({
      object: 'key',
      name: 'payroll',
      prefix: 'rk_test_',
      livemode: false,
      status: 'active',
    });
    const { secret, id } = first.json as { secret: string; id: string };
    expect(secret).toMatch(/^rk_test_[0-9A-Za-z]{49}$/);
    const again = await application.sandbox.client.post(
      '/v1/keys',
      { name: 'payroll', scopes: ['payouts:read'] },
      options,
    );
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const client = new Client(application.address, secret);
    clients.push(client);
    expect(outcome(await client.get('/v1/payouts'))).toBe('200');
    expect(outcome(await client.get('/v1/accounts'))).toBe('403 scope_missing');
    const shown = await application.sandbox.client.get(`/v1/keys/${id}`);
    expect(shown.json).toMatchObject({ id, last4: secret.slice(-4), created_by: application.sandbox.id });
    expect(shown.text + (await application.sandbox.client.get('/v1/keys')).text).not.toContain(secret.slice(8, -4));
    const tables = await application.sql(
      'SELECT row_to_json(t)::text AS row FROM idempotency_records t UNION ALL SELECT row_to_json(k)::text FROM api_keys k',
    );
    expect(tables.map(({ row }) => row).join()).not.toContain(secret.slice(8, -6)); // not even in the record of the answer
  });

  it('a write scope reads its resource too', async () => {
    const { client } = await made({ scopes: ['payouts:write'] });
    expect(outcome(await client.get('/v1/payouts'))).toBe('200');
    expect(outcome(await client.get('/v1/recipients'))).toBe('403 scope_missing');
  });

  it.each([
    ['payments:write', '/v1/payments/pay_01jd3v9q4ne8v8k3w2m6r5t7xa/refund'],
    ['bank_entries:write', '/v1/bank_entries/be_01jd3v9q4ne8v8k3w2m6r5t7xa/return'],
  ])('sends money to whom it likes with payouts:write alone, not with %s', async (scope, path) => {
    const recipient = 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa';
    const { client } = await made({ scopes: [scope] });
    expect(outcome(await client.post(path, { recipient }))).toMatch(/^403 scope_missing/);
    expect(outcome(await client.post(path, {}))).toMatch(/^404/); // control: to where it came from
    const both = await made({ scopes: [scope, 'payouts:write'] });
    expect(outcome(await both.client.post(path, { recipient }))).toMatch(/^404/);
  });

  it('gives no more than it has', async () => {
    const maker = await made({ scopes: ['keys:write', 'payouts:write'], allowed_ips: ['127.0.0.0/8'] });
    expect(outcome(await maker.client.post('/v1/keys', { name: 'x', scopes: ['events:read'] }))).toBe(
      '403 key_too_wide scopes',
    );
    expect(
      outcome(await maker.client.post('/v1/keys', { name: 'x', scopes: ['payouts:read'], allowed_ips: ['0.0.0.0/1'] })),
    ).toBe('403 key_too_wide allowed_ips');
    const like = await made({}, maker.client); // what is left out is as with the maker
    const shown = await application.sandbox.client.get(`/v1/keys/${like.id}`);
    expect(shown.json).toMatchObject({ scopes: ['keys:write', 'payouts:write'], allowed_ips: ['127.0.0.0/8'] });
    expect(outcome(await maker.client.post(`/v1/keys/${application.sandbox.id}/roll`, {}))).toBe('403 key_too_wide');
  });

  it.each([
    [{ scopes: ['payouts:all'] }, '400 parameter_invalid scopes[0]'],
    [{ scopes: ['metrics:read'] }, '400 parameter_invalid scopes[0]'],
    [{ allowed_ips: ['10.0.0.0/0'] }, '400 parameter_invalid allowed_ips[0]'],
    [{ allowed_ips: ['example.com'] }, '400 parameter_invalid allowed_ips[0]'],
    [{ expires_at: 1 }, '400 expires_at_invalid expires_at'],
    [{ accounts: ['acct_01jd3v9q4ne8v8k3w2m6r5t7xa'], scopes: ['payouts:read'] }, '404 resource_missing accounts'],
    [{ accounts: ['acct_01jd3v9q4ne8v8k3w2m6r5t7xa'] }, '400 parameter_missing scopes'],
    [{ name: '' }, '400 parameter_invalid name'],
  ])('%j: %s', async (body, expected) => {
    expect(outcome(await application.sandbox.client.post('/v1/keys', { name: 'x', ...body }))).toBe(expected);
  });

  it('is out of reach of others', async () => {
    const { id } = await made({});
    const { client } = application.otherSandbox;
    expect(outcome(await client.get(`/v1/keys/${id}`))).toMatch(/^404/);
    expect(outcome(await client.post(`/v1/keys/${id}/revoke`, {}))).toMatch(/^404/);
    expect(outcome(await client.post(`/v1/keys/${id}/roll`, {}))).toMatch(/^404/);
    expect(outcome(await application.live.client.post(`/v1/keys/${id}/revoke`, {}))).toMatch(/^404/);
  });
});

describe('the end of a key', () => {
  /** What was found of a key is used for under a second. How soon: `test/long/keys-end.test.ts`. */
  const refused = (client: Client) =>
    eventually('the key is refused', async () => outcome(await client.get('/v1/accounts')) === '401 api_key_invalid');

  it.concurrent('revoked: it is refused soon, and cannot be rolled or revoked again', async ({ expect: see }) => {
    const { id, client } = await made({});
    see(outcome(await client.get('/v1/accounts'))).toBe('200');
    see((await application.sandbox.client.post(`/v1/keys/${id}/revoke`, {})).json).toMatchObject({ status: 'revoked' });
    await refused(client);
    see(outcome(await application.sandbox.client.post(`/v1/keys/${id}/roll`, {}))).toBe('400 key_ended');
    see(outcome(await application.sandbox.client.post(`/v1/keys/${id}/revoke`, {}))).toBe('400 key_ended');
  });

  it.concurrent('rolled: the new key expires when the old one would have', async ({ expect: see }) => {
    const at = Math.floor(Date.now() / 1000) + 3_600;
    const short = await made({ expires_at: Math.floor(Date.now() / 1000) + 4 });
    const { id } = await made({ expires_at: at, scopes: ['accounts:read'] });
    const rolled = await application.sandbox.client.post(`/v1/keys/${id}/roll`, { expires_in: 600 });
    see(rolled.json).toMatchObject({ expires_at: at, scopes: ['accounts:read'], name: 'made' });
    const client = new Client(application.address, rolled.json['secret'] as string);
    clients.push(client);
    see(outcome(await client.get('/v1/accounts'))).toBe('200');
    const ends = 'UPDATE api_keys SET expires_at = now() WHERE expires_at = to_timestamp($1)';
    await application.sql(ends, [at]); // the hour has passed
    await refused(client);
    const shown = async (): Promise<unknown> =>
      (await application.sandbox.client.get(`/v1/keys/${short.id}`)).json['status'];
    await eventually('the other key has expired', async () => (await shown()) === 'expired');
    see(outcome(await application.sandbox.client.post(`/v1/keys/${short.id}/roll`, {}))).toBe('400 key_ended');
  });
});

describe('allowed addresses', () => {
  it('behind a trusted proxy too; an entry of the audit log says who was refused', async () => {
    const { id, secret } = await made({ allowed_ips: ['192.0.2.0/24', '2001:db8::7'] });
    const from = async (address: string, method = 'GET') => {
      const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': address };
      const reply = await fetch(`${application.address}/v1/accounts`, {
        method,
        headers,
        ...(method === 'POST' && { body: 'currency=EUR' }),
      });
      return `${reply.status} ${((await reply.json()) as { error?: { code: string } }).error?.code ?? ''}`.trim();
    };
    for (const address of ['192.0.2.1', '2001:db8::7', '192.0.2.255'])
      expect([address, await from(address)]).toEqual([address, '200']);
    for (const address of ['192.0.3.1', '2001:db8::8', '127.0.0.1', 'unknown']) {
      for (const method of ['GET', 'POST'])
        expect([address, await from(address, method)]).toEqual([address, '403 ip_not_allowed']);
    }
    const entries = async () =>
      (await application.sandbox.client.get(`/v1/audit_log?subject=${id}&action=key.refused`)).json['data'];
    await expect.poll(entries).toMatchObject([{ actor: id, ip: '192.0.3.1', details: { reason: 'address' } }]);
  });
});
