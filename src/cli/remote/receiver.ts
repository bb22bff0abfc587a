/** The receiver of `bursar listen`: an event goes to it signed like a delivery, again and again until it answers something. Part of `listen.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import type { Message } from '../../../client/src/stream.ts';
import { signatureHeaders } from '../../events/webhooks/signature.ts';
import { say } from './terminal.ts';

const RECEIVER_TIMEOUT_MS = 15_000;
const LONGEST_PAUSE_MS = 5_000;
const SHOWN_CHARACTERS = 200;

export interface Receiver {
  readonly url: string;
  /** `whsec_…` */
  readonly secret: string;
}

export interface Answer {
  readonly status: number;
  readonly ms: number;
  /** Where it is no success: its beginning. */
  readonly body: string;
}

/** Parses `--forward-to`. */
export function forwardUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new InvalidArgumentError('An address, such as http://127.0.0.1:3000/webhooks.');
}

/** Whatever the receiver answers is an answer; a receiver that is away is waited for. `null`: the signal came meanwhile. */
export async function deliver(
  { url, secret }: Receiver,
  { id, data }: Message,
  signal: AbortSignal,
): Promise<Answer | null> {
  for (let pauseMs = 250; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const startedMs = performance.now();
    try {
      const signed = signatureHeaders([secret], id, Math.floor(Date.now() / 1_000), data);
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...signed },
        body: data,
        redirect: 'manual',
        signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
      });
      const text = await response.text();
      const body = response.ok ? '' : text.slice(0, SHOWN_CHARACTERS).replaceAll(/\s+/g, ' ');
      return { status: response.status, ms: Math.round(performance.now() - startedMs), body };
    } catch (error) {
      const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
      say(`${url} is away, waiting for it: ${cause?.message ?? message}`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}
