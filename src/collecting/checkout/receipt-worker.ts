/** The thread that lays out one receipt and sends its bytes back. Started by `receipt.ts` alone; a fault ends it, which its owner sees. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Receipt } from './receipt.ts';
import { layOut } from './receipt-document.ts';

if (parentPort === null) throw new Error('This file is a thread of another program.');
const port = parentPort;
void layOut(workerData as Receipt).then((bytes) => port.postMessage(bytes, []));
