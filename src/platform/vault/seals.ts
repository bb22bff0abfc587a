/**
 * How a kind of object stands in its row: with some of its texts sealed (`vault.ts`), of the same type as the open one.
 * Sealed where rows are written, opened where they are read, and nowhere between.
 */
export interface Seals<T> {
  /** As its row is to hold it. `environmentId` is where the row belongs. */
  seal(object: T, environmentId: string): T;
  /** The object of a row. Throws `SealError`, for clear text too. */
  open(stored: T): T;
  /** Whether nothing of it is clear or sealed under an earlier server secret. */
  isCurrent(stored: T): boolean;
}

/** The same for texts such as JSON that are stored whole. */
export interface TextSeals {
  seal(text: string): string;
  open(stored: string): string;
  isCurrent(stored: string): boolean;
}
