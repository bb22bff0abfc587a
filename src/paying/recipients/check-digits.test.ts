import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clabeCheckDigit, isAbaNumber } from './check-digits.ts';

const digits = (length: number) =>
  fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((list) => list.join(''));

/** The same digits with another one at `place`. */
function withOther(text: string, place: number, step: number): string {
  return text.slice(0, place) + String((Number(text[place]) + step) % 10) + text.slice(place + 1);
}

describe('ABA routing numbers', () => {
  it('accepts real ones', () => {
    for (const number of ['021000021', '011401533', '091000019', '110000000']) expect(isAbaNumber(number)).toBe(true);
  });

  it('has exactly one check digit for any first eight, and notices any changed digit', () => {
    fc.assert(
      fc.property(digits(8), fc.nat(8), fc.integer({ min: 1, max: 9 }), (first8, place, step) => {
        const valid = '0123456789'
          .split('')
          .map((last) => first8 + last)
          .filter(isAbaNumber);
        expect(valid).toHaveLength(1);
        expect(isAbaNumber(withOther(valid[0] ?? '', place, step))).toBe(false);
      }),
    );
  });
});

describe('CLABE', () => {
  it('computes the check digit of published examples', () => {
    for (const clabe of ['002010077777777771', '032180000118359719', '000000001234567897']) {
      expect(clabeCheckDigit(clabe.slice(0, 17))).toBe(clabe[17]);
    }
  });

  it('notices any changed digit', () => {
    fc.assert(
      fc.property(digits(17), fc.nat(16), fc.integer({ min: 1, max: 9 }), (first17, place, step) => {
        expect(clabeCheckDigit(withOther(first17, place, step))).not.toBe(clabeCheckDigit(first17));
      }),
    );
  });
});
