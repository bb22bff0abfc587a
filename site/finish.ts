/**
 * The last step of the site: what a strict policy would refuse is taken out of the pages, and `site.json` says what the service serves:
 * every file with its hash, and the hashes of the inline scripts. Next: `src/platform/http/docs.ts`, which reads it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SiteFacts {
  /** For `script-src`: `sha256-…`. */
  readonly scripts: readonly string[];
  /** Path below `/docs/` → hash of its bytes. */
  readonly files: Readonly<Record<string, string>>;
}

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;
/** What VitePress renders inline and its script sets again by itself. */
const HARMLESS_STYLES = / style="(?:position:relative;|--vp-vh:0px;)"/g;
/** Not asked for by any page. */
const UNUSED = ['hashmap.json'];

/** The switch between light and dark, which only its script names. */
const UNNAMED_SWITCH = /role="switch" title /g;

/** A page without inline styles and unnamed buttons. Throws when there is one that is not known to be harmless. */
export function mended(html: string): string {
  const text = html.replace(HARMLESS_STYLES, '').replace(UNNAMED_SWITCH, 'role="switch" title="Light or dark" ');
  const left = /<[a-z][^>]* style="[^"]*"/i.exec(text.replace(/<code[\s\S]*?<\/code>/g, ''));
  if (left !== null) throw new Error(`An inline style is left, which the policy of the pages forbids: ${left[0]}`);
  return text;
}

/** `sha256-…` of each script that stands in the page. */
export function scriptHashes(html: string): readonly string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  );
}

export function finish(folder: string): SiteFacts {
  for (const name of UNUSED) rmSync(join(folder, name), { force: true });
  const scripts = new Set<string>();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'site.json')
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (path.endsWith('.html')) {
        const html = mended(readFileSync(path, 'utf8'));
        for (const hash of scriptHashes(html)) scripts.add(hash);
        writeFileSync(path, html);
      }
      const hash = createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 27);
      return [relative(folder, path).replaceAll('\\', '/'), hash] as const;
    });
  const facts = {
    scripts: [...scripts].toSorted(),
    files: Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
  writeFileSync(join(folder, 'site.json'), `${JSON.stringify(facts, null, 1)}\n`);
  return facts;
}
