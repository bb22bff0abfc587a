/**
 * A constant load of payouts, each under a key of its own, repeated with that key until it is answered. What failed on the way is
 * counted by code. Next: `rounds.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, isReplay } from '../faults/load.ts';
import type { Reply } from '../harness/http.ts';
import type { Tenant } from '../harness/tenant-fixture.ts';

const CLIENTS = 6;
const PAUSE_MS = 20;
const RETRY_MS = 50;

/** An answer, and when it came, on the clock of `performance.now`. */
export interface TimedAnswer extends Answered {
  readonly atMs: number;
}

export interface Payers {
  /** Of all rounds, in order of arrival. */
  readonly answers: readonly TimedAnswer[];
  /** How often an attempt ended with what, since the start: a code, or `network`. */
  readonly failures: ReadonlyMap<string, number>;
  /** Resolves when every key is answered; nothing new is sent until `resume`. */
  pause(): Promise<void>;
  resume(): void;
}

/** `address` is asked before every attempt. The account never runs dry. */
export async function startPaying(tenant: Tenant, address: () => string): Promise<Payers> {
  const [account, recipient] = [await tenant.account('EUR', '1000000'), await tenant.recipient()];
  const answers: TimedAnswer[] = [];
  const failures = new Map<string, number>();
  let next = 0;
  let paused = true;
  let running: Promise<unknown> = Promise.resolve();
  const payUntilAnswered = async (key: string, amount: string) => {
    for (let failed = 0; ; failed++) {
      const body = { amount, currency: 'EUR', recipient, account };
      const reply = await tenant.client
        .post('/v1/payouts', body, { idempotencyKey: key, at: address() })
        .catch(() => null);
      if (reply !== null && reply.status < 500 && reply.status !== 409 && reply.status !== 429) {
        const { status, text, headers } = reply;
        const answered = { key, way: 'payout', status, text, failures: failed, isReplay: isReplay(headers) } as const;
        answers.push({ ...answered, atMs: performance.now() });
        return;
      }
      const code = reply === null ? 'network' : `${reply.status} ${codeOf(reply)}`;
      failures.set(code, (failures.get(code) ?? 0) + 1);
      await sleep(RETRY_MS);
    }
  };
  const client = async () => {
    while (!paused) {
      const number = next++;
      await payUntilAnswered(`load-${number}`, `1.${String(10 + (number % 90))}`);
      await sleep(PAUSE_MS);
    }
  };
  return {
    answers,
    failures,
    pause: async () => {
      paused = true;
      await running;
    },
    resume: () => {
      paused = false;
      running = Promise.all(Array.from({ length: CLIENTS }, client));
    },
  };
}

function codeOf({ text }: Reply): string {
  return /"code":\s*"(\w+)"/.exec(text)?.[1] ?? 'without code';
}
