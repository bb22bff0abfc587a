/** Requests of the command line: parameters as they are typed (`amount=250.00 metadata[a]=b`), sent as a form, so that no digit changes on the way. */
import type { Bursar } from '../../../client/src/bursar.ts';
import { parse } from '../../../client/src/parse.ts';
import { UsageError } from '../../operator/exit.ts';
import type { Json } from './output.ts';

/** `status=paid` → a form. Throws `UsageError` where there is no `=`. */
export function formOf(pairs: readonly string[]): string {
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`${JSON.stringify(pair)} is no parameter; one looks like amount=250.00`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return new URLSearchParams(entries).toString();
}

export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export async function get(bursar: Bursar, path: string): Promise<string> {
  return (await bursar.request('GET', path)).text();
}

export async function post(bursar: Bursar, path: string, form: string, idempotencyKey?: string): Promise<string> {
  const body = form === '' ? {} : { body: form, headers: FORM };
  return (await bursar.request('POST', path, { ...body, idempotencyKey })).text();
}

export interface ListPage {
  /** As the server wrote them. */
  readonly raw: readonly Json[];
  /** With amounts as text. */
  readonly data: readonly Json[];
  readonly next: string | null;
}

export async function pageAt(bursar: Bursar, path: string): Promise<ListPage> {
  const response = await bursar.request('GET', path);
  const text = await response.text();
  const next = /<[^?>]*(\?[^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  const dataOf = (list: unknown) => (list as { readonly data: readonly Json[] }).data;
  return {
    raw: dataOf(JSON.parse(text)),
    data: dataOf(parse(text)),
    next: next === undefined ? null : `${path.split('?')[0]}${next}`,
  };
}
