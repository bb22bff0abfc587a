/** The frame around every page: band of the sandbox, top bar, navigation, the page, and what is asked over it. */
import { Drawer } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { useFollow, useIsRoleKnown, useMay } from '../api/me.ts';
import { PAGES } from '../routes.tsx';
import { Empty } from '../ui/conditions.tsx';
import { Page } from '../ui/page.tsx';
import { rolesThatMay } from '../ui/roles.ts';
import { Band } from './band.tsx';
import { Caught } from './caught.tsx';
import { Forbidden } from './forbidden.tsx';
import { useScroll } from './scroll.ts';
import { useShortcuts } from './shortcuts.ts';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';

const loadSearch = () => import('./search.tsx');
const Search = lazy(async () => ({ default: (await loadSearch()).Search }));
/** Search should open at once: its code is fetched when the page has nothing better to do. */
const SEARCH_AFTER_MS = 1_500;
const Keys = lazy(async () => ({ default: (await import('./keys.tsx')).Keys }));
const StepUpDialog = lazy(async () => ({ default: (await import('../pages/signin/step-up.tsx')).StepUpDialog }));

export function Shell({ fallback }: { readonly fallback: ReactNode }) {
  const { mode } = useHere();
  const may = useMay();
  const isUnknown = !useIsRoleKnown(); // then a page that is not for every role waits, and asks for nothing
  const [path] = useLocation();
  const [isSearching, setSearching] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useFollow();
  const keys = useShortcuts(() => setSearching(true));
  useIcon(mode);
  useEffect(() => {
    const timer = setTimeout(() => void loadSearch().catch(() => undefined), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => setMenuOpen(false), [path]);
  useScroll(path);
  return (
    <>
      <a className={classes['skip']} href="#main">
        To the page
      </a>
      <Band />
      <TopBar openSearch={() => setSearching(true)} openMenu={() => setMenuOpen(true)} openKeys={keys.open} />
      <div className={classes['body']}>
        <div className={classes['side']}>
          <Navigation />
        </div>
        <main id="main" className={classes['main']} tabIndex={-1}>
          <Caught key={path}>
            <Suspense fallback={<div className="page">{fallback}</div>}>
              <Switch>
                {PAGES.map(({ path, page: Content, scope, verb }) => (
                  <Route key={path} path={`/${mode}${path === '/' ? '' : path}`}>
                    {isUnknown && scope !== undefined && rolesThatMay(scope, mode).length > 0 ? (
                      <div className="page">{fallback}</div>
                    ) : scope === undefined || may(scope) ? (
                      <Content />
                    ) : (
                      <Forbidden scope={scope} verb={verb} />
                    )}
                  </Route>
                ))}
                <Route>
                  <Page title="Nothing here">
                    <Empty>There is no page under this address.</Empty>
                  </Page>
                </Route>
              </Switch>
            </Suspense>
          </Caught>
        </main>
      </div>
      <Drawer
        opened={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        title="Pages"
        size={280}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Navigation />
      </Drawer>
      <Suspense fallback={null}>
        {isSearching && <Search close={() => setSearching(false)} />}
        {keys.isOpen && <Keys close={keys.close} />}
        <StepUpDialog />
      </Suspense>
    </>
  );
}

/** The icon of the tab is amber in the sandbox. */
function useIcon(mode: string): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = `${import.meta.env.BASE_URL}${mode === 'live' ? 'icon' : 'icon-sandbox'}.svg`;
  }, [mode]);
}
