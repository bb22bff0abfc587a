/** The statements of merchants, environments and keys. Only hashes of keys ever come here. */
import { newId, uuidOf } from '../core/ids.ts';
import { API_KEY } from './fields.ts';
import { tableOf } from '../db/wire/table.ts';
import type { Statement } from '../db/wire/statement.ts';

export const API_KEYS = tableOf(API_KEY, 'api_keys');

/** A key that works now, with its environment; by primary key. */
export function keyByHash(hash: Buffer): Statement {
  return {
    name: 'key_by_hash',
    text: `SELECT k.id, k.environment_id, k.scopes, k.accounts, k.allowed_addresses, k.expires_at, e.livemode
      FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id
      WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
    values: [hash],
  };
}

/** Why a key that was looked up in vain does not work; no row: there is no such key. */
export function endedKey(hash: Buffer): Statement {
  return {
    name: 'ended_key',
    text: 'SELECT id, environment_id, revoked_at FROM api_keys WHERE hash = $1',
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

/** All keys, newest first, with merchant and mode; `merchant` narrows it. */
export function listKeys(merchant: string | null): Statement {
  return {
    text: `SELECT ${API_KEYS.columns('k')}, m.name AS merchant, e.livemode
      FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id JOIN merchants m ON m.id = e.merchant_id
      WHERE $1::text IS NULL OR m.name = $1 ORDER BY k.created_at DESC, k.id DESC`,
    values: [merchant],
  };
}

/** The environment of a key. */
export function environmentOfKey(keyId: string): Statement {
  return { text: 'SELECT environment_id, prefix FROM api_keys WHERE id = $1', values: [uuidOf(keyId)] };
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
