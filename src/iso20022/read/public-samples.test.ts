import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { itemsOf, notesOf, ofType } from '../../../test/support/bank/read-documents.ts';
import type { Item } from './items.ts';

/** How often the elements stand in the file, counted with grep, and what has to be tolerated. */
interface Counts {
  readonly message: string;
  readonly documents?: number;
  readonly statements?: number;
  readonly balances?: number;
  readonly entries?: number;
  readonly details?: number;
  readonly payments?: number;
  readonly transactions?: number;
  readonly notes?: readonly string[];
}

const SAMPLES: Readonly<Record<string, Counts>> = {
  'camt052.v6.xml': { message: 'camt.052.06', statements: 1, balances: 1, entries: 1, details: 1 },
  'camt052.v8.latin1.xml': {
    message: 'camt.052.08',
    statements: 1,
    entries: 2,
    details: 2,
    notes: ['leading_zeros'],
  },
  'camt052.v8.xml': {
    message: 'camt.052.08',
    statements: 1,
    entries: 1,
    notes: ['iban_under_other', 'instant_for_day'],
  },
  'camt053.fi.xml': { message: 'camt.053.02', statements: 1, balances: 4, entries: 10, details: 12 },
  'camt053.v2.five.decimals.xml': {
    message: 'camt.053.02',
    statements: 1,
    balances: 2,
    entries: 1,
    details: 1,
    notes: ['trailing_zeros'],
  },
  'camt053.v2.gls-returns.xml': {
    message: 'camt.053.02',
    statements: 1,
    entries: 4,
    details: 4,
    notes: ['account_missing', 'padding_behind_xml'],
  },
  'camt053.v2.ing.xml': {
    message: 'camt.053.02',
    statements: 1,
    balances: 4,
    entries: 9,
    details: 7,
    notes: ['leading_zeros'],
  },
  'camt053.v2.minimal.xml': { message: 'camt.053.02', statements: 1, balances: 4, entries: 1, details: 1 },
  'camt053.v2.multi.statement.xml': { message: 'camt.053.02', statements: 2, balances: 4, entries: 2, details: 2 },
  'camt053.v4.xml': {
    message: 'camt.053.04',
    statements: 1,
    balances: 4,
    entries: 1,
    details: 1,
    notes: ['iban_under_other'],
  },
  'camt053.v8.xml': {
    message: 'camt.053.08',
    statements: 1,
    balances: 4,
    entries: 1,
    details: 1,
    notes: ['iban_under_other', 'instant_for_day'],
  },
  'camt053.zip': { message: 'camt.053.02', documents: 2, statements: 2, balances: 4, entries: 6, details: 6 },
  'camt054.v2.xml': {
    message: 'camt.054.02',
    statements: 1,
    entries: 1,
    details: 3,
    notes: ['iban_under_other', 'instant_for_day'],
  },
  'camt054.v4.returns.xml': { message: 'camt.054.04', statements: 1, entries: 1, details: 1 },
  'camt054.v8-with-UETR.xml': {
    message: 'camt.054.08',
    statements: 1,
    entries: 1,
    details: 1,
    notes: ['booking_day_missing'],
  },
  'pain002.v10.vop.xml': { message: 'pain.002.10', payments: 1 },
  'pain002.v3.ch.02.xml': { message: 'pain.002.03' },
  'pain002.v3.group-accepted.xml': { message: 'pain.002.03' },
  'pain002.v3.payment-reject.xml': { message: 'pain.002.03', payments: 1 },
  'pain002.v3.transaction-reject.xml': { message: 'pain.002.03', payments: 1, transactions: 2 },
};

const read = (name: string): Promise<Item[]> => itemsOf(readFileSync(join(ISO20022 as string, 'samples', name)));

function countsOf(items: readonly Item[]): Required<Counts> {
  const names = ofType(items, 'document').map(({ message, version }) => `${message}.${version}`);
  return {
    message: [...new Set(names)].join(),
    documents: names.length,
    statements: ofType(items, 'statement').length,
    balances: ofType(items, 'balance').length,
    entries: ofType(items, 'entry').length,
    details: ofType(items, 'entry').flatMap(({ details }) => details).length,
    payments: ofType(items, 'payment_status').length,
    transactions: ofType(items, 'transaction_status').length,
    notes: notesOf(items).sort(),
  };
}

const NONE = { documents: 1, statements: 0, balances: 0, entries: 0, details: 0, payments: 0, transactions: 0 };

describe.skipIf(ISO20022 === undefined)('the public samples', () => {
  it.each(Object.entries(SAMPLES))('%s', async (name, counts) => {
    expect(countsOf(await read(name))).toEqual({ ...NONE, notes: [], ...counts });
  });

  it('a protocol of EBICS is ignored', async () => {
    expect(await read('pain002.hac.xml')).toMatchObject([{ type: 'ignored', reason: 'ebics_protocol' }]);
  });

  it('bytes of ISO-8859-1 are letters', async () => {
    const [first] = ofType(await read('camt052.v8.latin1.xml'), 'entry');
    expect(JSON.stringify(first?.details)).toMatch(/[äöüÄÖÜß]/);
  });

  it('a return says why', async () => {
    const reasons = ofType(await read('camt054.v4.returns.xml'), 'entry').flatMap(({ details }) => details);
    expect(reasons.map(({ returned }) => returned?.code)).toEqual(['AC01']);
  });

  it('a rejection says which transaction, and why', async () => {
    const rejected = ofType(await read('pain002.v3.transaction-reject.xml'), 'transaction_status');
    expect(rejected.map(({ status, reasons }) => [status, reasons.map(({ code }) => code)])).toEqual([
      ['RJCT', ['NARR']],
      ['RJCT', ['NARR']],
    ]);
  });
});
