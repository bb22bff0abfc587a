/**
 * A load at a fixed rate: a request is sent when its moment has come, whether or not the last one is answered, so that a
 * slow answer is not hidden by a client that waits for it. For latencies at a rate; for full speed: `generator.ts`.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from './inbox.ts';
import type { Request } from './plan.ts';

export interface Sent {
  /** Its idempotency key. */
  readonly key: string;
  /** Machine clock: just before the request was written … */
  readonly sentMs: number;
  /** … and when its whole answer was there. */
  readonly answeredMs: number;
}

export interface Pace {
  readonly port: number;
  readonly requestsPerSecond: number;
  readonly total: number;
  readonly keyPrefix: string;
}

/** Resolves when all are answered; rejects when one is not answered with 200. */
export async function runPaced(
  what: Request,
  { port, requestsPerSecond, total, keyPrefix }: Pace,
): Promise<readonly Sent[]> {
  const agent = new Agent({ keepAlive: true, noDelay: true });
  const startMs = machineMs();
  const sending: Promise<Sent>[] = [];
  try {
    for (let number = 0; number < total; number++) {
      await sleep(Math.max(0, startMs + (number * 1000) / requestsPerSecond - machineMs()));
      sending.push(send(what, port, agent, `${keyPrefix}${number}`));
    }
    return await Promise.all(sending);
  } finally {
    await Promise.allSettled(sending);
    agent.destroy();
  }
}

function send(
  { method, path, key: apiKey, body, contentType }: Request,
  port: number,
  agent: Agent,
  key: string,
): Promise<Sent> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': contentType ?? 'application/x-www-form-urlencoded',
    'idempotency-key': key,
  };
  return new Promise((resolve, reject) => {
    const sentMs = machineMs();
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ key, sentMs, answeredMs: machineMs() });
        else reject(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
