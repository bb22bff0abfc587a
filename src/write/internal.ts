/** Commands that no client of the API sent: of workers, of payment pages, of the first start. */
import type { Actor } from '../core/actor.ts';
import { ownRecordKey } from './idempotency.ts';
import type { Command } from './slices.ts';
import type { Submission } from './submission.ts';

/** `actor`: who it is. With a key, a commit whose outcome is unknown is read back. Without one, the command must be harmless to repeat. */
export function internal(
  actor: Actor,
  environmentId: string,
  command: Command,
  recordKey?: string,
  fingerprint = '',
): Submission {
  const origin = { actor, requestId: null, idempotencyKey: null };
  return {
    environmentId,
    command,
    origin,
    recordKey: recordKey === undefined ? null : ownRecordKey(recordKey),
    fingerprint,
    dryRun: false,
  };
}
