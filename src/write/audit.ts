/**
 * The audit log of an environment is a chain: each entry has the hash of the one before, and the environment's row has the hash of
 * the newest. Entries are chained under the environment's lock, as the batch is written. Verified by `operator/audit.ts`.
 */
import { hash } from 'node:crypto';
import type { AuditEntry } from '../tenancy/audit-log/fields.ts';
import { AUDIT_LOG, type AuditHead, updateAuditHeads } from '../tenancy/audit-log/sql.ts';
import { assert } from '../core/values/assert.ts';
import type { AuditDetails, Audited } from '../core/audit.ts';
import type { Origin, State } from '../core/state.ts';
import type { Scoped, Statement } from '../platform/db/wire/statement.ts';

type Unhashed = Omit<AuditEntry, 'hash'>;

/** SHA-256 in hex over the entry with its previous hash. Never changes: logs in databases were made with it. */
export function hashOf(environmentId: string, entry: Unhashed): string {
  const { id, sequence, createdAt, action, actor, address, request, subject, details, previousHash } = entry;
  const members = [environmentId, id, String(sequence), createdAt, action, actor, address, request, subject];
  return hash('sha256', JSON.stringify([previousHash, ...members, JSON.stringify(details)]), 'hex');
}

/** What is to be added to the log of one environment, whose row the caller has locked. */
export interface Additions {
  readonly environmentId: string;
  readonly head: AuditHead;
  readonly audits: readonly { readonly entry: Audited; readonly origin: Origin }[];
}

export function additionsOf(states: readonly State[]): Additions[] {
  return states
    .filter(({ audits }) => audits.length > 0)
    .map(({ environment, audits, auditHead }) => {
      assert(auditHead, 'a command that audits has loaded the head');
      return { environmentId: environment.id, head: auditHead, audits };
    });
}

/** Which session of the person it was, and how that was opened. */
const withSession = (details: AuditDetails, { id, method }: NonNullable<Origin['session']>): AuditDetails => ({
  ...details,
  session: id,
  signed_in_by: method,
});

export function* auditStatements(additions: readonly Additions[]): Generator<Statement> {
  if (additions.length === 0) return;
  const entries: Scoped<AuditEntry>[] = [];
  const heads = additions.map(({ environmentId, head: before, audits }) => {
    let head = before;
    for (const { entry, origin } of audits) {
      const unhashed: Unhashed = {
        object: 'audit_entry',
        ...entry,
        details: origin.session == null ? entry.details : withSession(entry.details, origin.session),
        sequence: head.sequence + 1n,
        actor: origin.key ?? origin.actor,
        address: origin.address ?? null,
        request: origin.requestId,
        previousHash: head.hash,
      };
      head = { sequence: unhashed.sequence, hash: hashOf(environmentId, unhashed) };
      entries.push({ environmentId, object: { ...unhashed, hash: head.hash } });
    }
    return { environmentId, head };
  });
  yield AUDIT_LOG.insert(entries);
  yield updateAuditHeads(heads);
}
