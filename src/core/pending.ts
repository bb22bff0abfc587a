/**
 * What waits for a second person: looser rules, the deletion of a limit, what payers are shown. As it is kept and shown, and what an approval
 * of it is bound to. Pure. Who approves: `approvals.ts`.
 */
import { ACTOR_SCHEMA } from './actor.ts';
import { fingerprint } from './values/fingerprint.ts';
import { type JsonSchema, strictObject } from './values/json-schema.ts';
import { unixSeconds } from './values/time.ts';

/** Instants are milliseconds. */
export interface Pending {
  /** Everybody who asked for a part of it: lines of keys. */
  readonly by: readonly string[];
  readonly at: number;
  readonly approvalsRequired: number;
  readonly approvals: readonly { readonly by: string; readonly at: number }[];
}
export interface PendingChanges<C extends object> extends Pending {
  readonly changes: C;
}

/** `seen`: what changes, from what and to what, in an order of its own, which jsonb does not keep. */
export const fingerprintOf = (seen: unknown, { by, at }: Pending): string =>
  fingerprint(JSON.stringify([seen, by, at]));

/** As the API shows it. */
export const shown = ({ by, at, approvalsRequired, approvals }: Pending, print: string, more: object = {}): object => ({
  ...more,
  actors: by,
  at: unixSeconds(at),
  approvals_required: approvalsRequired,
  approvals: approvals.map((each) => ({ actor: each.by, at: unixSeconds(each.at) })),
  fingerprint: print,
});

export const pendingSchema = (description: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  ...strictObject(description, {
    ...more,
    actors: { type: 'array', items: ACTOR_SCHEMA, description: 'Everybody who asked for a part of it.' },
    at: { type: 'integer', description: 'When, Unix seconds.' },
    approvals_required: { type: 'integer' },
    approvals: {
      type: 'array',
      description: 'One of each family that has approved it.',
      items: strictObject('Who approved it, and when.', { actor: ACTOR_SCHEMA, at: { type: 'integer' } }),
    },
    fingerprint: { type: 'string', description: 'It stands for what is changed. An approval sends it.' },
  }),
  type: ['object', 'null'],
});
