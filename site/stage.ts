/**
 * Writes the Markdown that VitePress builds: the pages of `navigation.ts` with links that work on the site, the reference, files that
 * are linked to, `llms.txt`, and the menu. Everything goes below `site/pages/`, which is made anew. Next: `build.ts`.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { siteLinks } from './links.ts';
import { allPages, GROUPS, type Group, HOME, INSIDE, type Page, unlisted, WIDE } from './navigation.ts';
import { type ReferencePage, referencePages } from './reference/pages.ts';

interface MenuItem {
  readonly text: string;
  readonly link: string;
}
export interface Menu {
  readonly text: string;
  readonly items: readonly MenuItem[];
}

export interface Staged {
  /** Path on the site → Markdown. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files of the repository that pages link to. */
  readonly files: ReadonlySet<string>;
  readonly menu: readonly Menu[];
  readonly llms: string;
}

/** Reads everything and writes nothing. Throws when a page is missing, has no heading, or links to a file that is not there. */
export function stage(root: string): Staged {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const sources = readdirSync(join(root, 'docs'), { recursive: true })
    .map((path) => `docs/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .toSorted();
  const listed = allPages(sources);
  const places = new Map(listed.map(({ source, path }) => [source, path]));
  const files = new Set<string>();
  const placeOf = (source: string) => places.get(source);
  const pages = new Map(
    listed.map(({ source, path }) => {
      const onFile = (file: string) => {
        if (!existsSync(join(root, file))) throw new Error(`${source} links to ${file}, which is not there.`);
        files.add(file);
        return placeOfFile(file);
      };
      const front = WIDE.has(path) ? '---\npageClass: wide\naside: false\n---\n\n' : '';
      const text = front + siteLinks(source, read(source), { placeOf, onFile });
      return [path === 'decisions/' ? 'decisions/index' : path, text];
    }),
  );
  const reference = referencePages(JSON.parse(read('docs/openapi.json')) as Readonly<Record<string, unknown>>);
  for (const { path, markdown } of reference) pages.set(path.replace(/\/$/, '/index'), markdown);
  const titleOf = ({ source, menu }: Page) => menu ?? headingOf(read(source), source);
  const menuOf = ({ title, pages: own }: Group): Menu => ({
    text: title,
    items: own.map((page) => ({ text: titleOf(page), link: `/${page.path}` })),
  });
  const referenceMenu: Menu = {
    text: 'Reference',
    items: reference.map(({ title, path }) => ({ text: title, link: `/${path}` })),
  };
  const more = unlisted(sources);
  const menu = [...GROUPS.map(menuOf), ...(more.pages.length > 0 ? [menuOf(more)] : []), referenceMenu, menuOf(INSIDE)];
  return { pages, files, menu, llms: llmsOf(menu, headingOf(read(HOME.source), HOME.source), reference) };
}

function headingOf(markdown: string, source: string): string {
  const heading = /^# (.+)$/m.exec(markdown)?.[1];
  if (heading === undefined) throw new Error(`${source} has no heading.`);
  return heading.replaceAll('`', '');
}

/** https://llmstxt.org: the pages as Markdown, for programs that read. Every page is also served with the ending `.md`. */
function llmsOf(menu: readonly Menu[], title: string, reference: readonly ReferencePage[]): string {
  const lines = menu.map(({ text, items }) => {
    const links = items.map((item) => `- [${item.text}](/docs${item.link.replace(/\/$/, '/index')}.md)`);
    return `## ${text}\n\n${links.join('\n')}\n`;
  });
  const about =
    'Bursar is a self-hosted payments service with a REST API on PostgreSQL: accounts in many currencies, exchange, payouts, batches, payment links, events, webhooks, and a sandbox.';
  return `# ${title}\n\n> ${about} ${reference.length - 1} groups of operations; the OpenAPI document is at /openapi.json.\n\n${lines.join('\n')}`;
}

/** Below `folder`, which is emptied first. */
export function writeStaged(root: string, folder: string, { pages, files, menu, llms }: Staged): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, markdown] of pages) {
    write(`${path}.md`, markdown);
    write(`public/${path}.md`, markdown.replace(/^---\n[\s\S]*?\n---\n+/, ''));
  }
  for (const file of files) {
    const target = join(folder, 'public/files', placeOfFile(file));
    mkdirSync(dirname(target), { recursive: true });
    if (statSync(join(root, file)).isDirectory()) writeFileSync(target, listing(join(root, file)));
    else cpSync(join(root, file), target);
  }
  write('public/llms.txt', llms);
  cpSync(join(root, 'site/icon.svg'), join(folder, 'public/icon.svg'));
  write('menu.json', JSON.stringify(menu));
}

/** Pictures keep their name; anything else is shown as text, whatever it is. */
export function placeOfFile(file: string): string {
  return /\.(?:png|svg)$/.test(file) ? file : `${file}.txt`;
}

/** A folder is shown as the names in it. */
function listing(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true }).map((each) =>
    each.isDirectory() ? `${each.name}/` : each.name,
  );
  return `${names.toSorted().join('\n')}\n`;
}
