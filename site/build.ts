/**
 * Builds the documentation site into `site/dist/`: stages the pages, lets VitePress build them, and writes down what the service needs to
 * serve them. Run: npm run docs. Next: `stage.ts`, `finish.ts`; who serves it: `src/platform/http/docs.ts`.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { finish } from './finish.ts';
import { stage, writeStaged } from './stage.ts';

const site = dirname(fileURLToPath(import.meta.url));
writeStaged(dirname(site), join(site, 'pages'), stage(dirname(site)));
const program = join(dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'bin/vitepress.js');
const built = spawnSync(process.execPath, [program, 'build', site], { stdio: ['ignore', 2, 2] });
if (built.status !== 0) process.exit(1);
const { files } = finish(join(site, 'dist'));
process.stderr.write(`site/dist: ${Object.keys(files).length} files\n`);
