/**
 * Making and listing keys, for the command line, the first start and the API. A key's text leaves the process once and is never stored.
 * Keys change by commands (`decide.ts`); servers see a change within a second (`authenticate.ts`).
 */
import { idOf, newId } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { secretIdOf, type ServerSecrets, type Vault, vault } from '../../platform/vault/vault.ts';
import type { NewKey } from './decide.ts';
import { generateKey, hashKey, type KeyPrefix } from './key.ts';
import { statusOf } from './schema.ts';
import * as sql from './sql.ts';

export type Run = (statement: Statement) => Promise<readonly Row[]>;

export interface KeyMaker {
  /** A new key at random: its hash, and its text sealed for its id. */
  make(prefix: KeyPrefix): NewKey;
  /** The body of an answer with the sealed secret in it opened; other bodies as they are. */
  open(body: string): string;
}

/** The end of an answer with a sealed key. */
export const SEALED_MEMBER = /"secret":"(v1\.[^"]*)"\}$/;

/** Seals the texts of new keys in answers that are kept, each for its key's id. */
export const newKeyBox = (secrets: ServerSecrets): Vault => vault(secrets, 'new api keys', 'new key');

export function keyMaker(secrets: ServerSecrets): KeyMaker {
  const box = newKeyBox(secrets);
  const secretId = secretIdOf(secrets.current);
  return {
    make(prefix) {
      const text = generateKey(prefix);
      const id = newId('key');
      const hash = hashKey(secrets.current, text).toString('hex');
      return { id, prefix, last4: text.slice(-4), hash, secretId, sealedSecret: box.seal(text, id) };
    },
    open(body) {
      const [member, sealed] = SEALED_MEMBER.exec(body) ?? [];
      if (member === undefined || sealed === undefined) return body;
      const { id } = JSON.parse(body) as { readonly id: string };
      return `${body.slice(0, -member.length)}"secret":"${box.open(sealed, id)}"}`;
    },
  };
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
    const key = sql.API_KEYS.read(row);
    const { id, name, prefix, last4, scopes, accounts, allowedIps, version, createdAt, expiresAt } = key;
    return {
      id,
      environmentId: idOf('env', row['environment_id'] as string),
      merchant: row['merchant'] as string,
      livemode: row['livemode'] as boolean,
      name,
      /** `sk_test_…last4`. */
      shown: `${prefix}…${last4}`,
      scopes,
      accounts,
      allowedIps,
      version,
      status: statusOf(key, Date.now()),
      createdAt,
      expiresAt,
      lastUsedAt: key.lastUsedAt,
      lineLastUsedAt: key.lineLastUsedAt,
    };
  });
}
