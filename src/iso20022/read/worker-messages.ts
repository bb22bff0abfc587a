/**
 * The messages between the thread that reads a statement file (`worker.ts`) and the one that asked for it (`in-worker.ts`). Each side sends
 * a few messages ahead and waits until they are taken, so neither piles up what the other is slow with.
 */
import type { StatementFileError } from './bank-file-error.ts';
import type { Detail, Item } from './items.ts';

export type ToWorker =
  /** At most 64 kB, transferred. */
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  /** A message with items was taken. */
  | { readonly type: 'taken' };

export type FromWorker =
  /** `isOpen`: more details of the last entry follow. */
  | { readonly type: 'items'; readonly items: readonly Item[]; readonly isOpen: boolean }
  | { readonly type: 'details'; readonly details: readonly Detail[]; readonly isOpen: boolean }
  | { readonly type: 'bytes_taken' }
  | { readonly type: 'done' }
  | ({ readonly type: 'refused' } & Pick<StatementFileError, 'code' | 'sentence' | 'place' | 'fileNumber'>);

/** Messages with bytes that may be on their way. */
export const MAX_BYTES_MESSAGES = 8;
/** Messages with items that may be on their way. */
export const MAX_ITEMS_MESSAGES = 2;
/** Items and details of a message: unfolding this many takes some 3 ms of the event loop. */
export const MAX_MESSAGE_WEIGHT = 250;

/** Waits until a number that others change is below a bound. */
export class Window {
  readonly #limit: number;
  #open = 0;
  #waiting: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place, as soon as there is one. For one caller at a time. */
  async enter(): Promise<void> {
    if (this.#open >= this.#limit) await new Promise<void>((resolve) => (this.#waiting = resolve));
    this.#open += 1;
  }

  leave(): void {
    this.#open -= 1;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }
}

/** Values that were not taken yet. */
export class Inbox<Value> {
  #values: Value[] = [];
  #waiting: ((value: Value) => void) | undefined;

  add(value: Value): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(value);
    else this.#values.push(value);
  }

  /** The next one, as soon as there is one. For one caller at a time. */
  next(): Promise<Value> {
    const value = this.#values.shift();
    if (value !== undefined) return Promise.resolve(value);
    return new Promise((resolve) => (this.#waiting = resolve));
  }
}
