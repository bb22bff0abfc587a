/** Contrast of the page's own colours, and of every colour that a merchant may choose. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentName, accentSheet } from './assets.ts';
import { accentOn, contrast, DARK, DEFAULT_ACCENT, LIGHT, type Palette } from './colours.ts';

const PALETTES = [
  ['light', LIGHT],
  ['dark', DARK],
] as const;
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

function expectReadable(accent: string, palette: Palette): void {
  const { fill, onFill, text, edge } = accentOn(accent, palette);
  expect(fill).toBe(accent);
  expect(contrast(onFill, fill), `text on ${fill}`).toBeGreaterThanOrEqual(4.5);
  for (const ground of [palette.card, palette.ground]) {
    expect(contrast(text, ground), `link ${text} of ${accent}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(edge, ground), `edge ${edge} of ${accent}`).toBeGreaterThanOrEqual(3);
  }
}

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#808080', '#000000', 5.32],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBeCloseTo(ratio, 2);
  });
});

describe.each(PALETTES)('the %s palette', (_name, palette) => {
  const { ground, card, text, muted, edge, good, bad, badGround, test, testGround } = palette;
  it.each([
    ['text on the card', text, card, 4.5],
    ['text on the ground', text, ground, 4.5],
    ['muted on the card', muted, card, 4.5],
    ['muted on the ground', muted, ground, 4.5],
    ['error on the card', bad, card, 4.5],
    ['error on its ground', bad, badGround, 4.5],
    ['test mode on its ground', test, testGround, 4.5],
    ['text on the ground of test mode', text, testGround, 4.5],
    ['the mark on the card', good, card, 3],
    ['edges on the card', edge, card, 3],
    ['edges of test mode on the card', test, card, 3],
  ])('%s', (_what, one, other, least) => expect(contrast(one, other)).toBeGreaterThanOrEqual(least));

  it('takes the colour that is there when the merchant chose none', () => expectReadable(DEFAULT_ACCENT, palette));

  it('takes every colour', () => {
    for (const each of ['#000000', '#ffffff', '#777777', '#767676', '#ffff00', '#fff2a8'])
      expectReadable(each, palette);
    fc.assert(
      fc.property(colour, (each) => expectReadable(each, palette)),
      { numRuns: 500 },
    );
  });
});

describe('the sheet of an accent', () => {
  it('sets the same properties for light and dark', () => {
    const sheet = accentSheet('FFF2A8');
    expect(sheet).toMatch(/^:root\{[^{}]+\}@media screen and \(prefers-color-scheme:dark\)\{:root\{[^{}]+\}\}$/);
    const names = [...sheet.matchAll(/--[a-z-]+/g)].map(([name]) => name);
    expect(names.slice(0, 4)).toEqual(['--accent-fill', '--accent-on-fill', '--accent-text', '--accent-edge']);
    expect(names.slice(4)).toEqual(names.slice(0, 4));
    expect(sheet).toContain('--accent-fill:#fff2a8;--accent-on-fill:#000000');
  });

  it('is made of nothing but six hexadecimal digits', () => {
    for (const text of ['', 'fff', '#1f4fd8', '1f4fd8}', 'gggggg']) expect(() => accentSheet(text)).toThrow('colour');
  });

  it.each([
    ['#1F4FD8', 'accent-1f4fd8.css'],
    ['1f4fd8', null],
    ['#1f4', null],
    ['#1f4fd8"', null],
    ['red', null],
    [null, null],
  ])('%s is named %s', (accent, name) => expect(accentName(accent)).toBe(name));
});
