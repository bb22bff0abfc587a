/** The text in the Swiss QR code, line by line, and the QR references that stand for ours. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { depositReference, rfReference } from './creditor-reference.ts';
import { referencesIn } from './named-references.ts';
import { type QrBill, qrBillPayload, qrReferenceOf, referenceFor, rfOfQrReference, swissCross } from './qr-bill.ts';
import { parseReference } from './structured-references.ts';

const BILL: QrBill = {
  accountHolder: 'Max Muster & Söhne',
  address: { line1: 'Musterstrasse 123', postal_code: '8000', city: 'Seldwyla', country: 'CH' },
  iban: 'CH58 0079 1123 0008 8901 2',
  currency: 'CHF',
  amount: 19_995n,
  rf: 'RF18539007547034',
};
const linesOf = (bill: Partial<QrBill>) => qrBillPayload({ ...BILL, ...bill })?.split('\n');
const without = (name: string) => ({ address: { ...BILL.address, [name]: undefined } });

describe('qrBillPayload', () => {
  it('has the 31 lines of the guidelines', () => {
    const bill = `SPC 0200 1 CH5800791123000889012 S Name Musterstrasse_123 _ 8000 Seldwyla CH _ _ _ _ _ _ _
      199.95 CHF _ _ _ _ _ _ _ SCOR RF18539007547034 _ EPD`;
    const expected = bill.split(/\s+/).map((line) => line.replaceAll('_', ' ').trim());
    expect(linesOf({ accountHolder: 'Name' })).toEqual(expected);
    expect(linesOf({})?.[5]).toBe('Max Muster & Söhne');
    expect(linesOf(without('line1'))?.slice(4, 11)).toEqual([
      'S',
      BILL.accountHolder,
      '',
      '',
      '8000',
      'Seldwyla',
      'CH',
    ]);
  });

  it('has a QR reference for a QR-IBAN, which leads back', () => {
    const rf = rfReference('0K3W2M6R5T7XA');
    const [type, reference = ''] = linesOf({ iban: 'CH4431999123000889012', rf })?.slice(27) ?? [];
    expect([type, parseReference('qrr', reference), rfOfQrReference(reference)]).toEqual(['QRR', reference, rf]);
    expect(referenceFor('CH44 3199 9123 0008 8901 2', rf)).toBe(reference);
    expect(referenceFor('CH5800791123000889012', rf)).toBe(rf);
    expect(referencesIn({ texts: [], references: [reference], additionalTexts: [] })).toEqual([rf]);
  });

  it.each([
    ['another currency', { currency: 'EUR' }],
    ['no IBAN', { iban: undefined }],
    ['an IBAN of another country', { iban: 'DE89370400440532013000' }],
    ['nothing to pay', { amount: 0n }],
    ['too much', { amount: 100_000_000_000n }],
    ['no name', { accountHolder: ' \n' }],
    ['no address', { address: {} }],
    ['no postal code', without('postal_code')],
    ['no town', without('city')],
    ['letters that the code does not take', { accountHolder: 'Иван' }],
  ])('is none with %s', (_why, bill) => expect(linesOf(bill)).toBeUndefined());

  it('cuts what is long, and keeps its lines whatever a name holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\n', '\r', 'ä', 'b', ' ', 'ș'), maxLength: 100 }), (name) => {
        const lines = linesOf({ accountHolder: name, address: { ...BILL.address, line1: name } });
        expect(lines?.length).toBe(name.trim() === '' ? undefined : 31);
        expect((lines?.[5] ?? '').length).toBeLessThanOrEqual(70);
        if (lines) expect(lines.slice(27)).toEqual(['SCOR', BILL.rf, '', 'EPD']);
      }),
    );
  });
});

describe('a QR reference', () => {
  const ours = fc.stringMatching(/^[0-9A-Z]{13,14}$/).map(rfReference);
  it('stands for one reference of ours, and leads back to it', () => {
    fc.assert(
      fc.property(ours, (rf) => {
        expect(rfOfQrReference(qrReferenceOf(rf))).toBe(rf);
      }),
    );
    const deposit = depositReference('acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
    expect(rfOfQrReference(qrReferenceOf(deposit))).toBe(deposit);
  });
  it.each(['210000000003139471430009017', 'RF18539007547034', '', '13', `14${'9'.repeat(25)}`])(
    'of somebody else, %s, leads nowhere',
    (text) => expect(rfOfQrReference(text)).toBeNull(),
  );
});

it('the cross stands in the middle and covers 7 of 46 millimetres of a side', () => {
  const [white, black, ...bars] = swissCross(46);
  expect(white).toEqual({ x: 19.5, y: 19.5, width: 7, height: 7, isDark: false });
  expect([black?.isDark, bars.map(({ isDark }) => isDark)]).toEqual([true, [false, false]]);
  for (const { x, y, width, height } of swissCross(57)) {
    expect([x + width / 2, y + height / 2]).toEqual([expect.closeTo(28.5), expect.closeTo(28.5)]);
  }
});
