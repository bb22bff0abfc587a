/** Keys that work on every page, and their list: `Ctrl K` or `/` searches, `g` and a letter goes, `?` says which there are. */
import { Fragment, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { useMay } from '../api/me.ts';
import { entriesFor } from '../routes.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { isTyping, SECOND_KEY_MS } from '../ui/screen.ts';
import classes from './shell.module.css';

const GOES: Readonly<Record<string, string>> = {
  o: '/',
  i: '/approvals',
  p: '/payouts',
  a: '/accounts',
  r: '/recipients',
  w: '/webhooks',
  e: '/events',
  q: '/requests',
};

/** `search` opens the search. Answers whether the list of keys is open. */
export function useShortcuts(search: () => void): { readonly isOpen: boolean; open(): void; close(): void } {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const goneAtMs = useRef(-SECOND_KEY_MS);
  const onKey = useRef<(event: KeyboardEvent) => void>(undefined);
  onKey.current = (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      return search();
    }
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') {
      event.preventDefault();
      return search();
    }
    if (event.key === '?') return setOpen(true);
    const to = event.timeStamp - goneAtMs.current < SECOND_KEY_MS ? GOES[event.key] : undefined;
    goneAtMs.current = event.key === 'g' ? event.timeStamp : -SECOND_KEY_MS;
    if (to !== undefined) navigate(to === '/' ? `/${mode}` : `/${mode}${to}`);
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current?.(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

const ALWAYS = [
  [['Ctrl K', '/'], 'Search'],
  [['j', 'k'], 'The next row of a list, the one before'],
  [['Enter'], 'Open the row'],
  [['x', 'a', 'r'], 'In approvals: choose, approve, reject'],
  [['?'], 'These keys'],
] as const;

export function Keys({ close }: { close(): void }) {
  const { mode } = useHere();
  const may = useMay();
  const goes = Object.entries(GOES).flatMap(([key, to]) => {
    const entry = entriesFor(may, mode === 'sandbox').find(({ path }) => path === to);
    return entry === undefined ? [] : [[['g', key], entry.word] as const];
  });
  return (
    <Dialog title="Keys" isOpen size={420} close={close}>
      <dl className={classes['keys']}>
        {[...ALWAYS, ...goes].map(([keys, word]) => (
          <Fragment key={word}>
            <dt>
              {keys.map((each) => (
                <kbd key={each} className={classes['kbd']}>
                  {each}
                </kbd>
              ))}
            </dt>
            <dd>{word}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
