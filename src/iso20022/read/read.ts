/**
 * Reads the files that banks send: camt.052, camt.053, camt.054 and pain.002 as XML, several one after another too, MT940 and MT942, or
 * several files in a ZIP. Bytes in, facts out; it knows neither the database nor HTTP, and books nothing.
 *
 *     for await (const item of readStatementFile(bytes)) …
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
 * them in one transaction, or after the end. Refusals are `StatementFileError`; other errors are those of the source. What the items hold:
 * `items.ts`. In a service, read with `in-worker.ts`, which spares the event loop. Why it is so: docs/decisions/0045.
 */
import { StatementFileError } from './bank-file-error.ts';
import { type Opened, pieces, withHead } from './byte-source.ts';
import { MtText } from '../../swift-mt/fields.ts';
import {
  decoderOf,
  type EncodingName,
  encodingOf,
  givenEncoding,
  HEAD_BYTES,
  lineDecoder,
  Utf8Watch,
} from './encoding.ts';
import type { Item } from './items.ts';
import { LIMITS, type Limits } from './limits.ts';
import { type FileInZip, filesInZip, isZip } from './zip.ts';
import { MtDocument } from './mt-document.ts';
import { XmlDocuments } from './xml-documents.ts';

export interface ReadOptions {
  readonly limits?: Partial<Limits>;
  /** Of a file that does not say its own, or lies about it; of each one in a ZIP. */
  readonly encoding?: EncodingName | null;
}

/** As it goes to the thread that reads. */
export interface ReadSettings {
  readonly limits: Limits;
  readonly encoding: EncodingName | null;
}

export const settingsOf = ({ limits, encoding = null }: ReadOptions): ReadSettings => ({
  limits: { ...LIMITS, ...limits },
  encoding,
});

/** The items of a statement file, in its order. Throws `StatementFileError`. To stop early, return from the loop: the source is closed. */
export async function* readStatementFile(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<Item, void, undefined> {
  for await (const items of readBatches(source, settingsOf(options))) yield* items;
}

/** The same in batches of one item or more: an item of its own costs as much as its part of the reading. */
export async function* readBatches(source: AsyncIterable<Uint8Array>, settings: ReadSettings): AsyncGenerator<Item[]> {
  const bytes = pieces(source, settings.limits.maxBytes);
  try {
    const opened = await withHead(bytes, HEAD_BYTES);
    if (isZip(opened.head)) yield* readZip(opened.bytes, settings);
    else if (looksLikeXml(opened.head)) yield* readXmlFile(opened, null, settings);
    else if (looksLikeMt(opened.head, settings.encoding)) yield* readMtFile(opened, null, settings);
    else throw notAStatementFile(opened);
  } finally {
    await bytes.return(undefined);
  }
}

async function* readZip(source: AsyncIterable<Uint8Array>, settings: ReadSettings): AsyncGenerator<Item[]> {
  let files = 0;
  for await (const file of filesInZip(source, settings.limits)) {
    files += 1;
    try {
      yield* readFileInZip(file, settings);
    } catch (error) {
      throw error instanceof StatementFileError ? error.inFile(file.number) : error;
    }
  }
  if (files === 0) throw new StatementFileError('zip', 'The ZIP holds no file.');
}

async function* readFileInZip({ name, bytes }: FileInZip, settings: ReadSettings): AsyncGenerator<Item[]> {
  const source = pieces(bytes, settings.limits.maxBytes);
  try {
    const opened = await withHead(source, HEAD_BYTES);
    if (isZip(opened.head)) throw new StatementFileError('zip', 'There is a ZIP within the ZIP, which is not read.');
    if (looksLikeXml(opened.head)) yield* readXmlFile(opened, name, settings);
    else if (looksLikeMt(opened.head, settings.encoding)) yield* readMtFile(opened, name, settings);
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

function notAStatementFile({ head }: Opened): StatementFileError {
  if (head.byteLength === 0) return new StatementFileError('format', 'The file is empty.');
  const sentence =
    'This is neither XML nor a ZIP nor an MT940: statement files are camt.052, camt.053, camt.054 or pain.002 in XML, or MT940 or MT942.';
  return new StatementFileError('format', sentence);
}

/** Blanks, and what byte order marks and UTF-16 put around them. */
const IGNORED: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xff, 0xfe]);

/** Whether bytes may be XML: whatever the encoding, the first sign but blanks is `<`. */
const looksLikeXml = (head: Uint8Array): boolean => head.find((byte) => !IGNORED.has(byte)) === 0x3c;

/** Whether bytes may be messages of SWIFT: a line begins with a block or with the first field. Some banks write lines of their own above. */
const looksLikeMt = (head: Uint8Array, given: EncodingName | null): boolean =>
  /(?:^|[\r\n\u0001\ufeff])(?:\{[124]:|:20:)/.test(new TextDecoder(given ?? encodingOf(head).label).decode(head));

/** As {@link readXmlFile}. */
async function* readMtFile(opened: Opened, file: string | null, settings: ReadSettings): AsyncGenerator<Item[]> {
  const { limits, encoding: given } = settings;
  const document = new MtDocument(file, limits);
  const text = new MtText(document, limits.maxTextCharacters);
  const { label, markBytes } = given === null ? encodingOf(opened.head) : givenEncoding(opened.head, given);
  const assume = () => document.noteEncoding();
  const isSaid = given !== null || markBytes > 0;
  const decoder = isSaid ? decoderOf(label) : lineDecoder(limits.maxTokenCharacters, assume);
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

/** Items in the order of the file, in batches as they come. `file`: its name in a ZIP. Throws `StatementFileError`. */
async function* readXmlFile(opened: Opened, file: string | null, settings: ReadSettings): AsyncGenerator<Item[]> {
  const { limits, encoding: given } = settings;
  const { label, markBytes, notes, isGiven } =
    given === null ? encodingOf(opened.head) : givenEncoding(opened.head, given);
  const decoder = decoderOf(label);
  const watch = isGiven || label.startsWith('utf') ? null : new Utf8Watch();
  const documents = new XmlDocuments({ name: file, notes, encoding: isGiven ? null : label }, limits);
  let isFirst = true;
  for await (const bytes of opened.bytes) {
    watch?.look(bytes);
    documents.write(decoder.decode(isFirst ? bytes.subarray(markBytes) : bytes));
    isFirst = false;
    const items = documents.take();
    if (items.length > 0) yield items;
  }
  documents.write(decoder.end());
  documents.end(watch?.isUtf8 ? ['encoding_doubtful'] : []);
  const items = documents.take();
  if (items.length > 0) yield items;
}
