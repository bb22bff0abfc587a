/** The documentation site as a browser gets it: what may be kept, what is answered where, and that no path leaves the folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { docsSite } from './docs.ts';
import type { BuildState } from './transfer/built-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-docs-'));
const site = join(folder, 'dist');
mkdirSync(join(site, 'assets'), { recursive: true });
mkdirSync(join(site, 'reference'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILES = [
  'index.html',
  'errors.html',
  '404.html',
  'reference/index.html',
  'assets/app.1a2b.js',
  'llms.txt',
  'icon.svg',
];
function build(scripts: readonly string[] = ['sha256-aaa=']): void {
  for (const file of FILES) writeFileSync(join(site, file), `this is ${file}`);
  const files = Object.fromEntries(FILES.map((file) => [file, `hash-of-${file}`]));
  writeFileSync(join(site, 'site.json'), JSON.stringify({ scripts, files }));
}
writeFileSync(join(folder, 'secret.html'), 'not of the site');
const serve = docsSite(site);
const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await serve({ url, headers });
  return {
    status: answer?.status ?? 0,
    headers: answer?.headers ?? {},
    body: answer?.body ?? '',
    type: answer?.contentType,
  };
};
const text = ({ body }: { readonly body: string | Buffer }) => body.toString();

describe('before it is built', () => {
  test('/docs says how, and the errors are there with their anchors', async () => {
    for (const path of ['/docs', '/docs/']) expect(text(await get(path))).toContain('npm run docs');
    expect(text(await get('/docs/errors'))).toContain('id="amount_invalid"');
    expect((await get('/docs')).headers['Content-Security-Policy']).toContain("default-src 'none'");
  });
  test.each([
    ['running', 'is being built', true],
    ['failed', 'could not be built', false],
    ['memory', 'too little free memory', false],
    ['none', 'was not built yet', false],
  ] as const)('/docs says how far a build is: %s', async (state, words, reloads) => {
    const page = text({
      body: (await docsSite(site, undefined, () => state)({ url: '/docs', headers: {} }))?.body ?? '',
    });
    expect(page).toContain(words);
    expect(page.includes('http-equiv="refresh"')).toBe(reloads);
    expect(page.includes('npm run docs')).toBe(!reloads);
  });
  test('/docs lists the pages, and each is there', async () => {
    const links = [...text(await get('/docs')).matchAll(/<li><a href="([^"]+)">/g)].map((match) => match[1] as string);
    expect(links).toEqual(expect.arrayContaining(['/docs/guides/retries', '/docs/webhooks', '/docs/decisions/']));
    expect(links.filter((link) => link.startsWith('/docs/decisions/'))).toEqual(['/docs/decisions/']);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });
  test.each([
    ['/docs/guides/retries', 'guides/retries.md'],
    ['/docs/guides/retries?utm=1', 'guides/retries.md'],
    ['/docs/guides/retries.md', 'guides/retries.md'],
    ['/docs/index', 'index.md'],
    ['/docs/decisions/', 'decisions/README.md'],
    ['/docs/decisions', 'decisions/README.md'],
    ['/docs/decisions/0002-amounts-on-the-wire', 'decisions/0002-amounts-on-the-wire.md'],
  ])('%s is the text of %s', async (url, file) => {
    const answer = await get(url);
    expect(text(answer)).toBe(readFileSync(join(import.meta.dirname, '../../../docs', file), 'utf8'));
    expect([answer.status, answer.type, answer.headers]).toEqual([
      200,
      'text/plain; charset=utf-8',
      { 'Cache-Control': 'no-cache' },
    ]);
  });
  test('of the folder of the sources alone, and of its Markdown', async () => {
    const sources = join(folder, 'sources');
    mkdirSync(join(sources, 'guides'), { recursive: true });
    for (const name of ['guides/one.md', 'guides/<b>.md', 'plain.txt'])
      writeFileSync(join(sources, name), 'this is it');
    writeFileSync(join(folder, 'secret.md'), 'not of the documentation');
    symlinkSync(join(folder, 'secret.md'), join(sources, 'link.md'));
    const ask = docsSite(null, sources);
    expect((await ask({ url: '/docs/guides/one', headers: {} }))?.body).toBe('this is it');
    expect(text({ body: (await ask({ url: '/docs', headers: {} }))?.body ?? '' }).match(/<li>/g)).toHaveLength(1);
    const nothing =
      'guides/two guides/ guides guides/<b> plain plain.txt link ../secret guides/../../secret %2e%2e/secret ..%2fsecret ..\\secret /etc/passwd __proto__ \0';
    for (const below of nothing.split(' '))
      expect([below, await ask({ url: `/docs/${below}`, headers: {} })]).toEqual([below, null]);
  });
  test('an installation without its sources has no page but two', async () => {
    const ask = docsSite(null, join(folder, 'nowhere'));
    expect((await ask({ url: '/docs', headers: {} }))?.status).toBe(200);
    expect(await ask({ url: '/docs/guides/retries', headers: {} })).toBe(null);
  });
  test('where there is no folder, too', async () => {
    expect((await docsSite(null)({ url: '/docs', headers: {} }))?.status).toBe(200);
  });
});

describe('when it is built', () => {
  test('it is served without a new start', async () => {
    let state: BuildState = 'running';
    const ask = docsSite(site, undefined, () => state);
    const home = async () => text({ body: (await ask({ url: '/docs/', headers: {} }))?.body ?? '' });
    expect([await home(), text(await get('/docs/'))]).toEqual([
      expect.stringContaining('is being built'),
      expect.stringContaining('npm run docs'),
    ]);
    build();
    expect([await home(), text(await get('/docs/'))]).toEqual(Array(2).fill('this is index.html'));
    state = 'failed'; // a site from before is served all the same
    expect(await home()).toBe('this is index.html');
  });

  test.each([
    ['/docs/', 'index.html', 'text/html; charset=utf-8'],
    ['/docs/errors', 'errors.html', 'text/html; charset=utf-8'],
    ['/docs/errors?utm=1', 'errors.html', 'text/html; charset=utf-8'],
    ['/docs/reference/', 'reference/index.html', 'text/html; charset=utf-8'],
    ['/docs/assets/app.1a2b.js', 'assets/app.1a2b.js', 'text/javascript; charset=utf-8'],
    ['/docs/llms.txt', 'llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/icon.svg', 'icon.svg', 'image/svg+xml'],
  ])('%s', async (url, file, type) => {
    const answer = await get(url);
    expect([answer.status, text(answer), answer.type]).toEqual([200, `this is ${file}`, type]);
  });

  test.each([
    ['/docs', '/docs/'],
    ['/docs/errors/', '/docs/errors'],
    ['/docs/errors.html', '/docs/errors'],
    ['/docs/index.html', '/docs/'],
    ['/docs/reference', '/docs/reference/'],
    ['/docs/reference/index.html', '/docs/reference/'],
  ])('%s leads to %s', async (url, location) => {
    const { status, headers } = await get(url);
    expect([status, headers['Location']]).toEqual([308, location]);
  });

  test.each([
    '/docs/nothing',
    '/docs/site.json',
    '/docs/../secret.html',
    '/docs/../secret',
    '/docs/%2e%2e/secret.html',
    '/docs/..%2fsecret',
    '/docs//etc/passwd',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/toString/',
    '/docs/\0',
  ])('%s is nothing', async (url) => {
    const answer = await get(url);
    expect([answer.status, text(answer)]).toEqual([404, 'this is 404.html']);
  });

  test('pages are asked for again, what has its hash in its name is kept', async () => {
    const page = await get('/docs/errors');
    expect(page.headers).toMatchObject({
      'Cache-Control': 'no-cache',
      ETag: '"hash-of-errors.html"',
      Vary: 'Accept-Encoding',
    });
    const again = await get('/docs/errors', { 'if-none-match': '"hash-of-errors.html"' });
    expect([again.status, again.body]).toEqual([304, '']);
    expect((await get('/docs/errors', { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get('/docs/assets/app.1a2b.js')).headers['Cache-Control']).toContain('immutable');
    expect((await get('/docs/nothing', { 'if-none-match': '*' })).status).toBe(404);
  });

  test('is compressed for who takes it', async () => {
    const page = await get('/docs/errors', { 'accept-encoding': 'br, gzip' });
    expect(page.headers).toMatchObject({ 'Content-Encoding': 'gzip', ETag: '"hash-of-errors.html-gzip"' });
    expect(gunzipSync(page.body as Buffer).toString()).toBe('this is errors.html');
    expect((await get('/docs/errors')).headers['Content-Encoding']).toBeUndefined();
  });

  test('the policy allows this site and the known scripts, and pages only need one', async () => {
    const { 'Content-Security-Policy': policy } = (await get('/docs/errors')).headers;
    expect(policy).toBe(
      "default-src 'none'; script-src 'self' 'sha256-aaa='; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect((await get('/docs/llms.txt')).headers['Content-Security-Policy']).toBeUndefined();
  });

  test('a new build is noticed', async () => {
    build(['sha256-bbb=']);
    utimesSync(join(site, 'site.json'), 2, 2);
    expect((await get('/docs/errors')).headers['Content-Security-Policy']).toContain('sha256-bbb=');
  });
});
