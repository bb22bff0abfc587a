/**
 * A small part of a document as a tree: an entry without its details, one detail, a balance. Whole documents never are. Names are local
 * names; attributes are gone but for the currency. Next: `document.ts`, which grows them.
 */
import type { Place } from './bank-file-error.ts';

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

/** Its text, trimmed; `null` for none. */
export function textAt(element: Element | undefined, ...names: readonly string[]): string | null {
  const text = at(element, ...names)?.text ?? '';
  return text === '' ? null : text;
}

export function all(element: Element | undefined, name: string): Element[] {
  return element?.children?.filter((child) => child.name === name) ?? [];
}

/** Texts of all children of a name; empty ones are none. */
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
