/**
 * Builds the documentation site into `site/dist/`: stages the pages, lets VitePress build them, and writes down what the service needs to
 * serve them. Run: npm run docs. Next: `stage.ts`, `finish.ts`; who serves it: `src/platform/http/docs.ts`.
 */
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { finish } from './finish.ts';
import { stage, writeStaged } from './stage.ts';

/** It makes hundreds of megabytes of objects. A larger nursery saves an eighth of the time. */
const SWITCH = '--max-semi-space-size=64';

const site = dirname(fileURLToPath(import.meta.url));
const [made, served] = [join(site, '.cache/dist'), join(site, 'dist')];
writeStaged(dirname(site), join(site, 'pages'), stage(dirname(site)));
const program = join(dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'bin/vitepress.js');
const command = [SWITCH, program, 'build', site, '--outDir', made];
const built = spawnSync(process.execPath, command, { stdio: ['ignore', 2, 2] });
if (built.status !== 0) process.exit(1);
const { files } = finish(made);
// A service that runs serves the site from before until this one is whole.
rmSync(served, { recursive: true, force: true });
renameSync(made, served);
process.stderr.write(`site/dist: ${Object.keys(files).length} files\n`);
