/** What an approval is bound to: each thing that leaves with a payout, and nothing else. */
import { expect, it } from 'vitest';
import { AT, idAt, payout } from '../../../test/support/harness/literals.ts';
import { fingerprintOf, fingerprintOfHeld } from './fingerprints.ts';
import type { Payout } from './fields.ts';

const release = {
  status: 'held',
  reasons: ['new_recipient'],
  approvalsRequired: 1,
  approvals: [],
  rejection: null,
} as const;
const held = payout({ release, reference: 'One', statementDescriptor: 'One', scheduledOn: '2026-12-24' });

it.each<readonly [what: string, change: Partial<Payout>]>([
  ['id', { id: idAt('po', 77) }],
  ['amount', { amount: held.amount + 1n }],
  ['currency', { currency: 'USD' }],
  ['account', { account: idAt('acct', 77) }],
  ['recipient', { recipient: idAt('rcp', 77) }],
  ['recipientVersion', { recipientVersion: held.recipientVersion + 1 }],
  ['no reference', { reference: null }],
  ['reference', { reference: 'Two' }],
  ['statementDescriptor', { statementDescriptor: 'Two' }],
  ['scheduledOn', { scheduledOn: null }],
  ['speed', { speed: 'urgent' }],
  ['categoryPurpose', { categoryPurpose: 'SALA' }],
  ['purpose', { purpose: 'SALA' }],
  ['bankAccount', { bankAccount: idAt('ba', 77) }],
])('differs with %s', (_, change) => {
  expect(fingerprintOf({ ...held, ...change })).not.toBe(fingerprintOf(held));
  expect(fingerprintOfHeld([{ ...held, ...change }])).not.toBe(fingerprintOfHeld([held]));
});

it('does not differ with what stays here, or with what becomes of it', () => {
  const same = {
    metadata: { a: 'b' },
    status: 'canceled',
    release: { ...release, approvals: [{ by: 'key_1', at: AT }] },
  } as const;
  expect(fingerprintOf({ ...held, ...same })).toBe(fingerprintOf(held));
});

it('of a batch is of those that a rule held, in any order', () => {
  const other = { ...held, id: idAt('po', 78) };
  const free = payout({ id: idAt('po', 79), release: null });
  expect(fingerprintOfHeld([other, free, held])).toBe(fingerprintOfHeld([held, other]));
  expect(fingerprintOfHeld([held])).not.toBe(fingerprintOfHeld([held, other]));
});

it('takes a text of one member for no other', () => {
  const swapped = { ...held, reference: 'Two', statementDescriptor: 'One' };
  expect(fingerprintOf(swapped)).not.toBe(fingerprintOf({ ...held, reference: 'One', statementDescriptor: 'Two' }));
});
