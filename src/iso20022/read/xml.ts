/**
 * Text to elements: `saxes` without namespaces, because with them 100,000 elements within each other hold a core for 97 s (decision 0045).
 * Names are cut to local names here. It refuses DOCTYPE and entities, and bounds what stands between two tags, since the parser itself
 * would collect it without end. Next: `document.ts`.
 */
import { SaxesParser } from 'saxes';
import { StatementFileError, type StatementFileErrorCode, type Place } from './bank-file-error.ts';
import type { Limits } from './limits.ts';

export interface ElementReader {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  text(text: string): void;
  close(): void;
  place(line: number): Place;
}

export interface XmlText {
  /**
   * The next part of the text, of any length. Answers what stands in it `behind` the root element, once that has ended, and its line.
   * Throws `StatementFileError`. Not to be used after either.
   */
  write(text: string): { readonly line: number; readonly behind: string | undefined };
  /** The text ends without the root element's end. */
  end(): void;
}

export interface XmlStart {
  /** Where the text begins in its file. */
  readonly line: number;
  /** Else it may be comments behind the document before it. */
  readonly isFirst: boolean;
  /** Called with the encoding that the declaration names. */
  onEncoding(this: void, declared: string): void;
}

/** Of the parser's messages those that people can do something about. The others may hold names of elements, and are not passed on. */
const SENTENCES: readonly (readonly [start: string, sentence: string])[] = [
  ['undefined entity', 'The XML uses an entity that is not one of the five of XML.'],
  ['unclosed tag', 'The XML ends before its elements do: it may have been cut off.'],
  ['unexpected end', 'The XML ends in the middle: it may have been cut off.'],
  ['document must contain a root element', 'The XML holds no element.'],
  ['text data outside of root node', 'There is text outside of the XML.'],
  ['disallowed character', 'The XML holds a character that XML does not allow.'],
  ['malformed character entity', 'A character reference in the XML cannot be read.'],
  ['unmatched closing tag', 'The XML closes an element that is not open.'],
  ['an XML declaration must be at the start', 'An XML declaration stands within the XML, or behind a comment.'],
];
const MAX_NAMES = 2_000;
const MAX_PIECE_CHARACTERS = 65_536;

/** Stops the parser, which would go on behind the root element. */
const ENDED = new Error('The root element has ended.');

export function readXml(reader: ElementReader, limits: Limits, start: XmlStart): XmlText {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const names = new Map<string, string>();
  /** Where the last tag ended. */
  let reached = 0;
  let depth = 0;
  let written = 0;

  const lineNow = () => start.line - 1 + parser.line;
  const refuse = (code: StatementFileErrorCode, sentence: string): never => {
    throw new StatementFileError(code, sentence, reader.place(lineNow()));
  };
  const passed = () => {
    reached = parser.position;
  };
  // Six handlers and no more: they are properties of the parser, and with the seventh or eighth V8 makes a dictionary of it, which took
  // 8.4 s instead of 2.0 for 75 MB. So comments count as what stands between two tags.
  parser.on('error', ({ message }) => {
    const said = message.replace(/^\d+:\d+: /, '');
    const isNothing = said.startsWith('document must contain a root element') && parser.xmlDecl.version === undefined;
    if (isNothing && !start.isFirst) return;
    refuse('xml', SENTENCES.find(([start]) => said.startsWith(start))?.[1] ?? 'The XML is not well-formed.');
  });
  parser.on('doctype', () => refuse('doctype', 'The XML has a DOCTYPE, which statement files do not have.'));
  parser.on('opentag', ({ name, attributes }) => {
    if (reached === 0) checkDeclaration(); // only the first element has nothing before it
    passed();
    depth += 1;
    let local = names.get(name);
    if (local === undefined) {
      // A copy: a part of a text would keep all of the text alive.
      local = Buffer.from(name.slice(name.indexOf(':') + 1)).toString();
      if (names.size < MAX_NAMES) names.set(name.length > 128 ? local : Buffer.from(name).toString(), local);
    }
    reader.open(local, attributes, lineNow());
  });
  parser.on('text', (text) => reader.text(text));
  parser.on('cdata', (text) => reader.text(text));
  parser.on('closetag', () => {
    passed();
    reader.close();
    depth -= 1;
    if (depth === 0) throw ENDED;
  });

  const checkDeclaration = () => {
    const { version, encoding } = parser.xmlDecl;
    // It lets control characters in.
    if (version === '1.1') refuse('xml', 'The XML is of version 1.1; banks send 1.0.');
    if (encoding !== undefined) start.onEncoding(encoding);
  };
  const writePiece = (piece: string) => {
    parser.write(piece);
    written += piece.length;
    if (parser.position - reached > limits.maxTokenCharacters) {
      refuse('limit', `There are more than ${limits.maxTokenCharacters} characters between two tags.`);
    }
  };
  return {
    write(text) {
      let from = 0;
      try {
        for (; from < text.length; from += MAX_PIECE_CHARACTERS) {
          writePiece(text.length <= MAX_PIECE_CHARACTERS ? text : text.slice(from, from + MAX_PIECE_CHARACTERS));
        }
      } catch (error) {
        if (error !== ENDED) throw error;
        return { line: lineNow(), behind: text.slice(from + reached - written) };
      }
      return { line: lineNow(), behind: undefined };
    },
    end() {
      parser.close();
    },
  };
}
