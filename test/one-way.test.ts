/**
 * One way to write a thing in the pages for readers: the command line is `bursar …`, the key is `$BURSAR_KEY`, the address is `$BURSAR_URL`.
 * `docs/guides/command-line.md` says once how to get `bursar`. What does not work stands in one table, `docs/features.md`. Decisions show
 * what was, so they are not read. Which test runs the blocks: `support/docs/block-runners.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGES } from './support/docs/block-runners.ts';
import { blocksOf } from './support/generators/blocks.ts';

const ROOT = join(import.meta.dirname, '..');
/** Measured and told for people who change the program; everything else is for its users. */
const NOT_FOR_USERS = new Set(['CHANGELOG.md', 'ARCHITECTURE.md', 'bench/README.md']);
const COMMAND_LINE = 'docs/guides/command-line.md';
const FEATURES = 'docs/features.md';

interface Way {
  readonly instead: string;
  readonly wrong: RegExp;
  /** Pages that may say it. */
  readonly but?: readonly string[];
}

const WAYS: readonly Way[] = [
  {
    instead: '`bursar …`',
    wrong: /\bnpm run (?:-s |--silent )?bursar\b|\bnpx bursar\b|\bnode (?:dist|bin)\/\S*bursar\S*/,
    but: [COMMAND_LINE, 'docs/guides/installing.md'],
  },
  { instead: '`$BURSAR_KEY`', wrong: /\$\{?(?:KEY|API_KEY|BURSAR_API_KEY|SECRET_KEY|SK|TOKEN)\b/ },
  { instead: '`-H "Authorization: Bearer $BURSAR_KEY"`', wrong: /\bcurl\b.* (?:-u|--user)\b|Bearer [sr]k_/ },
  { instead: '`$BURSAR_URL`', wrong: /\$\{?(?:URL|BASE|BASE_URL|API|HOST|SERVER)\b/ },
  {
    instead: '`$BURSAR_URL`, written out only where it is set',
    wrong: /^(?!\s*export BURSAR_URL=).*\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):4242/,
    but: ['docs/guides/operating/dashboard.md'], // a browser has no variables
  },
  { instead: '`$BURSAR_URL/v1/…`', wrong: /\bcurl\b(?!.*\$BURSAR_URL\/v1\/).*\/v1\// },
  { instead: `a row of ${FEATURES}`, wrong: /\b(?:not|cannot|never) yet\b/i, but: [FEATURES] },
];

/** Lines as a shell reads them: one that ends with a backslash goes on. */
const linesOf = (text: string) => text.replaceAll(/\\\n\s*/g, '').split('\n');

/** What a page writes in another way, each with its line. */
function otherWays(page: string, text: string): string[] {
  const found = WAYS.filter(({ but = [] }) => !but.includes(page)).flatMap(({ instead, wrong }) =>
    linesOf(text)
      .filter((line) => wrong.test(line))
      .map((line) => `${page}: ${instead} instead of: ${line.trim().slice(0, 100)}`),
  );
  const shows = blocksOf(text).some((block) => linesOf(block.text).some((line) => /^bursar [a-z]/.test(line)));
  const says = page === COMMAND_LINE || text.includes('command-line.md');
  return shows && !says ? [...found, `${page}: shows bursar, and does not lead to ${COMMAND_LINE}`] : found;
}

const pages = PAGES.filter((page) => !NOT_FOR_USERS.has(page));

describe('every page for users', () => {
  it('is read', () => {
    expect(pages.length).toBeGreaterThan(40);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'client/README.md', 'examples/README.md', COMMAND_LINE])
      expect(pages).toContain(page);
  });
  it.each(pages)('%s has one way', (page) =>
    expect(otherWays(page, readFileSync(join(ROOT, page), 'utf8'))).toEqual([]),
  );
});

describe('controls', () => {
  it.each([
    '    npm run bursar -- keys list',
    '    npm run -s bursar -- bank status',
    '`npx bursar keys create`',
    '```sh\nnpx bursar\n```',
    'Run `node dist/src/cli/bursar.js keys list`.',
    '    curl $BURSAR_URL/v1/accounts -H "Authorization: Bearer $KEY"',
    '    curl $BURSAR_URL/v1/accounts -u $BURSAR_KEY:',
    '    curl $BURSAR_URL/v1/accounts -H "Authorization: Bearer sk_test_1"',
    '    curl $URL/openapi.json',
    '    curl "${BASE_URL}/openapi.json"',
    '    curl localhost:4242/openapi.json',
    'stripe listen --forward-to http://127.0.0.1:4242/pay',
    '    curl \\\n      https://pay.example.com/v1/accounts',
    'Payouts by telegraph are not yet possible.',
    'It cannot yet fly.',
    'Text.\n\n    bursar keys list\n',
  ])('%j is seen', (text) => expect(otherWays('docs/guides/new.md', text)).toHaveLength(1));

  it.each([
    'Text.\n\n    bursar keys list\n\nHow to get it: [the command line](command-line.md).\n',
    '    export BURSAR_URL=http://127.0.0.1:4242 BURSAR_KEY=sk_test_…',
    '    curl "$BURSAR_URL/v1/accounts" -H "Authorization: Bearer $BURSAR_KEY"',
    '    curl $BURSAR_URL/openapi.json',
    'No event has this sequence yet.',
  ])('%j is left alone', (text) => expect(otherWays('docs/guides/new.md', text)).toEqual([]));

  it('a page that may say it is left alone, for that alone', () => {
    expect(otherWays(COMMAND_LINE, 'npm run bursar -- keys')).toEqual([]);
    expect(otherWays(FEATURES, '| Dashboard | not yet |')).toEqual([]);
    expect(otherWays(FEATURES, 'npm run bursar -- keys')).toHaveLength(1);
  });
});
