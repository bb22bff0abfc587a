/**
 * Starting over: everything a sandbox holds is erased, its keys apart; a live environment is never found. Plain SQL with the
 * owner's rights (the server's own role cannot erase transfers and events). What may go first goes in small pieces, the rest
 * in one transaction under the environment's lock, so that other environments are not kept waiting. The sequence goes on, so
 * that a reader with an old position is not misled.
 */
import { uuidOf } from '../core/ids.ts';
import type { Statement } from '../db/wire/statement.ts';

/** Rows of one piece: a few dozen milliseconds. */
const PIECE_ROWS = 10_000;

/** Replay records point at events, so they go first. */
const ERASED_IN_PIECES = ['idempotency_records', 'deliveries', 'events'] as const;

const ERASED_AT_ONCE =
  'idempotency_records deliveries events transfers payment_tokens payments payment_links settings payouts ' +
  'payout_batches exchanges quotes recipient_versions recipients accounts webhook_replays webhook_health webhook_endpoints';

/** A piece of one table, oldest or not; finds no live environment. */
function erasePiece(table: (typeof ERASED_IN_PIECES)[number], environmentUuid: string): Statement {
  return {
    text: `DELETE FROM ${table} WHERE environment_id = $1 AND ctid = ANY (ARRAY(
      SELECT t.ctid FROM ${table} t JOIN environments e ON e.environment_id = t.environment_id AND NOT e.livemode
      WHERE t.environment_id = $1 LIMIT $2))`,
    values: [environmentUuid, PIECE_ROWS],
  };
}

/** Everything that is left, to be run in order in one transaction. The first takes the lock and sets the clock right. */
function eraseRest(environmentUuid: string): Statement[] {
  const sandbox =
    'environment_id = (SELECT environment_id FROM environments WHERE environment_id = $1 AND NOT livemode)';
  return [
    `UPDATE environments SET clock_offset_ms = 0, last_at = '-infinity', endpoints_version = endpoints_version + 1
      WHERE environment_id = $1 AND NOT livemode`,
    ...ERASED_AT_ONCE.split(' ').map((table) => `DELETE FROM ${table} WHERE ${sandbox}`),
  ].map((text) => ({ text, values: [environmentUuid] }));
}

/** `asOwner` runs statements in one transaction and returns how many rows the last one changed. */
export async function resetSandbox(
  asOwner: (statements: readonly Statement[]) => Promise<number>,
  environmentId: string,
): Promise<void> {
  const uuid = uuidOf(environmentId);
  for (const table of ERASED_IN_PIECES) {
    while ((await asOwner([erasePiece(table, uuid)])) === PIECE_ROWS);
  }
  await asOwner(eraseRest(uuid));
}
