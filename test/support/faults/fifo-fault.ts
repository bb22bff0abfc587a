/**
 * A fault on purpose, for control runs: loaded into a server before anything else, it makes one line of the fair queue:
 * first come, first served, whoever it is for. A test of fairness that stays green on it tests nothing. Never loaded by
 * anything but tests. Faults in statements: `fault-injection.ts`.
 */
import type { ClaimedDelivery } from '../../../src/events/webhooks/delivery.ts';
import { Queue, type QueueLimits } from '../../../src/events/webhooks/queue.ts';

/** The parts of a queue that a line needs. */
interface Line {
  readonly limits: QueueLimits;
  waiting?: ClaimedDelivery[];
  count: number;
  slotsTaken: number;
}

Object.assign(Queue.prototype, {
  roomFor(this: Line): number {
    return Math.max(0, this.limits.capacity - this.count);
  },
  offer(this: Line, delivery: ClaimedDelivery): void {
    this.waiting ??= [];
    this.waiting.push(delivery);
    this.count += 1;
  },
  take(this: Line): ClaimedDelivery | undefined {
    const next = this.slotsTaken < this.limits.concurrency ? this.waiting?.shift() : undefined;
    if (next === undefined) return undefined;
    this.count -= 1;
    this.slotsTaken += 1;
    return next;
  },
  done(this: Line): void {
    this.slotsTaken -= 1;
  },
});
