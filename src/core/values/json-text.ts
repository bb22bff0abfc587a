/** JSON as text, so that numbers keep their digits: `JSON.parse` makes 25.5 of 25.50. Our own rendering only: no blanks between tokens. */
import { assert } from './assert.ts';

/** The members as written, by name. A name is the text between its quotation marks, escapes included. */
export function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>();
  if (json === '{}') return members;
  let at = 1;
  while (json[at] === '"') {
    const nameEnd = textEnd(json, at);
    const end = valueEnd(json, nameEnd + 2);
    members.set(json.slice(at + 1, nameEnd), json.slice(nameEnd + 2, end));
    at = end + 1;
  }
  assert(at >= json.length, 'The JSON of an object ends with its last member');
  return members;
}

/** The elements of an array, as written. */
export function elementsOf(json: string): string[] {
  const elements: string[] = [];
  for (let at = 1; at < json.length - 1; at += 1) {
    const end = valueEnd(json, at);
    elements.push(json.slice(at, end));
    at = end;
  }
  return elements;
}

/** The JSON of an object with these members. */
export const objectOf = (members: Iterable<readonly [string, string]>): string =>
  `{${Array.from(members, ([name, value]) => `"${name}":${value}`).join(',')}}`;

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|\{\}|\[\]|[{}[\],:]/g;

/** For people: two blanks a level, and a line end behind it. Numbers and texts stay as written. */
export function indented(json: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  const text = json.replace(TOKENS, (token) => {
    if (token === '{' || token === '[') {
      depth += 1;
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return line() + token;
    }
    if (token === ',') return token + line();
    return token === ':' ? ': ' : token;
  });
  return `${text}\n`;
}

/** Where a value ends that begins at `start`: the comma or the bracket behind it. */
function valueEnd(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const letter = json[at];
    if (letter === '"') at = textEnd(json, at);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (depth === 0 && (letter === ',' || letter === '}' || letter === ']')) return at;
    else if (letter === '}' || letter === ']') depth -= 1;
  }
  return json.length;
}

/** Where the quotation mark is that ends the text which begins at `start`. */
function textEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
