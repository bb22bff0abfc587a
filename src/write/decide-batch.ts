/**
 * The third stage of the path: commands are decided in order, each on what those before it changed. The idempotency
 * record comes first, then the decision, then its changes. Pure. Next: `slices.ts`, then `persist.ts`.
 */
import type { Decided as Decision, Reply } from '../core/decision.ts';
import { ERRORS, RequestError, errorBody, untrusted } from '../core/values/errors.ts';
import { type IdSource, idSource } from '../core/values/ids.ts';
import type { StoredObject } from '../core/objects.ts';
import type { Context } from '../core/draft.ts';
import { refusedAfter, refusedBefore } from './access.ts';
import { apply, type Change, type State } from '../core/state.ts';
import { decide } from './slices.ts';
import type { Answer, Waiting } from './queue.ts';
import { answerAgain, isRecorded, type Outcome, type Recorded } from './idempotency.ts';
import type { Loaded } from './load.ts';
import type { ReadSet } from './read-set.ts';
import type { NewRecord } from './persist.ts';
import { renderReply, dryRunBody } from './render.ts';
import type { Submission } from './submission.ts';

export interface Decided {
  /** To be given once the batch is committed. */
  readonly answers: readonly Answer[];
  readonly states: readonly State[];
  readonly records: readonly NewRecord[];
  /** Decisions that threw, which none should. */
  readonly faults: readonly { readonly message: string; readonly error: unknown }[];
  /** Nothing was changed and nothing is to be recorded: there is no need to commit. */
  readonly isEmpty: boolean;
}

/** Decides every command of the batch in order. The states in `loaded` become what the batch leaves. */
export function decideBatch(batch: readonly Waiting[], loaded: ReadonlyMap<string, Loaded>): Decided {
  const ids = new Map<string, IdSource>();
  for (const [id, { atMs }] of loaded) ids.set(id, idSource(atMs));
  const records: NewRecord[] = [];
  const faults: { message: string; error: unknown }[] = [];
  const answers = batch.map((waiting): Answer => {
    const { environmentId, command } = waiting.submission;
    const environment = loaded.get(environmentId) as Loaded;
    try {
      return {
        waiting,
        outcome: decideOne(waiting.submission, environment, ids.get(environmentId) as IdSource, records),
      };
    } catch (error) {
      faults.push({ message: `The decision on a ${command.type} command failed`, error }); // it left no trace in the state
      return { waiting, error: failed(error) };
    }
  });
  const states = Array.from(loaded.values(), ({ state }) => state);
  const isEmpty = records.length === 0 && [...loaded.values()].every(isUnchanged);
  return { answers, states, records, faults, isEmpty };
}

/** The answer to a command that threw. */
export const failed = (error: unknown): RequestError =>
  untrusted(error) ??
  new RequestError(
    'internal_error',
    'The request failed on our side, and nothing was written. The operator finds the cause in the log by the request id.',
  );

const isUnchanged = ({ state, before }: Loaded): boolean =>
  state.events.length + state.audits.length + state.created.size + state.updated.size === 0 &&
  state.environment.clockOffsetMs === before.clockOffsetMs;

/**
 * Whether COMMIT proves a batch decided on cached state: the unique indexes refuse keys and external ids that are
 * taken. So every command must write its record and, where external ids are named, every payout must be written.
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

function decideOne(submission: Submission, loaded: Loaded, ids: IdSource, records: NewRecord[]): Outcome {
  const { environmentId, origin, recordKey, fingerprint, dryRun, baseUrl } = submission;
  const { actor, lineage = [] } = origin;
  const { state, recorded, atMs } = loaded;
  const known = recordKey === null || dryRun ? undefined : recorded.get(recordKey);
  if (known) {
    const print = submission.fingerprintLike?.(known.fingerprint) ?? fingerprint;
    return answerAgain(known, print, origin.requestId, { ...submission, ...origin });
  }

  const decision = decideFor(submission, state, { atMs, ids, actor, lineage });
  const keep = (record: Omit<Recorded, 'key' | 'fingerprint' | 'maker' | 'request'>): Outcome => {
    if (recordKey !== null && !dryRun) {
      const complete = { key: recordKey, fingerprint, maker: actor, request: origin.requestId, ...record };
      recorded.set(recordKey, complete);
      records.push({ environmentId, record: complete });
    }
    return { status: record.status, body: record.body, replayed: false };
  };
  if (!decision.accepted) {
    const { code, details, isUnrecorded = false } = decision.refusal;
    const { status } = ERRORS[code];
    const body = errorBody(decision.refusal, origin.requestId, baseUrl);
    if (isUnrecorded || !isRecorded(code)) return { status, body, replayed: false };
    return keep({ status, body, eventSequence: null, resourceId: details.resource_id ?? null });
  }
  const { changes, reply } = decision;
  const body = renderReply(reply, state, atMs, submission);
  if (dryRun) return { status: 200, body: dryRunBody(body, changes, state), replayed: false };
  apply(state, changes, origin);
  return keep({
    status: 200,
    body,
    eventSequence: sequenceOfEventAbout(reply, changes),
    resourceId: resourceOf(reply),
  });
}

/** The decision on the command, or the refusal where who asks may not use the accounts that it is about. */
function decideFor(submission: Submission, state: State, context: Context): Decision {
  const { command, accounts = null } = submission;
  if (accounts === null) return decide(command, state, context);
  const before = refusedBefore(submission, accounts, state);
  if (before) return { accepted: false, refusal: before };
  const decision = decide(command, state, context);
  const after = decision.accepted ? refusedAfter(decision.changes, accounts, submission.origin.actor) : null;
  return after ? { accepted: false, refusal: after } : decision;
}

/** Clock, rules, settings, exports, batches of recipients and approvals of many are no resources: their id is the environment's, which stays inside. A signature has none of its own. */
const WITHOUT_ID: ReadonlySet<Reply['object']> = new Set([
  'clock',
  'payout_rules',
  'exchange_settings',
  'settings',
  'payment_file_export',
  'recipient_batch',
  'reconciliation_signature',
  'payout_approval',
]);

/** The id that a request with a reused key is given. */
function resourceOf(reply: Reply): string | null {
  if (WITHOUT_ID.has(reply.object)) return null;
  return reply.object === 'payout_batch_results' ? reply.batch.id : reply.id;
}

/** The event that holds the very object of the reply: then the record points at it instead of storing the body twice. */
function sequenceOfEventAbout(reply: Reply, changes: readonly Change[]): bigint | null {
  for (const change of changes) {
    if (change.kind === 'event' && change.event.object === reply) return change.event.sequence;
  }
  return null;
}
