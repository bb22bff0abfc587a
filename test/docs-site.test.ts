/**
 * The documentation site before VitePress builds it: every page is there, links lead somewhere, and the reference holds every
 * operation. How it looks in a browser: `test/long/docs-site.test.ts`.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptHashes, mended } from '../site/finish.ts';
import { linksOf, siteLinks } from '../site/links.ts';
import { unlisted } from '../site/navigation.ts';
import { readReference } from '../site/reference/document.ts';
import { stage } from '../site/stage.ts';
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
  const all = [...staged.pages]
    .filter(([path]) => path.startsWith('reference/'))
    .map(([, markdown]) => markdown)
    .join('\n');

  it('has every operation once, with its parameters', () => {
    expect(reference.operations.length).toBeGreaterThan(100);
    for (const { id, parameters } of reference.operations) {
      const sections = all.split(`{#${id}}`);
      expect([id, sections.length]).toEqual([id, 2]);
      const section = (sections[1] ?? '').split('\n## ')[0] ?? '';
      for (const { name } of parameters) expect([id, section.includes(name.replace('[]', ''))]).toEqual([id, true]);
    }
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
