/**
 * Statement files for tests, made by hand: the samples of this folder, statements from parts, ZIPs from files. None of it is a copy of a bank's
 * file. Next: `public-samples.ts`, for the public ones.
 */
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { StatementFileError } from '../../../src/iso20022/read/bank-file-error.ts';
import type { Item } from '../../../src/iso20022/read/items.ts';
import type { Limits } from '../../../src/iso20022/read/limits.ts';
import { type ReadOptions, readStatementFile } from '../../../src/iso20022/read/read.ts';

export const sample = (name: 'camt053.xml' | 'pain002.xml'): Buffer =>
  readFileSync(new URL(`./samples/${name}`, import.meta.url));

const ROOTS = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

/** A document with one statement of these parts. */
export function statement(parts: string, message: keyof typeof ROOTS = 'camt.053', version = '08'): string {
  const [root, name] = ROOTS[message];
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.${version}"><${root}><GrpHdr><MsgId>M</MsgId></GrpHdr><${name}>${parts}</${name}></${root}></Document>`;
}

export const ACCOUNT = '<Id>S</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';

/** An entry of 1 EUR; each part can be another text or left out with ''. */
export function entry(parts: Readonly<Record<string, string>> = {}): string {
  const all = {
    amount: '<Amt Ccy="EUR">1.00</Amt>',
    sign: '<CdtDbtInd>CRDT</CdtDbtInd>',
    status: '<Sts><Cd>BOOK</Cd></Sts>',
    day: '<BookgDt><Dt>2026-03-31</Dt></BookgDt>',
    rest: '',
    ...parts,
  };
  return `<Ntry>${Object.values(all).join('')}</Ntry>`;
}

/** One with this balance. */
export const balance = (amount: string, sign: string, day = '<Dt><Dt>2026-03-31</Dt></Dt>'): string =>
  `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>${amount}${sign}${day}</Bal>`;

/** In pieces of so many bytes. */
export async function* chunksOf(bytes: Uint8Array | string, size = 65_536): AsyncGenerator<Uint8Array> {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  for (let from = 0; from < all.byteLength; from += size) yield all.subarray(from, from + size);
}

export async function itemsOf(bytes: Uint8Array | string, options?: ReadOptions, size?: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of readStatementFile(chunksOf(bytes, size), options)) items.push(item);
  return items;
}

/** Why it is refused; a file that is read, or any other error, fails the test. */
export async function refusalOf(bytes: Uint8Array | string, limits: Partial<Limits> = {}): Promise<StatementFileError> {
  try {
    await itemsOf(bytes, { limits });
  } catch (error) {
    if (error instanceof StatementFileError) return error;
    throw error;
  }
  throw new Error('The file was read.');
}

/** Those of a type. */
export function ofType<Type extends Item['type']>(items: readonly Item[], type: Type): Extract<Item, { type: Type }>[] {
  return items.filter((item): item is Extract<Item, { type: Type }> => item.type === type);
}

/** Codes of what was tolerated, over all documents. */
export const notesOf = (items: readonly Item[]): string[] =>
  ofType(items, 'document_end').flatMap(({ notes }) => notes.map(({ code }) => code));

export interface ZipOptions {
  /** What the ZIP says of a file, if that is a lie. */
  readonly checkSum?: number;
  readonly isEncrypted?: boolean;
  readonly size?: number;
}

/** A ZIP of these files, in this order. */
export function zipOf(
  files: readonly (readonly [name: string, content: Uint8Array | string])[],
  options: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    const compressed = deflateRawSync(bytes);
    const fileName = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0); // version needed
    facts.writeUInt16LE(0x0800 | (options.isEncrypted ? 1 : 0), 2); // names are UTF-8
    facts.writeUInt16LE(8, 4); // deflate
    facts.writeUInt32LE(options.checkSum ?? crc32(bytes), 10);
    facts.writeUInt32LE(compressed.length, 14);
    facts.writeUInt32LE(options.size ?? bytes.length, 18);
    facts.writeUInt16LE(fileName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), facts, fileName, compressed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    list.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, tail, fileName]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
