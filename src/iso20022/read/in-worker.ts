/**
 * Reads a statement file in a thread of its own, so that the event loop of a server is held for a few milliseconds at a time, whatever comes.
 * One thread a file: how many files are read at once is the caller's bound. Next: `worker.ts`.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/workers/thread.ts';
import { StatementFileError } from './bank-file-error.ts';
import { pieces } from './byte-source.ts';
import type { Detail, EntryItem, Item } from './items.ts';
import { type ReadOptions, settingsOf } from './read.ts';
import { type FromWorker, Inbox, MAX_BYTES_MESSAGES, type ToWorker, Window } from './worker-messages.ts';

export interface ReadInWorkerOptions extends ReadOptions {
  /** Ends the thread; the loop then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Memory of the thread, in megabytes. A file that needs more is refused. */
  readonly maxMemoryMb?: number;
}

/** An entry of 100,000 transactions takes some 300. */
const MAX_MEMORY_MB = 512;
/** Room for new objects: with the default of 16 the thread spent a quarter of its time on moving them. */
const YOUNG_MEMORY_MB = 48;

type Sign = FromWorker | { readonly type: 'failed'; readonly error: unknown };

/**
 * The same as `readStatementFile`, from a thread. Throws `StatementFileError`, errors of the source, and the reason of the signal. To stop early,
 * return from the loop. Bytes are copied, so the source may use its memory again.
 */
export async function* readInWorker(
  source: AsyncIterable<Uint8Array>,
  options: ReadInWorkerOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const { signal, maxMemoryMb = MAX_MEMORY_MB } = options;
  signal?.throwIfAborted();
  const settings = settingsOf(options);
  const inbox = new Inbox<Sign>();
  const window = new Window(MAX_BYTES_MESSAGES);
  const worker = startThread('iso20022/read/worker', settings, {
    maxOldGenerationSizeMb: maxMemoryMb,
    maxYoungGenerationSizeMb: YOUNG_MEMORY_MB,
  });
  const fail = (error: unknown) => inbox.add({ type: 'failed', error });
  const feeding = { isStopped: false };
  const stop = (): Promise<number> => {
    feeding.isStopped = true;
    window.leave();
    return worker.terminate();
  };
  // At once, also where the loop is busy with an item and comes back late.
  const abort = () => {
    fail(signal?.reason);
    void stop();
  };
  worker.on('message', (message: FromWorker) => (message.type === 'bytes_taken' ? window.leave() : inbox.add(message)));
  worker.on('error', (error) => fail(isOutOfMemory(error) ? tooMuchMemory(maxMemoryMb) : error));
  worker.on('exit', () => fail(new Error('The thread that reads a statement file ended before its file.')));
  signal?.addEventListener('abort', abort, { once: true });
  feed(worker, pieces(source, settings.limits.maxBytes), window, feeding).catch(fail);
  try {
    yield* itemsOf(inbox, worker);
  } finally {
    signal?.removeEventListener('abort', abort);
    await stop();
  }
}

const post = (worker: Worker, message: ToWorker, transfer: ArrayBuffer[] = []): void =>
  worker.postMessage(message, transfer);

async function feed(
  worker: Worker,
  source: AsyncIterable<Uint8Array>,
  window: Window,
  feeding: { readonly isStopped: boolean },
): Promise<void> {
  for await (const piece of source) {
    await window.enter();
    if (feeding.isStopped) return;
    // Copied: the memory of a piece may be shared, with the pool of small buffers for one, and transferred memory is gone here.
    const bytes = new Uint8Array(piece);
    post(worker, { type: 'bytes', bytes }, [bytes.buffer]);
  }
  post(worker, { type: 'end' });
}

async function* itemsOf(inbox: Inbox<Sign>, worker: Worker): AsyncGenerator<Item, void, undefined> {
  /** An entry whose details are on their way. */
  let open: { readonly entry: EntryItem; readonly details: Detail[] } | undefined;
  while (true) {
    const message = await inbox.next();
    switch (message.type) {
      case 'items':
        if (message.isOpen) {
          const entry = message.items[0] as EntryItem;
          open = { entry, details: [...entry.details] };
        } else yield* message.items;
        break;
      case 'details':
        if (open === undefined) throw new Error('Details of no entry.');
        for (const detail of message.details) open.details.push(detail);
        if (!message.isOpen) {
          yield { ...open.entry, details: open.details };
          open = undefined;
        }
        break;
      case 'done':
        return;
      case 'refused':
        throw new StatementFileError(message.code, message.sentence, message.place, message.fileNumber);
      case 'failed':
        throw message.error;
      default:
        break;
    }
    post(worker, { type: 'taken' });
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooMuchMemory = (maxMemoryMb: number): StatementFileError =>
  new StatementFileError('limit', `Reading the file takes more than ${maxMemoryMb} MB of memory.`);
