import { describe, expect, it } from 'vitest';
import type { Limit } from '../../../../client/src/generated/types.ts';
import { approvalsInWords, changesInWords, mostOf, newRecipientsInWords, shareOf, whomOf } from './words.ts';

const limit = (more: object): Limit =>
  ({
    currency: 'EUR',
    all_currencies: false,
    amount_minor: null,
    used_minor: null,
    count: null,
    used_count: null,
    per: 'environment',
    key: null,
    account: null,
    recipient: null,
    ...more,
  }) as Limit;

describe('rules in words', () => {
  it.each([
    [0, 'Payouts to new recipients leave at once.'],
    [24, 'Payouts to a recipient whose name or bank details are younger than 24 hours wait for approval.'],
    [72, 'Payouts to a recipient whose name or bank details are younger than 3 days wait for approval.'],
  ])('%d hours', (hours, words) => expect(newRecipientsInWords(hours)).toBe(words));

  it('say what somebody asked for, and nothing else', () => {
    expect(changesInWords({ frozen: false, approvals_required: 1 })).toEqual(['Payouts go on.', approvalsInWords(1)]);
  });
});

describe('a limit in words', () => {
  it.each([
    [{ amount_minor: 1_000_000 }, '10,000.00 EUR a day'],
    [{ count: 1 }, '1 payout a day'],
    [{ amount_minor: 100, count: 20 }, '1.00 EUR and 20 payouts a day'],
    [{ amount_minor: 100, all_currencies: true }, '1.00 EUR a day, other currencies at their value in it'],
  ])('%j', (fields, words) => expect(mostOf(limit(fields))).toBe(words));

  it('is as much used as what is nearer to its end', () => {
    const both = { amount_minor: 1_000, used_minor: 100, count: 4, used_count: 3 };
    expect([shareOf(limit(both)), shareOf(limit({ count: 0, used_count: 0 })), shareOf(limit({ count: 5 }))]).toEqual([
      0.75,
      1,
      null,
    ]);
  });

  it('is about all, each, or one', () => {
    expect([whomOf(limit({})), whomOf(limit({ per: 'key' })), whomOf(limit({ per: 'key', key: 'key_1' }))]).toEqual([
      'All payouts together',
      'Each key',
      '',
    ]);
  });
});
