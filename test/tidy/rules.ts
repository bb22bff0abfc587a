/**
 * The house rules that the compiler and the linter do not know, each as a function from source to complaints. Every rule
 * has a control in `test/tidy.test.ts`: a snippet that it must flag. Who may import whom: `imports.ts`.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, type Source } from './source.ts';

export type Rule = (file: Source) => string[];

const isTest = (path: string) => path.endsWith('.test.ts');

const matches = (text: string, pattern: RegExp, complaint: string): string[] =>
  [...text.matchAll(pattern)].map((match) => `line ${lineOf(text, match.index)}: ${complaint}`);

export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

export const opensWithComment: Rule = ({ path, text }) =>
  isTest(path) || /^(?:#!.*\n)?\/[*/]/.test(text) ? [] : ['opens without a comment that says what it is'];

export const noDefaultExport: Rule = ({ code }) =>
  matches(code, /^export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/gm, 'default export');

/** A file that only passes on what others export, or passes on everything. */
export const noBarrel: Rule = ({ path, code, uncommented }) => {
  const complaints = matches(code, /^export\s+\*/gm, 'passes on everything of another file');
  if (path.endsWith('/index.ts')) complaints.push('index files hide where things are');
  const rest = uncommented.replace(/^export\s+(?:type\s+)?\{[^}]*\}\s*from\s*'[^']*';?/gm, '').trim();
  if (rest === '') complaints.push('only passes on what others export');
  return complaints;
};

/** Cases of a test are a table to scan, not logic to follow: they may be longer. */
export const MAX_LINES = 400;
export const MAX_TEST_LINES = 600;
export const notTooLong: Rule = ({ path, text }) => {
  const lines = text.split('\n').length - 1;
  const limit = isTest(path) ? MAX_TEST_LINES : MAX_LINES;
  return lines > limit ? [`${lines} lines, at most ${limit}`] : [];
};

/** What is not done yet is an issue, not a comment. */
export const noMarkers: Rule = ({ comments }) =>
  matches(comments, /\b(?:TODO|FIXME|HACK|TBD)\b|\bXXX\b(?![,\s]*[A-Z]{3}\b)/g, 'a marker for later');

/** File names and decision numbers in comments lead somewhere: from the project, from `src/`, or from the file. */
export function deadReferences(paths: ReadonlySet<string>): Rule {
  const decisions = [...paths].filter((path) => path.startsWith('docs/decisions/'));
  return ({ path, comments }) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const leads = (name: string) =>
      [name, `src/${name}`, `bench/${name}`, `${folder}${name}`].some((each) => paths.has(each));
    const files = [...comments.matchAll(/(?<![\w*./…])[a-z][\w-]*(?:\/[\w-]+)*\.(?:test\.)?ts\b/g)].map(
      ([name]) => name,
    );
    const records = [...comments.matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number]) => number as string);
    return [
      ...files
        .filter((name) => !leads(name) && !/^(?:decide|sql|schema|routes|batch)\.ts$/.test(name))
        .map((name) => `leads to ${name}, which does not exist`),
      ...records
        .filter((number) => !decisions.some((name) => name.includes(`/${number}-`)))
        .map((number) => `decision ${number} does not exist`),
    ];
  };
}

export const noAny: Rule = ({ code, comments }) => [
  ...matches(code, /(?<![.\w$'"`])any\b(?!['"`]|\s*[(:])/g, '`any`'),
  ...matches(comments, /@ts-(?:ignore|nocheck)/g, 'switches the compiler off'),
];

/** Settings are read once, into one frozen value. Tests start servers with settings of their own. */
export const environmentOnlyInConfig: Rule = ({ path, code }) =>
  path === 'src/config.ts' || isTest(path)
    ? []
    : matches(code, /\bprocess\s*\.\s*env\b|\bimport\.meta\.env\b/g, 'reads the environment outside src/config.ts');

/** What comes from outside cannot steer a terminal, because one file writes to it. */
export const printsInOnePlace: Rule = ({ path, code }) =>
  path === 'src/cli/remote/terminal.ts' || isTest(path) || !path.startsWith('src/cli/')
    ? []
    : matches(
        code,
        /\bprocess\s*\.\s*std(?:out|err)\b(?!\s*\.\s*isTTY\b)|\bconsole\s*\./g,
        'prints past remote/terminal.ts',
      );

/** Node's own `fetch` breaks on an informational answer that it did not ask for. Pages have the browser's. */
export const fetchesInOneWay: Rule = ({ path, code, imports }) =>
  path === 'src/platform/outbound/fetch.ts' ||
  isTest(path) ||
  imports.some(({ target }) => target === 'src/platform/outbound/fetch.ts')
    ? []
    : matches(code, /(?<![.\w])fetch\((?!\))|\bglobalThis\.fetch\b/g, "uses Node's own fetch");

const IMPURE =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bperformance\s*\.|\brandom(?:Bytes|UUID|FillSync|Int)\b|\bset(?:Timeout|Interval|Immediate)\b|\bprocess\s*\.|\bfetch\(|\bconsole\s*\.|\bawait\b|\basync\b/g;

/** Clock and chance enter `core/values/ids.ts` alone: `newId`, and the random bits of an id. */
export const pure: Rule = ({ path, code }) => {
  const text =
    path === 'src/core/values/ids.ts'
      ? code
          .replace(/export function newId\b[\s\S]*?\n\}/, (body) => body.replace(/[^\n]/g, ' '))
          .replaceAll('randomFillSync', ' '.repeat(14))
      : code;
  return matches(text, IMPURE, 'a clock, chance or I/O where decisions are made');
};

/** Codes of the table that nothing answers. Lists of what a route may answer do not count. */
export function unusedCodes(codes: readonly string[], files: readonly Source[]): string[] {
  const users = files.filter(
    ({ path }) =>
      path !== 'src/core/values/errors.ts' &&
      !path.endsWith('routes.ts') &&
      !path.endsWith('openapi.ts') &&
      !isTest(path),
  );
  const routes = files.filter(({ path }) => path.endsWith('routes.ts'));
  return codes.filter((code) => {
    const named = `'${code}'`;
    const thrown = new RegExp(`(?:RequestError|paramError|refusal|missing)\\(\\s*${named}`);
    return (
      !users.some((file) => file.uncommented.includes(named)) && !routes.some((file) => thrown.test(file.uncommented))
    );
  });
}

/** Event types that no decision emits. `payout.failed` may be written as a template over a status. */
export function unusedEventTypes(types: readonly string[], files: readonly Source[]): string[] {
  const lists = /^src\/(?:core\/event-types\.ts|events\/(?!webhooks\/decide))|objects\.ts$/;
  const deciding = files.filter(({ path }) => !isTest(path) && !lists.test(path));
  return types.filter((type) => {
    const template = `\`${type.slice(0, type.indexOf('.'))}.\${`;
    return !deciding.some(({ uncommented }) => uncommented.includes(`'${type}'`) || uncommented.includes(template));
  });
}

/** Relative links of a Markdown page that lead nowhere. */
export function deadLinks(path: string, page: string): string[] {
  const targets = [...page.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target]) => target as string);
  return targets
    .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
    .map((target) => `${path} leads to ${target}, which does not exist`);
}

/** Tables and columns of a migration that no COMMENT explains, and keys that do not begin with the environment. */
export function uncommented(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '');
  const complaints: string[] = [];
  for (const [, name, body] of bare.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(\n([\s\S]*?)\n\)/g)) {
    if (!bare.includes(`COMMENT ON TABLE ${name} IS '`)) complaints.push(`table ${name} has no comment`);
    for (const [, column] of (body as string).matchAll(/^ {2}([a-z_][a-z0-9_]*) /gm)) {
      if (!bare.includes(`COMMENT ON COLUMN ${name}.${column} IS '`))
        complaints.push(`column ${name}.${column} has no comment`);
    }
  }
  for (const [, table, column] of bare.matchAll(/ALTER TABLE (?:ONLY )?(\w+)\s+ADD COLUMN (?:IF NOT EXISTS )?(\w+)/g)) {
    if (!bare.includes(`COMMENT ON COLUMN ${table}.${column} IS '`))
      complaints.push(`column ${table}.${column} has no comment`);
  }
  return complaints;
}

/** Words of SQL that do not run the same on a distributed PostgreSQL, or hide writes from the path (ARCHITECTURE.md, Data). */
export function unportable(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");
  const words =
    /\b(?:CREATE (?:CONSTRAINT )?TRIGGER(?![^;]* ON (?:environments|api_keys|bank_accounts|bank_files|settings|users)\s)|pg_advisory_\w+|SERIAL|BIGSERIAL|MERGE INTO)\b/gi;
  return [...bare.matchAll(words)].map(([word]) => `uses ${word}`);
}

/**
 * SQL that compares texts without case: what it finds depends on the locale of the database. `comparable` in
 * `operator/person.ts` does not.
 */
export const foldedBySql = (text: string): string[] =>
  [...text.matchAll(/(?<![.\w])(?:lower|upper|initcap)\(|\b(?:ILIKE|citext)\b| ~~?\* /gi)].map(([word]) => word.trim());
