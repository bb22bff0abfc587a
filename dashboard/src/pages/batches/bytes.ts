/**
 * The bytes of a file that somebody dropped, as text. Nothing is guessed silently: where the bytes may be one of several encodings, that is said
 * (`inDoubt`), and the names with letters beyond ASCII are shown to a person. Pure. Next: `cells.ts`.
 */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'macintosh'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** As a person knows them. */
export const ENCODING_WORDS: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  macintosh: 'Western European (Mac)',
};

export type Decoded =
  | { readonly text: string; readonly encoding: Encoding; readonly inDoubt: boolean }
  /** In words, for whoever dropped it. */
  | { readonly fault: string };

/** More than 1,000 rows of a payroll ever have. */
export const MAX_BYTES = 2_000_000;

/** `chosen`: what a person said; then nothing is in doubt. */
export function decoded(bytes: Uint8Array, chosen?: Encoding): Decoded {
  const wrong = notText(bytes);
  if (wrong !== null) return { fault: wrong };
  if (chosen !== undefined) return textIn(bytes, chosen, false);
  const marked = markOf(bytes) ?? withoutMark(bytes);
  if (marked !== null) return textIn(bytes, marked, false);
  if (isUtf8(bytes)) return textIn(bytes, 'utf-8', false);
  return textIn(bytes, 'windows-1252', true);
}

function textIn(bytes: Uint8Array, encoding: Encoding, inDoubt: boolean): Decoded {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text: text.replace(/^\uFEFF/, ''), encoding, inDoubt };
}

const begins = (bytes: Uint8Array, ...with_: readonly number[]) => with_.every((byte, at) => bytes[at] === byte);

function notText(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'The file is empty.';
  if (bytes.length > MAX_BYTES) return 'The file is larger than 2 MB. A batch has at most 1,000 payouts.';
  if (begins(bytes, 0x50, 0x4b, 3, 4) || begins(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    return 'This is a workbook. In your spreadsheet program, save the sheet as CSV, and drop that.';
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) return 'This is a PDF. Export the list as CSV, and drop that.';
  return null;
}

/** By its byte order mark. */
function markOf(bytes: Uint8Array): Encoding | null {
  if (begins(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (begins(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (begins(bytes, 0xfe, 0xff)) return 'utf-16be';
  return null;
}

/** UTF-16 of Latin letters has a zero in every other byte, and no other text has any. */
function withoutMark(bytes: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, 2000).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return null;
  return odd >= even ? 'utf-16le' : 'utf-16be';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
