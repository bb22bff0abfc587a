import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsCardNumber, safeText } from './text-rules.ts';

const code = (name: string) => expect.objectContaining({ code: name });

test('unsafe characters are refused wherever they stand', () => {
  const unsafe = [0, 9, 10, 13, 0x1b, 0x7f, 0x85, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xd800, 0xdfff];
  for (const point of unsafe) {
    for (const text of [
      String.fromCharCode(point),
      `a${String.fromCharCode(point)}b`,
      `é${String.fromCharCode(point)}`,
    ]) {
      expect(() => safeText(text, 'name', 99), point.toString(16)).toThrow(code('text_invalid'));
    }
  }
});

test('good text passes, in NFC', () => {
  for (const text of ['', 'Ada', 'Zoë Ωμέγα 山田', '👩‍👩‍👧 family', 'שלום', 'x\u200fy', '~!@#$%^&*()']) {
    expect(safeText(text, 'name', 99)).toBe(text);
  }
  expect(safeText('e\u0301', 'name', 1)).toBe('é');
});

test('length counts code points after normalisation', () => {
  expect(safeText('👍'.repeat(10), 'name', 10)).toBe('👍'.repeat(10));
  expect(() => safeText('👍'.repeat(11), 'name', 10)).toThrow(code('text_too_long'));
  expect(() => safeText('a'.repeat(1_000_000), 'name', 10)).toThrow(code('text_too_long'));
});

const luhn = (digits: string) => {
  for (let check = 0; check < 10; check++) {
    const sum = Array.from(`${digits}${check}`)
      .toReversed()
      .reduce((total, digit, i) => {
        const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
    if (sum % 10 === 0) return `${digits}${check}`;
  }
  throw new Error('unreachable');
};

test('card numbers of 13 to 19 digits are found in every spelling', () => {
  const digits = fc.stringMatching(/^\d{12,18}$/).map(luhn);
  const around = fc.constantFrom('', 'card ', 'no.', '(', 'x');
  const grouped = (card: string, blank: string) => card.replace(/(\d{4})(?=\d)/g, `$1${blank}`);
  fc.assert(
    fc.property(digits, around, fc.constantFrom('', ' ', '-', '–', '\u00a0'), (card, before, blank) => {
      expect(holdsCardNumber(`${before}${grouped(card, blank)}.`)).toBe(true);
    }),
    { numRuns: 500 },
  );
  for (const text of [
    '4111111111111111',
    '3782 822463 10005',
    '4111 1111 1111 1111 12/26',
    '12 4111-1111-1111-1111',
    '４１１１１１１１１１１１１１１１',
    '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
  ]) {
    expect(holdsCardNumber(text), text).toBe(true);
  }
});

test('other numbers pass', () => {
  for (const text of [
    '4111111111111112',
    'RF18539007547035',
    'Invoice 2026-11-21 no 000123',
    '+49 30 901820',
    '123456789012',
    '41111111111111111111111',
    'DE89370400440532013001',
  ]) {
    expect(holdsCardNumber(text), text).toBe(false);
  }
});

test('takes creditor references, which have check digits of their own, and no card dressed up as one', () => {
  expect(holdsCardNumber('RF18539007547034')).toBe(false);
  expect(holdsCardNumber('Invoice RF18539007547034 of May')).toBe(false);
  expect(holdsCardNumber('RF004111111111111111')).toBe(true);
  expect(holdsCardNumber('RF18539007547034 4111111111111111')).toBe(true);
});
