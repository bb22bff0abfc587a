/** Which modules a command line loads: what its start costs, without a clock. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MARK = 'Loaded ';

/** Writes the address of each ES module, and of each file that `require` reads, to standard error. */
const HOOK = `
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    if (!url.startsWith('node:')) writeSync(2, '${MARK}' + url + '\\n');
    return next(url, context);
  }`;
const TELLS = `data:text/javascript,${encodeURIComponent(`
  import { createRequire, register } from 'node:module';
  register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(HOOK))});
  const { cache } = createRequire('${ROOT}');
  process.on('exit', () => console.error(Object.keys(cache).map((path) => '${MARK}file://' + path).join('\\n')));
`)}`;

/** Addresses of the modules that this program loads until it ends, each once. */
export function modulesLoadedBy(program: readonly string[], args: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ['--import', TELLS, ...program, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  return [...new Set(stderr.split('\n').flatMap((line) => (line.startsWith(MARK) ? [line.slice(MARK.length)] : [])))];
}
