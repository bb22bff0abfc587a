/**
 * Which Chromium the tests drive, and what is said where there is none. Vitest's global set-up beside the cluster's, so it
 * loads nothing that is large. Next: `browser.ts`, which starts it.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program, or empty where there is none. */
    chromium: string;
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** What is looked in beside PATH: a PATH that a service was given may be short. */
const USUAL = '/usr/bin';

export const NO_BROWSER =
  'No Chromium was found, so the tests in a real browser were left out; all others run. ' +
  'Debian has it: apt-get install chromium fonts-dejavu-core. Or name yours: BURSAR_CHROMIUM=/path/to/chrome.';

/** BURSAR_CHROMIUM alone where it is set, else the first of the usual names. Empty: none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string {
  const { BURSAR_CHROMIUM: named = '', PATH = '' } = env;
  if (named !== '') return runs(named) ? named : '';
  const folders = [...PATH.split(delimiter).filter((folder) => folder !== ''), USUAL];
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs) ?? '';
}

/** Without one, tests in a browser are left out; with this they fail. */
export function requiresBrowser(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['BURSAR_REQUIRE_BROWSER'] === '1';
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Vitest calls it once before all test files. */
export function setup(project: TestProject): void {
  const found = findChromium(process.env);
  if (found === '' && !requiresBrowser(process.env)) console.error(NO_BROWSER);
  project.provide('chromium', found);
}
