/** Roles × pages: the navigation has no entry that leads to a refusal, and what the page then says of roles is what the server holds. */
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../src/core/roles.ts';
import { scopesOf } from '../../src/platform/http/roles.ts';
import { holds } from './api/me.ts';
import { entriesFor, PAGES } from './routes.tsx';
import { rolesThatMay } from './ui/roles.ts';

const scopesIn = (mode: 'live' | 'sandbox', roles: readonly (typeof ROLES)[number][]) => [
  ...scopesOf(roles, mode === 'live'),
];
const words = (scopes: readonly string[] | null) => entriesFor((scope) => holds(scopes, scope)).map(({ word }) => word);

const FOR_ALL = ['Overview', 'Payouts', 'Accounts', 'Recipients', 'Webhooks', 'Events', 'Requests'];
const EVERYTHING = [...FOR_ALL, 'Keys', 'People', 'Audit log'];

describe('the navigation of a role', () => {
  it.each([
    ['viewer', FOR_ALL, FOR_ALL],
    ['developer', EVERYTHING, [...FOR_ALL, 'Keys']],
    ['operator', FOR_ALL, FOR_ALL],
    ['approver', [...FOR_ALL, 'People'], [...FOR_ALL, 'People']],
    ['accountant', [...FOR_ALL, 'Audit log'], [...FOR_ALL, 'Audit log']],
    ['admin', EVERYTHING, EVERYTHING],
  ] as const)('%s', (role, sandbox, live) =>
    expect([words(scopesIn('sandbox', [role])), words(scopesIn('live', [role]))]).toEqual([sandbox, live]),
  );

  it('adds up, and is the overview alone without a role', () => {
    expect(words(scopesIn('live', ['accountant', 'approver']))).toEqual([...FOR_ALL, 'People', 'Audit log']);
    expect(words([])).toEqual(['Overview']);
    expect(words(null)).toEqual(EVERYTHING);
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
