/**
 * Two suites over one set-up. `suite` is what `npm test` runs, under two minutes on two cores; `soak` kills, floods and fuzzes in a quick form,
 * and is what `npm run soak -- quick` runs. A file that is named runs whichever suite it is of. Next: `scripts/run.mjs`.
 */
import { defineConfig } from 'vitest/config';

const SOAKS = 'test/soak/**/*.test.ts';
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/support/harness/cluster.ts', 'test/support/browser/chromium.ts'],
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'suite',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [SOAKS],
          ...patience,
        },
      },
      { test: { name: 'soak', include: [SOAKS], ...patience } },
    ],
  },
});
