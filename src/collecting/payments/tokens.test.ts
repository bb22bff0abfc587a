/** Tokens that nobody guesses and references that payers can type: shape, and chance that favours nothing. */
import { expect, it } from 'vitest';
import { parseRf } from '../../core/rails/creditor-reference.ts';
import { isToken, newReference, newToken } from './tokens.ts';

const MANY = 20_000;

/** How often each character stands in the texts, from `from` on. */
function frequencies(texts: readonly string[], from = 0): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) for (const each of text.slice(from)) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/** Whether all are as frequent as each other, as far as chance allows: six standard deviations. */
function isFair(counts: ReadonlyMap<string, number>, alphabet: number): boolean {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const mean = all / alphabet;
  return (
    counts.size === alphabet && [...counts.values()].every((count) => Math.abs(count - mean) < 6 * Math.sqrt(mean))
  );
}

it('tokens: 24 characters of 62, each as likely as the others, no two alike', () => {
  const tokens = Array.from({ length: MANY }, newToken);
  expect(tokens.every(isToken)).toBe(true);
  expect(new Set(tokens).size).toBe(MANY);
  expect(isFair(frequencies(tokens), 62)).toBe(true);
  expect(24 * Math.log2(62)).toBeGreaterThan(142);
});

it('references: valid ones, 17 characters of 32 that nobody mistakes, no two alike', () => {
  const references = Array.from({ length: MANY }, newReference);
  expect(references.every((each) => /^RF\d\d[0-9A-HJKMNP-TV-Z]{13}$/.test(each) && parseRf(each) === each)).toBe(true);
  expect(new Set(references).size).toBe(MANY);
  expect(isFair(frequencies(references, 4), 32)).toBe(true);
});

it('the measure of fairness sees the usual mistake', () => {
  const bent = Array.from({ length: MANY * 24 }, (_, i) => String.fromCodePoint(0x100 + ((i % 256) % 62)));
  expect(isFair(frequencies(bent), 62)).toBe(false);
});

it.each([
  '',
  'a'.repeat(23),
  'a'.repeat(25),
  `${'a'.repeat(23)}-`,
  `${'a'.repeat(23)}\n`,
  'é'.repeat(24),
  ` ${'a'.repeat(23)}`,
])('%j is no token', (text) => {
  expect(isToken(text)).toBe(false);
});
