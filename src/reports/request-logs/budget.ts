/**
 * How much of what is asked is kept. Entries wait here for the next round; what there is no room for is left out and counted.
 * In bounded memory, and fair: each environment gets an equal share of what is scarce, and what one leaves the others have. No
 * clock of its own: instants are the caller's, milliseconds that never go back. Next: `log.ts`.
 */

export interface Limits {
  /** Entries that may be kept at once after a quiet time. */
  readonly burstEntries: number;
  /** Entries a second in the long run. */
  readonly entriesPerSecond: number;
  /** Entries a second even while there is more of the burst: what this may cost. */
  readonly mostEntriesPerSecond: number;
  /** Entries that wait for a round, of all environments together. */
  readonly waitingEntries: number;
}

/** Why an entry is not kept: `budget`, no more may be written; `full`, too many wait for the next round. */
export type Reason = 'budget' | 'full';

/** Between two rounds, about. */
const ROUND_SECONDS = 1;

export class Budget<T> {
  private readonly limits: Limits;
  private readonly onLeftOut: (reason: Reason, count: number) => void;
  private readonly waiting = new Map<string, T[]>();
  private count = 0;
  private tokens: number;
  /** Of this second. */
  private pace: number;
  private atMs = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits, onLeftOut: (reason: Reason, count: number) => void) {
    this.limits = limits;
    this.onLeftOut = onLeftOut;
    this.tokens = limits.burstEntries;
    this.pace = limits.mostEntriesPerSecond;
  }

  /** Whether an entry of the environment may wait; if not, it is counted as left out. Call {@link add} right after. */
  hasRoom(environmentId: string, nowMs: number): boolean {
    const own = this.waiting.get(environmentId)?.length ?? 0;
    // What comes until the next round counts too: else who asks right behind a round would find nothing left.
    if (own >= this.left(nowMs, ROUND_SECONDS)) return this.refuse('budget');
    // One environment fills half of the places at most: there is always one for another.
    if (own >= this.limits.waitingEntries - this.count) return this.refuse('full');
    return true;
  }

  add(environmentId: string, entry: T): void {
    this.count += 1;
    const queue = this.waiting.get(environmentId);
    if (queue === undefined) this.waiting.set(environmentId, [entry]);
    else queue.push(entry);
  }

  /** What of the waiting entries is kept, a share of each environment. Afterwards none waits. */
  take(nowMs: number): T[] {
    if (this.count === 0) return [];
    const queues = [...this.waiting.values()];
    const kept = shares(
      queues.map(({ length }) => length),
      this.left(nowMs),
    );
    const taken = queues.flatMap((queue, at) => queue.slice(0, kept[at]));
    this.tokens -= taken.length;
    this.pace -= taken.length;
    if (taken.length < this.count) this.onLeftOut('budget', this.count - taken.length);
    this.waiting.clear();
    this.count = 0;
    return taken;
  }

  private refuse(reason: Reason): false {
    this.onLeftOut(reason, 1);
    return false;
  }

  /** How many entries may be kept so many seconds from now. */
  private left(nowMs: number, aheadSeconds = 0): number {
    const { burstEntries, entriesPerSecond, mostEntriesPerSecond } = this.limits;
    const seconds = Math.max(0, nowMs - this.atMs) / 1000;
    if (seconds > 0) {
      this.tokens = Math.min(burstEntries, this.tokens + seconds * entriesPerSecond);
      this.pace = Math.min(mostEntriesPerSecond, this.pace + seconds * mostEntriesPerSecond);
      this.atMs = nowMs;
    }
    return Math.floor(
      Math.min(this.tokens + aheadSeconds * entriesPerSecond, this.pace + aheadSeconds * mostEntriesPerSecond),
    );
  }
}

/** How much each gets of `total`: as equal as can be, nobody more than it wants, and nothing is left where somebody wants more. */
export function shares(wanted: readonly number[], total: number): number[] {
  const given = wanted.map(() => 0);
  let left = total;
  const byNeed = wanted.map((_, at) => at).toSorted((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  for (const [turn, at] of byNeed.entries()) {
    const share = Math.min(wanted[at] ?? 0, Math.ceil(left / (byNeed.length - turn)));
    given[at] = share;
    left -= share;
  }
  return given;
}
