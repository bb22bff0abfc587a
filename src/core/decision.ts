/**
 * What a decision is: a reply, or a refusal with a code. A pure function of (command, state, context); the order of checks is
 * existence, state, limits, funds. Next: a slice's `decide.ts`.
 */
import type { Refusal } from './values/errors.ts';
import type { EventObject, StoredObject } from './objects.ts';
import type { Transfer } from './transfer.ts';
import type { Draft } from './draft.ts';
import type { Change } from './state.ts';

/** Replies that are no object as it is kept. A slice adds its own, as to `Stored`. */
export interface Replies {
  readonly transfer: Transfer;
  readonly deleted: {
    readonly object: 'deleted';
    readonly kind: 'recipient' | 'webhook_endpoint' | 'limit' | 'fee_rule' | 'bank_rule';
    readonly id: string;
  };
}
/** What an accepted command answers; rendered by `write/render.ts`. */
export type Reply = StoredObject | EventObject | Replies[keyof Replies];

/** What a decision on a command comes to: the reply, with its changes in the draft; or a refusal, and the draft is dropped. */
export type Decision = Reply | Refusal;

export type Decided =
  | { readonly accepted: true; readonly changes: readonly Change[]; readonly reply: Reply }
  | { readonly accepted: false; readonly refusal: Refusal };

export function decided({ changes }: Draft, decision: Decision): Decided {
  return isRefusal(decision) ? { accepted: false, refusal: decision } : { accepted: true, changes, reply: decision };
}

/** A table of decisions. The compiler refuses a decision under another name than its command's `type`. */
export type Decisions<T> = {
  readonly [K in keyof T]: T[K] extends (draft: Draft, command: infer C extends { readonly type: K }) => Decision
    ? (draft: Draft, command: C) => Decision
    : never;
};

export type CommandOf<T> = {
  [K in keyof T]: T[K] extends (draft: Draft, command: infer C) => Decision ? C : never;
}[keyof T];

/** Whether a value of a step is a refusal: steps return what they made, or why not. */
export function isRefusal(value: object): value is Refusal {
  return 'code' in value && 'message' in value && 'details' in value;
}
