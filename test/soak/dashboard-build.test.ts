/**
 * The dashboard as it is built: how much a browser has to get, that each file is what its compressed form says, and that nothing in the page
 * is refused by its own policy. Built twice with the same bytes: `test/long/dashboard-build.test.ts`. It needs npm's registry once.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard, DASHBOARD_DIST, dashboardFiles } from '../support/dashboard/build.ts';

/**
 * Of compressed script, in bytes: what stands between a person and the whole overview with its table, and all pages together, which nobody
 * gets at once.
 */
const FIRST_VIEW_BYTES = 216 * 1024;
const ALL_BYTES = 400 * 1024;

let files: readonly string[] = [];
const read = (file: string) => readFileSync(join(DASHBOARD_DIST, file));
const zipped = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);

/** The scripts that a script takes when it is loaded, itself first: not those that it may ask for later. */
function withImports(script: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(script)) return seen;
  seen.add(script);
  for (const [, name = ''] of read(script)
    .toString()
    .matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    withImports(`assets/${name}`, seen);
  return seen;
}

beforeAll(() => {
  buildDashboard();
  files = dashboardFiles();
});

describe('the built dashboard', () => {
  it('is small enough for the first view, and as a whole', () => {
    const scripts = files.filter((file) => file.endsWith('.js'));
    const named = [
      ...read('index.html')
        .toString()
        .matchAll(/src="\/dashboard\/([^"]+\.js)"/g),
    ].map(([, name]) => name as string);
    const overview = scripts.filter((file) => /^assets\/overview-[\w-]+\.js$/.test(file));
    expect([named.length > 1, overview.length]).toEqual([true, 1]);
    const first = new Set([...named, ...overview].flatMap((script) => [...withImports(script)]));
    const [firstBytes, allBytes] = [zipped([...first]), zipped(scripts)];
    console.log(`first view ${firstBytes} bytes in ${first.size} scripts, all ${allBytes} in ${scripts.length}`);
    expect(first.size).toBeLessThan(scripts.length); // control: pages are not in one piece
    expect(firstBytes).toBeLessThanOrEqual(FIRST_VIEW_BYTES);
    expect(allBytes).toBeLessThanOrEqual(ALL_BYTES);
  });

  it('lists what is in its folder, and is compressed without a loss', () => {
    const there = readdirSync(DASHBOARD_DIST, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(DASHBOARD_DIST.length + 1));
    expect([...files, '.sources', 'files.json'].toSorted()).toEqual(there.toSorted());
    const compressed = files.filter((file) => /\.(?:br|gz)$/.test(file));
    expect(compressed.length).toBeGreaterThan(4);
    for (const file of compressed) {
      const plain = file.endsWith('.br') ? brotliDecompressSync(read(file)) : gunzipSync(read(file));
      expect([file, plain.equals(read(file.slice(0, -3)))]).toEqual([file, true]);
    }
  });

  it('has a page without script or style in it, and one place for the nonce', () => {
    const page = read('index.html').toString();
    expect(page.match(/<meta name="csp-nonce" content="" ?\/?>/g)).toHaveLength(1);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    expect(page.match(/(?:src|href)="(?!\/dashboard\/)/g)).toBeNull(); // nothing of another place
  });
});
