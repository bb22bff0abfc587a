/**
 * What the log keeps, by an id and as it grows. It is written about once a second, and no event tells of it: so an id that is not there is looked
 * for again for a while, and a list asks now and then whether there is a newer one.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get, pageAt, type Query } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { retryOf, type Rows } from '../../api/reads.ts';
import type { RequestLog } from '../../api/shapes.ts';
import { isAwaited, LOOK_MS, NEWEST_MS, newestIn, PAGE } from './behind.ts';

export function useKept(id: string) {
  const { name, client } = useHere();
  return useQuery({
    queryKey: [name, 'fixed', 'request', id],
    queryFn: () => get<RequestLog>(client, `/v1/request_logs/${encodeURIComponent(id)}`),
    retry: (failures, error) => isAwaited(failures, error) || retryOf(failures, error),
    retryDelay: LOOK_MS,
    staleTime: Infinity, // a line of the log never changes
  });
}

/** Reads a list again once the log holds what it does not show; while more than its first page is shown, it stays as it is. */
export function useNewest(list: Rows<RequestLog>, query: Query): void {
  const { name, client } = useHere();
  const { data } = useQuery({
    queryKey: [name, 'requests', 'newest', query],
    queryFn: async () => (await pageAt<RequestLog>(client, '/v1/request_logs', { ...query, limit: 1 })).data,
    refetchInterval: NEWEST_MS,
    refetchIntervalInBackground: false,
    enabled: list.error === null && !list.isLoading && list.rows.length <= PAGE,
  });
  const newest = newestIn(data, list.rows);
  useEffect(() => {
    if (newest !== null) list.again();
  }, [newest]);
}
