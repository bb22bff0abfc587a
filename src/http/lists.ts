/**
 * What all lists have in common: their parameters, their envelope and the `Link` to the next page. Pages are found by
 * id, never by offset, so rows created meanwhile neither repeat nor hide others. Source: contract, section 4.
 */
import { RequestError } from '../core/errors.ts';
import type { Prefix } from '../core/ids.ts';
import type { Param } from './request/param.ts';
import {
  id,
  instantFilter,
  integer,
  oneOf,
  optional,
  type Params,
  type Parsed,
  params,
  withDefault,
} from './request/params.ts';
import type { Answer } from './route.ts';

const MAX_LIMIT = 100;

function common(prefix: Prefix, what: string, defaultLimit: number) {
  return {
    limit: withDefault(
      integer({ description: `How many to return, 1 to ${MAX_LIMIT}.`, min: 1, max: MAX_LIMIT }),
      defaultLimit,
    ),
    starting_after: optional(id(prefix, what, { description: `The id after which the page begins, in list order.` })),
    ending_before: optional(id(prefix, what, { description: `The id before which the page ends, in list order.` })),
    order: withDefault(oneOf(['asc', 'desc'], { description: 'By creation: newest first, or oldest first.' }), 'desc'),
    created: optional(instantFilter({ description: 'Created at, or within bounds, in Unix seconds.' })),
  };
}

type Common = ReturnType<typeof common>;
/** Every list's parameters, parsed. Exactly one of `starting_after` and `ending_before`, or neither. */
export type ListQuery = Parsed<Common>;

/**
 * The parameters of a list of `what` (`payout`) whose ids begin with `prefix`, and its own `filters` (all optional).
 * Throws `parameter_conflict` for both cursors at once.
 */
export function listParams<F extends Readonly<Record<string, Param<unknown>>>>(
  prefix: Prefix,
  what: string,
  filters: F,
  defaultLimit = 10,
): Params<ListQuery & Parsed<F>> {
  const fields: Common & F = { ...common(prefix, what, defaultLimit), ...filters };
  return params(fields, ({ starting_after, ending_before }: ListQuery) => {
    if (starting_after === undefined || ending_before === undefined) return;
    const message = 'starting_after and ending_before exclude each other. Send one of them.';
    throw new RequestError('parameter_conflict', message, { param: 'ending_before' });
  });
}

/**
 * One page. `rows` are rendered objects in the order of the list; `hasMore` says whether the direction of travel goes
 * on. `{"data":[…]}` alone on the last page: exactly what the service interface shows.
 */
export function renderList(
  rows: readonly string[],
  hasMore: boolean,
  call: { readonly url: string },
  lastId?: string,
  firstId?: string,
): Answer {
  const data = `{"data":[${rows.join(',')}]`;
  if (!hasMore || lastId === undefined) return { status: 200, body: `${data}}` };
  return {
    status: 200,
    body: `${data},"has_more":true}`,
    headers: { Link: `<${nextUrl(call.url, lastId, firstId ?? lastId)}>; rel="next"` },
  };
}

// The same query with the cursor moved on; a list read backwards goes on backwards.
function nextUrl(url: string, lastId: string, firstId: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const backwards = /(?:^|&)ending_before=/.test(query);
  const kept = query.split('&').filter((pair) => pair !== '' && !/^(?:starting_after|ending_before)=/.test(pair));
  kept.push(backwards ? `ending_before=${firstId}` : `starting_after=${lastId}`);
  return `${path}?${kept.join('&').replaceAll('>', '%3E')}`;
}
