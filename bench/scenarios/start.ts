/** From the start of the process to its first answer, with the embedded database: first start and later ones. */
import { join } from 'node:path';
import { median } from '../measure/statistics.ts';
import { startProgram } from '../setup/program.ts';
import type { Bench } from './scenario.ts';

const FIRST_SECONDS = 3;
const LATER_SECONDS = 1;

export async function start({ world, report }: Bench): Promise<void> {
  const { folder } = world.cluster;
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < world.options.passes; round++) {
    report.progress(`start: pass ${round + 1} of ${world.options.passes}`);
    const once = async () => {
      const env = { BURSAR_DATA: join(folder, `start-${round}`) };
      const program = await startProgram({ name: 'src/server/main', env, folder, readyPath: '/readyz' });
      await program.stop();
      return program.startMs / 1000;
    };
    first.push(await once());
    later.push(await once());
  }
  report.target('first answer, database to be made', 's', median(first), { atMost: FIRST_SECONDS });
  report.target('first answer, existing database', 's', median(later), { atMost: LATER_SECONDS });
}
