/** What is taken for a logo: by the first bytes and the size, as the server judges it. */
import { describe, expect, it } from 'vitest';
import { logoOf } from './logo-file.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const of = (beginning: readonly number[], length: number) => {
  const bytes = new Uint8Array(length).fill(0xab);
  bytes.set(beginning);
  return bytes;
};

describe('a picture', () => {
  it.each([
    ['png', PNG],
    ['jpeg', [0xff, 0xd8, 0xff]],
  ])('%s, byte for byte', (type, beginning) => {
    const bytes = of(beginning, 65_536);
    const logo = logoOf(bytes);
    if (typeof logo === 'string') throw new Error(logo);
    expect(logo.address).toBe(`data:image/${type};base64,${logo.base64}`);
    expect(Buffer.from(logo.base64, 'base64').equals(Buffer.from(bytes))).toBe(true);
  });
});

it('nothing else, and nothing larger', () => {
  expect(logoOf(of(PNG, 65_537))).toBe('A logo has at most 64 kB. This file has 65 kB: make the picture smaller.');
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '', 'GIF89a'])
    expect(logoOf(new TextEncoder().encode(text))).toMatch(/PNG or JPEG/);
});
