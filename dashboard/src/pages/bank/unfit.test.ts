/** When no file of payouts is made or given up, and what is said then. */
import { expect, it } from 'vitest';
import type { Approver } from '../../ui/unfit.ts';
import { unfitToExport, unfitToGiveUp } from './unfit.ts';

const STOPPED = 'bs_01jd3v9q4ne8v8k3w2m6r5t7xa';

it.each([
  [null, true, null],
  [null, false, 'Your role may not export payouts.'],
  [STOPPED, true, 'Exports are stopped: bank and books differ.'],
  [STOPPED, false, 'Your role may not export payouts.'],
] as const)('stopped by %s, may %s', (stoppedBy, may, said) =>
  expect(unfitToExport({ exports_stopped_by: stoppedBy }, may)).toBe(said),
);

const GRACE: Approver = { id: 'usr_grace', mayApprove: true, isConfirmed: true };
it.each<[string | null, string, Partial<Approver>, boolean]>([
  [null, 'usr_ada', {}, true],
  ['Your role may not', 'usr_ada', {}, false],
  ['Your role may not', 'usr_ada', { mayApprove: false }, true],
  ['third person', 'usr_ada', { isConfirmed: false }, true],
  ['Somebody else', 'usr_grace', {}, true],
])('given up: %s', (words, maker, change, mayExport) => {
  const said = unfitToGiveUp({ created_by: maker }, { ...GRACE, ...change }, mayExport);
  expect(words === null ? said : said?.includes(words)).toBe(words === null ? null : true);
});
