/**
 * Text as banks take it. SEPA banks take Latin letters, digits and few signs (EPC217-08); German and Swiss ones more. Other characters are
 * written by their nearest Latin letters: accents go, Greek and Cyrillic are transliterated. Other scripts cannot be written.
 */

/** Letters that a profile takes. */
export type Charset = 'sepa' | 'german' | 'latin';

const TAKEN: Readonly<Record<Charset, RegExp>> = {
  sepa: /^[A-Za-z0-9/\-?:().,'+ ]$/,
  german: /^[A-Za-z0-9/\-?:().,'+ ÄÖÜäöüß&*$%]$/,
  latin: /^[A-Za-z0-9/\-?:().,'+ &*$%!#"=@;_<>~À-ÖØ-öø-ÿ]$/,
};

/** What stands for letters that Unicode does not take apart, for their capitals, and for signs. */
export const STAND_INS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'ß:ss ẞ:SS æ:ae Æ:AE œ:oe Œ:OE ø:o Ø:O đ:d Đ:D ð:d Ð:D þ:th Þ:Th ł:l Ł:L ħ:h Ħ:H ı:i ŋ:n Ŋ:N ŧ:t Ŧ:T ĸ:k ſ:s ə:e Ə:E ' +
    'а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ' +
    'і:i ї:i є:ie ґ:g ў:u ј:j љ:lj њ:nj ћ:c ђ:dj џ:dz ѓ:g ќ:k ѕ:dz ѝ:i ' +
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o ' +
    "’:' ‘:' “:' ”:' \":' `:' ´:' „:' ‚:' –:- —:- _:- ‐:- ‑:- −:- ~:- &:+ @:(at) €:EUR £:GBP $:USD %:. ;:, !:. …:... =:- #:. *:. " +
    '[:( ]:) {:( }:) <:( >:) |:/ \\:/ ª:a º:o №:No °:.'
  )
    .split(' ')
    .flatMap((pair): [string, string][] => {
      const [letter = '', latin = ''] = pair.split(':');
      const upper = letter.toUpperCase();
      const capital: [string, string] = [upper, latin.charAt(0).toUpperCase() + latin.slice(1)];
      return upper.length === 1 && upper !== letter ? [[letter, latin], capital] : [[letter, latin]];
    }),
);

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
