/**
 * Reads the files that banks send: camt.052, camt.053, camt.054 and pain.002 as XML, several one after another too, MT940 and MT942, or
 * several files in a ZIP. Bytes in, facts out; it knows neither the database nor HTTP, and books nothing.
 *
 *     for await (const item of readBankFile(bytes)) …
 *
 *     document                            message, version, id              one for each document
 *       statement                         account, numbers, pages           camt and MT, any number of them
 *         balance, entry …                in the order of the file
 *       statement_end                     how many entries, what the bank counted
 *       report                            pain.002 only: the file that was sent
 *         payment_status                  a PmtInf of it
 *           transaction_status …          transactions of that
 *     document_end                        notes about oddities
 *     ignored                             instead of a document: it says nothing about money
 *
 * The file is streamed: memory grows only with its largest entry (`limits.ts`). A file that is refused may have given items before: store
 * them in one transaction, or after the end. Refusals are `BankFileError`; other errors are those of the source. What the items hold:
 * `items.ts`. In a service, read with `in-worker.ts`, which spares the event loop. Why it is so: docs/decisions/0045.
 */
import { BankFileError } from './bank-file-error.ts';
import { type Opened, pieces, withHead } from './byte-source.ts';
import { MtText } from '../../swift-mt/fields.ts';
import { HEAD_BYTES, decoderOf, encodingOf, lineDecoder } from './encoding.ts';
import type { Item } from './items.ts';
import { LIMITS, type Limits } from './limits.ts';
import { type FileInZip, filesInZip, isZip } from './zip.ts';
import { MtDocument } from './mt-document.ts';
import { XmlDocuments } from './xml-documents.ts';

export interface ReadOptions {
  readonly limits?: Partial<Limits>;
}

/** The items of a statement file, in its order. Throws `BankFileError`. To stop early, return from the loop: the source is closed. */
export async function* readBankFile(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<Item, void, undefined> {
  for await (const items of readBatches(source, { ...LIMITS, ...options.limits })) yield* items;
}

/** The same in batches of one item or more: an item of its own costs as much as its part of the reading. */
export async function* readBatches(source: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Item[]> {
  const bytes = pieces(source, limits.maxBytes);
  try {
    const opened = await withHead(bytes, HEAD_BYTES);
    if (isZip(opened.head)) yield* readZip(opened.bytes, limits);
    else if (looksLikeXml(opened.head)) yield* readXmlFile(opened, null, limits);
    else if (looksLikeMt(opened.head)) yield* readMtFile(opened, null, limits);
    else throw notABankFile(opened);
  } finally {
    await bytes.return(undefined);
  }
}

async function* readZip(source: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Item[]> {
  let files = 0;
  for await (const file of filesInZip(source, limits)) {
    files += 1;
    try {
      yield* readFileInZip(file, limits);
    } catch (error) {
      throw error instanceof BankFileError ? error.inFile(file.number) : error;
    }
  }
  if (files === 0) throw new BankFileError('zip', 'The ZIP holds no file.');
}

async function* readFileInZip({ name, bytes }: FileInZip, limits: Limits): AsyncGenerator<Item[]> {
  const source = pieces(bytes, limits.maxBytes);
  try {
    const opened = await withHead(source, HEAD_BYTES);
    if (isZip(opened.head)) throw new BankFileError('zip', 'There is a ZIP within the ZIP, which is not read.');
    if (looksLikeXml(opened.head)) yield* readXmlFile(opened, name, limits);
    else if (looksLikeMt(opened.head)) yield* readMtFile(opened, name, limits);
    else
      yield [
        {
          type: 'ignored',
          reason: 'not_xml',
          sentence: 'A file of the ZIP is neither XML nor MT940, and was left.',
          file: name,
        },
      ];
  } finally {
    await source.return(undefined);
  }
}

function notABankFile({ head }: Opened): BankFileError {
  if (head.byteLength === 0) return new BankFileError('format', 'The file is empty.');
  const sentence =
    'This is neither XML nor a ZIP nor an MT940: statement files are camt.052, camt.053, camt.054 or pain.002 in XML, or MT940 or MT942.';
  return new BankFileError('format', sentence);
}

/** Blanks, and what byte order marks and UTF-16 put around them. */
const IGNORED: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xff, 0xfe]);

/** Whether bytes may be XML: whatever the encoding, the first sign but blanks is `<`. */
const looksLikeXml = (head: Uint8Array): boolean => head.find((byte) => !IGNORED.has(byte)) === 0x3c;

/** Whether bytes may be messages of SWIFT: a line begins with a block or with the first field. Some banks write lines of their own above. */
const looksLikeMt = (head: Uint8Array): boolean =>
  /(?:^|[\r\n\u0001\ufeff])(?:\{[124]:|:20:)/.test(new TextDecoder(encodingOf(head).label).decode(head));

/** As {@link readXmlFile}. */
async function* readMtFile(opened: Opened, file: string | null, limits: Limits): AsyncGenerator<Item[]> {
  const document = new MtDocument(file, limits);
  const text = new MtText(document, limits.maxTextCharacters);
  const { markBytes, ...encoding } = encodingOf(opened.head);
  const assume = () => document.noteEncoding();
  const decoder =
    markBytes > 0 ? decoderOf({ markBytes, ...encoding }) : lineDecoder(limits.maxTokenCharacters, assume);
  let skipped = markBytes;
  for await (const bytes of opened.bytes) {
    text.write(decoder.decode(bytes.subarray(skipped)));
    skipped = 0;
    const items = document.take();
    if (items.length > 0) yield items;
  }
  text.write(decoder.end());
  text.end();
  document.finish();
  const items = document.take();
  if (items.length > 0) yield items;
}

/** Items in the order of the file, in batches as they come. `file`: its name in a ZIP. Throws `BankFileError`. */
async function* readXmlFile(opened: Opened, file: string | null, limits: Limits): AsyncGenerator<Item[]> {
  const encoding = encodingOf(opened.head);
  const decoder = decoderOf(encoding);
  const documents = new XmlDocuments({ name: file, notes: encoding.notes, label: encoding.label }, limits);
  let isFirst = true;
  for await (const bytes of opened.bytes) {
    documents.write(decoder.decode(isFirst ? bytes.subarray(encoding.markBytes) : bytes));
    isFirst = false;
    const items = documents.take();
    if (items.length > 0) yield items;
  }
  documents.write(decoder.end());
  documents.end([]);
  const items = documents.take();
  if (items.length > 0) yield items;
}
