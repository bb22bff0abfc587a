/**
 * What `npm test` runs are `pure` and `suite`. `soak` kills, floods, tortures and looks at every page at a small size, is decided by
 * order and counts, and is what `npm run soak -- ci` runs, three files at a time. `long` is the same and more at full size with every
 * limit in milliseconds and megabytes: `npm run soak -- long`. A file that is named runs, whichever it is of. Which file holds which
 * promise: docs/promises.md. One set-up serves all. The files of the first three share the modules of a process, which saves half a
 * second a file (two of a soak); so a test must not count on a module that nobody has used. Next: `scripts/run.mjs`.
 */
import { defineConfig } from 'vitest/config';

/** Values in, values out (test/tidy holds that). */
const PURE = [
  'src/{core,collecting/checkout/html,platform/http/request}/**/*.test.ts',
  'dashboard/src/**/*.test.ts',
  'src/**/{decide,*-decide}.test.ts',
];
/** Beside its code and named `*.soak.test.ts`: what takes seconds because it starts servers or imports files; `*.long.test.ts`: many of them. */
const SOAKS = ['test/soak/**/*.test.ts', '{client,src,test,examples}/**/*.soak.test.ts'];
const LONG = ['test/long/**/*.test.ts', 'src/**/*.long.test.ts'];
const ALL = ['client/test/**/*.test.ts', 'src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'];
/** The same random cases with every change. */
const setupFiles = ['test/support/generators/random-cases.ts'];
/** For what hangs. No test is decided by it: a slow machine may take ten times as long as a quick one. */
const poll = { poll: { timeout: 20_000 } };
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: poll };
const soakPatience = { testTimeout: 600_000, hookTimeout: 600_000, expect: poll };
const longPatience = { testTimeout: 3_600_000, hookTimeout: 600_000, expect: poll };

export default defineConfig({
  test: {
    globalSetup: ['test/support/harness/cluster.ts', 'test/support/browser/chromium.ts'],
    pool: 'forks',
    maxWorkers: 2,
    /** What is compiled for `npm test` serves the soaks too. */
    experimental: { fsModuleCache: true },
    projects: [
      { test: { name: 'pure', include: PURE, isolate: false, setupFiles, ...patience } },
      {
        test: {
          name: 'suite',
          include: ALL,
          exclude: [...PURE, ...SOAKS, ...LONG],
          isolate: false,
          setupFiles,
          ...patience,
        },
      },
      { test: { name: 'soak', include: SOAKS, isolate: false, setupFiles, ...soakPatience } },
      { test: { name: 'long', include: LONG, fileParallelism: false, ...longPatience } },
    ],
  },
});
