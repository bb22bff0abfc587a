/** A month that may be signed, and each thing that keeps it open: what is missing is missing, whatever the report's own proof says. */
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../../client/src/generated/types.ts';
import { driftWords, type Known, linesOf, missingIn, standingOf } from './month-lines.ts';

const NONE = { in: '0' as never, in_minor: 0, out: '0' as never, out_minor: 0 };
const counted = (count: number, minor: number) => ({ count, amount: '0' as never, amount_minor: minor });
const closing = (on: string, difference = 0): Reconciliation['proof']['closing'] => ({
  statement: 'bs_1',
  closed_on: on,
  closing_balance: 128_750,
  ledger_balance: 128_750 - difference,
  difference: '0',
  difference_minor: difference,
});
const reportOf = (month: string, change: Partial<Reconciliation> = {}): Reconciliation => ({
  object: 'reconciliation',
  livemode: true,
  bank_account: 'ba_1',
  month,
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
  status: 'closed',
  opening_balance: 100_000,
  in: counted(2, 29_050),
  out: counted(1, 300),
  closing_balance: 128_750,
  places: {
    accounts: NONE,
    payments: NONE,
    expected_payments: NONE,
    payouts: NONE,
    bank_accounts: NONE,
    fees: NONE,
    fx: NONE,
  },
  unmatched: { opening: NONE, closing: NONE, entries_count: 0, oldest_booked_on: null },
  in_transit: { ...counted(0, 0), ages: [] },
  proof: {
    status: 'ok',
    statements_count: 2,
    gaps_count: 0,
    failed_count: 0,
    entries_behind_count: 0,
    opening: null,
    closing: closing('2026-10-30'),
  },
  sha256: 'a'.repeat(64),
  signature: null,
  ...change,
});
const proof = (change: Partial<Reconciliation['proof']>) => ({ proof: { ...reportOf('2026-10').proof, ...change } });
const GOOD: Known = {
  report: reportOf('2026-10'),
  next: reportOf('2026-11', { status: 'open', ...proof({ closing: closing('2026-11-02') }) }),
  waiting: { data: [], hasMore: false },
  unmatched: { data: [], hasMore: false },
  nowMs: Date.parse('2026-11-03T10:00:00Z'),
};
const waits = (change: Partial<Known['waiting']['data'][number]>): Known['waiting'] => ({
  data: [
    {
      id: 'bs_2',
      status: 'needs_review',
      starts_on: null,
      opened_on: null,
      closed_on: null,
      waiting_count: 3,
      ...change,
    },
  ],
  hasMore: false,
});
const missing = (change: Partial<Known>) => missingIn(linesOf({ ...GOOD, ...change })).map(({ key }) => key);
const without = {
  opening: NONE,
  closing: { ...NONE, in_minor: 98_000 },
  entries_count: 2,
  oldest_booked_on: '2026-10-29',
};

describe('the lines of a month', () => {
  it('are all done when nothing is missing, and say so with amounts and days', () => {
    const lines = linesOf(GOOD);
    expect(lines.every(({ state }) => state === 'done')).toBe(true);
    expect(lines.map(({ words }) => words).join('\n')).toContain('1,287.50 EUR on 30 Oct');
  });

  it.each<[string, Partial<Known>, readonly string[]]>([
    ['it is not over', { report: reportOf('2026-10', { status: 'open' }) }, ['over']],
    [
      'statements end with its last day',
      { next: reportOf('2026-11', proof({ closing: closing('2026-10-31') })) },
      ['reach'],
    ],
    ['there is no balance at all', { next: reportOf('2026-11', proof({ closing: null })) }, ['reach']],
    [
      'a statement is missing at its end',
      { next: reportOf('2026-11', proof({ gaps_count: 1, closing: closing('2026-11-02') })) },
      ['reach'],
    ],
    ['a gap', { report: reportOf('2026-10', proof({ status: 'gap', gaps_count: 1 })) }, ['gap']],
    [
      'a gap and one that contradicts itself, of which the report names one',
      { report: reportOf('2026-10', proof({ status: 'failed', gaps_count: 1, failed_count: 2 })) },
      ['failed', 'gap'],
    ],
    [
      'drift',
      { report: reportOf('2026-10', proof({ status: 'drift', closing: closing('2026-10-30', -300) })) },
      ['drift'],
    ],
    [
      'entries behind the balance',
      { report: reportOf('2026-10', proof({ status: 'incomplete', entries_behind_count: 1 })) },
      ['behind'],
    ],
    ['no balance of the bank', { report: reportOf('2026-10', proof({ status: 'none', closing: null })) }, ['none']],
    ['a proof of a later version', { report: reportOf('2026-10', proof({ status: 'odd' as never })) }, ['proof']],
    ['a statement of it waits, though the report proves', { waiting: waits({ closed_on: '2026-10-31' }) }, ['bs_2']],
    ['one is being read', { waiting: waits({ status: 'importing', opened_on: '2026-10-31' }) }, ['bs_2']],
    ['one without a day waits', { waiting: waits({}) }, ['bs_2']],
    ['one over its end waits', { waiting: waits({ opened_on: '2026-10-31', closed_on: '2026-11-02' }) }, ['bs_2']],
    ['more wait than were read', { waiting: { data: [], hasMore: true } }, ['more']],
    [
      'money has no place yet',
      {
        report: reportOf('2026-10', { unmatched: without }),
        unmatched: { data: [{ booked_on: '2026-10-29' }], hasMore: false },
      },
      ['places'],
    ],
  ])('%s', (_, change, keys) => expect(missing(change)).toEqual(keys));

  it('a statement of the next month that waits is of the next month', () =>
    expect(missing({ waiting: waits({ opened_on: '2026-11-01', closed_on: '2026-11-01' }) })).toEqual([]));

  it('money that has found its place since is to know, and not missing; so is what is on its way', () => {
    const ages = [{ from_days: 8, to_days: 30, ...counted(1, 5_000) }];
    const report = reportOf('2026-10', { unmatched: without, in_transit: { ...counted(1, 5_000), ages } });
    const lines = linesOf({ ...GOOD, report, unmatched: { data: [{ booked_on: '2026-11-02' }], hasMore: false } });
    expect(missingIn(lines)).toEqual([]);
    expect(lines.filter(({ state }) => state === 'note').map(({ key }) => key)).toEqual(['places', 'under_way']);
    expect(lines.at(-1)?.words).toContain('ask your bank');
  });

  it('each that is missing and can be mended here leads there', () => {
    const waiting = waits({ closed_on: '2026-10-31' });
    expect(missingIn(linesOf({ ...GOOD, waiting })).map(({ link }) => link?.to)).toEqual(['/bank-statements/bs_2']);
  });
});

describe('the month in a few words', () => {
  const signature = { sha256: 'a'.repeat(64), signed_at: 1, signed_by: 'usr_1', audit_entry: 'aud_1' };
  it.each<[Parameters<typeof standingOf>, string]>([
    [[{ status: 'open', signature: null }, 3], 'Not over'],
    [[{ status: 'closed', signature: null }, 0], 'Ready to be signed'],
    [[{ status: 'closed', signature: null }, 2], '2 things are missing'],
    [[{ status: 'closed', signature: { ...signature, is_current: true } }, 0], 'Signed'],
    [[{ status: 'closed', signature: { ...signature, is_current: true } }, 1], 'Signed, and 1 thing is missing'],
    [[{ status: 'closed', signature: { ...signature, is_current: false } }, 0], 'Changed since it was signed'],
  ])('%j', (of, word) => expect(standingOf(...of).word).toBe(word));

  it('is done only when it is signed, as it is, with nothing missing', () => {
    const all = [null, { ...signature, is_current: true }, { ...signature, is_current: false }].flatMap((signed) =>
      [0, 1].map((count) => standingOf({ status: 'closed', signature: signed }, count).mark),
    );
    expect(all.filter((mark) => mark === 'done')).toHaveLength(1);
  });
});

it('says which side has more', () => {
  expect(driftWords(300, 'EUR')).toBe('The bank says 3.00 EUR more than the books');
  expect(driftWords(-5, 'JPY')).toBe('The bank says 5 JPY less than the books');
});
