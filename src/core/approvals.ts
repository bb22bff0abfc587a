/**
 * The second person is of another family than the first, and a third one of another than both. A family is all keys that descend from one
 * root: a key of the command line, or a person. So neither who asked, nor a key that they made, nor the one that made theirs, nor what any of
 * them was rolled to, says yes to it. A key that another key or a person made decides nothing until a second person has confirmed that it
 * may, and whom somebody let in nothing until a third one has. Everything that asks for a second person asks here (docs/decisions/0074, 0104).
 */
import { type Actor, isPerson } from './actor.ts';
import type { Draft } from './draft.ts';
import type { Stored } from './objects.ts';
import type { Pending } from './pending.ts';
import { assert } from './values/assert.ts';
import { type Refusal, refusal } from './values/errors.ts';

/** `what`: as in `Asked`. */
export function outdated(what: string): Refusal {
  const message = `${what} is not what was approved: it was changed, or the fingerprint is of something else. Read it again, and send the fingerprint that it has now.`;
  return refusal('approval_outdated', message, { param: 'fingerprint' });
}

export interface Asked {
  /** In words, for messages: `Payout po_…`. */
  readonly what: string;
  /** Who asked for it or changed it; `null`: from before that was kept. */
  readonly by: readonly (string | null | undefined)[];
  readonly approvals: readonly { readonly by: string }[];
}

/** Whose families decide nothing about a payout. In whole files: `makersOfFile` (`bank/payment-files/sql.ts`). */
export const makersOfPayout = ({ createdBy, changedBy }: Stored['payout']): Asked['by'] => [
  createdBy,
  ...(changedBy ?? []),
];

/**
 * Refuses `approval_key_unconfirmed`, `approval_by_creator` and `approval_repeated`. The environment must be among `familiesOf` of the read
 * set.
 */
export function unfitApprover(
  draft: Draft,
  { what, by, approvals }: Asked,
  approver: Actor = draft.actor,
): Refusal | null {
  // Of a line, the first key holds the confirmation.
  const own = keyOf(draft, approver);
  if (own && own.lineage.length > 1 && own.confirmedBy === null) {
    const message =
      'Your key was made by another key or by a person, so its right to approve waits for a second person: POST /v1/keys/:id/confirm, by another family.';
    return refusal('approval_key_unconfirmed', message);
  }
  if (isPerson(approver) && userOf(draft, approver).confirmedBy === null) {
    const message =
      'Somebody let you in, so your right to approve waits for a third person: POST /v1/users/:id/confirm, by another family than yours and theirs.';
    return refusal('approval_key_unconfirmed', message);
  }
  const family = familyOf(draft, approver);
  if (by.some((each) => each && familyOf(draft, each) === family)) {
    const message = `${what} waits for a second person, and you, or a key of your family, asked for it or changed it. Another person is needed, or a key of another root: one of the command line, or one that such a key made.`;
    return refusal('approval_by_creator', message);
  }
  if (approvals.some(({ by }) => familyOf(draft, by) === family)) {
    return refusal(
      'approval_repeated',
      `${what} was approved by you or a key of your family before. Now another family has to approve it.`,
    );
  }
  return null;
}

/** The root of a line: a person of all keys that it made. A person is its own, and so is a part of the service. */
const familyOf = (draft: Draft, line: string): string => keyOf(draft, line)?.lineage[0] ?? line;

/** The first key of a line; `null` of a part of the service. One that nobody loaded would pass for a family of its own. */
function keyOf(draft: Draft, line: string): Stored['key'] | null {
  if (!line.startsWith('key_')) return null;
  const key = draft.find('key', line);
  assert(key, `${line} is loaded, so that its family is known`);
  return key;
}

/** A user that nobody loaded would pass for one that exists. */
function userOf(draft: Draft, id: `usr_${string}`): Stored['user'] {
  const user = draft.find('user', id);
  assert(user, `${id} is loaded, so that it is known whether it may approve`);
  return user;
}

/** Nobody has approved it. */
export const newlyAsked = ({ atMs: at }: Draft, by: readonly string[], approvalsRequired: number): Pending => ({
  by,
  at,
  approvalsRequired,
  approvals: [],
});

export interface Approve {
  /** Of what the approver has seen. `null`: a test helper approves whatever is there. */
  readonly fingerprint: string | null;
  /** Who approves, where it is not who asks: whom a test helper stands for. */
  readonly as?: Actor;
}

/** With one approval more. Refuses `approval_outdated` and what `unfitApprover` refuses. */
export function approved<P extends Pending>(
  draft: Draft,
  what: string,
  { pending, fingerprint: seen }: { readonly pending: P; readonly fingerprint: string },
  { fingerprint: given, as = draft.actor }: Approve,
): P | Refusal {
  if (given !== null && given !== seen) return outdated(what);
  const { by, approvals } = pending;
  const unfit = unfitApprover(draft, { what, by, approvals }, as);
  return unfit ?? { ...pending, approvals: [...approvals, { by: as, at: draft.atMs }] };
}

export const isLast = ({ approvals, approvalsRequired }: Pending): boolean => approvals.length >= approvalsRequired;

export const notHeld = (what: string): Refusal =>
  refusal('change_not_held', `No ${what} waits for approval. It was decided before, or nobody asked for it.`);
