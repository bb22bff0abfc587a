/**
 * The documentation where its site was not built: the Markdown files of one folder, as they are, below the paths that their pages have on the
 * site. No path of a request is ever a path of the disk. Part of `docs.ts`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every Markdown file of the folder and those below it, in order: `guides/retries`. What only leads somewhere else is none. */
export async function sourceNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => /^[\w./-]+\.md$/.test(name))
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
}

/** The text behind a path below `/docs/`: `guides/retries`, with `.md` or without; `decisions/` is its README. `null`: none. */
export async function sourceAt(folder: string, below: string): Promise<string | null> {
  const name = below.replace(/\.md$/, '');
  const names = await sourceNames(folder);
  const found = [name, `${name.replace(/\/$/, '')}/README`].find((each) => names.includes(each));
  return found === undefined ? null : readFile(join(folder, `${found}.md`), 'utf8').catch(() => null);
}
