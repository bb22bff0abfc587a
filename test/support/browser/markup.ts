/** A strict reader of markup: what it does not expect it refuses. */
import { expect } from 'vitest';

export interface Node {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Node | string)[];
}

const VOID = new Set(['meta', 'link', 'img', 'input', 'br']);
const TOKEN = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(\/?)>|([^<>]+)/gy;
const decoded = (text: string) => {
  expect(text.replace(/&(?:amp|lt|gt|quot|#39|#96);/g, '')).not.toMatch(/[&<>"']/);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&');
};

export function read(markup: string): Node {
  const root: Node = { tag: '', attributes: new Map(), children: [] };
  const open = [root];
  let end = 0;
  for (const token of markup.matchAll(TOKEN)) {
    end = token.index + token[0].length;
    const [, closing, tag, rest = '', alone, text] = token;
    const top = open.at(-1) as Node;
    if (text !== undefined) top.children.push(decoded(text));
    if (tag === undefined) continue;
    if (closing === '/') {
      expect(open.pop()?.tag, `at ${markup.slice(Math.max(0, end - 60), end)}`).toBe(tag);
      continue;
    }
    const attributes = new Map<string, string>();
    for (const [, name = '', value = ''] of rest.matchAll(/ ([a-zA-Z-]+)(?:="([^"]*)")?/g)) {
      expect(attributes.has(name), `${name} twice`).toBe(false);
      attributes.set(name, decoded(value));
    }
    const node: Node = { tag, attributes, children: [] };
    top.children.push(node);
    if (alone !== '/' && !VOID.has(tag)) open.push(node);
  }
  expect(end, `stuck at ${markup.slice(end, end + 80)}`).toBe(markup.length);
  expect(open.map(({ tag }) => tag)).toEqual(['']);
  return root;
}

export function all(node: Node, wanted: (node: Node) => boolean): Node[] {
  const inside = node.children.filter((child) => typeof child !== 'string').flatMap((child) => all(child, wanted));
  return wanted(node) ? [node, ...inside] : inside;
}
export const tags = (node: Node, ...names: string[]) => all(node, ({ tag }) => names.includes(tag));
export const textOf = (node: Node | undefined): string =>
  (node?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
export const attribute = (node: Node, name: string) => node.attributes.get(name);
export const classed = (node: Node, name: string) =>
  all(node, (each) => (attribute(each, 'class') ?? '').split(' ').includes(name));
export const plainText = (node: Node | undefined) => textOf(node).replace(/\s+/g, ' ');
/** Tags, attribute names and how they nest: what hostile text must not change. */
export const shape = (node: Node): string =>
  `${node.tag}(${[...node.attributes.keys()].join()})[${node.children.map((child) => (typeof child === 'string' ? '' : shape(child))).join('')}]`;
