/**
 * Streaming answers: a sink is an open response with a bounded buffer; a closing server ends all sinks. A receiver that
 * stops reading, or takes a file too slowly, is cut off. `../serve.ts` opens a sink, `events/log/stream.ts` fills it.
 */
import type { ServerResponse } from 'node:http';
import { LEAST_BYTES, Pace } from './pace.ts';

export interface Sink {
  /** Sends text or bytes; resolves when there is room for more or the sink is over. Never rejects. One write at a time. */
  write(part: string | Uint8Array): Promise<void>;
  /** The sink takes no more: the receiver left or was cut off, its key has ended, or the server closes. */
  readonly isOver: boolean;
  /** Calls back once, when it is over. */
  onOver(callback: () => void): void;
}

/** Fills a sink until it is over. */
export type Fill = (sink: Sink) => Promise<void>;

export type Ending = 'complete' | 'receiver_left' | 'receiver_stalled' | 'key_ended' | 'server_closed';

/** How often the key of an open stream is checked: a revoked key must end its streams within two seconds. */
const KEY_CHECK_MS = 1_000;
/** How long the last bytes may take to leave once a stream has ended. */
const FLUSH_WITHIN_MS = 500;
/** A longer part is written in pieces, so that a receiver that takes a part slowly is seen to take it. */
const PIECE_BYTES = 65_536;

class ResponseSink implements Sink {
  ending: Ending | null = null;
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  readonly #isFile: boolean;
  readonly #callbacks: (() => void)[] = [];
  readonly #pace: Pace;
  #resume: () => void = () => undefined;

  constructor(response: ServerResponse, stallMs: number, isFile: boolean) {
    this.#response = response;
    this.#stallMs = stallMs;
    this.#isFile = isFile;
    this.#pace = new Pace(stallMs, isFile ? LEAST_BYTES : 1, () => this.end('receiver_stalled'));
    response.on('drain', () => this.#resume());
    response.once('close', () => this.end('receiver_left'));
    // A pipelined response without a socket of its own gets no `close` when the receiver leaves.
    response.req.socket.once('close', () => this.end('receiver_left'));
    if (response.destroyed) this.end('receiver_left');
  }

  get isOver(): boolean {
    return this.ending !== null;
  }

  onOver(callback: () => void): void {
    if (this.isOver) callback();
    else this.#callbacks.push(callback);
  }

  async write(part: string | Uint8Array): Promise<void> {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let at = 0; at < bytes.byteLength && !this.isOver; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      if (!this.#response.write(piece)) await this.#drained();
      this.#pace.moved(piece.byteLength);
    }
  }

  /** Resolves when there is room again, or it is over. */
  async #drained(): Promise<void> {
    this.#pace.wait();
    await new Promise<void>((resolve) => (this.#resume = resolve));
  }

  /** Ends at once, without waiting for `fill`. Later calls do nothing. */
  end(ending: Ending): void {
    if (this.isOver) return;
    this.ending = ending;
    const isCut = ending === 'receiver_left' || ending === 'receiver_stalled';
    // A file that is not complete must not end as a complete one does.
    if (isCut || (this.#isFile && ending !== 'complete')) this.#response.destroy();
    else this.#flush();
    this.#resume();
    for (const callback of this.#callbacks) callback();
  }

  #flush(): void {
    // The end of a file is worth as much patience as its middle.
    const timer = setTimeout(() => this.#response.destroy(), this.#isFile ? this.#stallMs : FLUSH_WITHIN_MS);
    this.#response.once('close', () => clearTimeout(timer));
    this.#response.end();
  }
}

export class OpenStreams {
  readonly #stallMs: number;
  readonly #open = new Set<ResponseSink>();
  #closed = false;

  /** Who takes nothing for `stallMs`, or of a file less than `LEAST_BYTES` in them, is cut off. */
  constructor(stallMs: number) {
    this.#stallMs = stallMs;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Resolves when `fill` has ended. If `fill` rejects, cuts the connection and rejects. Asks `mayGoOn` every second.
   * `isFile`: an end before that of `fill` cuts the connection, so that no part is taken for the whole.
   */
  async run(
    response: ServerResponse,
    fill: Fill,
    mayGoOn: () => Promise<boolean>,
    { isFile = false }: { readonly isFile?: boolean } = {},
  ): Promise<Ending> {
    const sink = new ResponseSink(response, this.#stallMs, isFile);
    if (this.#closed) sink.end('server_closed');
    // The answer to a HEAD request ends with its headers.
    if (response.req.method === 'HEAD') sink.end('complete');
    this.#open.add(sink);
    const check = setInterval(() => {
      mayGoOn().then(
        (may) => may || sink.end('key_ended'),
        () => undefined,
      );
    }, KEY_CHECK_MS);
    try {
      await fill(sink);
      sink.end('complete');
      return sink.ending ?? 'complete';
    } catch (error) {
      sink.end('receiver_left');
      throw error;
    } finally {
      clearInterval(check);
      this.#open.delete(sink);
    }
  }

  /** Ends every stream at once, and those that would begin from now on. */
  close(): void {
    this.#closed = true;
    for (const sink of this.#open) sink.end('server_closed');
  }
}
