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

/** The chain of one environment, up to its first break; the entries behind a break are not judged. */
export interface Chain {
  /** A uuid. */
  readonly environment: string;
  /** Of the newest entry that fits. */
  readonly sequence: bigint;
  readonly hash: string;
  readonly fault: ChainBreak | null;
}

export interface ChainBreak {
  readonly sequence: bigint;
  readonly expected: string;
  readonly found: string;
  readonly sentence: string;
}

const HEADS = `SELECT environment_id, audit_sequence::text AS sequence, coalesce(audit_hash, repeat($1, 64)) AS hash FROM environments
  WHERE $2::uuid IS NULL OR environment_id = $2 ORDER BY environment_id`;
const ENTRIES = `SELECT id, sequence::text AS sequence, (extract(epoch FROM created_at) * 1000)::int8::text AS created_ms, action, actor, address, request_id, subject,
    details, previous_hash, hash
  FROM audit_log l WHERE l.environment_id = $1 AND l.sequence > $2 ORDER BY l.environment_id, l.sequence LIMIT ${PAGE_ENTRIES}`;

type Text = Readonly<Record<string, string | null>>;

/** The chains of all environments, or of one. Needs a snapshot: else an entry that is added meanwhile counts as inserted. */
export async function* auditChains(
  run: Run,
  { environment = null, ...seen }: { readonly environment?: string | null } & Seen = {},
): AsyncGenerator<Chain> {
  for (const head of (await run(HEADS, ['0', environment])) as readonly Text[]) yield chainOf(run, head, seen);
}

interface Seen {
  onPage?(entries: bigint): void;
  /** Of each entry that fits. */
  onEntry?(action: string, subject: string | null, details: string): void;
}

async function chainOf(run: Run, head: Text, { onPage, onEntry }: Seen): Promise<Chain> {
  const environment = head['environment_id'] as string;
  const end = BigInt(head['sequence'] as string);
  let [sequence, hash] = [0n, NO_HASH];
  const broken = (at: bigint, sentence: string, expected: string, found: string): Chain => ({
    environment,
    sequence,
    hash,
    fault: { sequence: at, expected, found, sentence },
  });
  for (;;) {
    const rows = (await run(ENTRIES, [environment, String(sequence)])) as readonly Text[];
    for (const row of rows) {
      const at = BigInt(row['sequence'] as string);
      const next = sequence + 1n;
      if (sequence === end)
        return broken(at, `Entry ${at} was inserted.`, `${end} entries`, 'one more, which was inserted');
      if (at !== next)
        return broken(next, `Entry ${next} is missing; the next one is ${at}.`, 'this entry', `the next one is ${at}`);
      if (row['previous_hash'] !== hash)
        return broken(at, `Entry ${at} does not follow the one before.`, 'the hash of the entry before', 'another one');
      if (hashOf(environment, row) !== row['hash'])
        return broken(at, `Entry ${at} was changed.`, 'the hash of what it says', 'another one: it was changed');
      [sequence, hash] = [at, row['hash']];
      onEntry?.(row['action'] as string, row['subject'] as string | null, row['details'] as string);
    }
    onPage?.(sequence);
    if (rows.length < PAGE_ENTRIES) break;
  }
  if (sequence < end) {
    const lost = `${sequence + 1n} to ${end}`;
    return broken(sequence + 1n, `Entries ${lost} are missing at the end.`, `entries ${lost}`, 'none of them');
  }
  if (hash === head['hash']) return { environment, sequence, hash, fault: null };
  const sentence = `Entry ${sequence} is not the one that the environment ended with.`;
  return broken(sequence, sentence, 'the hash that the environment ended with', 'another one');
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
