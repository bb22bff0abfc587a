/** Bytes of a request to a tree, by content type. Next: `json.ts`, `form.ts`, `csv.ts`, then `params.ts`. */
import { isUtf8 } from 'node:buffer';
import { RequestError } from '../../../core/values/errors.ts';
import { readCsv } from './csv.ts';
import { readForm, readQueryText } from './form.ts';
import { readJson } from './json.ts';
import { emptyObject, given, isObject, type Tree } from './param.ts';

/** Levels of nesting, the outermost object included. Contract, section 12. */
export const MAX_DEPTH = 8;

export type BodyKind = 'form' | 'json' | 'csv';

/** The kind of a Content-Type header; `undefined` for an unsupported type or charset. */
export function bodyKind(contentType: string): BodyKind | undefined {
  if (contentType === 'application/x-www-form-urlencoded') return 'form';
  if (contentType === 'application/json') return 'json';
  const [media = '', ...rest] = contentType.toLowerCase().split(';');
  for (const parameter of rest) {
    const [name = '', value = ''] = parameter.split('=');
    const charset = value.trim().replace(/^"(.*)"$/, '$1');
    if (name.trim() === 'charset' && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
      return undefined;
  }
  switch (media.trim()) {
    case 'application/x-www-form-urlencoded':
      return 'form';
    case 'application/json':
      return 'json';
    case 'text/csv':
      return 'csv';
    default:
      return undefined;
  }
}

/** An empty body is an empty object. Throws `RequestError`s of the three readers; a JSON body must be an object. */
export function readBody(kind: BodyKind, bytes: Buffer): Tree {
  if (bytes.length === 0) return emptyObject();
  if (!isUtf8(bytes)) throw new RequestError('body_invalid', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (kind === 'form') return readForm(text, MAX_DEPTH);
  if (kind === 'csv') return readCsv(text, MAX_DEPTH);
  const tree = readJson(text, MAX_DEPTH);
  if (isObject(tree)) return tree;
  throw new RequestError('body_invalid', `A JSON body must be an object, got ${given(tree)}.`);
}

/** The query of a URL as sent, question mark and path included. */
export function readQuery(url: string): Tree {
  const mark = url.indexOf('?');
  return mark === -1 || mark === url.length - 1 ? emptyObject() : readQueryText(url.slice(mark + 1), MAX_DEPTH);
}
