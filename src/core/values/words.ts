/**
 * The words of a name, as they are kept and as they are looked for: without case, accents, apostrophes and signs, in Latin letters where a
 * letter has a usual Latin one. So `Jörg`, `JOERG` and `Jorg` are one word, and `Łukasz` is found by `luk`. Scripts without blanks are one
 * word, which its beginning finds. Pure. The rows: `paying/recipients/sql.ts`.
 */
import { STAND_INS } from './letters.ts';

/** Of one name. What follows is not found. */
export const MAX_WORDS = 6;
/** Letters of a word that count. */
const MAX_LETTERS = 40;

/** Accents, points of Hebrew, vowels of Arabic and its lengthening stroke, and what is not seen. Vowels of Indic scripts and marks of kana stay. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\p{Cf}'’‘ʼ`´]/gu;
const BETWEEN = /[^\p{L}\p{N}\p{M}]+/u;
/** Languages write two letters for one: `Müller` is `Mueller`, `Åse` is `Aase`. Found by either, so neither says which. */
const WRITTEN_OUT = /a[ae]|oe|ue/gu;

/** Its different words, in their order; none of a text without letters and digits. */
export function wordsOf(name: string): readonly string[] {
  const bare = name.normalize('NFKC').toLowerCase().normalize('NFKD').replaceAll(MARKS, '');
  const latin = bare.replaceAll(/\p{L}/gu, (letter) => STAND_INS[letter] ?? letter).toLowerCase();
  const words = latin
    .split(BETWEEN)
    .map((word) => word.replaceAll(WRITTEN_OUT, (pair) => pair.charAt(0)))
    .map((word) => Array.from(word).slice(0, MAX_LETTERS).join(''));
  return [...new Set(words)].filter((word) => word !== '').slice(0, MAX_WORDS);
}

/** Of a name, and of the same in Latin letters. */
export const wordsOfNames = (names: readonly (string | null)[]): readonly string[] => [
  ...new Set(names.flatMap((name) => (name === null ? [] : wordsOf(name)))),
];
