/** Bytes of files as programs write them, in what they are written; and those that are no list at all. */
import { describe, expect, it } from 'vitest';
import { type Decoded, decoded, MAX_BYTES } from './bytes.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isLittle: boolean, mark = true) => {
  const units = [...(mark ? '\uFEFF' : ''), ...text].map((each) => each.charCodeAt(0));
  return new Uint8Array(units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
};
const TEXT = 'Name;IBAN;Betrag\nJürgen Groß;DE89370400440532013000;1.234,56\n';
const is = (found: Decoded) => ('text' in found ? [found.text === TEXT, found.encoding, found.inDoubt] : found.fault);

describe('bytes', () => {
  it.each([
    ['UTF-8', utf8(TEXT), 'utf-8'],
    ['UTF-8 with a mark', utf8(`\uFEFF${TEXT}`), 'utf-8'],
    ['UTF-16 as spreadsheets write it', utf16(TEXT, true), 'utf-16le'],
    ['UTF-16, the other way round', utf16(TEXT, false), 'utf-16be'],
    ['UTF-16 without a mark', utf16(TEXT, true, false), 'utf-16le'],
    ['UTF-16 the other way round without a mark', utf16(TEXT, false, false), 'utf-16be'],
  ])('in %s are read, and nothing is in doubt', (_, bytes, encoding) => {
    expect(is(decoded(bytes))).toEqual([true, encoding, false]);
  });

  it('in an old encoding are read as the most usual one, and said to be in doubt', () => {
    const bytes = new Uint8Array([...TEXT].map((each) => each.charCodeAt(0))); // Latin-1
    expect(is(decoded(bytes))).toEqual([true, 'windows-1252', true]);
    expect(is(decoded(bytes, 'windows-1252'))).toEqual([true, 'windows-1252', false]);
  });
  it('of Poland are other letters in another encoding, as a person chooses', () => {
    const bytes = new Uint8Array([0xa3, 0x75, 0x6b, 0x61, 0x73, 0x7a]); // Łukasz
    expect(decoded(bytes)).toMatchObject({ text: '£ukasz', inDoubt: true });
    expect(decoded(bytes, 'windows-1250')).toMatchObject({ text: 'Łukasz', inDoubt: false });
  });

  it.each([
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), /workbook/],
    ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), /workbook/],
    ['a PDF', utf8('%PDF-1.7'), /PDF/],
    ['nothing', new Uint8Array(), /empty/],
    ['too much', new Uint8Array(MAX_BYTES + 1), /larger/],
  ])('of %s are said to be that', (_, bytes, fault) => {
    expect(decoded(bytes)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
