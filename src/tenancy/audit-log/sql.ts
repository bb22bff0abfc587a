/** The statements of the audit log. Only the write path adds entries, and nobody changes them. */
import { uuids } from '../../platform/db/wire/columns.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { column, ofEnvironment, overRows, tableOf } from '../../platform/db/wire/table.ts';
import { AUDIT_ENTRY } from './fields.ts';

export const AUDIT_LOG = tableOf(AUDIT_ENTRY, 'audit_log');

/** Where the chain of an environment stands: its newest entry. */
export interface AuditHead {
  readonly sequence: bigint;
  /** Hex. */
  readonly hash: string;
}

/** Before the first entry. */
const NO_ENTRY: AuditHead = { sequence: 0n, hash: '0'.repeat(64) };

/** The heads of these environments, whose rows the caller has locked. */
export const loadAuditHeads = (environmentIds: readonly string[]): Statement => ({
  name: 'load_audit_heads',
  text: 'SELECT environment_id, audit_sequence, audit_hash FROM environments WHERE environment_id = ANY ($1::uuid[])',
  values: [uuids(environmentIds)],
});

export function auditHeadOf(row: Row): AuditHead {
  const hash = row['audit_hash'] as string | null;
  return hash === null ? NO_ENTRY : { sequence: row['audit_sequence'] as bigint, hash };
}

export const updateAuditHeads = overRows<{ readonly environmentId: string; readonly head: AuditHead }>(
  'update_audit_heads',
  { e: ofEnvironment, s: column('int8', ({ head }) => head.sequence), h: column('text', ({ head }) => head.hash) },
  (rows) =>
    `UPDATE environments AS t SET audit_sequence = v.s, audit_hash = v.h FROM ${rows} AS v WHERE t.environment_id = v.e`,
);

/** All keys of the lines that these keys are of (index api_keys_line). */
export const keysOfLines = (environmentId: string, keys: readonly string[]): Statement => ({
  name: 'keys_of_lines',
  text: `SELECT k.id FROM api_keys k WHERE k.environment_id = $1 AND k.lineage[cardinality(k.lineage)] IN (
      SELECT o.lineage[cardinality(o.lineage)] FROM api_keys o WHERE o.environment_id = $1 AND o.id = ANY ($2::uuid[]))`,
  values: [uuidOf(environmentId), uuids(keys)],
});
