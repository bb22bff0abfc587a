/**
 * Creditor references in what a payer wrote. Nothing is repaired or guessed: a reference counts where it stands by itself, with any blanks
 * and line breaks in it. What only looks like one (a wrong digit, a foreign letter, letters around it) comes back marked: it leads nowhere,
 * and the reference beside it is not taken for the only one. Strangers write these texts, so only the beginning of each counts, and a few
 * references of it. Pure. Statement files are searched in their thread: `iso20022/read/detail.ts`.
 */
import { isId } from '../values/ids.ts';
import { BLANK } from './blanks.ts';
import { parseRf, isDepositReference, remainder97 } from './creditor-reference.ts';
import { rfOfQrReference } from './qr-bill.ts';

/** That are looked at, of all that stands in one transaction. */
export const MOST_SEARCHED = 2_000;
/** That a text names: more than one leads nowhere by itself, and a person assigns at most so many at once. */
const MOST_NAMED = 20;

/** What a payer wrote in one transaction. */
export interface PayersWords {
  readonly texts: readonly string[];
  /** Structured. */
  readonly references: readonly string[];
  readonly additionalTexts: readonly string[];
}

/** Lengths of our references: of accounts, and of payments. */
const LENGTHS = [18, 17] as const;
const OF_ACCOUNT = 18;
/** Of anybody's. */
const LONGEST = 25;

/** The prefix of texts that are no reference: no reference begins like this. */
const UNCLEAR = '?';
export const A_PART = `${UNCLEAR}PART`;
export const isUnclear = (reference: string): boolean => reference.startsWith(UNCLEAR);

/** Without the mark. */
export const bareOf = (reference: string): string =>
  isUnclear(reference) ? reference.slice(UNCLEAR.length) : reference;

/** Of what stands first: structured ones, then texts, joined where banks cut them into lines. */
export function referencesIn({ texts, references, additionalTexts }: PayersWords): readonly string[] {
  let left = MOST_SEARCHED;
  const shortened = (text: string): readonly string[] => {
    const kept = beginningOf(text, left);
    left -= Math.min(text.length, left);
    return kept === '' ? [] : [kept];
  };
  const structured = references
    .flatMap(shortened)
    .flatMap((reference) => parseRf(reference) ?? rfOfQrReference(reference) ?? unclearOf(reference));
  const named = [joined(texts, left), ...additionalTexts].flatMap(shortened).flatMap(namedIn);
  return few([...structured, ...named]);
}

const few = (named: Iterable<string>): readonly string[] => [...new Set(named)].slice(0, MOST_NAMED);

/** A letter that no reference has. Behind a text that was cut, so that a reference which was cut is none. */
const CUT = '\u4e00';
const beginningOf = (text: string, most: number): string => (text.length > most ? text.slice(0, most) + CUT : text);

/** Where banks cut what a payer wrote into lines: a line of this length may end in the middle of a word. */
const WIDTHS: ReadonlySet<number> = new Set([27, 35, 65, 70, 140]);

/** Ends with the line in which there are more than `most`. */
function joined(lines: readonly string[], most: number): string {
  let all = '';
  for (const [at, line] of lines.entries()) {
    all += at > 0 && !WIDTHS.has(lines[at - 1]?.length ?? 0) ? `\n${line}` : line;
    if (all.length > most) break;
  }
  return all;
}

/** A structured reference that begins like one of ours and is none; other schemes do not matter. */
const unclearOf = (reference: string): readonly string[] =>
  /^\s*RF[0-9]{2}/i.test(reference) ? [UNCLEAR + reference.slice(0, LONGEST)] : [];

/** A text without its blanks. */
interface Glued {
  /** As it is written, in upper case where it is of ASCII. */
  readonly written: string;
  /** The same with the nearest of A-Z and 0-9. */
  readonly alike: string;
  /** Where a word begins, or would. */
  readonly breaks: ReadonlySet<number>;
}

/** What the beginning of a text names, each once. */
export function namedIn(whole: string): readonly string[] {
  const text = beginningOf(whole, MOST_SEARCHED);
  if (!MAY_NAME.test(text)) return [];
  const found = namedInGlued(glue(text));
  if (text.search(PUNCTUATION) === -1) return few(found);
  const pointed = namedInGlued(glue(text.replaceAll(PUNCTUATION, '')));
  // Right but for the points in it: it is named, and leads nowhere. One that is clear with its points is the same, whatever its beginning looks like.
  const clear = [...found].filter((named) => !isUnclear(named));
  const isSame = (bare: string) => clear.some((named) => named.startsWith(bare) || bare.startsWith(named));
  const others = [...pointed].map((named) => named.replace(UNCLEAR, '')).filter((bare) => parseRf(bare) !== null);
  return few([...found, ...others.filter((bare) => !isSame(bare) && !found.has(asUnclear(bare))).map(asUnclear)]);
}

const PUNCTUATION = /[-\u2010-\u2015./_:,;]/g;
/** `RF` and two digits, or what may look like them, with blanks and points between: most texts have none, and need no closer look. */
const BETWEEN = `[${PUNCTUATION.source.slice(1, -1)}${BLANK.source.slice(1, -1)}]*`;
const MAY_NAME = new RegExp(
  ['Rr', 'Ff', '0-9OILoil', '0-9OILoil'].map((each) => `[${each}\\u0080-\\uffff]`).join(BETWEEN),
);
const asUnclear = (named: string): string => (isUnclear(named) ? named : UNCLEAR + named);

function namedInGlued(glued: Glued): ReadonlySet<string> {
  const found = new Set<string>();
  let end = 0;
  for (const { index } of glued.alike.matchAll(/RF[0-9OIL]{2}/g)) {
    const { clear, others } = namedAt(glued, index);
    for (const named of clear.length > 0 ? clear : index < end ? [] : others) found.add(named); // within a clear one it is a part of that
    if (found.size >= MOST_NAMED) break;
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
    const looksRight = remainder97(similar, 4) === 1 && parseRf(similar) !== null; // the first one is the quicker
    const isRight = looksRight && similar === slice && (length !== OF_ACCOUNT || isDepositReference(slice));
    if (standsAlone && isRight) clear.push(slice);
    else if (standsAlone || looksRight) unclear = [UNCLEAR + slice];
  }
  return { clear, others: [...unclear, ...otherAt(written, breaks, index)] };
}

/** A right reference of another length, written without blanks: of somebody else, and it counts as named. */
function otherAt(written: string, breaks: ReadonlySet<number>, index: number): readonly string[] {
  if (!breaks.has(index)) return [];
  let end = index + 4;
  while (end - index <= LONGEST && !breaks.has(end)) end += 1;
  const whole = written.slice(index, end);
  return breaks.has(end) && !LENGTHS.some((length) => length === whole.length) && parseRf(whole) !== null
    ? [whole]
    : [];
}

const PLAIN = /^[0-9A-Za-z]$/;
const PART_OF_A_WORD = /[\p{L}\p{N}]/u;

function glue(text: string): Glued {
  let written = '';
  let alike = '';
  const breaks = new Set<number>();
  let isBreak = true;
  for (const character of text) {
    if (PLAIN.test(character)) {
      if (isBreak) breaks.add(written.length);
      isBreak = false;
      const plain = character.toUpperCase();
      written += plain;
      alike += plain;
      continue;
    }
    if (BLANK.test(character)) {
      isBreak = true;
      continue;
    }
    const isWord = PART_OF_A_WORD.test(character);
    if (isBreak || !isWord) breaks.add(written.length);
    isBreak = !isWord;
    // Characters beyond the basic plane take two places in both.
    written += character;
    alike += similarTo(character);
  }
  breaks.add(written.length);
  return { written, alike, breaks };
}

/** Greek and Cyrillic capitals that are drawn like Latin ones, each above its own. */
const DRAWN = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХУЅІЈԌҒϜ';
const LATIN = 'ABEZHIKMNOPTYXABEKMHOPCTXYSIJGFF';

/** Of letters that were seen: a text of strangers may have two thousand. */
const seen = new Map<string, string>();
const MOST_KEPT = 5_000;

function similarTo(character: string): string {
  const known = seen.get(character);
  if (known !== undefined) return known;
  if (seen.size >= MOST_KEPT) seen.clear();
  const found = looksLike(character);
  seen.set(character, found);
  return found;
}

/** The letter or digit that it looks like, of the same length in UTF-16. */
function looksLike(character: string): string {
  const plain = character.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const at = DRAWN.indexOf(plain);
  const found = at === -1 || plain === '' ? plain : (LATIN[at] as string);
  return found.length === character.length ? found : '\0'.repeat(character.length);
}

/** As many as a person looks at. */
const MOST_IN_WORDS = 5;

/** Payouts that words name by our ids, however these are written; they need not exist. */
export function payoutsInWords(words: string): readonly string[] {
  const bare = words.replaceAll(/[^0-9A-Za-z]/g, '').toLowerCase();
  const found = new Set<string>();
  for (let at = bare.indexOf('po0'); at !== -1 && found.size < MOST_IN_WORDS; at = bare.indexOf('po0', at + 1)) {
    const id = `po_${bare.slice(at + 2, at + 28)}`;
    if (isId('po', id)) found.add(id);
  }
  return [...found];
}
