/** Text files of people: which encoding they have is known from their mark, or told, and never guessed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readText } from './text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = 'Betrag;Zweck\n1,50;Gr\u00fc\u00dfe \u20ac\n';
const utf8 = Buffer.from(TEXT);
const utf16le = Buffer.from(TEXT, 'utf16le');
const utf16be = Buffer.from(utf16le).swap16();
const windows = Buffer.from(TEXT.replace('\u20ac', '\u0080'), 'latin1'); // in Windows-1252 the euro sign is 0x80
const marked = (mark: string, bytes: Buffer) => Buffer.concat([Buffer.from(mark, 'hex'), bytes]);

function read(bytes: Buffer, encoding?: string): Promise<string> {
  const path = join(folder, 'file.csv');
  writeFileSync(path, bytes);
  return readText(path, encoding);
}

describe('reads', () => {
  it.each([
    ['UTF-8', utf8, undefined],
    ['UTF-8 with its mark', marked('efbbbf', utf8), undefined],
    ['UTF-16 with its mark', marked('fffe', utf16le), undefined],
    ['big-endian UTF-16 with its mark', marked('feff', utf16be), undefined],
    ['Windows-1252, if told', windows, 'windows-1252'],
    ['Windows-1252 by its other name', windows, 'latin1'],
    ['UTF-16 without a mark, if told', utf16le, 'utf-16le'],
    ['a mark, whatever is told', marked('fffe', utf16le), 'windows-1252'],
  ])('%s', async (_, bytes, encoding) => expect(await read(bytes, encoding)).toBe(TEXT));
});

describe('refuses, with the line and what to do', () => {
  it.each([
    ['Windows-1252, untold', windows, undefined, /is not in utf-8: line 2 cannot be read\. .* --encoding windows-1252/],
    ['a cut letter', utf8.subarray(0, -3), undefined, /is not in utf-8: line 2 /],
    ['a fault far down', Buffer.concat([Buffer.from('a\n'.repeat(70_000)), windows]), undefined, /: line 70002 /],
    ['UTF-16 that ends in the middle', marked('fffe', utf16le.subarray(0, -1)), undefined, /not in utf-16le: line 2 /],
    ['UTF-16 without a mark', utf16le.subarray(0, 24), undefined, /line 1 holds a control character\. .*\(or utf-16le/],
    ['another encoding than told', Buffer.from([0x61, 0x0a, 0x81, 0x20]), 'shift_jis', /is not in shift_jis: line 2 /],
    ['what is text in another encoding', Buffer.from([0x61, 0x85]), 'iso-8859-2', /line 1 holds a control character/],
    ['an encoding that nobody knows', utf8, 'ebcdic', /^--encoding: there is no ebcdic\. Allowed: .*utf-16le/],
  ])('%s', async (_, bytes, encoding, message) => {
    await expect(read(bytes, encoding)).rejects.toThrow(message);
    await expect(read(bytes, encoding)).rejects.toHaveProperty('code', 2);
  });

  it('what is not there', () => expect(readText(join(folder, 'gone'))).rejects.toThrow(/gone cannot be read: ENOENT/));
});
