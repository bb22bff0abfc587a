/** Keys that work on every page: `Ctrl K` or `/` searches, `g` and a letter goes, `?` lists them (`keys.tsx`). */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { isTyping } from '../ui/screen.ts';

export const GOES: Readonly<Record<string, string>> = {
  o: '/',
  p: '/payouts',
  a: '/accounts',
  r: '/recipients',
  w: '/webhooks',
  e: '/events',
  q: '/requests',
};
const SECOND_KEY_MS = 1_000;

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
