/** Bytes as they come: counted, cut to small pieces, and with a look at the first ones. Next: `read.ts`. */
import { StatementFileError } from './bank-file-error.ts';

/** Small enough that reading one holds the process for a few milliseconds. */
const PIECE_BYTES = 65_536;

/** The same bytes in pieces of 1 byte to 64 kB; throws `StatementFileError` after `maxBytes`. */
export async function* pieces(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new StatementFileError('limit', `The file is larger than ${maxBytes} bytes.`);
    for (let from = 0; from < chunk.byteLength; from += PIECE_BYTES) yield chunk.subarray(from, from + PIECE_BYTES);
  }
}

export interface Opened {
  /** The first bytes, fewer only where there are no more. */
  readonly head: Uint8Array;
  /** All bytes; the first piece holds `head`. */
  readonly bytes: AsyncGenerator<Uint8Array>;
}

/** Reads ahead until there are `count` bytes. */
export async function withHead(source: AsyncGenerator<Uint8Array>, count: number): Promise<Opened> {
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < count) {
    // Each piece says whether another one is needed.
    // oxlint-disable-next-line no-await-in-loop
    const { value, done } = await source.next();
    if (done === true) break;
    first.push(value);
    length += value.byteLength;
  }
  const start = Buffer.concat(first);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (start.byteLength > 0) yield start;
    yield* source;
  }
  return { head: start.subarray(0, count), bytes: bytes() };
}
