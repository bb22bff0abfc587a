/** Arguments of a method as parts of a request: ids in the path, parameters in the query or in the body. */
import type { HeaderValues } from './options.ts';

/** Of an operation that takes no parameters yet: `{}`, or nothing. */
export type NoParams = Readonly<Record<string, never>>;

export interface Content {
  readonly body?: NonNullable<RequestInit['body']> | undefined;
  readonly headers?: HeaderValues | undefined;
}

/** Throws `TypeError` where the id is none. */
export function idIn(id: unknown, path: string): string {
  if (typeof id === 'string' && id !== '') return encodeURIComponent(id);
  throw new TypeError(`${path} takes the id as text, not ${String(id)}`);
}

export const jsonOf = (params: unknown): Content => ({
  body: JSON.stringify(params ?? {}),
  headers: { 'Content-Type': 'application/json' },
});

export const fileOf = (file: unknown): Content => ({
  body: file as Blob,
  headers: { 'Content-Type': 'application/octet-stream' },
});

/**
 * `{ status: ['paid', 'failed'], created: { gte: 5 } }` → `?status[]=paid&status[]=failed&created[gte]=5`. What is `undefined` or `null` is left
 * out. Throws `TypeError` for an empty list: left out it would mean "all".
 */
export function queryOf(params: unknown): string {
  const pairs = Object.entries(params ?? {}).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (Array.isArray(value)) return valuesOf(name, value).map((each) => [`${name}[]`, each] as const);
    if (typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).map(([inner, each]) => [`${name}[${inner}]`, each] as const);
  });
  const query = new URLSearchParams(
    pairs
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return query.size === 0 ? '' : `?${query}`;
}

function valuesOf(name: string, values: readonly unknown[]): readonly unknown[] {
  if (values.length === 0)
    throw new TypeError(`${name} is an empty list, for which nothing is asked. Leave ${name} out to ask for all.`);
  if (values.some((each) => each === undefined || each === null))
    throw new TypeError(`${name} holds undefined or null. Each of its values is a text or a number.`);
  return values;
}
