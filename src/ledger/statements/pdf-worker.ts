/** The thread that lays out one statement: pieces come as messages, the bytes that they made go back. Started by `pdf.ts` alone. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Cover } from './lines.ts';
import type { FromPdfWorker, ToPdfWorker } from './pdf.ts';
import { PdfStatement } from './pdf-document.ts';

if (parentPort === null) throw new Error('This file is a thread of another program.');
const port = parentPort;
const document = new PdfStatement(workerData as Cover);

port.on('message', (message: ToPdfWorker) => {
  void made(message).then((bytes) => port.postMessage(bytes));
});

/** A fault ends the thread, which its owner sees. */
async function made(message: ToPdfWorker): Promise<FromPdfWorker> {
  switch (message.type) {
    case 'head':
      document.begin(message.head);
      break;
    case 'lines':
      for (const line of message.lines) document.add(line);
      break;
    case 'tail':
      document.finish();
      break;
    default:
      await document.end();
  }
  return document.take();
}
