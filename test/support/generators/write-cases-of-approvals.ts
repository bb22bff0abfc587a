/** Writes of a second person, for `write-cases.ts`. `seen ...`: the fingerprint of what waits. */
import type { Case } from './write-cases.ts';

export const approvalCases = (id: (name: string) => string): Case[] => [
  ...[
    `payouts/${id('held')}`,
    `payout_batches/${id('pob2')}`,
    'settings/payouts',
    `limits/${id('lim')}`,
    `bank_accounts/${id('ba_held')}`,
    `bank_entries/${id('be_held')}`,
  ].map((held) => ({
    path: `/v1/${held}/approve`,
    body: { fingerprint: id(`seen ${held}`) },
    others: { fingerprint: 'Two' },
  })),
  {
    path: '/v1/payouts/approve',
    body: { payouts: [{ id: id('held3'), fingerprint: id(`seen payouts/${id('held3')}`) }] },
    others: { payouts: [{ id: id('held3'), fingerprint: 'Two' }] },
  },
  ...[`payouts/${id('held2')}`, `payout_batches/${id('pob')}`].map((held) => ({
    path: `/v1/${held}/reject`,
    body: { reason: 'One' },
    others: { reason: 'Two' },
  })),
];
