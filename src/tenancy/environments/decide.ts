/**
 * What the operator did to the whole service, kept in each environment: a restore of the database, a rotation of the server secret. Pure.
 * Who sends it: `operator/restored.ts`, `operator/rotation.ts`; in a sandbox `routes.ts`, for a rehearsal.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { Restore } from './fields.ts';

export interface NoteRestore {
  readonly type: 'note_restore';
  /** Sequences to leave out: events with these numbers may have been sent before the restore. */
  readonly skip: bigint;
}

/**
 * Moves the sequence on and says so in an event. Otherwise other events would get the numbers of lost ones, and readers that had seen the
 * lost ones would miss them.
 */
export function noteRestore(draft: Draft, { skip }: NoteRestore): Decision {
  const { lastSequence } = draft.state.environment;
  draft.skipSequences(skip);
  const restore: Restore = {
    object: 'restore',
    id: draft.newId('rst'),
    createdAt: draft.atMs,
    lastSequence,
    nextSequence: lastSequence + skip + 1n,
  };
  const sequences = { last_sequence: Number(lastSequence), next_sequence: Number(restore.nextSequence) };
  draft.audit('environment.restored', null, sequences);
  return draft.create(restore, 'environment.restored');
}

/** The ids tell secrets apart and give nothing of them away. */
export interface NoteRotation {
  readonly type: 'note_rotation';
  readonly secret: string;
  readonly previous: readonly string[];
}

export function noteRotation(draft: Draft, { secret, previous }: NoteRotation): Decision {
  draft.audit('server_secret.rotated', null, { secret, previous });
  return { object: 'noted', id: draft.state.environment.id };
}
