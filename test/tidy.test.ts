/**
 * The house rules, checked on the source text. Every rule has a control beside it: a snippet it must flag, so that a rule
 * that went blind fails here. The rules: `test/tidy/rules.ts`; who may import whom: `test/tidy/imports.ts`.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../src/core/values/errors.ts';
import { EVENT_TYPES } from '../src/core/event-types.ts';
import { clocksAndLuck } from './tidy/clocks.ts';
import { circles, folderOf, looseFiles, SLICES, upwardImports, WINGS } from './tidy/floors.ts';
import { decidingFiles, forbiddenImports, unusedPermissions } from './tidy/imports.ts';
import {
  deadLinks,
  deadReferences,
  environmentOnlyInConfig,
  fetchesInOneWay,
  MAX_LINES,
  noAny,
  noBarrel,
  noDefaultExport,
  noMarkers,
  notTooLong,
  opensWithComment,
  printsInOnePlace,
  pure,
  type Rule,
  uncommented,
  foldedBySql,
  unportable,
  unusedCodes,
  unusedEventTypes,
} from './tidy/rules.ts';
import { MAX_FILES, MIN_LINES, oddFolders, sideDoors, smallFiles } from './tidy/rooms.ts';
import { confusedNouns, forbiddenWords } from './tidy/words.ts';
import { filesIn, ROOT, type Source, source, sourcesIn } from './tidy/source.ts';

const service = sourcesIn('src');
const client = sourcesIn('client/src', 'client/test').filter(({ path }) => !path.startsWith('client/src/generated/'));
const everything = [...service, ...client, ...sourcesIn('test', 'examples', 'bench', 'scripts', 'site')];

const complaints = (files: readonly Source[], rule: Rule) =>
  files.flatMap((file) => rule(file).map((complaint) => `${file.path}: ${complaint}`));

const short = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** The rule holds for the files, flags each bad snippet, and leaves each good one alone. */
function rule(
  title: string,
  files: readonly Source[],
  check: Rule,
  controls: { readonly path?: string; readonly bad: readonly string[]; readonly good?: readonly string[] },
): void {
  const snippet = (text: string) => source(controls.path ?? 'src/paying/payouts/decide.ts', text);
  describe(title, () => {
    it('holds', () => {
      expect(files.length).toBeGreaterThan(5);
      expect(complaints(files, check)).toEqual([]);
    });
    for (const text of controls.bad) {
      it(`control: flags ${short(text)}`, () => expect(check(snippet(text))).not.toEqual([]));
    }
    for (const text of controls.good ?? []) {
      it(`leaves alone ${short(text)}`, () => expect(check(snippet(text))).toEqual([]));
    }
  });
}

rule('every file opens with a comment', everything, opensWithComment, {
  bad: ["import { a } from './a.ts';\n/** Too late. */", ''],
  good: ['/** What it is. */', '// What it is.', '#!/usr/bin/env node\n/** What it is. */'],
});

rule('no default exports', everything, noDefaultExport, {
  bad: ['export default 5;', 'const a = 1;\nexport { a as default };'],
  good: ["const text = 'export default';"],
});

rule('no barrels', everything, noBarrel, {
  bad: ["export * from './a.ts';", "/** All of it. */\nexport { a } from './a.ts';\nexport { b } from './b.ts';"],
  good: ["export { a } from './a.ts';\nexport const b = 1;"],
});

rule('no file is too long to read', everything, notTooLong, {
  bad: ['\n'.repeat(MAX_LINES + 1)],
  good: ['\n'.repeat(MAX_LINES)],
});

describe('the recipe of the write path', () => {
  const { text } = everything.find(({ path }) => path === 'src/write/writer.ts') as Source;
  it('is at most 120 lines', () => expect(text.split('\n').length - 1).toBeLessThanOrEqual(120));
});

rule('no markers for later', everything, noMarkers, {
  bad: ['// TODO: later', '/* FIXME */', '// XXX what now', '/** HACK: works by chance. */'],
  good: ["const currency = 'XXX';", '// MXV, XXX, XTS are no currencies'],
});

const generated = sourcesIn('client/src/generated').map(({ path }) => path);
const paths = new Set([
  ...everything.map(({ path }) => path),
  ...generated,
  ...filesIn(['docs'], '.md'),
  'vitest.config.ts',
]);
rule('comments lead to files that exist', everything, deadReferences(paths), {
  bad: ['/** Next: `gone.ts`. */', '// src/payouts/gone.ts knows', '// docs/decisions/9999'],
  good: ['/** Next: `batch.ts`, then `core/ledger.ts`; see docs/decisions/0001. */', '// every `*/thing.ts`'],
});

rule('one word per thing', everything, forbiddenWords, {
  bad: [
    'const lane = 1;',
    'class EventPacked {}',
    'f(hasLanded, inFlights);',
    'const WHAT_WAS_TOLD = 1;',
    'a.recall();',
  ],
  good: ['const singleFlight = inFlight;', "'lane'", '// told', 'const planes = unpacking;', 'const taxonomy = 1;'],
});

rule(
  'one noun, one thing',
  everything.filter(({ path }) => !path.startsWith('test/tidy')),
  confusedNouns,
  {
    path: 'src/verify/ledger.ts',
    bad: [
      '// the import of a bank file',
      "throw new Error('Bank files are large.')",
      '// the bank of the sandbox pays',
      "// the sandbox's bank",
      '/** The auditor finds nothing. */',
      '// audits the books',
      '// a verification of a rule',
      '// the audit trail',
    ],
    good: [
      '// a statement file, a payment file, a payment_file',
      'readStatementFile(PAYMENT_FILES);',
      "'bursar bank files'",
      '// an auditor reads the audit log',
    ],
  },
);

rule('no any', everything, noAny, {
  bad: ['let a: any;', 'f(a as any);', 'const b: Map<string, any> = c;', 'function f(...a: any[]) {}', '// @ts-ignore'],
  good: ["const a = 'any';", '// any of these', 'const a = { any: 1 };', 'Promise.any(all);', 'const a = /any/;'],
});

rule('the environment is read in src/config.ts alone', service, environmentOnlyInConfig, {
  bad: ['const port = process.env.PORT;', "const port = process.env['PORT'];", 'const { PORT } = process.env;'],
  good: ['process.exitCode = 1; // process.env'],
});

rule('commands print in src/cli/remote/terminal.ts alone', service, printsInOnePlace, {
  path: 'src/cli/bank.ts',
  bad: [
    'process.stdout.write(name);',
    'process.stderr.write(`${name}\\n`);',
    'console.log(name);',
    'createInterface({ input: process.stdin, output: process.stderr });',
    'response.pipe(process.stdout);',
  ],
  good: ['print(name);', 'process.stdout.isTTY;'],
});

rule('requests go out by platform/outbound', service, fetchesInOneWay, {
  path: 'src/cli/dev.ts',
  bad: ['const response = await fetch(url);', 'globalThis.fetch(url);'],
  good: [
    "import { fetch } from '../platform/outbound/fetch.ts';\nawait fetch(url);",
    'await fetcher.fetch();',
    'const a = { async fetch() {} };',
    "const script = 'await fetch(body.dataset.page)';",
  ],
});

rule('decisions have no clock, chance or I/O', decidingFiles(service), pure, {
  bad: [
    'const at = Date.now();',
    'const at = new Date();',
    'const id = Math.random();',
    'const id = randomBytes(8);',
    'setTimeout(f, 5);',
    'async function f() {}',
  ],
  good: ['const day = new Date(atMs).toISOString();', "const a = 'await';"],
});

rule('no test is decided by the clock, by megabytes or by luck', everything, clocksAndLuck, {
  path: 'src/paying/payouts/decide.test.ts',
  bad: [
    'const fromMs = performance.now();',
    'const before = process.memoryUsage().rss;',
    'const delays = monitorEventLoopDelay();',
    'expect(tookMs).toBeLessThan(5);',
    'expect(sent.durationMs).toBeLessThan(5);',
    'expect(Math.max(...waits(seconds))).not.toBeGreaterThan(5);',
    'expect(Date.now() - since).toBeLessThan(1_000);',
    'const amount = Math.random();',
    'const seed = Date.now() % 100_000;',
  ],
  good: [
    'expect(rows.length).toBeLessThan(5);',
    'await eventually("it is paid", isPaid);',
    'expect(bytes(page)).toBeLessThanOrEqual(30 * 1024);',
    '// performance.now',
    'const dueAtMs = Date.now() + 5;',
  ],
});

describe('the scanner', () => {
  it('sees the code of every file: its brackets close', () => {
    const unbalanced = everything.filter(({ code }) =>
      ['{}', '()', '[]'].some(([open, close]) => code.split(open!).length !== code.split(close!).length),
    );
    expect(unbalanced.map(({ path }) => path)).toEqual([]);
  });
  it('tells code, strings, templates, regular expressions and comments apart', () => {
    const { code, comments } = source('a.ts', "a('//x', `b${c({ d: '}' })}/*e*/`, /[/'\\\\]f/, 6 / 2); // it's `g`");
    expect(code.trimEnd()).toBe("a('   ', `  {c({ d: ' ' })}     `, /       /, 6 / 2);");
    expect(comments).toBe("// it's `g`\n");
  });
});

describe('the client', () => {
  const runtime = client.filter(({ path }) => path.startsWith('client/src/'));
  it('depends on nothing: no package, no module of Node, nothing of the service', () => {
    const outside = runtime.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => !target.startsWith('client/src/')).map(({ target }) => `${path}: ${target}`),
    );
    expect(outside).toEqual([]);
  });
  it('has at most 760 lines of code by hand', () => {
    const lines = runtime.flatMap(({ uncommented }) => uncommented.split('\n')).filter((line) => line.trim() !== '');
    expect(runtime.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(760);
  });
});

describe('the floors of the house', () => {
  const product = service.filter(({ path }) => !path.endsWith('.test.ts'));

  it('no import leads up, types included', () => expect(complaints(product, upwardImports)).toEqual([]));
  it.each([
    ['src/core/values/money.ts', "import { params } from '../../platform/http/request/params.ts';"],
    ['src/core/values/money.ts', "import type { PayoutOrder } from '../../paying/payouts/decide.ts';"],
    ['src/platform/db/wire/table.ts', "import { openPools } from '../pool.ts';"],
    ['src/platform/db/pool.ts', "import type { Config } from '../../config.ts';"],
    ['src/platform/http/serve.ts', "export { payoutRoutes } from '../../paying/payouts/routes.ts';"],
    ['src/platform/http/serve.ts', "const { Writer } = await import('../../write/writer.ts');"],
    ['src/paying/recipients/decide.ts', "import { orderPayout } from '../payouts/decide.ts';"],
    ['src/paying/payouts/routes.ts', "import type { Command } from '../../write/slices.ts';"],
    ['src/paying/payouts/decide.ts', "import type { RefundPayment } from '../../collecting/payments/refund.ts';"],
    ['src/newcomer/thing.ts', ''],
  ])('control: %s with %j', (path, text) => expect(upwardImports(source(path, text))).not.toEqual([]));
  it.each([
    ['src/collecting/payments/refund.ts', "import { orderPayout } from '../../paying/payouts/decide.ts';"],
    ['src/server/app.ts', "import { Writer } from '../write/writer.ts';"],
    ['src/paying/payouts/decide.ts', "// import { x } from '../../write/writer.ts';"],
  ])('leaves alone: %s with %j', (path, text) => expect(upwardImports(source(path, text))).toEqual([]));

  it('no circle of files', () => expect(circles(product)).toEqual([]));
  it('no circle of folders', () => expect(circles(product, folderOf)).toEqual([]));
  it('control: finds a circle, also of types', () => {
    const there = source('src/core/a.ts', "import type { B } from '../platform/db/b.ts';");
    const back = source('src/platform/db/b.ts', "import { c } from '../../core/c.ts';");
    const over = source('src/core/c.ts', "import { a } from './a.ts';");
    expect(circles([there, back, over])).toEqual([['src/core/a.ts', 'src/core/c.ts', 'src/platform/db/b.ts']]);
    expect(circles([there, back, over], folderOf)).toEqual([['core', 'platform/db']]);
    expect(circles([there, back])).toEqual([]);
  });

  it('src/ holds the wings, and each wing is drawn on a floor', () => {
    const wings = new Set(product.map(({ path }) => path.split('/')[1] as string));
    expect([...wings].filter((wing) => wing !== 'config.ts').sort()).toEqual([...WINGS]);
  });
  it('src/ holds one loose file', () => expect(looseFiles(service.map(({ path }) => path))).toEqual([]));
  it('control: flags another', () => expect(looseFiles(['src/config.ts', 'src/main.ts'])).toEqual(['src/main.ts']));
});

describe('who may import whom', () => {
  it('holds', () => expect(complaints(service, forbiddenImports)).toEqual([]));

  it('knows every slice', () => {
    const folders = service.filter(({ path }) => /\/.+\/.+\/slice\.ts$/.test(path)).map(({ path }) => folderOf(path));
    const known: readonly string[] = [
      ...SLICES,
      'bank/accounts',
      'bank/matching',
      'bank/payment-files',
      'bank/reconciliation',
      'bank/statements',
      'collecting/payments',
      'ledger/statements',
      'paying/payouts',
      'paying/recipients',
      'paying/standing-orders',
      'tenancy/sessions',
      'write',
    ];
    expect(folders.filter((folder) => !known.includes(folder))).toEqual([]);
  });

  it('allows nothing that nobody does', () => expect(unusedPermissions(service)).toEqual([]));
  it('control: flags a package that nobody imports', () => {
    const core = { place: 'core', files: /^core\//, may: ['core/', 'left-pad'] };
    expect(unusedPermissions(service, [core])).toEqual(['core may import left-pad, and nothing of it does']);
  });

  it.each([
    ['src/core/values/money.ts', "import { readdirSync, readFileSync } from 'node:fs';"],
    ['src/paying/payouts/decide.ts', "import type { Row } from '../../platform/db/wire/statement.ts';"],
    ['src/paying/payouts/batch.ts', "import { createHash } from 'node:crypto';"],
    ['src/paying/payouts/sql.ts', "import { orderPayout } from './decide.ts';"],
    ['src/paying/payouts/sql.ts', "import { ref } from '../../platform/http/request/params.ts';"],
    ['src/paying/payouts/schema.ts', "import { openPools } from '../../platform/db/pool.ts';"],
    ['src/paying/payouts/settlement.ts', "import { rateOf } from '../../ledger/exchanges/rates.ts';"],
    ['src/write/load.ts', "import { params } from '../platform/http/request/params.ts';"],
    ['src/write/load.ts', "import { payoutRoutes } from '../paying/payouts/routes.ts';"],
    ['src/newcomer/thing.ts', ''],
  ])('control: %s with %j', (path, text) => expect(forbiddenImports(source(path, text))).not.toEqual([]));

  it.each([
    ['src/core/values/ids.ts', "import { randomFillSync } from 'node:crypto';"],
    ['src/paying/payouts/decide.ts', "// import { x } from '../../platform/http/request/params.ts';"],
    ['src/server/app.ts', "import { Writer } from '../write/writer.ts';"],
  ])('leaves alone: %s with %j', (path, text) => expect(forbiddenImports(source(path, text))).toEqual([]));

  it('control: follows a decision into the files it is made of', () => {
    const rates = source('src/ledger/exchanges/rates.ts', 'const at = Date.now();');
    const decide = source('src/ledger/exchanges/decide.ts', "import { rate } from './rates.ts';");
    expect(complaints(decidingFiles([decide, rates]), pure)).toHaveLength(1);
  });
});

describe('rooms and doors', () => {
  const used = source('src/core/b.ts', "import { a } from './a.ts';");

  it('no small file has one importer', () => expect(smallFiles(service)).toEqual([]));
  it('control: flags one, and an exception that is none', () => {
    const small = (lines: number) => smallFiles([source('src/core/a.ts', '\n'.repeat(lines)), used], {});
    expect(small(MIN_LINES - 1)).toEqual(['src/core/a.ts belongs into src/core/b.ts']);
    expect(small(MIN_LINES)).toEqual([]);
    expect(smallFiles([source('src/core/a.ts', ''), used, source('src/core/c.ts', used.text)], {})).toEqual([]);
    expect(smallFiles([used], { 'src/core/a.ts': 'reason' })).toEqual(['src/core/a.ts needs no exception']);
  });

  it('no folder has too few or too many files', () => expect(oddFolders(service.map(({ path }) => path))).toEqual([]));
  it('control: flags both', () => {
    const files = (count: number) => Array.from({ length: count }, (_, index) => `src/core/values/${index}.ts`);
    expect(oddFolders(files(1))).toHaveLength(1);
    expect(oddFolders([...files(1), 'src/core/values/0.test.ts'])).toHaveLength(1);
    expect(oddFolders(files(MAX_FILES))).toEqual([]);
    expect(oddFolders(files(MAX_FILES + 1))).toHaveLength(1);
  });

  it('a slice is entered by its doors', () => expect(sideDoors(service)).toEqual([]));
  it.each([
    ['src/write/load.ts', 'schema', []],
    ['src/write/load.ts', 'funding', ['src/write/load.ts enters paying/payouts by funding.ts']],
    ['src/write/load.ts', 'routes', ['src/write/load.ts enters paying/payouts by routes.ts']],
    ['src/server/routes.ts', 'rules-routes', []],
    ['src/paying/payouts/routes.ts', 'funding', []],
  ])('control: %s by %s.ts', (path, name, expected) => {
    const entered = source(`src/paying/payouts/${name}.ts`, '');
    const enters = source(path, `import { x } from '../paying/payouts/${name}.ts';`);
    const own = source(path, `import { x } from './${name}.ts';`);
    expect(sideDoors([entered, path.startsWith('src/paying/') ? own : enters], [])).toEqual(expected);
  });
  it('control: flags a name that nobody uses', () =>
    expect(sideDoors([used], ['a/b/c'])).toEqual(['nobody reaches a/b/c']));
});

describe('one table of errors', () => {
  it('is declared once', () => {
    expect(service.filter(({ code }) => /\bconst ERRORS\b/.test(code)).map(({ path }) => path)).toEqual([
      'src/core/values/errors.ts',
    ]);
  });
  it('holds no code that nothing answers', () => expect(unusedCodes(Object.keys(ERRORS), service)).toEqual([]));
  it('control: flags a code that only a route lists', () => {
    const lists = source('src/paying/payouts/routes.ts', "errors: ['never_answered']");
    expect(unusedCodes(['never_answered'], [lists])).toEqual(['never_answered']);
    expect(
      unusedCodes(['never_answered'], [source('src/paying/payouts/decide.ts', "refusal('never_answered', '')")]),
    ).toEqual([]);
  });
});

describe('one list of event types', () => {
  it('holds none that nothing emits', () => expect(unusedEventTypes(EVENT_TYPES, decidingFiles(service))).toEqual([]));
  it('control: flags one that only the list names', () => {
    const named = source('src/core/objects.ts', "'payout.lost'");
    expect(unusedEventTypes(['payout.lost'], [named])).toEqual(['payout.lost']);
    expect(unusedEventTypes(['payout.lost'], [source('src/a.ts', 'emit(`payout.${status}`)')])).toEqual([]);
  });
});

describe('migrations', () => {
  const migrations = filesIn(['migrations'], '.sql').map((path) => readFileSync(join(ROOT, path), 'utf8'));
  /** A database refuses to start with a migration that is not the one it ran. Never change a line here: add one. */
  const RELEASED: Readonly<Record<string, string>> = {
    '0101_environments.sql': '719555dfff62',
    '0102_keys_and_audit.sql': 'ab6d0c8e0fb0',
    '0103_ledger.sql': '9f2f942ba987',
    '0104_recipients.sql': '050020165658',
    '0105_payouts.sql': '893565945b6d',
    '0106_standing_orders.sql': '2c6181e4481e',
    '0107_exchanges.sql': '169c767215c3',
    '0108_payments.sql': 'd476bcc339c9',
    '0109_bank_files.sql': '76cf3a753fbb',
    '0110_bank_statements.sql': 'de182adeba04',
    '0111_events.sql': '36480c121b55',
    '0112_operations.sql': 'a1fdb194ae53',
  };
  /** The files that made the schema before 1.0, all in one print: nothing is added to them, and nothing changed. */
  const BEFORE = '9cebe6d63ed0';
  const print = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
  const textOf = (path: string) => readFileSync(join(ROOT, 'migrations', path), 'utf8');
  const before = filesIn(['migrations/before-1.0'], '.sql').toSorted();
  const printAll = (texts: readonly string[]) => print(texts.map(print).join(' '));
  const textsBefore = before.map((path) => readFileSync(join(ROOT, path), 'utf8'));
  it('stay as they were once they are released', () => {
    for (const [name, hash] of Object.entries(RELEASED)) expect(print(textOf(name)), name).toBe(hash);
    expect([before.length, printAll(textsBefore)]).toEqual([41, BEFORE]);
  });
  it('control: one letter more is another migration, and so is one file more', () => {
    expect(print(`${textOf('0101_environments.sql')} `)).not.toBe(RELEASED['0101_environments.sql']);
    expect(printAll([...textsBefore.slice(0, -1), `${textsBefore.at(-1)} `])).not.toBe(BEFORE);
    expect(printAll([...textsBefore, ''])).not.toBe(BEFORE);
  });
  it('explain every table and column', () => {
    expect(migrations.length).toBeGreaterThan(0);
    expect(migrations.flatMap(uncommented)).toEqual([]);
  });
  it('keep to SQL that runs on a distributed PostgreSQL', () => expect(migrations.flatMap(unportable)).toEqual([]));
  it('nor any other SQL compares without case, which depends on the locale', () => {
    const sources = filesIn(['src'], '.ts').filter((path) => !path.endsWith('.test.ts'));
    expect(sources.length).toBeGreaterThan(200);
    const texts = [...sources.map((path) => readFileSync(join(ROOT, path), 'utf8')), ...migrations];
    expect(texts.flatMap(foldedBySql)).toEqual([]);
    expect(foldedBySql('WHERE lower(t.email) = $1 OR a ilike b')).toEqual(['lower(', 'ilike']); // control
    expect(foldedBySql('array_upper(a, 1), text.toLowerCase()')).toEqual([]);
  });
  it('control: flags what has no comment', () => {
    const table = "CREATE TABLE a (\n  id uuid NOT NULL,\n  PRIMARY KEY (id)\n);\nCOMMENT ON TABLE a IS 'x';";
    expect(uncommented(table)).toEqual(['column a.id has no comment']);
    expect(uncommented(`${table}\nCOMMENT ON COLUMN a.id IS 'x';`)).toEqual([]);
    expect(uncommented('ALTER TABLE a ADD COLUMN b int;')).toEqual(['column a.b has no comment']);
  });
  it('control: flags a trigger, but on tables with few rows an environment (docs/decisions/0076)', () => {
    expect(unportable('CREATE TRIGGER t\n  AFTER UPDATE OF a ON payouts FOR EACH ROW')).toHaveLength(1);
    expect(unportable('CREATE TRIGGER t\n  AFTER UPDATE OF a ON environments FOR EACH ROW')).toEqual([]);
    expect(unportable('CREATE TRIGGER t BEFORE INSERT ON a')).toHaveLength(1);
    expect(unportable("COMMENT ON TABLE a IS 'no serial here'")).toEqual([]);
  });
});

/** The decision records that have no line of their own in the index: number, title, what was decided, status. */
function notIndexed(index: string, records: readonly string[]): string[] {
  return records.filter((name) => {
    const start = `| [${name.slice(0, 4)}](${name}) |`;
    const line = index.split('\n').find((each) => each.startsWith(start)) ?? '';
    return !/^( [^|]+ \|){2} (still so|superseded by \[\d{4}\]\([^)|]+\)) \|$/.test(line.slice(start.length));
  });
}

describe('pages', () => {
  const pages = [
    ...filesIn(['bench', 'docs', 'examples'], '.md'),
    'client/README.md',
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ];
  const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

  it('lead to files that exist', () => {
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.flatMap((path) => deadLinks(path, textOf(path)))).toEqual([]);
  });
  it('control: flags a link to nowhere', () => {
    expect(deadLinks('docs/errors.md', '[a](../README.md) [b](gone.md) [c](https://example.com)')).toHaveLength(1);
  });
  it('call each thing by its one noun', () =>
    expect(pages.flatMap((path) => confusedNouns({ path, text: textOf(path) }))).toEqual([]));
  it('keep decision records under 60 lines', () => {
    const records = pages.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
    expect(records.length).toBeGreaterThan(40);
    expect(records.filter((path) => textOf(path).split('\n').length >= 60)).toEqual([]);
  });
  it('index every decision record', () => {
    const records = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
    expect(records.length).toBeGreaterThan(20);
    expect(notIndexed(textOf('docs/decisions/README.md'), records)).toEqual([]);
  });
  it('control: flags a record that the index leaves out, or names without its status', () => {
    const line = '| [0001](0001-lock.md) | Lock | One row is locked. | still so |';
    expect(notIndexed(line, ['0001-lock.md'])).toEqual([]);
    expect(notIndexed(line, ['0001-lock.md', '0002-amounts.md'])).toEqual(['0002-amounts.md']);
    expect(notIndexed(line.replace('still so', ''), ['0001-lock.md'])).toEqual(['0001-lock.md']);
  });
  it('say what each runtime dependency is for', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
    const page = textOf('docs/dependencies.md');
    expect(Object.keys(dependencies).filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([]);
  });
});
