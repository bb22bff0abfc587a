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
  holidays: ['2098-12-24'],
  booked_by: 'camt.053',
  payee_check: 'on',
  exports: 'by_hand',
  paid_by: 'booking',
  reversal_sign: 'own',
  charges: 'by_hand',
  on_drift: 'warn',
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
  holidays: ['2098-12-31'],
  booked_by: 'camt.052',
  payee_check: 'off',
  exports: 'before_cut_off',
  paid_by: 'status',
  reversal_sign: 'original',
  charges: 'to_fees',
  on_drift: 'stop_exports',
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

/** `stopped`: a bank account whose exports are stopped. `sha256`: of the report of August of the other one. */
export const closingCases = (stopped: string, bankAccount: string, sha256: string): Case[] => [
  { path: `/v1/bank_accounts/${stopped}/resume_exports`, body: { reason: 'One' }, others: { reason: 'Two' } },
  {
    path: `/v1/bank_accounts/${bankAccount}/reconciliation/sign`,
    body: { month: '2026-08', sha256 },
    others: { month: '2026-07', sha256: '1'.repeat(64) },
  },
];

export const expectedPaymentCases = ([account, account2]: readonly [string, string]): Case[] => [
  {
    path: '/v1/expected_payments',
    body: {
      amount: '5',
      currency: 'EUR',
      account,
      payer: 'One',
      description: 'One',
      due_on: '2098-01-31',
      metadata: { of: 'one' },
    },
    others: {
      amount: '6',
      currency: 'USD',
      account: account2,
      payer: 'Two',
      description: 'Two',
      due_on: '2098-02-28',
      metadata: { of: 'other' },
    },
  },
];

export const bankRuleCases = ([bankAccount, bankAccount2]: readonly [string, string], account: string): Case[] => [
  {
    path: `/v1/test_helpers/bank_accounts/${bankAccount}/credit`,
    body: { amount: '5', text: 'One', name: 'One', iban: 'DE02120300000000202051' },
    others: { amount: '6', text: 'Two', name: 'Two', iban: 'DE89370400440532013000' },
  },
  {
    path: '/v1/bank_rules',
    body: {
      name: 'One',
      bank_account: bankAccount,
      direction: 'debit',
      currency: 'GBP',
      transaction_code: 'PMNT-CCRD-*',
      iban: 'DE02120300000000202051',
      text: 'one*',
      min_amount: '1',
      max_amount: '3',
      to: 'fees',
    },
    others: {
      name: 'Two',
      bank_account: bankAccount2,
      direction: 'credit',
      currency: 'EUR',
      transaction_code: 'PMNT-*',
      iban: 'DE89370400440532013000',
      text: 'two*',
      min_amount: '2',
      max_amount: '4',
      to: account,
    },
  },
];

/** `bankAccounts`: two in a currency without payouts, which so open no file. */
export const paymentFileCases = (file: string, [bankAccount, other]: readonly [string, string]): Case[] => [
  { path: '/v1/payment_files', body: { bank_account: bankAccount }, others: { bank_account: other } },
  { path: `/v1/payment_files/${file}/abandon`, body: { reason: 'One' }, others: { reason: 'Two' } },
];

/** Of an entry with two parts, and of one that comes from somebody. */
export const bankEntryCases = (
  id: (name: string) => string,
  [recipient, recipient2]: readonly [string, string],
  [account, account2]: readonly [string, string],
): Case[] => [
  {
    path: `/v1/bank_entries/${id('be')}/assign`,
    body: { assignments: [{ to: 'fees', amount: '1' }], reason: 'One' },
    others: { assignments: [{ to: 'fees', amount: '2' }], reason: 'Two' },
  },
  {
    path: `/v1/bank_entries/${id('be')}/unassign`,
    body: { transfer: id('trf_fees'), reason: 'One' },
    others: { transfer: id('trf_fx'), reason: 'Two' },
  },
  {
    path: '/v1/bank_entries/assign/batch',
    body: { entries: [{ entry: id('be'), to: 'fees', amount: '1' }], reason: 'One' },
    others: { entries: [{ entry: id('be'), to: 'fees', amount: '2' }], reason: 'Two' },
  },
  {
    path: `/v1/bank_entries/${id('be2')}/return`,
    body: { account, recipient, reason: 'One' },
    others: { account: account2, recipient: recipient2, reason: 'Two' },
  },
];

/** Of an entry, of one that is voided, and of a statement that waits. */
export const reviewCases = (entry: string, voided: string, statement: string): Case[] => [
  ...[`${entry}/void`, `${voided}/unvoid`].map((asked) => ({
    path: `/v1/bank_entries/${asked}`,
    body: { reason: 'One' },
    others: { reason: 'Two' },
  })),
  {
    path: `/v1/bank_statements/${statement}/review`,
    body: { new_entries: '1', reason: 'One' },
    others: { new_entries: 'none', reading: 1, reason: 'Two' },
    early: ['reading'],
  },
];
