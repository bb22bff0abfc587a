/** The beginning of a path as what the list of requests finds its rows by: operations, and the id that the path names. Pure. */
import type { Route } from '../../platform/http/route.ts';
import { idIn } from './masking.ts';
import type { LogFilters } from './sql.ts';

type Operation = Pick<Route, 'method' | 'path' | 'operationId'>;

/** Of a request that was refused before anybody looked for its operation. */
export const NO_OPERATION = '';

/** Deletions are rare, so all requests would be read to find some. */
const RARE_METHOD = 'DELETE';

export function ofPath(
  all: readonly Operation[],
  path: string | undefined,
  method: string | readonly string[] | undefined,
): Pick<LogFilters, 'path' | 'method' | 'operations'> & { readonly id: string | undefined } {
  const methods = [method ?? []].flat();
  const begin = path === undefined || path === '/v1' || path === '/v1/' ? undefined : path.replace(/\/+$/, '');
  const isRare = methods.length > 0 && methods.every((each) => each === RARE_METHOD);
  const fits = (operation: Operation) =>
    (methods.length === 0 || methods.includes(operation.method)) &&
    (begin === undefined || isUnder(operation.path, begin));
  const operations =
    begin === undefined && !isRare
      ? undefined
      : [...all.filter(fits).map(({ operationId }) => operationId), NO_OPERATION];
  return { path: begin, method, operations, id: begin === undefined ? undefined : (idIn(begin) ?? undefined) };
}

/** Whether paths of the pattern can begin with these parts. */
function isUnder(pattern: string, begin: string): boolean {
  const parts = pattern.split('/');
  return begin.split('/').every((part, at) => parts[at] === part || parts[at]?.startsWith(':') === true);
}
