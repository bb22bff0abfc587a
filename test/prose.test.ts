/**
 * What the pages promise their readers, checked on the text: README and changelog are short, one table has everything
 * that is missing, and the drawing of a payout's states has every state. Each rule has a control beside it. Links and
 * words: `tidy.test.ts`; blocks of code: `docs-blocks.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAYOUT_STATUSES } from '../src/paying/payouts/fields.ts';
import { filesIn, ROOT } from './tidy/source.ts';

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the README', () => {
  const MOST_WORDS = 800;
  const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;

  it(`has at most ${MOST_WORDS} words`, () => expect(wordsIn(textOf('README.md'))).toBeLessThanOrEqual(MOST_WORDS));
  it('control: every word counts, those in code and tables too', () => {
    expect(wordsIn('# A page\n\n    npm start   # so\n\n| a | b |\n')).toBe(12);
    expect(wordsIn('word '.repeat(MOST_WORDS + 1))).toBeGreaterThan(MOST_WORDS);
  });
});

describe('the changelog', () => {
  const MOST_LINES = 40;
  /** Lines of the first version. Until it is released, its section is called "Unreleased". */
  const firstVersionIn = (text: string): number => {
    const sections = text.split(/^(?=## )/m);
    const section =
      sections.find((each) => each.startsWith('## [0.1.0]')) ?? sections.find((each) => each.startsWith('## [Unre'));
    return section === undefined ? Number.NaN : section.trimEnd().split('\n').length;
  };

  it(`has at most ${MOST_LINES} lines about 0.1.0: its history is in git`, () =>
    expect(firstVersionIn(textOf('CHANGELOG.md'))).toBeLessThanOrEqual(MOST_LINES));
  it('control: counts the lines of that section, under both names', () => {
    const long = '- A line.\n'.repeat(MOST_LINES);
    expect(firstVersionIn(`# Changelog\n\n## [Unreleased]\n${long}`)).toBe(MOST_LINES + 1);
    expect(firstVersionIn(`## [Unreleased]\n\n## [0.2.0]\n${long}\n## [0.1.0] - 2026-12-01\n- One.\n`)).toBe(2);
    expect(firstVersionIn('# Changelog\n')).toBeNaN();
  });
});

describe('what is missing', () => {
  const HOME = 'docs/features.md';
  const WORDS = /\b(?:not|cannot)\s+yet\b/gi;
  const pages = [
    'README.md',
    'client/README.md',
    ...filesIn(['docs'], '.md').filter((path) => !path.startsWith('docs/decisions/')),
  ];

  /** Places that say "not yet" or "cannot yet" outside the one table, each with the words around it. */
  const strays = (path: string, text: string): readonly string[] => {
    const parts = text.split(/^((?:\|.*(?:\n|$))+)/m); // sentences and tables in turn
    const places = (part: string) =>
      [...part.matchAll(WORDS)].map(({ index }) => `${path}: ${part.slice(Math.max(0, index - 30), index + 30)}`);
    const tables = parts.filter((part, index) => index % 2 === 1 && places(part).length > 0);
    const strange = path === HOME ? tables.slice(1) : tables;
    return [...parts.filter((_, index) => index % 2 === 0), ...strange].flatMap(places);
  };

  it(`stands in one table of ${HOME}`, () => {
    expect(pages.length).toBeGreaterThan(25);
    expect(pages.flatMap((path) => strays(path, textOf(path)))).toEqual([]);
    expect(textOf(HOME)).toMatch(WORDS);
  });
  it('control: another page, a sentence, a line break and a second table are seen', () => {
    const table = '| what | how far |\n|---|---|\n| Dashboard | not yet |\n';
    expect(strays(HOME, table)).toEqual([]);
    expect(strays('docs/webhooks.md', table)).toHaveLength(1);
    expect(strays(HOME, `Bursar cannot yet fly.\n\n${table}`)).toHaveLength(1);
    expect(strays(HOME, `It is not\nyet there.\n\n${table}`)).toHaveLength(1);
    expect(strays(HOME, `${table}\nMore:\n\n${table}`)).toHaveLength(1);
  });
});

describe('the drawing of the states of a payout', () => {
  const missingIn = (page: string) => {
    const drawing = /## States of a payout\n\n```\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    return PAYOUT_STATUSES.filter((status) => !new RegExp(`\\b${status}\\b`).test(drawing));
  };

  it('has every state', () => expect(missingIn(textOf('ARCHITECTURE.md'))).toEqual([]));
  it('control: one that is left out is seen', () => {
    expect(missingIn(textOf('ARCHITECTURE.md').replace('in_transit ─', 'moving ────'))).toEqual(['in_transit']);
    expect(missingIn('# Architecture\n')).toEqual([...PAYOUT_STATUSES]);
  });
});

describe('what the troubleshooting page says that the program says', () => {
  const PAGE = 'docs/troubleshooting.md';
  const program = [...filesIn(['src'], '.ts'), 'scripts/run.mjs'].map(textOf).join('\n');
  /** Parts between the quotation marks of a table’s first column, without what differs from case to case. */
  const partsIn = (page: string) =>
    [...page.matchAll(/^\| “.*?\|/gm)]
      .flatMap(([cell]) => [...cell.matchAll(/“([^”]+)”/g)].flatMap(([, quote = '']) => quote.split('…')))
      .map((part) => part.trim())
      .filter((part) => part.length > 3);
  const unsaid = (page: string) => partsIn(page).filter((part) => !program.includes(part));

  it('it says', () => {
    expect(partsIn(textOf(PAGE)).length).toBeGreaterThan(10);
    expect(unsaid(textOf(PAGE))).toEqual([]);
  });
  it('control: a sentence that no code has is seen', () => {
    expect(unsaid('| “Port … is taken by somebody.” | why |\n| “is in use.” | why |\n')).toEqual([
      'is taken by somebody.',
    ]);
  });
});
