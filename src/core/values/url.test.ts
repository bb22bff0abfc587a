/** Addresses are recognised as such, the hundred-thousandth time too. */
import { expect, it } from 'vitest';
import { parseUrl } from './url.ts';

it('addresses, and what is none', () => {
  expect(parseUrl('https://bücher.example/ä')?.href).toBe('https://xn--bcher-kva.example/%C3%A4');
  for (const text of ['', 'bücher.example', 'https://', 'https://a b/', '//x'])
    expect([text, parseUrl(text)]).toEqual([text, null]);
});

it('also after it was compiled (Node 20: URL.canParse is wrong from some thousand calls on)', () => {
  let wrong = 0;
  for (let i = 0; i < 100_000; i++) if (parseUrl('https://bücher.example/ä') === null) wrong += 1;
  expect(wrong).toBe(0);
});
