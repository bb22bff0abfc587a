/**
 * From a key to its environment, for every request. A found key is cached for under a second, so that a revoked key stops working within a
 * second on every process. Unknown keys are not cached, and looked up only if the caller allows it. While the database is away, a key that
 * it confirmed a moment ago works for as long as writes wait. The cache is keyed by the SHA-256 of the key: for 256 random bits it is as
 * safe as the HMAC in the database, in 0.5 µs instead of 3.7. Keys under a previous server secret are found too, and moved (`rehash.ts`).
 */
import { hash } from 'node:crypto';
import { RequestError } from '../../core/values/errors.ts';
import { idOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Authenticate, Found, RefusedKey } from '../../platform/http/admit.ts';
import type { Caller } from '../../platform/http/route.ts';
import type { Versions } from '../../platform/http/version/versions.ts';
import { secretIdOf, type ServerSecrets } from '../../platform/vault/vault.ts';
import { hashKey, isKey } from './key.ts';
import { anyOf } from './networks.ts';
import { endedKey, keyByHash, keyByHashes, markUsed, type Rehash } from './sql.ts';
import type { NoteRefusedKey } from './decide.ts';

const TRUST_MS = 800;
/** While the database is away: as long as a write waits for it (`databasePatienceMs`). */
const TRUST_AWAY_MS = 15_000 + TRUST_MS;
const MAX_CACHED = 10_000;
const MARK_USED_MS = 60_000;

export interface AuthenticateOptions {
  readonly secrets: ServerSecrets;
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Of the API. */
  readonly versions: Versions;
  /** A key was found that is not known to be hashed under the current secret. Must return at once. */
  onOldHash?(this: void, change: Rehash): void;
  readonly onFault: (message: string, error: unknown) => void;
}

/** `untilAwayMs`: while the database is away. */
interface Known {
  readonly caller: Caller;
  readonly untilMs: number;
  readonly untilAwayMs: number;
}

export function authenticator(options: AuthenticateOptions): Authenticate {
  const known = new Map<string, Known>();
  const pending = new Map<string, Promise<Found>>();
  const markedAt = new Map<string, number>();
  const { secrets, versions } = options;
  const secretId = secretIdOf(secrets.current);
  let isAway = false;

  const hashesOf = (key: string) => [secrets.current, ...secrets.previous].map((secret) => hashKey(secret, key));

  /** One statement for keys under the current secret; a second one only where there are previous secrets. */
  const find = async (key: string): Promise<Row | undefined> => {
    const hash = hashKey(secrets.current, key);
    const [row] = await options.rows(keyByHash(hash));
    if (row !== undefined || secrets.previous.length === 0) return row;
    return (await options.rows(keyByHashes(hashesOf(key))))[0];
  };

  const noteHash = (row: Row, key: string): void => {
    if (row['secret_id'] === secretId) return;
    options.onOldHash?.({ from: row['hash'] as Buffer, to: hashKey(secrets.current, key), secretId });
  };

  const lookUp = async (key: string, name: string): Promise<Found> => {
    const startedMs = Date.now();
    const row = await find(key).catch((error: unknown) => {
      isAway = error instanceof RequestError && error.code === 'database_unavailable';
      throw error;
    });
    isAway = false;
    if (!row) {
      known.delete(name);
      return ended(key);
    }
    const caller = callerFrom(row, versions);
    const expiresAt = (row['expires_at'] as number | null) ?? Number.POSITIVE_INFINITY;
    if (known.size >= MAX_CACHED) known.clear();
    known.set(name, {
      caller,
      untilMs: Math.min(startedMs + TRUST_MS, expiresAt),
      untilAwayMs: Math.min(startedMs + TRUST_AWAY_MS, expiresAt),
    });
    markLastUse(caller.actorId, startedMs);
    noteHash(row, key);
    return caller;
  };

  /** Only keys that are not found are looked for a second time. */
  const ended = async (key: string): Promise<RefusedKey | null> => {
    const [row] = await options.rows(endedKey(hashesOf(key)));
    if (!row) return null;
    const environmentId = idOf('env', row['environment_id'] as string);
    const keyId = idOf('key', row['id'] as string);
    return { environmentId, keyId, reason: row['revoked_at'] === null ? 'expired' : 'revoked' };
  };

  const markLastUse = (keyId: string, nowMs: number): void => {
    if (nowMs - (markedAt.get(keyId) ?? 0) < MARK_USED_MS) return;
    if (markedAt.size >= MAX_CACHED) markedAt.clear();
    markedAt.set(keyId, nowMs);
    options
      .rows(markUsed(keyId))
      .catch((error: unknown) => options.onFault('Could not note the last use of a key', error));
  };

  /** One look-up for all that ask for this key at the same time. */
  const shared = (key: string, name: string): Promise<Found> => {
    const waiting = pending.get(name);
    if (waiting) return waiting;
    const asked = lookUp(key, name).finally(() => pending.delete(name));
    pending.set(name, asked);
    return asked;
  };

  return (key, gate) => {
    const name = hash('sha256', key, 'base64');
    const hit = known.get(name);
    if (hit && Date.now() < hit.untilMs) return hit.caller;
    if (!isKey(key)) return null;
    // Another request may have found the key while this one stood in line.
    const inTurn = async () => {
      const met = known.get(name);
      return met && Date.now() < met.untilMs ? met.caller : shared(key, name);
    };
    if (hit === undefined && gate !== undefined && !pending.has(name)) return gate(inTurn);
    if (hit === undefined || Date.now() >= hit.untilAwayMs) return shared(key, name);
    const outliving = shared(key, name).catch((error: unknown) => {
      if (isAway) return hit.caller;
      throw error;
    });
    if (!isAway) return outliving;
    outliving.catch(() => undefined); // nobody waits for it
    return hit.caller;
  };
}

function callerFrom(row: Row, versions: Versions): Caller {
  const scopes = row['scopes'] as string[] | null;
  const accounts = row['accounts'] as string[] | null;
  const networks = row['allowed_ips'] as string[] | null;
  return {
    environmentId: idOf('env', row['environment_id'] as string),
    livemode: row['livemode'] as boolean,
    actorId: idOf('key', row['id'] as string),
    session: null,
    lineage: row['lineage'] as string[],
    scopes: scopes === null ? null : new Set(scopes),
    accounts: accounts === null ? null : new Set(accounts),
    allowedIps: networks,
    isAllowedFrom: networks === null ? null : anyOf(networks),
    expiresAt: row['expires_at'] as number | null,
    version: versions.pinned(row['version'] as string),
  };
}

/** Between two entries about one key and reason, so that nobody can fill the audit log. */
const EVERY_MS = 60_000;
/** With so many, all are forgotten. */
const MAX_NOTED = 10_000;

/** Notes refused keys in the audit log. `note` sends the command down the write path; `onFault` hears why it rejected. */
export function refusedKeys(
  note: (key: RefusedKey, command: NoteRefusedKey, from: { address: string; requestId: string }) => Promise<unknown>,
  onFault: (message: string, error: unknown) => void,
): (key: RefusedKey, from: { readonly address: string; readonly requestId: string }) => void {
  const notedAt = new Map<string, number>();
  return (key, from) => {
    const nowMs = performance.now();
    const name = `${key.keyId} ${key.reason}`;
    if (nowMs - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
    if (notedAt.size >= MAX_NOTED) notedAt.clear();
    notedAt.set(name, nowMs);
    const command = { type: 'note_refused_key', key: key.keyId, reason: key.reason } as const;
    note(key, command, from).catch((error: unknown) => onFault('A refused key could not be noted', error));
  };
}
