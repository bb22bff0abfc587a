/**
 * One detail written in two ways: an end-to-end id in capitals or cut by an MT940, an account by its IBAN or its national number. Before
 * entries are compared, those of a statement are spelled as the ledger spells them, where that is clear. What is not clear stays as it is, and
 * two texts of a statement never become one. Pure. Who compares: `pairs.ts`.
 */
import { ibanOf } from '../rails/iban.ts';
import type { Likeness } from './pairs.ts';

type Mark = 'endToEndId' | 'account';

/** Letters and digits of a shortened end-to-end id. Banks cut at 16, 27, 31 or 35 characters, signs among them. */
const LEAST_OF_CUT = 12;
/** An end-to-end id has 35 characters at most (ISO 20022, Max35Text). Longer texts are not looked at for beginnings. */
const MOST_OF_ID = 35;
/** Digits of a national number; shorter ones are of too many accounts. */
const LEAST_OF_NUMBER = 6;

/**
 * Characters of an IBAN, behind its check digits, that are the bank and what else stands before the number of the account (ISO 13616,
 * registry of IBANs). Of other countries only the whole of what follows the check digits is a national number.
 */
const BANK_CHARACTERS: Readonly<Record<string, readonly number[]>> = {
  AT: [5],
  CH: [5],
  CZ: [4],
  DE: [8],
  DK: [4],
  ES: [10], // bank, branch, check digits
  GB: [4, 10], // with and without the sort code
  IE: [4, 10],
  IT: [11], // check letter, bank, branch
  LI: [5],
  LU: [3],
  NL: [4],
  PL: [8],
  SE: [3],
  SK: [4],
};

/**
 * The entries of a statement, with end-to-end ids and accounts as known entries of the same amount and sign spell them; in their order. Those
 * of the same day count first. The work grows with the number of entries, not with its square.
 */
export function spelledAs(reported: readonly Likeness[], known: readonly Likeness[]): readonly Likeness[] {
  if (known.length === 0) return reported;
  const ids = spellings('endToEndId', reported, known);
  const accounts = spellings('account', reported, known);
  if (ids.size === 0 && accounts.size === 0) return reported;
  return reported.map((each, at) => ({
    ...each,
    endToEndId: ids.get(at) ?? each.endToEndId,
    account: accounts.get(at) ?? each.account,
  }));
}

/** Other spellings, by the places of reported entries. */
function spellings(mark: Mark, reported: readonly Likeness[], known: readonly Likeness[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let left = [...reported.keys()].filter((at) => reported[at]?.[mark] !== null);
  for (const keyOf of [({ amount, day }: Likeness) => `${amount} ${day}`, ({ amount }: Likeness) => `${amount}`]) {
    const groups = new Map<string, Group>();
    for (const key of new Set(left.map((at) => keyOf(reported[at] as Likeness)))) groups.set(key, new Group(mark));
    for (const each of reported) groups.get(keyOf(each))?.reported.add(each[mark]);
    for (const each of known) groups.get(keyOf(each))?.known.add(each[mark]);
    left = left.filter((at) => {
      const each = reported[at] as Likeness;
      const text = each[mark] as string;
      const spelled = groups.get(keyOf(each))?.spell(text) ?? null;
      if (spelled !== null && spelled !== text) found.set(at, spelled);
      return spelled === null;
    });
  }
  return withoutMerged(found, mark, reported);
}

/** Whatever the days are, two different texts of an amount stay two. */
function withoutMerged(
  found: ReadonlyMap<number, string>,
  mark: Mark,
  reported: readonly Likeness[],
): ReadonlyMap<number, string> {
  if (found.size === 0) return found;
  const keyOf = (at: number, text: string) => JSON.stringify([String(reported[at]?.amount), text]);
  const own = new Set(reported.map((each, at) => keyOf(at, each[mark] ?? '')));
  const sources = new Map<string, Set<string>>();
  for (const [at, spelled] of found) {
    const key = keyOf(at, spelled);
    sources.set(key, (sources.get(key) ?? new Set()).add(reported[at]?.[mark] as string));
  }
  const isOfOne = (key: string) => !own.has(key) && sources.get(key)?.size === 1;
  return new Map([...found].filter(([at, spelled]) => isOfOne(keyOf(at, spelled))));
}

/** Texts of one side, each with how often it stands there. */
class Texts {
  readonly counts = new Map<string, number>();
  readonly #mark: Mark;

  constructor(mark: Mark) {
    this.#mark = mark;
  }

  add(text: string | null): void {
    if (text !== null) this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** By what of them counts. */
  get byPlain(): ReadonlyMap<string, readonly string[]> {
    const texts = new Map<string, string[]>();
    for (const text of this.counts.keys()) listed(texts, plainOf(this.#mark, text), text);
    return texts;
  }
}

/** Entries among which one spelling is looked for. */
class Group {
  readonly reported: Texts;
  readonly known: Texts;
  readonly #mark: Mark;
  #plain: { readonly reported: Texts['byPlain']; readonly known: Texts['byPlain']; readonly links: Links } | undefined;

  constructor(mark: Mark) {
    this.#mark = mark;
    this.reported = new Texts(mark);
    this.known = new Texts(mark);
  }

  /** As known entries spell a reported text; the text itself where that is not clear; `null`: none of them may be it. */
  spell(text: string): string | null {
    if (this.known.counts.size === 0) return null;
    if (this.known.counts.has(text)) return text;
    const plain = plainOf(this.#mark, text);
    const { reported, known, links } = this.#compared;
    const same = known.get(plain);
    if (same !== undefined) return same.length === 1 ? (same[0] as string) : text;
    const likes = links.ofReported.get(plain);
    if (likes === undefined) return null;
    const [like] = likes as [string];
    const texts = known.get(like) as readonly string[];
    const [spelled] = texts as [string];
    const isClear = [reported.get(plain), likes, texts, links.ofKnown.get(like)].every((each) => each?.length === 1);
    if (!isClear) return text;
    // Two ids may be alike once they are cut: no more of them than of the one that is known.
    const isCut = this.#mark === 'endToEndId' && plain.length < like.length;
    const counts = [this.reported.counts.get(text) ?? 0, this.known.counts.get(spelled) ?? 0] as const;
    return isCut && counts[0] > counts[1] ? text : spelled;
  }

  get #compared() {
    if (this.#plain === undefined) {
      const [reported, known] = [this.reported.byPlain, this.known.byPlain];
      const shorterOf = this.#mark === 'account' ? numbersOf : beginningsOf;
      this.#plain = { reported, known, links: linksOf(reported, known, shorterOf) };
    }
    return this.#plain;
  }
}

/** Letters and digits, in capitals; an account without zeros in front. A text without any is itself. */
function plainOf(mark: Mark, text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return (mark === 'account' ? withoutZeros(plain) : plain) || text;
}
const withoutZeros = (number: string): string => number.replace(/^0+/, '');

/** The shorter texts that a text may be written as, of these lengths. */
type ShorterOf = (text: string, lengths: ReadonlySet<number>) => readonly string[];

const beginningsOf: ShorterOf = (id, lengths) => {
  if (id.length > MOST_OF_ID) return [];
  const ofCuts = [...lengths].filter((length) => length >= LEAST_OF_CUT && length < id.length);
  return ofCuts.map((length) => id.slice(0, length));
};

/** As an account with an IBAN is called within its country: all of it, or its end, also with the bank in front and without zeros between. */
const numbersOf: ShorterOf = (account) => {
  const iban = ibanOf(account);
  if (iban === null) return [];
  const [country, whole] = [iban.slice(0, 2), iban.slice(4)];
  const parts = (BANK_CHARACTERS[country] ?? []).flatMap((length) => {
    const number = withoutZeros(whole.slice(length));
    return number.length < LEAST_OF_NUMBER ? [] : [number, withoutZeros(whole.slice(0, length) + number)];
  });
  return [...new Set([withoutZeros(whole), withoutZeros(iban.slice(2)), ...parts])];
};

/** What each plain text may be of the other side. */
interface Links {
  readonly ofReported: ReadonlyMap<string, readonly string[]>;
  readonly ofKnown: ReadonlyMap<string, readonly string[]>;
}

function linksOf(reported: Texts['byPlain'], known: Texts['byPlain'], shorterOf: ShorterOf): Links {
  const [ofReported, ofKnown] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const lengthsOf = (texts: Texts['byPlain']) => new Set(Array.from(texts.keys(), ({ length }) => length));
  const join = (one: string, other: string): void => {
    if (!reported.has(one) || !known.has(other)) return;
    listed(ofReported, one, other);
    listed(ofKnown, other, one);
  };
  const [reportedLengths, knownLengths] = [lengthsOf(reported), lengthsOf(known)];
  for (const one of reported.keys()) for (const other of shorterOf(one, knownLengths)) join(one, other);
  for (const other of known.keys()) for (const one of shorterOf(other, reportedLengths)) join(one, other);
  return { ofReported, ofKnown };
}

function listed(lists: Map<string, string[]>, key: string, text: string): void {
  const list = lists.get(key);
  if (list) list.push(text);
  else lists.set(key, [text]);
}
