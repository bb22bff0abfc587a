/** When no file of payouts is made, and what is said then. */
import { expect, it } from 'vitest';
import { unfitToExport } from './unfit.ts';

const STOPPED = 'bs_01jd3v9q4ne8v8k3w2m6r5t7xa';

it.each([
  [null, true, null],
  [null, false, 'Your role may not export payouts.'],
  [STOPPED, true, 'Exports are stopped: bank and books differ.'],
  [STOPPED, false, 'Your role may not export payouts.'],
] as const)('stopped by %s, may %s', (stoppedBy, may, said) =>
  expect(unfitToExport({ exports_stopped_by: stoppedBy }, may)).toBe(said),
);
