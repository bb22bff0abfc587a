/**
 * Asks the operations of the API for what is found, as the caller could: each by its own scope, with its own wall between tenants and
 * accounts. So a search can show nothing that the caller could not read otherwise. An operation that refuses finds nothing.
 */
import { isPayroll } from '../../core/rails/purposes.ts';
import { covers, seesPayroll, shownTo } from '../../core/scopes.ts';
import { RequestError } from '../../core/values/errors.ts';
import { readBody, readQuery } from '../../platform/http/request/body.ts';
import type { Call, Caller, Route } from '../../platform/http/route.ts';
import type { Shown } from './hits.ts';

export interface Found {
  readonly objects: readonly Shown[];
  /** There are more. */
  readonly hasMore: boolean;
}
const NOTHING: Found = { objects: [], hasMore: false };

type Params = Readonly<Record<string, string | number | readonly string[]>>;

export interface Asking {
  /** The object with this id, if there is an operation that retrieves such objects; `isInner`: its scope is not asked, since it is not shown. */
  retrieve(path: Route['path'], id: string, isInner?: boolean): Promise<Shown | null>;
  list(operationId: string, query: Params): Promise<Found>;
  /** A list by what is private. */
  look(operationId: string, body: Params): Promise<Found>;
}

export function asking(routes: readonly Route[], call: Call<unknown, unknown>): Asking {
  const { caller } = call;
  const { scopes } = caller;
  const isOpen = ({ scope, alsoNeeds }: Route) =>
    scopes === null ||
    [scope, alsoNeeds].every((needed) => (needed ?? null) === null || covers(scopes, needed as string));
  const answer = async (route: Route | undefined, given: Partial<Call<unknown, unknown>>): Promise<Shown | null> => {
    if (route === undefined) return null;
    const asked = {
      ...call,
      method: route.method,
      csv: null,
      body: undefined,
      query: undefined,
      path_params: {},
      ...given,
    };
    try {
      const { body } = await route.handle(asked);
      return JSON.parse(shownTo(scopes, body as string)) as Shown;
    } catch (error) {
      if (error instanceof RequestError) return null;
      throw error;
    }
  };
  const named = (operationId: string) => routes.find((route) => route.operationId === operationId && isOpen(route));
  return {
    async retrieve(path, id, isInner = false) {
      const route = routes.find((each) => each.method === 'GET' && each.path === path);
      if (route === undefined || !(isInner || isOpen(route))) return null;
      const url = path.replace(':id', id);
      return answer(route, { path_params: { id }, path: url, url, query: route.query?.parse(readQuery(url)) });
    },
    async list(operationId, params) {
      const route = named(operationId);
      if (route === undefined) return NOTHING;
      const url = `${route.path}?${queryOf(params)}`;
      const query = parsed(() => route.query?.parse(readQuery(url)));
      return query === null ? NOTHING : foundIn(await answer(route, { path: route.path, url, query }));
    },
    async look(operationId, params) {
      const route = named(operationId);
      if (route === undefined) return NOTHING;
      const body = parsed(() => route.body?.parse(readBody('json', Buffer.from(JSON.stringify(params)))));
      return body === null ? NOTHING : foundIn(await answer(route, { path: route.path, url: route.path, body }));
    },
  };
}

/** Whether a caller may be told what is found by a mark that is hidden from it where salaries are paid (decision 0090). */
export const isPayrollHidden = ({ scopes }: Caller, object: Shown): boolean =>
  !seesPayroll(scopes) && isPayroll((object['category_purpose'] as string | undefined) ?? null);

/** `null`: no such query can be asked, such as an amount with too many decimals. */
function parsed<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

const queryOf = (params: Params): string =>
  Object.entries(params)
    .flatMap(([name, value]) =>
      typeof value === 'object'
        ? value.map((each) => `${name}[]=${encodeURIComponent(each)}`)
        : [`${name}=${encodeURIComponent(value)}`],
    )
    .join('&');

function foundIn(answer: Shown | null): Found {
  if (answer === null) return NOTHING;
  return { objects: answer['data'] as readonly Shown[], hasMore: answer['has_more'] === true };
}
