/**
 * `npm run soak -- <name>`: a test of the bar at its long size, with a seed, on a PostgreSQL of its own. Prints
 * every round and a verdict; exit code 0 when there is nothing to complain about, 1 when there is, 2 for a wrong
 * command line. What there is to run: `test/support/faults/soaks.ts`; the command line:
 * `test/support/measure/soak-command.ts`. The short form, `npm run soak -- ci`, is a suite of the tests:
 * `scripts/run.mjs`. All of them and more: `long.ts`.
 */
import { soak } from '../test/support/measure/soak-command.ts';
import { startCluster } from '../test/support/harness/cluster.ts';
import { useCluster } from '../test/support/harness/database.ts';

async function onCluster(work: () => Promise<number>): Promise<number> {
  const cluster = await startCluster();
  useCluster(cluster.url);
  try {
    return await work();
  } finally {
    await cluster.stop();
  }
}

process.exitCode = await soak(process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  refuse: (text) => void process.stderr.write(text),
  onCluster,
});
