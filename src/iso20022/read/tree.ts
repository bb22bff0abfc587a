/**
 * A small part of a document as a tree: an entry without its details, one detail, a balance. Whole documents never are. Names are local
 * names; attributes are gone but for the currency. Next: `document.ts`, which grows them.
 */
import { beginningOf } from '../../core/values/beginning.ts';
import type { Place } from './bank-file-error.ts';
import type { Notes } from './notes.ts';

export class Element {
  readonly name: string;
  readonly line: number;
  readonly parent: Element | undefined;
  /** Which one of its name it is, from 1, where that is counted. */
  ordinal = 0;
  /** The attribute `Ccy`. */
  currency: string | undefined;
  text = '';
  children: Element[] | undefined;

  constructor(name: string, line: number, parent: Element | undefined) {
    this.name = name;
    this.line = line;
    this.parent = parent;
  }
}

/** The first child of a name, and of a name within it, and so on. */
export function at(element: Element | undefined, ...names: readonly string[]): Element | undefined {
  let found = element;
  for (const name of names) {
    found = found === undefined ? undefined : childOf(found, name);
    if (found === undefined) return undefined;
  }
  return found;
}

/** A loop without a closure, since it runs forty times an entry. */
function childOf({ children }: Element, name: string): Element | undefined {
  if (children === undefined) return undefined;
  for (const child of children) if (child.name === name) return child;
  return undefined;
}

/**
 * Characters that an item keeps: of a name, a number or a code, which have at most 140 in these messages, and of words, which have 500.
 * Strangers write them, and what is kept is copied to another thread, compared and stored.
 */
const MOST_OF_A_NAME = 140;
export const MOST_OF_WORDS = 2_000;

/** What no text of ours may hold: controls, separators, marks of direction, what is no character. */
const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** A bank's text may be a stranger's: what is unsafe in it becomes a mark that can be seen. */
export function safeText(text: string, line: number, notes: Notes): string {
  if (text.search(UNSAFE) === -1) return text;
  notes.add('text_unsafe', line);
  return text.replaceAll(UNSAFE, '\ufffd');
}

export const cut = (text: string, most = MOST_OF_A_NAME): string => beginningOf(text, most);

/** A name, a number or a code, trimmed; `null` for none. */
export function textAt(element: Element | undefined, ...names: readonly string[]): string | null {
  const text = at(element, ...names)?.text ?? '';
  return text === '' ? null : cut(text);
}

/** Words, trimmed; `null` for none. */
export function wordsAt(element: Element | undefined, name: string): string | null {
  const text = at(element, name)?.text ?? '';
  return text === '' ? null : cut(text, MOST_OF_WORDS);
}

export function all(element: Element | undefined, name: string): Element[] {
  return element?.children?.filter((child) => child.name === name) ?? [];
}

/** The first of these texts, together of at most so many characters. */
export function firstOf(texts: readonly string[], most = MOST_OF_WORDS): string[] {
  const kept: string[] = [];
  let left = most;
  for (const text of texts) {
    if (left <= 0) break;
    kept.push(cut(text, left));
    left -= text.length;
  }
  return kept;
}

/** Whole texts of all children of a name; empty ones are none. */
export function textsOf(element: Element | undefined, name: string): string[] {
  return all(element, name)
    .map(({ text }) => text)
    .filter((text) => text !== '');
}

/** Where an element stands. Names that no message has could be anything, also a number of an account: those are not shown. */
export function placeOf(element: Element): Place {
  const names: string[] = [];
  for (let each: Element | undefined = element; each !== undefined; each = each.parent) {
    const name = /^[A-Za-z]{1,28}(?:V?\d{1,2})?$/.test(each.name) ? each.name : '…';
    names.push(each.ordinal === 0 ? name : `${name}[${each.ordinal}]`);
  }
  return { line: element.line, path: `/${names.reverse().join('/')}` };
}
