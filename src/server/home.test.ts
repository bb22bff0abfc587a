/** What a person in the first hour gets from the running service: the page at `/`, JSON that can be read, a way to send a key from a browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indented } from '../core/values/json-text.ts';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { homePage } from './home.ts';
import { idIn, must, RECIPIENT } from '../../test/support/harness/tenant-fixture.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
  const account = idIn(await app.sandbox.client.post('/v1/accounts', { currency: 'EUR' }));
  must(await app.sandbox.client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '100.00' }));
});
afterAll(() => app?.stop());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const CURL = { 'user-agent': 'curl/8.5.0', accept: '*/*' };
const bearer = () => ({ authorization: `Bearer ${app.sandbox.key}` });
const basic = () => ({ authorization: `Basic ${Buffer.from(`${app.sandbox.key}:`).toString('base64')}` });
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

describe('the page at /', () => {
  it('is for browsers: what this is, where to go on, where keys come from', async () => {
    const { status, headers, text } = await get('/', { accept: BROWSER });
    expect([status, headers['content-type'], headers['vary']]).toEqual([200, 'text/html; charset=utf-8', 'Accept']);
    for (const part of ['payments service', 'keys create --sandbox', 'keys create --live', '/v1/accounts'])
      expect(text).toContain(part);
  });
  it('leads to what is there, and needs nothing that its policy refuses', async () => {
    const { headers, text } = await get('/', { accept: BROWSER });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers['x-frame-options']).toBe('DENY');
    expect(text).not.toMatch(/<script| style=|<style/);
    const links = [...text.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link as string);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const { status } = await get(link, { accept: BROWSER });
      // In a copy of the repository neither may be built.
      const isThere = status === 200 || (link.startsWith('/docs') && status === 308);
      expect([link, isThere || (link === '/dashboard' && status === 503)]).toEqual([link, true]);
    }
  });
  it('leads to the dashboard where it answers here, and says nothing of one with a host of its own', () => {
    const page = (hasDashboard: boolean) =>
      homePage({ version: '1', program: 'bursar', hasDashboard, baseUrl: () => 'http://localhost:4242' });
    expect([page(true), page(false)].map((text) => text.includes('href="/dashboard"'))).toEqual([true, false]);
  });
  it('is JSON with links for everybody else', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const { text, headers } = await get('/', { accept });
      expect([headers['vary'], JSON.parse(text)]).toEqual([
        'Accept',
        expect.objectContaining({ docs: '/docs', health: '/readyz' }),
      ]);
    }
  });
});

describe('JSON for curl', () => {
  const read = (headers: Record<string, string>) => get('/v1/accounts', { ...bearer(), ...headers });

  it('is the same text, indented, with a line end', async () => {
    const [plain, shown] = [await read({ accept: '*/*', 'user-agent': 'node' }), await read(CURL)];
    expect(shown.text).toBe(`${JSON.stringify(JSON.parse(plain.text), null, 2)}\n`);
    expect(Number(shown.headers['content-length'])).toBe(Buffer.byteLength(shown.text));
    expect(plain.text).not.toContain('\n');
  });
  it.each([
    ['another client', { accept: '*/*', 'user-agent': 'python-requests/2 curl/8' }],
    ['a program that says what it takes', { ...CURL, accept: 'application/json' }],
  ])('%s gets the bytes as they are', async (_, headers) => {
    expect((await read(headers)).text).not.toContain('\n');
  });
  it('refusals too', async () => {
    const { status, text } = await get('/v1/payouts/po_0', { ...bearer(), ...CURL });
    expect([status, text.startsWith('{\n  "error": {\n    "type": '), text.endsWith('\n  }\n}\n')]).toEqual([
      404,
      true,
      true,
    ]);
  });
  it('what has a tag stays as it is, and its tag with it', async () => {
    const [plain, shown] = [await get('/openapi.json'), await get('/openapi.json', CURL)];
    expect([shown.text, shown.headers['etag']]).toEqual([plain.text, plain.headers['etag']]);
  });
  it('a replay has the bytes of the first answer, for curl and for others', async () => {
    const recipient = idIn(await app.sandbox.client.post('/v1/recipients', RECIPIENT));
    const pay = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/v1/payouts',
        headers: { ...bearer(), 'idempotency-key': 'once', 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ amount: '10.50', currency: 'EUR', recipient }),
      });
    const [first, again] = [await pay(CURL), await pay(CURL)];
    expect([first.status, again.headers['idempotent-replayed'], again.text]).toEqual([200, 'true', first.text]);
    expect(first.text).toContain('\n  "amount": 10.50,\n'); // the digits stay
    const others = [await pay({ accept: '*/*' }), await pay({ ...CURL, accept: 'application/json' })];
    for (const { text } of others) expect([text.includes('\n'), indented(text)]).toEqual([false, first.text]);
  });
});

describe('a browser or a spreadsheet', () => {
  const BASIC = 'Basic realm="Bursar", charset="UTF-8"';
  const challenge = async (url: string, headers: Record<string, string> = {}) => {
    const reply = await get(url, headers);
    return [reply.status, reply.headers['www-authenticate']];
  };
  it.each([
    ['a page', '/v1/accounts', { accept: BROWSER }],
    ['CSV', '/v1/payouts', { accept: 'text/csv' }],
    ['a PDF', '/v1/account_statements', { accept: 'application/pdf' }],
    ['format=csv', '/v1/account_statements?from=2026-11-01&format=csv', { accept: '*/*' }],
    ['format=pdf', '/v1/account_statements?format=pdf', {}],
    ['a page, from the address bar', '/v1/accounts', { accept: BROWSER, 'sec-fetch-site': 'none' }],
  ])('is asked for a name where it asks for %s', async (_, url, headers) => {
    expect(await challenge(url, headers)).toEqual([401, BASIC]);
  });
  it.each([
    ['JSON', '/v1/accounts', { accept: 'application/json' }],
    ['anything', '/v1/accounts', { accept: '*/*' }],
    ['camt.053', '/v1/account_statements?format=camt.053', {}],
    ['a page for another site', '/v1/accounts', { accept: BROWSER, 'sec-fetch-site': 'cross-site' }],
  ])('control: who asks for %s is told of Bearer', async (_, url, headers) => {
    expect(await challenge(url, headers)).toEqual([401, 'Bearer']);
  });
  it('gets a statement with the key as name', async () => {
    for (const format of ['csv', 'pdf']) {
      const { status, headers } = await get(`/v1/account_statements?format=${format}`, {
        ...basic(),
        'sec-fetch-site': 'none',
      });
      expect([status, String(headers['content-type']).includes(format)]).toEqual([200, true]);
    }
  });
  it.each(['POST', 'DELETE', 'GET'] as const)('does nothing with it for another site: %s', async (method) => {
    const url = { POST: '/v1/accounts', DELETE: '/v1/recipients/rcp_0', GET: '/v1/accounts' }[method];
    const ask = async (headers: Record<string, string>) => (await app.inject({ method, url, headers })).status;
    for (const site of ['cross-site', 'same-site']) expect(await ask({ ...basic(), 'sec-fetch-site': site })).toBe(401);
    expect(await ask({ ...basic(), origin: 'https://evil.example' })).toBe(401);
    expect(await ask({ ...basic(), 'sec-fetch-site': 'same-origin' })).not.toBe(401); // control
  });
});
