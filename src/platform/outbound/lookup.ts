/** Resolves names to addresses through the operating system. `guard.ts` checks the addresses. */
import { lookup } from 'node:dns/promises';

export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, in the order in which they should be tried. Rejects with a `code` such as `ENOTFOUND`. */
export type Lookup = (hostname: string) => Promise<readonly FoundAddress[]>;

/** Shorter than the resolver's own 10 s and more a server, because a person who registers an endpoint waits for it. */
const LOOKUP_TIMEOUT_MS = 5000;

const underWay = new Map<string, Promise<readonly FoundAddress[]>>();

/**
 * The system's resolver. Gives up with `ETIMEOUT` after 5 s. Callers share the look-up of a name, since each holds a
 * thread of the process's pool (32 with `npm start`, else 4).
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
