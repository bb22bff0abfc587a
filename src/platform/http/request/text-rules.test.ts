import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsCardNumber, safeText, textCodes } from './text-rules.ts';

const code = (name: string) => expect.objectContaining({ code: name });

test('unsafe characters are refused wherever they stand', () => {
  const unsafe = [0, 9, 10, 13, 0x1b, 0x7f, 0x85, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xd800, 0xdfff];
  for (const point of unsafe) {
    for (const text of [
      String.fromCharCode(point),
      `a${String.fromCharCode(point)}b`,
      `é${String.fromCharCode(point)}`,
    ]) {
      expect(() => safeText(text, 'name', 99, 'prose'), point.toString(16)).toThrow(code('text_invalid'));
    }
  }
});

test('good text passes, in NFC', () => {
  for (const text of ['', 'Ada', 'Zoë Ωμέγα 山田', '👩‍👩‍👧 family', 'שלום', 'x\u200fy', '~!@#$%^&*()']) {
    expect(safeText(text, 'name', 99, 'prose')).toBe(text);
  }
  expect(safeText('e\u0301', 'name', 1, 'prose')).toBe('é');
});

test('ids that look the same are the same: no blank at an end, none but the usual one, nothing unseen', () => {
  for (const text of ['A1 ', ' A1', 'A1\u00a0', 'A\u20091', 'A1\u200b', 'A1\ufe0f', 'A\u00ad1', '\ufeffA1', ' ']) {
    expect(() => safeText(text, 'external_id', 99, 'id'), JSON.stringify(text)).toThrow(code('text_invalid'));
    expect(safeText(text, 'external_id', 99, 'code'), JSON.stringify(text)).toBe(text); // control: to look for old ones
  }
  for (const text of ['A1', 'invoice 1', 'Zürich-7', '東京', '4111 1111 1111 1111'])
    expect(safeText(text, 'external_id', 99, 'id')).toBe(text);
});

test('what cannot be seen is refused in names and ids, and only there', () => {
  for (const point of [
    0xad, 0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x2060, 0x3164, 0xfeff, 0xe0001, 0xe0061, 0xe007f,
  ]) {
    const text = `Ada${String.fromCodePoint(point)} Lovelace`;
    expect(() => safeText(text, 'name', 99, 'name'), point.toString(16)).toThrow(code('text_invalid'));
    expect(safeText(text, 'name', 99, 'prose')).toBe(text.normalize('NFC'));
    expect(safeText(text, 'name', 99, 'code')).toBe(text.normalize('NFC'));
  }
  for (const text of ['Ada Lovelace', 'Zoë Ωμέγα 山田', '葛\u{e0100}城', 'Savings ❤\ufe0f', 'שלום', 'राम']) {
    expect(safeText(text, 'name', 99, 'name')).toBe(text.normalize('NFC'));
  }
});

test('length counts code points after normalisation', () => {
  expect(safeText('👍'.repeat(10), 'name', 10, 'prose')).toBe('👍'.repeat(10));
  expect(() => safeText('👍'.repeat(11), 'name', 10, 'prose')).toThrow(code('text_too_long'));
  expect(() => safeText('a'.repeat(1_000_000), 'name', 10, 'prose')).toThrow(code('text_too_long'));
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

/** Beginnings and lengths as the brands publish them, written down a second time. */
const BRANDS = [
  ...['4'].map((beginning) => [beginning, 16] as const),
  ...['4'].map((beginning) => [beginning, 19] as const),
  ...['51', '55', '2221', '2299', '2300', '2699', '2700', '2720'].map((beginning) => [beginning, 16] as const),
  ...['34', '37'].map((beginning) => [beginning, 15] as const),
  ...['300', '305', '3095', '36', '38', '39'].map((beginning) => [beginning, 14] as const),
  ...['6011', '644', '649', '65', '62', '3528', '3589', '2200', '2204'].map((beginning) => [beginning, 16] as const),
  ...['62', '6011', '50', '58', '67'].map((beginning) => [beginning, 19] as const),
  ...['50', '63'].map((beginning) => [beginning, 13] as const),
];
const card = fc
  .tuple(fc.constantFrom(...BRANDS), fc.stringMatching(/^\d{19}$/))
  .map(([[beginning, length], digits]) => luhn((beginning + digits).slice(0, length - 1)));

test('the number of a card is found in every spelling, and what comes next to it is none', () => {
  const before = fc.constantFrom('', 'card ', 'no.', '(', '#', 'Visa: ');
  const grouped = (digits: string, blank: string) => digits.replace(/(\d{4})(?=\d)/g, `$1${blank}`);
  fc.assert(
    fc.property(card, before, fc.constantFrom('', ' ', '-', '–', '\u00a0'), (digits, start, blank) => {
      expect(holdsCardNumber(`${start}${grouped(digits, blank)}.`)).toBe(true);
      const wrong = digits.slice(0, -1) + ((Number(digits.at(-1)) + 1) % 10);
      expect(holdsCardNumber(`${start}${wrong}.`)).toBe(false);
      expect(holdsCardNumber(`${start}${digits}x`)).toBe(false);
      expect(holdsCardNumber(`${start}x${digits}`)).toBe(false);
      expect(holdsCardNumber(`${start}_${digits}`)).toBe(false);
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
    'RF18539007547034 4111111111111111',
  ]) {
    expect(holdsCardNumber(text), text).toBe(true);
  }
});

test('other numbers pass', () => {
  for (const text of [
    '4111111111111112',
    'Invoice 2026-11-21 no 000123',
    '+49 30 901820',
    luhn('491511234567'), // a telephone number: Germany, mobile
    `+${luhn('4911123456789012')}`,
    '123456789012',
    '41111111111111111111111',
    'DE89370400440532013001',
    'RF18539007547034',
    'RF004111111111111111',
    'order a4111111111111111',
    '3f9a4111-1111-4111-8111-111111111111',
    '00004111-1111-1111-1111-000000000000',
    luhn('100000000000000'),
    luhn('20261123000000000'),
    luhn('999999999999999'),
  ]) {
    expect(holdsCardNumber(text), text).toBe(false);
  }
});

test('of 20,000 UUIDs none is refused, and of 20,000 long numbers none that begins like no brand', () => {
  const digits = () => `${randomInt(1e12, 1e13 - 1)}`.slice(1) + `${randomInt(1e6, 1e7 - 1)}`;
  const refused = { uuids: 0, written: 0, numbers: 0, codes: 0 };
  const holds = (text: string) => Number(holdsCardNumber(text));
  for (let i = 0; i < 20_000; i++) {
    const uuid = randomUUID();
    refused.uuids += holds(`Order ${uuid}`);
    refused.written += holds(uuid.replaceAll('-', ''));
    const order = luhn(`${'0179'[i % 4]}${digits()}`.slice(0, 12 + (i % 7)));
    refused.numbers += holds(order);
    const external = luhn(digits().slice(0, 12 + (i % 7)));
    if (safeText(external, 'external_id', 100, 'code') !== external) refused.codes += 1;
  }
  expect(refused).toEqual({ uuids: 0, written: 0, numbers: 0, codes: 0 });
  // Control: the same loop finds cards where a brand's beginning stands.
  let found = 0;
  for (let i = 0; i < 1_000; i++) found += holds(luhn(`4${digits()}`.slice(0, 15)));
  expect(found).toBe(1_000);
});

test('only text that people read is looked through', () => {
  for (const kind of ['prose', 'name'] as const) {
    expect(() => safeText('4111 1111 1111 1111', 'x', 99, kind)).toThrow(code('card_number_refused'));
    expect(textCodes(kind)).toContain('card_number_refused');
  }
  expect(safeText('4111 1111 1111 1111', 'x', 99, 'code')).toBe('4111 1111 1111 1111');
  expect(textCodes('code')).not.toContain('card_number_refused');
});
