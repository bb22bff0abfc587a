/**
 * The external id of a CSV file that was sent without one, so that the same file twice pays once (decision 0091). Pure. It is checked as
 * every other: `batch.ts`.
 */
import { createHash } from 'node:crypto';
import { newMetadata } from '../../core/metadata.ts';
import { placesOf } from '../../platform/http/request/csv.ts';
import type { Call } from '../../platform/http/route.ts';
import type { Body } from './batch-schema.ts';

const HASH_CHARACTERS = 32;

/**
 * `csv-` and 32 hex digits of a SHA-256 over the bytes of the file and what the query says of its payouts: who pays, for what, metadata.
 * How the batch is made (`mode`, `create_recipients`, `allow_repeated`, `batch_booking`) is not in it: it does not change whom the file
 * pays what. `null` where something else says which request this is (an idempotency key, an external id of the batch or of every row),
 * for a dry run, and for JSON and forms.
 */
export function fileIdOf({
  body,
  idempotencyKey,
}: Pick<Call<Body, unknown>, 'body' | 'idempotencyKey'>): string | null {
  const file = placesOf(body.payouts)?.sha256;
  if (file === undefined || idempotencyKey !== null || body.dry_run === true) return null;
  if (body.external_id !== undefined || body.payouts.every(hasOwnId)) return null;
  const { category_purpose = null, purpose = null, bank_account = null } = body;
  const labels = Object.entries(newMetadata(body.metadata)).sort(([a], [b]) => (a < b ? -1 : 1));
  const content = JSON.stringify([file, category_purpose, purpose, bank_account, labels]);
  return `csv-${createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS)}`;
}

function hasOwnId(item: Body['payouts'][number]): boolean {
  const { externalId = null } = 'faults' in item ? item.read : item;
  return externalId !== null;
}
