/**
 * A new page begins at its top, and Back returns to where a page was left: in a list of thousands that is the row that was opened. The
 * browser's own memory comes too early, before the rows are there.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';

const FRAMES = 30;

export function useScroll(path: string): void {
  const left = useRef(new Map<string, number>());
  const current = useRef(path);
  const isBack = useRef(false);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const onBack = () => {
      isBack.current = true;
    };
    const onScroll = () => left.current.set(current.current, scrollY);
    addEventListener('popstate', onBack);
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('popstate', onBack);
      removeEventListener('scroll', onScroll);
    };
  }, []);
  useLayoutEffect(() => {
    const to = isBack.current ? (left.current.get(path) ?? 0) : 0;
    isBack.current = false;
    current.current = path;
    let frames = FRAMES;
    let frame = 0;
    // The rows are from memory, and are there within a few frames.
    const reach = () => {
      scrollTo(0, to);
      frames -= 1;
      if (scrollY < to && frames > 0) frame = requestAnimationFrame(reach);
    };
    reach();
    return () => cancelAnimationFrame(frame);
  }, [path]);
}
