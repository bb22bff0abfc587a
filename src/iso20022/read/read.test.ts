import { describe, expect, it } from 'vitest';
import { itemsOf, ofType, sample } from '../../../test/support/bank/read-documents.ts';
import type { Item } from './items.ts';

const nobody = { name: null, ultimateName: null, iban: null, other: null, bic: null };
const noReferences = {
  messageId: null,
  paymentInformationId: null,
  instructionId: null,
  endToEndId: null,
  transactionId: null,
  uetr: null,
  mandateId: null,
  clearingSystemReference: null,
  servicerReference: null,
};
const plainDetail = {
  sign: null,
  instructed: null,
  counterValue: null,
  charges: null,
  transactionCode: null,
  debtor: nobody,
  creditor: nobody,
  remittance: { texts: [], references: [], additionalTexts: [], named: [] },
  returned: null,
  purpose: null,
  additionalText: null,
  namedByBank: [],
};

describe('a camt.053', () => {
  it('is these items, in this order', async () => {
    const items = await itemsOf(sample('camt053.xml'));
    expect(items.map(({ type }) => type)).toEqual([
      'document',
      'statement',
      'balance',
      'balance',
      'entry',
      'entry',
      'statement_end',
      'document_end',
    ]);
    const [document, heading, opening, closing, credit, batch, end, last] = items;
    expect(document).toEqual({
      type: 'document',
      message: 'camt.053',
      version: '08',
      variant: null,
      id: 'DAY-2026-03-31',
      created: '2026-04-01T04:00:00+02:00',
      page: null,
      file: null,
    });
    expect(heading).toEqual({
      type: 'statement',
      line: 8,
      id: 'ST-0063',
      electronicSequence: 63n,
      legalSequence: 61n,
      page: { number: 1n, last: true },
      created: '2026-04-01T04:00:00+02:00',
      copy: null,
      from: '2026-03-31T00:00:00+02:00',
      to: '2026-03-31T23:59:59+02:00',
      account: {
        iban: 'DE89370400440532013000',
        other: null,
        currency: 'EUR',
        owner: 'Brook Trading GmbH',
        bic: 'COBADEFFXXX',
      },
    });
    expect([opening, closing]).toMatchObject([
      { code: 'OPBD', amount: 100_000n, currency: 'EUR', day: '2026-03-30', subtype: null },
      { code: 'CLBD', amount: -4_050n, currency: 'EUR', day: '2026-03-31' },
    ]);
    expect(credit).toEqual({
      type: 'entry',
      line: 34,
      amount: 10_000n,
      currency: 'EUR',
      sign: 'credit',
      reversal: false,
      status: 'BOOK',
      bookingDay: '2026-03-31',
      valueDay: '2026-04-01',
      servicerReference: 'BANK-1',
      reference: '1',
      transactionCode: {
        domain: 'PMNT',
        family: 'RCDT',
        subfamily: 'ESCT',
        proprietary: 'NTRF+166',
        issuer: 'DK',
      },
      additionalText: 'SEPA credit',
      namedByBank: [],
      batches: [],
      charges: null,
      instructed: null,
      counterValue: null,
      details: [
        {
          ...plainDetail,
          line: 47,
          references: { ...noReferences, endToEndId: 'NOTPROVIDED', uetr: '8a562c67-ca16-48ba-b074-65581be6f011' },
          amount: { minor: 10_000n, currency: 'EUR' },
          sign: 'credit',
          debtor: {
            name: 'Jürgen Müller',
            ultimateName: 'Anna Müller',
            iban: 'AT611904300234573201',
            other: null,
            bic: 'GIBAATWWXXX',
          },
          remittance: {
            texts: ['Invoice 17 & 18'],
            references: [{ type: 'SCOR', reference: 'RF18539007547034' }],
            additionalTexts: ['thank you'],
            named: ['RF18539007547034'],
          },
          purpose: { code: 'SUPP', proprietary: null },
        },
      ],
    });
    expect(batch).toMatchObject({
      amount: 114_050n,
      sign: 'debit',
      servicerReference: null,
      batches: [
        {
          messageId: 'MSG1',
          paymentInformationId: 'PMT1',
          count: 2n,
          total: { minor: 114_000n, currency: 'EUR' },
          sign: 'debit',
        },
      ],
      charges: {
        total: { minor: 50n, currency: 'EUR' },
        records: [{ amount: { minor: 50n, currency: 'EUR' }, sign: 'debit', included: true, code: null }],
      },
    });
    expect(ofType([batch as Item], 'entry')[0]?.details).toEqual([
      {
        ...plainDetail,
        line: 89,
        references: {
          messageId: 'MSG1',
          paymentInformationId: 'PMT1',
          instructionId: 'PO1',
          endToEndId: 'PO1',
          transactionId: 'T1',
          uetr: null,
          mandateId: 'M1',
          clearingSystemReference: 'C1',
          servicerReference: 'BANK-2',
        },
        amount: { minor: 104_000n, currency: 'EUR' },
        instructed: { minor: 120_000n, currency: 'USD', exchange: null },
        counterValue: {
          minor: 104_000n,
          currency: 'EUR',
          exchange: { source: 'USD', target: 'EUR', unit: 'EUR', rate: '1.1538' },
        },
        creditor: { ...nobody, name: 'Kiosk 24', other: '000123456', bic: 'CHASUS33' },
      },
      {
        ...plainDetail,
        line: 108,
        references: { ...noReferences, endToEndId: 'PO2' },
        amount: { minor: 10_000n, currency: 'EUR' },
        returned: { code: 'AC04', proprietary: null, texts: ['account closed'] },
        additionalText: 'came back',
      },
    ]);
    expect(end).toEqual({
      type: 'statement_end',
      entries: 2,
      zeroEntries: 0,
      summary: {
        currency: 'EUR',
        all: { count: 2n, sum: 124_050n },
        credits: { count: 1n, sum: 10_000n },
        debits: { count: 1n, sum: 114_050n },
      },
    });
    expect(last).toEqual({ type: 'document_end', notes: [] });
  });

  it('is the same in pieces of a byte', async () => {
    expect(await itemsOf(sample('camt053.xml'), {}, 1)).toEqual(await itemsOf(sample('camt053.xml')));
  });
});

describe('a pain.002', () => {
  it('has three levels', async () => {
    const items = await itemsOf(sample('pain002.xml'));
    expect(items).toMatchObject([
      { type: 'document', message: 'pain.002', version: '10', id: 'STATUS-1' },
      {
        type: 'report',
        originalMessageId: 'MSG1',
        originalName: 'pain.001.001.09',
        status: 'PART',
        reasons: [{ code: null, proprietary: 'X1', texts: ['one of two', 'see below'] }],
        count: 2n,
        sum: '1140.00',
      },
      {
        type: 'payment_status',
        originalPaymentInformationId: 'PMT1',
        status: 'PART',
        reasons: [],
        count: 2n,
        sum: null,
      },
      {
        type: 'transaction_status',
        originalInstructionId: 'PO1',
        originalEndToEndId: 'PO1',
        originalTransactionId: null,
        uetr: '8a562c67-ca16-48ba-b074-65581be6f011',
        status: 'RJCT',
        reasons: [{ code: 'AC04', proprietary: null, texts: ['account closed'] }],
        amount: { minor: 104_000n, currency: 'EUR' },
        clearingSystemReference: 'CLEAR-9',
        servicerReference: 'BANK-9',
      },
      { type: 'transaction_status', originalEndToEndId: 'PO2', status: 'ACSP', reasons: [], amount: null },
      { type: 'document_end', notes: [] },
    ]);
  });

  it('of an EBICS server is one ignored item', async () => {
    const text = sample('pain002.xml').toString().replace('pain.001.001.09', 'EBICS');
    expect(await itemsOf(text)).toMatchObject([{ type: 'ignored', reason: 'ebics_protocol', file: null }]);
  });

  it('says the status of a payment also where it stands after the transactions', async () => {
    const text = sample('pain002.xml').toString();
    const status = '<PmtInfSts>PART</PmtInfSts>';
    const later = text.replace(status, '').replace('</OrgnlPmtInfAndSts>', `${status}</OrgnlPmtInfAndSts>`);
    expect(ofType(await itemsOf(later), 'payment_status')).toMatchObject([{ status: 'PART' }]);
  });
});
