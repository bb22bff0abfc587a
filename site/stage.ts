/**
 * Writes the Markdown that VitePress builds: the pages of `navigation.ts` with links that work on the site, the reference, files that
 * are linked to, `llms.txt`, and the menu. Everything goes below `site/pages/`, which is made anew. Next: `build.ts`.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { siteLinks } from './links.ts';
import { allPages, CLASSES, type Group, HOME, menuGroups, type Page } from './navigation.ts';
import { type ReferencePages, referencePages } from './reference/pages.ts';

interface MenuItem {
  readonly text: string;
  readonly link: string;
}
export interface Menu {
  readonly text: string;
  /** Of the group itself, where it has a page. */
  readonly link?: string;
  readonly items: readonly (MenuItem | Menu)[];
}

export interface Staged {
  /** Path on the site → Markdown. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files of the repository that pages link to. */
  readonly files: ReadonlySet<string>;
  /** By the beginning of a path on the site, of which the longest counts: a tag of the reference shows its operations. */
  readonly menus: Readonly<Record<string, readonly Menu[]>>;
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
      const pageClass = CLASSES[path];
      const front = pageClass === undefined ? '' : `---\npageClass: ${pageClass}\naside: false\n---\n\n`;
      const text = front + siteLinks(source, read(source), { placeOf, onFile });
      return [path === 'decisions/' ? 'decisions/index' : path, text];
    }),
  );
  const reference = referencePages(JSON.parse(read('docs/openapi.json')) as Readonly<Record<string, unknown>>);
  const ofReference = [reference.overview, ...reference.groups.flatMap((group) => [group, ...group.operations])];
  for (const { path, markdown } of ofReference) pages.set(path.replace(/\/$/, '/index'), markdown);
  const titleOf = ({ source, menu }: Page) => menu ?? headingOf(read(source), source);
  const menuOf = ({ title, pages: own, groups = [] }: Group): Menu => ({
    text: title,
    items: [...own.map((page) => ({ text: titleOf(page), link: `/${page.path}` })), ...groups.map(menuOf)],
  });
  const guides = menuGroups(sources).map(menuOf);
  const menus = menusOf(guides, reference);
  return { pages, files, menus, llms: llmsOf(guides, headingOf(read(HOME.source), HOME.source), reference) };
}

const linkTo = ({ title, path }: { readonly title: string; readonly path: string }): MenuItem => ({
  text: title,
  link: `/${path}`,
});

function menusOf(guides: readonly Menu[], { overview, groups }: ReferencePages): Staged['menus'] {
  const tags = [overview, ...groups].map(linkTo);
  const ofTag = groups.map(({ path, operations }) => {
    const items = tags.map((tag) => (tag.link === `/${path}` ? { ...tag, items: operations.map(linkTo) } : tag));
    return [`/${path}`, [{ text: 'Reference', items }]] as const;
  });
  return { '/': [...guides, { text: 'Reference', items: tags }], ...Object.fromEntries(ofTag) };
}

function headingOf(markdown: string, source: string): string {
  const heading = /^# (.+)$/m.exec(markdown)?.[1];
  if (heading === undefined) throw new Error(`${source} has no heading.`);
  return heading.replaceAll('`', '');
}

/** https://llmstxt.org: the pages as Markdown, for programs that read. Every page is also served with the ending `.md`. */
function llmsOf(guides: readonly Menu[], title: string, { overview, groups }: ReferencePages): string {
  const listOf = (items: readonly MenuItem[]) =>
    items.map(({ text, link }) => `- [${text}](/docs${link.replace(/\/$/, '/index')}.md)`).join('\n');
  const sectionsOf = ({ text, items }: Menu): readonly string[] => {
    const own = items.filter((item) => !('items' in item));
    const below = items.filter((item) => 'items' in item).flatMap(sectionsOf);
    return own.length === 0 ? below : [`## ${text}\n\n${listOf(own as readonly MenuItem[])}\n`, ...below];
  };
  const reference = [overview, ...groups.flatMap((group) => [group, ...group.operations])].map(linkTo);
  const lines = [...guides.flatMap(sectionsOf), `## Reference\n\n${listOf(reference)}\n`];
  const about =
    'Bursar is a self-hosted payments service with a REST API on PostgreSQL: accounts in many currencies, exchange, payouts, batches, payment links, events, webhooks, and a sandbox.';
  return `# ${title}\n\n> ${about} ${groups.length} groups of operations; the OpenAPI document is at /openapi.json.\n\n${lines.join('\n')}`;
}

/** Below `folder`, which is emptied first. */
export function writeStaged(root: string, folder: string, { pages, files, menus, llms }: Staged): void {
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
  write('menu.json', JSON.stringify(menus));
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
