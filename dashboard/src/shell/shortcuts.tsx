/** Keys that work on every page: `Ctrl K` or `/` searches, `g` and a letter goes. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { isTyping, SECOND_KEY_MS } from '../ui/screen.ts';

export const GOES: Readonly<Record<string, string>> = {
  o: '',
  p: '/payouts',
  a: '/accounts',
  i: '/approvals',
  r: '/recipients',
  w: '/webhooks',
  e: '/events',
  q: '/requests',
};

export function useShortcuts(search: () => void): void {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const goneAtMs = useRef(0);
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
    const to = event.timeStamp - goneAtMs.current < SECOND_KEY_MS ? GOES[event.key] : undefined;
    goneAtMs.current = event.key === 'g' ? event.timeStamp : 0;
    if (to !== undefined) navigate(`/${mode}${to}`);
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current?.(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
