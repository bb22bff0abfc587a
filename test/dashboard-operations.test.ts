/** The table of pages and operations in the docs: every page of the dashboard is in it, with the calls that its code makes, and the page is up to date. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callsIn, operationsOfPages } from '../scripts/dashboard-operations.ts';
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
    expect(of('/people/:id')).toEqual(expect.arrayContaining(['suspendUser', 'resumeUser']));
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
  });
});

it('the page in the docs has a row for each', () => {
  const text = readFileSync(join(ROOT, 'docs/dashboard-operations.md'), 'utf8');
  for (const { operations } of pages)
    for (const { method, path } of operations) expect(text).toContain(`\`${method} ${path}\``);
});
