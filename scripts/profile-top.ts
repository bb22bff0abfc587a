/**
 * The functions that took most of a CPU profile, by their own time: what `node --cpu-prof` writes, as a list for a terminal.
 * Waiting is left out. Run: node --import tsx scripts/profile-top.ts cpu/*.cpuprofile
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What is read of a profile. Times are microseconds. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    /** Lines and columns count from 0. */
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
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

type Frame = Profile['nodes'][number]['callFrame'];

/** `canonicalJson src/write/idempotency.ts:39`, or where a package has it; what has no file is of V8. */
function nameOf(frame: Frame): string {
  const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
  if (frame.url === '') return name;
  return `${name} ${sourceOf(frame) ?? `${frame.url.replace(/^.*\/(?=node_modules\/)/, '')}:${frame.lineNumber + 1}`}`;
}

const maps = new Map<string, SourceMap | null>();

/** Where a line of a built file comes from. */
function sourceOf({ url, lineNumber, columnNumber }: Frame): string | null {
  const map = maps.get(url) ?? mapOf(url);
  maps.set(url, map);
  const found = map?.findEntry(lineNumber, columnNumber);
  if (found === undefined || !('originalSource' in found)) return null;
  const source = fileURLToPath(new URL(found.originalSource, url));
  return `${relative(process.cwd(), source)}:${found.originalLine + 1}`;
}

function mapOf(url: string): SourceMap | null {
  const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as never) : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const file of process.argv.slice(2)) {
    const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile;
    process.stdout.write(`${file}\n${hottest(profile).join('\n')}\n`);
  }
}
