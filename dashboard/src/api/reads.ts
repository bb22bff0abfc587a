/**
 * What pages read with. Keys begin with the environment's name, so that two modes never share an answer, and so that `me.ts` can
 * say of one environment that it has changed.
 *
 *     const payout = useRead(['payout', id], (client) => client.payouts.retrieve(id));
 *     const payouts = useList(['payouts', query], (client) => client.payouts.list({ limit: 100, ...query }).page());
 */
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Bursar, clientOf, type PageOf } from './client.ts';
import { troubleOf } from './errors.ts';
import { useHere } from './environment.tsx';

/** Only silence is asked again, with pauses; a refusal stays one. */
export const retryOf = (failures: number, error: unknown): boolean => failures < 3 && troubleOf(error) === 'away';

interface Options {
  /** Not yet: something is missing that the call needs. */
  readonly isOff?: boolean;
  /** Keeps what was there while other parameters are read. */
  readonly keeps?: boolean;
}

export function useRead<T>(key: readonly unknown[], read: (client: Bursar) => Promise<T>, options: Options = {}) {
  const { name, client } = useHere();
  return useQuery({
    queryKey: [name, ...key],
    queryFn: () => read(client),
    enabled: options.isOff !== true,
    ...(options.keeps === true && { placeholderData: keepPreviousData }),
  });
}

export interface Rows<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** Why there are no rows to show. What was read before stays when the service is away, and the top bar says so. */
  readonly error: unknown;
  /** Why the page after these rows did not come; it is asked for again by `more`, and not by itself. */
  readonly moreError: unknown;
  more(): void;
  again(): void;
}

const pagesOf = <T>(
  name: string,
  client: Bursar,
  key: readonly unknown[],
  first: (client: Bursar) => Promise<PageOf<T>>,
) => ({
  queryKey: [name, ...key],
  queryFn: async ({ pageParam }: { pageParam: PageOf<T> | null }): Promise<PageOf<T>> => {
    const page = pageParam === null ? await first(client) : await pageParam.next();
    return page ?? { data: [], hasMore: false, next: async () => null };
  },
  initialPageParam: null as PageOf<T> | null,
  getNextPageParam: (last: PageOf<T>) => (last.hasMore ? last : undefined),
});

/** What a page asks for before it is drawn for the first time, by the same keys and the same calls as when it is. */
export interface Ahead {
  may(scope: string): boolean;
  read<T>(key: readonly unknown[], read: (client: Bursar) => Promise<T>): Promise<void>;
  list<T>(key: readonly unknown[], first: (client: Bursar) => Promise<PageOf<T>>): Promise<void>;
}

/** Rejects never: what failed is said by the page, which asks again. */
export function aheadIn(queries: QueryClient, name: string, may: Ahead['may']): Ahead {
  const client = clientOf(name);
  return {
    may,
    read: (key, read) => queries.prefetchQuery({ queryKey: [name, ...key], queryFn: () => read(client) }),
    list: (key, first) => queries.prefetchInfiniteQuery(pagesOf(name, client, key, first)),
  };
}

/** A list by pages. `first` reads the first one; the others follow from it. */
export function useList<T>(
  key: readonly unknown[],
  first: (client: Bursar) => Promise<PageOf<T>>,
  options: Options = {},
): Rows<T> {
  const { name, client } = useHere();
  const query = useInfiniteQuery({
    ...pagesOf(name, client, key, first),
    enabled: options.isOff !== true,
    structuralSharing: false,
  });
  const { data, error } = query;
  return {
    rows: useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]),
    hasMore: query.hasNextPage,
    isLoading: query.isPending && query.fetchStatus !== 'idle',
    isLoadingMore: query.isFetchingNextPage,
    error: data === undefined || troubleOf(error) === 'forbidden' ? error : null,
    moreError: query.isFetchNextPageError ? error : null,
    more: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
    again: () => void query.refetch(),
  };
}
