/**
 * Files that are read and sent page by page. A download holds one page in memory and no connection to the database: a page is read
 * when the receiver has taken the one before, so a slow receiver keeps nothing from anybody (decision 0034). A file that cannot be
 * finished is cut off (`transfer/stream.ts`). Next: `ledger/statements/documents.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { Places } from './transfer/places.ts';
import type { Answer } from './route.ts';

/** Downloads at once of this process: with pages of 1,000 rows some 2 MB each. */
const LIMITS = { all: 24, each: 8, kept: 6 };
/** How long one download may take. A receiver that is too slow is cut off sooner (`transfer/stream.ts`). */
const DOWNLOAD_MS = 3_600_000;
/** How long a download that is not begun counts. */
const UNUSED_MS = 1_000;
/** Rows that are read at once. */
export const DOWNLOAD_PAGE_ROWS = 1_000;

export interface File {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text or bytes in their order. The first part is read before the head is sent, so that its refusals are answers. */
  readonly parts: AsyncGenerator<string | Uint8Array>;
}

const places = new Places(LIMITS);

/** Rejects as the first part does, and with `rate_limited`. A later fault cuts the connection. */
export async function download(environmentId: string, { contentType, headers, parts }: File): Promise<Answer> {
  const leave = places.take(environmentId);
  if (leave === null) throw tooMany();
  const first = await parts.next().catch((error: unknown) => {
    leave();
    throw error;
  });
  // The caller may refuse after all; then nobody fills, and what the parts hold is given back.
  let unused: NodeJS.Timeout | undefined = setTimeout(() => {
    unused = undefined;
    leave();
    parts.return(undefined).catch(() => undefined);
  }, UNUSED_MS);
  const endsMs = performance.now() + DOWNLOAD_MS;
  return {
    status: 200,
    body: '',
    contentType,
    headers,
    isFile: true,
    stream: async (sink) => {
      if (unused === undefined) throw new Error('A download began too late and was cut off.');
      clearTimeout(unused);
      try {
        for (let part = first; part.done !== true && !sink.isOver; part = await parts.next()) {
          if (performance.now() > endsMs) throw new Error('A download took longer than an hour and was cut off.');
          await sink.write(part.value);
        }
      } finally {
        leave();
        await parts.return(undefined);
      }
    },
  };
}

const tooMany = (): RequestError =>
  new RequestError(
    'rate_limited',
    `Too many downloads are open; ${LIMITS.each} at once are the most for one environment. Wait until one has ended.`,
  );
