/**
 * Generates the pages that follow from the code: errors, events, settings, the sandbox accounts, the metrics, the OpenAPI document, what the client has from it. With
 * `--check` nothing is written, and the run fails when a page differs from what the code says, or when the document does not
 * lint. Must never contain text that belongs to the code. Run: node --import tsx scripts/generate-docs.ts [--check]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allRoutes, SCHEMAS, WEBHOOKS } from '../src/server/routes.ts';
import { SETTINGS } from '../src/config.ts';
import { type Code, ERRORS, type ErrorEntry } from '../src/core/values/errors.ts';
import { WHAT_TO_DO } from '../src/core/values/error-advice.ts';
import { FAILURE_CODES } from '../src/core/rails/failures.ts';
import { TEST_ACCOUNTS, PAID_ACCOUNT } from '../src/core/rails/test-accounts.ts';
import { EVENT_TYPES } from '../src/core/event-types.ts';
import { registry } from '../src/platform/http/metrics.ts';
import { openapi } from '../src/platform/http/openapi.ts';
import { VERSION } from '../src/core/values/version.ts';
import { clientFiles } from './client/generate.ts';
import type { Document } from './client/operations.ts';
import { operationsOfPages } from './dashboard-operations.ts';
import { EVENT_MEANINGS } from './event-meanings.ts';

await import('../src/server/app.ts'); // defines the metrics
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MADE = '<!-- Made by scripts/generate-docs.ts. Change the code it names, not this page. -->';

/** File → its whole text. */
const PAGES: Readonly<Record<string, () => string>> = {
  'docs/errors.md': errorsPage,
  'docs/events.md': eventsPage,
  'docs/settings.md': settingsPage,
  'docs/sandbox.md': () => withTable('docs/sandbox.md', 'accounts', testAccountTable()),
  'docs/guides/operating/watching.md': () => withTable('docs/guides/operating/watching.md', 'metrics', metricsTable()),
  'docs/dashboard-operations.md': dashboardPage,
  'docs/openapi.json': () => `${byLine(document())}\n`,
};

/** Depth of an operation and of a component in the document. */
const LINE_DEPTH = 3;

/** JSON with one line an operation and one a component: small, and a change shows where it is. */
function byLine(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === LINE_DEPTH)
    return JSON.stringify(value);
  const margin = ' '.repeat(depth + 1);
  const members = Object.entries(value).map(
    ([name, each]) => `${margin}${JSON.stringify(name)}: ${byLine(each, depth + 1)}`,
  );
  return `{\n${members.join(',\n')}\n${' '.repeat(depth)}}`;
}

function errorsPage(): string {
  const entries = Object.entries(ERRORS as Readonly<Record<string, ErrorEntry>>);
  const rows = entries.map(([code, { status, type, meaning }]) => [
    `<a id="${code}"></a>\`${code}\``,
    status,
    `\`${type}\``,
    meaning,
    WHAT_TO_DO[code as Code],
  ]);
  return page(
    'Errors',
    `Every refusal has the same body: \`{"error":{"type","code","message","doc_url","request_id",…}}\`. Decide by \`code\`; show
\`message\`, and let \`doc_url\` lead a person to the row of its code here. \`param\` names the parameter as it is written in a form; \`allowed\`, \`available_minor\`, \`current_status\`,
\`resource_id\` and \`errors\` are present where they help a program. A retry is safe after 429, 500 and 503 with the same
\`Idempotency-Key\`. Source: \`src/core/values/errors.ts\`.`,
    table(['code', 'status', 'type', 'meaning', 'what to do'], rows),
    '## Failure codes of payouts\n',
    `A payout that \`failed\` or was \`returned\` says why in \`failure_code\` and, in these words, in \`failure_message\`.`,
    table(
      ['failure_code', 'failure_message'],
      Object.entries(FAILURE_CODES).map(([code, text]) => [`\`${code}\``, text]),
    ),
  );
}

function eventsPage(): string {
  const rows = EVENT_TYPES.map((type) => {
    const { when, object, previous = '' } = EVENT_MEANINGS[type];
    return [`\`${type}\``, when, object, previous];
  });
  return page(
    'Events',
    `An event is written in the same database transaction as the change it reports. \`data.object\` is the object after the
change; \`data.previous_attributes\` holds what the changed members were before. \`sequence\` has no gaps within an
environment and follows commit order: a reader of all events who sees 7 after 5 has missed 6. To catch up, ask
\`GET /v1/events?after_sequence=5&order=asc\` until the answer is empty, or receive events as they are committed:
\`GET /v1/events/stream\` (server-sent events; continues after \`Last-Event-ID\` or \`after_sequence\`). Filters: \`type\`
and \`types[]\` (with families such as \`payout.*\`), \`related_object\`, \`created[…]\`. Events are kept for 90 days.

A restricted key sees the events whose objects its read scopes show: \`payout.*\` needs \`payouts:read\`. So for such a key
\`sequence\` has gaps, and a number that it does not see says nothing. Its list and its stream miss none of its own events.`,
    table(['type', 'when', 'object', 'previous_attributes'], rows),
  );
}

function dashboardPage(): string {
  const nothing = {} as Parameters<typeof allRoutes>[0];
  const rows = operationsOfPages(allRoutes(nothing)).flatMap(({ page, operations }) =>
    operations.map(({ method, path, operationId, scope, sandboxOnly }, at) => [
      at > 0 ? '' : page === '*' ? 'every page' : `\`${page}\``,
      operationId,
      `\`${method} ${path}\``,
      scope === null ? '' : `\`${scope}\``,
      sandboxOnly ? 'sandbox' : '',
    ]),
  );
  return page(
    'Pages of the dashboard',
    `What a page of [the dashboard](guides/dashboard.md) does is a request to the API, so a key with the same scope can do it too. This table says which
requests a page makes, and which scope each needs; [roles](guides/dashboard.md#invite-people) are sets of scopes. Beside
these, the dashboard has requests of its own for signing in and out, passkeys, passwords and codes, which no key can make.`,
    table(['page', 'operation', 'request', 'scope', 'only in'], rows),
  );
}

function settingsPage(): string {
  const all = Object.values(SETTINGS);
  const rows = all
    .filter(({ variable }) => variable !== null)
    .map(({ variable, fallback, allowed, meaning }) => [
      `\`${variable}\``,
      fallback === '' ? '' : `\`${fallback}\``,
      allowed,
      meaning,
    ]);
  const fixed = Object.entries(SETTINGS)
    .filter(([, { variable }]) => variable === null)
    .map(([name, { fallback, meaning }]) => [`\`${name}\``, Number(fallback).toLocaleString('en'), meaning]);
  return page(
    'Settings',
    `Settings are environment variables, read once at the start. A wrong value, or a \`BURSAR_…\` variable that looks like a
mistyped setting, stops the start with a sentence that says so. Source: \`src/config.ts\`.`,
    table(['variable', 'default', 'allowed', 'meaning'], rows),
    '## Limits that are fixed\n',
    table(['limit', 'value', 'meaning'], fixed),
  );
}

function testAccountTable(): string {
  const { iban, us, gb, clabe } = PAID_ACCOUNT;
  const code = (text: string) => `\`${text}\``;
  const paid = ['paid', '', code(iban), code(us.account_number), code(gb.account_number), code(clabe)];
  const rows = TEST_ACCOUNTS.map((each) => [
    each.outcome,
    code(each.failureCode),
    ...[each.iban, each.usAccountNumber, each.gbAccountNumber, each.clabe].map(code),
  ]);
  return table(
    ['ends as', 'failure_code', 'iban (DE)', '12 digits (US, …)', '8 digits (GB, …)', 'clabe (MX)'],
    [paid, ...rows],
  );
}

/** All that a scrape may hold: whoever defines a metric is reached from `server/app.ts`. */
function metricsTable(): string {
  const all = registry.getMetricsAsArray().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return table(
    ['metric', 'type', 'meaning'],
    all.map(({ name, type, help }) => [`\`${name}\``, String(type), help]),
  );
}

/** Routes describe themselves without being served, so they get no parts. */
function document(): unknown {
  const nothing = {} as Parameters<typeof allRoutes>[0];
  return openapi(allRoutes(nothing), SCHEMAS, { version: VERSION, publicUrl: '' }, WEBHOOKS);
}

const page = (title: string, ...parts: readonly string[]) => `${MADE}\n\n# ${title}\n\n${parts.join('\n')}`;

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `\n${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}

/** Puts the table between the two marks of a page that is otherwise written by hand. Throws when a mark is missing. */
function withTable(file: string, mark: string, made: string): string {
  const parts = [`[\\s\\S]*<!-- made: ${mark} -->\\n`, `<!-- end of ${mark} -->[\\s\\S]*`];
  const [before, after] = parts.map((part) => new RegExp(part).exec(read(file) ?? '')?.[0]);
  if (before === undefined || after === undefined) throw new Error(`${file} has lost the marks of its table.`);
  return `${before}${made.trimStart()}${after}`;
}

function read(file: string): string | null {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return null;
  }
}

/** The first line that differs, as a hint for a person; `null` when nothing differs. */
function difference(file: string, wanted: string): string | null {
  const found = read(file);
  if (found === wanted) return null;
  if (found === null) return `${file} is missing`;
  const [before, after] = [found.split('\n'), wanted.split('\n')];
  const at = after.findIndex((line, index) => line !== before[index]);
  const [old, fresh] = [before[at] ?? '', after[at] ?? ''];
  const from = Math.max(0, [...fresh].findIndex((character, index) => character !== old[index]) - 40);
  const part = (line: string) => line.slice(from, from + 140);
  return `${file}, line ${at + 1}:\n  - ${part(old)}\n  + ${part(fresh)}`;
}

function lintDocument(): boolean {
  const program = createRequire(import.meta.url)
    .resolve('@redocly/cli/package.json')
    .replace(/package\.json$/, 'bin/cli.js');
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1', NO_COLOR: '1' };
  const done = spawnSync(process.execPath, [program, 'lint', 'docs/openapi.json', '--format=stylish'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...quiet },
  });
  if (done.status !== 0) process.stderr.write(`${done.stdout}${done.stderr}`);
  return done.status === 0;
}

const check = process.argv.includes('--check');
const differences: string[] = [];
const pages = Object.entries(PAGES).map(([file, make]): [string, string] => [file, make()]);
// As it is read back: routes hold values that JSON has no word for.
const client = clientFiles(JSON.parse(JSON.stringify(document())) as Document);
for (const [file, text] of [...pages, ...Object.entries(client)]) {
  const found = difference(file, text);
  if (found === null) continue;
  differences.push(found);
  if (!check) writeFileSync(join(ROOT, file), text);
}
if (check && differences.length > 0) {
  process.stderr.write(`${differences.join('\n')}\nRun: node --import tsx scripts/generate-docs.ts\n`);
  process.exitCode = 1;
}
if (!check)
  process.stderr.write(differences.length === 0 ? 'Nothing has changed.\n' : `Written: ${differences.length}.\n`);
if (!lintDocument()) process.exitCode = 1;
