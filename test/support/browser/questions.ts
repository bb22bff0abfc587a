/**
 * What is asked of the payment page alone, beside what every page is asked: whether text lies under something, and whether
 * what is pressed is large enough to be hit. Next: `test/long/small/pages.test.ts`.
 */
import type { Page } from 'playwright-core';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** WCAG 2.2, 2.5.8; the buttons that pay are to be as large as platforms ask for. */
const TARGET_MIN_PX = 24;
const BUTTON_MIN_PX = 44;

const TARGETS = `[...document.querySelectorAll('a[href], button, input:not([type=hidden])')].flatMap((element) => {
  const { width, height } = element.getBoundingClientRect();
  const isBig = element.classList.contains('button') || element.tagName === 'INPUT';
  return width > 0 ? [{ says: element.outerHTML.slice(0, 80), width, height, isBig }] : [];
})`;

/** Links and buttons too small to be hit with a finger. */
export async function smallTargets(page: Page): Promise<string[]> {
  const targets = await page.evaluate<{ says: string; width: number; height: number; isBig: boolean }[]>(TARGETS);
  return targets
    .filter(({ width, height, isBig }) => Math.min(width, height) < (isBig ? BUTTON_MIN_PX : TARGET_MIN_PX) - 0.5)
    .map(({ says, width, height }) => `too small, ${width} × ${height}: ${says}`);
}

const TEXTS_AND_BUTTONS = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen');
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.textContent.trim() === '' || !isShown(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      texts.push({ left, top, right, bottom, says: node.textContent.trim().slice(0, 40), owner: node.parentElement.closest('button, a')?.outerHTML });
    }
  }
  const buttons = [...document.querySelectorAll('button, input')].filter(isShown).map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom, says: element.outerHTML };
  });
  return { texts, buttons };
})()`;

/** Boxes of text have room above and below their letters. */
const OVERLAP_PX = 3;

function overlap(one: Box, other: Box): boolean {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 1 && high > OVERLAP_PX;
}

/** Text that a button or a field lies on. */
export async function coveredText(page: Page): Promise<string[]> {
  const { texts, buttons } = await page.evaluate<{
    texts: (Box & { says: string; owner?: string })[];
    buttons: (Box & { says: string })[];
  }>(TEXTS_AND_BUTTONS);
  if (texts.length === 0) throw new Error('No text is shown.');
  return texts.flatMap((text) =>
    buttons
      .filter((button) => button.says !== text.owner && overlap(text, button))
      .map((button) => `"${text.says}" lies under ${button.says.slice(0, 80)}`),
  );
}
