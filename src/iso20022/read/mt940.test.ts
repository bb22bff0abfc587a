/** MT940 and MT942 as banks of several countries write them: what each gives. None of it is a copy of a bank's file. */
import { describe, expect, it } from 'vitest';
import { bareMessage, messageInBlocks, mt940 } from '../../../test/support/bank/messages.ts';
import { itemsOf, notesOf, ofType, zipOf } from '../../../test/support/bank/read-documents.ts';

const HEADING = [':20:STARTUMS', ':25:37040044/532013000', ':28C:00012/001', ':60F:C261125EUR1000,00'];
const read = async (file: string | Uint8Array, size?: number) => {
  const items = await itemsOf(file, {}, size);
  const [entry] = ofType(items, 'entry');
  return { items, entry, detail: entry?.details[0], notes: notesOf(items) };
};
const shownOf = async (file: string | Uint8Array) => {
  const entries = ofType(await itemsOf(file), 'entry');
  return entries.map(({ sign, amount, bookingDay, details: [only] }) => {
    const party = sign === 'credit' ? only?.debtor : only?.creditor;
    return [
      sign === 'credit' ? amount : -amount,
      bookingDay,
      party?.name,
      party?.iban ?? party?.other,
      only?.references.endToEndId,
      only?.remittance.texts.join(' | '),
    ];
  });
};

describe('an MT940', () => {
  const file = bareMessage(
    ...HEADING,
    ':61:2611261126CR250,50NTRFNONREF//8827364512',
    ':86:166?00GUTSCHR. UEBERWEISUNG?109310?20EREF+PO01KBX3D9Q4NE8V8K3W2M?216R5T7XA?22SVWZ+Re. 4711 RF71 K3W2',
    ' M6R5?23 T7XA 1 danke?30COBADEFFXXX?31DE89370400440532013000?32Petra M',
    'uster und Soehne Gmb?33H?34000',
    ':61:2611261125DR30,NCHG',
    ':62F:C261126EUR1220,5',
    ':64:C261127EUR1220,50',
    ':65:C261130EUR1220,50',
    ':86:This is about the whole statement',
  );

  it('is these items, in this order', async () => {
    const { items } = await read(file);
    expect(items.map(({ type }) => type)).toEqual([
      'document',
      'statement',
      'balance',
      'entry',
      'entry',
      'balance',
      'balance',
      'balance',
      'statement_end',
      'document_end',
    ]);
    const [document, heading, opening, credit, debit, closing, available, forward, end, last] = items;
    expect(document).toEqual({
      type: 'document',
      message: 'mt940',
      version: null,
      variant: null,
      id: null,
      created: null,
      page: null,
      file: null,
    });
    expect(heading).toEqual({
      type: 'statement',
      line: 1,
      id: 'STARTUMS',
      electronicSequence: 12n,
      legalSequence: null,
      page: { number: 1n, last: null },
      created: null,
      copy: null,
      from: null,
      to: null,
      account: { iban: null, other: '37040044/532013000', currency: 'EUR', owner: null, bic: null },
    });
    expect([opening, closing, available, forward]).toMatchObject([
      { code: 'PRCD', amount: 100_000n, currency: 'EUR', day: '2026-11-25', line: 4 },
      { code: 'CLBD', amount: 122_050n, day: '2026-11-26' },
      { code: 'CLAV', day: '2026-11-27' },
      { code: 'FWAV', day: '2026-11-30' },
    ]);
    const nobody = { name: null, ultimateName: null, iban: null, other: null, bic: null };
    expect(credit).toEqual({
      type: 'entry',
      line: 5,
      amount: 25_050n,
      currency: 'EUR',
      sign: 'credit',
      reversal: false,
      status: 'BOOK',
      bookingDay: '2026-11-26',
      valueDay: '2026-11-26',
      servicerReference: '8827364512',
      reference: null,
      transactionCode: {
        domain: null,
        family: null,
        subfamily: null,
        proprietary: 'NTRF+166+9310+000',
        issuer: null,
      },
      additionalText: 'GUTSCHR. UEBERWEISUNG',
      namedByBank: [],
      batches: [],
      charges: null,
      instructed: null,
      counterValue: null,
      details: [
        {
          line: 5,
          references: {
            messageId: null,
            paymentInformationId: null,
            instructionId: null,
            endToEndId: 'PO01KBX3D9Q4NE8V8K3W2M6R5T7XA',
            transactionId: null,
            uetr: null,
            mandateId: null,
            clearingSystemReference: null,
            servicerReference: null,
          },
          amount: null,
          sign: null,
          instructed: null,
          counterValue: null,
          charges: null,
          transactionCode: null,
          debtor: {
            ...nobody,
            name: 'Petra Muster und Soehne GmbH',
            iban: 'DE89370400440532013000',
            bic: 'COBADEFFXXX',
          },
          creditor: nobody,
          remittance: {
            texts: ['Re. 4711 RF71 K3W2 M6R5 T7XA 1 danke'],
            references: [],
            additionalTexts: [],
            named: ['RF71K3W2M6R5T7XA1'],
          },
          returned: null,
          purpose: null,
          additionalText: null,
          namedByBank: [],
        },
      ],
    });
    expect(debit).toMatchObject({
      amount: 3_000n,
      sign: 'debit',
      bookingDay: '2026-11-25',
      servicerReference: null,
      transactionCode: { proprietary: 'NCHG' },
      additionalText: null,
    });
    expect(end).toEqual({ type: 'statement_end', entries: 2, zeroEntries: 0, summary: null });
    expect(last).toEqual({ type: 'document_end', notes: [] });
  });

  it('is the same in pieces of a byte, with any ends of lines, in blocks and in a ZIP', async () => {
    const { items } = await read(file);
    expect((await read(file, 1)).items).toEqual(items);
    for (const end of ['\n', '\r']) expect((await read(file.replaceAll('\r\n', end), 1)).items).toEqual(items);
    const lines = file.split('\r\n').slice(0, -2);
    const shifted = JSON.stringify((await read(messageInBlocks('940', ...lines))).items, numbers);
    expect(shifted).toBe(
      JSON.stringify(items, numbers).replaceAll(/"line":(\d+)/g, (_, line) => `"line":${Number(line) + 1}`),
    );
    const zipped = await itemsOf(zipOf([['a.sta', file]]));
    expect(zipped.slice(1)).toEqual(items.slice(1));
    expect(zipped[0]).toMatchObject({ file: 'a.sta' });
  });
});

const numbers = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

describe('dialects', () => {
  it('German cooperative bank: words of SEPA, an own name, old text without words, a collective debit', async () => {
    const file = mt940(
      ':61:2611260102CR80,00NTRFKREF+',
      ':86:166?00GUTSCHRIFT?20KREF+MSG-7?21MREF+M 1?22CRED+DE98ZZZ09999999999?23PURP+RINP?24SVWZ+Rechnung 1',
      '?25ABWA+Eva Muster?30GENODEF1S01?31DE02120300000000202051?32Max Muster',
      ':61:2611261126DR33,05N005NONREF',
      ':86:005?00LASTSCHRIFT?10999?20STROM NOVEMBER?21KUNDE 17?3012030000?310000202051?32STADTWERKE',
    );
    const items = await itemsOf(file);
    const [credit, debit] = ofType(items, 'entry');
    expect(credit?.details[0]).toMatchObject({
      references: { paymentInformationId: 'MSG-7', mandateId: 'M 1', endToEndId: null, instructionId: null },
      debtor: { name: 'Max Muster', ultimateName: 'Eva Muster', iban: 'DE02120300000000202051', bic: 'GENODEF1S01' },
      purpose: { code: 'RINP', proprietary: null },
      remittance: { texts: ['Rechnung 1'] },
    });
    expect(credit?.bookingDay).toBe('2027-01-02');
    expect(debit).toMatchObject({
      transactionCode: { proprietary: 'N005+005+999' },
      details: [
        {
          creditor: { name: 'STADTWERKE', iban: null, other: '0000202051', bic: null },
          remittance: { texts: ['STROM NOVEMBER KUNDE 17'] },
        },
      ],
    });
  });

  it('German large bank: words behind blanks, a returned item, original amount and charges', async () => {
    const file = mt940(
      ':61:2611261126D12,35 NRTIKREF+//2026021783252833',
      '/OCMT/EUR11,85//CHGS/EUR0,50/',
      ':86:109?00SEPA-LASTSCHR. RETOURE CORE?109075/629?20EREF+A1.200080779.4001432',
      '54?21.4961336 KREF+SEPA-DA202606?2201221740-P1 MREF+852HW27?23OAMT+11,85 SVWZ+SONSTIGE?24 GRUEND',
      'E?30CSDBDE71XXX?31DE02120300000000202051?32TESTER?34914',
    );
    const { entry, detail } = await read(file);
    expect(entry).toMatchObject({ sign: 'debit', amount: 1_235n, servicerReference: '2026021783252833' });
    expect(detail).toMatchObject({
      references: {
        endToEndId: 'A1.200080779.400143254.4961336',
        paymentInformationId: 'SEPA-DA20260601221740-P1',
        mandateId: '852HW27',
      },
      instructed: { minor: 1_185n, currency: 'EUR' },
      charges: { total: { minor: 50n, currency: 'EUR' } },
      returned: { code: null, proprietary: '914' },
      remittance: { texts: ['SONSTIGE GRUENDE'] },
    });
  });

  it('ING: slashes, an account with its currency, references in words, a structured reference, a return', async () => {
    const heading = [':20:P261126000000001', ':25:NL20INGB0001234567EUR', ':28C:00000', ':60F:C261125EUR662,23'];
    const file = messageInBlocks(
      '940',
      ...heading,
      ':61:2611261126C1,56NTRFEREF//26330123456789',
      '/TRCD/00100/',
      ':86:/EREF/EV12341REP1231456T1234//CNTP/NL32INGB0000012345/INGBNL2A/J. D',
      'E VRIES/AMSTERDAM//REMI/USTD//INVOICE 17/4 OF MAY/',
      ':61:2611261126D10,00NTRFPREF//26330123456790',
      '/TRCD/00200/',
      ':86:/PREF/PF01KBX3D9Q4NE8V8K3W2M6R5T7XA//REMI/USTD//TOTAL 2 PAYMENTS/',
      ':61:2611261126C5,00NRTIEREF//26330123456791',
      '/TRCD/00118/',
      ':86:/RTRN/AC04//EREF/PO01KBX3D9Q4NE8V8K3W2M6R5T7XA//CNTP/NL32INGB0000012345//X///REMI/STRD/CUR/RF18539007547034/',
      ':62F:C261126EUR658,79',
      ':86:/SUM/3/1/10,00/6,56/',
    );
    const items = await itemsOf(file);
    expect(ofType(items, 'statement')).toMatchObject([
      {
        id: 'P261126000000001',
        electronicSequence: null,
        page: null,
        account: { iban: 'NL20INGB0001234567', currency: 'EUR' },
      },
    ]);
    const [credit, batch, returned] = ofType(items, 'entry');
    expect(credit).toMatchObject({
      transactionCode: { proprietary: 'NTRF+00100' },
      servicerReference: '26330123456789',
      details: [
        {
          references: { endToEndId: 'EV12341REP1231456T1234', instructionId: null },
          debtor: { name: 'J. DE VRIES', iban: 'NL32INGB0000012345', bic: 'INGBNL2A' },
          remittance: { texts: ['INVOICE 17/4 OF MAY'] },
        },
      ],
    });
    expect(batch?.details[0]?.references.paymentInformationId).toBe('PF01KBX3D9Q4NE8V8K3W2M6R5T7XA');
    expect(returned?.details[0]).toMatchObject({
      returned: { code: 'AC04', proprietary: null },
      references: { endToEndId: 'PO01KBX3D9Q4NE8V8K3W2M6R5T7XA' },
      remittance: { references: [{ reference: 'RF18539007547034' }], named: ['RF18539007547034'] },
    });
  });

  it('Rabobank: a line of its own above, amounts with zeros, no numbers, payee behind the code of a party', async () => {
    const file = [
      ':940:',
      ':20:940S261126',
      ':25:NL50RABO0123456789 EUR',
      ':28C:0',
      ':60F:C261125EUR000000001147,95',
      ':61:261126D000000000012,58N102EREF            ',
      'NL70ABNA0987654321',
      ':86:/EREF/26-11-2026 12:00:00 003000098765432/BENM//NAME/CONTRA ACCOU',
      'NT HOLDER/REMI/Factuur 17/ISDT/2026-11-26',
      ':62F:C261126EUR000000001135,37',
    ].join('\n');
    expect(await shownOf(file)).toEqual([
      [-1_258n, '2026-11-26', 'CONTRA ACCOUNT HOLDER', null, '26-11-2026 12:00:00 003000098765432', 'Factuur 17'],
    ]);
  });

  it('ABN AMRO: lines above without a tag, the reference behind the text', async () => {
    const file = [
      'ABNANL2A',
      '940',
      'ABNANL2A',
      ':20:ABN AMRO BANK NV',
      ':25:123456789',
      ':28:33001/1',
      ':60F:C261125EUR5138,61',
      ':61:2611261126C500,01N654NONREF',
      ':86:/TRTP/SEPA OVERBOEKING/IBAN/NL32INGB0000012345/BIC/INGBNL2A',
      '/NAME/Q JANSEN/REMI/Order 12/EREF/NOTPROVIDED',
      ':62F:C261126EUR5638,62',
      '',
    ].join('\r\n');
    expect(await shownOf(file)).toEqual([
      [50_001n, '2026-11-26', 'Q JANSEN', 'NL32INGB0000012345', 'NOTPROVIDED', 'Order 12'],
    ]);
  });

  it('PostFinance: two pages in blocks, short decimals, a text of lines', async () => {
    const heading = (number: number, tag: string, amount: string) => [
      `:20:202611260828592${number}`,
      ':25:CH9300762011623852957',
      `:28C:331/${number}`,
      `:60${tag}:C261125CHF${amount}`,
    ];
    const first = [
      ...heading(7, 'F', '0,').map((line) => line.replace('331/7', '331/1')),
      ':61:2611261126C79,7FMSC01916//NONREF',
      '20261126007602198765432000000012',
      ':86:GIRO AUS ONLINE-SIC 80532 AUFTRAGGEBER: JANE DOE EXAMPLESTRASSE ',
      '10 1234 ORT MITTEILUNGEN: RF71 K3W2 M6R5 T7XA 1',
      ':62M:C261126CHF79,7',
    ];
    const second = [
      ...heading(8, 'M', '79,7').map((line) => line.replace('331/8', '331/2').replace('C261125', 'C261126')),
      ':61:2611261126D9,7FMSC01651//NONREF',
      ':86:EINZAHLUNGSSCHEIN',
      ':62F:C261126CHF70,',
    ];
    const items = await itemsOf(messageInBlocks('940', ...first) + messageInBlocks('940', ...second));
    expect(ofType(items, 'document')).toHaveLength(1);
    expect(ofType(items, 'statement')).toMatchObject([
      { id: '2026112608285927', electronicSequence: 331n, page: { number: 1n } },
      { id: '2026112608285927', electronicSequence: 331n, page: { number: 2n } },
    ]);
    expect(ofType(items, 'balance').map(({ code, amount }) => [code, amount])).toEqual([
      ['PRCD', 0n],
      ['ITBD', 7_970n],
      ['ITBD', 7_970n],
      ['CLBD', 7_000n],
    ]);
    expect(ofType(items, 'entry')[0]).toMatchObject({
      additionalText: '20261126007602198765432000000012',
      servicerReference: null,
      details: [{ references: { instructionId: '01916' }, remittance: { named: ['RF71K3W2M6R5T7XA1'] } }],
    });
  });

  it('Nordic: bank and number, third letter of the currency, free text, the value before the booking of January', async () => {
    const file = bareMessage(
      ':20:1234567890',
      ':25:NDEADKKK/20001234567890/DKK',
      ':28C:361',
      ':60F:D261230DKK100,00',
      ':61:2612311231CK1234,56NMSCFAKTURA 17//REF9',
      ':86:OVERFOERSEL FRA',
      'SOEREN AABY',
      ':61:2701021231DK34,56NCHGNONREF',
      ':62F:C261231DKK1100,00',
    );
    const items = await itemsOf(file);
    expect(ofType(items, 'statement')[0]?.account).toEqual({
      iban: null,
      other: '20001234567890',
      currency: 'DKK',
      owner: null,
      bic: 'NDEADKKK',
    });
    expect(ofType(items, 'balance').map(({ amount }) => amount)).toEqual([-10_000n, 110_000n]);
    expect(ofType(items, 'entry')).toMatchObject([
      {
        amount: 123_456n,
        servicerReference: 'REF9',
        details: [
          { references: { instructionId: 'FAKTURA 17' }, remittance: { texts: ['OVERFOERSEL FRA', 'SOEREN AABY'] } },
        ],
      },
      { amount: 3_456n, sign: 'debit', bookingDay: '2026-12-31', valueDay: '2027-01-02' },
    ]);
  });

  it('Polish: another sign between subfields, an MT942 with its instant and what the bank counted', async () => {
    const file = bareMessage(
      ':20:ST261126CYC/0001',
      ':25:PL61109010140000071219812874',
      ':28C:1/1',
      ':34F:PLN0,',
      ':13D:2611261815+0100',
      ':61:2611261126CN0,01NTRFNONREF//MB1',
      ':86:020~00WPLATA~20Faktura 17~3010901014~310000071219812874~32JAN NOWAK~33 UL. NIJAKA',
      ':61:2611261126EDN5,00NTRFNONREF',
      ':90D:0PLN0,00',
      ':90C:1PLN0,01',
    );
    const items = await itemsOf(file);
    expect(items[0]).toMatchObject({ message: 'mt942' });
    const at = '2026-11-26T18:15:00+01:00';
    expect(ofType(items, 'statement')).toMatchObject([{ created: at, to: at, account: { currency: 'PLN' } }]);
    expect(ofType(items, 'entry')).toMatchObject([
      {
        status: 'BOOK',
        amount: 1n,
        details: [
          {
            debtor: { name: 'JAN NOWAK UL. NIJAKA', other: '0000071219812874' },
            remittance: { texts: ['Faktura 17'] },
          },
        ],
      },
      { status: 'PDNG', sign: 'debit' },
    ]);
    const count = (number: bigint, sum: bigint) => ({ count: number, sum });
    expect(ofType(items, 'statement_end')).toMatchObject([
      { summary: { currency: 'PLN', all: null, credits: count(1n, 1n), debits: count(0n, 0n) } },
    ]);
  });
});

describe('what comes back', () => {
  it.each([
    ['159', '902', '902'],
    ['160', '', '160'],
    ['166', '000', null],
  ])('code %s with extension %s is a return for %s', async (code, extension, proprietary) => {
    const text = `:86:${code}?00RETOURE?20EREF+PO1?21RREF+R 1?22BREF+B 1?23SVWZ+Hi${extension && `?34${extension}`}`;
    const { detail } = await read(mt940(':61:2611261126CR1,00NTRFNONREF', text));
    expect(detail).toMatchObject({
      returned: proprietary === null ? null : { code: null, proprietary },
      references: { endToEndId: 'PO1' },
      remittance: { texts: ['Hi'] },
    });
  });
});

describe('what moves', () => {
  it.each([
    ['C', 'credit', false],
    ['D', 'debit', false],
    ['RC', 'debit', true],
    ['RD', 'credit', true],
    ['RCR', 'debit', true],
    ['RDR', 'credit', true],
    ['DD', 'debit', false],
  ])('%s is a %s', async (mark, sign, reversal) => {
    const { entry } = await read(mt940(`:61:2611261126${mark}1,00NTRFNONREF`));
    expect(entry).toMatchObject({ sign, reversal, amount: 100n });
  });

  it.each([
    ['EUR', '1234,', 123_400n, []],
    ['EUR', '1234,5', 123_450n, []],
    ['EUR', '1234,500', 123_450n, []],
    ['EUR', ',05', 5n, []],
    ['EUR', '500', 50_000n, ['amount_without_comma']],
    ['JPY', '1000,', 1_000n, []],
    ['JPY', '1000,00', 1_000n, []],
    ['KWD', '1,234', 1_234n, []],
  ])('%s %s', async (currency, amount, minor, notes) => {
    const found = await read(mt940(`:61:2611261126C${amount}NTRFNONREF`).replaceAll('EUR', currency));
    expect([found.entry?.amount, found.notes]).toEqual([minor, notes]);
  });

  it('an entry over zero is left out, and counted', async () => {
    const { items, notes } = await read(mt940(':61:2611261126C0,00NTRFNONREF'));
    expect([ofType(items, 'entry'), ofType(items, 'statement_end')]).toMatchObject([[], [{ zeroEntries: 1 }]]);
    expect(notes).toEqual(['zero_entry']);
  });
});

describe('days', () => {
  it.each([
    ['991231', '1999-12-31'],
    ['800101', '1980-01-01'],
    ['791231', '2079-12-31'],
    ['240229', '2024-02-29'],
  ])('%s is %s', async (text, day) => {
    expect((await read(mt940(`:61:${text}C1,00NTRFNONREF`))).entry).toMatchObject({ bookingDay: day, valueDay: day });
  });

  it('a value on 30 February is none, and is noted', async () => {
    const { entry, notes } = await read(mt940(':61:2602300227C1,00NTRFNONREF'));
    expect([entry?.valueDay, entry?.bookingDay, notes]).toEqual([null, '2026-02-27', ['value_left_out']]);
  });

  it.each([
    ['the day of the closing balance before: the day after it is the first', 'C261125', ':61:261126C1,00NTRF', 'PRCD'],
    ['the day of the first entry: that is the first', 'C261126', ':61:261126C1,00NTRF', 'OPBD'],
    ['no entries', 'C261125', '', 'PRCD'],
  ])('the opening balance has %s', async (_, opening, line, code) => {
    const file = mt940(...(line === '' ? [] : [line])).replace('C261125', opening);
    expect(ofType(await itemsOf(file), 'balance')[0]?.code).toBe(code);
  });
});

describe('accounts', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', { iban: 'DE89370400440532013000', other: null, currency: 'EUR' }],
    ['DE89370400440532013000USD', { iban: 'DE89370400440532013000', currency: 'USD' }],
    ['37040044/0532013000EUR', { iban: null, other: '37040044/0532013000', currency: 'EUR' }],
    ['//AT39364/12345678912/EUR', { iban: null, other: 'AT39364/12345678912', bic: null }],
    ['DABADKKK/DK5000400440116243', { iban: 'DK5000400440116243', bic: 'DABADKKK' }],
    ['123456789', { iban: null, other: '123456789', bic: null }],
    ['', { iban: null, other: null }],
  ])('%s', async (text, account) => {
    const { items, notes } = await read(mt940().replace('37040044/532013000', text));
    expect(ofType(items, 'statement')[0]?.account).toMatchObject(account);
    expect(notes).toEqual(text === '' ? ['account_missing'] : []);
  });

  it('the BIC of :25P:', async () => {
    const file = mt940().replace(':25:37040044/532013000', ':25P:123456789\r\nCOBADEFFXXX');
    expect(ofType(await itemsOf(file), 'statement')[0]?.account).toMatchObject({
      other: '123456789',
      bic: 'COBADEFFXXX',
    });
  });
});

describe('encodings', () => {
  const file = mt940(':61:2611261126C1,00NTRFNONREF', ':86:166?20SVWZ+Grüße?32Jürgen Žák');
  const nameIn = async (bytes: Uint8Array) => {
    const { detail, notes } = await read(bytes, 7);
    return [detail?.debtor.name, detail?.remittance.texts[0], notes];
  };
  const windows = (text: string) => Buffer.from([...text].map((sign) => (sign === 'Ž' ? 0x8e : sign.charCodeAt(0))));

  it.each([
    ['UTF-8', Buffer.from(file), []],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${file}`), []],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${file}`, 'utf16le'), []],
    ['windows-1252', windows(file), ['encoding_assumed']],
  ])('%s', async (_, bytes, notes) => {
    expect(await nameIn(bytes)).toEqual(['Jürgen Žák', 'Grüße', notes]);
  });

  it.each([
    ['windows-1250', Buffer.from('J\xfcrgen \x8e\xe1k', 'latin1')],
    ['utf-16le', Buffer.from('Jürgen Žák', 'utf16le')],
  ] as const)('%s, if that is said', async (encoding, name) => {
    const [before = '', after = ''] = file.replace('Grüße', '').split('Jürgen Žák');
    const unit = encoding === 'utf-16le' ? 'utf16le' : 'latin1';
    const bytes = Buffer.concat([Buffer.from(before, unit), name, Buffer.from(after, unit)]);
    const items = await itemsOf(bytes, { encoding }, 7);
    expect([ofType(items, 'entry')[0]?.details[0]?.debtor.name, notesOf(items)]).toEqual(['Jürgen Žák', []]);
  });

  it('controls and marks of direction show a mark in their place', async () => {
    const { detail, notes } = await read(file.replace('Grüße', 'a\u0000b\u202ec'));
    expect([detail?.remittance.texts, notes]).toEqual([['a\ufffdb\ufffdc'], ['text_unsafe']]);
  });
});

describe('what a payer writes', () => {
  it.each([
    ['a word of SEPA within the text', '?20SVWZ+Hi EREF+PO2 KREF+BF2', null],
    ['in a piece of its own, behind that of the bank', '?20EREF+PO1?21SVWZ+Hi?22EREF+PO2', 'PO1'],
  ])('%s is no word of the bank', async (_, text, endToEndId) => {
    const { detail } = await read(mt940(':61:2611261126C1,00NTRFNONREF', `:86:166${text}`));
    expect(detail?.references).toMatchObject({ endToEndId, paymentInformationId: null });
  });

  it('a subfield of a party before that of the bank, and a sign of a return', async () => {
    const german = await read(mt940(':61:2611261126C1,00NTRFNONREF', ':86:166?20Hi?32Evil?31X?20 you?31DE02?32Good'));
    expect(german.detail).toMatchObject({ debtor: { name: 'Good', other: 'DE02' }, returned: null });
    const text = ':86:/CNTP/NL32INGB0000012345//Good///REMI/USTD//Hi/RTRN/AC04/TRCD/159/NAME/Evil/';
    const dutch = await read(mt940(':61:2611261126C1,00NTRFNONREF', text));
    expect(dutch.detail).toMatchObject({ debtor: { name: 'Good' }, returned: null });
    expect(dutch.entry?.transactionCode?.proprietary).toBe('NTRF');
  });
});
