import { describe, expect, it } from 'vitest';
import type { CurrencySummary, Summary } from '../../api/shapes.ts';
import { attentionOf } from './attention.ts';

const NONE = { count: 0, amount_minor: 0 };
const EUR: CurrencySummary = {
  currency: 'EUR',
  balance_minor: 100,
  in_flight: NONE,
  held: { ...NONE, oldest_at: null },
  waiting: { ...NONE, oldest_at: null },
  unmatched: { ...NONE, oldest_on: null },
  fees_minor: 0,
  days: [],
};
const QUIET: Summary = {
  object: 'summary',
  livemode: false,
  as_of: 0,
  lag_seconds: 0,
  from: '2026-11-01',
  to: '2026-11-30',
  currencies: [EUR],
  payouts: { held: 0, failed: 0, returned: 0 },
  webhooks: { failing: 0, oldest_undelivered_at: null },
  bank: [],
  verification: { status: 'clean', finished_at: 1, damages_count: 0 },
  backup_at: null,
  rates_at: null,
};

describe('what needs somebody', () => {
  it('is nothing where everything is zero', () => {
    expect(attentionOf(QUIET)).toEqual([]);
  });

  it('names what waits for approval by currency, never summed over them, with the oldest of all', () => {
    const held = (count: number, amount_minor: number, oldest_at: number) => ({ count, amount_minor, oldest_at });
    const currencies = [
      { ...EUR, held: held(2, 300, 20) },
      { ...EUR, currency: 'JPY', held: held(1, 5, 10) },
    ];
    const [item] = attentionOf({ ...QUIET, currencies, payouts: { held: 3, failed: 0, returned: 0 } });
    expect(item).toMatchObject({
      text: '3 payouts wait for approval',
      sums: [
        { minor: 300, currency: 'EUR' },
        { minor: 5, currency: 'JPY' },
      ],
      since: 10,
      to: '/approvals',
    });
  });

  it('puts books that do not agree first', () => {
    const items = attentionOf({
      ...QUIET,
      payouts: { held: 1, failed: 1, returned: 1 },
      verification: { status: 'damaged', finished_at: 1, damages_count: 1 },
    });
    expect(items[0]).toMatchObject({ isBad: true, text: 'The books do not agree: 1 break' });
    expect(items).toHaveLength(4);
  });

  it('says nothing of a bank whose balance is not known, and something of one that differs', () => {
    const account = {
      bank_account: 'ba_1',
      name: 'Nordbank',
      currency: 'EUR',
      proved_until_on: null,
      drift_minor: null,
      unanswered_files: 0,
    };
    expect(attentionOf({ ...QUIET, bank: [account] })).toEqual([]);
    expect(attentionOf({ ...QUIET, bank: [{ ...account, drift_minor: -5 }] })).toHaveLength(1);
  });
});
