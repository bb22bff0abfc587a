/** The house rules for `dashboard/`, each with a control beside it. For the service: `tidy.test.ts`; the rules: `tidy/dashboard.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asksInOnePlace, dashboardImports, noMarkup, withoutText } from './tidy/dashboard.ts';
import {
  deadReferences,
  noAny,
  noBarrel,
  noDefaultExport,
  noMarkers,
  notTooLong,
  opensWithComment,
  type Rule,
} from './tidy/rules.ts';
import { filesIn, ROOT, type Source, source } from './tidy/source.ts';
import { forbiddenWords } from './tidy/words.ts';

const paths = ['.ts', '.tsx'].flatMap((ending) => filesIn(['dashboard/src', 'dashboard/dev'], ending));
const files = paths.map((path) => withoutText(source(path, readFileSync(join(ROOT, path), 'utf8'))));
/** What a browser gets. */
const ours = files.filter(({ path }) => path.startsWith('dashboard/src/'));
const others = filesIn(['src', 'client/src', 'scripts', 'test'], '.ts');
/** A comment names a file from the project, from `dashboard/` or from `dashboard/src/`. */
const known = new Set(
  [...others, ...paths, 'dashboard/vite.config.ts'].flatMap((path) => [
    path,
    path.replace(/^dashboard\/(?:src\/)?/, ''),
  ]),
);
for (const path of paths) known.add(path.replace(/^dashboard\//, ''));
const complaints = (all: readonly Source[], rule: Rule) =>
  all.flatMap((file) => rule(file).map((complaint) => `${file.path}: ${complaint}`));

describe('rules that hold everywhere', () => {
  it.each<[string, Rule]>([
    ['every file opens with a comment', opensWithComment],
    ['no default exports', noDefaultExport],
    ['no barrels', noBarrel],
    ['no file is too long to read', notTooLong],
    ['no markers for later', noMarkers],
    ['no any', noAny],
    ['one word per thing', forbiddenWords],
    ['comments lead to files that exist', deadReferences(known)],
  ])('%s', (_, rule) => {
    expect(files.length).toBeGreaterThan(50);
    expect(complaints(files, rule)).toEqual([]);
  });
});

it('control: the text of a page is no code, and what stands beside it is', () => {
  const codeOf = (text: string) => withoutText(source('dashboard/src/ui/a.tsx', text)).code;
  expect(codeOf('return <p>{count} in flight, as any <b>other way</b></p>;')).not.toMatch(/flight|any|other/);
  expect(codeOf('const flight = <p>{flights}</p>;').match(/flights?/g)).toEqual(['flight', 'flights']);
});

describe('the floors of the dashboard', () => {
  it('no import leads up, into another page, or out of what a browser gets', () =>
    expect(complaints(ours, dashboardImports)).toEqual([]));
  it.each([
    ['pages/payouts/payout.tsx', "import { Account } from '../accounts/account.tsx';"],
    ['pages/payouts/payout.tsx', "import { Shell } from '../../shell/shell.tsx';"],
    ['pages/payouts/payout.tsx', "import { routes } from '../../routes.tsx';"],
    ['ui/table.tsx', "import { Payout } from '../pages/payouts/payout.tsx';"],
    ['api/client.ts', "import { Page } from '../ui/page.tsx';"],
    ['links.ts', "import { get } from './api/client.ts';"],
    ['api/client.ts', "import { config } from '../../../src/config.ts';"],
    ['api/client.ts', "import type { Payout } from '../../../src/paying/payouts/fields.ts';"],
    ['shell/shell.tsx', "import { Payout } from '../pages/payouts/payout.tsx';"],
    ['main.tsx', "import { join } from 'node:path';"],
  ])('control: %s with %j', (path, text) =>
    expect(dashboardImports(source(`dashboard/src/${path}`, text))).toHaveLength(1),
  );
  it.each([
    ['pages/payouts/payout.tsx', "import { stateOf } from './states.ts';"],
    ['pages/payouts/payout.tsx', "import { Page } from '../../ui/page.tsx';"],
    ['pages/payouts/payout.tsx', "import { useState } from 'react';"],
    ['api/client.ts', "import { createClient } from '../../../client/src/bursar.ts';"],
    [
      'pages/standing-orders/calendar.ts',
      "import { indexFrom } from '../../../../src/paying/standing-orders/calendar.ts';",
    ],
    ['theme.ts', "import { LIGHT } from '../../src/collecting/checkout/html/colours.ts';"],
    ['routes.tsx', "const page = lazy(() => import('./pages/payouts/payout.tsx'));"],
  ])('leaves alone: %s with %j', (path, text) =>
    expect(dashboardImports(source(`dashboard/src/${path}`, text))).toEqual([]),
  );
});

describe('nothing becomes markup, and one folder asks the server', () => {
  it('holds', () => {
    expect(complaints(files, noMarkup)).toEqual([]);
    expect(complaints(ours, asksInOnePlace)).toEqual([]);
  });
  it.each([
    '<p dangerouslySetInnerHTML={{ __html: name }} />',
    'element.innerHTML = name;',
    'document.write(name);',
    'new Function(name);',
    'eval(name);',
  ])('control: flags %j', (text) => expect(noMarkup(source('dashboard/src/ui/a.tsx', text))).not.toEqual([]));
  it('control: flags a request from a page', () => {
    const asks = (path: string) => asksInOnePlace(source(`dashboard/src/${path}`, "await fetch('/v1/payouts');"));
    expect([asks('pages/payouts/payout.tsx').length, asks('api/client.ts').length]).toEqual([1, 0]);
    expect(asksInOnePlace(source('dashboard/src/ui/a.tsx', 'void query.refetch();'))).toEqual([]);
  });
});
