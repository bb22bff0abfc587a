/**
 * The text of SWIFT MT messages as fields: in blocks (`{1:…}{2:…}{4: … -}`) as SWIFT carries them, or bare as portals give them. Several
 * messages stand in a row. What is in a field: `values.ts`, `statement-line.ts`, `information.ts`. Source: SWIFT User Handbook, FIN System
 * Messages; Category 9, MT 940 and MT 942 (Standards Release 2006, and later ones that say the same).
 */

export interface Field {
  /** Without its colons: `61`, `60F`. */
  readonly tag: string;
  /** The first one without the tag; none is empty but the first. */
  readonly lines: readonly string[];
  /** Of the file, from 1. */
  readonly line: number;
}

export interface FieldReader {
  /** `type`: of block 2, `940`; `null` where the fields are bare. */
  begin(type: string | null, line: number): void;
  field(field: Field): void;
  /** The message is over. `isCut`: its block was opened and never closed. */
  end(isCut: boolean, line: number): void;
  /** There are more than the limit of characters in one line or field. */
  tooLong(tag: string | null, line: number): never;
}

/** No line of a text begins with a colon or a hyphen, so says SWIFT. Some banks put three letters behind the hyphen. */
const TAG = /^:(\d{2}[A-Z]?|NS):/;
const END = /^-(?:\}|(?:XXX)?\s*$)/;
/** Some transports put a control character before the first block. Within a message no other block begins a line. */
const BLOCK = /^\u0001?\{[1-5S]:/;
const FIRST_BLOCK = /^\u0001?\{1:/;
const LINE_END = /[\r\n]/;

export class MtText {
  readonly #reader: FieldReader;
  readonly #maxCharacters: number;
  /** Of a line that goes on. */
  #rest = '';
  #line = 1;
  /** A line that ended with CR: an LF behind it belongs to it. */
  #isAfterCr = false;
  #field: { readonly tag: string; readonly lines: string[]; readonly line: number; characters: number } | undefined;
  #isOpen = false;
  #type: string | null = null;
  #isBlock = false;
  /** The message has its first field, `:20:`. */
  #hasReference = false;

  /** `maxCharacters`: of a line, and of a field. */
  constructor(reader: FieldReader, maxCharacters: number) {
    this.#reader = reader;
    this.#maxCharacters = maxCharacters;
  }

  /** The next part of the text, of any length. */
  write(text: string): void {
    let part = this.#isAfterCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#isAfterCr = false;
    for (let end = part.search(LINE_END); end !== -1; end = part.search(LINE_END)) {
      const isCr = part[end] === '\r';
      const width = isCr && part[end + 1] === '\n' ? 2 : 1;
      this.#isAfterCr = isCr && width === 1 && end + 1 === part.length;
      this.#take(this.#rest + part.slice(0, end));
      this.#rest = '';
      this.#line += 1;
      part = part.slice(end + width);
    }
    this.#rest += part;
    if (this.#rest.length > this.#maxCharacters) this.#reader.tooLong(this.#field?.tag ?? null, this.#line);
  }

  /** After the last part. */
  end(): void {
    this.#take(this.#rest);
    this.#endMessage(this.#isBlock);
  }

  #take(line: string): void {
    if (line.length > this.#maxCharacters) this.#reader.tooLong(this.#field?.tag ?? null, this.#line);
    const isEnd = this.#isOpen && END.test(line);
    if (isEnd) this.#endMessage(false);
    if (isEnd || (this.#isOpen ? FIRST_BLOCK : BLOCK).test(line)) return this.#takeBlocks(line);
    const tag = TAG.exec(line)?.[1];
    if (tag === undefined) return this.#goOn(line);
    if (tag === '20' && this.#hasReference) this.#endMessage(this.#isBlock);
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#reader.begin(this.#type, this.#line);
    }
    this.#hasReference ||= tag === '20';
    this.#endField();
    const text = line.slice(tag.length + 2);
    this.#field = { tag, lines: [text], line: this.#line, characters: text.length };
  }

  /** `{1:…}{2:I940…}{3:…}{4:`: only the type counts, and that block 4 begins. Other blocks follow a message. */
  #takeBlocks(line: string): void {
    const type = /\{2:[IO](\d{3})/.exec(line)?.[1];
    const isText = line.includes('{4:');
    const known = type ?? (this.#isOpen ? null : this.#type);
    this.#endMessage(this.#isBlock);
    this.#type = known;
    this.#isBlock = isText;
    const start = isText ? line.slice(line.indexOf('{4:') + 3) : '';
    if (start !== '') this.#take(start);
  }

  #goOn(line: string): void {
    const field = this.#field;
    if (field === undefined || line.trim() === '') return;
    field.lines.push(line);
    field.characters += line.length;
    if (field.characters > this.#maxCharacters) this.#reader.tooLong(field.tag, field.line);
  }

  #endField(): void {
    if (this.#field !== undefined) this.#reader.field(this.#field);
    this.#field = undefined;
  }

  #endMessage(isCut: boolean): void {
    this.#endField();
    if (this.#isOpen) this.#reader.end(isCut, this.#line);
    this.#isOpen = false;
    this.#hasReference = false;
    this.#type = null;
    this.#isBlock = false;
  }
}
