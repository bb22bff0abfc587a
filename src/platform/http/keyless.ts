/**
 * Requests that no valid key stands behind, counted by client address: pages of the API, unknown paths, no key, made-up keys.
 * One too many is answered late, so that a connection which asks without pause gets few answers. Requests with a valid key are
 * never counted here, whatever else comes from their address. Payment pages have limits of their own (`page.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestError } from '../../core/values/errors.ts';
import type { ClientAddresses, Origin } from './client-address.ts';
import { tokenBuckets } from './rate-limit.ts';

export interface Keyless {
  /**
   * Looks up a key that this process has not met, at most 16 at once from an address. Only one that does not find what
   * `isValid` counts. Rejects with `rate_limited`, late and without a look-up, when one more would be one too many.
   */
  lookUp<Found>(request: Origin, look: () => Promise<Found>, isValid: (found: Found) => boolean): Promise<Found>;
  /** Counts a request. Rejects with `rate_limited`, late, when it is one too many. */
  count(request: Origin): Promise<void>;
}

const MOST_LOOK_UPS = 16;

/** `perSecond` 0 switches the limit off. */
export function keyless(clients: ClientAddresses, perSecond: number): Keyless {
  const buckets = tokenBuckets(perSecond);
  // Look-ups under way have taken a token, so that many made-up keys at once cannot have more look-ups than tokens.
  const inLine = lines(Math.min(MOST_LOOK_UPS, perSecond));
  const take = (network: string) => buckets.take(network, performance.now());
  return {
    async lookUp(request, look, isValid) {
      if (perSecond === 0) return look();
      const network = clients.networkOf(request);
      const found = await inLine(network, async () => {
        if (!take(network)) return null;
        let counts = false;
        try {
          const answer = await look();
          counts = !isValid(answer);
          return { answer };
        } finally {
          if (!counts) buckets.giveBack(network);
        }
      });
      return found === null ? refuseLate() : found.answer;
    },
    async count(request) {
      if (!take(clients.networkOf(request))) await refuseLate();
    },
  };
}

/** Runs `work` when fewer than `most` of the same name are running; they start in the order of the calls. */
function lines(most: number): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, { count: number; readonly waiting: (() => void)[] }>();
  return async (name, work) => {
    const line = running.get(name) ?? { count: 0, waiting: [] };
    running.set(name, line);
    if (line.count < most) line.count += 1;
    else await new Promise<void>((start) => line.waiting.push(start));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next !== undefined)
        next(); // its place is handed on
      else if (--line.count === 0) running.delete(name);
    }
  };
}

async function refuseLate(): Promise<never> {
  await holdBack();
  throw new RequestError('rate_limited', 'Too many requests without a valid API key. Retry after 1 second.');
}

const HOLD_MS = 1_000;
/** With so many held back, further ones are answered at once: each keeps some kilobytes. */
const MAX_HELD = 1_000;
let held = 0;

/** Resolves a second later; at once when a thousand requests are held back already. */
export async function holdBack(): Promise<void> {
  if (held >= MAX_HELD) return;
  held += 1;
  await sleep(HOLD_MS);
  held -= 1;
}
