/** The addresses in answers, over real HTTP: `doc_url` and `Link` are absolute, open something, and no header of a request is in them. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Json, Reply } from '../../../test/support/harness/http.ts';
import { must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { ERRORS } from '../../core/values/errors.ts';

const PUBLIC = 'https://pay.example.com/bursar';
let local: Application;
let named: Application;

beforeAll(async () => {
  [local, named] = await Promise.all([startApplication(), startApplication({ config: { publicUrl: PUBLIC } })]);
}, 60_000);
afterAll(() => Promise.all([local?.stop(), named?.stop()]));

const docUrlIn = ({ json }: Pick<Reply, 'json'>) => (json['error'] as Json)['doc_url'] as string;
/** One refusal of each place that writes them: parser, router, key check, decision, idempotency record. */
async function refusals({ sandbox: { client } }: Application): Promise<Reply[]> {
  const recipient = must(await client.post('/v1/recipients', RECIPIENT)).json['id'];
  const order = { amount: '1', currency: 'EUR', recipient };
  must(await client.post('/v1/accounts', { currency: 'EUR' }));
  const idempotencyKey = 'refused';
  const all = [
    await client.get('/v1/payouts?limit=0'),
    await client.get('/v1/nothing'),
    await client.write('PUT', '/v1/payouts', ''),
    await client.send('GET', '/v1/payouts', '', { authorization: 'Bearer nothing' }),
    await client.post('/v1/payouts', order, { idempotencyKey }),
    await client.post('/v1/payouts', order, { idempotencyKey }),
    await client.post('/v1/payouts', { ...order, amount: '2' }, { idempotencyKey }),
  ];
  expect(all.map(({ json }) => (json['error'] as Json)['code'])).toEqual([
    'parameter_invalid',
    'path_unknown',
    'method_not_allowed',
    'api_key_invalid',
    'balance_insufficient',
    'balance_insufficient',
    'idempotency_key_reused',
  ]);
  expect(all[5]?.text).toBe(all[4]?.text);
  return all;
}

describe('doc_url', () => {
  it('is below the address where the process listens, and opens the page that explains the code', async () => {
    for (const reply of await refusals(local)) {
      const address = docUrlIn(reply);
      const { code } = reply.json['error'] as { code: string };
      expect(address).toBe(`${local.address}/docs/errors#${code}`);
      const page = await fetch(address);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(` id="${code}"`);
    }
  });

  it('every code has its place on that page', async () => {
    const page = await (await fetch(`${local.address}/docs/errors`)).text();
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`id="${code}"`);
  });

  it('is below the public address where there is one', async () => {
    for (const reply of await refusals(named)) expect(docUrlIn(reply)).toMatch(`${PUBLIC}/docs/errors#`);
    const { client } = named.sandbox;
    const problem = await client.send('GET', '/v1/payouts?limit=0', '', { accept: 'application/problem+json' });
    expect(problem.json['type']).toBe(`${PUBLIC}/docs/errors#parameter_invalid`);
  });

  it('of rejected items of a batch too; what succeeds has none', async () => {
    const { client } = named.sandbox;
    const account = must(await client.post('/v1/accounts', { currency: 'USD' }));
    expect(account.text).not.toContain(PUBLIC);
    const payouts = [{ amount: '1', currency: 'EUR', recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa' }];
    const { json } = must(await client.post('/v1/payouts/batch', { mode: 'partial', payouts }));
    const [rejected] = json['results'] as readonly [Json];
    expect((rejected['error'] as Json)['doc_url']).toBe(`${PUBLIC}/docs/errors#resource_missing`);
  });

  it('of what is no HTTP as well', async () => {
    const socket = connect(Number(new URL(named.address).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    expect(await text(socket)).toContain(`"doc_url":"${PUBLIC}/docs/errors#body_invalid"`);
  });

  it('does not come from the Host header', async () => {
    const reply = await local.sandbox.client.send('GET', '/v1/nothing', '', { host: 'evil.example' });
    expect(reply.text).not.toContain('evil');
  });
});

describe('Link', () => {
  it('is the whole address of the next page', async () => {
    const { client } = local.sandbox;
    for (let i = 0; i < 2; i++) must(await client.post('/v1/accounts', { currency: 'CHF' }));
    const page = must(await client.get('/v1/accounts?currency=CHF&limit=1'));
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(page.headers['link'] as string) ?? [];
    const [first] = page.json['data'] as readonly [Json];
    expect(next).toBe(`${local.address}/v1/accounts?currency=CHF&limit=1&starting_after=${first['id'] as string}`);
    const rest = must(await client.send('GET', next.slice(local.address.length), '', {}));
    expect(rest.json['data']).toHaveLength(1);
    // The answer may be one of the response cache, given to whoever asks: it must not depend on a header.
    for (const host of ['evil.example', 'other.example']) {
      const asked = must(await client.send('GET', '/v1/accounts?currency=CHF&limit=1', '', { host }));
      expect(asked.headers['link']).toBe(page.headers['link']);
    }
  });

  it('is below the public address where there is one', async () => {
    const { client } = named.sandbox;
    for (let i = 0; i < 2; i++) must(await client.post('/v1/accounts', { currency: 'CHF' }));
    const { headers } = must(await client.get('/v1/accounts?currency=CHF&limit=1'));
    expect(headers['link']).toMatch(`<${PUBLIC}/v1/accounts?currency=CHF&limit=1&starting_after=acct_`);
  });
});
