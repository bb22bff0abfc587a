/**
 * A payer without a browser: opens a page of a payment link, reads what people read, presses a button of a form and follows
 * where it leads. It sends nothing that the page does not hold, unless a test says so: an attacker's requests go through
 * `ask`. Real browsers are in `browser.ts`.
 */
import { EventEmitter, once } from 'node:events';
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { LANGUAGES, type PageState } from '../../../src/collecting/checkout/html/view.ts';
import { WORDS } from '../../../src/collecting/checkout/html/render.ts';

type Fields = Readonly<Record<string, string>>;

interface Form {
  readonly action: string;
  /** Hidden fields and their values. */
  readonly hidden: Fields;
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

/** An answer as it came, and as it is read. */
export interface Seen {
  /** Path and query that were asked for. */
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly html: string;
  /** Without tags: what people read. */
  readonly words: string;
  /** By the page's title, in whatever language; `null` for a page that is no payment's. */
  readonly state: PageState | null;
  /** What the page says was not done, and why. */
  readonly alert: string | null;
  readonly forms: readonly Form[];
}

interface Asked {
  readonly headers?: Fields;
  /** A form's fields, or the very body. */
  readonly body?: Fields | string;
}

const SOCKETS = 64;
const ANSWER_WITHIN_MS = 20_000;
/** So long that a slow machine does not decide a test. */
const PATIENCE_MS = 20_000;

export class Payer {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  /** `page` is a path, or the whole address of a page here. */
  open(page: string, headers: Fields = {}): Promise<Seen> {
    return this.ask('GET', page, { headers });
  }

  /**
   * Presses the button with this value and sends the form around it, with what was typed. Goes where the answer leads as
   * long as that is here; else the answer is what is seen.
   */
  async press(seen: Seen, value: string, typed: Fields = {}): Promise<Seen> {
    const answer = await this.ask('POST', ...formWith(seen, value, typed));
    return this.#isHere(answer) ? this.open(String(answer.headers.location)) : answer;
  }

  /** The same without going anywhere. */
  send(seen: Seen, value: string, typed: Fields = {}): Promise<Seen> {
    return this.ask('POST', ...formWith(seen, value, typed));
  }

  /** Opens a link and begins to pay. */
  async start(page: string, method = 'bank_transfer', typed: Fields = {}): Promise<Seen> {
    return this.press(await this.open(page), method, typed);
  }

  /** Sends whatever it is told. Follows nothing. */
  ask(method: string, page: string, { headers = {}, body }: Asked = {}): Promise<Seen> {
    const path = pathOf(page);
    const text = body === undefined || typeof body === 'string' ? body : new URLSearchParams(body).toString();
    const own = text === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const reported = { method, agent: this.#agent, headers: { ...own, ...headers } };
    return new Promise((resolve, reject) => {
      const sent = request(this.#address + path, reported, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve(read(path, response.statusCode ?? 0, response.headers, Buffer.concat(chunks))),
        );
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end(text);
    });
  }

  /** The live status of a page as it was seen: with the version that it showed. */
  follow(seen: Seen, address = this.#address): Promise<LiveStatus> {
    const path = /data-live="([^"]*)"/.exec(seen.html)?.[1];
    if (!path) throw new Error(`The page is not live: ${seen.words}`);
    return new Promise((resolve, reject) => {
      const sent = request(address + unescaped(path), { agent: false }, (response) =>
        resolve(new LiveStatus(sent, response)),
      );
      sent.on('error', reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #isHere({ status, headers }: Seen): boolean {
    return status === 303 && new URL(headers.location ?? '', this.#address).origin === this.#address;
  }
}

/** An open page's stream of server-sent events. */
class LiveStatus {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  #text = '';
  #isOver = false;
  readonly #request: ClientRequest;
  readonly #received = new EventEmitter();

  constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#request = sent;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
      this.#received.emit('heard');
    });
    sent.on('error', () => undefined);
    response.on('error', () => undefined);
    response.on('close', () => {
      this.#isOver = true;
      this.#received.emit('heard');
    });
  }

  /** Data of the `status` events so far. */
  get changes(): string[] {
    return [...this.#text.matchAll(/^event: status\ndata: (.*)\n\n/gm)].map(([, data]) => data as string);
  }

  /** Whether it has said that it is looking, without a change to tell. */
  get isWaiting(): boolean {
    return this.#text.includes(': waiting\n\n');
  }

  /** Resolves when it came true; rejects when the stream is over before, or after `patienceMs`. */
  async until(comesTrue: (live: this) => boolean, patienceMs = PATIENCE_MS): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    while (!comesTrue(this)) {
      if (this.#isOver || signal.aborted) throw new Error(`It never came true: ${this.#text}`);
      await once(this.#received, 'heard', { signal }).catch(() => undefined);
    }
  }

  cut(): void {
    this.#request.destroy();
  }
}

/** Of an address, the path and query; a path stays as it is. */
export function pathOf(page: string): string {
  return page.startsWith('/') ? page : page.slice(new URL(page).origin.length);
}

/** The last part of the address of a link's page. */
export function tokenIn(page: string): string {
  return /\/pay\/(\w+)/.exec(page)?.[1] ?? '';
}

function formWith(seen: Seen, value: string, typed: Fields): [string, Asked] {
  for (const { action, hidden, buttons } of seen.forms) {
    const button = buttons.find((each) => each.value === value);
    if (button) return [action, { body: { ...hidden, ...typed, [button.name]: value } }];
  }
  throw new Error(`There is no button ${value} on this page: ${seen.status} ${seen.words}`);
}

function read(path: string, status: number, headers: IncomingHttpHeaders, bytes: Buffer): Seen {
  const html = bytes.toString();
  const title = /<title>([^<]*)</.exec(html)?.[1] ?? '';
  const language = LANGUAGES.find((each) => html.includes(`<html lang="${each}"`));
  const titles = language === undefined ? [] : Object.entries<string>(WORDS[language].title);
  const [state = null] = titles.find(([, words]) => unescaped(title).startsWith(`${words} ·`)) ?? [];
  const alert = /role="alert">([^<]*)</.exec(html)?.[1];
  return {
    path,
    status,
    headers,
    bytes,
    html,
    words: unescaped(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' '),
    state: state as PageState | null,
    alert: alert === undefined ? null : unescaped(alert),
    forms: [...html.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)].map(([, action, inside]) => ({
      action: unescaped(action as string),
      hidden: Object.fromEntries(namesIn(inside as string, /<input type="hidden" name="([^"]*)" value="([^"]*)">/g)),
      buttons: namesIn(inside as string, /<button [^>]*name="([^"]*)" value="([^"]*)">/g).map(([name, value]) => ({
        name,
        value,
      })),
    })),
  };
}

function namesIn(markup: string, pattern: RegExp): [string, string][] {
  return [...markup.matchAll(pattern)].map(([, name = '', value = '']) => [unescaped(name), unescaped(value)]);
}

const ENTITIES: Fields = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#96;': '`', '&amp;': '&' };

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp|#39|#96);/g, (entity) => ENTITIES[entity] as string);
}
