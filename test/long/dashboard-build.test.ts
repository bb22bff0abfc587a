/** The dashboard is built with the same bytes each time, so that a release can be built again and compared. Its size: `test/soak/dashboard-build.test.ts`. */
import { expect, it } from 'vitest';
import { buildDashboard, dashboardHashes } from '../support/dashboard/build.ts';

it('two builds are the same to the byte', () => {
  buildDashboard(true);
  const first = dashboardHashes();
  expect(Object.keys(first).length).toBeGreaterThan(10);
  buildDashboard(true);
  expect(dashboardHashes()).toEqual(first);
});
