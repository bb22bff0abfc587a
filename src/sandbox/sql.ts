/**
 * Emptying a sandbox: plain SQL under the environment's lock, with the owner's rights (the server's own role cannot
 * erase transfers and events). The sequence goes on, so that a reader with an old position is not misled.
 */
import type { Statement } from '../db/statement.ts';

const TABLES = [
  'accounts',
  'transfers',
  'recipients',
  'recipient_versions',
  'quotes',
  'exchanges',
  'payout_batches',
  'payouts',
  'events',
  'idempotency_records',
] as const;

/** The statements of one reset, to be run in order in one transaction. The first locks; it finds no live environment. */
export function resetStatements(environmentUuid: string): Statement[] {
  return [
    {
      text: `UPDATE environments SET clock_offset_ms = 0, last_at = '-infinity'
        WHERE environment_id = $1 AND NOT livemode RETURNING environment_id`,
      values: [environmentUuid],
    },
    ...TABLES.map((table) => ({ text: `DELETE FROM ${table} WHERE environment_id = $1`, values: [environmentUuid] })),
  ];
}
