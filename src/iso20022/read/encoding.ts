/**
 * Bytes to text: as whoever hands the file in says, else by byte order mark, then by the shape of the first bytes, then by the XML
 * declaration. Wrong bytes are refused, never replaced: a name with a replacement character matches nobody. Next: `xml.ts`.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { StatementFileError } from './bank-file-error.ts';
import type { NoteCode } from './notes.ts';

/** How many bytes it takes to tell the encoding. */
export const HEAD_BYTES = 1_024;

/** Names of encodings by the label of `TextDecoder`. Latin-1 is read as its superset, as browsers do. */
const LABELS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8 utf8 us-ascii ascii',
  'windows-1252': 'iso-8859-1 latin1 windows-1252 cp1252',
  'iso-8859-15': 'iso-8859-15 latin9',
  // Central Europe, Greece, Turkey, the Baltic.
  'iso-8859-2': 'iso-8859-2 latin2',
  'windows-1250': 'windows-1250 cp1250',
  'iso-8859-7': 'iso-8859-7 greek',
  'windows-1253': 'windows-1253 cp1253',
  'windows-1254': 'iso-8859-9 latin5 windows-1254 cp1254',
  'iso-8859-13': 'iso-8859-13 latin7',
  'windows-1257': 'windows-1257 cp1257',
};

/** As declared, in lower case, to the label. `ISO8859-1` and `ISO_8859-1` occur too. */
const ENCODINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(LABELS).flatMap(([label, names]) =>
    names
      .split(' ')
      .flatMap((name) => [name, name.replace('iso-', 'iso'), name.replace('iso-', 'iso_')])
      .map((name): [string, string] => [name, label]),
  ),
);

/** What may be said of a file. */
export const ENCODING_NAMES = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-7',
  'iso-8859-9',
  'iso-8859-13',
  'iso-8859-15',
  'windows-1250',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1257',
] as const;
export type EncodingName = (typeof ENCODING_NAMES)[number];

export interface Encoding {
  /** What `TextDecoder` calls it. */
  readonly label: string;
  /** Bytes of the byte order mark. */
  readonly markBytes: number;
  readonly notes: readonly NoteCode[];
  /** From whoever hands the file in: what it declares does not count. */
  readonly isGiven: boolean;
}

const MARKS: Readonly<Record<string, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

export function givenEncoding(head: Uint8Array, name: EncodingName): Encoding {
  const label = ENCODINGS.get(name) ?? name;
  const mark = MARKS[label] ?? [];
  const markBytes = mark.every((byte, at) => head[at] === byte) ? mark.length : 0;
  // In UTF-16 the declaration is not found, and it cannot lie: in another encoding there would be no XML.
  const differs = !label.startsWith('utf-16') && !isSameEncoding(declaredEncoding(head) ?? 'utf-8', label);
  return { label, markBytes, notes: differs ? ['encoding_given'] : [], isGiven: true };
}

/** Throws `StatementFileError` where the declaration names an encoding that is not read. */
export function encodingOf(head: Uint8Array): Encoding {
  return { ...encodingSaid(head), isGiven: false };
}

function encodingSaid(head: Uint8Array): Omit<Encoding, 'isGiven'> {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) throw notRead();
  if (first === 0 && second === 0 && ((third === 0xfe && fourth === 0xff) || (third === 0 && fourth === 0x3c))) {
    throw notRead();
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    const name = declaredEncoding(head);
    const differs = name !== undefined && ENCODINGS.get(name) !== 'utf-8';
    return { label: 'utf-8', markBytes: 3, notes: differs ? ['encoding_differs'] : [] };
  }
  if (first === 0xff && second === 0xfe) return { label: 'utf-16le', markBytes: 2, notes: [] };
  if (first === 0xfe && second === 0xff) return { label: 'utf-16be', markBytes: 2, notes: [] };
  if (first === 0x3c && second === 0) return { label: 'utf-16le', markBytes: 0, notes: [] };
  if (first === 0 && second === 0x3c) return { label: 'utf-16be', markBytes: 0, notes: [] };
  const name = declaredEncoding(head);
  if (name === undefined) return { label: 'utf-8', markBytes: 0, notes: [] };
  // One byte a character, or the declaration could not have been read.
  if (name.startsWith('utf-16')) return { label: 'utf-8', markBytes: 0, notes: ['encoding_differs'] };
  const label = ENCODINGS.get(name);
  if (label === undefined) throw notRead();
  return { label, markBytes: 0, notes: [] };
}

/** Whether two names are of one encoding. */
export const isSameEncoding = (one: string, other: string): boolean => encodingNamed(one) === encodingNamed(other);

function encodingNamed(given: string): string {
  const name = given.toLowerCase();
  return name.startsWith('utf-16') ? 'utf-16' : (ENCODINGS.get(name) ?? name);
}

function declaredEncoding(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString('latin1');
  const declaration = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\s([^>]{0,500})\?>/.exec(start)?.[1] ?? '';
  return /\bencoding\s*=\s*["']([^"']{1,40})["']/.exec(declaration)?.[1]?.trim().toLowerCase();
}

const notRead = (): StatementFileError =>
  new StatementFileError(
    'encoding',
    'The file is in an encoding that is not read: UTF-8, UTF-16, ISO-8859-1, -2, -7, -9, -13, -15 and windows-1250, -1252, -1253, -1254, -1257 are.',
  );

export interface Decoder {
  decode(bytes: Uint8Array): string;
  end(): string;
}

/** Throws `StatementFileError` at bytes that are not in the encoding. */
export function decoderOf(label: string): Decoder {
  // The mark was cut off before.
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const guarded = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      const sentence = `The file holds bytes that are not ${label.toUpperCase()}, in which it is written.`;
      throw new StatementFileError('encoding', sentence);
    }
  };
  return { decode: guarded, end: () => guarded(undefined) };
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * For files that cannot say their encoding. Each line is read as UTF-8 if it is that, else as windows-1252, and `onAssumed` is called. So the
 * text does not depend on the pieces in which a file comes.
 */
export function lineDecoder(maxLineBytes: number, onAssumed: () => void): Decoder {
  /** Of a line that goes on. */
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const whole = (bytes: Uint8Array): string => {
    const all = Buffer.concat([...held, bytes]);
    held = [];
    heldBytes = 0;
    if (isUtf8(all)) return all.toString('utf8');
    onAssumed();
    return linesOf(all).map(lineAsText).join('');
  };
  return {
    decode(bytes) {
      const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
      const text = end === 0 ? '' : whole(bytes.subarray(0, end));
      // Copied: the source may use its memory again.
      held.push(new Uint8Array(bytes.subarray(end)));
      heldBytes += bytes.byteLength - end;
      if (heldBytes > maxLineBytes)
        throw new StatementFileError('limit', `A line is longer than ${maxLineBytes} bytes.`);
      return text;
    },
    end: () => whole(new Uint8Array()),
  };
}

/** With their ends. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte !== LF && byte !== CR) continue;
    lines.push(bytes.subarray(from, at + 1));
    from = at + 1;
  }
  return [...lines, bytes.subarray(from)];
}

const WINDOWS = new TextDecoder('windows-1252');
/** Without `stream` Node 20 takes a short cut, which reads ISO 8859-1. */
const lineAsText = (line: Buffer): string =>
  isUtf8(line) ? line.toString('utf8') : WINDOWS.decode(line, { stream: true });

/** Bytes that are declared to be something else, and may be UTF-8. */
export class Utf8Watch {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #hasLetters = false;
  #isPossible = true;

  look(bytes: Uint8Array): void {
    if (!this.#isPossible || (!this.#hasLetters && isAscii(bytes))) return;
    this.#hasLetters = true;
    try {
      this.#decoder.decode(bytes, { stream: true });
    } catch {
      this.#isPossible = false;
    }
  }

  /** There were letters beyond ASCII, and all of them are as in UTF-8: text in another encoding hardly ever is. */
  get isUtf8(): boolean {
    return this.#hasLetters && this.#isPossible;
  }
}
