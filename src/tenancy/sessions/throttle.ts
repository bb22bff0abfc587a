/**
 * How often somebody may try to sign in: five times a minute as a person and twenty times wrongly from a network; then the next try
 * waits a second, and twice as long after each one, five minutes at most. Counted by what was asked for, not by who exists. Counted in this
 * process and in bounded memory, as rates are (`platform/http/rate-limit.ts`).
 */
const WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 300_000;
/** With so many counted, the one that was not used for longest is forgotten. */
const MAX_COUNTED = 20_000;

export const TRIES = { person: 5, network: 20 } as const;

interface Tries {
  count: number;
  startMs: number;
  /** No try before. */
  untilMs: number;
  lastMs: number;
}

export interface Throttle {
  /** Counts a try. Milliseconds until the next is possible, when this one is one too many; 0: it may go on. */
  take(name: string, nowMs: number): number;
  /** The person has signed in: what came before was mistyped. */
  forgive(name: string): void;
  /** The try was right, so it does not count; others do. */
  giveBack(name: string): void;
}

export function throttle(triesPerMinute: number): Throttle {
  const counted = new Map<string, Tries>();
  return {
    take(name, nowMs) {
      let tries = counted.get(name);
      const isQuiet = tries !== undefined && nowMs - tries.lastMs > MOST_DELAY_MS + WINDOW_MS;
      const isOver = tries !== undefined && tries.count <= triesPerMinute && nowMs - tries.startMs >= WINDOW_MS;
      if (tries === undefined || isQuiet || isOver) tries = { count: 0, startMs: nowMs, untilMs: nowMs, lastMs: nowMs };
      counted.delete(name); // to the end of the order
      counted.set(name, tries);
      if (counted.size > MAX_COUNTED) counted.delete(counted.keys().next().value as string);
      if (nowMs < tries.untilMs) return tries.untilMs - nowMs;
      tries.count += 1;
      tries.lastMs = nowMs;
      const over = tries.count - triesPerMinute;
      if (over < 0) return 0;
      tries.untilMs = nowMs + Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(over, 20));
      return 0;
    },
    forgive: (name) => void counted.delete(name),
    giveBack(name) {
      const tries = counted.get(name);
      if (tries !== undefined && tries.count > 0) tries.count -= 1;
    },
  };
}
