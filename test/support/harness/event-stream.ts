/**
 * A reader of server-sent events for tests, over a connection of its own: it sees every byte, can be cut after any of
 * them, and can stop taking them. It never connects again by itself. Format: https://html.spec.whatwg.org, section 9.2.
 */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Json } from './http.ts';

export interface Received {
  readonly id: string;
  readonly type: string;
  /** `data`, byte for byte. */
  readonly text: string;
  readonly json: Json;
}

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** The connection is cut when that many bytes of the stream have come; the last event may be torn. */
  readonly cutAfterBytes?: number;
}

export class EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Whole events, in order of arrival. */
  readonly events: Received[] = [];
  readonly comments: string[] = [];
  retryMs: number | undefined;
  /** `end`: the server ended it in order; `cut`: the connection broke. */
  readonly closed: Promise<'end' | 'cut'>;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #waiting: (() => void)[] = [];
  #isClosed = false;
  #onEvent: (event: Received) => void = () => undefined;

  constructor(sent: ClientRequest, response: IncomingMessage, cutAfterBytes: number) {
    this.#request = sent;
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    let left = cutAfterBytes;
    const decoder = new TextDecoder(); // a character may be torn between two chunks
    const parser = createParser({
      onEvent: (message) => this.#take(message),
      onComment: (comment) => void this.comments.push(comment),
      onRetry: (retryMs) => void (this.retryMs = retryMs),
      onError: (error) => {
        throw error; // a line that the format does not know
      },
    });
    response.on('data', (chunk: Buffer) => {
      if (left <= 0) return;
      parser.feed(decoder.decode(chunk.subarray(0, left), { stream: true }));
      left -= chunk.length;
      this.#wake();
      if (left <= 0) this.cut();
    });
    this.closed = new Promise((resolve) => {
      response.on('error', () => undefined);
      sent.on('error', () => undefined);
      response.on('close', () => {
        this.#isClosed = true;
        this.#wake();
        resolve(response.complete ? 'end' : 'cut');
      });
    });
  }

  /** For every event from now on, and those that have come. */
  onEvent(take: (event: Received) => void): void {
    this.events.forEach(take);
    this.#onEvent = take;
  }

  get sequences(): number[] {
    return this.events.map(({ json }) => json['sequence'] as number);
  }

  get lastId(): string | undefined {
    return this.events.at(-1)?.id;
  }

  /** Resolves to whether it came true before `mostMs` had passed or the stream was closed. How long it takes is not what is tested. */
  async until(comesTrue: (stream: this) => boolean, mostMs = 20_000): Promise<boolean> {
    const deadlineMs = performance.now() + mostMs;
    while (!comesTrue(this)) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0 || this.#isClosed) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return true;
  }

  cut(): void {
    this.#request.destroy();
  }

  /** Takes nothing more until {@link resume}. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  #take({ id = '', event: type = '', data }: EventSourceMessage): void {
    const event = { id, type, text: data, json: JSON.parse(data) as Json };
    this.events.push(event);
    this.#onEvent(event);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Resolves with the head of the answer, whatever its status. */
export function openStream(
  address: string,
  key: string,
  query = '',
  options: StreamOptions = {},
): Promise<EventStream> {
  const { headers = {}, method = 'GET', cutAfterBytes = Number.POSITIVE_INFINITY } = options;
  const all = { authorization: `Bearer ${key}`, ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/v1/events/stream${query}`, { method, headers: all, agent: false }, (response) =>
      resolve(new EventStream(sent, response, cutAfterBytes)),
    );
    sent.on('error', reject);
    sent.end();
  });
}
