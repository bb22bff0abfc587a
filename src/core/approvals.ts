/** The second person is not the first one, nor a key that the first one made, nor a key that is younger than the request. */
import type { Draft } from './draft.ts';
import { type Refusal, refusal } from './values/errors.ts';

export interface Asked {
  /** In words, for messages: `Payout po_…`. */
  readonly what: string;
  readonly by: string | null;
  readonly atMs: number;
  readonly approvals: readonly { readonly by: string }[];
}

/** Refuses `approval_by_creator` and `approval_repeated`. The key of the actor must be loaded. */
export function unfitApprover(draft: Draft, { what, by: creator, atMs, approvals }: Asked): Refusal | null {
  const { actor } = draft;
  if (actor === creator) {
    return refusal('approval_by_creator', `${what} was asked for with this key. Somebody else has to approve it.`);
  }
  if (approvals.some(({ by }) => by === actor)) {
    return refusal('approval_repeated', `${what} was approved with this key before. It needs another one.`);
  }
  const key = draft.find('api_key', actor);
  const isOfCreator = key !== undefined && key.createdBy === creator && creator !== 'cli';
  // Keys live in real time; where a sandbox's clock was moved on, ages cannot be compared.
  const isYounger = draft.state.environment.clockOffsetMs === 0 && key !== undefined && key.createdAt > atMs;
  if (!isOfCreator && !isYounger) return null;
  const message = `This key was made by who asked for it, or later. Approve it with another key.`;
  return refusal('approval_by_creator', `${what} waits for a second person. ${message}`);
}
