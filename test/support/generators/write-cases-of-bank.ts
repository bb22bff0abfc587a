/** Bank accounts among the cases of `write-cases.ts`. */
import type { Case } from './write-cases.ts';

const ONE = {
  holder: 'One',
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
  name: 'Main',
  holder_address: { city: 'Berlin', country: 'DE' },
  uses: ['payouts'],
  profile: 'epc',
  calendar: 'target',
  booked_by: 'camt.053',
  payee_check: 'on',
  metadata: { of: 'one' },
};
const OTHER = {
  holder: 'Two',
  cut_off: '15:30',
  time_zone: 'Europe/Paris',
  name: 'Other',
  holder_address: { city: 'Bonn', country: 'DE' },
  uses: ['collections'],
  profile: 'de_dk',
  calendar: 'weekdays',
  booked_by: 'camt.052',
  payee_check: 'off',
  metadata: { of: 'other' },
};

export const bankCases = (bankAccount: string): Case[] => [
  {
    path: '/v1/bank_accounts',
    body: {
      ...ONE,
      currency: 'EUR',
      country: 'DE',
      bank_details: { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
    },
    others: {
      ...OTHER,
      currency: 'CHF',
      bank_details: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    },
  },
  { path: `/v1/bank_accounts/${bankAccount}`, body: ONE, others: OTHER },
];
