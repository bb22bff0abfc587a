/**
 * A browser as far as the way into the dashboard sees one: it keeps the cookie, and says which page sent a request. Without markup and scripts.
 * Each header can be made wrong. Passkeys: `authenticator.ts`.
 */
import { request } from 'node:http';
import type { Json } from '../harness/http.ts';
import { Authenticator } from './authenticator.ts';

export interface Asked {
  /** `sandbox`, `live` or an id; `null`: the header is missing. */
  readonly environment?: string | null;
  /** Take the place of what a browser would send; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Another cookie than the own; `null`: none. */
  readonly cookie?: string | null;
  readonly idempotencyKey?: string;
  /** What the path is below; left out: `/dashboard/api`. */
  readonly below?: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `error.code`. */
  readonly code: string | undefined;
}

export class BrowserClient {
  readonly #port: number;
  /** `localhost`, which passkeys have a name by. */
  readonly origin: string;
  cookie: string | null = null;
  authenticator: Authenticator;

  constructor(address: string) {
    this.#port = Number(new URL(address).port);
    this.origin = `http://localhost:${this.#port}`;
    this.authenticator = new Authenticator(this.origin);
  }

  get(path: string, asked: Asked = {}): Promise<Answered> {
    return this.send('GET', path, undefined, asked);
  }

  post(path: string, body: object = {}, asked: Asked = {}): Promise<Answered> {
    return this.send('POST', path, body, asked);
  }

  /** `path` below `/dashboard/api`, unless `asked` says otherwise. */
  async send(method: string, path: string, body: object | undefined, asked: Asked): Promise<Answered> {
    const { environment = 'sandbox', cookie = this.cookie } = asked;
    const content = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      Host: `localhost:${this.#port}`,
      'Sec-Fetch-Site': 'same-origin',
      'User-Agent': 'a browser of tests',
      ...(environment !== null && { 'Bursar-Environment': environment }),
      ...(cookie !== null && { Cookie: `__Host-bursar=${cookie}` }),
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': `${Buffer.byteLength(content)}`,
      }),
      ...(asked.idempotencyKey !== undefined && { 'Idempotency-Key': asked.idempotencyKey }),
      ...asked.headers,
    };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const at = { host: '127.0.0.1', port: this.#port, method, path: `${asked.below ?? '/dashboard/api'}${path}` };
    const answered = await new Promise<Answered>((resolve, reject) => {
      const asking = request({ ...at, headers: given as Record<string, string> }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = parsed(text);
          const { error } = json as { readonly error?: { readonly code?: string } };
          resolve({ status: response.statusCode ?? 0, text, json, headers: response.headers, code: error?.code });
        });
      });
      asking.on('error', reject);
      asking.end(content);
    });
    if (asked.cookie === undefined) this.#keep(answered.headers['set-cookie']);
    return answered;
  }

  #keep(set: string | string[] | undefined): void {
    for (const each of [set ?? []].flat()) {
      const [, value = ''] = /^__Host-bursar=([^;]*)/.exec(each) ?? [];
      this.cookie = value === '' ? null : value;
    }
  }

  /** Adds the passkey of this browser to the person who is signed in. */
  async enrol(): Promise<Answered> {
    const options = await this.post('/passkeys/options');
    const attestation = this.authenticator.create(options.json as { challenge: string });
    return this.post('/passkeys', { attestation, name: 'a passkey of tests' });
  }

  async signIn(): Promise<Answered> {
    const options = await this.post('/session/passkey/options');
    return this.post('/session/passkey/verify', {
      assertion: this.authenticator.get(options.json as { challenge: string }),
    });
  }

  /** `approves`: what the passkey signs; left out: nothing but that it is its person. */
  async stepUp(approves?: readonly object[]): Promise<Answered> {
    const options = await this.post('/step_up/options', approves === undefined ? {} : { approves });
    return this.post('/step_up', { assertion: this.authenticator.get(options.json as { challenge: string }) });
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}
