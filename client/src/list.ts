/** Lists: all objects by `for await`, or one page at a time. */
import { parse } from './parse.ts';
import { type ClientOptions, type RequestOptions, send } from './request.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  /** The page behind it; `null` where there is none. */
  next(): Promise<Page<T> | null>;
}

/** Asks for nothing until it is read. `for await` reads pages of 100 unless `limit` says otherwise. */
export interface List<T> extends AsyncIterable<T> {
  page(): Promise<Page<T>>;
}

/** `first` is the path of the first page; `more` is what `for await` adds to it. */
export function listOf<T>(client: ClientOptions, first: string, more: string, options?: RequestOptions): List<T> {
  const path = first.split('?')[0];
  const page = async (at: string): Promise<Page<T>> => {
    const { response, text } = await send(client, { method: 'GET', path: at }, options);
    const { data } = parse(text) as { readonly data: readonly T[] };
    const next = nextIn(response.headers.get('Link'));
    return { data, hasMore: next !== null, next: async () => (next === null ? null : page(`${path}${next}`)) };
  };
  return {
    page: () => page(first),
    async *[Symbol.asyncIterator]() {
      for (let at: Page<T> | null = await page(`${first}${more}`); at !== null; at = await at.next()) yield* at.data;
    },
  };
}

/** The query of the next page: its address may name a host that only the server knows. */
const nextIn = (link: string | null): string | null => /<[^?>]*(\?[^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null;
