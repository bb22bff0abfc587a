import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  balance,
  entry,
  itemsOf,
  notesOf,
  ofType,
  statement,
} from '../../../test/support/bank/read-documents.ts';

describe('what occurs and is tolerated with a note', () => {
  const read = async (parts: string, message?: Parameters<typeof statement>[1], version?: string) => {
    const items = await itemsOf(statement(parts, message, version));
    return {
      notes: notesOf(items),
      entries: ofType(items, 'entry'),
      balances: ofType(items, 'balance'),
      statements: ofType(items, 'statement'),
      ends: ofType(items, 'statement_end'),
    };
  };
  const first = async (
    parts: Readonly<Record<string, string>>,
    message?: Parameters<typeof statement>[1],
    version?: string,
  ) => {
    const { entries, notes } = await read(ACCOUNT + entry(parts), message, version);
    return { ...entries[0], notes };
  };

  it('control: nothing, of a plain statement', async () => {
    expect(await first({})).toMatchObject({ status: 'BOOK', notes: [] });
  });

  it.each([
    ['a control', '\u0085', '\u0085'],
    ['a mark of direction', '\u202e', '\u202e'],
    ['a mark of direction as a reference', '&#x2066;', '\u2066'],
    ['a separator of lines', '\u2028', '\u2028'],
  ])('a text with %s shows a mark in its place', async (_, written, unsafe) => {
    const { notes, ...found } = await first({ rest: `<AddtlNtryInf>one${written}two</AddtlNtryInf>` });
    const text = JSON.stringify(found, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect([text.includes('one\ufffdtwo'), text.includes(unsafe), notes]).toEqual([true, false, ['text_unsafe']]);
  });

  it.each([
    ['a status as text in a late version', '<Sts>PDNG</Sts>', '08', 'PDNG', 'status_as_text'],
    ['a status as text in an early version', '<Sts>PDNG</Sts>', '02', 'PDNG', undefined],
    ['a status as code in an early version', '<Sts><Cd>INFO</Cd></Sts>', '02', 'INFO', 'status_as_code'],
    ['a status as code in a late version', '<Sts><Cd>FUTR</Cd></Sts>', '08', 'FUTR', undefined],
    ['a status of the bank', '<Sts><Prtry>MAYBE</Prtry></Sts>', '08', null, 'status_unknown'],
    ['a status that is not known', '<Sts><Cd>BKED</Cd></Sts>', '08', null, 'status_unknown'],
  ])('%s', async (_, status, version, read, note) => {
    const found = await first({ status }, 'camt.052', version);
    expect([found.status, found.notes]).toEqual([read, note === undefined ? [] : [note]]);
  });

  it('no status: booked in a camt.053, nothing in a camt.052 or camt.054', async () => {
    expect(await first({ status: '' })).toMatchObject({ status: 'BOOK', notes: ['status_missing'] });
    expect(await first({ status: '' }, 'camt.052')).toMatchObject({ status: null, notes: ['status_missing'] });
    expect(await first({ status: '<Sts/>' }, 'camt.054')).toMatchObject({ status: null, notes: ['status_missing'] });
  });

  it('no booking day', async () => {
    expect(await first({ day: '' })).toMatchObject({ bookingDay: null, notes: ['booking_day_missing'] });
  });

  it('an instant for a day: it stays one, since only the bank account knows its day', async () => {
    const at = '2026-03-31T23:59:59.5-05:00';
    const day = `<BookgDt><DtTm>${at}</DtTm></BookgDt>`;
    expect(await first({ day })).toMatchObject({ bookingDay: at, notes: ['instant_for_day'] });
    const zoned = '<BookgDt><Dt>2026-03-31+02:00</Dt></BookgDt>';
    expect(await first({ day: zoned })).toMatchObject({ bookingDay: '2026-03-31', notes: [] });
  });

  it('an IBAN under Othr; another number stays what it is', async () => {
    const account = (number: string) => `<Acct><Id><Othr><Id>${number}</Id></Othr></Id></Acct>`;
    const iban = await read(account('DE89 3704 0044 0532 0130 00'));
    expect(iban.statements[0]?.account).toMatchObject({ iban: 'DE89370400440532013000', other: null });
    expect(iban.notes).toEqual(['iban_under_other']);
    const other = await read(account('DE89370400440532013001'));
    expect(other.statements[0]?.account).toMatchObject({ iban: null, other: 'DE89370400440532013001' });
    expect(other.notes).toEqual([]);
  });

  it('a balance without a sign, and one without a day', async () => {
    const { balances, notes } = await read(
      ACCOUNT +
        balance('<Amt Ccy="EUR">5</Amt>', '') +
        balance('<Amt Ccy="EUR">5</Amt>', '<CdtDbtInd>DBIT</CdtDbtInd>', ''),
    );
    expect(balances).toMatchObject([
      { amount: 500n, day: '2026-03-31' },
      { amount: -500n, day: null },
    ]);
    expect(notes).toEqual(['balance_sign_missing', 'balance_day_missing']);
  });

  it('leading zeros of amounts and sequences', async () => {
    const amount = '<Amt Ccy="EUR">000000000000000000000012.30</Amt>';
    expect(await first({ amount })).toMatchObject({ amount: 1_230n, notes: ['leading_zeros'] });
    const { statements, notes } = await read(`${ACCOUNT}<ElctrncSeqNb>003</ElctrncSeqNb><LglSeqNb>0</LglSeqNb>`);
    expect(statements).toMatchObject([{ electronicSequence: 3n, legalSequence: 0n }]);
    expect(notes).toEqual(['leading_zeros']);
  });

  it.each([
    ['EUR', '5.000', 500n, ['trailing_zeros']],
    ['EUR', '5.10000', 510n, ['trailing_zeros']],
    ['JPY', '1000.00', 1_000n, ['trailing_zeros']],
    ['JPY', '1000.', 1_000n, []],
    ['KWD', '5.100', 5_100n, []],
  ])('zeros behind the decimals: %s %s', async (currency, written, minor, notes) => {
    const amount = `<Amt Ccy="${currency}">${written}</Amt>`;
    const summed = '<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>' + written + '</Sum></TtlNtries></TxsSummry>';
    const found = await read(
      ACCOUNT.replace('EUR', currency) + balance(amount, '<CdtDbtInd>CRDT</CdtDbtInd>') + summed + entry({ amount }),
    );
    expect(found).toMatchObject({
      balances: [{ amount: minor }],
      entries: [{ amount: minor, currency }],
      ends: [{ summary: { all: { sum: minor } } }],
      notes,
    });
  });

  it('an account after the entries, a header after the statement, a sign before the amount', async () => {
    const late = await read(entry() + balance('<Amt Ccy="EUR">1</Amt>', '<CdtDbtInd>CRDT</CdtDbtInd>') + ACCOUNT);
    expect(late.statements[0]).toMatchObject({ id: 'S', account: { iban: 'DE89370400440532013000' } });
    expect([late.entries.length, late.balances.length, late.notes]).toEqual([1, 1, ['out_of_order']]);

    const header = '<GrpHdr><MsgId>M</MsgId></GrpHdr>';
    const paged = '<GrpHdr><MsgId>M2</MsgId><MsgPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></MsgPgntn></GrpHdr>';
    const text = statement(ACCOUNT).replace(header, '').replace('</BkToCstmrStmt>', `${paged}</BkToCstmrStmt>`);
    const items = await itemsOf(text);
    expect(items).toMatchObject([
      { type: 'document', id: 'M2', page: { number: 2n, last: false } },
      { type: 'statement', page: null },
      { type: 'statement_end' },
      { type: 'document_end', notes: [{ code: 'out_of_order', count: 1, line: 1 }] },
    ]);

    const turned = await first({ amount: '<CdtDbtInd>DBIT</CdtDbtInd>', sign: '<Amt Ccy="EUR">2.00</Amt>' });
    expect(turned).toMatchObject({ amount: 200n, sign: 'debit', notes: ['out_of_order'] });
  });

  it('an entry over zero is left out, and counted', async () => {
    const { entries, ends, notes } = await read(ACCOUNT + entry({ amount: '<Amt Ccy="EUR">0.00</Amt>' }) + entry());
    expect([entries.length, notes]).toEqual([1, ['zero_entry']]);
    expect(ends).toMatchObject([{ entries: 1, zeroEntries: 1 }]);
  });

  it('an amount that only explains and cannot be read', async () => {
    const rest = (amount: string) => `<NtryDtls><TxDtls>${amount}</TxDtls></NtryDtls>`;
    for (const amount of [
      '<Amt Ccy="EUR">1.005</Amt>',
      '<Amt Ccy="QQQ">1</Amt>',
      '<Amt>1</Amt>',
      '<Amt Ccy="EUR">-1</Amt>',
    ]) {
      expect(await first({ rest: rest(amount) })).toMatchObject({
        details: [{ amount: null }],
        notes: ['amount_left_out'],
      });
    }
    expect(await first({ rest: rest('<Amt Ccy="JPY">1</Amt>') })).toMatchObject({
      details: [{ amount: { minor: 1n, currency: 'JPY' } }],
      notes: [],
    });
  });

  it('a statement without an account or header', async () => {
    const text = statement(entry()).replace('<GrpHdr><MsgId>M</MsgId></GrpHdr>', '');
    const items = await itemsOf(text);
    expect(items[0]).toMatchObject({ type: 'document', id: null });
    expect(notesOf(items)).toEqual(['account_missing']);
  });

  it('no namespace, an unknown version, a prefix, a market, an envelope, blanks before the declaration', async () => {
    const text = statement(ACCOUNT);
    const bare = await itemsOf(text.replace(/ xmlns="[^"]*"/, ''));
    expect([bare[0], notesOf(bare)]).toMatchObject([{ message: 'camt.053', version: null }, ['namespace_missing']]);
    const late = await itemsOf(text.replace('001.08', '001.99'));
    expect([late[0], notesOf(late)]).toMatchObject([{ version: '99' }, ['version_unknown']]);
    const prefixed = await itemsOf(text.replaceAll(/<(\/?)/g, '<$1n:').replace('xmlns=', 'xmlns:n='));
    expect([prefixed[0], notesOf(prefixed)]).toMatchObject([{ message: 'camt.053', version: '08' }, []]);
    const german = await itemsOf(text.replace('001.08', '001.08_GBIC_4'));
    expect(german[0]).toMatchObject({ version: '08', variant: 'GBIC_4' });
    const swiss = 'http://www.six-interbank-clearing.com/de/camt.053.001.04.ch.02.xsd';
    expect((await itemsOf(text.replace(/urn:[^"]*/, swiss)))[0]).toMatchObject({ version: '04', variant: 'ch.02' });
    const wrapped = await itemsOf(`<Envelope><Header/><Body>${text}${text}</Body></Envelope>`);
    expect(ofType(wrapped, 'document')).toHaveLength(2);
    expect(notesOf(wrapped)).toEqual(['envelope', 'envelope']);
    expect(notesOf(await itemsOf(`\n  <?xml version="1.0"?>${text}`))).toEqual(['blank_before_xml']);
  });

  it('version 01: details and account numbers in shapes of their own', async () => {
    const rest = `<Btch><PmtInfId>P</PmtInfId></Btch><TxDtls><RmtInf><Strd><CdtrRefInf><CdtrRefTp><Cd>SCOR</Cd></CdtrRefTp><CdtrRef>RF1</CdtrRef></CdtrRefInf></Strd></RmtInf>
      <RtrInf><RtrRsn><Cd>AC01</Cd></RtrRsn><AddtlRtrRsnInf>no</AddtlRtrRsnInf></RtrInf></TxDtls>`;
    const text = statement(
      `<Acct><Id><BBAN>123</BBAN></Id></Acct>${entry({ status: '<Sts>BOOK</Sts>', rest })}`,
      'camt.052',
      '01',
    );
    const items = await itemsOf(text.replaceAll('BkToCstmrAcctRpt', 'BkToCstmrAcctRptV01'));
    expect(ofType(items, 'statement')).toMatchObject([{ account: { other: '123' } }]);
    expect(ofType(items, 'entry')).toMatchObject([
      {
        batches: [{ paymentInformationId: 'P' }],
        details: [
          {
            remittance: { references: [{ type: 'SCOR', reference: 'RF1' }] },
            returned: { code: 'AC01', texts: ['no'] },
          },
        ],
      },
    ]);
    expect(notesOf(items)).toEqual([]);
  });
});
