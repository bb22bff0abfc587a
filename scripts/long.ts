/**
 * `npm run soak -- long [NAME…]`: what a release must pass, some hours on two cores. With names: the parts whose names
 * hold one. A line a part with its seconds, then what failed. Exit code 1 when a part failed, 2 for a name that no part
 * has. The parts: `test/support/measure/long-parts.ts`.
 */
import { SOAKS } from '../test/support/faults/soaks.ts';
import { matching, partsIn, runParts } from '../test/support/measure/long-parts.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const words = process.argv.slice(2);
const all = partsIn(process.cwd(), SOAKS);
const unknown = words.filter((word) => matching(all, [word]).length === 0);

if (unknown.length > 0 || words.some((word) => word.startsWith('-'))) {
  say(`npm run soak -- long [NAME…]\n\nNo part has the name ${unknown.join(', ')}. There are:`);
  for (const { name } of all) say(`  ${name}`);
  process.exitCode = 2;
} else {
  const failed = runParts(process.cwd(), matching(all, words), say);
  process.exitCode = failed === null ? 130 : failed.length > 0 ? 1 : 0;
}
