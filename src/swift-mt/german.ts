/**
 * `:86:` of German banks, and of others that took it over: three digits, then subfields behind a sign, `166?00GUTSCHRIFT?20EREF+…?32…`. The text
 * stands in pieces of 27 characters; words of SEPA begin one, some banks let them follow a blank. Source: Deutsche Kreditwirtschaft, DFÜ agreement,
 * annex 3, section 8.2.4. Pure.
 */
import { isBic } from './values.ts';
import { type Information, type Word, wordsThatCount } from './words.ts';

/** The sign is `?`; Dutch and Polish banks have others. Without digits only `?` is one. */
const OPENING = /^(?:\d{3}([?>~^<])|(\?))(?=\d{2})/;
const PIECE = /^(?:2\d|6[0-3])$/;
const PIECE_WIDTH = 27;

/** Further ones only end the one before: ids of creditor and debtor, references of the bank and of a return. */
const WORDS: Readonly<Record<string, Word>> = {
  EREF: 'endToEndId',
  KREF: 'paymentId',
  MREF: 'mandateId',
  ABWA: 'ultimateDebtor',
  ABWE: 'ultimateCreditor',
  IBAN: 'account',
  BIC: 'bic',
  PURP: 'purpose',
  OAMT: 'original',
  COAM: 'charges',
};
const TEXT = 'SVWZ';
const SEPA = new RegExp(`(${[...Object.keys(WORDS), TEXT, 'CRED', 'DEBT', 'BREF', 'RREF'].join('|')})\\+`, 'g');

const SUBFIELDS: ReadonlyMap<string, Word> = new Map<string, Word>([
  ['00', 'kind'],
  ['10', 'journal'],
  ['30', 'bic'],
  ['31', 'account'],
  ['34', 'extension'],
]);

/** `null` if it has another shape. */
export function germanWords(text: string): Information | null {
  const opening = OPENING.exec(text);
  if (opening === null) return null;
  const sign = (opening[1] ?? opening[2]) as string;
  const [code = '', ...subfields] = text.split(new RegExp(`\\${sign}(?=\\d{2})`));
  const pieces: string[] = [];
  const said = new Map<Word, string>();
  let name: readonly [string, string] = ['', ''];
  for (const subfield of subfields) {
    const [key, value] = [subfield.slice(0, 2), subfield.slice(2)];
    const word = SUBFIELDS.get(key);
    if (PIECE.test(key)) pieces.push(value);
    else if (key === '32') name = [value, ''];
    else if (key === '33') name = [name[0], value];
    else if (word !== undefined && (word !== 'bic' || isBic(value.trim()))) said.set(word, value.trim());
  }
  said.set('code', code);
  said.set('name', inOneLine(flowing(name).text));
  const { words, texts } = sepaWords(pieces);
  for (const [word, value] of said) if (value !== '') words.set(word, value);
  return { words, texts };
}

/** Pieces as one text. A piece that is not full ends a line. `starts`: of the pieces. */
function flowing(pieces: readonly string[]): { readonly text: string; readonly starts: ReadonlySet<number> } {
  const starts = new Set<number>();
  let text = '';
  for (const piece of pieces) {
    starts.add(text.length);
    text += piece.length < PIECE_WIDTH ? `${piece}\n` : piece;
  }
  return { text, starts };
}

function sepaWords(pieces: readonly string[]): {
  readonly words: Map<Word, string>;
  readonly texts: readonly string[];
} {
  const { text, starts } = flowing(pieces);
  const marks: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  let isBehind = false;
  for (const { 0: mark, 1: name = '', index: from } of text.matchAll(SEPA)) {
    const isAfterBlank = from === 0 || /\s/.test(text[from - 1] as string);
    if (!starts.has(from) && (isBehind || !isAfterBlank)) continue;
    if (name === TEXT && isBehind) continue;
    isBehind ||= name === TEXT;
    marks.push({ name, from, to: from + mark.length });
  }
  const at = marks.findIndex(({ name }) => name === TEXT);
  const parts = marks.map(({ name, to }, index) => ({ name, value: text.slice(to, marks[index + 1]?.from) }));
  const found = parts.flatMap(({ name, value }, index) => {
    const word = WORDS[name];
    return word === undefined
      ? []
      : [{ word, value: value.replaceAll('\n', isName(word) ? ' ' : ''), isBehind: at !== -1 && index > at }];
  });
  const texts = [text.slice(0, marks[0]?.from), parts[at]?.value ?? ''].map(inOneLine).filter((each) => each !== '');
  return { words: wordsThatCount(found), texts };
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const isName = (word: Word): boolean => word === 'ultimateDebtor' || word === 'ultimateCreditor';
