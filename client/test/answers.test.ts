/** What comes back from the real service: how an answer came, lists as arrays, another key for one call, and a page without a key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { type Bursar, BursarError, createClient } from '../src/bursar.ts';
import { rawServer } from './raw-server.ts';

let app: Application;
let bursar: Bursar;
let recipient: string;
let account: string;
const asked: string[] = [];

beforeAll(async () => {
  app = await startApplication();
  const watched: typeof fetch = (input, init) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return fetch(input, init);
  };
  bursar = createClient({ url: app.address, apiKey: app.sandbox.key, fetch: watched });
  const details = { currency: 'EUR', country: 'DE', bank_details: { iban: 'DE89370400440532013000' } };
  recipient = (await bursar.recipients.create({ name: 'Grace Hopper', type: 'individual', ...details })).id;
  account = (await bursar.accounts.create({ currency: 'EUR' })).id;
  await bursar.testHelpers.accounts.fund(account, { amount: '1000.00' });
});
afterAll(() => app.stop());

const order = () => ({ amount: '0.10', currency: 'EUR', recipient }) as const;

describe('an answer says how it came', () => {
  it('whether it is the answer of an earlier request, and under which key', async () => {
    const first = await bursar.payouts.create(order(), { idempotencyKey: 'salary-1' });
    const again = await bursar.payouts.create(order(), { idempotencyKey: 'salary-1' });
    expect(again).toEqual(first);
    expect([first, again].map(({ lastResponse }) => lastResponse.replayed)).toEqual([false, true]);
    const { status, requestId, idempotencyKey, headers, version } = again.lastResponse;
    expect([status, idempotencyKey, version]).toEqual([200, 'salary-1', headers.get('Bursar-Version') ?? undefined]);
    expect(requestId).toMatch(/^req_/);
    expect(requestId).toBe(headers.get('Request-Id'));
    expect(headers.get('content-type')).toContain('application/json');
    expect(first.lastResponse.requestId).not.toBe(requestId);
  });

  it('beside the object, and not in it', async () => {
    const read = await bursar.accounts.retrieve(account);
    expect(read.lastResponse.idempotencyKey).toBeUndefined();
    expect(Object.keys(read)).not.toContain('lastResponse');
    expect(JSON.stringify({ ...read })).not.toContain('lastResponse');
  });

  it('of a page of a list, and of a refusal', async () => {
    const page = await bursar.payouts.list({ limit: 1 }).page();
    expect(page.lastResponse.requestId).toMatch(/^req_/);
    expect(page.lastResponse.headers.get('Content-Type')).toContain('application/json');
    expect(Object.keys(page)).not.toContain('lastResponse');
    const error = await bursar.payouts
      .create({ ...order(), currency: 'EU' }, { idempotencyKey: 'k' })
      .catch((fault: unknown) => fault);
    if (!BursarError.is(error)) throw error;
    expect(error.headers.get('Request-Id')).toBe(error.requestId);
    expect(error.idempotencyKey).toBe('k');
  });
});

describe('a list as an array', () => {
  beforeAll(async () => {
    for (let count = 0; count < 4; count += 1) await bursar.payouts.create(order());
  });
  const requests = async <T>(work: () => Promise<T>) => {
    const before = asked.length;
    return [await work(), asked.slice(before).map((url) => new URL(url).search)] as const;
  };

  it('holds as many as were asked for, over several pages, and asks for no page too many', async () => {
    const all = await bursar.payouts.list().autoPagingToArray({ limit: 10_000 });
    expect(all).toHaveLength(5);
    const [three, searches] = await requests(() => bursar.payouts.list({ limit: 2 }).autoPagingToArray({ limit: 3 }));
    expect(three).toEqual(all.slice(0, 3));
    expect(searches).toHaveLength(2);
    const [two, [search, ...more]] = await requests(() => bursar.payouts.list().autoPagingToArray({ limit: 2 }));
    expect([two, search, more]).toEqual([all.slice(0, 2), '?limit=2', []]);
    const filtered = await bursar.payouts.list({ status: ['paid', 'failed'] }).autoPagingToArray({ limit: 5 });
    expect(filtered).toEqual([]);
  });

  it.each([0, -1, 1.5, 10_001, Number.NaN, undefined])('refuses a limit of %s', async (limit) => {
    const array = bursar.payouts.list().autoPagingToArray({ limit: limit as number });
    await expect(array).rejects.toThrow(`autoPagingToArray takes a limit of 1 to 10000, not ${limit}`);
  });
});

it('one call goes with another key', async () => {
  await bursar.accounts.create({ currency: 'EUR' }, { apiKey: app.otherSandbox.key });
  const [other] = await bursar.accounts.list({}, { apiKey: app.otherSandbox.key }).autoPagingToArray({ limit: 1 });
  expect(other?.id).toMatch(/^acct_/);
  await expect(bursar.accounts.retrieve(other?.id ?? '')).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(bursar.accounts.retrieve(account)).resolves.toMatchObject({ id: account });
});

it('a verb takes options behind its parameters, and the second call is a replay', async () => {
  const { id } = await bursar.payouts.create(order());
  const cancel = () => bursar.payouts.cancel(id, {}, { idempotencyKey: `cancel-${id}` });
  expect([(await cancel()).lastResponse.replayed, (await cancel()).lastResponse.replayed]).toEqual([false, true]);
});

it('a parameter that an operation does not take is sent, and refused by the service', async () => {
  const call = bursar.payouts.cancel('po_01jd3v9q4ne8v8k3w2m6r5t7xa', { reason: 'x' } as never);
  await expect(call).rejects.toMatchObject({ code: 'parameter_unknown', param: 'reason' });
});

it('a page pays through the server of its origin, which knows its session and adds the key', async () => {
  const origin = await rawServer((response, _, { method, path, headers, body }) => {
    if (headers.cookie !== 'session=ada') return void response.writeHead(401).end();
    const { 'content-type': type = '', 'idempotency-key': key = '' } = headers;
    const sent = { Authorization: `Bearer ${app.sandbox.key}`, 'Content-Type': type, 'Idempotency-Key': String(key) };
    const answered = fetch(`${app.address}${path}`, { method, headers: sent, ...(body !== '' && { body }) });
    return void answered.then(async (answer) => {
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    });
  });
  const page = createClient({ url: origin.address, headers: { Cookie: 'session=ada' } });
  await expect(page.payouts.create(order())).resolves.toMatchObject({ amount: '0.10' });
  expect(origin.requests[0]?.headers).not.toHaveProperty('authorization');
  await expect(createClient({ url: origin.address }).payouts.create(order())).rejects.toMatchObject({ status: 401 });
  await origin.stop();
});
