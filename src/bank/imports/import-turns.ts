/**
 * Which statement files a process takes in at once. Large files take minutes and memory, so they have one place; small ones never wait for
 * them. No environment can fill the places for uploads alone.
 */
import { RequestError } from '../../core/values/errors.ts';
import { Places } from '../../platform/http/transfer/places.ts';

/** Some 25,000 entries, which take about ten seconds. */
const LARGE_BYTES = 16_000_000;
const PLACES = { large: 1, small: 2 } as const;
/** Uploads that are received, wait or are imported. Each may have a file of a gigabyte on disk. */
const UPLOADS = { all: 16, each: 4, kept: 4 };

/** The `P` of `PK`; no XML begins so. */
const ZIP_BEGINS = 0x50;
/** How much longer statements are than their ZIP: 10 to 40 times. */
const ZIP_RATIO = 20;

type Size = keyof typeof PLACES;

/** What there is to read in a file, about. `first`: its first byte. */
export const unfolded = (sizeBytes: number, first: number | undefined): number =>
  first === ZIP_BEGINS ? sizeBytes * ZIP_RATIO : sizeBytes;

export class ImportTurns {
  readonly #free: Record<Size, number> = { ...PLACES };
  /** In order. */
  readonly #waiting: Record<Size, (() => void)[]> = { large: [], small: [] };
  readonly #uploads = new Places(UPLOADS);
  readonly #waitMs: number;

  /** `waitMs`: how long a file waits for its turn before it is refused. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** A place for an upload; call the result when the file is done with. Throws `overloaded`. */
  enter(environmentId: string): () => void {
    const leave = this.#uploads.take(environmentId);
    if (leave === null) throw tooMany();
    return leave;
  }

  /** Waits until a file of that size, unfolded, may be read and booked; call the result when it is. Throws `overloaded` and the signal's reason. */
  async take(sizeBytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const size: Size = sizeBytes > LARGE_BYTES ? 'large' : 'small';
    if (this.#free[size] > 0) this.#free[size] -= 1;
    else await this.#turn(this.#waiting[size], signal);
    return () => {
      const next = this.#waiting[size].shift();
      if (next) next();
      else this.#free[size] += 1;
    };
  }

  #turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      };
      const mine = (): void => {
        leave();
        resolve();
      };
      const give = (reason: unknown): void => {
        leave();
        waiting.splice(waiting.indexOf(mine), 1);
        reject(reason);
      };
      const stop = (): void => give(signal.reason);
      const timer = setTimeout(() => give(tooMany()), this.#waitMs);
      signal.addEventListener('abort', stop, { once: true });
      waiting.push(mine);
    });
  }
}

const tooMany = (): RequestError =>
  new RequestError('overloaded', 'Other statement files are being imported. Try again in a moment.');
