/**
 * Creditor references in what a payer wrote. Nothing is repaired or guessed: a reference counts where it stands by itself, with any blanks
 * and line breaks in it. What only looks like one (a wrong digit, a foreign letter, letters around it) comes back marked: it leads nowhere,
 * and the reference beside it is not taken for the only one. Pure. Next: `booking.ts`.
 */
import { parseRf, isDepositReference } from '../../core/rails/creditor-reference.ts';
import type { EntryItem, Remittance } from '../../iso20022/read/items.ts';

/** Lengths of our references: of accounts, and of payments. */
const LENGTHS = [18, 17] as const;
const OF_ACCOUNT = 18;

/** The prefix of texts that are no reference: no reference begins like this. */
const UNCLEAR = '?';
const A_PART = `${UNCLEAR}PART`;
export const isUnclear = (reference: string): boolean => reference.startsWith(UNCLEAR);

/** Without the mark. */
export const bareOf = (reference: string): string =>
  isUnclear(reference) ? reference.slice(UNCLEAR.length) : reference;

/**
 * All that an entry names, each once. If only a part of a collective entry names something, `A_PART` stands beside it, so that it is not
 * taken for the only one. The bank's own words count only where the payer wrote none.
 */
export function referencesOf({ details, additionalText, batches }: EntryItem): readonly string[] {
  const byDetail = details.map(({ remittance }) => referencesIn(remittance));
  const found = byDetail.flat();
  const isPart =
    byDetail.some(({ length }) => length === 0) || batches.some(({ count }) => (count ?? 0n) > details.length);
  if (found.length > 0 && isPart) return [...new Set([...found, A_PART])];
  const hasWords = details.some(({ remittance: { texts, references, additionalTexts } }) =>
    [texts, references, additionalTexts].some(({ length }) => length > 0),
  );
  const ofBank = hasWords ? [] : [additionalText, ...details.map((detail) => detail.additionalText)];
  return [...new Set([...found, ...ofBank.flatMap((text) => (text === null ? [] : namedIn(text)))])];
}

export function referencesIn({ texts, references, additionalTexts }: Remittance): readonly string[] {
  const structured = references.flatMap(({ reference }) => parseRf(reference) ?? unclearOf(reference));
  return [...new Set([...structured, ...namedIn(joined(texts)), ...additionalTexts.flatMap(namedIn)])];
}

/** Where banks cut what a payer wrote into lines: a line of this length may end in the middle of a word. */
const WIDTHS: ReadonlySet<number> = new Set([27, 35, 65, 70, 140]);
const joined = (lines: readonly string[]): string =>
  lines.reduce((all, line, at) => `${all}${WIDTHS.has(lines[at - 1]?.length ?? 0) ? '' : '\n'}${line}`, '');

/** A structured reference that begins like one of ours and is none; other schemes do not matter. */
const unclearOf = (reference: string): readonly string[] =>
  /^\s*RF[0-9]{2}/i.test(reference) ? [UNCLEAR + reference] : [];

/** A text without its blanks. */
interface Glued {
  /** As it is written, in upper case where it is of ASCII. */
  readonly written: string;
  /** The same with the nearest of A-Z and 0-9. */
  readonly alike: string;
  /** Where a word begins, or would. */
  readonly breaks: ReadonlySet<number>;
}

/** What a text names, each once. */
export function namedIn(text: string): readonly string[] {
  const found = namedInGlued(glue(text));
  const pointed = text.search(PUNCTUATION) !== -1 ? namedInGlued(glue(text.replaceAll(PUNCTUATION, ''))) : found;
  // Right but for the points in it: it is named, and leads nowhere. One that is clear with its points is the same, whatever its beginning looks like.
  const clear = [...found].filter((named) => !isUnclear(named));
  const isSame = (bare: string) => clear.some((named) => named.startsWith(bare) || bare.startsWith(named));
  const others = [...pointed].map((named) => named.replace(UNCLEAR, '')).filter((bare) => parseRf(bare) !== null);
  return [...found, ...others.filter((bare) => !isSame(bare) && !found.has(asUnclear(bare))).map(asUnclear)];
}

const PUNCTUATION = /[-\u2010-\u2015./_:,;]/g;
const asUnclear = (named: string): string => (isUnclear(named) ? named : UNCLEAR + named);

function namedInGlued(glued: Glued): ReadonlySet<string> {
  const found = new Set<string>();
  let end = 0;
  for (const { index } of glued.alike.matchAll(/RF[0-9OIL]{2}/g)) {
    const { clear, others } = namedAt(glued, index);
    for (const named of clear.length > 0 ? clear : index < end ? [] : others) found.add(named); // within a clear one it is a part of that
    end = Math.max(end, ...clear.map(({ length }) => index + length));
  }
  return found;
}

interface Named {
  readonly clear: readonly string[];
  /** Unclear, or of another length. */
  readonly others: readonly string[];
}

function namedAt({ written, alike, breaks }: Glued, index: number): Named {
  const clear: string[] = [];
  let unclear: readonly string[] = [];
  for (const length of LENGTHS) {
    const [slice, similar] = [written, alike].map((all) => all.slice(index, index + length)) as [string, string];
    if (similar.length < length || !/^[0-9A-Z]+$/.test(similar)) continue;
    const standsAlone = breaks.has(index) && breaks.has(index + length);
    const isRight = length === OF_ACCOUNT ? isDepositReference(slice) : parseRf(slice) !== null;
    if (standsAlone && isRight) clear.push(slice);
    else if (standsAlone || isRight || parseRf(similar) !== null) unclear = [UNCLEAR + slice];
  }
  return { clear, others: [...unclear, ...otherAt(written, breaks, index)] };
}

/** A right reference of another length, written without blanks: of somebody else, and it counts as named. */
function otherAt(written: string, breaks: ReadonlySet<number>, index: number): readonly string[] {
  if (!breaks.has(index)) return [];
  let end = index + 4;
  while (end - index <= 25 && !breaks.has(end)) end += 1;
  const whole = written.slice(index, end);
  return breaks.has(end) && !LENGTHS.some((length) => length === whole.length) && parseRf(whole) !== null
    ? [whole]
    : [];
}

/** Blanks, and what nobody sees. */
const BLANK = /[\s\u00ad\u200b-\u200d\u2060]/;
const PART_OF_A_WORD = /[\p{L}\p{N}]/u;

function glue(text: string): Glued {
  let written = '';
  let alike = '';
  const breaks = new Set<number>();
  let isBreak = true;
  for (const character of text) {
    if (BLANK.test(character)) {
      isBreak = true;
      continue;
    }
    const isWord = PART_OF_A_WORD.test(character);
    if (isBreak || !isWord) breaks.add(written.length);
    isBreak = !isWord;
    // Characters beyond the basic plane take two places in both.
    written += /^[a-z]$/.test(character) ? character.toUpperCase() : character;
    alike += similarTo(character);
  }
  breaks.add(written.length);
  return { written, alike, breaks };
}

/** Greek and Cyrillic capitals that are drawn like Latin ones, each above its own. */
const DRAWN = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХУЅІЈԌҒϜ';
const LATIN = 'ABEZHIKMNOPTYXABEKMHOPCTXYSIJGFF';

/** The letter or digit that it looks like, of the same length in UTF-16. */
function similarTo(character: string): string {
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const at = DRAWN.indexOf(plain);
  const similar = at === -1 || plain === '' ? plain : (LATIN[at] as string);
  return similar.length === character.length ? similar : '\0'.repeat(character.length);
}
