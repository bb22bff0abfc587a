/**
 * What makes two requests under one `Idempotency-Key` the same. Texts that may be private are kept as hashes under a key that follows from
 * the server secret: whoever reads the table alone cannot try bank details out. Source: contract, section 6.
 */
import { hash, hkdfSync } from 'node:crypto';
import { type Currency, currencyOf } from '../core/values/currencies.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';

/** Short and not private: kept in clear, which is cheaper than hashing. Everything else is kept as a hash. */
const CLEAR: ReadonlySet<string> = new Set(
  'amount currency recipient account sell_currency buy_currency quote'.split(' '),
);
const CLEAR_LENGTH = 40;

/** The key of the hashes in a fingerprint, and its name. Of records from before hashes had one both are empty. */
interface PrintKey {
  readonly id: string;
  readonly salt: string;
}
const UNKEYED: PrintKey = { id: '', salt: '' };

/** Method, path and canonical parameters, a line each: equal for the same request in any form, under the same key. */
export function fingerprint(
  method: string,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
  { id, salt }: PrintKey = UNKEYED,
): string {
  let text = id === '' ? `${method} ${path}` : `${method} ${path} ${id}`;
  // A dry run is never recorded.
  const given = Object.keys(parameters).filter((name) => parameters[name] !== undefined && name !== 'dry_run');
  for (const name of given.sort()) {
    const value = parameters[name];
    const canonical = typeof value === 'string' ? value : isCurrency(value) ? value.code : canonicalJson(value);
    const isClear = canonical.length <= CLEAR_LENGTH && CLEAR.has(name);
    text += `\n${name}=${isClear ? canonical : `#${hash('sha256', salt + canonical, 'base64')}`}`;
  }
  return text;
}

export interface Fingerprint {
  /** As it is recorded: under the current server secret. */
  readonly fingerprint: string;
  /** Of the same request, under the key of a fingerprint that was recorded, which may be older than the current secret. */
  fingerprintLike(recorded: string): string;
}

export type Fingerprinter = (
  method: string,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
) => Fingerprint;

/** Its keys follow from the server secrets. */
export function fingerprinter({ current, previous }: ServerSecrets): Fingerprinter {
  const keys = [current, ...previous].map(keyOf);
  const newest = keys[0] as PrintKey;
  return (method, path, parameters) => ({
    fingerprint: fingerprint(method, path, parameters, newest),
    fingerprintLike(recorded) {
      const [target = ''] = recorded.split('\n', 1);
      const id = target.split(' ')[2] ?? '';
      const key = id === '' ? UNKEYED : keys.find((each) => each.id === id);
      if (key) return fingerprint(method, path, parameters, key);
      return withHashesOf(recorded, fingerprint(method, path, parameters, { ...newest, id }));
    },
  });
}

const keyOf = (secret: string): PrintKey => {
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `bursar idempotency fingerprints v1: ${name}`, length));
  return { id: derive('key id', 4).toString('hex'), salt: derive('key', 16).toString('base64url') };
};

/**
 * Under a secret that is gone, hashes cannot be compared. What is in clear decides: to answer again what was answered then pays nothing
 * twice, and a refusal would lead to a second payment under a new key.
 */
function withHashesOf(recorded: string, print: string): string {
  const hashes = new Map(recorded.split('\n').map((line) => [nameOf(line), line]));
  return print
    .split('\n')
    .map((line) => (line.startsWith(`${nameOf(line)}=#`) ? (hashes.get(nameOf(line)) ?? line) : line))
    .join('\n');
}

const nameOf = (line: string): string => line.slice(0, line.indexOf('='));

function isCurrency(value: unknown): value is Currency {
  const { code } = (value ?? {}) as { code?: unknown };
  return typeof code === 'string' && currencyOf(code) === value;
}

/** Like JSON, members sorted, bigint as digits. Our own walk: a replacer took a tenth of a batch's time. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  const members = names.sort().map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name])}`);
  return `{${members.join(',')}}`;
}

/** The parameter that differs, or `method or path`. */
export function firstDifference(before: string, now: string): string {
  const [target, ...old] = before.split('\n');
  const [newTarget, ...fresh] = now.split('\n');
  if (target !== newTarget) return 'method or path';
  const seen = new Set(old);
  const kept = new Set(fresh);
  const line = fresh.find((each) => !seen.has(each)) ?? old.find((each) => !kept.has(each)) ?? '';
  return nameOf(line);
}
