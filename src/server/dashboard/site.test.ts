/** The dashboard as a browser gets it: its headers, what may be kept, where it answers, and what there is before it is built. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { BuildState } from '../../platform/http/transfer/built-folder.ts';
import { dashboardSite, policyOfPage } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-dashboard-'));
const dist = join(folder, 'dist');
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE =
  '<!doctype html><meta name="csp-nonce" content=""><script type="module" src="/dashboard/assets/a.1.js"></script>';
const FILES: Readonly<Record<string, string | Buffer>> = {
  'index.html': PAGE,
  'icon.svg': '<svg/>',
  'assets/a.1.js': 'script',
  'assets/a.1.js.br': brotliCompressSync('script'),
  'assets/b.2.css': 'styles',
};
function build(page = PAGE): void {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  for (const [file, text] of Object.entries({ ...FILES, 'index.html': page })) writeFileSync(join(dist, file), text);
  const files = Object.fromEntries(Object.keys(FILES).map((file) => [file, `hash-of-${file}`]));
  writeFileSync(join(dist, 'files.json'), JSON.stringify({ files }));
}
writeFileSync(join(folder, 'secret.js'), 'not of the dashboard');

let state: BuildState = 'none';
const published = { publicUrl: 'https://pay.example.com', dashboardUrl: null };
const local = { publicUrl: '', dashboardUrl: null };
const ask = async (url: string, headers: Record<string, string> = {}, addresses: typeof published = local) => {
  const site = dashboardSite({ ...addresses, folder: dist, build: () => state });
  return site({ url, headers: { host: 'localhost:4242', ...headers } });
};
const textOf = (answer: Awaited<ReturnType<typeof ask>>) => answer?.body.toString() ?? '';
const nonceIn = (text: string) => / (?:content|nonce)="([^"]{20,})"/.exec(text)?.[1] ?? 'none';

describe('before it is built', () => {
  it.each([
    ['running', 'is being built', true],
    ['failed', 'could not be built', false],
    ['memory', 'too little free memory', false],
    ['none', 'was not built yet', false],
  ] as const)('a page says how far a build is: %s', async (now, words, reloads) => {
    state = now;
    for (const path of ['/dashboard', '/dashboard/sandbox/payouts']) {
      const answer = await ask(path);
      const text = textOf(answer);
      expect([answer?.status, text.includes(words)]).toEqual([503, true]);
      const scripts = text.match(/<script.*?<\/script>/g) ?? [];
      expect(scripts).toEqual(reloads ? ['<script src="/dashboard/again.js" async></script>'] : []);
      expect(text.includes('npm run dashboard')).toBe(!reloads);
      expect(answer?.headers['Content-Security-Policy']).toBe(policyOfPage(nonceIn(text)));
    }
  });
  it('what loads the page again is there, then and later', async () => {
    const answer = await ask('/dashboard/again.js');
    expect(answer).toMatchObject({ status: 200, contentType: 'text/javascript; charset=utf-8' });
    expect(textOf(answer)).toContain('location.reload()');
    build();
    expect(await ask('/dashboard/again.js')).toEqual(answer);
    rmSync(dist, { recursive: true });
  });
  it('its files are not there', async () => expect(await ask('/dashboard/assets/a.1.js')).toBe(null));
});

describe('when it is built', () => {
  beforeAll(() => build());

  it('the page has exactly these headers, and the nonce of its policy where the application looks for it', async () => {
    const answer = await ask('/dashboard');
    const nonce = nonceIn(textOf(answer));
    expect(answer).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: PAGE.replace('content=""', `content="${nonce}"`),
      headers: {
        'Cache-Control': 'no-store',
        'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default`,
        'X-Frame-Options': 'DENY',
        'X-Robots-Tag': 'noindex, nofollow',
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      },
    });
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
  });
  it('every page has a nonce of its own', async () => {
    const nonces = await Promise.all(Array.from({ length: 20 }, async () => nonceIn(textOf(await ask('/dashboard')))));
    expect(new Set(nonces).size).toBe(20);
  });
  it.each([
    '/dashboard/',
    '/dashboard/live/payouts/po_1',
    '/dashboard?x=1',
    '/dashboard/index.html',
    '/dashboard/apiary',
  ])('%s is the page', async (url) =>
    expect([(await ask(url))?.status, textOf(await ask(url)).includes('a.1.js')]).toEqual([200, true]),
  );
  it.each([
    '/dashboard/assets/nothing.js',
    '/dashboard/assets/a.1.js.br',
    '/dashboard/assets/../../secret.js',
    '/dashboard/assets/%2e%2e/%2e%2e/secret.js',
    '/dashboard/assets/__proto__',
    '/dashboard/api',
    '/dashboard/api/v1/accounts',
    '/dashboard/api/session?x=1',
  ])('%s is nothing', async (url) => expect(await ask(url)).toBe(null));
  it.each([
    '/dashboard/../secret.js',
    '/dashboard/files.json',
    '/dashboard/%2e%2e%2fsecret.js',
    '/dashboard/constructor',
  ])('%s is no file', async (url) => expect(textOf(await ask(url))).toContain('csp-nonce'));

  it('files are kept for ever where their name holds a hash, and are no pages', async () => {
    const script = await ask('/dashboard/assets/a.1.js?v=1');
    expect(script).toMatchObject({ status: 200, contentType: 'text/javascript; charset=utf-8' });
    expect(script?.headers).toMatchObject({
      'Cache-Control': 'public, max-age=31536000, immutable',
      ETag: '"hash-of-assets/a.1.js"',
      Vary: 'Accept-Encoding',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    expect((await ask('/dashboard/icon.svg'))?.headers['Cache-Control']).toBe('no-cache');
    const again = await ask('/dashboard/assets/a.1.js', { 'if-none-match': '"hash-of-assets/a.1.js"' });
    expect([again?.status, again?.body]).toEqual([304, '']);
  });
  it('takes what the build has compressed, else compresses by itself', async () => {
    const both = { 'accept-encoding': 'gzip, deflate, br' };
    const [brotli, zipped] = [
      await ask('/dashboard/assets/a.1.js', both),
      await ask('/dashboard/assets/b.2.css', both),
    ];
    expect([brotli?.headers['Content-Encoding'], zipped?.headers['Content-Encoding']]).toEqual(['br', 'gzip']);
    expect([brotli?.headers['ETag'], zipped?.headers['ETag']]).toEqual([
      '"hash-of-assets/a.1.js-br"',
      '"hash-of-assets/b.2.css-gzip"',
    ]);
    expect(brotliDecompressSync(brotli?.body as Buffer).toString()).toBe('script');
    expect(gunzipSync(zipped?.body as Buffer).toString()).toBe('styles');
    const plain = await ask('/dashboard/assets/a.1.js', { 'accept-encoding': 'gzip;q=0, br;q=0' });
    expect([plain?.headers['Content-Encoding'], textOf(plain)]).toEqual([undefined, 'script']);
  });
  it('a new build is noticed, and one without a place for the nonce is not shown', async () => {
    build('<!doctype html>');
    utimesSync(join(dist, 'files.json'), 2, 2);
    await expect(ask('/dashboard')).rejects.toThrow('no one place for a nonce');
    build();
  });
});

describe('the host', () => {
  const own = { ...published, dashboardUrl: 'https://console.example.com' };
  const hosted = (host: string, addresses: object) => ask('/dashboard', { host }, { ...local, ...addresses });

  it('at another name there is a page without script, which shows nothing of the request', async () => {
    const answer = await hosted('evil.example:4242', published);
    expect([answer?.status, textOf(answer).includes('csp-nonce'), textOf(answer).includes('evil')]).toEqual([
      421,
      false,
      false,
    ]);
    for (const part of ['https', 'ssh -L', 'BURSAR_DASHBOARD_URL']) expect(textOf(answer)).toContain(part);
    expect(textOf(answer)).not.toContain('<script');
    expect((await ask('/dashboard/assets/a.1.js', { host: 'evil.example' }))?.status).toBe(421);
    expect((await hosted('pay.example.com', published))?.status).toBe(200); // control
  });
  it('of its own is the only one', async () => {
    for (const host of ['pay.example.com', 'localhost:4242']) expect(await hosted(host, own)).toBe(null);
    expect((await hosted('console.example.com', own))?.status).toBe(200);
  });
  it('over https the browser keeps to it', async () => {
    const kept = async (host: string) => (await hosted(host, published))?.headers['Strict-Transport-Security'];
    expect([await kept('pay.example.com'), await kept('localhost:4242')]).toEqual(['max-age=31536000', undefined]);
  });
});

describe('in the running service', () => {
  const running: Application[] = [];
  const start = async (config: Record<string, unknown> = {}) => {
    const app = await startApplication({ config, dashboardFolder: dist });
    running.push(app);
    return app;
  };
  afterAll(() => Promise.all(running.map((app) => app.stop())));
  let app: Application;
  beforeAll(async () => {
    app = await start();
  });
  beforeEach(() => build());
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET', of = app) =>
    of.inject({ method, url, headers: { host: 'localhost:4242', ...headers } });

  it('is the page, with the headers of every answer', async () => {
    const { status, headers, text } = await get('/dashboard/sandbox/payouts');
    expect([status, text.includes('csp-nonce'), headers['x-content-type-options']]).toEqual([200, true, 'nosniff']);
    expect(headers['content-security-policy']).toBe(policyOfPage(nonceIn(text)));
    expect(headers['cache-control']).toBe('no-store');
  });
  it('HEAD has no body, and other methods are refused with those there are', async () => {
    const head = await fetch(`${app.address}/dashboard`, { method: 'HEAD' });
    expect([head.status, await head.text(), Number(head.headers.get('content-length')) > 50]).toEqual([200, '', true]);
    const post = await get('/dashboard/sandbox', {}, 'POST');
    expect([post.status, post.headers['allow'], JSON.parse(post.text).error.code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
  });
  it('what is not there is an unknown path of the service', async () => {
    for (const url of ['/dashboard/assets/nothing.js', '/dashboard/api/nothing', '/dashboards']) {
      const { status, text } = await get(url);
      expect([url, status, JSON.parse(text).error.code]).toEqual([url, 404, 'path_unknown']);
    }
  });
  it('with a host of its own, and switched off, there is no trace of it at the others, and they are as before', async () => {
    const apart = await start({ dashboardUrl: 'https://console.example.com', publicUrl: 'https://pay.example.com' });
    const off = await start({ dashboard: false });
    const bodyOf = async (of: Application, url: string) => {
      const { status, text } = await get(url, { host: 'pay.example.com' }, 'GET', of);
      return [status, text.replaceAll(/req_\w+/g, 'req')];
    };
    const unknown = await bodyOf(off, '/nothing');
    expect(unknown[0]).toBe(404);
    expect([await bodyOf(off, '/dashboard'), await bodyOf(off, '/dashboard/assets/a.1.js')]).toEqual([
      unknown,
      unknown,
    ]);
    expect(await bodyOf(apart, '/dashboard')).toEqual(await bodyOf(apart, '/nothing'));
    for (const host of ['console.example.com', 'pay.example.com', 'localhost']) {
      expect((await get('/v1/accounts', { host }, 'GET', apart)).status).toBe(401);
      expect((await get('/docs/', { host }, 'GET', apart)).status).toBe(200);
    }
    expect((await get('/dashboard', { host: 'console.example.com' }, 'GET', apart)).status).toBe(200); // control
  });
});
