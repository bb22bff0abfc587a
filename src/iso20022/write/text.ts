/**
 * Text as banks take it. SEPA banks take Latin letters, digits and few signs (EPC217-08); German and Swiss ones more. Other characters are
 * written by their nearest Latin letters: accents go, Greek and Cyrillic are transliterated. Other scripts cannot be written.
 */
import { STAND_INS } from '../../core/values/letters.ts';

/** Letters that a profile takes. */
export type Charset = 'sepa' | 'german' | 'latin';

const TAKEN: Readonly<Record<Charset, RegExp>> = {
  sepa: /^[A-Za-z0-9/\-?:().,'+ ]$/,
  german: /^[A-Za-z0-9/\-?:().,'+ ÄÖÜäöüß&*$%]$/,
  latin: /^[A-Za-z0-9/\-?:().,'+ &*$%!#"=@;_<>~À-ÖØ-öø-ÿ]$/,
};

/** Two letters that Greek writes for one sound, `ou` (ISO 843, ELOT 743); with a diaeresis on the second they are two sounds. */
const GREEK_OU = /[Οο][υύὐ-ὗὺῦΥΎὙὛὝὟῪ]/gu;
const ou = (pair: string): string => {
  const [first = '', second = ''] = pair.normalize('NFD');
  return (first === 'ο' ? 'o' : 'O') + (second === 'υ' ? 'u' : 'U');
};

/** Marks that stand on other characters, and characters that are not seen. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u;

interface Written {
  readonly text: string;
  /** Letters or digits of other scripts are in it, which nothing stands for. */
  readonly isComplete: boolean;
}

function written(text: string, charset: Charset): Written {
  const taken = TAKEN[charset];
  let isComplete = true;
  const latin = (character: string): string => {
    if (taken.test(character)) return character;
    if (/\s/u.test(character)) return ' ';
    const known = STAND_INS[character];
    if (known !== undefined) return known;
    if (INVISIBLE.test(character)) return '';
    const parts = character.normalize('NFKD');
    if (parts !== character) return Array.from(parts, latin).join('');
    if (/[\p{L}\p{N}]/u.test(character)) isComplete = false;
    return '.';
  };
  const result = Array.from(text.normalize('NFC').replaceAll(GREEK_OU, ou), latin).join('');
  return { text: tidy(result), isComplete };
}

/** One blank between words, and no slash where banks see a code (EPC: neither at an end, nor two in a row). */
const tidy = (text: string): string =>
  text
    .replaceAll(/ +/g, ' ')
    .replaceAll(/\/(?: ?\/)+/g, '/')
    .replaceAll(/^[/ ]+|[/ ]+$/g, '');

/** A text for the creditor of at most `max` characters; what nothing stands for is a full stop. `null`: nothing is left. */
export function writableText(text: string, charset: Charset, max: number): string | null {
  const cut = tidy(written(text, charset).text.slice(0, max));
  return cut === '' ? null : cut;
}

/** A name of at most `max` characters; `null`: it has letters of another script, or none at all. */
export function writableName(name: string, charset: Charset, max: number): string | null {
  const { text, isComplete } = written(name, charset);
  const cut = tidy(text.slice(0, max));
  return isComplete && /[\p{L}\p{N}]/u.test(cut) ? cut : null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] as string);
