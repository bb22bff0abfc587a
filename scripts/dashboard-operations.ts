/**
 * Which operations of the API each page of the dashboard asks for, read from its code: the page and what it imports, call by call. So the table in
 * the docs cannot say what no page does. Every call must be one that this understands; the first other one throws. Who uses it:
 * `generate-docs.ts`, and `test/dashboard-operations.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATIONS } from '../client/src/generated/operations.ts';
import type { Route } from '../src/platform/http/route.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TOP = join(ROOT, 'dashboard/src');

export interface PageOperations {
  /** As in the address, below the mode. */
  readonly page: string;
  readonly operations: readonly Asked[];
}
export type Asked = Pick<Route, 'method' | 'path' | 'operationId' | 'scope' | 'sandboxOnly'>;

/** A call in the code, with `{}` for what only the running page knows: `GET /v1/payouts/{}`. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly file: string;
  /** Its answer is handed over as a file. */
  readonly isFile: boolean;
}

const BY_CLIENT = /\b(?:client|bursar)((?:\.[a-zA-Z]+)+)\(/g;
const BY_PATH =
  /\b(get|post|pageAt|start|namesAt)(?:<[^()]*?>)?\(\s*(?:client,\s*)?(['`])(\/v1\/(?:[^'`$]|\$\{[^}]*\})*)\2/g;
/** Writes something, and nobody sees here what. */
const UNREAD = /\bpost(?:<[^()]*?>)?\(\s*client,(?!\s*['`])/;
/** Members of the client that are no operations. */
const OTHERS = new Set(['request']);

/** Comments show calls too. */
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;

/** The calls in a piece of code. Throws for a method that the client does not have, and where the path of a write stands elsewhere. */
export function callsIn(text: string, file: string): Call[] {
  const code = text.replaceAll(COMMENTS, '');
  if (UNREAD.test(code)) throw new Error(`${file}: the path of a post stands beside it, as a text.`);
  const byClient = [...code.matchAll(BY_CLIENT)].flatMap(([, members = '']) => {
    const names = members.slice(1).split('.');
    if (OTHERS.has(names[0] as string)) return [];
    const found = names.reduce<unknown>(
      (node, name) => (node as Readonly<Record<string, unknown>>)?.[name],
      OPERATIONS,
    );
    if (!Array.isArray(found)) throw new Error(`${file}: the client has no ${names.join('.')}.`);
    const [method, path] = found as [string, string];
    return [{ method, path: path.replaceAll(/\{\w+\}/g, '{}'), file, isFile: false }];
  });
  const byPath = [...code.matchAll(BY_PATH)].map(([, by = '', , path = '']) => ({
    method: by === 'post' ? 'POST' : 'GET',
    path: path.replaceAll(/\$\{[^}]*\}/g, '{}'),
    file,
    isFile: by === 'start',
  }));
  return [...byClient, ...byPath];
}

/** A part of a path that only the running page knows may also be a verb. */
function routesOf({ method, path, file }: Call, routes: readonly Route[]): readonly Route[] {
  const shape = new RegExp(`^${path.replaceAll('{}', '[^/]+')}$`);
  const like = routes.filter((route) => route.method === method && shape.test(route.path));
  const exact = like.filter((route) => route.path.replaceAll(/:\w+/g, '{}') === path);
  const found = exact.length > 0 ? exact : like;
  if (found.length === 0) throw new Error(`${file}: there is no ${method} ${path}.`);
  return found;
}

const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g;

/** The file, and all of the dashboard that it leads to. */
function closure(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || relative(TOP, file).startsWith('..') || !/\.tsx?$/.test(file)) return seen;
  seen.add(file);
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED))
    closure(join(dirname(file), target), seen);
  return seen;
}

/** Reading by POST, for what is looked for stands in no address. */
const isRead = ({ method, scope }: Route): boolean => method === 'GET' || scope?.endsWith(':read') === true;

/** What people do: every operation of the dashboard that changes something or makes a file, as `POST /v1/payouts/:id/cancel`, each once. */
export function actionsOf(routes: readonly Route[]): readonly string[] {
  const files = readdirSync(TOP, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  );
  const calls = files.flatMap((file) => callsIn(readFileSync(join(TOP, file), 'utf8'), file));
  const done = calls.flatMap((call) => routesOf(call, routes).filter((route) => call.isFile || !isRead(route)));
  return [...new Set(done.map(({ method, path }) => `${method} ${path}`))];
}

const PAGE = /path: '([^']+)',\s*page: late\(async \(\) => \(await import\('(\.\/pages\/[^']+)'\)/g;

/** What each page asks for, in the order of `dashboard/src/routes.tsx`; what all of them ask for, in the shell, comes first as `*`. */
export function operationsOfPages(routes: readonly Route[]): PageOperations[] {
  const callsOf = (files: Iterable<string>) =>
    [...files].flatMap((file) => callsIn(readFileSync(file, 'utf8'), relative(ROOT, file)));
  const asked = (calls: readonly Call[]): readonly Asked[] =>
    [...new Set(calls.flatMap((call) => routesOf(call, routes)))].toSorted(
      (a, b) => routes.indexOf(a) - routes.indexOf(b),
    );
  const shell = ['shell/search.tsx', 'api/me.ts'].map((file) => join(TOP, file));
  const everywhere = new Set(asked(callsOf(shell)));
  const text = readFileSync(join(TOP, 'routes.tsx'), 'utf8');
  const pages = [...text.matchAll(PAGE)].map(([, page = '', file = '']) => ({
    page,
    operations: asked(callsOf(closure(join(TOP, file)))).filter((each) => !everywhere.has(each as Route)),
  }));
  return [{ page: '*', operations: [...everywhere] }, ...pages];
}
