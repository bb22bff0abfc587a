/** The statements of payouts and payout batches, set-based. */
import { texts, uuids } from '../db/wire/columns.ts';
import type { Statement } from '../db/wire/statement.ts';
import { tableOf } from '../db/wire/table.ts';
import { unnest } from '../db/wire/unnest.ts';
import { PAYOUT, PAYOUT_BATCH } from './fields.ts';

export const PAYOUTS = tableOf(PAYOUT, 'payouts');
export const PAYOUT_BATCHES = tableOf(PAYOUT_BATCH, 'payout_batches');

/** The payouts that have one of the external ids (unique index payouts_external_id). */
export function loadExternalIds(
  wanted: readonly { readonly environmentId: string; readonly externalId: string }[],
): Statement {
  return {
    name: 'load_external_ids',
    text: `SELECT p.environment_id, p.external_id, p.id FROM ${unnest({ environment_id: 'uuid', external_id: 'text' })} AS k
      CROSS JOIN LATERAL (SELECT * FROM payouts p
        WHERE p.environment_id = k.environment_id AND p.external_id = k.external_id LIMIT 1) AS p`,
    values: [uuids(wanted.map((want) => want.environmentId)), texts(wanted.map((want) => want.externalId))],
  };
}
