/**
 * The bodies of uploads, as they arrive. Node's limit for a whole request does not hold for them, so they have a least speed
 * (`pace.ts`), and a closing server ends them. Next: `../serve.ts`.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '../../../core/values/errors.ts';
import { LEAST_BYTES, Pace } from './pace.ts';

type Refuse = (reason: RequestError) => void;

export class Uploads {
  readonly #windowMs: number;
  readonly #arriving = new Map<Socket, Refuse>();
  #isClosed = false;

  /** Who sends less than `LEAST_BYTES` in `windowMs` is refused. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  isArriving(socket: Socket): boolean {
    return this.#arriving.has(socket);
  }

  /**
   * Throws `body_invalid` where it gets too slow or the connection ends first, and `overloaded` where the server closes. Then the
   * request can still be answered.
   */
  async *bytesOf(request: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
    const { socket } = request;
    // Else an early end of the loop would destroy the connection, and nobody would read why.
    const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
    let refuse: Refuse = () => undefined;
    const pace = new Pace(this.#windowMs, LEAST_BYTES, () => refuse(tooSlow(this.#windowMs)));
    const next = () =>
      new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        refuse = reject;
        if (this.#isClosed) reject(stopping());
        parts.next().then(resolve, () => reject(cutOff()));
      });
    this.#arriving.set(socket, (reason) => refuse(reason));
    try {
      while (true) {
        pace.wait();
        const part = await next();
        if (part.done === true) return;
        pace.moved(part.value.byteLength);
        yield part.value;
      }
    } finally {
      pace.moved(0);
      this.#arriving.delete(socket);
    }
  }

  /** Ends every upload that has not arrived, also those that begin from now on. */
  close(): void {
    this.#isClosed = true;
    for (const refuse of this.#arriving.values()) refuse(stopping());
  }
}

const tooSlow = (windowMs: number) =>
  new RequestError(
    'body_invalid',
    `The file arrives too slowly: fewer than ${LEAST_BYTES} bytes in ${windowMs / 1_000} seconds. Send it again on a faster line.`,
  );
const cutOff = () => new RequestError('body_invalid', 'The connection ended before the file did.');
const stopping = () => new RequestError('overloaded', 'The service is stopping. Send the file again.');
