/** Bounds of reading. What is beyond them is refused with a sentence, so that no file holds a process or its memory. */

export interface Limits {
  /** Of the file as it came, and of everything a ZIP unfolds to. */
  readonly maxBytes: number;
  /** Elements within each other. The deepest message of ISO 20022 has some 20. */
  readonly maxDepth: number;
  /** Of one text. The longest text of these messages is 500 characters, some banks write more. */
  readonly maxTextCharacters: number;
  /** Between one tag and the next, markup and comments included. */
  readonly maxTokenCharacters: number;
  /** Elements of one entry without its details, of one detail, or of any other part. */
  readonly maxPartElements: number;
  readonly maxEntryDetails: number;
  /** Of the status of one payment of a pain.002. */
  readonly maxReasons: number;
  /** Texts of one entry, together. */
  readonly maxEntryCharacters: number;
  /** Items (and their details) that wait for a heading which may still come. A thousand took a quarter more time and 40 MB. */
  readonly maxWaitingItems: number;
  readonly maxZipFiles: number;
  /** How many times larger a file of a ZIP may be than what it is compressed to. Statements reach 40. */
  readonly maxZipRatio: number;
  /** Larger ZIPs wait in a temporary file. */
  readonly maxZipBytesInMemory: number;
}

export const LIMITS: Limits = {
  maxBytes: 1_073_741_824,
  maxDepth: 64,
  maxTextCharacters: 65_536,
  maxTokenCharacters: 262_144,
  maxPartElements: 20_000,
  maxEntryDetails: 100_000,
  maxReasons: 1_000,
  maxEntryCharacters: 32_000_000,
  maxWaitingItems: 250,
  maxZipFiles: 1_000,
  maxZipRatio: 200,
  maxZipBytesInMemory: 16_777_216,
};
