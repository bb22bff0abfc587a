/** What the service is asked about a file, and what of its answers stands beside which row. */
import { describe, expect, it } from 'vitest';
import {
  batchOf,
  isOpenDouble,
  openRows,
  payeesOf,
  UNDECIDED,
  verdictsOf,
  type Decisions,
  type Tried,
} from './check.ts';
import type { Row } from './rows.ts';

const row = (line: number, more: Partial<Row> = {}): Row => ({
  line,
  cells: { name: `Person ${line}`, iban: 'DE89370400440532013000', reference: '' },
  currency: 'EUR',
  amount: '12.50',
  minor: 1250n,
  faults: [],
  sameAs: null,
  otherName: null,
  ...more,
});
const TERMS = { externalId: ' payroll-11 ', category: 'SALA', account: '', bank: '', booking: '' } as const;
const decided = (more: Partial<Decisions>): Decisions => ({ ...UNDECIDED, ...more });

describe('what is asked', () => {
  it('has amounts as text, and nothing that is empty', () => {
    expect(batchOf([row(2)], UNDECIDED, TERMS)).toEqual({
      payouts: [{ name: 'Person 2', iban: 'DE89370400440532013000', amount: '12.50', currency: 'EUR' }],
      create_recipients: true,
      external_id: 'payroll-11',
      category_purpose: 'SALA',
    });
  });
  it('names the bank account and how it books the batch, where that was chosen', () => {
    const asked = (booking: 'one' | 'each' | '') => batchOf([], UNDECIDED, { ...TERMS, bank: 'ba_1', booking });
    expect(asked('one')).toMatchObject({ bank_account: 'ba_1', batch_booking: true });
    expect(asked('each')).toMatchObject({ batch_booking: false });
    expect(asked('')).not.toHaveProperty('batch_booking');
  });
  it('leaves out what a person left out, names who is meant, and repeats only what was kept', () => {
    const rows = [row(2), row(3), row(4, { sameAs: 2 })];
    const decisions = decided({ leftOut: new Set([3]), kept: new Set([4]), meant: new Map([[2, 'rcp_1']]) });
    expect(batchOf(rows, decisions, TERMS)).toMatchObject({
      payouts: [{ name: 'Person 2', recipient: 'rcp_1' }, { name: 'Person 4' }],
      allow_repeated: true,
    });
    expect(payeesOf(rows, decisions)).toHaveLength(2);
  });
});

describe('a row is open', () => {
  const double = row(4, { sameAs: 2 });
  const rows = [row(2), row(3, { faults: [{ field: 'iban', message: 'The IBAN is missing.' }] }), double];
  it('while it has a fault, or is a double nobody decided about', () => {
    expect(openRows(rows, UNDECIDED).map(({ line }) => line)).toEqual([3, 4]);
  });
  it('and not once it is left out or kept, or its first row is left out', () => {
    expect(openRows(rows, decided({ leftOut: new Set([3]), kept: new Set([4]) }))).toEqual([]);
    expect(isOpenDouble(double, rows, decided({ leftOut: new Set([2]) }))).toBe(false);
    expect(isOpenDouble(double, rows, decided({ leftOut: new Set([4]) }))).toBe(false);
  });
});

it('answers stand beside the rows that were sent', () => {
  const tried: Tried = {
    results: [
      { index: 0, recipient_match: 'new' },
      { index: 1, error: { message: 'first', errors: [{ message: 'first' }, { message: 'second' }] } },
    ],
    totals: [],
    accounts: null,
    warnings: [
      { index: 0, code: 'repeated_in_batch', payout: null },
      { index: 1, code: 'paid_before', payout: 'po_1' },
    ],
  };
  const ada = { id: 'rcp_1', name: 'Ada' };
  const matched = {
    results: [
      { status: 'new', recipient: null, candidates: [] },
      { status: 'found_with_another_name', recipient: ada, candidates: [] },
    ],
  };
  const verdicts = verdictsOf([row(2), row(3), row(9)], decided({ leftOut: new Set([3]) }), tried, matched);
  expect([...verdicts]).toEqual([
    [2, { isNew: true, choices: [], faults: [], paidBefore: null }],
    [9, { isNew: false, choices: [ada], faults: ['first', 'second'], paidBefore: 'po_1' }],
  ]);
});
