/**
 * Stage one of the path: the bounded queue in front of the writer. A batch is whatever queued while the last one was
 * committing; there is no timer (rule 2 of the path).
 */
import type { Outcome } from './idempotency.ts';
import { type Submission, weight } from './submission.ts';

/** A submission and the caller that waits for its answer. */
export interface Waiting {
  readonly submission: Submission;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
  /** The answer that the last attempt decided and did not read back; whether it was committed may be unknown. */
  decided?: string;
}

export interface Limits {
  /** Most commands of one batch. */
  readonly batchCommands: number;
  /** Most changes of one batch; a single larger command goes alone. */
  readonly batchChanges: number;
  /** Most commands waiting; more are refused with `overloaded`. */
  readonly queueCommands: number;
}

export class Gather {
  private waiting: Waiting[] = [];
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  get length(): number {
    return this.waiting.length;
  }

  /** Changes that those who wait will make; stops counting beyond `most`. */
  changes(most: number): number {
    let sum = 0;
    for (let i = 0; i < this.waiting.length && sum <= most; i++) sum += weight((this.waiting[i] as Waiting).submission);
    return sum;
  }

  /** `false` when the queue is full. */
  add(waiting: Waiting): boolean {
    if (this.waiting.length >= this.limits.queueCommands) return false;
    this.waiting.push(waiting);
    return true;
  }

  /** The next batch, in order of arrival; empty when nothing waits. */
  take(): Waiting[] {
    let count = 0;
    let changes = 0;
    while (count < this.waiting.length && count < this.limits.batchCommands) {
      changes += weight((this.waiting[count] as Waiting).submission);
      if (count > 0 && changes > this.limits.batchChanges) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }
}
