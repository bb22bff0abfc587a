/** The table of pages and operations in the docs: every page of the dashboard is in it, with the calls that its code makes, and the page is up to date. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionsOf, callsIn, operationsOfPages } from '../scripts/dashboard-operations.ts';
import { ROUTES } from './support/harness/all-routes.ts';
import { ROOT } from './tidy/source.ts';

const pages = operationsOfPages(ROUTES);
const of = (page: string) =>
  pages.find((each) => each.page === page)?.operations.map(({ operationId }) => operationId) ?? [];

describe('what pages ask for', () => {
  it('every page asks for something that there is', () => {
    const text = readFileSync(join(ROOT, 'dashboard/src/routes.tsx'), 'utf8');
    expect(pages.length - 1).toBe([...text.matchAll(/^ +(?:\{ )?path: '/gm)].length);
    const silent = pages.filter(({ operations }) => operations.length === 0).map(({ page }) => page);
    expect(silent).toEqual(['/me']); // which speaks of the session alone
  });

  it('a page asks for what it imports, and not for what others import', () => {
    expect(of('/payouts/:id')).toEqual(expect.arrayContaining(['retrievePayout', 'approvePayout', 'cancelPayout']));
    expect(of('/payouts')).not.toContain('approvePayout');
    expect(of('/people/:id')).toEqual(expect.arrayContaining(['suspendUser', 'resumeUser', 'updateUser']));
    expect(of('/sandbox-tools')).toEqual(expect.arrayContaining(['advanceClock', 'resetSandbox']));
    expect(of('*')).toEqual(expect.arrayContaining(['retrieveMe', 'search']));
  });

  it('control: calls in each form, and one that no client has', () => {
    const code =
      "client.testHelpers.payouts.pay(id); post<User>(client, `/v1/users/${id}/${verb}`, {}); file.start('/v1/payouts', {})";
    expect(callsIn(code, 'a.ts').map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/test_helpers/payouts/{}/pay',
      'POST /v1/users/{}/{}',
      'GET /v1/payouts',
    ]);
    expect(callsIn('// client.payouts.cancel(id)\n/* post(client, `/v1/payouts`) */', 'a.ts')).toEqual([]);
    expect(callsIn("curl /v1/payouts; const path = '/v1/payouts';", 'a.ts')).toEqual([]);
    expect(() => callsIn('client.payouts.pay(id)', 'a.ts')).toThrow('a.ts: the client has no payouts.pay.');
    expect(() => callsIn('post<User>(client, path, {})', 'a.ts')).toThrow('a.ts: the path of a post');
    expect(callsIn("file.start('/v1/payouts', {}); client.payouts.list()", 'a.ts').map(({ isFile }) => isFile)).toEqual(
      [false, true],
    );
  });
});

it('every page is one that tests in a browser look at', () => {
  const text = readFileSync(join(ROOT, 'test/support/dashboard/tour.ts'), 'utf8');
  const looked = [...text.matchAll(/\['[^']+', (['`])(.*?)\1\]/g)].map(([, , path = '']) =>
    path === '' ? '/' : path.replaceAll(/\$\{[^}]*\}/g, ':id'),
  );
  expect(looked).toEqual(expect.arrayContaining(['/', '/payouts', '/payouts/:id', '/bank-accounts/:id/month'])); // control
  expect(pages.map(({ page }) => page).filter((page) => page !== '*' && !looked.includes(page))).toEqual([]);
});

describe('what people do', () => {
  const folder = join(ROOT, 'test/support/dashboard/actions');
  const table = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/request: '([A-Z]+ \/v1\/[^']+)'/g)].map(([, line = '']) =>
      line.replaceAll('{id}', ':id'),
    );
  });
  const untried = (actions: readonly string[]) => actions.filter((action) => !table.includes(action));
  const actions = actionsOf(ROUTES);

  it('is in the table of actions, each of it: as allowed and as refused, by role, in a browser', () => {
    expect(untried(actions)).toEqual([]);
    expect(table.filter((action) => !actions.includes(action))).toEqual([]);
  });

  it('control: what is not there is missed; what writes and what makes a file are found, and what reads by POST is not', () => {
    expect(untried(['POST /v1/payouts/:id/double', 'POST /v1/payouts'])).toEqual(['POST /v1/payouts/:id/double']);
    const some = ['POST /v1/users/:id', 'DELETE /v1/limits/:id', 'GET /v1/payment_files/:id/content'];
    expect(actions).toEqual(expect.arrayContaining(some));
    expect(actions).not.toContain('POST /v1/recipients/search');
    expect(actions.length).toBeGreaterThan(60);
  });
});

it('the page in the docs has a row for each', () => {
  const text = readFileSync(join(ROOT, 'docs/dashboard-operations.md'), 'utf8');
  for (const { operations } of pages)
    for (const { method, path } of operations) expect(text).toContain(`\`${method} ${path}\``);
});
