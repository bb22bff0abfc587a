/**
 * A small HTTP client for tests: kept-alive connections, answers as the exact text that came. It never retries by itself:
 * what a test sends, it sends once. `insist` is the careful client of the contract: again with the same key until the
 * outcome is known. A stream is read until it falls silent, then left; `event-stream.ts` reads on. Next: `tenant-fixture.ts` for
 * what most tests need first.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { stringify } from 'qs';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  readonly text: string;
  readonly json: Json;
}

/** A parsed body; tests look into it without ceremony. */
export type Json = { readonly [name: string]: JsonValue };
export type JsonValue = string | number | boolean | null | Json | readonly Json[];

type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface PostOptions {
  readonly idempotencyKey?: string;
  /** Form text instead of JSON. */
  readonly form?: boolean;
  /** A list is a header that stands several times. */
  readonly headers?: Headers;
  /** Another address than the client's own. */
  readonly at?: string;
}

const SOCKETS = 256;
/** An answer that goes on counts as whole when nothing has come for this long, on a busy machine too. */
const SILENCE_MS = 200;
/** Longer than the server waits for a database that is away (15 s). */
const ANSWER_WITHIN_MS = 45_000;

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  readonly #apiKey: string;
  address: string;

  constructor(address: string, apiKey: string) {
    this.address = address;
    this.#apiKey = apiKey;
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path, '', {});
  }

  /** `body` as an object, or the very text to send with a content type among the headers. */
  post(path: string, body: object | string = {}, options: PostOptions = {}): Promise<Reply> {
    return this.write('POST', path, body, options);
  }

  write(method: string, path: string, body: object | string, options: PostOptions = {}): Promise<Reply> {
    const type = options.form ? 'application/x-www-form-urlencoded' : 'application/json';
    const text = typeof body === 'string' ? body : options.form ? stringify(body) : JSON.stringify(body);
    const headers: Record<string, string | readonly string[]> = text === '' ? {} : { 'content-type': type };
    if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
    return this.send(method, path, text, { ...headers, ...options.headers }, options.at);
  }

  /** Rejects when the connection breaks before the whole answer is there. */
  send(
    method: string,
    path: string,
    body: string | Uint8Array,
    given: Headers,
    at: string = this.address,
  ): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#apiKey}`, 'content-length': Buffer.byteLength(body), ...given };
    return new Promise((resolve, reject) => {
      const sent = request(at + path, { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        const goesOn = response.headers['content-type'] === 'text/event-stream';
        let silence: NodeJS.Timeout | undefined;
        const listen = () => {
          clearTimeout(silence);
          silence = setTimeout(() => {
            end();
            sent.destroy();
          }, SILENCE_MS);
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (goesOn) listen();
        });
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(silence);
          if (!response.complete) return reject(new Error('the answer was cut'));
          end();
        });
        const end = () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            get json() {
              return JSON.parse(text) as Json;
            },
          });
        };
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export interface Insisted extends Reply {
  /** Attempts that ended without an answer or with one that says: try again. */
  readonly failures: number;
}

/**
 * Sends a write again and again under one key until it is answered by anything but 409, 429 or 5xx. `address` is asked
 * before every attempt. Rejects after `patienceMs`, with the last failure.
 */
export async function insist(
  client: Client,
  path: string,
  body: object,
  options: { readonly idempotencyKey: string; readonly address?: () => string; readonly patienceMs?: number },
): Promise<Insisted> {
  const { idempotencyKey, address = () => client.address, patienceMs = 30_000 } = options;
  const until = performance.now() + patienceMs;
  for (let failures = 0; ; failures++) {
    const reply = await client.post(path, body, { idempotencyKey, at: address() }).catch((error: Error) => error);
    const unknown = reply instanceof Error || reply.status >= 500 || reply.status === 409 || reply.status === 429;
    if (!unknown) return Object.assign(reply, { failures });
    if (performance.now() > until) {
      const last = reply instanceof Error ? reply.message : `${reply.status} ${reply.text}`;
      throw new Error(`${path} under the key ${idempotencyKey} was never answered; last: ${last}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20));
  }
}
