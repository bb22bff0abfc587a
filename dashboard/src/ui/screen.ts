/** What the screen is, and whether a key was meant for a field. */
import { useMediaQuery } from '@mantine/hooks';

/** As in the style sheets. */
export const PHONE = '(max-width: 720px)';

export const usePhone = (): boolean => useMediaQuery(PHONE, matchMedia(PHONE).matches) ?? false;

export const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** Within which the second key of two counts. */
export const SECOND_KEY_MS = 1_000;

/** Keys of the page are none while somebody writes, or while a dialog is open. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  const isField = target?.closest?.('input,textarea,select,[contenteditable],[role="dialog"],[role="menu"]') ?? null;
  return isField !== null || isDialogOpen();
}
