import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  entry,
  itemsOf,
  ofType,
  refusalOf,
  statement,
  zipOf,
} from '../../../test/support/bank/read-documents.ts';

const ONE = statement(ACCOUNT + entry());
/** A folder for temporary files of this test alone: other processes make and remove theirs at any moment. */
const folder = mkdtempSync(join(tmpdir(), 'bursar-zip-test-'));
const before = process.env['TMPDIR'];
beforeAll(() => {
  process.env['TMPDIR'] = folder;
});
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true });
});
const temporaryFiles = (): string[] => readdirSync(folder);

describe('a ZIP', () => {
  it('is its documents, in their order, with their names; what is not XML is left', async () => {
    const zip = zipOf([
      ['a/', ''],
      ['a/1.xml', ONE],
      ['readme.txt', 'Hello'],
      ['2.xml', ONE],
    ]);
    for (const options of [{}, { limits: { maxZipBytesInMemory: 10 } }]) {
      const items = await itemsOf(zip, options, 100);
      expect(ofType(items, 'document').map(({ file }) => file)).toEqual(['a/1.xml', '2.xml']);
      expect(ofType(items, 'ignored')).toMatchObject([{ reason: 'not_xml', file: 'readme.txt' }]);
      expect(ofType(items, 'entry')).toHaveLength(2);
    }
    expect(temporaryFiles()).toEqual([]);
  });

  it('says which of its files is refused, and not its name', async () => {
    const zip = zipOf([
      ['DE89370400440532013000.xml', ONE],
      ['DE89370400440532013001.xml', ONE.slice(0, -10)],
    ]);
    const { message, fileNumber } = await refusalOf(zip);
    expect([fileNumber, message.includes('file 2 of the ZIP'), message.includes('DE89')]).toEqual([2, true, false]);
  });

  const files = (count: number) => Array.from({ length: count }, (_, at) => [`${at}.xml`, ONE] as const);
  /** Grows to 8 MB from 8 kB. */
  const swelling = statement(ACCOUNT + '<Skipped/>'.repeat(800_000));

  it.each([
    ['nothing', zipOf([]), 'zip', 'The ZIP holds no file.'],
    ['a ZIP within', zipOf([['1.zip', zipOf([['1.xml', ONE]])]]), 'zip', 'There is a ZIP within the ZIP'],
    ['too many files', zipOf(files(1_001)), 'limit', 'The ZIP holds more than 1000 files.'],
    [
      'what grows a thousand times',
      zipOf([['1.xml', swelling]]),
      'limit',
      'A file of the ZIP grows to more than 200 times its size.',
    ],
    ['an encrypted file', zipOf([['1.xml', ONE]], { isEncrypted: true }), 'zip', 'A file of the ZIP is encrypted'],
    ['a wrong check sum', zipOf([['1.xml', ONE]], { checkSum: 1 }), 'zip', 'The ZIP file is damaged'],
    ['a wrong size', zipOf([['1.xml', ONE]], { size: 100 }), 'zip', 'The ZIP file is damaged'],
    ['an end that was cut off', zipOf([['1.xml', ONE]]).subarray(0, -30), 'zip', 'The ZIP file is damaged'],
  ] as const)('refused: %s', async (_, zip, code, sentence) => {
    const refusal = await refusalOf(zip);
    expect(refusal.code).toBe(code);
    expect(refusal.message.startsWith(sentence) ? '' : refusal.message).toBe('');
  });

  it('refused: more bytes than allowed, over all files', async () => {
    const large = statement(ACCOUNT + entry().repeat(10));
    const zip = zipOf(Array.from({ length: 10 }, (_, at) => [`${at}.xml`, large] as const));
    const limits = { maxBytes: large.length * 10 - 1 };
    expect(zip.length).toBeLessThan(limits.maxBytes);
    await itemsOf(zip, { limits: { maxBytes: limits.maxBytes + 1 } });
    expect((await refusalOf(zip, limits)).sentence).toBe(`The ZIP unfolds to more than ${limits.maxBytes} bytes.`);
  });

  it('control: a thousand files and 40 times the size are read', async () => {
    expect(ofType(await itemsOf(zipOf(files(1_000))), 'document')).toHaveLength(1_000);
    const statements = statement(
      ACCOUNT + Array.from({ length: 20_000 }, (_, at) => entry({ rest: `<NtryRef>${at}</NtryRef>` })).join(''),
    );
    const zip = zipOf([['1.xml', statements]]);
    expect(statements.length).toBeGreaterThan(1_048_576);
    expect(ofType(await itemsOf(zip), 'entry')).toHaveLength(20_000);
  });

  it('leaves no file behind, whatever ends it', async () => {
    const limits = { maxZipBytesInMemory: 10 };
    await refusalOf(zipOf([['1.xml', swelling]]), limits);
    await refusalOf(Buffer.concat([zipOf([['1.xml', ONE]]).subarray(0, -30)]), limits);
    expect(temporaryFiles()).toEqual([]);
  });
});
