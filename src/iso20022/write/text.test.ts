/** Text as banks take it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Charset, writableName, writableText } from './text.ts';

const CHARSETS: Readonly<Record<Charset, RegExp>> = {
  sepa: /^[A-Za-z0-9/?:().,'+ -]*$/,
  german: /^[A-Za-z0-9/?:().,'+ &*$%ÄÖÜäöüß-]*$/,
  latin: /^[\x20-\x7e\u00a0-\u00ff]*$/,
};
const charsets = Object.keys(CHARSETS) as Charset[];

describe('a name', () => {
  it.each([
    ['Müller & Söhne', 'sepa', 'Muller + Sohne'],
    ['Müller & Söhne', 'german', 'Müller & Söhne'],
    ['Señor Ñandú', 'german', 'Senor Nandu'],
    ['Señor Ñandú', 'latin', 'Señor Ñandú'],
    ['Łódź Sp. z o.o.', 'latin', 'Lódz Sp. z o.o.'],
    ['Straße', 'sepa', 'Strasse'],
    ['Ævar Þór Øyen', 'sepa', 'AEvar Thor Oyen'],
    ['Иван Щербаков', 'sepa', 'Ivan Shcherbakov'],
    ['Αθήνα', 'sepa', 'Athina'],
    ['Παπαδόπουλου', 'sepa', 'Papadopoulou'],
    ['ΓΕΩΡΓΙΟΥ Ούζο', 'sepa', 'GEORGIOU Ouzo'],
    ['Κου\u0301ρος', 'german', 'Kouros'],
    ['Πρόυνη Προϋπολογισμός Ρυ', 'sepa', 'Proyni Proypologismos Ry'], // two sounds
    ['Αγγελόπουλος Μπάμπης', 'latin', 'Aggelopoulos Mpampis'],
    ['İstanbul ığdır', 'sepa', 'Istanbul igdir'],
    ['O’Brien', 'sepa', "O'Brien"],
    ['e\u0301t\u0065\u0301', 'sepa', 'ete'],
    ['soft\u00adhyphen', 'sepa', 'softhyphen'],
    ['  A \t\n B  ', 'sepa', 'A B'],
    ['/A//B/', 'sepa', 'A/B'],
    ['ﬁn ½', 'sepa', 'fin 1.2'],
  ] as const)('%j in %s is %j', (name, charset, expected) => expect(writableName(name, charset, 70)).toBe(expected));

  it.each(['王小明', 'A 王', 'אברהם', 'मोहन', '', ' ', '...', '😀', '//'])('%j cannot be written', (name) =>
    expect(charsets.map((charset) => writableName(name, charset, 70))).toEqual([null, null, null]),
  );

  it('is cut', () => {
    expect(writableName(`${'A'.repeat(69)} B`, 'sepa', 70)).toBe('A'.repeat(69));
    expect(writableName('ß'.repeat(70), 'sepa', 70)).toBe('s'.repeat(70));
  });
});

describe('a text', () => {
  it.each([
    ['Rechnung № 12 — 王', 'Rechnung No 12 - .'],
    ['😀', '.'],
    ['//', null],
    ['', null],
    ['a_b@c.de; 5 €', 'a-b(at)c.de, 5 EUR'],
  ])('%j is %j', (text, expected) => expect(writableText(text, 'sepa', 140)).toBe(expected));
});

describe('whatever is written', () => {
  const inputs = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
  const property = (write: typeof writableText) =>
    fc.property(inputs, fc.constantFrom(...charsets), fc.integer({ min: 1, max: 140 }), (text, charset, max) => {
      const out = write(text, charset, max);
      if (out === null) return;
      expect(out).toMatch(CHARSETS[charset]);
      expect(out.length).toBeLessThanOrEqual(max);
      expect(out.length).toBeGreaterThan(0);
      expect(out).not.toMatch(/^[/ ]|[/ ]$|\/\/| {2}/);
      expect(write(out, charset, max)).toBe(out);
    });
  it('is of the letters of its profile, no longer than asked, and stays as it is when it is written again', () => {
    fc.assert(property(writableText), { numRuns: 3_000 });
    fc.assert(property(writableName), { numRuns: 3_000 });
  });
  it('control: text that is passed through is found', () => {
    expect(() => fc.assert(property((text, _, max) => text.slice(0, max) || null))).toThrow('Property failed');
  });
});
