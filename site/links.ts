/**
 * Links of a Markdown file as the site needs them: to pages by their place on the site, to other files of the repository as
 * downloads below `/docs/files/`. Pure. Next: `stage.ts`.
 */
import { posix } from 'node:path';

/** Outside of code: `](target)` with an optional title, images too. */
const LINK = /(\]\()([^)\s]+)((?:\s+"[^"]*")?\))/g;
const FENCE = /^(?:`{3,}|~{3,})/;

export interface Site {
  /** Place on the site of the Markdown file, from the root of the repository; `undefined`: it is no page. */
  readonly placeOf: (source: string) => string | undefined;
  /** Called for each file that is linked to and is no page; answers its place below `/docs/files/`. */
  readonly onFile: (source: string) => string;
}

/** Where each link of `markdown` leads, as written there; those in code are none. */
export function linksOf(markdown: string): readonly string[] {
  const found: string[] = [];
  mapLinks(markdown, (target) => {
    found.push(target);
    return target;
  });
  return found;
}

/** The text of the page `source` with links that work on the site. Addresses of other hosts, and places on the same page, stay. */
export function siteLinks(source: string, markdown: string, { placeOf, onFile }: Site): string {
  return mapLinks(markdown, (target) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(target)) return target;
    const [path = '', anchor] = target.split('#', 2);
    const file = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, '');
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    const place = placeOf(file) ?? placeOf(`${file}/README.md`);
    if (place !== undefined) return `/${place}${suffix}`;
    return `/files/${onFile(file)}`;
  });
}

function mapLinks(markdown: string, change: (target: string) => string): string {
  let fenced = false;
  return markdown
    .split('\n')
    .map((line) => {
      if (FENCE.test(line.trimStart())) fenced = !fenced;
      if (fenced || /^ {4}/.test(line)) return line;
      const parts = line.split(/(`[^`]*`)/);
      return parts
        .map((part) =>
          part.startsWith('`')
            ? part
            : part.replace(LINK, (_whole, open, target, end) => `${open}${change(target as string)}${end}`),
        )
        .join('');
    })
    .join('\n');
}
