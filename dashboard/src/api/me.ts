/**
 * `GET /v1/me`, asked every 3 s while the page is visible: what the caller may do, the environment's clock, and the number of its
 * newest event. When that moves, what is on the screen is read again.
 */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Bursar, clientOf, get } from './client.ts';
import { dueOf } from './due.ts';
import { troubleOf } from './errors.ts';
import { useHere } from './environment.tsx';
import type { Instant, Me } from './shapes.ts';

const POLL_MS = 3_000;

interface Known extends Me {
  readonly askedMs: number;
}

const meQuery = (name: string, client: Bursar) =>
  ({
    queryKey: [name, 'me'],
    queryFn: async (): Promise<Known> => {
      const askedMs = Date.now();
      return { ...(await get<Me>(client, '/v1/me')), askedMs };
    },
    // The shell alone asks again and again: hundreds of times and rights on a page only look.
    staleTime: POLL_MS,
    refetchOnMount: false,
    // Nor what failed: a page that waits for the answer and asks with it would take its own place, for ever.
    retryOnMount: false,
    refetchOnWindowFocus: false,
  }) as const;

function useMeQuery() {
  const { name, client } = useHere();
  return meQuery(name, client);
}

/** Asks before anything is drawn; answers what the caller may do. `name`: as in {@link useHere}. Rejects where nobody says. */
export async function askAhead(queries: QueryClient, name: string): Promise<(scope: string) => boolean> {
  const { scopes } = await queries.fetchQuery(meQuery(name, clientOf(name)));
  return (scope) => holds(scopes, scope);
}

export const useMe = () => useQuery(useMeQuery());

/** What is not read again when something changed: it moves under the hand of who chooses, or never changes. */
const STANDS_STILL: readonly unknown[] = ['me', 'search', 'fixed'];

/** Once, in the shell. */
export function useFollow(): void {
  const { name } = useHere();
  const { data } = useQuery({
    ...useMeQuery(),
    // A session that has ended is asked for no more; whoever signs in again asks anew.
    refetchInterval: ({ state }) => (troubleOf(state.error) === 'ended' ? false : POLL_MS),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  });
  const queries = useQueryClient();
  const last = useRef<Known>(undefined);
  const owed = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const before = last.current;
    last.current = data;
    if (data === undefined || before === undefined) return;
    // Somebody else signed in, in another tab: what stands here was shown to the one before.
    if (before.actor.id !== data.actor.id) return location.reload();
    const own = queries
      .getQueryCache()
      .findAll({ predicate: ({ queryKey }) => queryKey[0] === name && !STANDS_STILL.includes(queryKey[1]) });
    const known = own.map(({ queryHash, state }) => ({
      hash: queryHash,
      isBeingRead: state.fetchStatus !== 'idle',
      pages: (state.data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 1,
      readAtMs: state.dataUpdatedAt,
    }));
    const due = dueOf(known, before.sequence !== data.sequence, owed.current, Date.now(), POLL_MS);
    owed.current = due.owed;
    if (due.now.size > 0) void queries.invalidateQueries({ predicate: ({ queryHash }) => due.now.has(queryHash) });
  }, [data, name, queries]);
}

export const msOf = (instant: Instant): number => (typeof instant === 'number' ? instant * 1_000 : Date.parse(instant));

/** A slow answer, and clocks of machines that are a little apart, are no clock that somebody moved. */
const APART_MS = 60_000;

/** Whole seconds, so that a page is not drawn anew for milliseconds. */
function aheadOf({ now, askedMs }: Known): number {
  const ahead = Math.round((msOf(now) - askedMs) / 1_000) * 1_000;
  return Math.abs(ahead) < APART_MS ? 0 : ahead;
}

/** Milliseconds by which the environment's clock is ahead of this machine's; less than a minute counts as none. */
export const useClockAheadMs = (): number => useQuery({ ...useMeQuery(), select: aheadOf }).data ?? 0;

/** The environment's clock as an answer showed it, and what this machine's said when it was asked for. */
export interface Seen {
  readonly nowS: number;
  readonly askedMs: number;
}

/** The newest, for what counts seconds. `undefined`: none yet. */
export const useSeen = (): Seen | undefined => useQuery({ ...useMeQuery(), select: seenOf }).data;
const seenOf = ({ now, askedMs }: Known): Seen => ({ nowS: msOf(now) / 1_000, askedMs });

/** Moves on once a minute while the service answers: what says how long ago something was is drawn anew by it. */
export const useMinute = (): number => useQuery({ ...useMeQuery(), select: minuteOf }).data ?? 0;
const minuteOf = ({ askedMs }: Known): number => Math.floor(askedMs / 60_000);

/** Who asks, as the API names it: of a person the user of this environment. `undefined`: not known yet. */
export const useActor = (): string | undefined => useQuery({ ...useMeQuery(), select: actorOf }).data;
const actorOf = ({ actor }: Known): string => actor.id;

/** Whether scopes hold one; to write a resource is to read it too. `null`: they hold everything. */
export function holds(scopes: readonly string[] | null, scope: string): boolean {
  if (scopes === null) return true;
  const [family = '', right] = scope.split(':');
  return scopes.includes(scope) || (right === 'read' && scopes.includes(`${family}:write`));
}

/** Whether the caller's role holds the scope. While nobody knows yet: yes, and the server says no where it must. */
export function useMay(): (scope: string) => boolean {
  const scopes = useQuery({ ...useMeQuery(), select: scopesOf }).data ?? null;
  return (scope) => holds(scopes, scope);
}
const scopesOf = ({ scopes }: Known): readonly string[] | null => scopes;

/** For what rather waits than shows too much. True as well where asking failed: then the server says no. */
export const useIsRoleKnown = (): boolean => !useQuery({ ...useMeQuery(), select: scopesOf }).isPending;
