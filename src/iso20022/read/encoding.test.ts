import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  itemsOf,
  notesOf,
  ofType,
  refusalOf,
  statement,
  zipOf,
} from '../../../test/support/bank/read-documents.ts';
import { ENCODING_NAMES, type EncodingName } from './encoding.ts';

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

describe('an encoding that is given with the file', () => {
  const read = async (bytes: Buffer, encoding?: EncodingName) => {
    const items = await itemsOf(bytes, { encoding: encoding ?? null });
    return [ofType(items, 'statement')[0]?.account.owner, notesOf(items)];
  };
  const isRefused = async (bytes: Buffer) => expect((await refusalOf(bytes)).code).toBe('encoding');

  it('is believed where the declaration lies', async () => {
    const bytes = bytesOf(text('UTF-8', OWNER), LATIN_9);
    await isRefused(bytes);
    expect(await read(bytes, 'iso-8859-15')).toEqual([OWNER, ['encoding_given']]);
    expect(await read(bytesOf(text(null, OWNER), WINDOWS), 'iso-8859-1')).toEqual([OWNER, ['encoding_given']]);
  });

  it('is believed where the declaration names what is not read', async () => {
    const bytes = bytesOf(text('x-bank', OWNER), WINDOWS);
    await isRefused(bytes);
    expect(await read(bytes, 'windows-1252')).toEqual([OWNER, ['encoding_given']]);
  });

  it.each([
    ['utf-8', Buffer.from(text('UTF-8', OWNER))],
    ['utf-8', Buffer.from(MARK + text('UTF-8', OWNER))],
    ['utf-16le', Buffer.from(MARK + text('UTF-16', OWNER), 'utf16le')],
    ['utf-16be', turned(Buffer.from(text('UTF-16', OWNER), 'utf16le'))],
    ['iso-8859-1', bytesOf(text('windows-1252', OWNER), WINDOWS)],
  ] as const)('without a note where the file says the same: %s', async (name, bytes) => {
    expect(await read(bytes, name)).toEqual([OWNER, []]);
  });

  it.each(ENCODING_NAMES)('%s is read', async (name) => {
    const plain = text(name, 'A');
    const little = Buffer.from(plain, 'utf16le');
    const bytes = { 'utf-16le': little, 'utf-16be': turned(little) }[name as string] ?? Buffer.from(plain);
    expect(await read(bytes, name)).toEqual(['A', []]);
  });

  it('holds for each file of a ZIP, and each document of a file', async () => {
    const latin = bytesOf(text('UTF-8', OWNER), LATIN_9);
    const other = bytesOf(text('ISO-8859-1', OWNER), LATIN_9);
    for (const bytes of [
      Buffer.concat([latin, other]),
      zipOf([
        ['a.xml', latin],
        ['b.xml', other],
      ]),
    ]) {
      const items = await itemsOf(bytes, { encoding: 'iso-8859-15' });
      expect(ofType(items, 'statement').map(({ account }) => account.owner)).toEqual([OWNER, OWNER]);
    }
  });

  it('is refused where the bytes are not in it', async () => {
    const bytes = bytesOf(text('ISO-8859-15', OWNER), LATIN_9);
    await expect(read(bytes, 'utf-8')).rejects.toMatchObject({ code: 'encoding' });
  });
});

describe('UTF-8 that is declared as a single byte a letter', () => {
  it.each(['ISO-8859-1', 'windows-1252', 'ISO-8859-2'])('%s: is read as declared, with a note', async (declared) => {
    for (const size of [1, 7, 65_536]) {
      const items = await itemsOf(Buffer.from(text(declared, 'Müller')), {}, size);
      const owner = ofType(items, 'statement')[0]?.account.owner;
      expect([owner?.startsWith('M'), owner?.includes('ü'), notesOf(items)]).toEqual([
        true,
        false,
        ['encoding_doubtful'],
      ]);
    }
    const given = await itemsOf(Buffer.from(text(declared, 'Müller')), { encoding: 'utf-8' });
    expect(ofType(given, 'statement')[0]?.account.owner).toBe('Müller');
    expect(notesOf(given)).toEqual(['encoding_given']);
  });

  it('control: no note where there are no such letters, or any that is not UTF-8', async () => {
    expect(notesOf(await itemsOf(Buffer.from(text('ISO-8859-1', 'Muller'))))).toEqual([]);
    expect(notesOf(await itemsOf(bytesOf(text('ISO-8859-1', 'Ã¼ Müller'), { Ã: 0xc3, '¼': 0xbc, ü: 0xfc })))).toEqual(
      [],
    );
  });
});
