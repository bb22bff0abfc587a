/** The statements of merchants, environments and keys. Only hashes of keys ever come here. */
import { newId, uuidOf } from '../../core/values/ids.ts';
import { API_KEY, type ApiKey } from './fields.ts';
import { uuids } from '../../platform/db/wire/columns.ts';
import { byKeys, keyed, type Load } from '../../platform/db/wire/keyed.ts';
import type { Condition } from '../../platform/db/wire/page.ts';
import { type ObjectTable, tableOf } from '../../platform/db/wire/table.ts';
import { serversWithout } from '../../platform/db/wire/servers.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';

const STORED = tableOf(API_KEY, 'api_keys');
const lineOf = (alias: string) => `${alias}.lineage[cardinality(${alias}.lineage)]`;

/** With the last use of their lines (index api_keys_line). */
const columns = (alias: string, prefix = ''): string =>
  `${STORED.columns(alias, prefix)}, (SELECT max(l.last_used_at) FROM api_keys l
      WHERE l.environment_id = ${alias}.environment_id AND ${lineOf('l')} = ${lineOf(alias)}) AS ${prefix}line_last_used_at`;

export const API_KEYS: ObjectTable<ApiKey> = {
  ...STORED,
  columns,
  load: keyed({ name: STORED.name, columns }),
  read: (row, prefix = '') => ({
    ...STORED.read(row, prefix),
    lineLastUsedAt: (row[`${prefix}line_last_used_at`] as number | null | undefined) ?? null,
  }),
};

/** The same keys without it, for what asks only which family a key is of: payouts do. */
export const loadFamilyKeys: Load = byKeys(
  'load_family_keys',
  STORED.columns('t'),
  `CROSS JOIN LATERAL (SELECT * FROM api_keys r WHERE r.environment_id = k.environment_id AND r.id = k.id LIMIT 1) AS t`,
);

/** Those of these environments that work (index api_keys_environment); at most 1,000 each. */
export const loadWorkingKeys = (environmentIds: readonly string[]): Statement => ({
  name: 'load_working_keys',
  text: `SELECT ${API_KEYS.columns('k')} FROM api_keys k WHERE k.environment_id = ANY ($1::uuid[])
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
  values: [uuids(environmentIds)],
});

/** Keys with one of these statuses (alias `t`), as `schema.ts` shows them, by real time. Keys are few: the list is walked in its order. */
export const ofStatus = (statuses: readonly string[]): Condition => ({
  sql: `CASE WHEN t.revoked_at IS NOT NULL THEN 'revoked' WHEN t.expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END = ANY ($::text[])`,
  value: statuses,
});

/** Bytes in a list. */
const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

const WORKING_KEY = `SELECT k.hash, k.secret_id, k.id, k.lineage, k.environment_id, k.scopes, k.accounts, k.allowed_ips,
    k.version, k.expires_at, e.livemode
  FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id
  WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`;

/** A key that works now, with its environment; by primary key. */
export function keyByHash(hash: Buffer): Statement {
  return { name: 'key_by_hash', text: `${WORKING_KEY} AND k.hash = $1`, values: [hash] };
}

/** The same under any of several server secrets. One statement: a key that is moved meanwhile (`rehash.ts`) is found under either. */
export function keyByHashes(hashes: readonly Buffer[]): Statement {
  return { name: 'key_by_hashes', text: `${WORKING_KEY} AND k.hash = ANY ($1::bytea[])`, values: [hashes.map(hex)] };
}

/** Why a key that was looked up in vain does not work; no row: there is no such key. */
export const endedKey = (hashes: readonly Buffer[]): Statement => ({
  name: 'ended_key',
  text: 'SELECT id, environment_id, revoked_at FROM api_keys WHERE hash = ANY ($1::bytea[])',
  values: [hashes.map(hex)],
});

/** `secretId`: of the secret of `to`. Equal hashes: only the id is noted. */
export interface Rehash {
  readonly from: Buffer;
  readonly to: Buffer;
  readonly secretId: string;
}

/**
 * Moves keys to hashes under another server secret, by primary key; locks only these rows. A key whose hash has changed stays as it is.
 * While a server runs that does not know the secret, nothing is moved to it.
 */
export const rehashKeys = (changes: readonly Rehash[]): Statement => ({
  text: `UPDATE api_keys k SET hash = v.after, secret_id = v.secret_id
      FROM (SELECT unnest($1::bytea[]) AS before, unnest($2::bytea[]) AS after, unnest($3::text[]) AS secret_id) AS v
      WHERE k.hash = v.before AND (v.before = v.after OR NOT EXISTS (SELECT ${serversWithout('v.secret_id')}))`,
  values: [
    changes.map(({ from }) => hex(from)),
    changes.map(({ to }) => hex(to)),
    changes.map(({ secretId }) => secretId),
  ],
});

export const markUsed = (keyId: string): Statement => ({
  name: 'mark_key_used',
  text: 'UPDATE api_keys SET last_used_at = now() WHERE id = $1',
  values: [uuidOf(keyId)],
});

export const insertMerchant = (name: string): Statement => ({
  text: 'INSERT INTO merchants (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
  values: [uuidOf(newId('env')), name],
});

export const environmentOf = (merchant: string, livemode: boolean): Statement => ({
  text: `SELECT e.environment_id FROM environments e JOIN merchants m ON m.id = e.merchant_id
      WHERE m.name = $1 AND e.livemode = $2`,
  values: [merchant, livemode],
});

export const insertEnvironment = (merchant: string, livemode: boolean): Statement => ({
  text: `INSERT INTO environments (environment_id, merchant_id, livemode)
      SELECT $1, m.id, $3 FROM merchants m WHERE m.name = $2 ON CONFLICT (merchant_id, livemode) DO NOTHING`,
  values: [uuidOf(newId('env')), merchant, livemode],
});

/** All keys, newest first, with merchant and mode; `merchant` narrows it. */
export const listKeys = (merchant: string | null): Statement => ({
  text: `SELECT ${API_KEYS.columns('k')}, m.name AS merchant, e.livemode
      FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id JOIN merchants m ON m.id = e.merchant_id
      WHERE $1::text IS NULL OR m.name = $1 ORDER BY k.created_at DESC, k.id DESC`,
  values: [merchant],
});

/**
 * Working keys that are not known to be hashed under this secret, those used last first, with merchant and mode; `total` counts them, `all`
 * counts working keys. A scan of the table: for the command line.
 */
export const keysNotUnder = (secretId: string, limit: number): Statement => ({
  text: `WITH working AS MATERIALIZED (SELECT k.* FROM api_keys k
        WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())),
      others AS (SELECT * FROM working w WHERE w.secret_id IS DISTINCT FROM $1)
      SELECT n.all, n.total, o.id, o.name, o.secret_id, o.last_used_at, m.name AS merchant, e.livemode
      FROM (SELECT (SELECT count(*) FROM working) AS all, (SELECT count(*) FROM others) AS total) AS n
      LEFT JOIN LATERAL (SELECT * FROM others ORDER BY last_used_at DESC NULLS LAST, id DESC LIMIT $2::int4) AS o ON true
      LEFT JOIN environments e ON e.environment_id = o.environment_id LEFT JOIN merchants m ON m.id = e.merchant_id
      ORDER BY o.last_used_at DESC NULLS LAST, o.id DESC`,
  values: [secretId, limit],
});

/** The environment of a key. */
export function environmentOfKey(keyId: string): Statement {
  return { text: 'SELECT environment_id, prefix FROM api_keys WHERE id = $1', values: [uuidOf(keyId)] };
}

/** How far an environment's events have come. */
export const environmentState = (environmentUuid: string): Statement => ({
  text: `SELECT e.last_sequence, (SELECT count(*) FROM api_keys k WHERE k.environment_id = e.environment_id) AS keys,
        (SELECT r.id FROM recipients r WHERE r.environment_id = e.environment_id AND r.status = 'active' AND r.currency = 'EUR'
          ORDER BY r.id LIMIT 1) AS recipient
      FROM environments e WHERE e.environment_id = $1`,
  values: [environmentUuid],
});
