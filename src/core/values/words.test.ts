import { describe, expect, it } from 'vitest';
import { MAX_WORDS, wordsOf, wordsOfNames } from './words.ts';

describe('the words of a name', () => {
  it.each([
    ['Ada Lovelace', ['ada', 'lovelace']],
    ['José Ñandú', ['jose', 'nandu']],
    ['JOSE\u0301', ['jose']],
    ['Großmann', ['grossmann']],
    ['GROẞMANN', ['grossmann']],
    ['Łukasz Żółć', ['lukasz', 'zolc']],
    ['Søren Kierkegård', ['soren', 'kierkegard']],
    ["Conan O'Brien", ['conan', 'obrien']],
    ['Conan O’Brien', ['conan', 'obrien']],
    ['Jean-Luc (Picard)', ['jean', 'luc', 'picard']],
    ['Ada  Ada', ['ada']],
    ['Müller & Söhne GmbH', ['muller', 'sohne', 'gmbh']],
    ['İstanbul Ltd', ['istanbul', 'ltd']],
    ['ﬁnance ２４', ['finance', '24']],
    ['Иванов', ['ivanov']],
    ['Αθήνα', ['athina']],
    ['محمَّد عليّ', ['محمد', 'علي']],
    ['\u202eדָּוִד\u202c', ['דוד']],
    ['山田太郎', ['山田太郎']],
    ['がぎ', ['か\u3099き\u3099']],
    ['김철수', ['김철수'.normalize('NFKD')]],
    ['देवी', ['देवी']],
    ['Unicorn 🦄 Ltd', ['unicorn', 'ltd']],
    ['🦄 👩‍👩‍👧', []],
    ['', []],
    [' \u200b- ', []],
  ])('%s', (name, words) => expect(wordsOf(name)).toEqual(words));

  it.each([
    ['Müller', 'MUELLER'],
    ['Jörg', 'JOERG'],
    ['Åse', 'Aase'],
    ['Bjørn', 'Bjoern'],
    ['Strauß', 'STRAUSS'],
    ['Œuvre', 'OEUVRE'],
  ])('%s and %s are one word', (one, other) => expect(wordsOf(one)).toEqual(wordsOf(other)));

  it('the beginning of a name finds it, wherever it is cut', () => {
    for (const name of ['Muellerovic', 'Müllerovič', 'Manuela', 'Baader', 'Łukasz', 'Großmann', '山田太郎', 'Œdipus']) {
      const [whole = ''] = wordsOf(name);
      const letters = Array.from(name);
      for (let cut = 1; cut <= letters.length; cut++) {
        const [begun = ''] = wordsOf(letters.slice(0, cut).join(''));
        expect(whole.startsWith(begun) && begun !== '', `${name} ${cut}`).toBe(true);
      }
    }
  });

  it('are bounded: six of a name, forty letters of each, and no half of a letter', () => {
    expect(wordsOf('a1 b c d e f g h')).toHaveLength(MAX_WORDS);
    expect(wordsOf('x'.repeat(140))).toEqual(['x'.repeat(40)]);
    expect(wordsOf('𠮷'.repeat(70))).toEqual(['𠮷'.repeat(40)]);
  });

  it('a name in another script is found by its Latin form too', () => {
    expect(wordsOfNames(['山田 太郎', 'Yamada Taro'])).toEqual(['山田', '太郎', 'yamada', 'taro']);
    expect(wordsOfNames(['Ada', null])).toEqual(['ada']);
  });
});
