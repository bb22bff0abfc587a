/**
 * The stages of a batch as spans: queue, load, decide, persist, once for each command that a traced request sent, under the span of that
 * request. Made behind the commit from instants that were noted on the way. Only where tracing is on.
 */
import { addSpan, contextOf, tracer } from '../platform/tracing/tracing.ts';
import type { Waiting } from './queue.ts';

/** Instants by `performance.now()`. */
export interface Marks {
  readonly takenMs: number;
  loadedMs: number;
  decidedMs: number;
  /** Decided on state that this process remembers. */
  isCached: boolean;
}

/** Call when a batch is taken from the queue. `null`: tracing is off. */
export const newMarks = (): Marks | null =>
  tracer === null ? null : { takenMs: performance.now(), loadedMs: 0, decidedMs: 0, isCached: false };

/** Call once the batch is committed, or when it is clear that there is nothing to commit. */
export function addBatchSpans(batch: readonly Waiting[], { takenMs, loadedMs, decidedMs, isCached }: Marks): void {
  const endedMs = performance.now();
  for (const { submission, sinceMs } of batch) {
    const { trace = null } = submission.origin;
    if (trace === null) continue; // a worker's command
    const under = contextOf(trace);
    const command = { 'bursar.command': submission.command.type };
    addSpan('queue', under, [sinceMs, takenMs], command);
    addSpan('load', under, [takenMs, loadedMs], { ...command, 'bursar.cached': isCached });
    addSpan('decide', under, [loadedMs, decidedMs], command);
    addSpan('persist', under, [decidedMs, endedMs], { ...command, 'bursar.batch_commands': batch.length });
  }
}
