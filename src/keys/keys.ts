/**
 * Making, listing, revoking and rolling keys: what the CLI and the first start do. A key's text leaves here once and is
 * never stored. Works beside running servers: they see a change within a second (`authenticate.ts`).
 */
import { idOf, newId } from '../core/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { generateKey, hashKey, type KeyPrefix } from './key.ts';
import * as sql from './sql.ts';

export type Run = (statement: Statement) => Promise<readonly Row[]>;

export interface MadeKey {
  readonly id: string;
  /** The key itself; shown once. */
  readonly key: string;
  readonly environmentId: string;
}

export interface KeyOrder {
  readonly merchant: string;
  readonly livemode: boolean;
  readonly name: string;
  /** `null`: everything; else a restricted key (`rk_…`) with these scopes. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: number | null;
}

/** Makes a key; creates its merchant and environment if they do not exist. */
export async function createKey(run: Run, serverSecret: string, order: KeyOrder): Promise<MadeKey> {
  const environmentId = await ensureEnvironment(run, order.merchant, order.livemode);
  const prefix: KeyPrefix = `${order.scopes ? 'rk' : 'sk'}_${order.livemode ? 'live' : 'test'}_`;
  return storeKey(run, serverSecret, { ...order, environmentId, prefix });
}

async function storeKey(
  run: Run,
  serverSecret: string,
  fields: Pick<sql.NewKey, 'environmentId' | 'name' | 'scopes' | 'expiresAt'> & { readonly prefix: KeyPrefix },
): Promise<MadeKey> {
  const { environmentId, name, scopes, expiresAt, prefix } = fields;
  const key = generateKey(prefix);
  const id = newId('key');
  const hash = hashKey(serverSecret, key);
  await run(sql.insertKey({ id, environmentId, name, scopes, expiresAt, prefix, hash, last4: key.slice(-4) }));
  return { id, key, environmentId };
}

/** The environment of a merchant in a mode; creates both if they do not exist. Safe to run concurrently. */
export async function ensureEnvironment(run: Run, merchant: string, livemode: boolean): Promise<string> {
  await run(sql.insertMerchant(merchant));
  await run(sql.insertEnvironment(merchant, livemode));
  const [environment] = await run(sql.environmentOf(merchant, livemode));
  if (!environment) throw new Error(`The environment of ${merchant} could not be made.`);
  return idOf('env', environment['environment_id'] as string);
}

/** All keys, newest first, or those of one merchant; never their text. Instants are milliseconds. */
export async function listedKeys(run: Run, merchant: string | null) {
  const rows = await run(sql.listKeys(merchant));
  return rows.map((row) => {
    const expiresAt = row['expires_at'] as number | null;
    const expired = expiresAt !== null && expiresAt <= Date.now();
    return {
      id: idOf('key', row['id'] as string),
      merchant: row['merchant'] as string,
      livemode: row['livemode'] as boolean,
      name: row['name'] as string,
      /** `sk_test_…last4`. */
      shown: `${row['prefix'] as string}…${row['last4'] as string}`,
      scopes: row['scopes'] as string[] | null,
      status: row['revoked_at'] !== null ? 'revoked' : expired ? 'expired' : 'active',
      createdAt: row['created_at'] as number,
      expiresAt,
      lastUsedAt: row['last_used_at'] as number | null,
    };
  });
}

/** Revokes a key at once. `false`: no such key, or revoked before. */
export async function revoke(run: Run, keyId: string): Promise<boolean> {
  return (await run(sql.revokeKey(keyId))).length > 0;
}

/** A new key of the same environment, name and scopes; the old one works for `overlapS` seconds more (0: not at all). */
export async function rollKey(run: Run, secret: string, keyId: string, overlapS: number): Promise<MadeKey | null> {
  const [old] = await run(sql.keyById(keyId));
  if (!old || old['revoked_at'] !== null) return null;
  const made = await storeKey(run, secret, {
    environmentId: idOf('env', old['environment_id'] as string),
    name: old['name'] as string,
    scopes: old['scopes'] as string[] | null,
    expiresAt: null,
    prefix: old['prefix'] as KeyPrefix,
  });
  await run(overlapS === 0 ? sql.revokeKey(keyId) : sql.expireKey(keyId, overlapS));
  return made;
}
