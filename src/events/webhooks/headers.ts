/**
 * The headers that an owner adds to the deliveries of an endpoint. Their values are secrets: sealed (`signature.ts`) before
 * a command holds them, and shown as a mask. Which names and values a request may send: `parameters.ts`.
 */
import { type Refusal, refusal } from '../../core/values/errors.ts';

export const MAX_HEADERS = 10;

/** What answers and events show of a value, however long it is. */
export const MASK = '****';

export interface SealedHeader {
  /** As it was last given; names that differ only in case are one header. */
  readonly name: string;
  readonly sealed: string;
}

/** `sealed: null` unsets the header; with an empty name, which no client can send, it unsets all. */
export interface HeaderChange {
  readonly name: string;
  readonly sealed: string | null;
}

const keyOf = ({ name }: { readonly name: string }): string => name.toLowerCase();

/** The headers after an update: those in the request are set or unset, others stay. Refuses `webhook_header_limit`. */
export function mergeHeaders(
  before: readonly SealedHeader[],
  changes: readonly HeaderChange[] = [],
): readonly SealedHeader[] | Refusal {
  if (changes.some(({ name }) => name === '')) return [];
  const merged = new Map(before.map((header) => [keyOf(header), header]));
  for (const { name, sealed } of changes) {
    if (sealed === null) merged.delete(keyOf({ name }));
    else merged.set(keyOf({ name }), { name, sealed });
  }
  if (merged.size <= MAX_HEADERS) return [...merged.values()];
  const message = `The endpoint would have ${merged.size} headers, at most ${MAX_HEADERS} are allowed. Unset some with an empty value.`;
  return refusal('webhook_header_limit', message, { param: 'headers' });
}

/** The names of those that an update sets and unsets. A header that is given again counts as set: its value is sealed. */
export function changedNames(before: readonly SealedHeader[], after: readonly SealedHeader[]) {
  const sealedIn = (headers: readonly SealedHeader[]) => new Map(headers.map((each) => [keyOf(each), each.sealed]));
  const [old, now] = [sealedIn(before), sealedIn(after)];
  return {
    set: after.filter((each) => old.get(keyOf(each)) !== each.sealed).map(({ name }) => name),
    unset: before.filter((each) => !now.has(keyOf(each))).map(({ name }) => name),
  };
}

/** What changed headers were before, for an event: `null` where a header did not exist. */
export function previousHeaders(
  before: readonly SealedHeader[],
  after: readonly SealedHeader[],
): Readonly<Record<string, string | null>> {
  const there = new Set(before.map(keyOf));
  const { set, unset } = changedNames(before, after);
  return Object.fromEntries([...set, ...unset].map((name) => [name, there.has(name.toLowerCase()) ? MASK : null]));
}

/** The names with the mask: all that is ever shown. */
export const masked = (headers: readonly SealedHeader[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map(({ name }) => [name, MASK]));

/** Shorter words say too little to be a secret, and would be found in every text. */
const WORD_MIN_CHARACTERS = 8;

/** What a receiver answered, without what it repeats of the values: each of their words is masked, and one that is cut off at the end. */
export function withoutValues(text: string, values: readonly string[]): string {
  const words = values
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), ...value.split(/[\t ]+/)])
    .filter(({ length }) => length >= WORD_MIN_CHARACTERS)
    .toSorted((a, b) => b.length - a.length);
  return words.reduce((left, word) => {
    const clear = left.replaceAll(word, MASK);
    for (let length = word.length - 1; length >= WORD_MIN_CHARACTERS; length -= 1) {
      if (clear.endsWith(word.slice(0, length))) return clear.slice(0, -length) + MASK;
    }
    return clear;
  }, text);
}
