/**
 * The documentation site below `/docs`, as `npm start` or `npm run docs` built it: files of one folder, listed with their hashes in its `site.json`, so no
 * path of a request is ever a path of the disk. Pages may use nothing but this site. Where the site was not built, `/docs` says how and lists
 * the pages, which are there as Markdown; the errors page is made here, since `doc_url` leads to its anchors. Next: `public.ts`; who builds it: `site/build.ts`.
 */
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERRORS_PAGE } from '../../core/values/errors.ts';
import { errorsPage } from './errors.ts';
import type { Answer } from './route.ts';
import {
  type AskedHeaders,
  type BuildState,
  type BuiltFacts,
  type BuiltFolder,
  builtFolder,
  typeOf,
} from './transfer/built-folder.ts';

type DocsAnswer = Answer<string | Buffer>;
interface Asked {
  readonly url: string;
  readonly headers: AskedHeaders;
}

/** What `site.json` holds. */
interface SiteFacts extends BuiltFacts {
  /** Hashes of scripts that stand in the pages. */
  readonly scripts: readonly string[];
}

const BASE = '/docs';

export const DOCS_PATHS = [BASE, `${BASE}/*`] as const;

export const siteFolder = (): string => installed('site/dist');

/** A file or folder of this installation, from the sources and from dist/ alike; there may be nothing there. */
export function installed(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, name);
}

/**
 * Answers everything below `/docs`; `null`: there is nothing at this path. `folder`: where the built site is, or will be; it may be built while the
 * service runs. `null`: nowhere. `sources`: where the Markdown files are.
 */
export function docsSite(
  folder: string | null,
  sources = installed('docs'),
  build: () => BuildState = () => 'none',
): (request: Asked) => Promise<DocsAnswer | null> {
  const site = builtFolder<SiteFacts>(folder, 'site.json');
  return async ({ url, headers }) => {
    const path = url.split('?', 1)[0] as string;
    const built = await site();
    if (built === null) return unbuilt(path, sources, build());
    const place = placeOf(path, built.has);
    if (place.leadsTo !== undefined) return { status: 308, body: '', headers: { Location: place.leadsTo } };
    return send(built, place, headers);
  };
}

interface Place {
  readonly file: string;
  readonly status: number;
  /** Another spelling of the path. */
  readonly leadsTo?: string;
}

/** The file behind a path of the site. `/docs/errors` is `errors.html`, `/docs/reference/` is `reference/index.html`. */
function placeOf(path: string, has: (file: string) => boolean): Place {
  const below = path.slice(BASE.length + 1);
  const lost = { file: '404.html', status: 404 };
  if (path === BASE) return { ...lost, leadsTo: `${BASE}/` };
  if (below === '' || below.endsWith('/')) {
    const index = `${below}index.html`;
    if (has(index)) return { file: index, status: 200 };
    const leaf = below.slice(0, -1);
    return has(`${leaf}.html`) ? { ...lost, leadsTo: `${BASE}/${leaf}` } : lost;
  }
  if (below.endsWith('.html') && has(below)) {
    return { ...lost, leadsTo: `${BASE}/${below.slice(0, -'.html'.length).replace(/(^|\/)index$/, '$1')}` };
  }
  if (has(below)) return { file: below, status: 200 };
  if (has(`${below}.html`)) return { file: `${below}.html`, status: 200 };
  return has(`${below}/index.html`) ? { ...lost, leadsTo: `${BASE}/${below}/` } : lost;
}

async function send(site: BuiltFolder<SiteFacts>, { file, status }: Place, headers: AskedHeaders): Promise<DocsAnswer> {
  if (!site.has(file)) return page(404, '<!doctype html><title>Not found</title><p>No such page.');
  const isPage = typeOf(file).startsWith('text/html');
  const policy = isPage ? pageHeaders(site.facts.scripts) : {};
  if (status === 200) return site.answer(file, headers, policy);
  const { 'if-none-match': _, ...asked } = headers; // nothing that is not there can be known
  return { ...(await site.answer(file, asked, policy)), status };
}

/** Nothing of another site, nothing inline but the scripts with these hashes. Pictures in style sheets are `data:`. */
function pageHeaders(scripts: readonly string[], styles = "'self'"): Record<string, string> {
  const hashes = scripts.map((hash) => ` '${hash}'`).join('');
  const policy = [
    "default-src 'none'",
    `script-src 'self'${hashes}`,
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}

/** Without the site's own style sheet. */
function page(status: number, body: string): DocsAnswer {
  return { status, body, contentType: typeOf('.html'), headers: pageHeaders([], "'unsafe-inline'") };
}

async function unbuilt(path: string, sources: string, build: BuildState): Promise<DocsAnswer | null> {
  if (path === ERRORS_PAGE) return page(200, errorsPage());
  if (path.length <= BASE.length + 1) return page(200, contents(await sourceNames(sources), build));
  const text = await sourceAt(sources, path.slice(BASE.length + 1));
  if (text === null) return null;
  return { status: 200, body: text, contentType: typeOf('.txt'), headers: { 'Cache-Control': 'no-cache' } };
}

const HOW =
  'In the folder of the service run <code>npm run docs</code> once, which takes a minute, and load this page again. The service need not be restarted.';
const WHY_UNBUILT: Readonly<Record<BuildState, string>> = {
  none: `This service runs from its sources, and the documentation site was not built yet. ${HOW} The released package holds the site.`,
  running:
    'The documentation site is being built, which takes half a minute at the first start. This page loads itself again and then shows it.',
  failed: `The documentation site could not be built: npm did not get a package, perhaps, and the log of the service says more. ${HOW}`,
  memory: `The documentation site was not built, because this machine has too little free memory for it beside the service. ${HOW}`,
};
const RELOAD = '<meta http-equiv="refresh" content="3">';

/** What there is without a site. `names`: see `sourceNames`; the many decision records have a list of their own. */
function contents(names: readonly string[], build: BuildState): string {
  const links = names
    .filter((name) => !name.startsWith('decisions/') || name === 'decisions/README')
    .map((name) => name.replace(/README$/, ''))
    .map((name) => `<li><a href="${BASE}/${name}">${name}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${build === 'running' ? RELOAD : ''}
<title>Documentation · Bursar</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}code{background:#8882;padding:.1em .3em;border-radius:4px}</style>
<main><h1>Documentation</h1><p>${WHY_UNBUILT[build]}
<p>Until then the pages are here as Markdown, beside <a href="/openapi.json">the OpenAPI document</a>:
<ul>
${links.join('\n')}
</ul></main></html>
`;
}

/** Names of the Markdown files in the folder and below it, in order: `guides/retries`. Links to files elsewhere are left out. */
async function sourceNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => /^[\w./-]+\.md$/.test(name))
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
}

/**
 * The text of a path below `/docs/`: `guides/retries`, with `.md` or without; `decisions/` is its README. `null`: none. It is looked up among
 * the names, so no path of a request is ever a path of the disk.
 */
async function sourceAt(folder: string, below: string): Promise<string | null> {
  const name = below.replace(/\.md$/, '');
  const names = await sourceNames(folder);
  const found = [name, `${name.replace(/\/$/, '')}/README`].find((each) => names.includes(each));
  return found === undefined ? null : readFile(join(folder, `${found}.md`), 'utf8').catch(() => null);
}
