/**
 * Files for receivers of HTTP/1.0. There a body without a length ends with the connection, so one that was cut looks whole. A short
 * file is sent with its length, and a long one is refused. All others get chunks, of which the last one is missing: `stream.ts`.
 */
import type { ServerResponse } from 'node:http';
import { RequestError } from '../../../core/values/errors.ts';
import type { Fill, Sink } from './stream.ts';

/** What is kept in memory for one of these receivers; `../download.ts` bounds their number. */
export const WHOLE_FILE_MAX_BYTES = 1_048_576;

/** Whether the receiver could not see that a file was cut. The answer to a HEAD request has no body. */
export function canBeCut(response: ServerResponse): boolean {
  return !response.useChunkedEncodingByDefault && response.req.method !== 'HEAD';
}

/** All of a file. Rejects with `http_version_unsupported` if it is too long, and as `fill` does. */
export async function wholeFile(fill: Fill, mayGoOn: () => Promise<boolean>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const callbacks: (() => void)[] = [];
  let length = 0;
  const isOver = () => length > WHOLE_FILE_MAX_BYTES;
  const sink: Sink = {
    async write(part) {
      if (isOver()) return;
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      length += bytes.byteLength;
      parts.push(bytes);
      if (isOver()) for (const callback of callbacks) callback();
    },
    get isOver() {
      return isOver();
    },
    onOver: (callback) => (isOver() ? callback() : void callbacks.push(callback)),
  };
  await fill(sink);
  if (isOver()) throw tooLong();
  if (!(await mayGoOn())) throw new RequestError('api_key_invalid', 'The key ended before the file did.');
  return Buffer.concat(parts);
}

const tooLong = () =>
  new RequestError(
    'http_version_unsupported',
    `The file has more than ${WHOLE_FILE_MAX_BYTES} bytes. Ask for it with HTTP/1.1: with HTTP/1.0 nobody sees whether it is whole.`,
  );
