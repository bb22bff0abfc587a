/**
 * The check of the audit log: the chain of hashes, recomputed entry by entry. The hashed form is written down here a second time
 * (the first: `write/audit.ts`), so that the two must agree. Read in pages, so memory does not grow with the log. Who runs it: `verify.ts`.
 */
import { hash } from 'node:crypto';
import { actorOf } from '../core/actor.ts';
import { idOf } from '../core/values/ids.ts';
import type { Run } from './check.ts';

const PAGE_ENTRIES = 1_000;
const NO_HASH = '0'.repeat(64);

/** A break in the chain of one environment; the entries behind it are not judged. */
export interface ChainBreak {
  readonly environment: string;
  readonly sequence: bigint;
  readonly expected: string;
  readonly found: string;
}

const HEADS =
  'SELECT environment_id, audit_sequence::text AS sequence, coalesce(audit_hash, repeat($1, 64)) AS hash FROM environments ORDER BY environment_id';
const ENTRIES = `SELECT id, sequence::text AS sequence, (extract(epoch FROM created_at) * 1000)::int8::text AS created_ms, action, actor, address, request_id, subject,
    details, previous_hash, hash
  FROM audit_log l WHERE l.environment_id = $1 AND l.sequence > $2 ORDER BY l.environment_id, l.sequence LIMIT ${PAGE_ENTRIES}`;

type Text = Readonly<Record<string, string | null>>;

export async function* auditLogBreaks(run: Run): AsyncGenerator<ChainBreak> {
  for (const head of (await run(HEADS, ['0'])) as readonly Text[]) {
    const found = await breakOf(run, head);
    if (found !== null) yield found;
  }
}

async function breakOf(run: Run, head: Text): Promise<ChainBreak | null> {
  const environment = head['environment_id'] as string;
  const end = BigInt(head['sequence'] as string);
  let [sequence, before] = [0n, NO_HASH];
  const at = (number: bigint, expected: string, found: string) => ({ environment, sequence: number, expected, found });
  for (;;) {
    const rows = (await run(ENTRIES, [environment, String(sequence)])) as readonly Text[];
    for (const row of rows) {
      const number = BigInt(row['sequence'] as string);
      if (sequence === end) return at(number, `${end} entries`, 'one more, which was inserted');
      if (number !== sequence + 1n) return at(sequence + 1n, 'this entry', `the next one is ${number}`);
      if (row['previous_hash'] !== before) return at(number, 'the hash of the entry before', 'another one');
      if (hashOf(environment, row) !== row['hash'])
        return at(number, 'the hash of what it says', 'another one: it was changed');
      [sequence, before] = [number, row['hash']];
    }
    if (rows.length < PAGE_ENTRIES) break;
  }
  if (sequence < end) return at(sequence + 1n, `entries ${sequence + 1n} to ${end}`, 'none of them');
  return before === head['hash'] ? null : at(sequence, 'the hash that the environment ended with', 'another one');
}

/** SHA-256 in hex over a JSON list: previous hash, environment, id, sequence, milliseconds, action, actor, address, request, subject, details. */
function hashOf(environment: string, row: Text): string {
  const request = row['request_id'] as string | null;
  const members = [
    row['previous_hash'],
    idOf('env', environment),
    idOf('aud', row['id'] as string),
    row['sequence'],
    Number(row['created_ms']),
    row['action'],
    actorOf(row['actor'] as string),
    row['address'],
    request === null ? null : idOf('req', request),
    row['subject'],
    row['details'],
  ];
  return hash('sha256', JSON.stringify(members), 'hex');
}
