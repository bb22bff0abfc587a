/** The statements of payouts and payout batches, set-based. */
import { texts, uuids } from '../db/wire/columns.ts';
import { KEYS, keyed } from '../db/wire/keyed.ts';
import type { Key, Statement } from '../db/wire/statement.ts';
import { tableOf } from '../db/wire/table.ts';
import { unnest } from '../db/wire/unnest.ts';
import { PAYOUT, PAYOUT_BATCH } from './fields.ts';

export const PAYOUTS = tableOf(PAYOUT, 'payouts');
export const PAYOUT_BATCHES = tableOf(PAYOUT_BATCH, 'payout_batches');

export const loadPayouts = keyed('payouts', PAYOUTS.columns('p'), 'p');

/** The batches that payouts belong to. */
export function loadBatchesOfPayouts(payouts: readonly Key[]): Statement {
  return {
    name: 'load_batches_of_payouts',
    text: `SELECT ${PAYOUT_BATCHES.columns('b')} FROM ${KEYS} AS k
      CROSS JOIN LATERAL (SELECT * FROM payouts p
        WHERE p.environment_id = k.environment_id AND p.id = k.id LIMIT 1) AS p
      CROSS JOIN LATERAL (SELECT * FROM payout_batches b
        WHERE b.environment_id = k.environment_id AND b.id = p.batch_id LIMIT 1) AS b`,
    values: [uuids(payouts.map((key) => key.environmentId)), uuids(payouts.map((key) => key.id))],
  };
}

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
