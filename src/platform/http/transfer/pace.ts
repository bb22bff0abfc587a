/** The least speed of a transfer that holds a place: a client that sends or takes a byte a second must not keep it. */

/**
 * In 30 seconds (`streamStallMs`), which is what the body of any other request needs (`bodyLimitBytes` in `requestTimeoutMs`): a
 * third of a megabit a second. A statement file of the largest size then takes nine hours at most.
 */
export const LEAST_BYTES = 1_048_576;

/** Counts only the time in which the other side is waited for: our own slowness cuts nobody off. */
export class Pace {
  readonly #windowMs: number;
  readonly #leastBytes: number;
  readonly #onSlow: () => void;
  #bytes = 0;
  #leftMs: number;
  #sinceMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onSlow` is called when fewer than `leastBytes` have moved in `windowMs` of waiting. */
  constructor(windowMs: number, leastBytes: number, onSlow: () => void) {
    this.#windowMs = windowMs;
    this.#leastBytes = leastBytes;
    this.#onSlow = onSlow;
    this.#leftMs = windowMs;
  }

  /** From now on the other side is waited for. */
  wait(): void {
    this.#sinceMs = performance.now();
    this.#timer = setTimeout(this.#onSlow, this.#leftMs);
  }

  /** It is waited for no longer, and has sent or taken so many bytes. */
  moved(bytes: number): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#sinceMs));
    }
    this.#bytes += bytes;
    if (this.#bytes < this.#leastBytes) return;
    this.#bytes = 0;
    this.#leftMs = this.#windowMs;
  }
}
