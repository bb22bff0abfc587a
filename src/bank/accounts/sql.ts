/** The statements of bank accounts. */
import { uuids } from '../../platform/db/wire/columns.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import { BANK_ACCOUNT } from './fields.ts';

export const BANK_ACCOUNTS = tableOf(BANK_ACCOUNT, 'bank_accounts');

/** All bank accounts of these environments; an environment has few. */
export const loadBankAccountsOf = (environmentIds: readonly string[]): Statement => ({
  name: 'load_bank_accounts_of',
  text: `SELECT ${BANK_ACCOUNTS.columns('b')} FROM bank_accounts b
      WHERE b.environment_id = ANY ($1::uuid[]) ORDER BY b.environment_id, b.id`,
  values: [uuids(environmentIds)],
});

/**
 * Open bank accounts of all environments whose payouts leave before each cut-off and whose exports are not stopped (index
 * bank_accounts_scheduled), with the clock of each, and whether instant payouts may leave that are due within `withinMs` (index
 * payouts_instant).
 */
export const scheduledAccounts = (withinMs: number): Statement => ({
  name: 'scheduled_bank_accounts',
  text: `SELECT ${BANK_ACCOUNTS.columns('b')}, now() + e.clock_offset_ms * interval '1 millisecond' AS environment_now,
        EXISTS (SELECT 1 FROM payouts p WHERE p.environment_id = b.environment_id AND p.speed = 'instant' AND p.status = 'pending'
          AND p.currency = b.currency AND p.due_at <= now() + (e.clock_offset_ms + $1::int8) * interval '1 millisecond') AS has_instant
      FROM bank_accounts b JOIN environments e ON e.environment_id = b.environment_id
      WHERE b.exports = 'before_cut_off' AND b.status = 'open' AND 'payouts' = ANY (b.uses)
        AND b.stopped_by_id IS NULL ORDER BY b.environment_id, b.id`,
  values: [BigInt(withinMs)],
});
