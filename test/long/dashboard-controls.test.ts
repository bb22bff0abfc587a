/**
 * Control runs of the dashboard's defences: each is taken out of a copy of the sources, one at a time, and the test that holds it must fail
 * there, and by that. A test that passes without the defence tests nothing. Where the sources have changed so that a defence cannot be found,
 * this says so: name it anew.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutBrowser } from '../support/browser/browser.ts';
import { buildDashboard } from '../support/dashboard/build.ts';
import { ROOT } from '../tidy/source.ts';

interface Control {
  readonly without: string;
  readonly file: string;
  /** Stands there once. */
  readonly text: string;
  readonly instead: string;
  readonly test: string;
  /** Begins the full name of at least one test that must fail. */
  readonly fails: string;
  /** Those tests run without the others of the file, which take long. */
  readonly isAlone?: boolean;
}

const POLICY = 'test/browser/dashboard-policy.soak.test.ts';
const PEOPLE = 'test/long/dashboard-people.test.ts';
const THREATS = 'src/tenancy/sessions/threats.test.ts';

const CONTROLS: readonly Control[] = [
  {
    without: 'the nonce in the page',
    file: 'src/server/dashboard/site.ts',
    text: '() => NONCE_PLACE + nonce',
    instead: '() => NONCE_PLACE',
    test: POLICY,
    fails: 'the page of the dashboard asks a stranger to sign in',
  },
  {
    without: 'the policy that takes no <',
    file: 'dashboard/src/scheme.ts',
    text: "if (text.includes('<'))",
    instead: "if (text === '<')",
    test: POLICY,
    fails: 'the page of the dashboard lets no text become markup',
  },
  {
    without: 'the look at which page sent a request',
    file: 'src/platform/http/door.ts',
    text: 'if (!door.isOwnPage(headers, place)) {',
    instead: 'if (door.isOwnPage(headers, place) === null) {',
    test: THREATS,
    fails: 'a page of another site Sec-Fetch-Site cross-site',
  },
  {
    without: 'the demand that the environment is named',
    file: 'src/tenancy/sessions/admission.ts',
    text: 'membershipIn(found, environment)',
    instead: "membershipIn(found, environment ?? 'sandbox')",
    test: THREATS,
    fails: 'a page of another site cannot send the header of the environment',
  },
  {
    without: 'the look at the roles',
    file: 'src/platform/http/admit.ts',
    text: 'if (lacking !== undefined) {',
    instead: 'if (lacking !== undefined && session === null) {',
    test: 'test/long/dashboard-actions.test.ts',
    fails: 'what people do in the dashboard is refused to who may not, and done for who may: company',
    isAlone: true,
  },
  {
    without: 'the factor that live asks for again',
    file: 'src/platform/http/admit.ts',
    text: 'route.needsStepUp !== true',
    instead: 'true',
    test: PEOPLE,
    fails: 'people in the dashboard live wants a second factor',
  },
  {
    without: 'the same key for the same request',
    file: 'dashboard/src/api/writes.ts',
    text: '() => call(client, options, input)',
    instead: '() => call(client, { ...options, idempotencyKey: crypto.randomUUID() }, input)',
    test: PEOPLE,
    fails: 'people in the dashboard live wants a second factor',
  },
  {
    without: 'the navigation by role',
    file: 'dashboard/src/routes.tsx',
    text: '(scope !== undefined && !may(scope))',
    instead: "scope === ''",
    test: PEOPLE,
    fails: 'people in the dashboard the role viewer finds',
  },
];

/** Not copied: packages, which are linked, and what others make. */
const LEFT_OUT = /^(?:\.git|data|dist|site\/.*|.*node_modules)(?:\/|$)/;

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

describe.skipIf(withoutBrowser)('control: without', () => {
  let copy = '';
  beforeAll(() => {
    buildDashboard();
    copy = mkdtempSync(join(tmpdir(), 'bursar-controls-'));
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) });
    for (const folder of ['node_modules', 'dashboard/node_modules'])
      symlinkSync(join(ROOT, folder), join(copy, folder));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** The full names of the tests of a file in the copy, by their outcome. */
  const run = ({ test, fails, isAlone = false }: Control) => {
    const report = join(copy, 'report.json');
    rmSync(report, { force: true });
    const args = [
      'node_modules/vitest/vitest.mjs',
      'run',
      test,
      ...(isAlone ? ['-t', fails] : []),
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile=${report}`,
    ];
    const { stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    if (results.length === 0) throw new Error(`${test} did not run: ${stderr}`);
    const of = (status: string) => results.filter((each) => each.status === status).map(({ fullName }) => fullName);
    return { failed: of('failed'), passed: of('passed') };
  };

  const FIRST = CONTROLS.filter(({ test }, at) => CONTROLS.findIndex((each) => each.test === test) === at);
  it.each(FIRST)('nothing, $test passes', (control) => {
    const { failed, passed } = run(control);
    expect(failed).toEqual([]);
    expect(passed.length).toBeGreaterThan(0);
  });

  it.each(CONTROLS)('$without, $test fails', (control) => {
    const { file, text, instead, fails } = control;
    const path = join(copy, file);
    const before = readFileSync(path, 'utf8');
    const parts = before.split(text);
    expect(parts, `${file} has this once: ${text}`).toHaveLength(2);
    writeFileSync(path, parts.join(instead));
    try {
      const { failed } = run(control);
      expect(failed.filter((name) => name.startsWith(fails))).not.toEqual([]);
    } finally {
      writeFileSync(path, before);
    }
  });
});
