/**
 * The thread that reads one statement file: bytes come as messages, batches of items go back. It ends with the file. Started by
 * `in-worker.ts` alone.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { StatementFileError } from './bank-file-error.ts';
import type { Detail, EntryItem, Item } from './items.ts';
import { readBatches, type ReadSettings } from './read.ts';
import {
  type FromWorker,
  Inbox,
  MAX_ITEMS_MESSAGES,
  MAX_MESSAGE_WEIGHT,
  type ToWorker,
  Window,
} from './worker-messages.ts';

if (parentPort === null) throw new Error('This file is a thread of another program.');
const port = parentPort;
const bytes = new Inbox<Uint8Array | 'end'>();
const window = new Window(MAX_ITEMS_MESSAGES);

port.on('message', (message: ToWorker) => {
  if (message.type === 'bytes') bytes.add(message.bytes);
  else if (message.type === 'end') bytes.add('end');
  else window.leave();
});

const say = (message: FromWorker): void => port.postMessage(message);

async function* source(): AsyncGenerator<Uint8Array> {
  while (true) {
    const next = await bytes.next();
    if (next === 'end') return;
    yield next;
    say({ type: 'bytes_taken' });
  }
}

/** Parts of an item, each of a bounded size. */
function weightOf(item: Item): number {
  if (item.type === 'entry') return 1 + item.details.length + item.batches.length + (item.charges?.records.length ?? 0);
  return 'reasons' in item ? 1 + item.reasons.length : 1;
}

/** In messages that are small to unfold. */
async function send(items: readonly Item[]): Promise<void> {
  let batch: Item[] = [];
  let weight = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await window.enter();
    say({ type: 'items', items: batch, isOpen: false });
    batch = [];
    weight = 0;
  };
  for (const item of items) {
    if (weight + weightOf(item) > MAX_MESSAGE_WEIGHT) await flush();
    if (item.type === 'entry' && item.details.length > MAX_MESSAGE_WEIGHT) await sendLarge(item);
    else {
      batch.push(item);
      weight += weightOf(item);
    }
  }
  await flush();
}

async function sendLarge(entry: EntryItem): Promise<void> {
  const part = (from: number): readonly Detail[] => entry.details.slice(from, from + MAX_MESSAGE_WEIGHT);
  await window.enter();
  say({ type: 'items', items: [{ ...entry, details: part(0) }], isOpen: true });
  for (let from = MAX_MESSAGE_WEIGHT; from < entry.details.length; from += MAX_MESSAGE_WEIGHT) {
    await window.enter();
    say({ type: 'details', details: part(from), isOpen: from + MAX_MESSAGE_WEIGHT < entry.details.length });
  }
}

try {
  for await (const items of readBatches(source(), workerData as ReadSettings)) await send(items);
  say({ type: 'done' });
} catch (error) {
  if (!(error instanceof StatementFileError)) throw error;
  const { code, sentence, place, fileNumber } = error;
  say({ type: 'refused', code, sentence, place, fileNumber });
}
port.close();
