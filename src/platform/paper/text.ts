/**
 * Texts as a document can show them. The fonts have Latin, Greek and Cyrillic letters; any other character becomes one sign, never
 * nothing and never another letter, and a note says what the sign means.
 */
import { majorOf } from '../../core/values/money.ts';

export const UNSHOWN = '\uFFFD';

export interface Glyphs {
  hasGlyphForCodePoint(code: number): boolean;
}

/** Signs that change how others are read, such as marks of direction: nobody sees them, and they can make a text say another thing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Letters of scripts that run from right to left would stand in the wrong order even where a font has them. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** The text with {@link UNSHOWN} for each character that cannot be shown. Blanks and line breaks become one blank. */
export function showable(text: string, glyphs: Glyphs): string {
  let shown = '';
  for (const character of text
    .normalize('NFC')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .trim()) {
    const fits =
      character !== UNSHOWN &&
      !INVISIBLE.test(character) &&
      !RIGHT_TO_LEFT.test(character) &&
      glyphs.hasGlyphForCodePoint(character.codePointAt(0) as number);
    shown += fits ? character : UNSHOWN;
  }
  return shown;
}

/** Major units with thousands apart: `1,234,567.89`. Without a sign. */
export function moneyText(minor: bigint, currency: string): string {
  const text = majorOf(minor < 0n ? -minor : minor, currency);
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `21 November 2026`, UTC. */
export function dayText(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** `21 Nov 2026` */
export function shortDayText(atMs: number): string {
  const [day, month = '', year] = dayText(atMs).split(' ');
  return `${day} ${month.slice(0, 3)} ${year}`;
}

/** `21 November 2026, 09:05 UTC` */
export const instantText = (atMs: number): string =>
  `${dayText(atMs)}, ${new Date(atMs).toISOString().slice(11, 16)} UTC`;
