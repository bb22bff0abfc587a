/** What of ours stands in the words of a payer. What becomes of it: `bank/statements/matching.test.ts`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCalls } from '../../../test/support/measure/text-work.ts';
import { parseRf, rfReference, depositReference } from './creditor-reference.ts';
import { idSource } from '../values/ids.ts';
import { newReference } from '../../collecting/payments/tokens.ts';
import { isUnclear, namedIn, referencesIn } from './named-references.ts';

const lines = (texts: readonly string[], references: readonly string[] = []) =>
  referencesIn({
    texts,
    references,
    additionalTexts: [],
  });
const found = (text: string) => lines(text.match(/[^]{1,35}/g) ?? []);
let atMs = Date.UTC(2026, 10, 23);
const account = () => idSource((atMs += 7_919_003)).next('acct');
const before = fc.constantFrom('', ' ', 'THANKS ', ' 4711 ', ' A ', '\n', ' for you ', '/', '+', '(', '. ', 'SVWZ+');
const after = fc.constantFrom('', ' ', ' THANKS', ' 4711', ' A ', '\n', ' for you ', '/', '+', ')', '. ', ', 2');
const spelled = fc.constantFrom<(reference: string) => string>(
  (reference) => reference,
  (reference) => (reference.match(/.{1,4}/g) ?? []).join(' '),
  (reference) => reference.toLowerCase(),
  (reference) => `${reference.slice(0, 9)}\n${reference.slice(9)}`,
);

describe('a reference between words is found, and nothing beside it', () => {
  const of = (next: () => string) =>
    fc.assert(
      fc.property(before, after, spelled, (first, last, spell) => {
        const reference = next();
        const text = `${first}${spell(reference)}${last}`;
        // Of a random one and the word behind it another one can come that is right, once in 97.
        const word = /^[^A-Z0-9]*([A-Z0-9]*)/i.exec(last)?.[1] ?? '';
        fc.pre(![...word].some((_, at) => parseRf(reference + word.slice(0, at + 1)) !== null));
        expect(found(text), text).toEqual([reference]);
      }),
      { numRuns: 5_000 },
    );
  it('of an account', () => of(() => depositReference(account())));
  it('of a payment', () => of(newReference));
  it('two of them are two', () => {
    const [one, two] = [newReference(), depositReference(account())];
    expect(found(`${one} ${two}`)).toEqual([one, two]);
    expect(lines([`for ${two}`], [one])).toEqual([one, two]);
    expect(lines([`for ${one}`], [one.toLowerCase()])).toEqual([one]);
  });
});

describe('what only looks like one is unclear, and counts', () => {
  // Of a random one, some words behind it make another one that is right.
  const one = rfReference('3XK5N8E0GQ2MT');
  // A letter for a letter, a digit for a digit: with another width, one in 97 would be right.
  const broken = (reference: string) =>
    reference.slice(0, -1) +
    (/\d$/.test(reference) ? (reference.endsWith('7') ? '8' : '7') : reference.endsWith('X') ? 'Y' : 'X');
  it.each([
    ['a wrong digit', broken(one)],
    ['a letter before it', `X${one}`],
    ['a digit behind it', `${one}7`],
    ['letters behind it', `${one}Thanks`],
    ['a Cyrillic letter', rfReference('ABCABCABCABCA').replace(/A$/, '\u0410')],
    ['wide letters', one.replace('RF', '\uff32\uff26')],
    ['hyphens', one.replace(/(.{4})/g, '$1-')],
  ])('%s', (_, text) => {
    expect(found(text).map(isUnclear)).toEqual([true]);
    const other = rfReference('7WQ2MT3XK5N8E');
    expect(found(`${text} and ${other}`).filter((each) => !isUnclear(each))).toEqual([other]);
    expect(found(`${text} and ${other}`).length).toBe(2);
  });
  it('also in a structured one', () => expect(lines([], [broken(one)]).map(isUnclear)).toEqual([true]));
  it('one of another length is somebody else’s, and counts', () => {
    const others = rfReference('2026INVOICE0000017');
    expect(found(`${others}, ${one}`)).toEqual([others, one]);
  });
  it.each(['SURF12 board', 'RF12', 'RF', '', 'PERF 99 invoice 2026-17, thank you'])('%j names nothing', (text) =>
    expect(found(text)).toEqual([]),
  );
  it('a foreign letter that becomes one of ASCII in upper case is not repaired', () => {
    const withS = rfReference('S00000000000S');
    expect(found(withS.replaceAll('S', '\u017f')).filter((each) => !isUnclear(each))).toEqual([]);
  });
});

/** Of accounts whose first 17 characters are a right reference too, as one in 97 has. */
const BEGINS_RIGHT = Array.from({ length: 2_000 }, (_, n) => idSource(Date.UTC(2026, 10, 24) + n).next('acct'))
  .map(depositReference)
  .filter((reference) => parseRf(reference.slice(0, -1)) !== null);

describe('only the beginning counts', () => {
  const one = newReference();
  const before = (length: number) => 'x '.repeat(length / 2);

  it('2,000 characters of a transaction, all of its texts together', () => {
    expect(namedIn(before(2_000 - one.length) + one)).toEqual([one]);
    expect(namedIn(before(2_000) + one)).toEqual([]);
    expect(lines([before(1_000), `${before(900)}${one}`])).toEqual([one]);
    expect(lines([before(1_000), `${before(1_000)}${one}`])).toEqual([]);
    expect(lines([one], [before(2_000)])).toEqual([]);
  });

  it('one that is cut leads nowhere, also where what is left is right', () => {
    for (const reference of BEGINS_RIGHT.slice(0, 5)) {
      const cut = `${before(1_982)} ${reference}`;
      expect([reference, namedIn(cut).filter((each) => !isUnclear(each))]).toEqual([reference, []]);
      expect(namedIn(cut.slice(0, -1))).toEqual([reference.slice(0, -1)]); // control: what is left is right
    }
  });

  it('the work has a bound, whatever comes', () => {
    const looks = (text: string): number => {
      const { count, stop } = countCalls('charCodeAt');
      lines([text]);
      stop();
      return count();
    };
    for (const piece of ['RF18', 'RF18 ', ' RF18ABCDEFGHIJKLM', '\uff32\uff26\uff11\uff18', 'R-F-1-8-']) {
      const many = (characters: number) => looks(piece.repeat(characters / piece.length));
      expect([piece, many(4_000_000)]).toEqual([piece, many(4_000)]);
    }
    expect(looks('RF18'.repeat(500))).toBeGreaterThan(1_000); // control: it is seen
  });

  it('twenty are named at most', () => {
    const all = Array.from({ length: 60 }, newReference);
    expect(namedIn(all.join(' '))).toEqual(all.slice(0, 20));
  });
});

it('a reference between points is clear, whatever its beginning looks like', () => {
  expect(BEGINS_RIGHT.length).toBeGreaterThan(5);
  for (const reference of BEGINS_RIGHT) {
    for (const text of [`/ROC/INV 99//URI/${reference}`, `${reference}, thanks`, `no. ${reference}.`]) {
      expect([text, namedIn(text)]).toEqual([text, [reference]]);
    }
  }
});
