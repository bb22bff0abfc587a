/**
 * The part of a document that is being read as a tree (`tree.ts`): an entry, a balance, a heading. It counts what the part holds. Each
 * transaction of an entry becomes a detail as it ends, so that a collective entry of 100,000 is never one tree. Next: `document.ts`.
 */
import { StatementFileError } from './bank-file-error.ts';
import { readDetail } from './detail.ts';
import type { Detail } from './items.ts';
import type { Limits } from './limits.ts';
import type { Notes } from './notes.ts';
import { Element, MOST_OF_WORDS, placeOf, safeText } from './tree.ts';

const SPACE = 0x20;

export class Part {
  readonly root: Element;
  /** The one that is open; `undefined` once the part has ended. */
  current: Element | undefined;
  /** How deep `current` stands in the part, from 1. */
  depth = 1;
  readonly details: Detail[] = [];
  readonly #limits: Limits;
  readonly #notes: Notes;
  #elements = 0;
  #elementsBeforeDetail = 0;
  #transactions = 0;
  #characters = 0;

  constructor(root: Element, limits: Limits, notes: Notes) {
    this.root = root;
    this.current = root;
    this.#limits = limits;
    this.#notes = notes;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    const parent = this.current as Element;
    const element = new Element(name, line, parent);
    readCurrency(element, attributes);
    if (parent.children === undefined) parent.children = [element];
    else parent.children.push(element);
    this.current = element;
    this.depth += 1;
    this.#elements += 1;
    if (this.#elements > this.#limits.maxPartElements) {
      const sentence = `More than ${this.#limits.maxPartElements} elements in one part.`;
      throw new StatementFileError('limit', sentence, placeOf(element));
    }
    if (this.#isDetail(element)) {
      this.#transactions += 1;
      element.ordinal = this.#transactions;
      this.#elementsBeforeDetail = this.#elements - 1;
    }
  }

  text(text: string): void {
    const element = this.current as Element;
    // Between elements there is nothing but blanks, most of the texts.
    if (element.text === '' && text.charCodeAt(0) <= SPACE && text.trim() === '') return;
    this.#characters += text.length;
    if (element.text.length + text.length > this.#limits.maxTextCharacters) {
      const sentence = `A text is longer than ${this.#limits.maxTextCharacters} characters.`;
      throw new StatementFileError('limit', sentence, placeOf(element));
    }
    if (this.#characters > this.#limits.maxEntryCharacters) {
      const sentence = `One entry holds more than ${this.#limits.maxEntryCharacters} characters of text.`;
      throw new StatementFileError('limit', sentence, placeOf(element));
    }
    element.text += text;
  }

  /** The current element ends, or with it the part. */
  close(): void {
    const element = this.current as Element;
    this.current = element === this.root ? undefined : element.parent;
    this.depth -= 1;
    if (element.text !== '') element.text = safeText(element.text, element.line, this.#notes).trim();
    if (element.text.length > MOST_OF_WORDS) this.#notes.add('text_long', element.line);
    if (!this.#isDetail(element)) return;
    if (this.details.length >= this.#limits.maxEntryDetails) {
      const sentence = `One entry has more than ${this.#limits.maxEntryDetails} transactions.`;
      throw new StatementFileError('limit', sentence, placeOf(element));
    }
    this.details.push(readDetail(element, this.#notes));
    element.parent?.children?.pop();
    this.#elements = this.#elementsBeforeDetail;
  }

  /** In `NtryDtls`, or directly in version 01. */
  #isDetail(element: Element): boolean {
    if (element.name !== 'TxDtls' || this.root.name !== 'Ntry') return false;
    return element.parent === this.root || (element.parent?.name === 'NtryDtls' && element.parent.parent === this.root);
  }
}

/** Keeps the attribute `Ccy`, the only one that is needed. */
export function readCurrency(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const name in attributes) {
    if (name === 'Ccy' || name.endsWith(':Ccy')) element.currency = attributes[name]?.trim();
  }
}
