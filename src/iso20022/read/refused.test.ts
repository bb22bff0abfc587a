import { describe, expect, it } from 'vitest';
import { HOLD_A_CORE } from '../../../test/support/bank/hostile-files.ts';
import {
  ACCOUNT,
  balance,
  chunksOf,
  entry,
  itemsOf,
  ofType,
  refusalOf,
  sample,
  statement,
} from '../../../test/support/bank/read-documents.ts';
import { StatementFileError } from './bank-file-error.ts';
import { readStatementFile } from './read.ts';

const CREDIT = '<CdtDbtInd>CRDT</CdtDbtInd>';
const inEntry = (parts: Readonly<Record<string, string>>): string => statement(ACCOUNT + entry(parts));
const details = (count: number): string => `<NtryDtls>${'<TxDtls></TxDtls>'.repeat(count)}</NtryDtls>`;

describe('what could book wrong money is refused, with its place', () => {
  const AMOUNT = '/Document/BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt';

  it.each([
    ['three decimals of EUR', '<Amt Ccy="EUR">1.005</Amt>', 'The amount has 3 decimals, and EUR has 2.'],
    ['a decimal of JPY', '<Amt Ccy="JPY">1.5</Amt>', 'The amount has 1 decimal, and JPY has 0.'],
    ['a digit behind zeros', '<Amt Ccy="EUR">1.00001</Amt>', 'The amount has 5 decimals, and EUR has 2.'],
    ['a sign', '<Amt Ccy="EUR">-1.00</Amt>', 'This is not an amount'],
    ['a comma', '<Amt Ccy="EUR">1,00</Amt>', 'This is not an amount'],
    ['an exponent', '<Amt Ccy="EUR">1e3</Amt>', 'This is not an amount'],
    ['nothing', '<Amt Ccy="EUR"/>', 'This is not an amount'],
    ['digits of another script', '<Amt Ccy="EUR">١</Amt>', 'This is not an amount'],
    ['100 digits', `<Amt Ccy="EUR">${'9'.repeat(100)}</Amt>`, 'This is not an amount'],
    ['30 digits', `<Amt Ccy="EUR">${'9'.repeat(30)}</Amt>`, 'The amount is larger'],
    ['no currency', '<Amt>1.00</Amt>', 'The amount has no currency.'],
    ['an unknown currency', '<Amt Ccy="QQQ">1.00</Amt>', 'The amount is in QQQ, which is not a known currency, so'],
    ['no code at all', '<Amt Ccy="Anna">1.00</Amt>', 'The amount is in a currency that is not known, so'],
  ])('an amount: %s', async (_, amount, sentence) => {
    const { code, message, place } = await refusalOf(inEntry({ amount }));
    expect([code, place?.path]).toEqual(['value', AMOUNT]);
    expect(message.startsWith(sentence)).toBe(true);
    await expect(itemsOf(statement(ACCOUNT + balance(amount, CREDIT)))).rejects.toThrow(sentence);
  });

  it.each([
    ['no amount', { amount: '' }, 'The entry has no amount.'],
    ['two amounts', { rest: '<Amt Ccy="EUR">2.00</Amt>' }, 'Amt stands here twice.'],
    ['no sign', { sign: '' }, 'The entry does not say whether it is CRDT or DBIT.'],
    ['two signs', { rest: CREDIT }, 'CdtDbtInd stands here twice.'],
    ['another sign', { sign: '<CdtDbtInd>crdt</CdtDbtInd>' }, 'This must be CRDT or DBIT.'],
    ['two statuses', { rest: '<Sts>BOOK</Sts>' }, 'Sts stands here twice.'],
    ['a reversal that is neither', { rest: '<RvslInd>maybe</RvslInd>' }, 'This must be true or false.'],
    ...[
      ['2026-02-29', '"2026-02-29" is'],
      ['31.03.2026', '"31.03.2026" is'],
      ['20261131', '"20261131" is'],
      ['2026-13-01T12:00:00.123+01:00', '"2026-13-01T12:00:00.123+01:00" is'],
      ['Anna Berg', 'This is'],
      ['0123456789', 'This is'],
      ['2026-02-28 of Anna', 'This is'],
    ].map(([text, start]): [string, object, string] => [
      `a day that is none: ${text}`,
      { day: `<BookgDt><Dt>${text}</Dt></BookgDt>` },
      `${start} not a day: write it as YYYY-MM-DD, one that exists. (`,
    ]),
  ])('an entry: %s', async (_, parts, sentence) => {
    await expect(itemsOf(inEntry(parts as Record<string, string>))).rejects.toThrow(sentence);
  });

  it('control: the entry they are made from is read', async () => {
    expect(ofType(await itemsOf(inEntry({})), 'entry')).toHaveLength(1);
  });

  it.each([
    ['two accounts', `${ACCOUNT}<Acct><Id><IBAN>DE02</IBAN></Id></Acct>`, 'Acct stands here twice.'],
    ['a copy that is not known', `${ACCOUNT}<CpyDplctInd>MAYBE</CpyDplctInd>`, 'This must be COPY, DUPL or CODU.'],
    ['an account after too many entries', entry().repeat(300) + ACCOUNT, 'Id stands after too much of what it is'],
  ])('a statement: %s', async (_, parts, sentence) => {
    await expect(itemsOf(statement(parts))).rejects.toThrow(sentence);
  });

  it('control: an account after fewer entries is read', async () => {
    expect(ofType(await itemsOf(statement(entry().repeat(200) + ACCOUNT)), 'statement')[0]?.account.iban).toBeTruthy();
  });
});

describe('what is no statement file is refused with a sentence', () => {
  const DOCUMENT = statement(ACCOUNT);

  it.each([
    ['nothing', '', 'format', 'The file is empty.'],
    ['blanks', ' \n\t ', 'format', 'This is neither XML nor a ZIP'],
    ['JSON', '{"a":1}', 'format', 'This is neither XML nor a ZIP'],
    ['a block of SWIFT alone', '{1:F01DEUTDEFF}', 'mt', 'There is no MT940'],
    ['HTML', '<html><body></body></html>', 'message', 'There is no message of ISO 20022'],
    ['a pain.001', '<Document><CstmrCdtTrfInitn/></Document>', 'message', 'This is a payment order (pain.001)'],
    ['another message', '<Document><Xyz/></Document>', 'message', 'This is another message'],
    ['two names', DOCUMENT.replace('camt.053', 'camt.052'), 'message', 'The namespace and the first element'],
    ['a file that was cut', DOCUMENT.slice(0, -20), 'xml', 'The XML ends'],
    ['elements across', DOCUMENT.replace('</Stmt>', '</Stm>'), 'xml', 'The XML'],
    ['a declaration within', DOCUMENT.replace('<Stmt>', '<?xml version="1.0"?><Stmt>'), 'xml', 'An XML declaration'],
    ['a DOCTYPE', `<!DOCTYPE a SYSTEM "file:///etc/passwd">${DOCUMENT}`, 'doctype', 'The XML has a DOCTYPE'],
    ['XML 1.1', `<?xml version="1.1"?>${DOCUMENT.replace('<Id>S', '<Id>&#x1f;')}`, 'xml', 'The XML is of version 1.1'],
    ['a reference to a control', DOCUMENT.replace('<Id>S', '<Id>&#x1f;'), 'xml', 'A character reference in the XML'],
    ['an entity', DOCUMENT.replace('<Id>S', '<Id>&secret;'), 'xml', 'The XML uses an entity'],
    ['a control character', DOCUMENT.replace('<Id>S', '<Id>\u0001'), 'xml', 'The XML holds a character'],
  ])('%s', async (_, text, code, sentence) => {
    const refusal = await refusalOf(text);
    expect(refusal.code).toBe(code);
    expect(refusal.message.startsWith(sentence) ? '' : refusal.message).toBe('');
  });

  it('says nothing of what stands in it', async () => {
    const secret = 'GB33BUKB20201555555555';
    for (const text of [
      inEntry({ amount: `<Amt Ccy="${secret}">1</Amt>` }),
      inEntry({ amount: `<Amt Ccy="EUR">${secret}</Amt>` }),
      inEntry({ day: `<BookgDt><Dt>${secret}</Dt></BookgDt>` }),
      statement(ACCOUNT).replace('<Id>S', `<Id>&${secret};`),
      statement(ACCOUNT).replace('</Stmt>', `</${secret}>`),
      secret,
    ]) {
      const { message, sentence, place } = await refusalOf(text);
      expect(JSON.stringify([message, sentence, place])).not.toContain(secret);
    }
  });
});

describe('bounds', () => {
  const limited = async (text: string, limits: Parameters<typeof refusalOf>[1]): Promise<string> => {
    await itemsOf(text); // control: the same is read with the bounds of the service
    const { code, sentence } = await refusalOf(text, limits);
    return `${code}: ${sentence}`;
  };

  it.each([
    ['bytes', { maxBytes: 100 }, statement(ACCOUNT), 'limit: The file is larger than 100 bytes.'],
    ['depth', { maxDepth: 5 }, inEntry({}), 'limit: Elements stand deeper than 5.'],
    ['a text', { maxTextCharacters: 10 }, inEntry({}), 'limit: A text is longer than 10 characters.'],
    [
      'what stands between two tags',
      { maxTokenCharacters: 100 },
      statement(`${ACCOUNT}<!--${'x'.repeat(70_000)}-->`),
      'limit: There are more than 100 characters between two tags.',
    ],
    ['elements', { maxPartElements: 4 }, inEntry({ rest: '<A/><A/>' }), 'limit: More than 4 elements in one part.'],
    [
      'details',
      { maxEntryDetails: 2 },
      inEntry({ rest: details(3) }),
      'limit: One entry has more than 2 transactions.',
    ],
    [
      'texts of an entry',
      { maxEntryCharacters: 20 },
      inEntry({ rest: '<AddtlNtryInf>0123456789</AddtlNtryInf>' }),
      'limit: One entry holds more than 20 characters of text.',
    ],
    [
      'reasons of a payment',
      { maxReasons: 2 },
      sample('pain002.xml')
        .toString()
        .replace('<PmtInfSts>', `${'<StsRsnInf/>'.repeat(3)}<PmtInfSts>`),
      'limit: More than 2 reasons for one status.',
    ],
  ] as const)('of %s', async (_, limits, text, refusal) => {
    expect(await limited(text, limits)).toBe(refusal);
  });

  it('the service reads an entry of 20,000 transactions, and not one of 100,001', async () => {
    const [batch] = ofType(await itemsOf(inEntry({ rest: details(20_000) })), 'entry');
    expect(batch?.details).toHaveLength(20_000);
    expect((await refusalOf(inEntry({ rest: details(100_001) }))).sentence).toContain('more than 100000 transactions');
  });
});

/** Refuses it, and says how many bytes it had read by then. */
async function refusedAfter(text: string): Promise<{ readonly refusal: StatementFileError; readonly bytes: number }> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of chunksOf(text, 1_000)) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  try {
    for await (const _ of readStatementFile(counted()));
  } catch (error) {
    if (error instanceof StatementFileError) return { refusal: error, bytes };
    throw error;
  }
  throw new Error('The file was read.');
}

// In milliseconds: test/long/bank-files.test.ts.
describe('what is made to hold a core', () => {
  it.each(HOLD_A_CORE)('%s: refused where it begins', async (_, text, code, sentence) => {
    const { refusal, bytes } = await refusedAfter(text);
    expect([refusal.code, refusal.sentence]).toEqual([code, expect.stringContaining(sentence)]);
    expect(bytes).toBeLessThan(4_000);
    expect((await refusalOf(text)).code).toBe(code);
  });

  it('control: what is refused at its end is read to the end', async () => {
    const text = statement(ACCOUNT + entry().repeat(100) + '<Ntry/>');
    expect((await refusedAfter(text)).bytes).toBe(text.length);
  });
});
