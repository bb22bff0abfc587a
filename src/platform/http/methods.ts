/**
 * Which methods a path has. `/v1/payouts/batch` is no payout: a path belongs to the most specific of the routes that match it, and a
 * method that this one lacks is refused with `Allow`, also where a wider route has it. Next: `server.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { nearest } from '../../core/values/nearest.ts';

interface Served {
  readonly method: string;
  readonly path: string;
}

/** A star at the end stands for any rest. */
const PARAMETER = /:[a-z_]+|\*$/g;

interface Pattern {
  readonly path: string;
  /** What stands before its first parameter; the whole path where it has none. */
  readonly begin: string;
  readonly methods: readonly string[];
  matches(path: string): boolean;
}

/** A pattern a path, the most specific first: at the first place where two that match the same path differ, one has a parameter. */
function patternsOf(routes: readonly Served[]): readonly Pattern[] {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const methods = byPath.get(path) ?? new Set();
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    byPath.set(path, methods);
  }
  return [...byPath]
    .map(([path, methods]) => {
      const begin = path.split(PARAMETER, 1)[0] as string;
      let expression: RegExp | undefined; // most are never asked
      const matches = (asked: string) => (expression ??= expressionOf(path)).test(asked);
      const rank = path.replace(PARAMETER, '~'); // behind every character that paths have
      return { path, begin, rank, methods: [...methods], matches };
    })
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
}

const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(PARAMETER, (each) => (each === '*' ? '.*' : '[^/]+'))}$`);

/** The methods of a path; none: there is no such path. Called only when a request is refused. */
export function allowedMethods(routes: readonly Served[]): (path: string) => readonly string[] {
  const patterns = patternsOf(routes);
  return (path) => patterns.find((pattern) => pattern.matches(path))?.methods ?? [];
}

/** The path that was probably meant, as routes have it; `undefined`: none is near. Called only when a request is refused. */
export function nearestPath(routes: readonly Served[]): (path: string) => string | undefined {
  const known = [...new Set(routes.map(({ path }) => path))].filter((path) => path.startsWith('/v1/'));
  return (path) => {
    const plain = path.replace(/\/+$/, '').replace(/\/[a-z]{2,5}_[0-9a-z]{26}(?=\/|$)/g, '/:id');
    return nearest(plain.startsWith('/v1') ? plain : `/v1${plain}`, known);
  };
}

/** What the router would give to a wider route: methods that a path lacks and another route, which matches the path as well, has. */
export function shadowedMethods(routes: readonly Served[]): Served[] {
  const patterns = patternsOf(routes);
  // Of hundreds of paths, few begin as another one does: trying each with each took 80 ms of every start.
  const wide = patterns.filter(({ path, begin }) => begin !== path);
  return patterns.flatMap(({ path, methods }) => {
    const wider = wide.filter((other) => other.path !== path && path.startsWith(other.begin) && other.matches(path));
    const lacking = new Set(wider.flatMap((other) => other.methods).filter((method) => !methods.includes(method)));
    // Fastify adds HEAD to GET.
    return [...lacking]
      .filter((method) => method !== 'HEAD' || !lacking.has('GET'))
      .map((method) => ({ method, path }));
  });
}

/** The refusal of a path that there is not. `near`: what was probably meant. */
export function unknownPath(near?: string): RequestError {
  const meant = near === undefined ? 'Paths begin with /v1;' : `Did you mean ${near}?`;
  return new RequestError('path_unknown', `No such path. ${meant} GET /openapi.json lists them.`);
}
