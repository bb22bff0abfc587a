/**
 * Source files as the house rules see them: the text, the code without comments and without the insides of strings, the
 * comments, the imports. TypeScript 7 has no JavaScript API, so a small scanner does it. It must never execute what it
 * reads. Next: `rules.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** `src/core/values/ids.ts` for a file of ours; `fastify` or `node:crypto` as written. */
  readonly target: string;
  readonly typeOnly: boolean;
}

export interface Source {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Same length as `text`: comments and the insides of strings and regular expressions are blank. */
  readonly code: string;
  /** Same length as `text`: only comments are blank. */
  readonly uncommented: string;
  readonly comments: string;
  readonly imports: readonly Import[];
}

/** Every TypeScript file below the folders. */
export function sourcesIn(...folders: readonly string[]): Source[] {
  return filesIn(folders, '.ts').map((path) => source(path, readFileSync(join(ROOT, path), 'utf8')));
}

export function filesIn(folders: readonly string[], ending: string): string[] {
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

export function source(path: string, text: string): Source {
  const { code, uncommented, comments } = scan(text);
  return { path, text, code, uncommented, comments, imports: importsIn(path, uncommented) };
}

const IMPORT = /^\s*(import|export)\s+(type\s+)?(?:([^'"`;]*?)\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm;

function importsIn(path: string, uncommented: string): Import[] {
  return [...uncommented.matchAll(IMPORT)].map(([, , type, names, from, dynamic]) => {
    const specifier = from ?? dynamic ?? '';
    const target = specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;
    return { target: target.replaceAll('\\', '/'), typeOnly: type !== undefined || onlyTypes(names) };
  });
}

/** `{ type A, type B }` imports nothing at run time. */
function onlyTypes(names: string | undefined): boolean {
  const inside = names?.match(/^\{([^}]*)\}$/)?.[1];
  if (inside === undefined) return false;
  const each = inside.split(',').filter((name) => name.trim() !== '');
  return each.length > 0 && each.every((name) => /^\s*type\s/.test(name));
}

const REGEX_MAY_START = /(?:^|[([{,;:=!&|?+\-*%~^<>]|=>|\b(?:return|typeof|case|in|of|do|else))\s*$/;

/** One pass over the text; `open` holds the brace depth at which each template literal's `${` began. */
function scan(text: string): { code: string; uncommented: string; comments: string } {
  const code =
    [...text].length === text.length ? text.split('') : Array.from({ length: text.length }, (_, i) => text[i]!);
  const uncommented = code.slice();
  let comments = '';
  const blank = (target: string[], from: number, to: number) => {
    for (let i = from; i < to; i++) if (target[i] !== '\n') target[i] = ' ';
  };
  const open: number[] = [];
  let depth = 0;
  let line = '';
  for (let i = 0; i < text.length; ) {
    const two = text.slice(i, i + 2);
    const character = text[i] as string;
    let end = i + 1;
    if (two === '//' || two === '/*') {
      const close = two === '//' ? text.indexOf('\n', i) : text.indexOf('*/', i) + 2;
      end = close < i + 2 ? text.length : close;
      comments += `${text.slice(i, end)}\n`;
      blank(uncommented, i, end);
      blank(code, i, end);
    } else if (character === "'" || character === '"') {
      end = endOfQuoted(text, i, character);
      blank(code, i + 1, end - 1);
      line += character;
    } else if (character === '`' || (character === '}' && open.at(-1) === depth)) {
      if (character === '}') open.pop();
      end = endOfTemplate(text, i + 1);
      blank(code, i + 1, end - 1);
      if (text[end - 1] === '{') open.push(depth);
      line += text[end - 1];
    } else if (character === '/' && REGEX_MAY_START.test(line.slice(-20))) {
      end = endOfRegex(text, i);
      blank(code, i + 1, end - 1);
      line += '/';
    } else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      line = character === '\n' ? '' : line + character;
    }
    i = end;
  }
  return { code: code.join(''), uncommented: uncommented.join(''), comments };
}

function endOfQuoted(text: string, start: number, quote: string): number {
  let i = start + 1;
  while (i < text.length && text[i] !== quote && text[i] !== '\n') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

/** Behind the closing backtick, or behind the `{` of the next `${`. */
function endOfTemplate(text: string, start: number): number {
  let i = start;
  while (i < text.length && text[i] !== '`') {
    if (text[i] === '$' && text[i + 1] === '{') return i + 2;
    i += text[i] === '\\' ? 2 : 1;
  }
  return i + 1;
}

function endOfRegex(text: string, start: number): number {
  let inClass = false;
  let i = start + 1;
  for (; i < text.length && text[i] !== '\n' && (inClass || text[i] !== '/'); i += text[i] === '\\' ? 2 : 1) {
    if (text[i] === '[') inClass = true;
    if (text[i] === ']') inClass = false;
  }
  return i + 1;
}
