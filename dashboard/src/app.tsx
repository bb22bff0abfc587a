/** Who is there, and which environment the address means; then the shell with its page. Next: `shell/shell.tsx`, `routes.tsx`. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { onEnded, sessionHasEnded } from './api/ended.ts';
import { EnvironmentProvider } from './api/environment.tsx';
import { troubleOf } from './api/errors.ts';
import { askAhead } from './api/me.ts';
import { aheadIn, retryOf } from './api/reads.ts';
import { environmentOf, headerOf, sessionNow, useRefreshSession, useSession } from './api/session.ts';
import type { Mode, Person, SessionAnswer } from './api/shapes.ts';
import { rowAt } from './routes.tsx';
import { Shell } from './shell/shell.tsx';
import { NoEnvironment } from './shell/no-environment.tsx';
import { isEnrolPutOff } from './pages/signin/later.ts';
import { Failed, Loading } from './ui/conditions.tsx';

const SignIn = lazy(async () => ({ default: (await import('./pages/signin/sign-in.tsx')).SignIn }));
const SignInAgain = lazy(async () => ({ default: (await import('./pages/signin/sign-in-again.tsx')).SignInAgain }));

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => void (troubleOf(error) === 'ended' && sessionHasEnded()) }),
  defaultOptions: { queries: { retry: retryOf, networkMode: 'always', staleTime: 2_000 } },
});

/**
 * What the first drawing needs: who is there, the code of the page and, if that comes soon, what the person may do and what the page shows. Drawn
 * before, the page would come 0.3 s later: so long React holds back what takes the place of a placeholder.
 */
export async function readied(): Promise<void> {
  const [, mode = '', path = ''] = /^\/dashboard(?:\/(live|sandbox))?(\/.*)?$/.exec(location.pathname) ?? [];
  const row = rowAt(path);
  const code = row?.page.load();
  const asked = async () => {
    const session = await sessionNow(queries);
    const environments = session.environments ?? [];
    const environment = isMode(mode) ? environmentOf(environments, mode) : undefined;
    if (environment === undefined) return;
    await Promise.race([askedIn(headerOf(environments, environment)), patience()]);
  };
  const askedIn = async (name: string) => {
    const may = await askAhead(queries, name);
    if (row?.scope === undefined || may(row.scope)) await (await code)?.ahead?.(aheadIn(queries, name, may));
  };
  await Promise.allSettled([code, asked()]);
}

/** After so long a page says that it loads. */
const PATIENCE_MS = 150;
const patience = (): Promise<void> => new Promise((done) => setTimeout(done, PATIENCE_MS));

const isMode = (word: string): word is Mode => word === 'live' || word === 'sandbox';

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Router base="/dashboard">
        <Suspense fallback={null}>
          <Entrance />
        </Suspense>
      </Router>
    </QueryClientProvider>
  );
}

/** A link that somebody was handed: its secret stands in the fragment, which no server sees. */
const isLink = (): boolean => /^#(?:claim|invite|reset|login)=/.test(location.hash);

/** A session in which somebody is signed in. */
type Signed = SessionAnswer & { readonly person: Person };

const isSigned = (session: SessionAnswer): session is Signed => session.person !== null;

function Entrance() {
  const [hadLink] = useState(isLink);
  const session = useSession();
  // Who was inside. A session that ends meanwhile is signed into again over the page, which keeps what was typed.
  const inside = useRef<Signed>(undefined);
  if (session.isPending) return null;
  if (session.data === undefined) {
    return (
      <main className="page">
        <h1>Bursar</h1>
        <Failed error={session.error} again={() => void session.refetch()} />
      </main>
    );
  }
  const now = session.data;
  const before = inside.current?.person.id;
  if (isSigned(now) && before !== undefined && now.person.id !== before) return <Anew />;
  if (isSigned(now) && !hadLink && ((now.needs ?? null) === null || isEnrolPutOff())) inside.current = now;
  else if (inside.current === undefined || isSigned(now)) return <SignIn session={now} />;
  return <Inside session={inside.current} isOver={!isSigned(now)} />;
}

/** Somebody else signed in, in another tab: nothing of what was read for the one before stays. */
function Anew() {
  useEffect(() => location.reload(), []);
  return null;
}

const LAST_MODE = 'bursar-mode';
/** Between two answers 401 in a session that the door knows. */
const GOES_ON_MS = 5_000;

interface InsideProps {
  readonly session: Signed;
  /** Asked anew, the door knows nobody any more. */
  readonly isOver: boolean;
}

function Inside({ session, isOver }: InsideProps) {
  const environments = session.environments ?? [];
  const refresh = useRefreshSession();
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    let goneOnMs = Number.NEGATIVE_INFINITY;
    return onEnded(async () => {
      const now = await sessionNow(queries).catch(() => null);
      // Showing a factor gives the session another token, and what was under way with the one before is answered 401. Not twice in a row.
      if (now === null || !isSigned(now) || performance.now() - goneOnMs < GOES_ON_MS) return setEnded(true);
      goneOnMs = performance.now();
      void queries.refetchQueries({ predicate: ({ state }) => troubleOf(state.error) === 'ended' });
    });
  }, []);
  const done = () => {
    setEnded(false);
    void refresh().then(() => queries.invalidateQueries());
  };
  const start = (): Mode => {
    const last = localStorage.getItem(LAST_MODE);
    if ((last === 'live' || last === 'sandbox') && environmentOf(environments, last) !== undefined) return last;
    return environmentOf(environments, 'live') === undefined ? 'sandbox' : 'live';
  };
  return (
    <>
      <Switch>
        <Route path="/:mode/*?">
          {({ mode }) =>
            isMode(mode) ? <InMode session={session} mode={mode} /> : <Redirect to={`/${start()}`} replace />
          }
        </Route>
        <Route>
          <Redirect to={`/${start()}`} replace />
        </Route>
      </Switch>
      {(hasEnded || isOver) && (
        <Suspense fallback={null}>
          <SignInAgain person={session.person} done={done} />
        </Suspense>
      )}
    </>
  );
}

function InMode({ session, mode }: { readonly session: Signed; readonly mode: Mode }) {
  const environments = session.environments ?? [];
  const environment = environmentOf(environments, mode);
  useEffect(() => localStorage.setItem(LAST_MODE, mode), [mode]);
  if (environment === undefined) return <NoEnvironment mode={mode} environments={environments} />;
  return (
    <EnvironmentProvider
      key={environment.id}
      environment={environment}
      environments={environments}
      person={session.person}
    >
      <Shell fallback={<Loading />} />
    </EnvironmentProvider>
  );
}
