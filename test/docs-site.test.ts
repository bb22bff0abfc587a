/**
 * The documentation site before VitePress builds it: every page is there, links lead somewhere, and the reference holds every
 * operation. How it looks in a browser: `test/long/docs-site.test.ts`.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptHashes, mended } from '../site/finish.ts';
import { EVENT_MEANINGS } from '../scripts/event-meanings.ts';
import { linksOf, siteLinks } from '../site/links.ts';
import { codesIn, KEYWORDS, withKeywords } from '../site/search.ts';
import { unlisted } from '../site/navigation.ts';
import { readReference } from '../site/reference/document.ts';
import { membersOf, typeOf } from '../site/reference/schema.ts';
import { stage } from '../site/stage.ts';
import { ERRORS } from '../src/core/values/errors.ts';
import { DOCUMENT } from './support/harness/all-routes.ts';

const ROOT = join(import.meta.dirname, '..');
const staged = stage(ROOT);
const reference = readReference(DOCUMENT);

describe('pages', () => {
  it('are all Markdown files of docs/', () => {
    const files = readdirSync(join(ROOT, 'docs'), { recursive: true })
      .map((path) => String(path).replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.md'));
    expect(files.length).toBeGreaterThan(50);
    const places = files.map((path) => path.replace(/\.md$/, '').replace(/README$/, 'index'));
    expect(places.filter((place) => !staged.pages.has(place))).toEqual([]);
  });
  it('that no group lists get a place of their own', () => {
    expect(unlisted(['docs/errors.md', 'docs/clients/new.md', 'docs/decisions/0001-x.md']).pages).toEqual([
      { source: 'docs/clients/new.md', path: 'clients/new' },
    ]);
  });

  it('link to pages of the site', () => {
    const dead = [...staged.pages].flatMap(([page, markdown]) =>
      linksOf(markdown)
        .filter((target) => target.startsWith('/') && !target.startsWith('/files/') && target !== '/openapi.json')
        .map((target) => target.split('#', 1)[0]?.replace(/^\//, '').replace(/\/$/, '/index') ?? '')
        .filter((target) => !staged.pages.has(target === '' ? 'index' : target))
        .map((target) => `${page} → ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('are all in llms.txt but decision records and recorded answers', () => {
    const listed = [...staged.llms.matchAll(/\]\(\/docs\/([^)]+)\.md\)/g)].map(([, path]) => path as string);
    const missing = [...staged.pages.keys()].filter((path) => !/^decisions\/\d/.test(path) && !listed.includes(path));
    expect(missing).toEqual(['index', 'examples/interface']);
    expect(listed.filter((path) => !staged.pages.has(path))).toEqual([]);
  });
});

it('an object that extends another is shown with the members of both', () => {
  const cancellation = { $ref: '#/components/schemas/PayoutBatchCancellation' };
  const names = membersOf(cancellation, reference).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['id', 'open_count', 'canceled_count']));
  expect([typeOf(cancellation, reference), new Set(names).size]).toEqual(['object', names.length]);
});

describe('the page of events', () => {
  const strangers = (meanings: typeof EVENT_MEANINGS) =>
    Object.entries(meanings).flatMap(([type, { object, previous = '' }]) => {
      const known = new Set(
        object.split(' or ').flatMap((name) => {
          const schema = { $ref: `#/components/schemas/${name}` };
          return membersOf(schema, reference).map((member) => member.name);
        }),
      );
      return [...previous.matchAll(/`([a-z_]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${type} ${name}`);
    });

  it('names former values that the object has', () => expect(strangers(EVENT_MEANINGS)).toEqual([]));
  it('control: finds a former name', () => {
    const wrong = { when: 'Once.', object: 'StandingOrder', previous: '`status`, `next`' };
    expect(strangers({ ...EVENT_MEANINGS, 'standing_order.run_failed': wrong })).toEqual([
      'standing_order.run_failed next',
    ]);
  });
});

describe('links', () => {
  const files: string[] = [];
  const change = (text: string) =>
    siteLinks('docs/guides/a.md', text, {
      placeOf: (source) =>
        ({ 'docs/guides/b.md': 'guides/b', 'README.md': 'overview', 'docs/decisions/README.md': 'decisions/' })[source],
      onFile(file) {
        files.push(file);
        return `${file}.txt`;
      },
    });
  it.each([
    ['[b](b.md#part)', '[b](/guides/b#part)'],
    ['[`code`](../../README.md)', '[`code`](/overview)'],
    ['[all](../decisions)', '[all](/decisions/)'],
    ['[conf](../../deploy/nginx.conf)', '[conf](/files/deploy/nginx.conf.txt)'],
    ['![picture](x.png "title")', '![picture](/files/docs/guides/x.png.txt "title")'],
    ['[there](https://example.com) [here](#part)', '[there](https://example.com) [here](#part)'],
    ['`[b](b.md)`', '`[b](b.md)`'],
    ['```\n[b](b.md)\n```', '```\n[b](b.md)\n```'],
    ['    [b](b.md)', '    [b](b.md)'],
  ])('%s', (from, to) => expect(change(from)).toBe(to));
  it('tells which files are linked to', () => expect(files).toEqual(['deploy/nginx.conf', 'docs/guides/x.png']));
});

describe('the reference', () => {
  const pages = [...staged.pages].filter(([path]) => path.startsWith('reference/'));
  const all = pages.map(([, markdown]) => markdown).join('\n');
  /** The pages that begin with the summary of the operation. */
  const pagesOf = (summary: string) => pages.filter(([, markdown]) => markdown.includes(`\n# ${summary}\n`));

  it('has a page for every operation, with its method, its path, its scopes and its parameters', () => {
    expect(reference.operations.length).toBeGreaterThan(100);
    for (const { id, method, path, summary, parameters, scopes } of reference.operations) {
      const found = pagesOf(summary);
      expect([id, found.length]).toEqual([id, 1]);
      const page = found[0]?.[1] ?? '';
      const shown = [`>${method}</span> <code v-pre>${path}</code>`, ...scopes.map((scope) => `<code>${scope}</code>`)];
      const wanted = [...shown, ...parameters.map(({ name }) => name.replace('[]', ''))];
      expect([id, wanted.filter((part) => !page.includes(part))]).toEqual([id, []]);
      // Who asks may always ask who it is.
      expect([id, scopes.length > 0]).toEqual([id, id !== 'retrieveMe']);
    }
  });
  it('control: an operation that no page is about is seen', () => expect(pagesOf('Print money')).toEqual([]));

  it('lists each operation on the page of its tag, at the place of its name, and in the menu there', () => {
    for (const { id, tag, summary } of reference.operations) {
      const folder = `reference/${tag.toLowerCase().replaceAll(' ', '-')}/`;
      expect([id, staged.pages.get(`${folder}index`)?.includes(`<li id="${id}"><a href="/docs/${folder}`)]).toEqual([
        id,
        true,
      ]);
      expect([id, JSON.stringify(staged.menus[`/${folder}`]).includes(JSON.stringify(summary))]).toEqual([id, true]);
    }
  });

  it('has a place on no page for operations of another, so that menus stay small', () => {
    expect(JSON.stringify(staged.menus['/']).includes('Create a payout')).toBe(false);
    expect(JSON.stringify(staged.menus['/reference/payouts/']).includes('Create an account')).toBe(false);
  });

  it('shows each as curl and as TypeScript, but where a file is sent', () => {
    const count = (language: string) => all.split(`\`\`\`${language}\n`).length - 1;
    const shown = reference.operations.filter(
      ({ method, body, bodyTypes }) => method !== 'POST' || body !== null || bodyTypes.length === 0,
    );
    expect(shown.length).toBe(reference.operations.length - 1);
    expect([count('ts'), count('sh')]).toEqual([shown.length, shown.length + 1]); // and the line that sets the variables
  });

  it('leads from every refusal to its explanation', () => {
    const errors = staged.pages.get('errors') ?? '';
    const codes = new Set([...all.matchAll(/\/docs\/errors#([a-z_]+)/g)].map(([, code]) => code as string));
    expect(codes.size).toBeGreaterThan(30);
    expect([...codes].filter((code) => !errors.includes(`id="${code}"`))).toEqual([]);
  });
});

describe('words of the search', () => {
  const index = (documents: Readonly<Record<string, string>>) =>
    JSON.stringify({
      documentIds: documents,
      fieldIds: { title: 0, titles: 1, text: 2 },
      fieldLength: Object.fromEntries(Object.keys(documents).map((number) => [number, [1, 1, 1]])),
      averageFieldLength: [1, 1, 1],
      documentCount: Object.keys(documents).length,
      nextId: Object.keys(documents).length,
      storedFields: {},
      index: [['money', { 0: { 0: 1 } }]],
    });

  it('are a field of their own, beside those of VitePress', () => {
    const made: unknown = JSON.parse(
      withKeywords(index({ 0: '/docs/a#b', 1: '/docs/c' }), { 'a#b': 'refund money', c: 'refund' }),
    );
    expect(made).toMatchObject({
      fieldIds: { title: 0, titles: 1, text: 2, keywords: 3 },
      fieldLength: { 0: [1, 1, 1, 2], 1: [1, 1, 1, 1] },
      averageFieldLength: [1, 1, 1, 1.5],
      index: [
        ['money', { 0: { 0: 1 }, 3: { 0: 1 } }],
        ['refund', { 3: { 0: 1, 1: 1 } }],
      ],
    });
  });
  it('have an entry for each code of the errors page, since its places are no headings', () => {
    const codes = codesIn(staged.pages.get('errors') ?? '');
    expect(codes.map(({ title }) => title)).toEqual(expect.arrayContaining(Object.keys(ERRORS)));
    expect(codesIn('## balance_insufficient\n')).toEqual([]);
    const made: unknown = JSON.parse(withKeywords(index({ 0: '/docs/a' }), { a: 'b' }, codes.slice(0, 1)));
    expect(made).toMatchObject({
      documentCount: 2,
      nextId: 2,
      documentIds: { 1: '/docs/errors#body_invalid' },
      storedFields: { 1: { title: 'body_invalid', titles: ['Errors'] } },
      index: expect.arrayContaining([['invalid', { 0: { 1: 1 } }]]) as unknown,
    });
  });
  it('control: words for a place that is not there end the build', () => {
    expect(() => withKeywords(index({ 0: '/docs/a' }), { 'a#gone': 'refund' })).toThrow('a#gone');
  });
  it('are for pages of the site', () => {
    const pages = Object.keys(KEYWORDS).map((place) => place.split('#')[0] as string);
    expect(pages.filter((page) => !staged.pages.has(page))).toEqual([]);
  });
});

describe('the last step', () => {
  it('collects the hash of each inline script', () => {
    const page = '<script src="/a.js"></script><script id="x">one()</script>';
    const hash = createHash('sha256').update('one()').digest('base64');
    expect(scriptHashes(page)).toEqual([`sha256-${hash}`]);
  });
  it('takes harmless styles out, and refuses others', () => {
    expect(mended('<div style="position:relative;" class="a">')).toBe('<div class="a">');
    expect(mended('<code>&lt;a style="b"&gt;</code>')).toContain('style');
    expect(() => mended('<p style="color:red">')).toThrow('inline style');
  });
});
