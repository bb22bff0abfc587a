/**
 * What a decision is: accepted with changes and a reply, or refused with a code. Deciding is a pure function of
 * (command, state, context); the order of checks is existence, state, limits, funds. Next: a slice's `decide.ts`.
 */
import type { Refusal } from './errors.ts';
import type { StoredObject, Transfer } from './objects.ts';
import type { Draft } from './draft.ts';
import type { Change } from './state.ts';

/** Replies that are no object as it is kept. A slice adds its own, as to `Stored`. */
export interface Replies {
  readonly transfer: Transfer;
  readonly deleted: {
    readonly object: 'deleted';
    readonly kind: 'recipient' | 'webhook_endpoint';
    readonly id: string;
  };
}
/** What an accepted command answers; rendered by `write/render.ts`. */
export type Reply = StoredObject | Replies[keyof Replies];

export type Decision =
  | { readonly accepted: true; readonly changes: readonly Change[]; readonly reply: Reply }
  | { readonly accepted: false; readonly refusal: Refusal };

/** A decision for every command of a union, by the command's `type`; the compiler names a missing one. */
export type Decisions<Command extends { readonly type: string }> = {
  readonly [T in Command['type']]: (draft: Draft, command: Extract<Command, { readonly type: T }>) => Decision;
};

export function accepted(draft: { readonly changes: readonly Change[] }, reply: Reply): Decision {
  return { accepted: true, changes: draft.changes, reply };
}

export function refused(refusal: Refusal): Decision {
  return { accepted: false, refusal };
}

/** Whether a value of a step is a refusal: steps return what they made, or why not. */
export function isRefusal(value: object): value is Refusal {
  return 'code' in value && 'message' in value && 'details' in value;
}
