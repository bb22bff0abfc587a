/**
 * How often somebody may try to sign in: five times a minute as a person and twenty times wrongly from a network; then the next try
 * waits a second, and twice as long after each one, five minutes at most. Wrong codes of an app are counted by the hour too: there are a million
 * of them, so a patient guesser who knows the password would hit one in two months. Counted by what was asked for, not by who exists, in this
 * process and in bounded memory, as rates are (`platform/http/rate-limit.ts`).
 */
const FIRST_DELAY_MS = 1_000;
/** In how long tries are counted together, and how long the next one waits at most. */
interface Pace {
  readonly windowMs: number;
  readonly mostDelayMs: number;
}
const BY_MINUTE: Pace = { windowMs: 60_000, mostDelayMs: 300_000 };
const BY_HOUR: Pace = { windowMs: 3_600_000, mostDelayMs: 3_600_000 };
/** With so many counted, the one that was not used for longest is forgotten. */
const MAX_COUNTED = 20_000;

export const TRIES = { person: 5, network: 20, codesAnHour: 10 } as const;

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

export const throttle = (triesPerMinute: number): Throttle => paced(triesPerMinute, BY_MINUTE);
/** For what is so rarely right by chance that hours of trying count. */
export const slowThrottle = (triesPerHour: number): Throttle => paced(triesPerHour, BY_HOUR);

function paced(most: number, { windowMs, mostDelayMs }: Pace): Throttle {
  const counted = new Map<string, Tries>();
  return {
    take(name, nowMs) {
      let tries = counted.get(name);
      const isQuiet = tries !== undefined && nowMs - tries.lastMs > mostDelayMs + windowMs;
      const isOver = tries !== undefined && tries.count <= most && nowMs - tries.startMs >= windowMs;
      if (tries === undefined || isQuiet || isOver) tries = { count: 0, startMs: nowMs, untilMs: nowMs, lastMs: nowMs };
      counted.delete(name); // to the end of the order
      counted.set(name, tries);
      if (counted.size > MAX_COUNTED) counted.delete(counted.keys().next().value as string);
      if (nowMs < tries.untilMs) return tries.untilMs - nowMs;
      tries.count += 1;
      tries.lastMs = nowMs;
      const over = tries.count - most;
      if (over < 0) return 0;
      tries.untilMs = nowMs + Math.min(mostDelayMs, FIRST_DELAY_MS * 2 ** Math.min(over, 20));
      return 0;
    },
    forgive: (name) => void counted.delete(name),
    giveBack(name) {
      const tries = counted.get(name);
      if (tries !== undefined && tries.count > 0) tries.count -= 1;
    },
  };
}
