/** The receipt on paper: dark on white on one sheet, with nothing to press. Used by `test/long/small/pages.test.ts` and `test/long/pages.test.ts`. */
import { expect } from 'vitest';
import { screenshot } from './browser.ts';
import type { PaymentPages } from './payment-pages.ts';

const PARTS = ['Paid', '€1,234.50', 'Café Zoë', 'Invoice 4711', 'RF18 5390 0754 7034', '21 November 2026'];

/** Prints it from a desk, in the dark or in light. */
export async function expectReceipt(pages: PaymentPages, dark: boolean): Promise<void> {
  await pages.look({ alone: true, device: 'desktop', dark }, async (page) => {
    await page.goto('/pay/paid-too-much');
    await page.emulateMedia({ media: 'print' });
    const shown = await page.locator('body').innerText();
    for (const part of PARTS) expect(shown).toContain(part);
    expect(await page.locator('button:visible, a:visible, input:visible').count()).toBe(0);
    const [ink, paper] = await page.evaluate<[string, string]>(
      '[getComputedStyle(document.querySelector("h1")).color, getComputedStyle(document.body).backgroundColor]',
    );
    expect(Math.max(...channels(ink))).toBeLessThan(64);
    expect(channels(paper)[3] ?? 1).toBe(0);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    if (!dark) await screenshot(page, 'paid-print');
  });
}

function channels(colour: string): number[] {
  return [...colour.matchAll(/[\d.]+/g)].map(([number]) => Number(number));
}
