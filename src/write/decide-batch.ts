/**
 * Stage three of the path: the batch as a fold of pure decisions, command n sees n-1. The record under a key is looked at
 * first, then the command is decided, then what it changes is applied. Next: `commands.ts`, then `persist.ts`.
 */
import type { Reply } from '../core/decision.ts';
import { errorBody } from '../core/error-body.ts';
import { ERRORS, RequestError } from '../core/errors.ts';
import { idSource } from '../core/ids.ts';
import type { StoredObject } from '../core/objects.ts';
import { apply, type Change, type Context, type State } from '../core/state.ts';
import { decide } from './commands.ts';
import type { Waiting } from './queue.ts';
import { answerAgain, isRecorded, type Outcome, type Recorded } from './idempotency.ts';
import type { Loaded } from './load.ts';
import type { ReadSet } from './read-set.ts';
import type { NewRecord } from './persist.ts';
import { renderReply } from './render.ts';
import type { Submission } from './submission.ts';

export type Answer = { waiting: Waiting; outcome: Outcome } | { waiting: Waiting; error: Error };

/** Of a batch: the answers, and what they are once it is committed. */
export interface Decided {
  readonly answers: readonly Answer[];
  readonly states: readonly State[];
  readonly records: readonly NewRecord[];
  /** Decisions that threw, which none should. */
  readonly faults: readonly { readonly message: string; readonly error: unknown }[];
}

/** The fold: every command sees what those before it made. Nothing is sent yet. */
export function decideBatch(batch: readonly Waiting[], loaded: ReadonlyMap<string, Loaded>): Decided {
  const contexts = new Map<string, Context>();
  for (const [id, { atMs }] of loaded) contexts.set(id, { atMs, ids: idSource(atMs) });
  const records: NewRecord[] = [];
  const faults: { message: string; error: unknown }[] = [];
  const answers = batch.map((waiting): Answer => {
    const { environmentId, command } = waiting.submission;
    const environment = loaded.get(environmentId) as Loaded;
    try {
      const outcome = decideOne(waiting.submission, environment, contexts.get(environmentId) as Context, records);
      // Answers hold ids of their own: the record with the answer of an earlier attempt is that attempt's, read back.
      const isOwn = outcome.replayed && outcome.body === waiting.decided;
      return { waiting, outcome: isOwn ? { ...outcome, replayed: false } : outcome };
    } catch (error) {
      faults.push({ message: `The decision on a ${command.type} command failed`, error }); // it left no trace in the state
      return { waiting, error: new RequestError('internal_error', 'The request failed. Nothing was written.') };
    }
  });
  return { answers, states: Array.from(loaded.values(), ({ state }) => state), records, faults };
}

/**
 * Nobody looked whether the keys and external ids of a recalled batch are free. PostgreSQL does where they are written
 * down; so each key must have its record, and a decision that an external id could have changed must write it.
 */
export function isProvenByCommit(
  { answers, states }: Decided,
  cached: ReadonlyMap<string, Loaded>,
  readSet: ReadSet,
): boolean {
  const hasRecord = ({ waiting: { submission } }: Answer) =>
    submission.recordKey !== null && cached.get(submission.environmentId)?.recorded.has(submission.recordKey);
  if (!answers.every(hasRecord)) return false;
  if (readSet.externalIds.length === 0) return true;
  const isRefused = (each: Answer) => 'error' in each || each.outcome.status !== 200;
  const rejects = (object: StoredObject) => object.object === 'payout_batch' && object.rejectedCount > 0;
  return !answers.some(isRefused) && !states.some(({ created }) => [...created.values()].some(rejects));
}

/** The fold's step: the record under the key first, then the decision, then what it changes. */
function decideOne(submission: Submission, loaded: Loaded, context: Context, records: NewRecord[]): Outcome {
  const { environmentId, command, origin, recordKey, fingerprint, dryRun } = submission;
  const { state, recorded, atMs } = loaded;
  const known = recordKey === null || dryRun ? undefined : recorded.get(recordKey);
  if (known) return answerAgain(known, fingerprint, origin.requestId);

  const decision = decide(command, state, context);
  const keep = (record: Omit<Recorded, 'key' | 'fingerprint'>): Outcome => {
    if (recordKey !== null && !dryRun) {
      const complete = { key: recordKey, fingerprint, ...record };
      recorded.set(recordKey, complete);
      records.push({ environmentId, record: complete });
    }
    return { status: record.status, body: record.body, replayed: false };
  };
  if (!decision.accepted) {
    const { code, details } = decision.refusal;
    const { status } = ERRORS[code];
    const body = errorBody(decision.refusal, origin.requestId);
    if (!isRecorded(code)) return { status, body, replayed: false };
    return keep({ status, body, eventSequence: null, resourceId: details.resource_id ?? null });
  }
  const { changes, reply } = decision;
  const body = renderReply(reply, state, atMs, origin.requestId);
  if (dryRun) return { status: 200, body, replayed: false };
  apply(state, changes, origin);
  return keep({
    status: 200,
    body,
    eventSequence: sequenceOfEventAbout(reply, changes),
    resourceId: resourceOf(reply),
  });
}

/** What a reused key is told it made; the clock is no resource, and its id is the environment's, which stays inside. */
function resourceOf(reply: Reply): string | null {
  if (reply.object === 'clock') return null;
  return reply.object === 'payout_batch_results' ? reply.batch.id : reply.id;
}

/** The event that holds the very object of the reply: then the record points at it instead of storing the body twice. */
function sequenceOfEventAbout(reply: Reply, changes: readonly Change[]): bigint | null {
  for (const change of changes) {
    if (change.kind === 'event' && change.event.object === reply) return change.event.sequence;
  }
  return null;
}
