/**
 * Workers in the process of a test look for work several times a second while its file runs, so that a case does not wait for the next round of a
 * whole second. For servers in this process: `application.ts`. Call it at the top of the file.
 */
import { afterAll, beforeAll } from 'vitest';
import { pauseAtMost } from '../../../src/platform/workers/poller.ts';

const PAUSE_MS = 100;

export function quickRounds(): void {
  beforeAll(() => pauseAtMost(PAUSE_MS));
  afterAll(() => pauseAtMost(Number.POSITIVE_INFINITY));
}
