/**
 * The worked example of CONTRIBUTING.md, "Add a resource", carried out on a copy of the sources: the files it names exist,
 * its steps can be followed to the letter, and what comes out compiles and keeps the house rules.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRelease } from './support/generators/random-cases.ts';
import { SLICES, upwardImports } from './tidy/floors.ts';
import { opensWithComment } from './tidy/rules.ts';
import { ROOT, source } from './tidy/source.ts';

interface Step {
  readonly kind: 'new' | 'change';
  readonly path: string;
  readonly lines: readonly string[];
}

/** Code blocks of the page that name a file: `ts new PATH` is a whole file, `diff PATH` adds lines. */
function stepsIn(page: string): Step[] {
  return [...page.matchAll(/^```(ts new|diff) (\S+)\n([\s\S]*?)^```$/gm)].map(([, kind, path, body]) => ({
    kind: kind === 'ts new' ? 'new' : 'change',
    path: path as string,
    lines: (body as string).trimEnd().split('\n'),
  }));
}

/** The text with each `+` line behind the line that stands above it; throws where that is not found, or not once. */
function changed(text: string, lines: readonly string[], path: string): string {
  const result = text.split('\n');
  let at = -1;
  for (const line of lines) {
    const content = line.slice(1);
    if (line.startsWith('+')) result.splice(++at, 0, content);
    else {
      const found = result.flatMap((each, index) => (each === content ? [index] : []));
      if (found.length !== 1) throw new Error(`${path} has ${found.length} lines that read ${JSON.stringify(content)}`);
      at = found[0] as number;
    }
  }
  return result.join('\n');
}

const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const steps = stepsIn(page.slice(page.indexOf('## Add a resource'), page.indexOf('## A change')));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Carries steps out on a copy of `src/` and compiles it; resolves with what the compiler says. */
async function compile(carriedOut: readonly Step[]): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'bursar-resource-'));
  folders.push(copy);
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  cpSync(join(ROOT, 'client/src'), join(copy, 'client/src'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const name of ['tsconfig.json', 'package.json']) cpSync(join(ROOT, name), join(copy, name));
  for (const { kind, path, lines } of carriedOut) {
    const file = join(copy, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, kind === 'new' ? `${lines.join('\n')}\n` : changed(readFileSync(file, 'utf8'), lines, path));
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: copy }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

describe('add a resource', () => {
  let complete: string;
  let withoutMeetings: string;
  beforeAll(async () => {
    complete = await compile(steps);
    // The folder, its prefix, its event type and its scope, and none of the lines where slices meet.
    const isOwn = ({ path }: { path: string }) => !/^src\/(?:write|core\/state|server)/.test(path);
    if (isRelease) withoutMeetings = await compile(steps.filter(isOwn));
  });

  it('names files that exist, and new ones that do not', () => {
    expect(steps.length).toBeGreaterThan(10);
    for (const { kind, path } of steps) expect(existsSync(join(ROOT, path)), path).toBe(kind === 'change');
  });
  it('compiles', () => expect(complete).toBe(''));
  it.runIf(isRelease)('control: the compiler names the places that are left out', () => {
    for (const place of ['src/core/state.ts', 'src/write/slices.ts', `Type '"note"' does not satisfy`]) {
      expect(withoutMeetings).toContain(place);
    }
  });
  it('control: a step whose line is gone fails', () => {
    expect(() => changed('one\ntwo', [' three', '+four'], 'a.ts')).toThrow('a.ts has 0 lines');
    expect(changed('one\ntwo', [' one', '+four'], 'a.ts')).toBe('one\nfour\ntwo');
  });
  it('keeps the house rules', () => {
    const known: readonly string[] = SLICES;
    expect(known).not.toContain('notes');
    for (const { kind, path, lines } of steps) {
      if (kind !== 'new') continue;
      const file = source(path, lines.join('\n'));
      expect(opensWithComment(file), path).toEqual([]);
      expect(
        lines.filter((line) => line.length > 120),
        path,
      ).toEqual([]);
      // As a file of a slice that is on the list of floors.
      expect(upwardImports(source(path.replace('/notes/', '/accounts/'), file.text)), path).toEqual([]);
    }
  });
});
