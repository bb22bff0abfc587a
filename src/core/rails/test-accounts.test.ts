import { describe, expect, it } from 'vitest';
import { FAILURE_CODES, isFailureCode } from './failures.ts';
import { validateBankDetails } from '../../paying/recipients/bank-details.ts';
import { TEST_ACCOUNTS, PAID_ACCOUNT, testOutcome } from './test-accounts.ts';

function outcome(country: string, currency: string, fields: Record<string, string>) {
  const check = validateBankDetails(country, currency, fields);
  if (!check.ok) throw new Error(JSON.stringify(check.faults));
  return testOutcome(check.details);
}

describe('magic accounts', () => {
  it('has one failing row for each failure code, and some that are returned', () => {
    const codes = TEST_ACCOUNTS.filter((row) => row.outcome === 'failed').map((row) => row.failureCode);
    expect([...codes].sort()).toEqual(Object.keys(FAILURE_CODES).sort());
    expect(TEST_ACCOUNTS.filter((row) => row.outcome === 'returned')).toHaveLength(3);
  });

  it('has no number twice', () => {
    const numbers = TEST_ACCOUNTS.flatMap((r) => [r.iban, r.usAccountNumber, r.gbAccountNumber, r.clabe]);
    expect(new Set(numbers).size).toBe(TEST_ACCOUNTS.length * 4);
  });

  it.each(TEST_ACCOUNTS)('$outcome $failureCode: every number is valid where it is used and leads there', (row) => {
    const expected = { outcome: row.outcome, failureCode: row.failureCode };
    const { usAccountNumber: us, gbAccountNumber: gb } = row;
    expect(row.usAccountNumber).toMatch(/^[0-9]{12}$/);
    expect(outcome('DE', 'EUR', { iban: row.iban })).toEqual(expected);
    expect(outcome('US', 'USD', { account_number: us, routing_number: '110000000' })).toEqual(expected);
    expect(outcome('GB', 'GBP', { account_number: gb, sort_code: '108800' })).toEqual(expected);
    expect(outcome('AU', 'AUD', { account_number: gb, bsb: '110000' })).toEqual(expected);
    expect(outcome('IN', 'INR', { account_number: us, ifsc: 'HDFC0004051' })).toEqual(expected);
    expect(outcome('JP', 'JPY', { account_number: us, bic: 'BOTKJPJT' })).toEqual(expected);
    expect(outcome('MX', 'MXN', { clabe: row.clabe })).toEqual(expected);
  });

  it('lets every other account be paid', () => {
    expect(outcome('DE', 'EUR', { iban: PAID_ACCOUNT.iban })).toBeUndefined();
    expect(outcome('US', 'USD', PAID_ACCOUNT.us)).toBeUndefined();
    expect(outcome('GB', 'GBP', PAID_ACCOUNT.gb)).toBeUndefined();
    expect(outcome('MX', 'MXN', { clabe: PAID_ACCOUNT.clabe })).toBeUndefined();
    expect(testOutcome({})).toBeUndefined();
  });
});

describe('failure codes', () => {
  it('are known by exact name, with a message each', () => {
    expect(Object.keys(FAILURE_CODES)).toHaveLength(19);
    expect(isFailureCode('account_closed')).toBe(true);
    for (const text of ['', 'Account_closed', 'constructor', '__proto__']) expect(isFailureCode(text)).toBe(false);
    for (const message of Object.values(FAILURE_CODES)) expect(message).toMatch(/^[A-Z].{20,}\.$/);
  });
});
