import { describe, expect, it } from 'vitest';
import type { Payout } from '../../../client/src/generated/types.ts';
import { type Approver, unfitToApprove } from './unfit.ts';

const GRACE: Approver = { id: 'usr_grace', mayApprove: true, isConfirmed: true };
const held = (created_by: string, release: object = {}) =>
  ({ created_by, release: { changed_by: [], approvals: [], ...release } }) as unknown as Payout;

describe('why somebody may not approve', () => {
  it('is nothing for who has no part in it', () => {
    expect(unfitToApprove(held('usr_ada'), GRACE)).toBeNull();
  });

  it.each<[string, Payout, Partial<Approver>]>([
    ['role', held('usr_ada'), { mayApprove: false }],
    ['third person', held('usr_ada'), { isConfirmed: false }],
    ['asked for it', held('usr_grace'), {}],
    ['changed it', held('usr_ada', { changed_by: ['usr_grace'] }), {}],
    ['already', held('usr_ada', { approvals: [{ actor: 'usr_grace' }] }), {}],
  ])('is said: %s', (words, payout, change) => {
    expect(unfitToApprove(payout, { ...GRACE, ...change })).toContain(words);
  });
});
