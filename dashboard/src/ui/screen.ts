/** What the screen is, and whether a key was meant for a field. */
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** As in the style sheets. Paper is narrow too, and no phone. */
export const PHONE = 'screen and (max-width: 720px)';

export const usePhone = (): boolean => useMediaQuery(PHONE, matchMedia(PHONE).matches) ?? false;

/** Whether the page is being printed: from before it is laid out on paper until after. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // At once: what is drawn later is on no paper.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** Within which the second key of two counts. */
export const SECOND_KEY_MS = 1_000;

/** Keys of the page are none while somebody writes, or while a dialog is open. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  const isField = target?.closest?.('input,textarea,select,[contenteditable],[role="dialog"],[role="menu"]') ?? null;
  return isField !== null || isDialogOpen();
}
