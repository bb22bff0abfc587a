/** Runs a plan in a load generator of its own and waits for what it found. */
import { fork } from 'node:child_process';
import { programFile } from '../setup/program.ts';
import type { Load, Plan } from './plan.ts';

/** Rejects when the generator dies; answers other than 200 are in the result. */
export function runLoad(plan: Plan): Promise<Load> {
  const child = fork(programFile('bench/load/generator'), { serialization: 'json' });
  return new Promise((resolve, reject) => {
    let found: Load | null = null;
    child.once('message', (load) => {
      found = load as Load;
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (found !== null) resolve(found);
      else reject(new Error(`The load generator ended with code ${code} and without a result.`));
    });
    child.send(plan);
  });
}
