/** Lists: all objects by `for await`, some as an array, or one page at a time. */
import { type Answer, unreadable, withResponse } from './answer.ts';
import type { ClientOptions, NamesOf, RequestOptions } from './options.ts';
import { refuseUnknown } from './refuse.ts';
import { type Order, send } from './request.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  /** The page behind it; `null` where there is none. */
  next(): Promise<Answer<Page<T>> | null>;
}

/** Asks for nothing until it is read. `for await` reads pages of 100 unless `limit` says otherwise. */
export interface List<T> extends AsyncIterable<T> {
  page(): Promise<Answer<Page<T>>>;
  /** The first objects, at most `limit` (1 to 10,000), over as many pages as that takes. Throws `RangeError` for another limit. */
  autoPagingToArray(most: Most): Promise<T[]>;
}

interface Most {
  readonly limit: number;
}
const OF_ARRAYS: NamesOf<Most> = { limit: true };

const MOST = 10_000;
const PAGE = 100;

/** `first` asks for the first page. `isPaged`: it takes a `limit`, and names none. */
export function listOf<T>(client: ClientOptions, first: Order, isPaged: boolean, options?: RequestOptions): List<T> {
  const start = first.path.split('?')[0];
  const page = async (path: string): Promise<Answer<Page<T>>> => {
    const { response, value } = await send(client, { ...first, path }, options);
    const { data, lastResponse } = value as Answer<{ readonly data: readonly T[] }>;
    if (!Array.isArray(data)) throw unreadable(response, JSON.stringify(value), undefined);
    const next = nextIn(response.headers.get('Link'));
    const found = { data, hasMore: next !== null, next: async () => (next === null ? null : page(`${start}${next}`)) };
    return withResponse(found, lastResponse);
  };
  async function* each(limit: number): AsyncGenerator<T> {
    const more = isPaged ? `${first.path.includes('?') ? '&' : '?'}limit=${Math.min(limit, PAGE)}` : '';
    for (let at: Page<T> | null = await page(`${first.path}${more}`); at !== null; at = await at.next()) yield* at.data;
  }
  return {
    page: () => page(first.path),
    [Symbol.asyncIterator]: () => each(PAGE),
    async autoPagingToArray(most) {
      refuseUnknown(most, OF_ARRAYS, 'autoPagingToArray');
      const limit = (most as Most | undefined)?.limit as number;
      if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
        throw new RangeError(`autoPagingToArray takes a limit of 1 to ${MOST}, not ${limit}. For more: for await.`);
      const found: T[] = [];
      for await (const object of each(limit)) if (found.push(object) === limit) break;
      return found;
    },
  };
}

/** The query of the next page: its address may name a host that only the server knows. */
const nextIn = (link: string | null): string | null => /<[^?>]*(\?[^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null;
