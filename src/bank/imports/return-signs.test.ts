/** Which credits that quote a payout are returns: what its payee cannot write says so, or all of it comes from his own account. Pure. */
import { describe, expect, it } from 'vitest';
import { camt, type Written, type WrittenDetail } from '../../../test/support/bank/camt.ts';
import { itemsOf, ofType } from '../../../test/support/bank/read-documents.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { lineOf, type Payee, withPayees } from './lines.ts';

const [ONE, OTHER] = [idAt('po', 1), idAt('po', 2)];
const IBAN = 'NL91ABNA0417164300';
const quoting = (detail: WrittenDetail = {}): WrittenDetail => ({ endToEndId: outgoingId(ONE), ...detail });

async function lineFrom(entry: Written) {
  const file = camt([{ iban: 'DE89370400440532013000', day: '2026-03-13', entries: [entry] }]);
  const [item] = ofType(await itemsOf(file), 'entry');
  if (item === undefined) throw new Error('The file has no entry.');
  return lineOf(item, 1);
}

describe('a credit that quotes a payout', () => {
  it.each<readonly [string, Written]>([
    ['a reason', { amount: '5.00', details: [quoting({ returned: 'AC04' })] }],
    ['a reversal', { amount: '5.00', isReversal: true, details: [quoting()] }],
    ['the code of a return', { amount: '5.00', code: 'PMNT-ICDT-RRTN', details: [quoting()] }],
  ])('with %s is a return', async (_, entry) => {
    expect((await lineFrom(entry)).payouts).toEqual([{ payout: ONE, amount: 500n, isReturn: true }]);
  });

  it('with none of them is no return', async () => {
    const { payouts } = await lineFrom({ amount: '0.01', code: 'PMNT-RCDT-ESCT', details: [quoting({ name: 'Eva' })] });
    expect(payouts).toEqual([{ payout: ONE, amount: 1n }]);
  });

  it('in a collective entry is one by its own sign', async () => {
    const details = [
      quoting({ amount: '2.00', returned: 'AC04' }),
      { amount: '3.00', endToEndId: outgoingId(OTHER), iban: IBAN },
    ];
    expect((await lineFrom({ amount: '5.00', details })).payouts).toEqual([
      { payout: ONE, amount: 200n, isReturn: true },
      { payout: OTHER, amount: 300n, payer: IBAN },
    ]);
  });
});

describe('a credit from the payee’s own account', () => {
  const payee = (fields: Partial<Payee> = {}) =>
    new Map([[ONE, { amount: 500n, currency: 'EUR', details: { iban: IBAN }, ...fields }]]);
  const isReturn = async (payees: ReadonlyMap<string, Payee>, amount = '5.00') =>
    withPayees(await lineFrom({ amount, details: [quoting({ iban: IBAN })] }), 'EUR', payees).payouts[0]?.isReturn;

  it('is a return if it is over all of the payout', async () => expect(await isReturn(payee())).toBe(true));
  it('is none if it is over less', async () => expect(await isReturn(payee(), '4.99')).toBeUndefined());
  it('is none from another account', async () => {
    expect(await isReturn(payee({ details: { iban: 'DE02120300000000202051' } }))).toBeUndefined();
    expect(await isReturn(payee({ details: {} }))).toBeUndefined();
  });
  it('is none of another currency, or of a payout that is not there', async () => {
    expect(await isReturn(payee({ currency: 'CHF' }))).toBeUndefined();
    expect(await isReturn(new Map())).toBeUndefined();
  });
  it('is found by the number of a country without IBANs', async () => {
    const entry = { amount: '5.00', details: [quoting()] };
    const line = await lineFrom(entry);
    const from = { ...line, payouts: line.payouts.map((each) => ({ ...each, payer: '000123456789' })) };
    const details = { account_number: '123456789', routing_number: '110000000' };
    expect(withPayees(from, 'EUR', payee({ details })).payouts).toMatchObject([{ isReturn: true }]);
  });
});
