/**
 * Holds every file to the table of what it may import (`places.ts`). Which folder may import which: `floors.ts`. Next: ARCHITECTURE.md, where to
 * find things.
 */
import { folderOf } from './floors.ts';
import { type Place, PLACES } from './places.ts';
import type { Import, Source } from './source.ts';

/** Composition and entry points see everything below them; tests too. */
const FREE = /^(?:config\.ts$|operator\/|server\/|cli\/)|\.test\.ts$/;

export function placeOf(path: string): Place | undefined {
  const below = path.replace(/^src\//, '');
  return FREE.test(below) ? undefined : PLACES.find(({ files }) => files.test(below));
}

/** Complaints about one file of `src/`. */
export function forbiddenImports({ path, imports }: Source): string[] {
  const below = path.replace(/^src\//, '');
  if (FREE.test(below)) return [];
  const place = placeOf(path);
  if (!place) return ['stands in no place that the table knows'];
  const own = folderOf(path);
  return imports
    .filter((each) => !allowed(place, own, each))
    .map(({ target, typeOnly }) => `${place.place} may not import ${target}${typeOnly ? ', not even as a type' : ''}`);
}

function allowed(place: Place, own: string, { target, typeOnly }: Import): boolean {
  const fits = (patterns: readonly string[] = []) =>
    patterns.some((pattern) => patternOf(pattern, own).test(nameOf(target)));
  return fits(place.may) || (typeOnly && fits(place.mayTypes));
}

const nameOf = (target: string): string => (target.startsWith('src/') ? target.slice(4) : target);

const patternOf = (pattern: string, own: string): RegExp =>
  new RegExp(`^${pattern.replace('{own}', own)}${/[/:]$/.test(pattern) ? '' : '$'}`);

/** Permissions that no file makes use of: a table that allows what nobody does tells nothing. */
export function unusedPermissions(files: readonly Source[], places: readonly Place[] = PLACES): string[] {
  return places.flatMap(({ place, may, mayTypes = [] }) => {
    const targets = files
      .filter(({ path }) => placeOf(path)?.place === place)
      .flatMap(({ path, imports }) => imports.map(({ target }) => ({ target, own: folderOf(path) })));
    return [...may, ...mayTypes]
      .filter((pattern) => !targets.some(({ target, own }) => patternOf(pattern, own).test(nameOf(target))))
      .map((pattern) => `${place} may import ${pattern}, and nothing of it does`);
  });
}

/** The files that decisions are made of: `core/`, every decision, and what those import at run time. */
export function decidingFiles(files: readonly Source[]): Source[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Set<Source>();
  const visit = (file: Source | undefined) => {
    if (!file || found.has(file)) return;
    found.add(file);
    for (const { target, typeOnly } of file.imports) if (!typeOnly) visit(byPath.get(target));
  };
  for (const file of files)
    if (
      !file.path.endsWith('.test.ts') &&
      /^(?:ids|core|decisions(?: of matching)?)$/.test(placeOf(file.path)?.place ?? '')
    )
      visit(file);
  return [...found];
}
