/**
 * What proves that a person saw what they approved: the passkey signs a SHA-256 over the ids and fingerprints that were on the screen. A
 * signature approves these things once, for one request, which may be repeated under its idempotency key. Whoever last showed a code has
 * nothing to sign with, so the step-up is all there is. Who asks: `paying/payouts/approval-routes.ts`; decision: docs/decisions/0111.
 */
import { createHash, randomBytes } from 'node:crypto';
import { STEP_UP_MS } from '../../core/roles.ts';
import { RequestError } from '../../core/values/errors.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Call } from '../../platform/http/route.ts';
import type { OpenSession } from './store.ts';

/** A thing to approve, and the fingerprint of what was seen of it. */
export interface Seen {
  readonly id: string;
  readonly fingerprint: string;
}

/** What a question to a passkey is about. */
export interface About {
  /** Base64url. */
  readonly nonce: string;
  /** A line for each thing, sorted. */
  readonly approves: string;
}

const linesOf = (seen: readonly Seen[]): string =>
  seen
    .map(({ id, fingerprint }) => `${id} ${fingerprint}`)
    .sort()
    .join('\n');

/** A new question about these things; the challenge is what the passkey signs. */
export function aboutOf(seen: readonly Seen[]): About & { readonly challenge: Uint8Array<ArrayBuffer> } {
  const nonce = randomBytes(32).toString('base64url');
  const approves = linesOf(seen);
  const challenge = createHash('sha256').update(`${nonce}\n${approves}`).digest();
  return { nonce, approves, challenge: Uint8Array.from(challenge) };
}

interface Signed extends About {
  readonly challenge: string;
  readonly session: OpenSession;
  /** As the browser sent it, after it was found right. */
  readonly assertion: object;
}

export function insertProof({ challenge, session, nonce, approves, assertion }: Signed): Statement {
  const { id, response } = assertion as { readonly id: string; readonly response: Readonly<Record<string, unknown>> };
  const { authenticatorData, clientDataJSON, signature } = response;
  const signed = JSON.stringify({ authenticatorData, clientDataJSON, signature });
  return {
    name: 'insert_approval_proof',
    text: `INSERT INTO approval_proofs (challenge, session_id, person_id, passkey_id, nonce, approves, assertion)
      VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
    values: [challenge, uuidOf(session.id), uuidOf(session.person.id), id, nonce, approves, signed],
  };
}

/** Takes the signature of this session about exactly these things, for one request. No row: there is none (index approval_proofs_session). */
const useProof = (session: string, environmentId: string, approves: string, usedFor: string): Statement => ({
  name: 'use_approval_proof',
  text: `UPDATE approval_proofs SET environment_id = $2, used_for = $4, used_at = COALESCE(used_at, clock_timestamp())
    WHERE challenge = (SELECT challenge FROM approval_proofs WHERE session_id = $1 AND approves = $3
        AND made_at > clock_timestamp() - $5 * interval '1 ms'
        AND (used_for IS NULL OR (used_for = $4 AND environment_id = $2)) ORDER BY made_at DESC LIMIT 1 FOR UPDATE)
    RETURNING challenge`,
  values: [uuidOf(session), uuidOf(environmentId), approves, usedFor, STEP_UP_MS],
});

type Asking = Pick<Call<unknown, unknown>, 'caller' | 'idempotencyKey' | 'requestId'>;

/**
 * The proof of what a request approves; `null`: a key asks, or a person who has shown a code, or one in the sandbox. Throws
 * `step_up_required` where a passkey has not signed exactly this, or has for another request.
 */
export const proofsIn =
  (write: (statement: Statement) => Promise<readonly Row[]>) =>
  async ({ caller, idempotencyKey, requestId }: Asking, seen: readonly Seen[]): Promise<string | null> => {
    const { session, livemode, environmentId } = caller;
    if (session === null || !livemode || session.steppedUpBy === 'code') return null;
    const [row] = await write(useProof(session.id, environmentId, linesOf(seen), idempotencyKey ?? requestId));
    if (row !== undefined) return row['challenge'] as string;
    throw new RequestError(
      'step_up_required',
      'What you approve in live is signed by your passkey: these payouts, as they were on the screen. Show it for them, then send the same request.',
    );
  };
