/** One write on its way through the path: the command, whose it is, and what its key promised. */
import type { Origin } from '../core/state.ts';
import type { Command } from './slices.ts';

export interface Submission {
  readonly environmentId: string;
  readonly command: Command;
  readonly origin: Origin;
  /**
   * The key its outcome is recorded under: the client's, or the request's own id, so that a commit whose outcome is
   * unknown can be read back. `null`: the command is harmless to repeat (workers) and nothing is recorded.
   */
  readonly recordKey: string | null;
  readonly fingerprint: string;
  /** The same under the key of a recorded one; left out: there is but one. */
  fingerprintLike?(recorded: string): string;
  /** The only accounts that who asks may use; left out: all of the environment. */
  readonly accounts?: ReadonlySet<string> | null;
  /** The scopes of who asks; left out: everything. */
  readonly scopes?: ReadonlySet<string> | null;
  /** Where clients find the service, for the `doc_url` of refusals; left out: a path will do. */
  readonly baseUrl?: string;
  /** Everything is checked and answered, nothing is written. */
  readonly dryRun: boolean;
}

/** How many changes a submission may make: bounds a batch of the path, not the command. */
export function weight({ command }: Submission): number {
  if (command.type === 'cancel_payout_batch') return MOST_PAYOUTS * CHANGES_PER_PAYOUT;
  if (command.type === 'approve_payouts') return command.payouts.length * CHANGES_PER_PAYOUT;
  if (command.type === 'create_payout_batch') return command.orders.length * CHANGES_PER_PAYOUT;
  if (command.type === 'create_recipient_batch') return command.items.length * CHANGES_PER_PAYOUT;
  return CHANGES_PER_PAYOUT;
}
/** Of a batch; how many are pending is not known yet. */
const MOST_PAYOUTS = 1000;
/** Transfer, balance, payout and two events. */
const CHANGES_PER_PAYOUT = 5;
