/**
 * Names to addresses, as the operating system resolves them. It must never judge what it finds: that is the work of
 * `guard.ts`, and it must judge all of it.
 */
import { lookup } from 'node:dns/promises';

export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, in the order in which they should be tried. Rejects with a `code` such as `ENOTFOUND`. */
export type Lookup = (hostname: string) => Promise<readonly FoundAddress[]>;

/** The resolver's own patience is 10 s and more a server; a person who registers an endpoint waits for this. */
const LOOKUP_TIMEOUT_MS = 5000;

const underWay = new Map<string, Promise<readonly FoundAddress[]>>();

/**
 * The system's resolver, files and search domains included. Gives up with `ETIMEOUT` after 5 s. Callers who ask for the same
 * name at the same time share one look-up: each holds a thread of the process's pool, which also serves the other names
 * (32 with `npm start`, else 4; see docs/guides/operating.md).
 */
export const systemLookup: Lookup = async (hostname) => {
  let found = underWay.get(hostname);
  if (!found) {
    found = lookup(hostname, { all: true });
    underWay.set(hostname, found);
    const forget = () => underWay.delete(hostname);
    found.then(forget, forget);
  }
  return inTime(found);
};

function inTime<T>(found: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(Object.assign(new Error('look-up timed out'), { code: 'ETIMEOUT' })),
      LOOKUP_TIMEOUT_MS,
    );
    found.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
