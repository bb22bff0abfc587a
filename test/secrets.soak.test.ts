/**
 * T22, secrets never leave: keys, the server secret, passwords and account numbers are sent everywhere something can be
 * sent, also where they do not belong and while things break; then the log, every answer, the metrics and the whole
 * database are searched for them. Control: what is put there on purpose is found. Each place sees one key or number by turns; every one in
 * every place: `test/long/secrets.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, uuidOf } from '../src/core/values/ids.ts';
import { keptLog } from './support/harness/kept-log.ts';
import { type Application, type Holder, SERVER_SECRET, startApplication } from './support/harness/application.ts';
import { type Contract, readContract } from './support/generators/contract.ts';
import {
  ACCOUNTS,
  found,
  type Method,
  MISTYPED,
  NUMBERS,
  PASSWORD,
  secretOf,
  sendKeys,
  sendNumbers,
  storedIn,
} from './support/generators/secret-places.ts';
import { exampleBody, pathOf } from './support/generators/places.ts';
import { must } from './support/harness/tenant-fixture.ts';
import { eventually } from './support/harness/eventually.ts';
import { type Fixtures, furnish } from './support/harness/fixtures.ts';
import { recipientSeals } from '../src/paying/recipients/sealing.ts';
import { secretBox } from '../src/events/webhooks/signature.ts';

let application: Application;
let contract: Contract;
let fixtures: Fixtures;
const { log, logged } = keptLog();
let answered = '';
let keys: string[];

beforeAll(async () => {
  application = await startApplication({ log, config: { requestLogDays: 14 } });
  contract = readContract((await application.sandbox.client.get('/openapi.json')).json);
  fixtures = await furnish(application, application.sandbox);
  const revoked = await application.key();
  await application.revoke(revoked);
  keys = [application.sandbox, application.live, application.otherSandbox, revoked].map(({ key }) => key);
  keys.push(`sk_test_${'z'.repeat(49)}`);
});

afterAll(() => application?.stop());

/** The log of requests, once all that was sent so far is in it. */
async function requestLog(): Promise<string> {
  const { client } = application.sandbox;
  const { headers } = await client.get('/v1/accounts/acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
  must(await client.get(`/v1/request_logs/${String(headers['request-id'])}`));
  return JSON.stringify(await application.sql('SELECT t::text FROM request_logs t'));
}

/** Sends it and keeps the whole answer, headers included. */
async function send(
  method: Method,
  url: string,
  payload?: string | Buffer,
  type = 'application/json',
  headers: Record<string, string> = {},
): Promise<number> {
  const {
    status,
    text,
    headers: back,
  } = await application.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${application.sandbox.key}`,
      ...(payload !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  });
  answered += `${status} ${JSON.stringify(back)} ${text}\n`;
  return status;
}

describe('keys and secrets', () => {
  it('sent in every place where they may or may not stand', async () => {
    await sendKeys(send, { contract, fixtures, keys, everyOne: false });
    const [key] = keys as [string];
    expect(await send('GET', `/v1/${key}`)).toBe(404);
    expect(await send('GET', `/v1/payouts?limit=${key.length}&created=${PASSWORD.length}`)).toBe(200);
    await application.otherLive.client.get('/v1/accounts');
  });

  it('are in no log line, no answer and no metric', async () => {
    await send('GET', '/metrics');
    await send('GET', '/openapi.json');
    const secrets = [...keys.map(secretOf), SERVER_SECRET, PASSWORD, 'Bearer '];
    expect(found(logged(), secrets)).toEqual([]);
    expect(
      found(
        answered,
        secrets.filter((each) => each !== 'Bearer '),
      ),
    ).toEqual([]);
    expect(logged().split('\n').length).toBeGreaterThan(500);
  });

  it('are not in the database: not the text, not the half of it, not the secret they are hashed under', async () => {
    await requestLog();
    const stored = await storedIn(application);
    const parts = keys.flatMap((key) => [
      secretOf(key),
      key.slice(8, 30),
      Buffer.from(key).toString('hex'),
      Buffer.from(key).toString('base64'),
    ]);
    expect(found(stored, [...parts, SERVER_SECRET, Buffer.from(SERVER_SECRET).toString('hex')])).toEqual([]);
    expect(stored).toContain(application.sandbox.key.slice(-4));
  });
});

describe('account numbers', () => {
  it('sent as they should, and in every wrong way', async () => {
    const ids: string[] = [];
    for (const account of ACCOUNTS) {
      const { json } = await application.sandbox.client.post('/v1/recipients', { type: 'individual', ...account });
      ids.push(json['id'] as string);
      expect(
        await send('POST', '/v1/recipients', JSON.stringify({ type: 'company', ...account }), undefined, {
          'idempotency-key': `k ${account.name}`,
        }),
      ).toBe(200);
      expect(
        await send('POST', '/v1/recipients', JSON.stringify({ type: 'individual', ...account }), undefined, {
          'idempotency-key': `k ${account.name}`,
        }),
      ).toBe(400);
      await send('POST', '/v1/recipients/validate', JSON.stringify({ type: 'company', ...account, email: 'x' }));
    }
    await sendNumbers(send, { recipient: ids[0] as string, paid: fixtures.rcp, everyOne: false });
    for (const list of [
      '/v1/recipients?limit=100',
      '/v1/events?limit=100',
      `/v1/events?related_object=${ids[0]}`,
      ...ids.map((id) => `/v1/recipients/${id}`),
    ]) {
      expect(await send('GET', list)).toBe(200);
    }
    await application.sandbox.client.write('DELETE', `/v1/recipients/${ids[1]}`, '');
  });

  it('are in no log line, no answer and no metric', async () => {
    await send('GET', '/metrics');
    expect(found(answered, [...NUMBERS, ...MISTYPED])).toEqual([]);
    expect(found(logged(), [...NUMBERS, ...MISTYPED, 'Canary', 'Ada Lovelace'])).toEqual([]);
  });

  it('stand nowhere in the database in clear; with the server secret they are found', async () => {
    await requestLog();
    expect(found(await storedIn(application), [...NUMBERS, ...MISTYPED])).toEqual([]);
    const { detailsOf } = recipientSeals({ current: SERVER_SECRET, previous: [] });
    const rows = await application.sql('SELECT id, bank_details FROM recipients');
    const opened = rows.map((row) => detailsOf(row['bank_details'] as string, idOf('rcp', row['id'] as string)));
    expect(found(JSON.stringify(opened), NUMBERS)).toContain('DE55210501700046802931');
  });
});

describe('the log of requests', () => {
  it('has the requests, refused and answered, and nothing of what may not be kept', async () => {
    const kept = await requestLog();
    const names = ACCOUNTS.map(({ name }) => name).filter((name) => !kept.includes(`k ${name}`));
    expect(found(kept, [...keys.map(secretOf), PASSWORD, SERVER_SECRET, ...NUMBERS, ...MISTYPED, ...names])).toEqual(
      [],
    );
    const [{ refused, answered: others } = {}] = await application.sql(
      'SELECT count(*) FILTER (WHERE status >= 400)::int4 AS refused, count(*) FILTER (WHERE status = 200)::int4 AS answered FROM request_logs',
    );
    expect(refused).toBeGreaterThan(100);
    expect(others).toBeGreaterThan(50);
    expect(kept).toContain('validateRecipient');
  });

  it('nor what is put into every parameter of every operation', async () => {
    const canaries = ['Zq7canary-Secret+9Zx', 'canary.person@example.com', 'GB33BUKB20201555555555', 'Zoe Canary'];
    const statuses = new Set<number>();
    for (const [at, operation] of contract.operations.entries()) {
      if (operation.operationId === 'resetSandbox') continue;
      const canary = canaries[at % canaries.length] as string;
      const path = pathOf(operation, (kind) => fixtures[kind]);
      const query = operation.parameters.filter(({ in: where }) => where === 'query').map(({ name }) => name);
      const asked = query.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(canary)}`).join('&');
      if (operation.method === 'GET') statuses.add(await send('GET', `${path}?${asked}`));
      else {
        const names = Object.keys((operation.body?.['properties'] as object | undefined) ?? {});
        const forms = [canary, [canary], { [canary]: canary, name: canary }]; // by turns
        for (const [turn, name] of ['name', ...names].entries()) {
          const body = { ...exampleBody(operation, fixtures), [name]: forms[(at + turn) % forms.length] };
          statuses.add(await send(operation.method, path, JSON.stringify(body)));
        }
      }
      statuses.add(await send('GET', `/v1/payouts/${encodeURIComponent(canary)}?${encodeURIComponent(canary)}=x`));
    }
    expect(statuses).toContain(400);
    const kept = await requestLog();
    expect(found(kept, [...canaries, ...canaries.map(encodeURIComponent)])).toEqual([]);
    expect(kept).toContain('•');
  });

  it('control: a word that may be kept is found', async () => {
    await send('GET', '/v1/payouts?status=canarystatus');
    expect(await requestLog()).toContain('canarystatus');
  });
});

describe('while things break', () => {
  it('a failing statement tells neither client nor log what was in it', async () => {
    await application.sql('ALTER TABLE recipients ADD CONSTRAINT canary CHECK (name <> $$Broken Canary$$)');
    const account = { type: 'individual', ...ACCOUNTS[0], name: 'Broken Canary' };
    expect(await send('POST', '/v1/recipients', JSON.stringify(account))).toBe(500);
    await application.sql('ALTER TABLE recipients DROP CONSTRAINT canary');
    await application.sql('ALTER TABLE recipients RENAME TO recipients_gone');
    expect(await send('GET', '/v1/recipients?country=DE')).toBe(500);
    expect(await send('POST', '/v1/recipients', JSON.stringify(account))).toBe(500);
    await application.sql('ALTER TABLE recipients_gone RENAME TO recipients');
    expect(logged()).toContain('"level":50');
    expect(found(logged(), [...NUMBERS, 'Broken Canary', ...keys.map(secretOf), SERVER_SECRET])).toEqual([]);
    expect(found(answered, [...NUMBERS, 'Broken Canary', 'recipients_gone', 'relation', 'constraint'])).toEqual([]);
  });
});

describe('signing secrets', () => {
  const secrets: string[] = [];
  let holder: Holder;

  it('made, rolled, replayed, refused and signed with', async () => {
    holder = await application.key({ merchant: 'signer' });
    const { client } = holder;
    const authorization = `Bearer ${holder.key}`;
    const path = '/v1/webhook_endpoints';
    const body = { url: 'http://127.0.0.1:9/', enabled_events: ['account.closed'] };
    const kept = async (url: string, payload: object, key: string) => {
      const first = must(await client.post(url, payload, { idempotencyKey: key }));
      expect(must(await client.post(url, payload, { idempotencyKey: key })).text).toBe(first.text);
      secrets.push(first.json['secret'] as string);
      return first.json['id'] as string;
    };
    const ids = [await kept(path, body, 'we 1'), await kept(path, { ...body, ordered: true }, 'we 2')];
    for (const id of ids) await kept(`${path}/${id}/roll_secret`, { expires_in: 600 }, `roll ${id}`);
    const tested = await Promise.all(ids.map((id) => client.post(`${path}/${id}/test`)));
    await send('POST', path, JSON.stringify({ ...body, url: secrets[0] }), undefined, { authorization });
    await send('POST', path, JSON.stringify({ ...body, secret: secrets[0] }), undefined, { authorization });
    await send('POST', path, JSON.stringify({ ...body, enabled_events: [secrets[1]] }), undefined, { authorization });
    await send('POST', `${path}/${ids[0]}/roll_secret`, `{"expires_in":"${secrets[0]}"}`, undefined, { authorization });
    for (const at of ids.keys()) {
      const delivery = `/v1/deliveries/${tested[at]?.json['id'] as string}`;
      const isRefused = async () => (await client.get(delivery)).text.includes('"outcome":"refused"');
      await eventually('the delivery is refused, so it was signed', isRefused);
    }
    for (const url of [path, `${path}/${ids[0]}`, '/v1/deliveries', '/v1/events?limit=100', '/metrics']) {
      expect(await send('GET', url, undefined, undefined, { authorization })).toBe(200);
    }
  });

  it('are in no log line, no metric, and no answer but those that show them', () => {
    expect(new Set(secrets).size).toBe(4);
    const bare = secrets.map((secret) => secret.replace('whsec_', ''));
    expect(found(logged(), [...bare, 'whsec_'])).toEqual([]);
    // What a client typed in the wrong place is named to it.
    const shown = answered.replaceAll(/got \\"whsec_[^"]*"/g, '');
    expect(found(shown, bare)).toEqual([]);
  });

  it('are in the database only sealed', async () => {
    const stored = await storedIn(application);
    const texts = secrets.flatMap((secret) => {
      const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return [bytes.toString('base64').slice(0, 20), bytes.toString('base64url').slice(0, 20), bytes.toString('hex')];
    });
    expect(found(stored, [...texts, 'whsec_'])).toEqual([]);
    const box = secretBox({ current: SERVER_SECRET, previous: [] });
    const rows = await application.sql('SELECT id, secrets FROM webhook_endpoints WHERE environment_id = $1', [
      uuidOf(holder.environmentId),
    ]);
    const opened = rows.flatMap(({ id, secrets: sealed }) =>
      (JSON.parse(sealed as string) as { sealed: string }[]).map((each) =>
        box.open(each.sealed, idOf('we', id as string)),
      ),
    );
    expect(opened.toSorted()).toEqual(secrets.toSorted()); // control: these are the ones that were searched for
  });
});

describe('control', () => {
  it('finds what was put there on purpose', async () => {
    log.warn({ headers: { authorization: `Bearer ${keys[0]}` } }, `paying ${NUMBERS[0]}`);
    expect(found(logged(), [...keys.map(secretOf), ...NUMBERS])).toEqual([
      secretOf(keys[0] as string),
      NUMBERS[0],
      NUMBERS[1],
      NUMBERS[2],
    ]);
    await send('POST', '/v1/accounts', JSON.stringify({ currency: 'EUR', name: `see ${NUMBERS[4]} for ${PASSWORD}` }));
    expect(found(answered, [NUMBERS[4] as string, PASSWORD])).toHaveLength(2);
    expect(found(await storedIn(application), [PASSWORD])).toHaveLength(1);
  });
});
