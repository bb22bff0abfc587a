import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { TestProject } from 'vitest/node';
import { findChromium, NO_BROWSER, setup } from './chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-chromium-'));
const named = join(folder, 'chromium-browser');
const notExecutable = join(folder, 'chromium');
writeFileSync(named, '');
chmodSync(named, 0o755);
writeFileSync(notExecutable, '');
chmodSync(notExecutable, 0o644);

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('which browser tests drive', () => {
  it('is the one that is named, or none', () => {
    expect(findChromium({ BURSAR_CHROMIUM: named })).toBe(named);
    expect(findChromium({ BURSAR_CHROMIUM: join(folder, 'gone') })).toBe('');
    expect(findChromium({ BURSAR_CHROMIUM: notExecutable })).toBe('');
  });
  it('is one on PATH that can be run, by the first of its usual names that there is', () => {
    const found = findChromium({ PATH: `${folder}:/nowhere` });
    // This machine's own goes first where it has one: its name does.
    expect([named, '/usr/bin/chromium']).toContain(found);
  });
});

describe('a machine without one', () => {
  const said = () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const provided: unknown[] = [];
    setup({ provide: (_: string, value: unknown) => void provided.push(value) } as unknown as TestProject);
    return { said: error.mock.calls.flat(), provided };
  };
  it('is told what is left out, and what brings it', () => {
    vi.stubEnv('BURSAR_CHROMIUM', join(folder, 'gone'));
    vi.stubEnv('BURSAR_REQUIRE_BROWSER', '');
    expect(said()).toEqual({ said: [NO_BROWSER], provided: [''] });
    expect(NO_BROWSER).toContain('apt-get install chromium');
  });
  it('is told nothing where one is required, since its tests fail and say why', () => {
    vi.stubEnv('BURSAR_CHROMIUM', join(folder, 'gone'));
    vi.stubEnv('BURSAR_REQUIRE_BROWSER', '1');
    expect(said()).toEqual({ said: [], provided: [''] });
  });
  it('is not told so when there is one', () => {
    vi.stubEnv('BURSAR_CHROMIUM', named);
    expect(said()).toEqual({ said: [], provided: [named] });
  });
});
