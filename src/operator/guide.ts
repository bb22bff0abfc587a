/** Where a person at this machine reads a page of the documentation, also while no server runs. For messages. */
import { existsSync } from 'node:fs';
import { installed } from '../platform/http/docs.ts';

/**
 * The file of a page, such as `operating/database.md` below `docs/guides`. A copy of the repository has it there. The package has no
 * such folder: its pages are beside its site, and the whole path is named. `find`: the path of a file of this installation.
 */
export function guide(page: string, find: (name: string) => string = installed): string {
  const inCopy = `docs/guides/${page}`;
  const inPackage = find(`site/dist/guides/${page}`);
  return !existsSync(find(inCopy)) && existsSync(inPackage) ? inPackage : inCopy;
}
