/** The statements of merchants, environments and keys. Only hashes of keys ever come here. */
import { newId, uuidOf } from '../core/ids.ts';
import type { Statement } from '../db/wire/statement.ts';

/** A key that works now, with its environment; by primary key. */
export function keyByHash(hash: Buffer): Statement {
  return {
    name: 'key_by_hash',
    text: `SELECT k.id, k.environment_id, k.scopes, k.expires_at, e.livemode
      FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id
      WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
    values: [hash],
  };
}

export function markUsed(keyId: string): Statement {
  return {
    name: 'mark_key_used',
    text: 'UPDATE api_keys SET last_used_at = now() WHERE id = $1',
    values: [uuidOf(keyId)],
  };
}

export function insertMerchant(name: string): Statement {
  return {
    text: 'INSERT INTO merchants (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    values: [uuidOf(newId('env')), name],
  };
}

export function environmentOf(merchant: string, livemode: boolean): Statement {
  return {
    text: `SELECT e.environment_id FROM environments e JOIN merchants m ON m.id = e.merchant_id
      WHERE m.name = $1 AND e.livemode = $2`,
    values: [merchant, livemode],
  };
}

export function insertEnvironment(merchant: string, livemode: boolean): Statement {
  return {
    text: `INSERT INTO environments (environment_id, merchant_id, livemode)
      SELECT $1, m.id, $3 FROM merchants m WHERE m.name = $2 ON CONFLICT (merchant_id, livemode) DO NOTHING`,
    values: [uuidOf(newId('env')), merchant, livemode],
  };
}

export interface NewKey {
  readonly id: string;
  readonly environmentId: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly string[] | null;
  readonly expiresAt: number | null;
}

export function insertKey(key: NewKey): Statement {
  return {
    text: `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, scopes, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz)`,
    values: [
      key.hash,
      uuidOf(key.id),
      uuidOf(key.environmentId),
      key.name,
      key.prefix,
      key.last4,
      key.scopes,
      key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
    ],
  };
}

/** All keys, newest first, with merchant and mode; `merchant` narrows it. */
export function listKeys(merchant: string | null): Statement {
  return {
    text: `SELECT k.id, k.name, k.prefix, k.last4, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
        m.name AS merchant, e.livemode, k.environment_id
      FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id JOIN merchants m ON m.id = e.merchant_id
      WHERE $1::text IS NULL OR m.name = $1 ORDER BY k.created_at DESC, k.id DESC`,
    values: [merchant],
  };
}

export function keyById(keyId: string): Statement {
  return {
    text: 'SELECT id, environment_id, name, prefix, last4, scopes, expires_at, revoked_at FROM api_keys WHERE id = $1',
    values: [uuidOf(keyId)],
  };
}

/** Revokes at once; returns a row if the key existed and worked. */
export function revokeKey(keyId: string): Statement {
  return {
    text: 'UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    values: [uuidOf(keyId)],
  };
}

/** Lets a rolled key work for a while longer, never longer than it would have. */
export function expireKey(keyId: string, overlapSeconds: number): Statement {
  return {
    text: `UPDATE api_keys SET expires_at = least(coalesce(expires_at, 'infinity'), clock_timestamp() + $2 * interval '1 second')
      WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
    values: [uuidOf(keyId), overlapSeconds],
  };
}

/** How far an environment's events have come. */
export function environmentState(environmentUuid: string): Statement {
  return {
    text: `SELECT e.last_sequence, (SELECT count(*) FROM api_keys k WHERE k.environment_id = e.environment_id) AS keys,
        (SELECT r.id FROM recipients r WHERE r.environment_id = e.environment_id AND r.status = 'active' AND r.currency = 'EUR'
          ORDER BY r.id LIMIT 1) AS recipient
      FROM environments e WHERE e.environment_id = $1`,
    values: [environmentUuid],
  };
}
