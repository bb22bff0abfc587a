/** Files that hosts have joined, and files that they have padded. */
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  entry,
  itemsOf,
  notesOf,
  ofType,
  refusalOf,
  sample,
  statement,
  zipOf,
} from '../../../test/support/bank/read-documents.ts';

const DECLARED = '<?xml version="1.0" encoding="UTF-8"?>';
const LATIN = DECLARED.replace('UTF-8', 'ISO-8859-1');
const MARK = '\ufeff';
const one = statement(ACCOUNT + entry());
const two = statement(ACCOUNT.replace('<Id>S', '<Id>T') + entry() + entry(), 'camt.054');

describe('several XML documents in one file', () => {
  it.each([
    ['with declarations', DECLARED + one + DECLARED + two],
    ['without declarations', one + two],
    ['lines between them', `${DECLARED}\n${one}\r\n\r\n${DECLARED}\n${two}\n`],
    ['a byte order mark before each', MARK + DECLARED + one + MARK + DECLARED + two],
    ['a comment before the second', `${one}<!-- joined -->${two}`],
    ['a comment behind the last', `${one}${two}<!-- joined -->`],
  ])('are read as the files of a ZIP are: %s', async (_, text) => {
    const plain = [...(await itemsOf(one)), ...(await itemsOf(two))];
    const withoutLines = (items: unknown) =>
      JSON.stringify(items, (name, value: unknown) =>
        name === 'line' ? 0 : typeof value === 'bigint' ? `${value}` : value,
      );
    for (const size of [1, 7, 65_536]) {
      expect(withoutLines(await itemsOf(text, {}, size))).toBe(withoutLines(plain));
    }
  });

  it('which lie alike about their encoding', async () => {
    const items = await itemsOf(`${MARK}${LATIN}${one}${LATIN}${two}`);
    expect(notesOf(items)).toEqual(['encoding_differs', 'encoding_differs']);
  });

  it('and in a file of a ZIP', async () => {
    const items = await itemsOf(zipOf([['joined.xml', one + two]]));
    expect(ofType(items, 'document')).toMatchObject([{ file: 'joined.xml' }, { file: 'joined.xml' }]);
  });

  it('one is a report on payments, the others statements', async () => {
    const items = await itemsOf(one + sample('pain002.xml').toString() + two);
    expect(ofType(items, 'document').map(({ message }) => message)).toEqual(['camt.053', 'pain.002', 'camt.054']);
  });

  it('each has its own notes, and its own lines of the file', async () => {
    const odd = statement(`\n${entry({ day: '' })}`);
    const items = await itemsOf(`${one}\n${odd}\n\n${odd}`);
    const notes = ofType(items, 'document_end').map((end) => end.notes.map(({ code, line }) => [code, line]));
    const found = (line: number) => [
      ['booking_day_missing', line + 1],
      ['account_missing', line],
    ];
    expect(notes).toEqual([[], found(2), found(5)]);
  });

  it('a thousand of them', async () => {
    const items = await itemsOf(one.repeat(1_000));
    expect(ofType(items, 'entry')).toHaveLength(1_000);
  });

  it.each([
    ['the second was cut', one + two.slice(0, -20), 'xml', 'The XML ends'],
    ['of the second there is the declaration', one + DECLARED, 'xml', 'The XML holds no element.'],
    ['a comment was cut', `${one}<!-- joi`, 'xml', 'The XML ends'],
    ['one is no message', `${one}<html></html>${two}`, 'message', 'There is no message of ISO 20022'],
    ['the last is no message', `${one}<html></html>`, 'message', 'There is no message of ISO 20022'],
    ['one has a DOCTYPE', `${one}<!DOCTYPE a SYSTEM "a">${two}`, 'doctype', 'The XML has a DOCTYPE'],
    ['one closes more than it opens', `${one}</Document>${two}`, 'xml', 'The XML closes an element'],
    ['they are in two encodings', one + LATIN + two, 'encoding', 'The XML documents'],
  ])('refused where %s', async (_, text, code, sentence) => {
    const refusal = await refusalOf(text);
    expect([refusal.code, refusal.sentence]).toEqual([code, expect.stringContaining(sentence)]);
  });

  it('a refusal names the line of the file', async () => {
    const { place } = await refusalOf(`${one}\r\n\r\n${one.replace('1.00', '\n1.001')}`);
    expect(place).toMatchObject({ line: 3, path: '/Document/BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt' });
  });
});

describe('behind the last element', () => {
  it.each([
    ['blanks', '  ', ['padding_behind_xml']],
    ['a record of blanks', `\r\n${' '.repeat(300_000)}`, ['padding_behind_xml']],
    ['NULs', '\0\0', ['padding_behind_xml']],
    ['a Ctrl-Z', '\r\n\u001a', ['padding_behind_xml']],
    ['line ends, which are usual', '\r\n\n', []],
  ])('%s', async (_, padding, notes) => {
    for (const size of [1_000, 65_536]) {
      const items = await itemsOf(one + padding, {}, size);
      expect([ofType(items, 'entry').length, notesOf(items)]).toEqual([1, notes]);
    }
  });

  it('in a file of UTF-16 and one of ISO-8859-1', async () => {
    expect(notesOf(await itemsOf(Buffer.from(`${MARK}${one}\u001a\0`, 'utf16le')))).toEqual(['padding_behind_xml']);
    const latin = Buffer.from(`${LATIN}${one}\u001a`, 'latin1');
    expect(notesOf(await itemsOf(latin))).toEqual(['padding_behind_xml']);
  });

  it.each(['x', '\0x', '\u001a{1:', '\u0001', '\u00a0', '&#32;', '<![CDATA[ ]]>'])('refused: %j', async (rest) => {
    expect((await refusalOf(one + rest)).code).toBe('xml');
  });
});
