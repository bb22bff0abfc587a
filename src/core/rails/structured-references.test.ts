/** Structured references: examples of the schemes, and digits that were mistyped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedIn, referencesIn } from './named-references.ts';
import { parseReference, qrReference, referenceTypeOf } from './structured-references.ts';

describe('a reference with right check digits', () => {
  it.each([
    ['rf', 'RF18 5390 0754 7034', 'RF18539007547034'],
    ['qrr', '21 00000 00003 13947 14300 09017', '210000000003139471430009017'],
    ['bba', '+++090/9337/55493+++', '090933755493'],
    ['bba', '***090/9337/55493***', '090933755493'],
    ['bba', '090933755493', '090933755493'],
    ['bba', '000000009797', '000000009797'], // no remainder
    ['kid', '602243', '602243'], // modulo 10
    ['kid', '1234560', '1234560'], // modulo 11
    ['kid', '6-', '6-'], // modulo 11, ten
    ['fi', '12 34561', '1234561'],
    ['fi', '00000000000001234561', '00000000000001234561'],
    ['si', 'SI12 1234567890120', 'SI121234567890120'],
    ['si', 'si05 19-1235-84503', 'SI0519-1235-84503'],
    ['si', 'SI00 2026-17', 'SI002026-17'],
    ['si', 'SI99', 'SI99'],
  ] as const)('%s: %s is read as banks take it', (type, text, canonical) => {
    expect(parseReference(type, text)).toBe(canonical);
    expect(parseReference(type, canonical)).toBe(canonical);
  });

  it.each([
    ['rf', 'RF19539007547034'],
    ['qrr', '210000000003139471430009018'],
    ['qrr', '21000000000313947143000901'],
    ['qrr', '0'.repeat(27)],
    ['bba', '+++090/9337/55494+++'],
    ['bba', '+++090/9337/55493***'],
    ['bba', '000000009700'],
    ['kid', '602244'],
    ['kid', '3'],
    ['kid', '1'.repeat(26)],
    ['fi', '1234562'],
    ['fi', '123'],
    ['fi', '0000'],
    ['si', 'SI12 1234567890121'],
    ['si', 'SI05 18-1235-84503'],
    ['si', 'SI13 1234567890120'], // no such model
    ['si', 'SI99 1'],
    ['si', 'SI00'],
    ['si', 'SI00 1-2-3-4'],
    ['si', 'SI00 123456789012345678901'],
  ] as const)('%s: %s is none', (type, text) => expect(parseReference(type, text)).toBeNull());

  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  it('a QR reference is what 26 digits make, and no other digit in one place', () => {
    fc.assert(
      fc.property(digits(26), fc.nat(26), fc.integer({ min: 1, max: 9 }), (body, at, add) => {
        const reference = qrReference(body);
        fc.pre(!/^0+$/.test(reference));
        expect(parseReference('qrr', reference)).toBe(reference);
        const other = String((Number(reference[at]) + add) % 10);
        expect(parseReference('qrr', reference.slice(0, at) + other + reference.slice(at + 1))).toBeNull();
      }),
    );
  });
});

describe('what a text is by itself', () => {
  it.each([
    ['RF18 5390 0754 7034', 'JP', 'rf'],
    ['210000000003139471430009017', 'CH', 'qrr'],
    ['21 00000 00003 13947 14300 09017', 'LI', 'qrr'],
    ['210000000003139471430009017', 'DE', 'text'],
    ['210000000003139471430009018', 'CH', 'text'],
    ['+++090/9337/55493+++', 'BE', 'bba'],
    ['+++090/9337/55493+++', 'DE', 'text'],
    ['090933755493', 'BE', 'text'], // may be an invoice
    ['SI12 1234567890120', 'SI', 'si'],
    ['SI12 1234567890121', 'SI', 'text'],
    ['1234561', 'FI', 'text'],
    ['602243', 'NO', 'text'],
    ['', 'CH', 'text'],
  ] as const)('%j to %s: %s', (text, country, type) => expect(referenceTypeOf(text, country)).toBe(type));
});

it('none of them is taken for one of ours in what a payer wrote', () => {
  const theirs = [
    '210000000003139471430009017',
    '+++090/9337/55493+++',
    '602243',
    '12 34561',
    'SI12 1234567890120',
    'SI05 19-1235-84503',
    'SI99',
  ];
  for (const text of theirs) {
    expect([text, namedIn(`Invoice ${text} of May`)]).toEqual([text, []]);
    expect([text, referencesIn({ texts: [], references: [text], additionalTexts: [] })]).toEqual([text, []]);
  }
});
