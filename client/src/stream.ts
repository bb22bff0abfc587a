/**
 * Events as they are committed, in order and without a gap: a stream that breaks, ends or falls silent is opened again behind the last event
 * that was received. Server-sent events: https://html.spec.whatwg.org, section 9.2.
 */
import type { Event } from './generated/types.ts';
import { unreadable } from './answer.ts';
import type { ClientOptions, RequestOptions, StreamOptions } from './options.ts';
import { parse } from './parse.ts';
import { inTime, isPassing, pause, pauseMs, send } from './request.ts';

const SILENT_MS = 30_000;
const MAX_BUFFERED_CHARACTERS = 16 * 2 ** 20;

export async function* streamOf(
  client: ClientOptions,
  path: string,
  options?: StreamOptions,
): AsyncIterableIterator<Event> {
  for await (const { data } of messagesOf(client, path, options)) yield parse(data) as Event;
}

export interface Message {
  readonly id: string;
  /** The event as the server wrote it. */
  readonly data: string;
}

/** Ends with the signal alone. Throws `BursarError` where the server refuses it for good. */
export async function* messagesOf(
  client: ClientOptions,
  path: string,
  options: StreamOptions = {},
): AsyncIterableIterator<Message> {
  const { signal, silentMs = SILENT_MS, lastEventId, onReconnect, ...rest } = options;
  const begins = path.includes('after_sequence=');
  let last = lastEventId;
  const isOver = () => signal?.aborted ?? false;
  for (let failures = 0; !isOver(); failures += 1) {
    try {
      if (last === undefined && !begins) last = await newest(client, { ...rest, signal });
      const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
      const order = { method: 'GET', path, template: '/v1/events/stream', headers, isRaw: true };
      const { response } = await send(client, order, { ...rest, signal, maxRetries: 0, timeout: silentMs });
      for await (const message of messagesIn(response, silentMs, signal)) {
        [failures, last] = [0, message.id];
        yield message;
      }
      if (!isOver()) onReconnect?.(new Error('the server ended the stream'));
    } catch (error) {
      if (isOver()) return;
      if (!isPassing(error)) throw error;
      onReconnect?.(error);
    }
    await pause(pauseMs(Math.min(failures + 1, 4)), signal);
  }
}

/** So that nothing is lost between the call and the first connection. */
async function newest(client: ClientOptions, options: RequestOptions): Promise<string> {
  const order = { method: 'GET', path: '/v1/events?limit=1', template: '/v1/events' };
  const { value } = await send(client, order, options);
  const { data } = value as { readonly data?: readonly Event[] };
  return String(data?.[0]?.sequence ?? 0);
}

async function* messagesIn(
  response: Response,
  silentMs: number,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<Message> {
  if (!(response.headers.get('Content-Type') ?? '').startsWith('text/event-stream'))
    throw unreadable(response, await inTime(response.text(), silentMs, 'the stream was silent', signal), undefined);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { value, done } = await inTime(reader.read(), silentMs, 'the stream was silent', signal);
      if (done) return;
      const blocks = (buffered + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      buffered = blocks.pop() ?? '';
      if (buffered.length > MAX_BUFFERED_CHARACTERS) throw new Error('an event without an end');
      for (const block of blocks) {
        const [id, data] = ['id', 'data'].map((name) => RegExp(`(?:^|\\n)${name}: ?([^\\r\\n]*)`).exec(block)?.[1]);
        if (id !== undefined && data !== undefined) yield { id, data };
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
