/**
 * Verifies the audit log: walks the chain of an environment and says where it breaks. It finds entries that were changed, are
 * missing or were inserted, and with the head in the environment's row also newest ones that were deleted. Who can write both
 * tables could make a whole new chain: keep the head that was printed somewhere else, and compare. Who calls this: `cli/audit.ts`.
 */
import type { AuditEntry } from '../tenancy/audit-log/fields.ts';
import { type AuditHead, AUDIT_LOG, auditEntriesAfter, auditHeadOf, NO_ENTRY } from '../tenancy/audit-log/sql.ts';
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { hashOf } from '../write/audit.ts';

const PAGE_ENTRIES = 1_000;

export interface Verdict {
  readonly environmentId: string;
  /** Of the newest entry that fits. */
  readonly head: AuditHead;
  /** What is wrong with the next one, in words; `null`: nothing. */
  readonly fault: string | null;
}

/** Head first, entries then: entries that are added meanwhile are behind it, and not looked at. */
export async function verifyAuditLog(
  run: Run,
  environmentId: string,
  onProgress: (entries: bigint) => void = () => undefined,
): Promise<Verdict> {
  const uuid = uuidOf(environmentId);
  const text = 'SELECT audit_sequence, audit_hash FROM environments WHERE environment_id = $1';
  const [row] = await run({ text, values: [uuid] });
  const newest = row ? auditHeadOf(row) : NO_ENTRY;
  let head = NO_ENTRY;
  const wrong = (fault: string): Verdict => ({ environmentId, head, fault });
  for (;;) {
    const rows = await run(auditEntriesAfter(uuid, head.sequence, PAGE_ENTRIES));
    for (const each of rows) {
      if (head.sequence === newest.sequence) break;
      const entry = AUDIT_LOG.read(each);
      const next = head.sequence + 1n;
      if (entry.sequence !== next) return wrong(`Entry ${next} is missing; the next one is ${entry.sequence}.`);
      if (entry.previousHash !== head.hash) return wrong(`Entry ${next} does not follow the one before.`);
      if (hashOf(environmentId, entry) !== entry.hash) return wrong(`Entry ${next} was changed.`);
      head = { sequence: next, hash: entry.hash };
    }
    onProgress(head.sequence);
    if (rows.length < PAGE_ENTRIES || head.sequence === newest.sequence) break;
  }
  if (head.sequence < newest.sequence) {
    return wrong(`Entries ${head.sequence + 1n} to ${newest.sequence} are missing at the end.`);
  }
  if (head.hash !== newest.hash) return wrong(`Entry ${head.sequence} is not the one that the environment ended with.`);
  const [more] = await run(auditEntriesAfter(uuid, head.sequence, 1));
  const [now] = more ? await run({ text, values: [uuid] }) : [];
  if (more && now && auditHeadOf(now).sequence === head.sequence)
    return wrong(`Entry ${head.sequence + 1n} was inserted.`);
  return { environmentId, head, fault: null };
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
