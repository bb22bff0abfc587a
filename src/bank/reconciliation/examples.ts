/** A reconciliation as the document shows it: made like any other, of invented figures. */
import type { Figures } from './fields.ts';
import { reportOf } from './report.ts';
import { canonicalJson } from './schema.ts';

const NONE = { in: 0n, out: 0n };
const days = { firstDay: '2026-11-01', lastDay: '2026-11-30', startsMs: 0, endsMs: 0, untilMs: 0 };
const FIGURES: Figures = {
  opening: 100_000n,
  closing: 109_500n,
  in: { count: 2, amount: 35_000n },
  out: { count: 2, amount: 25_500n },
  places: new Map(
    Object.entries({
      accounts: { in: 25_000n, out: 0n },
      payouts: { in: 0n, out: 25_000n },
      fees: { in: 0n, out: 500n },
    }),
  ),
  unmatched: { before: NONE, after: { in: 10_000n, out: 0n }, count: 1, oldest: '2026-11-27' },
  booked: new Set(),
  statements: 20,
  gaps: 0,
  failed: 0,
  behind: 0,
  provedBefore: null,
  provedAtEnd: {
    statement: 'bs_01jd3v9q4ne8v8k3w2m6r5t7xa',
    closedOn: '2026-11-30',
    closing: 109_500n,
    ledger: 109_500n,
  },
};
const report = reportOf(
  {
    bankAccount: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa',
    livemode: false,
    of: { ...days, currency: 'EUR', timeZone: 'Europe/Berlin', isClosed: true },
  },
  FIGURES,
  [{ payout: '', file: '', amount: 5_000n, isPaid: false, departedMs: 0 }],
);

export const SIGNED = {
  sha256: '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918',
  signed_at: 1_796_200_000,
  signed_by: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa',
};
export const SIGNATURE = {
  object: 'reconciliation_signature',
  livemode: false,
  bank_account: report.bankAccount,
  month: report.month,
  ...SIGNED,
};
const { sha256, ...by } = SIGNED;
export const REPORT = {
  ...(JSON.parse(canonicalJson(report)) as object),
  sha256,
  signature: { sha256, is_current: true, ...by, audit_entry: 'aud_01jd3v9q4ne8v8k3w2m6r5t7xa' },
};
