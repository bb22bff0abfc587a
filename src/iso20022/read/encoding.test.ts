import { describe, expect, it } from 'vitest';
import { ACCOUNT, itemsOf, notesOf, ofType, refusalOf, statement } from '../../../test/support/bank/read-documents.ts';

const OWNER = 'Žaneta Müller Œuvre 5 €';
const text = (encoding: string | null, owner: string): string => {
  const declaration = encoding === null ? '' : `<?xml version="1.0" encoding="${encoding}"?>`;
  return declaration + statement(ACCOUNT.replace('</Acct>', `<Ownr><Nm>${owner}</Nm></Ownr></Acct>`));
};
const turned = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const MARK = '\ufeff';

/** Text whose signs above 127 are these bytes. */
function bytesOf(plain: string, signs: Readonly<Record<string, number>>): Buffer {
  return Buffer.from([...plain].map((sign) => signs[sign] ?? sign.charCodeAt(0)));
}
const WINDOWS = { Ž: 0x8e, ü: 0xfc, Œ: 0x8c, '€': 0x80 };
const LATIN_9 = { Ž: 0xb4, ü: 0xfc, Œ: 0xbc, '€': 0xa4 };

describe('encodings', () => {
  it.each([
    ['UTF-8', Buffer.from(text('UTF-8', OWNER)), []],
    ['UTF-8 without a declaration', Buffer.from(text(null, OWNER)), []],
    ['UTF-8 with a mark', Buffer.from(MARK + text('utf-8', OWNER)), []],
    ['UTF-8 with a mark that declares another', Buffer.from(MARK + text('ISO-8859-1', OWNER)), ['encoding_differs']],
    ['UTF-8 that declares UTF-16', Buffer.from(text('UTF-16', OWNER)), ['encoding_differs']],
    ['UTF-16 LE with a mark', Buffer.from(MARK + text('UTF-16', OWNER), 'utf16le'), []],
    ['UTF-16 BE with a mark', turned(Buffer.from(MARK + text('UTF-16', OWNER), 'utf16le')), []],
    ['UTF-16 LE without a mark', Buffer.from(text('UTF-16LE', OWNER), 'utf16le'), []],
    ['UTF-16 BE without a mark', turned(Buffer.from(text('UTF-16BE', OWNER), 'utf16le')), []],
    ['windows-1252', bytesOf(text('windows-1252', OWNER), WINDOWS), []],
    ['ISO-8859-1, which is written as windows-1252', bytesOf(text('ISO-8859-1', OWNER), WINDOWS), []],
    ['ISO-8859-15', bytesOf(text('ISO-8859-15', OWNER), LATIN_9), []],
  ] as const)('%s, in pieces of any size', async (_, bytes, notes) => {
    for (const size of [1, 7, 65_536]) {
      const items = await itemsOf(bytes, {}, size);
      expect([ofType(items, 'statement')[0]?.account.owner, notesOf(items)]).toEqual([OWNER, notes]);
    }
  });

  it.each([
    ['an encoding that is not read', Buffer.from(text('EBCDIC-CP-DE', 'A'))],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])],
    ['bytes that are not UTF-8', bytesOf(text('UTF-8', OWNER), WINDOWS)],
    ['a file that was cut within a sign', Buffer.concat([Buffer.from(text(null, 'A')), Buffer.from([0xc3])])],
    ['half a pair of UTF-16', Buffer.from(text('UTF-16LE', 'A\ud83d'), 'utf16le')],
  ])('refused: %s', async (_, bytes) => {
    expect((await refusalOf(bytes)).code).toBe('encoding');
  });
});
