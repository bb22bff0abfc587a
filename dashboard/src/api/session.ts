/** Who is signed in, and where they may go: `GET /dashboard/api/session`. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { door } from './client.ts';
import type { Environment, Mode, SessionAnswer } from './shapes.ts';

const KEY = ['session'];

const read = () => door<SessionAnswer>('GET', 'session');

export const useSession = () => useQuery({ queryKey: KEY, queryFn: read, staleTime: 60_000 });

/** Asks the door itself, past what is known. Rejects where it does not answer. */
export const sessionNow = (queries: QueryClient): Promise<SessionAnswer> =>
  queries.fetchQuery({ queryKey: KEY, queryFn: read, staleTime: 0 });

/** After signing in, out or up: asks again who it is. */
export function useRefreshSession(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ queryKey: KEY }), [queries]);
}

const MERCHANT = 'bursar-merchant';

/** The merchant of this tab, where a person belongs to several. */
export const merchantInUse = (): string | null => sessionStorage.getItem(MERCHANT);

/** Call it before the page is loaded anew. */
export const keepMerchant = (id: string): void => sessionStorage.setItem(MERCHANT, id);

/** The environment of a mode: of the merchant in use, or of the first one that has it. */
export function environmentOf(environments: readonly Environment[], mode: Mode): Environment | undefined {
  const those = environments.filter((each) => each.mode === mode);
  return those.find(({ merchant }) => merchant.id === merchantInUse()) ?? those[0];
}

/** What the header says: the mode, or the id where the mode alone would not tell. */
export const headerOf = (environments: readonly Environment[], environment: Environment): string =>
  environments.filter(({ mode }) => mode === environment.mode).length > 1 ? environment.id : environment.mode;
