/** A reconciliation as the document shows it. */
const sides = (came: number, went: number) => ({
  in: came / 100,
  in_minor: came,
  out: went / 100,
  out_minor: went,
});
const counted = (count: number, minor: number) => ({ count, amount: minor / 100, amount_minor: minor });
const NONE = sides(0, 0);
const BANK_ACCOUNT = 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa';
const HASH = '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918';

export const REPORT = {
  object: 'bank_reconciliation',
  livemode: false,
  bank_account: BANK_ACCOUNT,
  month: '2026-11',
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
  status: 'closed',
  opening_balance: 100_000,
  in: counted(2, 35_000),
  out: counted(2, 25_500),
  closing_balance: 109_500,
  places: {
    accounts: sides(25_000, 0),
    payments: NONE,
    expected_payments: NONE,
    payouts: sides(0, 25_000),
    bank_accounts: NONE,
    fees: sides(0, 500),
    fx: NONE,
  },
  unmatched: { opening: NONE, closing: sides(10_000, 0), entries_count: 1, oldest_booked_on: '2026-11-27' },
  in_transit: {
    ...counted(1, 5_000),
    ages: [
      { from_days: 0, to_days: 1, ...counted(1, 5_000) },
      { from_days: 2, to_days: 3, ...counted(0, 0) },
      { from_days: 4, to_days: 7, ...counted(0, 0) },
      { from_days: 8, to_days: 30, ...counted(0, 0) },
      { from_days: 31, to_days: null, ...counted(0, 0) },
    ],
  },
  proof: {
    status: 'ok',
    statements_count: 20,
    gaps_count: 0,
    failed_count: 0,
    entries_behind_count: 0,
    opening: null,
    closing: {
      statement: 'bs_01jd3v9q4ne8v8k3w2m6r5t7xa',
      closed_on: '2026-11-30',
      closing_balance: 109_500,
      ledger_balance: 109_500,
      difference: 0,
    },
  },
  sha256: HASH,
  signature: {
    sha256: HASH,
    is_current: true,
    signed_at: 1_796_200_000,
    signed_by: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa',
    audit_entry: 'aud_01jd3v9q4ne8v8k3w2m6r5t7xa',
  },
} as const;
