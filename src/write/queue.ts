/**
 * The first stage of the path: the bounded queue in front of a writer, and the replies at its end. A batch is whatever
 * queued while the last one was committing; there is no timer (rule 2 of the path).
 */
import { RequestError } from '../core/values/errors.ts';
import type { Outcome } from './idempotency.ts';
import { type Submission, weight } from './submission.ts';

export interface Waiting {
  readonly submission: Submission;
  /** When it arrived, by `performance.now()`. */
  readonly sinceMs: number;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

export type Answer =
  | { readonly waiting: Waiting; readonly outcome: Outcome }
  | { readonly waiting: Waiting; readonly error: Error };

export function reply(answers: readonly Answer[]): void {
  for (const each of answers) {
    if ('error' in each) each.waiting.reject(each.error);
    else each.waiting.resolve(each.outcome);
  }
}

export interface Limits {
  /** Most commands of one batch. */
  readonly batchCommands: number;
  /** Most changes of one batch; a single larger command goes alone. */
  readonly batchChanges: number;
  /** Most commands waiting; more are refused with `overloaded`. */
  readonly queueCommands: number;
}

export class WriteQueue {
  private waiting: Waiting[] = [];
  private sum = 0;
  private isClosed = false;
  private wanted = Number.POSITIVE_INFINITY;
  private wake: () => void = () => {};
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  get length(): number {
    return this.waiting.length;
  }

  /** Changes that those who wait will make. */
  get changes(): number {
    return this.sum;
  }

  /** Resolves with the reply. Rejects with `overloaded` when the queue is full or closed. */
  add(submission: Submission): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.isClosed || this.waiting.length >= this.limits.queueCommands) {
        const reason = this.isClosed
          ? 'The service is stopping. Nothing was written; send the same request again.'
          : 'Too many writes are waiting. Nothing was written; send the same request again.';
        reject(new RequestError('overloaded', reason));
        return;
      }
      this.waiting.push({ submission, sinceMs: performance.now(), resolve, reject });
      this.sum += weight(submission);
      if (this.sum >= this.wanted) {
        this.wanted = Number.POSITIVE_INFINITY;
        this.wake();
      }
    });
  }

  /** Takes nothing more; what is queued stays. */
  close(): void {
    this.isClosed = true;
  }

  /** Resolves with the arrival that makes so many changes wait; a second call takes the place of the first. */
  reaches(changes: number): Promise<void> {
    return new Promise((resolve) => {
      this.wanted = changes;
      this.wake = resolve;
    });
  }

  /** The next batch, in order of arrival; empty when nothing waits. */
  take(): Waiting[] {
    let count = 0;
    let changes = 0;
    while (count < this.waiting.length && count < this.limits.batchCommands) {
      const more = changes + weight((this.waiting[count] as Waiting).submission);
      if (count > 0 && more > this.limits.batchChanges) break;
      changes = more;
      count += 1;
    }
    this.sum -= changes;
    return this.waiting.splice(0, count);
  }
}
