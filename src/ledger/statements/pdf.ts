/**
 * Statements as PDF, laid out in a thread, because a page takes milliseconds. Pieces go in one at a time and bytes come
 * back, so a long statement takes no more memory. Next: `pdf-worker.ts`, `pdf-document.ts`.
 */
import type { Worker } from 'node:worker_threads';
import { RequestError } from '../../core/values/errors.ts';
import { startThread } from '../../platform/workers/thread.ts';
import type { Cover, Piece } from './lines.ts';

/** Documents of one environment that are made at once in this process, so that one does not keep the others waiting. */
const MOST_OF_AN_ENVIRONMENT = 2;
/** Of all environments: each takes a thread and some 60 MB. */
const MOST = 4;
/** Memory of the thread, megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

export type ToPdfWorker = Piece | { readonly type: 'end' };
/** What a piece has made of the document, in its order; nothing is an answer too. */
export type FromPdfWorker = readonly Uint8Array[];

/** The environment of each document that is being made. */
const open: string[] = [];

/** The bytes of the document. Throws `rate_limited` where too many are being made. */
export async function* writePdf(pieces: AsyncIterable<Piece>, cover: Cover): AsyncGenerator<Uint8Array> {
  const { environmentId } = cover;
  const own = open.filter((each) => each === environmentId).length;
  if (own >= MOST_OF_AN_ENVIRONMENT || open.length >= MOST) throw tooMany();
  open.push(environmentId);
  const worker = startThread('ledger/statements/pdf-worker', cover, MEMORY);
  try {
    for await (const piece of pieces) yield* await answerTo(worker, piece);
    yield* await answerTo(worker, { type: 'end' });
  } finally {
    await worker.terminate();
    open.splice(open.indexOf(environmentId), 1);
  }
}

const tooMany = () =>
  new RequestError(
    'rate_limited',
    `Too many PDF documents are being made; ${MOST_OF_AN_ENVIRONMENT} at once are the most for one environment. Wait until one has ended.`,
  );

/** One message at a time; rejects when the thread fails or ends. */
function answerTo(worker: Worker, message: ToPdfWorker): Promise<FromPdfWorker> {
  return new Promise((resolve, reject) => {
    const ended = (code: number) => reject(new Error(`The thread that lays out a statement ended with ${code}.`));
    const done = () => {
      worker.off('error', reject);
      worker.off('exit', ended);
    };
    worker.once('error', reject);
    worker.once('exit', ended);
    worker.once('message', (bytes: FromPdfWorker) => {
      done();
      resolve(bytes);
    });
    worker.postMessage(message, []);
  });
}
