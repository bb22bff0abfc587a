/** One XML file: bytes in, batches of items out. Next: `document.ts`. */
import { BankFileError } from './bank-file-error.ts';
import type { Opened } from './byte-source.ts';
import { DocumentReader } from './document.ts';
import { decoderOf, encodingOf } from './encoding.ts';
import type { Item } from './items.ts';
import type { Limits } from './limits.ts';
import { readXml, type XmlText } from './xml.ts';

/** Whether bytes may be XML: whatever the encoding, the first sign but blanks is `<`. */
export function looksLikeXml(head: Uint8Array): boolean {
  return head.find((byte) => !IGNORED.has(byte)) === 0x3c;
}
/** Blanks, and what byte order marks and UTF-16 put around them. */
const IGNORED: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xff, 0xfe]);

/** Items in the order of the file, in batches as they come. `file`: its name in a ZIP. Throws `BankFileError`. */
export async function* readXmlFile(opened: Opened, file: string | null, limits: Limits): AsyncGenerator<Item[]> {
  const encoding = encodingOf(opened.head);
  const decoder = decoderOf(encoding);
  let document: DocumentReader | undefined;
  let xml: XmlText | undefined;
  let hasBlanks = false;
  let isFirst = true;
  for await (const bytes of opened.bytes) {
    let text = decoder.decode(isFirst ? bytes.subarray(encoding.markBytes) : bytes);
    isFirst = false;
    if (document === undefined) {
      const start = text.trimStart();
      hasBlanks ||= start.length < text.length;
      if (start === '') continue;
      text = start;
      document = new DocumentReader(file, limits, hasBlanks ? [...encoding.notes, 'blank_before_xml'] : encoding.notes);
      xml = readXml(document, limits);
    }
    xml?.write(text);
    const items = document.take();
    if (items.length > 0) yield items;
  }
  xml?.write(decoder.end());
  if (xml === undefined || document === undefined) throw new BankFileError('format', 'The file is empty.');
  xml.end();
  document.end();
  const items = document.take();
  if (items.length > 0) yield items;
}
