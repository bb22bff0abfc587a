/** The operation that finds anything by what somebody has of it. What it shows is what other operations show: `ask.ts`. */
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { asking } from './ask.ts';
import type { Hit } from './hits.ts';
import { lookedFor, type SearchParts } from './looking.ts';
import { renderSearch, SEARCH_EXAMPLE, searchParams } from './schema.ts';
import { looksOf } from './shape.ts';

const MAX_HITS = 20;

/** `routes`: all others, which are asked. */
export function searchRoutes(service: Service, routes: readonly Route[], parts: SearchParts): Route[] {
  return [
    routesOf('Search', 'search')('search', 'POST /v1/search', {
      summary: 'Find anything',
      description:
        'By its id, the id that a bank quotes, an IBAN, a creditor reference, an amount, your own id, an idempotency key, a request id, a reference, or a name. The text decides where it is looked for; there is no query language. A restricted key finds what it may read, each kind with the scope of its own. A POST, so that no name and no account number stands in an address or a log; nothing is written.',
      looksOnly: true,
      body: searchParams,
      request: { q: 'Lovelace' },
      response: answers('SearchResult', SEARCH_EXAMPLE),
      handle: async (call) => {
        const reach = { service, caller: call.caller, ask: asking(routes, call), parts };
        const results = await Promise.all(looksOf(call.body.q.trim()).map((look) => lookedFor(reach, look)));
        const hits = each(results.flatMap((result) => result.hits));
        const until = results.map(({ searchedUntilMs }) => searchedUntilMs).filter((at) => at !== null);
        return {
          status: 200,
          body: renderSearch(
            hits.slice(0, MAX_HITS),
            hits.length <= MAX_HITS && results.every(({ isComplete }) => isComplete),
            until.length === 0 ? null : Math.max(...until),
          ),
        };
      },
    }),
  ];
}

/** Once each: as what was found first. */
function each(hits: readonly Hit[]): readonly Hit[] {
  const known = new Set<string>();
  return hits.filter(({ id }) => !known.has(id) && known.add(id));
}
