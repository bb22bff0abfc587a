/**
 * Starting over: only keys, users and the audit log of a sandbox stay. Rules, limits, fees and markups go too. A live environment is never found. Plain SQL with the owner's
 * rights (the server's own role cannot erase anything), in one transaction. Rows that are only ever added go first, without the
 * environment's lock, which the writer needs for all environments of a batch. The sequence goes on, so that no reader is misled. Only here can
 * a clock begin in the past: nothing is left that would be younger than what comes (docs/decisions/0112).
 */
import { type Actor, actorId } from '../../core/actor.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Run } from '../../platform/db/owner.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';

/** A writer never waits for the rows of these tables, but for a key that is used again meanwhile. */
const ADDED_ONLY = ['idempotency_records', 'events', 'transfers'] as const;

const ALL =
  'daily_sums summary_state idempotency_records deliveries events transfers payment_tokens payments payment_links settings daily_statements standing_order_runs standing_orders payouts payout_batches exchanges ' +
  'limit_usages quotes payment_file_contents bank_instructions payment_files expected_payments bank_rules bank_entry_details bank_entries bank_waiting_lines bank_statements statement_files bank_accounts recipient_words recipient_versions recipients accounts restores request_logs webhook_replays webhook_health webhook_endpoints';

const LOCK_TIMEOUT = '5s';

/**
 * Takes the row that whoever adds up transfers locks, also where there is none yet. Otherwise sums of erased transfers could be added
 * behind their deletion, and stay (docs/decisions/0106).
 */
const lockSums = (uuid: string): Statement => ({
  text: `INSERT INTO summary_state (environment_id, transfer_id)
      SELECT environment_id, '00000000-0000-0000-0000-000000000000' FROM environments WHERE environment_id = $1 AND NOT livemode
      ON CONFLICT (environment_id) DO UPDATE SET transfer_id = excluded.transfer_id`,
  values: [uuid],
});

/** Under which key the reset is remembered, who asked for it, and what it was answered. */
export interface ResetRecord {
  readonly key: string;
  readonly fingerprint: string;
  readonly body: string;
  readonly maker: Actor;
}

/** Another reset under the same key was faster: nothing is erased, and its record is there now. */
export class ResetBefore extends Error {}

const SANDBOX = 'environment_id = (SELECT environment_id FROM environments WHERE environment_id = $1 AND NOT livemode)';

const recordOf = (uuid: string, key: string): Statement => ({
  text: `SELECT r.fingerprint, r.status, r.body, COALESCE(r.maker, (SELECT e.actor FROM events e
        WHERE e.environment_id = r.environment_id AND e.sequence = r.event_sequence)) AS maker
      FROM idempotency_records r WHERE r.environment_id = $1 AND r.key = $2`,
  values: [uuid, key],
});

/**
 * Empties the sandbox, sets its clock and writes the record, in the transaction of `run`; `audit` is called under the environment's lock,
 * with the sequence of the last event that it erases. `offsetMs` is how far the clock is ahead of the real one, at most 0. Returns the row of a record that is under the key already; then nothing is erased. Rejects with {@link ResetBefore}, with 55P03 when others hold locks for
 * long, and with 40P01 after a deadlock.
 */
export async function resetSandbox(
  run: Run,
  environmentId: string,
  { offsetMs, record }: { readonly offsetMs: number; readonly record: ResetRecord | null },
  audit: (lastSequence: bigint) => Promise<void>,
): Promise<Row | null> {
  const uuid = uuidOf(environmentId);
  const erase = (table: string) => run({ text: `DELETE FROM ${table} WHERE ${SANDBOX}`, values: [uuid] });
  await run({ text: `SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`, values: [] });
  const recorded = async () => (record === null ? undefined : (await run(recordOf(uuid, record.key))).rows[0]);
  const before = await recorded();
  if (before !== undefined) return before;
  for (const table of ADDED_ONLY) await erase(table);
  const { rows } = await run({
    text: `UPDATE environments SET clock_offset_ms = $2, last_at = '-infinity', payout_rules = NULL, fees = NULL, paying_banks = NULL, fx = NULL,
        endpoints_version = endpoints_version + 1
      WHERE environment_id = $1 AND NOT livemode RETURNING last_sequence`,
    values: [uuid, offsetMs],
  });
  if ((await recorded()) !== undefined) throw new ResetBefore();
  await run(lockSums(uuid));
  for (const table of ALL.split(' ')) await erase(table);
  await audit(rows[0]?.['last_sequence'] as bigint);
  if (record !== null) {
    await run({
      text: `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, maker, created_at)
        VALUES ($1, $2, $3, 200, $4, $5, now())`,
      values: [uuid, record.key, record.fingerprint, record.body, uuidOf(actorId(record.maker) as string)],
    });
  }
  return null;
}
