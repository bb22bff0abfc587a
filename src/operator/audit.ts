/** The audit log for the command line: what it says of an environment, and whose environments there are. Its check: `verify/audit-log.ts`. */
import type { AuditEntry } from '../tenancy/audit-log/fields.ts';
import { AUDIT_LOG } from '../tenancy/audit-log/sql.ts';
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { auditChains, type Chain } from '../verify/audit-log.ts';

/** Whether the log of an environment is whole, in one snapshot of the session that `run` uses. */
export async function verifyAuditLog(
  run: Run,
  environmentId: string,
  onPage: (entries: bigint) => void = () => undefined,
): Promise<Chain> {
  const text = (sql: string, values: readonly unknown[] = []) => run({ text: sql, values: [...values] });
  await text('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    for await (const chain of auditChains(text, { environment: uuidOf(environmentId), onPage })) return chain;
    throw new Error(`No such environment: ${environmentId}.`);
  } finally {
    await text('ROLLBACK');
  }
}

/** The newest entries of an environment, newest first. */
export async function newestEntries(run: Run, environmentId: string, limit: number): Promise<AuditEntry[]> {
  const rows = await run({
    text: `SELECT ${AUDIT_LOG.columns('t')} FROM audit_log t WHERE t.environment_id = $1
      ORDER BY t.environment_id DESC, t.sequence DESC LIMIT $2`,
    values: [uuidOf(environmentId), limit],
  });
  return rows.map((row) => AUDIT_LOG.read(row));
}

/** An environment, with whose it is. */
export interface ServiceEnvironment {
  readonly environmentId: string;
  readonly livemode: boolean;
  readonly merchant: string;
}

/** The environments there are, by merchant and mode. */
export async function allEnvironments(run: Run): Promise<ServiceEnvironment[]> {
  const rows = await run({
    text: `SELECT e.environment_id, e.livemode, m.name FROM environments e JOIN merchants m ON m.id = e.merchant_id
      ORDER BY m.name, e.livemode, e.environment_id`,
    values: [],
  });
  return rows.map((row) => ({
    environmentId: idOf('env', row['environment_id'] as string),
    livemode: row['livemode'] as boolean,
    merchant: row['name'] as string,
  }));
}
