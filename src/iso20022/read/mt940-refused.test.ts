/** MT940 and MT942 that nobody should book: what could be wrong money, what is cut off, what holds a core, and what somebody broke. */
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../../test/support/bank/fuzz.ts';
import { bareMessage, brokenMessages, messageInBlocks, mt940 } from '../../../test/support/bank/messages.ts';
import { chunksOf, itemsOf, ofType, refusalOf } from '../../../test/support/bank/read-documents.ts';
import { StatementFileError } from './bank-file-error.ts';
import { readStatementFile } from './read.ts';

const LINE = ':61:2611261126C1,00NTRFNONREF';
const NOT_A_BOOKING = 'This is not a booking';
const OPENING = ':60F:C261125EUR1000,00';

describe('what could book wrong money is refused, with its line', () => {
  it.each([
    ['three decimals of EUR', LINE.replace('1,00', '1,005'), 'The amount has 3 decimals, and EUR has 2.'],
    ['a point', LINE.replace('1,00', '1.00'), NOT_A_BOOKING],
    ['thousands with a point', LINE.replace('1,00', '1.000,00'), NOT_A_BOOKING],
    ['thousands with a blank', LINE.replace('1,00', '1 000,00'), NOT_A_BOOKING],
    ['two commas', LINE.replace('1,00', '1,000,00'), NOT_A_BOOKING],
    ['a sign', LINE.replace('1,00', '-1,00'), NOT_A_BOOKING],
    ['no amount', LINE.replace('1,00', ''), NOT_A_BOOKING],
    ['20 digits', LINE.replace('1,00', '99999999999999999999,'), 'The amount is larger'],
    ['100 digits', LINE.replace('1,00', `${'9'.repeat(100)},`), NOT_A_BOOKING],
    ['no sign', LINE.replace('C1', '1'), NOT_A_BOOKING],
    ['another sign', LINE.replace('C1', 'X1'), NOT_A_BOOKING],
    ['a day that is none', ':61:261332C1,00NTRFNONREF', NOT_A_BOOKING],
    ['an entry day that is none', ':61:2611261332C1,00NTRFNONREF', NOT_A_BOOKING],
    ['nothing', ':61:', NOT_A_BOOKING],
  ])('a booking: %s', async (_, line, sentence) => {
    const { code, message, place } = await refusalOf(mt940(LINE, line));
    expect([code, place]).toEqual(['value', { line: 6, path: ':61:' }]);
    expect(message.startsWith(sentence)).toBe(true);
    expect(message).toContain('(line 6, :61:)');
  });

  it('control: the booking they are made from is read', async () => {
    expect(ofType(await itemsOf(mt940(LINE, LINE)), 'entry')).toHaveLength(2);
  });

  it.each([
    ['an opening balance of a currency that is not known', OPENING, ':60F:C261125QQQ1000,00', 'value'],
    ['an opening balance that is none', OPENING, ':60F:X261125EUR1000,00', 'value'],
    ['no opening balance', `${OPENING}\r\n`, '', 'mt'],
    ['two of them', OPENING, `${OPENING}\r\n${OPENING}`, 'value'],
    ['one behind a booking', `${OPENING}\r\n`, `${LINE}\r\n${OPENING}\r\n`, 'mt'],
    ['a closing balance in another currency', ':62F:C261126EUR', ':62F:C261126USD', 'value'],
    ['a closing balance that is none', ':62F:C261126EUR1000,00', ':62F:C261126EUR', 'value'],
    ['two of them', ':62F:', ':62F:C261126EUR1,\r\n:62F:', 'value'],
    ['no closing balance', ':62F:C261126EUR1000,00\r\n', '', 'mt'],
    ['a booking behind the closing balance', '-\r\n', `${LINE}\r\n-\r\n`, 'order'],
    ['two accounts', ':28C:', ':25:1\r\n:28C:', 'value'],
    ['an account behind a booking', ':62F:', ':25:1\r\n:62F:', 'value'],
    ['a number behind a booking', ':62F:', ':28C:1\r\n:62F:', 'value'],
  ])('a message: %s', async (_, part, replacement, code) => {
    const file = mt940(LINE);
    expect(file).toContain(part);
    expect((await refusalOf(file.replace(part, replacement))).code).toBe(code);
  });

  it.each([
    [OPENING, ':60F:C261125QQQ1000,00', 'The amount is in QQQ, which is not a known currency, so its decimals are'],
    [':62F:C261126EUR', ':62F:C261126USD', 'The balance is in USD, and the opening balance in EUR.'],
  ])('says which currency it is: %s', async (part, replacement, sentence) => {
    expect((await refusalOf(mt940(LINE).replace(part, replacement))).sentence).toContain(sentence);
  });

  it('an account that comes after the first booking', async () => {
    const file = bareMessage(':20:A', OPENING, LINE, ':25:1', ':62F:C261126EUR1,');
    expect((await refusalOf(file)).code).toBe('order');
  });
});

describe('what is cut off is refused', () => {
  const whole = messageInBlocks('942', ':20:A', ':25:1', ':28C:1', ':34F:EURD0,', LINE, LINE);
  it.each([
    ['an MT942 without the end of its block', whole.slice(0, whole.indexOf('-}'))],
    ['two of which the first has no end', whole.replace(/-\}.*$/, '') + whole],
    ['an MT940 without its closing balance', mt940(LINE).slice(0, mt940(LINE).indexOf(':62F:'))],
    ['nothing but a reference', ':20:A\r\n'],
    ['blocks without a field', '{1:F01}{2:I940X}{4:\r\n-}'],
  ])('%s', async (_, file) => expect((await refusalOf(file)).code).toBe('mt'));

  it('control: the whole one is read', async () => {
    expect(ofType(await itemsOf(whole + whole), 'entry')).toHaveLength(4);
  });
});

it('another message of SWIFT is named', async () => {
  const { code, sentence } = await refusalOf(messageInBlocks('910', ':20:A'));
  expect([code, sentence]).toEqual(['message', 'This is an MT910: MT940 and MT942 are read.']);
});

describe('what holds a core', () => {
  it.each([
    ['a line of a megabyte', `:86:${'x'.repeat(1_000_000)}`],
    ['a million subfields', `:86:166${'?20'.repeat(1_000_000)}`],
    ['a field of 100,000 lines', `:86:x\r\n${'1234567890\r\n'.repeat(100_000)}`],
    ['a field that nobody reads, of 100,000 lines', `:NS:x\r\n${'1234567890\r\n'.repeat(100_000)}`],
    ['100,000 fields behind one booking', ':86:1234567890\r\n'.repeat(100_000)],
  ])('%s is refused', async (_, text) => {
    for (const size of [1_000, 65_536]) {
      await expect(itemsOf(mt940(LINE, text), {}, size)).rejects.toThrow(/longer than \d+ (?:characters|bytes)/);
    }
    expect((await refusalOf(mt940(LINE, text))).code).toBe('limit');
  });

  it.each([
    ['a line without an end', Buffer.alloc(1_000_000, 'x')],
    ['bytes that are no text', Buffer.alloc(1_000_000, 0xff)],
  ])('%s is refused', async (_, bytes) => {
    const file = Buffer.concat([Buffer.from(':20:A\r\n'), bytes]);
    expect((await refusalOf(file)).code).toBe('limit');
  });

  it.each([
    ['subfields', '?20'],
    ['words of SEPA', '?20SVWZ+?20EREF+'],
    ['slashes', '/'],
    ['codes', '/REMI/'],
    ['blanks', ' '],
    ['digits', '1'],
    ['references', 'RF71 K3W2 '],
  ])('a field full of %s is read: its texts are cut', async (_, part) => {
    for (const start of ['', '166?20', '166', '/EREF/']) {
      const text = `:86:${start}${part.repeat(65_000 / part.length)}`;
      const [entry] = ofType(await itemsOf(mt940(LINE, text)), 'entry');
      const shown = JSON.stringify(entry?.details, (_name, value: unknown) => (typeof value === 'bigint' ? '' : value));
      expect(shown.length).toBeLessThan(5_000);
    }
  });

  it('an entry of more than it may take is read in order, however many there are', async () => {
    const items = await itemsOf(mt940(...Array.from({ length: 10_000 }, () => `${LINE}\r\n:86:166?20A`)));
    expect(ofType(items, 'statement_end')).toMatchObject([{ entries: 10_000 }]);
  });
});

describe('500 broken messages', () => {
  it('are read or refused', async () => {
    const { complaints, read, refused, codes } = await fuzz(
      readStatementFile,
      500,
      1,
      undefined,
      brokenMessages(500, 1),
    );
    expect(complaints).toEqual([]);
    // Control: they were broken in many ways, and not so that nothing could be read.
    expect([read > 50, refused > 100]).toEqual([true, true]);
    expect([...codes].sort()).toEqual(expect.arrayContaining(['format', 'mt', 'value']));
  });

  it('control: a reader that throws something else is noticed', async () => {
    const reader = async function* (source: AsyncIterable<Uint8Array>) {
      try {
        yield* readStatementFile(source);
      } catch (error) {
        throw error instanceof StatementFileError ? new TypeError(error.message) : error;
      }
    };
    const { complaints } = await fuzz(reader, 50, 1, undefined, brokenMessages(50, 1));
    expect(complaints).not.toEqual([]);
  });

  it('give the same in pieces of any size', async () => {
    for (const { how, bytes } of brokenMessages(60, 2)) {
      const outcome = async (size: number) => {
        const items: unknown[] = [];
        try {
          for await (const item of readStatementFile(chunksOf(bytes, size))) items.push(item);
        } catch (error) {
          return [how, items, (error as Error).message];
        }
        return [how, items];
      };
      expect(await outcome(1)).toEqual(await outcome(65_536));
    }
  });
});
