/** The dashboard of this copy, built as `npm run dashboard` builds it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
export const DASHBOARD_DIST = join(ROOT, 'dashboard/dist');

/** Takes seconds where a source has changed, and its packages must be there or at npm's registry. `anew`: in any case. */
export function buildDashboard(anew = false): void {
  const args = ['scripts/run.mjs', 'dashboard', ...(anew ? [] : ['--if-old'])];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The dashboard could not be built:\n${stderr}`);
}

/** The hash of each file of the build, by its path. */
export const dashboardHashes = (): Readonly<Record<string, string>> =>
  (JSON.parse(readFileSync(join(DASHBOARD_DIST, 'files.json'), 'utf8')) as { files: Record<string, string> }).files;

export const dashboardFiles = (): readonly string[] => Object.keys(dashboardHashes());
