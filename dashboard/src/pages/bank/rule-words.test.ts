/** Rules as sentences: everything that a rule asks for is in its sentence. */
import { expect, it } from 'vitest';
import { meantBy } from './rule-words.ts';

const ALL = {
  bank_account: null,
  direction: null,
  currency: null,
  transaction_code: null,
  iban_last4: null,
  text: null,
  min_amount_minor: null,
  max_amount_minor: null,
};

it('says what is meant, and nothing that is not asked for', () => {
  expect(meantBy(ALL, null)).toBe('Money at any bank account');
  expect(meantBy({ ...ALL, direction: 'debit', text: '*fee*' }, 'Nordbank EUR')).toBe(
    'Money that goes out of Nordbank EUR, with a name or text like “*fee*”',
  );
  const most = {
    currency: 'JPY',
    transaction_code: 'PMNT-*',
    iban_last4: '3000',
    min_amount_minor: 5,
    max_amount_minor: 5_000,
  };
  expect(meantBy({ ...ALL, ...most, direction: 'credit' }, null)).toBe(
    'Money that comes in at any bank account, with the code PMNT-*, of the account that ends in 3000, of at least 5 JPY, of at most 5,000 JPY',
  );
  expect(meantBy({ ...ALL, currency: 'EUR' }, null)).toBe('Money at any bank account, in EUR');
});
