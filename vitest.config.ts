/**
 * What `npm test` runs are `pure` and `suite`; `soak` kills, floods, tortures and looks at every page in a quick form, and is what `npm run soak -- quick`
 * runs. A file that is named runs, whichever it is of. One set-up serves all of them. The files of the first two share the modules of a
 * process, which saves half a second a file; so a test must not count on a module that nobody has used. Next: `scripts/run.mjs`.
 */
import { defineConfig } from 'vitest/config';

/** Values in, values out (test/tidy holds that). */
const PURE = ['src/{core,checkout/html,http/request}/**/*.test.ts', 'src/**/{decide,*-decide}.test.ts'];
/** What compares times has the machine for itself, after the others. */
const ALONE = ['test/soak/alone/**/*.test.ts'];
/** Beside its code and named `*.soak.test.ts`: what takes seconds because it starts servers or imports files. */
const SOAKS = ['test/soak/**/*.test.ts', '{client,src,test,examples}/**/*.soak.test.ts'];
const ALL = ['client/test/**/*.test.ts', 'src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'];
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/support/harness/cluster.ts', 'test/support/browser/chromium.ts'],
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { test: { name: 'pure', include: PURE, isolate: false, ...patience } },
      { test: { name: 'suite', include: ALL, exclude: [...PURE, ...SOAKS], isolate: false, ...patience } },
      { test: { name: 'soak', include: SOAKS, exclude: ALONE, ...patience } },
      {
        test: { name: 'soak-alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 1 }, ...patience },
      },
    ],
  },
});
