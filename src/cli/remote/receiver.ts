/** The receiver of `bursar listen`: an event goes to it signed like a delivery, again and again until it answers something. Part of `listen.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../../client/src/stream.ts';
import { signatureHeaders } from '../../events/webhooks/signature.ts';
import { UsageError } from '../../operator/exit.ts';
import { fetch } from '../../platform/outbound/fetch.ts';
import { say } from './terminal.ts';

const RECEIVER_TIMEOUT_MS = 15_000;
const LONGEST_PAUSE_MS = 5_000;
const SHOWN_CHARACTERS = 200;
/** How long a body is read: the status is the answer. */
const BODY_MS = 1_000;

export interface Receiver {
  /** Without credentials. */
  readonly url: string;
  readonly authorization: string | null;
  /** `whsec_…` */
  readonly secret: string;
}

export interface Answer {
  readonly status: number;
  readonly ms: number;
  /** Where it is no success: its beginning. */
  readonly body: string;
}

/** Parses `--forward-to`. Credentials in it become a header, and stand in no message. Throws `UsageError`. */
export function forwardTarget(given: string): Pick<Receiver, 'url' | 'authorization'> {
  if (!URL.canParse(given) || !/^https?:/i.test(given))
    throw new UsageError('--forward-to takes an address, such as http://127.0.0.1:3000/webhooks.');
  const url = new URL(given);
  if (url.username === '' && url.password === '') return { url: given, authorization: null };
  const credentials = credentialsIn(url);
  [url.username, url.password] = ['', ''];
  return { url: url.href, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** As RFC 7617 has them: the name ends at the first colon. */
function credentialsIn({ username, password }: URL): string {
  try {
    const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    if (!name.includes(':') && !/\p{Cc}/u.test(name + secret)) return `${name}:${secret}`;
  } catch {} // no UTF-8 behind its percent signs
  throw new UsageError(
    'The name and password in --forward-to cannot be sent. Allowed: UTF-8, percent-encoded, without control characters, and no colon in the name.',
  );
}

/** Whatever the receiver answers is an answer; a receiver that is away is waited for. `null`: the signal came meanwhile. */
export async function deliver(
  { url, authorization, secret }: Receiver,
  { id, data }: Message,
  signal: AbortSignal,
): Promise<Answer | null> {
  for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const startedMs = performance.now();
    try {
      const signed = signatureHeaders([secret], id, Math.floor(Date.now() / 1_000), data);
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...signed,
          ...(authorization && { Authorization: authorization }),
        },
        body: data,
        redirect: 'manual',
        signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
      });
      const ms = Math.round(performance.now() - startedMs);
      const body = (await beginningOf(response.body)).slice(0, SHOWN_CHARACTERS).replaceAll(/\s+/g, ' ');
      return { status: response.status, ms, body: response.ok ? '' : body };
    } catch (error) {
      const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
      say(`${url} is away, waiting for it: ${cause?.message ?? message}`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

/** What has come of it when enough is there, or time is over. The rest is cut: a body may never end. */
async function beginningOf(body: Response['body']): Promise<string> {
  if (body === null) return '';
  const [reader, decoder, over] = [body.getReader(), new TextDecoder(), AbortSignal.timeout(BODY_MS)];
  let text = '';
  const cut = () => void reader.cancel().catch(() => undefined); // what waits for more is told that it ends
  over.addEventListener('abort', cut);
  while (text.length < SHOWN_CHARACTERS) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  over.removeEventListener('abort', cut);
  cut();
  return text;
}
