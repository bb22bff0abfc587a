/**
 * The functions that took most of a CPU profile, by their own time: what `node --cpu-prof` writes, as a list for a terminal.
 * Waiting is left out. Run: node --import tsx scripts/profile-top.ts cpu/*.cpuprofile
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What is read of a profile. Times are microseconds. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const SHOWN = 12;
const IDLE = '(idle)';

export function hottest({ nodes, samples, timeDeltas }: Profile, shown = SHOWN): readonly string[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '?';
    if (name !== IDLE) times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const all = [...times.values()].reduce((sum, each) => sum + each, 0);
  const sorted = [...times].toSorted(([, one], [, other]) => other - one).slice(0, shown);
  return sorted.map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(5)} %  ${name}`);
}

/** `canonicalJson dist/src/write/idempotency.js:39`; what has no file is of V8. */
function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${url.replace(/^.*\/(?=(?:dist|node_modules)\/)/, '')}:${lineNumber + 1}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const file of process.argv.slice(2)) {
    const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile;
    process.stdout.write(`${file}\n${hottest(profile).join('\n')}\n`);
  }
}
