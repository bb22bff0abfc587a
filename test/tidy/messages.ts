/**
 * Messages of refusals as they stand in the code, and what is wrong with one: a person reads it, so it is a sentence with a full stop and
 * names nothing that only the code knows. Who asks: `test/error-texts.test.ts`.
 */
import type { Source } from './source.ts';

export interface Message {
  readonly path: string;
  readonly line: number;
  /** Values that are put in are `…`. */
  readonly text: string;
}

const LITERAL_FOLLOWS = [
  /\b(?:refusal|new RequestError)\(\s*(?:'\w+'|code)\s*,\s*(?=['`])/g,
  /\bparamError\(\s*'\w+'\s*,\s*(?:'[^'\n]*'|[\w.]+|\w+\([^()]*\))\s*,\s*(?=['`])/g,
  /\bconst message =\s*(?=['`])/g,
];

/** The messages of a file, in order. Those that are put together in other ways are not seen. */
export function messagesIn({ path, uncommented }: Pick<Source, 'path' | 'uncommented'>): Message[] {
  const starts = LITERAL_FOLLOWS.flatMap((pattern) =>
    [...uncommented.matchAll(pattern)].map(({ index, 0: found }) => index + found.length),
  );
  return starts
    .sort((one, other) => one - other)
    .map((at) => ({ path, line: uncommented.slice(0, at).split('\n').length, text: literalAt(uncommented, at) }));
}

/** The text of the string or template that begins at `at`. */
function literalAt(code: string, at: number): string {
  const quote = code.charAt(at);
  let text = '';
  for (let i = at + 1; i < code.length && code.charAt(i) !== quote; i++) {
    if (code.charAt(i) === '\\') text += code.charAt(++i);
    else if (quote === '`' && code.startsWith('${', i)) {
      text += '…';
      i = endOfValue(code, i + 2);
    } else text += code.charAt(i);
  }
  return text;
}

/** Where the brace closes that was opened before `at`. */
function endOfValue(code: string, at: number): number {
  let depth = 1;
  let i = at;
  for (; i < code.length; i++) {
    if (code.charAt(i) === '{') depth += 1;
    else if (code.charAt(i) === '}' && --depth === 0) break;
  }
  return i;
}

/** Faults of a text. `isPublic`: whether a word with underscores stands in the API; `operations`: such as `POST /v1/payouts/:id`. */
export function faultsOf(
  text: string,
  isPublic: (word: string) => boolean,
  operations: ReadonlySet<string>,
): readonly string[] {
  const named = [...text.matchAll(/\b(GET|POST|DELETE) (\/v1\/[\w/:…]*)/g)].map(
    ([, method, path]) => `${method} ${(path as string).replaceAll(/…|\b[a-z]+_[0-7][0-9a-z]{25}\b/g, ':id')}`,
  );
  const words = text.replaceAll(/\/v1\/\S+/g, '').match(/[A-Za-z_]\w*/g) ?? [];
  return [
    ...(text.trim() === '' ? ['is empty'] : []),
    ...(/[.?…]$/.test(text) ? [] : ['has no full stop']),
    ...words.filter((word) => /^[a-z]{2,}[A-Z]/.test(word)).map((word) => `${word} is a name of the code`),
    ...words
      .filter((word) => /^[a-z]+(?:_[a-z0-9]+)+$/.test(word) && !isPublic(word))
      .map((word) => `${word} is no word of the API`),
    ...named.filter((operation) => !operations.has(operation)).map((operation) => `there is no ${operation}`),
    ...(/contact (?:us|support)/i.test(text) ? ['nobody can be contacted'] : []),
  ];
}
