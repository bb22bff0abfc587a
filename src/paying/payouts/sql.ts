/** The statements of payouts and payout batches, set-based. */
import { uuidOf } from '../../core/values/ids.ts';
import { texts, uuids } from '../../platform/db/wire/columns.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { column, tableOf } from '../../platform/db/wire/table.ts';
import { byKeys } from '../../platform/db/wire/keyed.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';
import {
  LIMIT_USAGE,
  type NewPayoutBatch,
  PAYOUT,
  PAYOUT_BATCH,
  type PayoutBatch,
  type RejectedItem,
} from './fields.ts';

export const PAYOUTS = tableOf(PAYOUT, 'payouts');
export const PAYOUT_BATCHES = tableOf(PAYOUT_BATCH, 'payout_batches', {
  rejected_items: column('jsonb', (batch: PayoutBatch) => {
    const { rejectedItems = [] } = batch as Partial<NewPayoutBatch>;
    return rejectedItems.length === 0 ? null : JSON.stringify(rejectedItems);
  }),
});

/** The rejected items of a row that was read with them; `null`: none, or the batch is older than their keeping. */
export function rejectedIn(row: Row): readonly RejectedItem[] | null {
  const stored = row['rejected_items'] as string | null;
  return stored === null ? null : (JSON.parse(stored) as readonly RejectedItem[]);
}

/** The batches that have one of the external ids (unique index payout_batches_external_id). */
export function loadExternalIdsOfBatches(
  wanted: readonly { readonly environmentId: string; readonly externalId: string }[],
): Statement {
  return {
    name: 'load_external_ids_of_batches',
    text: `SELECT b.environment_id, b.external_id, b.id FROM ${unnest({ environment_id: 'uuid', external_id: 'text' })} AS k
      CROSS JOIN LATERAL (SELECT * FROM payout_batches b
        WHERE b.environment_id = k.environment_id AND b.external_id = k.external_id LIMIT 1) AS b`,
    values: [uuids(wanted.map((want) => want.environmentId)), texts(wanted.map((want) => want.externalId))],
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

export const LIMIT_USAGES = tableOf(LIMIT_USAGE, 'limit_usages');

/** What these subjects have used of whatever limits (unique index limit_usages_subject). */
export function loadUsages(wanted: readonly { readonly environmentId: string; readonly subject: string }[]): Statement {
  return {
    name: 'load_usages',
    text: `SELECT ${LIMIT_USAGES.columns('t')} FROM ${unnest({ environment_id: 'uuid', subject: 'text' })} AS k
      JOIN limit_usages t ON t.environment_id = k.environment_id AND t.subject = k.subject`,
    values: [uuids(wanted.map((want) => want.environmentId)), texts(wanted.map((want) => want.subject))],
  };
}

/** The currencies of accounts. */
export const loadCurrenciesOf = byKeys(
  'load_currencies_of',
  't.id, t.currency',
  'JOIN accounts t ON t.environment_id = k.environment_id AND t.id = k.id',
);

/** The payouts of one batch in the order of their creation (index payouts_batch); there are at most 1000. */
export function payoutsOfBatch(environmentId: string, batch: string): Statement {
  return {
    name: 'payouts_of_batch',
    text: `SELECT ${PAYOUTS.columns('t')} FROM payouts t WHERE t.environment_id = $1 AND t.batch_id = $2
      ORDER BY t.environment_id, t.batch_id, t.id`,
    values: [uuidOf(environmentId), uuidOf(batch)],
  };
}

const OF_BATCH = 'JOIN payouts p ON p.environment_id = k.environment_id AND p.batch_id = k.id';

/** The payouts of batches (index payouts_batch). */
export const loadPayoutsOfBatches = byKeys(
  'load_payouts_of_batches',
  PAYOUTS.columns('t'),
  'JOIN payouts t ON t.environment_id = k.environment_id AND t.batch_id = k.id',
);
/** Their accounts; one as often as it has payouts. */
export const loadAccountsOfBatches = byKeys(
  'load_accounts_of_batches',
  'DISTINCT t.*',
  `${OF_BATCH} JOIN accounts t ON t.environment_id = k.environment_id AND t.id = p.account_id`,
);
