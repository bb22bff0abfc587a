/**
 * Items in the order of the file, held back while headings may still come: elements out of order occur, and nobody should get a
 * statement before its account. The wait is bounded; a heading that comes after its item has left is refused (`document.ts`).
 */
import type { Item } from './items.ts';

export class WaitingItems {
  readonly #limit: number;
  #waiting: Item[] = [];
  #weight = 0;
  #ready: Item[] = [];
  #released = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How often items were released: a heading of an earlier release can no longer change. */
  get releases(): number {
    return this.#released;
  }

  /** The one that is added waits in any case. */
  add(item: Item): void {
    if (this.#weight >= this.#limit) this.release();
    this.#waiting.push(item);
    this.#weight += item.type === 'entry' ? 1 + item.details.length : 1;
  }

  release(): void {
    for (const item of this.#waiting) this.#ready.push(item);
    this.#waiting = [];
    this.#weight = 0;
    this.#released += 1;
  }

  drop(): void {
    this.#waiting = [];
    this.#weight = 0;
  }

  /** What has been released since the last time. */
  take(): Item[] {
    if (this.#ready.length === 0) return this.#ready;
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}
