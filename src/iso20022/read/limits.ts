/** Bounds of reading. What is beyond them is refused with a sentence, so that no file holds a process or its memory. */

export const LIMITS = {
  /** Of the file as it came, and of everything a ZIP unfolds to. */
  maxBytes: 1_073_741_824,
  /** Elements within each other. The deepest message of ISO 20022 has some 20. */
  maxDepth: 64,
  /** Of one text. The longest text of these messages is 500 characters, some banks write more. */
  maxTextCharacters: 65_536,
  /** Between one tag and the next, markup and comments included. */
  maxTokenCharacters: 262_144,
  /** Elements of one entry without its details, of one detail, or of any other part. */
  maxPartElements: 20_000,
  maxEntryDetails: 100_000,
  /** Of the status of one payment of a pain.002. */
  maxReasons: 1_000,
  /** Texts of one entry, together. */
  maxEntryCharacters: 32_000_000,
  /** Items (and their details) that wait for a heading which may still come. A thousand took a quarter more time and 40 MB. */
  maxWaitingItems: 250,
  maxZipFiles: 1_000,
  /** How many times larger a file of a ZIP may be than what it is compressed to. Statements reach 40. */
  maxZipRatio: 200,
  /** Larger ZIPs wait in a temporary file. */
  maxZipBytesInMemory: 16_777_216,
};
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
