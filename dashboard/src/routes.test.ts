/** Roles × pages: the navigation has no entry that leads to a refusal, and what the page then says of roles is what the server holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../src/core/roles.ts';
import { scopesOf } from '../../src/platform/http/roles.ts';
import { SCOPES } from '../../src/platform/http/route.ts';
import { holds } from './api/me.ts';
import { entriesFor, PAGES, rowAt } from './routes.tsx';
import { rolesThatMay } from './ui/roles.ts';

const scopesIn = (mode: 'live' | 'sandbox', roles: readonly (typeof ROLES)[number][]) => [
  ...scopesOf(roles, mode === 'live'),
];
const words = (scopes: readonly string[] | null, mode: 'live' | 'sandbox') =>
  entriesFor((scope) => holds(scopes, scope), mode === 'sandbox').map(({ word }) => word);

/** All entries but these, in the order of the navigation. */
const allBut = (...absent: readonly string[]) => {
  const all = PAGES.flatMap(({ entry }) => entry?.word ?? []);
  expect(all).toEqual(expect.arrayContaining([...absent]));
  return all.filter((word) => !absent.includes(word));
};
const [KEYS, PEOPLE, AUDIT, TOOLS] = ['Keys', 'People', 'Audit log', 'Sandbox tools'] as const;

describe('the navigation of a role', () => {
  it.each([
    ['viewer', [KEYS, PEOPLE, AUDIT, TOOLS], [KEYS, PEOPLE, AUDIT, TOOLS]],
    ['developer', [], [PEOPLE, AUDIT, TOOLS]],
    ['operator', [KEYS, PEOPLE, AUDIT, TOOLS], [KEYS, PEOPLE, AUDIT, TOOLS]],
    ['approver', [KEYS, AUDIT, TOOLS], [KEYS, AUDIT, TOOLS]],
    ['accountant', [KEYS, PEOPLE, TOOLS], [KEYS, PEOPLE, TOOLS]],
    ['admin', [TOOLS], [TOOLS]],
  ] as const)('%s', (role, sandbox, live) =>
    expect([words(scopesIn('sandbox', [role]), 'sandbox'), words(scopesIn('live', [role]), 'live')]).toEqual([
      allBut(...sandbox),
      allBut(...live),
    ]),
  );

  it('adds up, and is the overview alone without a role', () => {
    expect(words(scopesIn('live', ['accountant', 'approver']), 'live')).toEqual(allBut(KEYS, TOOLS));
    expect(words([], 'live')).toEqual(['Overview']);
    expect([words(null, 'sandbox'), words(null, 'live')]).toEqual([allBut(), allBut(TOOLS)]);
  });

  it('has a page for each entry, and a scope for each page of the environment', () =>
    expect(PAGES.filter(({ scope }) => scope === undefined).map(({ path }) => path)).toEqual(['/', '/me']));
});

describe('a page that is not for a role', () => {
  const scopes = [...new Set(PAGES.flatMap(({ scope }) => scope ?? []))];
  it.each(scopes.flatMap((scope) => (['live', 'sandbox'] as const).map((mode) => [scope, mode] as const)))(
    '%s in %s names the roles that may',
    (scope, mode) => {
      const may = ROLES.filter((role) => holds(scopesIn(mode, [role]), scope));
      expect(rolesThatMay(scope, mode)).toEqual(may.length === ROLES.length ? [] : may);
    },
  );
});

it.each([
  ['', '/'],
  ['/', '/'],
  ['/payouts', '/payouts'],
  ['/payouts/', '/payouts'],
  ['/payouts/new', '/payouts/new'],
  ['/payouts/po_01', '/payouts/:id'],
  ['/payouts/po_01/more', undefined],
  ['/nothing', undefined],
])('the page at %j', (path, row) => expect(rowAt(path)?.path).toBe(row));

it('every scope that the code of a page names is one of the service', () => {
  const folder = new URL('.', import.meta.url).pathname;
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(`${folder}${file}`, 'utf8').matchAll(/'([a-z_]+:(?:read|write))'/g)].map(([, scope]) => scope),
    );
  expect(named.length).toBeGreaterThan(50); // control: they are found
  expect([...new Set(named)].filter((scope) => !(SCOPES as readonly unknown[]).includes(scope))).toEqual([]);
});
