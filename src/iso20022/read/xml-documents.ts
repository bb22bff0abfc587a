/**
 * The XML documents of a text: as a rule one, but hosts join files, and pad their ends. Each is read as a file of its own is. Next: `xml.ts`,
 * `document.ts`.
 */
import { StatementFileError } from './bank-file-error.ts';
import { DocumentReader } from './document.ts';
import { isSameEncoding } from './encoding.ts';
import type { Item } from './items.ts';
import type { Limits } from './limits.ts';
import type { NoteCode } from './notes.ts';
import { readXml, type XmlText } from './xml.ts';

/** What may stand before, between and behind documents: blanks, NULs, Ctrl-Z, which ended files in CP/M and DOS, and byte order marks. */
const PADDING = /^[\0\u001a\t\n\r \ufeff]+/;
/** A line end is usual there. */
const UNUSUAL = /[\0\u001a\t ]/;

interface XmlFile {
  /** Its name in a ZIP. */
  readonly name: string | null;
  readonly notes: readonly NoteCode[];
  /** The encoding in which it is read, if that follows from the file itself. */
  readonly encoding: string | null;
}

export class XmlDocuments {
  readonly #file: XmlFile;
  readonly #limits: Limits;
  #document: DocumentReader | undefined;
  /** While the document has not ended. */
  #xml: XmlText | undefined;
  /** The encoding that the first document declares. */
  #declared: string | undefined;
  #line = 1;
  #hasBlanks = false;
  /** Line of the padding behind the document. */
  #paddedAt: number | undefined;
  readonly #ended: Item[] = [];

  constructor(file: XmlFile, limits: Limits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Throws `StatementFileError`, and is not to be used after that. */
  write(text: string): void {
    let rest = text;
    while (rest !== '') {
      if (this.#xml === undefined) {
        rest = this.#begin(rest);
        continue;
      }
      const { line, behind } = this.#xml.write(rest);
      if (behind === undefined) return;
      this.#line = line;
      this.#xml = undefined;
      rest = behind;
    }
  }

  /** `late`: notes on the whole file. */
  end(late: readonly NoteCode[]): void {
    if (this.#document === undefined) throw new StatementFileError('format', 'The file is empty.');
    // What has not ended is cut off, or no document: comments behind the last one.
    if (this.#xml === undefined) this.#endDocument(late);
    else this.#xml.end();
  }

  take(): Item[] {
    return [...this.#ended.splice(0), ...(this.#document?.take() ?? [])];
  }

  /** Answers what stands behind the padding. */
  #begin(text: string): string {
    const padding = PADDING.exec(text)?.[0] ?? '';
    const isFirst = this.#document === undefined;
    if (isFirst) this.#hasBlanks ||= padding !== '';
    else if (UNUSUAL.test(padding)) this.#paddedAt ??= this.#line;
    this.#line += padding.match(/\r\n?|\n/g)?.length ?? 0;
    const start = text.slice(padding.length);
    if (start === '') return '';
    if (!isFirst) this.#endDocument([]);
    const { name, notes } = this.#file;
    const early: readonly NoteCode[] = isFirst && this.#hasBlanks ? [...notes, 'blank_before_xml'] : notes;
    this.#document = new DocumentReader(name, this.#limits, early);
    this.#xml = readXml(this.#document, this.#limits, {
      line: this.#line,
      isFirst,
      onEncoding: (declared) => this.#checkEncoding(declared, isFirst),
    });
    return start;
  }

  /** The bytes are in one encoding. The first document may lie about it, and then the others lie alike. */
  #checkEncoding(declared: string, isFirst: boolean): void {
    if (this.#file.encoding === null) return;
    if (isFirst) this.#declared = declared;
    else if (!isSameEncoding(declared, this.#declared ?? this.#file.encoding)) {
      const sentence = 'The XML documents in the file declare different encodings. Hand them in one by one.';
      throw new StatementFileError('encoding', sentence);
    }
  }

  #endDocument(late: readonly NoteCode[]): void {
    const document = this.#document as DocumentReader;
    const padded = this.#paddedAt;
    document.end([
      ...(padded === undefined ? [] : [{ code: 'padding_behind_xml', line: padded } as const]),
      ...late.map((code) => ({ code, line: 1 })),
    ]);
    this.#paddedAt = undefined;
    this.#ended.push(...document.take());
  }
}
