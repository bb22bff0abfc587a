/**
 * `GET /v1/me`, asked every 3 s while the page is visible: what the caller may do, the environment's clock, and the number of its
 * newest event. When that moves, what is on the screen is read again.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { get } from './client.ts';
import { troubleOf } from './errors.ts';
import { useHere } from './environment.tsx';
import type { Instant, Me } from './shapes.ts';

const POLL_MS = 3_000;

export function useMe() {
  const { name, client } = useHere();
  return useQuery({
    queryKey: [name, 'me'],
    queryFn: async () => {
      const askedMs = Date.now();
      return { ...(await get<Me>(client, '/v1/me')), askedMs };
    },
    // A session that has ended is asked for no more; whoever signs in again asks anew.
    refetchInterval: ({ state }) => (troubleOf(state.error) === 'ended' ? false : POLL_MS),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
    structuralSharing: false,
  });
}

/** Once, in the shell. */
export function useFollow(): void {
  const { name } = useHere();
  const { data } = useMe();
  const queries = useQueryClient();
  const last = useRef<{ name: string; sequence: number }>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    const before = last.current;
    last.current = { name, sequence: data.sequence };
    if (before?.name !== name || before.sequence === data.sequence) return;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === name && queryKey[1] !== 'me' });
  }, [data, name, queries]);
}

export const msOf = (instant: Instant): number => (typeof instant === 'number' ? instant * 1_000 : Date.parse(instant));

/** A slow answer, and clocks of machines that are a little apart, are no clock that somebody moved. */
const APART_MS = 60_000;

/** Milliseconds by which the environment's clock is ahead of this machine's; less than a minute counts as none. */
export function useClockAheadMs(): number {
  const { data } = useMe();
  if (data === undefined) return 0;
  const ahead = msOf(data.now) - data.askedMs;
  return Math.abs(ahead) < APART_MS ? 0 : ahead;
}

/** Whether scopes hold one; to write a resource is to read it too. `null`: they hold everything. */
export function holds(scopes: readonly string[] | null, scope: string): boolean {
  if (scopes === null) return true;
  const [family = '', right] = scope.split(':');
  return scopes.includes(scope) || (right === 'read' && scopes.includes(`${family}:write`));
}

/** Whether the caller's role holds the scope. While nobody knows yet: yes, and the server says no where it must. */
export function useMay(): (scope: string) => boolean {
  const { data } = useMe();
  return (scope) => holds(data?.scopes ?? null, scope);
}
