/** The text in the QR code, byte for byte as EPC069-12 has it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epcPayload, type EpcTransfer, MAX_PAYLOAD_BYTES } from './epc.ts';

const TRANSFER: EpcTransfer = {
  accountHolder: 'Franz Mustermänn',
  iban: 'DE71110220330123456789',
  bic: 'BHBLDEHHXXX',
  currency: 'EUR',
  amount: 1250n,
  rf: 'RF18539007547034',
};
const linesOf = (transfer: Partial<EpcTransfer>) => epcPayload({ ...TRANSFER, ...transfer })?.split('\n');

describe('epcPayload', () => {
  it('has the lines of the standard, and nothing behind the last one that says something', () => {
    expect(epcPayload(TRANSFER)).toBe(
      'BCD\n002\n1\nSCT\nBHBLDEHHXXX\nFranz Mustermänn\nDE71110220330123456789\nEUR12.50\n\nRF18539007547034',
    );
  });

  it('keeps the line of a BIC that is not known, or is none', () => {
    for (const bic of [undefined, '', 'BHBLDEHH1', 'A\nB']) {
      expect(linesOf({ bic })?.slice(3, 6)).toEqual(['SCT', '', 'Franz Mustermänn']);
    }
    expect(linesOf({ bic: 'bhbldehh' })?.[4]).toBe('BHBLDEHH');
  });

  it('takes an IBAN as people write it', () => {
    expect(linesOf({ iban: 'de71 1102 2033 0123 4567 89' })?.[6]).toBe('DE71110220330123456789');
  });

  it.each([
    [1n, 'EUR0.01'],
    [100n, 'EUR1.00'],
    [99_999_999_999n, 'EUR999999999.99'],
  ])('writes %s cents as %s', (amount, text) => expect(linesOf({ amount })?.[7]).toBe(text));

  it.each([
    ['another currency', { currency: 'CHF' }],
    ['no IBAN', { iban: undefined }],
    ['something else than an IBAN', { iban: '31926819' }],
    ['nothing to pay', { amount: 0n }],
    ['too much', { amount: 100_000_000_000n }],
    ['no name', { accountHolder: ' \n' }],
  ])('is none with %s', (_why, transfer) => expect(epcPayload({ ...TRANSFER, ...transfer })).toBeNull());

  it('cuts a name at 70 characters, whole ones', () => {
    expect(linesOf({ accountHolder: 'x'.repeat(80) })?.[5]).toBe('x'.repeat(70));
    expect(linesOf({ accountHolder: '🏦'.repeat(71) })?.[5]).toMatch(/^(?:🏦){40,70}$/u);
  });

  it('has ten lines in 331 bytes at the most, whatever the name is', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.string({ unit: fc.constantFrom('\n', '\r', '🏦', 'a'), maxLength: 100 }),
    );
    fc.assert(
      fc.property(name, fc.bigInt(1n, 99_999_999_999n), (accountHolder, amount) => {
        const iban = `MT84${'A'.repeat(30)}`;
        const payload = epcPayload({ ...TRANSFER, accountHolder, amount, iban, rf: `RF18${'9'.repeat(21)}` });
        if (payload === null) return;
        expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
        const lines = payload.split('\n');
        expect(lines).toHaveLength(10);
        expect(payload).not.toContain('\r');
        expect([lines[6], lines[9]]).toEqual([iban, `RF18${'9'.repeat(21)}`]);
      }),
    );
  });
});
