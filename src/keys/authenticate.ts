/**
 * From a key to its environment, for every request. A found key is cached for under a second, so that a revoked key stops
 * working within a second on every process. Unknown keys are not cached, and looked up only if whoever asks allows it. The
 * While the database is away, a key that it confirmed a moment ago goes on working for as long as writes wait for it. The
 * cache is keyed by the SHA-256 of the key: for 256 random bits it is as safe as the HMAC in the database, in an eighth of the
 * time (measured: 0.5 µs instead of 3.7).
 */
import { hash } from 'node:crypto';
import { RequestError } from '../core/errors.ts';
import { idOf } from '../core/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import type { Authenticate } from '../http/admit.ts';
import type { Caller } from '../http/route.ts';
import { hashKey, isKey } from './key.ts';
import { keyByHash, markUsed } from './sql.ts';

const TRUST_MS = 800;
/** While the database is away: as long as a write waits for it (`DATABASE_PATIENCE_MS`). */
const TRUST_AWAY_MS = 15_000 + TRUST_MS;
const MAX_CACHED = 10_000;
const MARK_USED_MS = 60_000;

export interface AuthenticateOptions {
  readonly serverSecret: string;
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly onFault: (message: string, error: unknown) => void;
}

interface Known {
  readonly caller: Caller;
  readonly untilMs: number;
  /** While the database is away. */
  readonly untilAwayMs: number;
}

export function authenticator(options: AuthenticateOptions): Authenticate {
  const known = new Map<string, Known>();
  const pending = new Map<string, Promise<Caller | null>>();
  const markedAt = new Map<string, number>();
  let isAway = false;

  const lookUp = async (key: string, name: string): Promise<Caller | null> => {
    const startedMs = Date.now();
    const [row] = await options.rows(keyByHash(hashKey(options.serverSecret, key)));
    pending.delete(name);
    isAway = false;
    if (!row) {
      known.delete(name);
      return null;
    }
    const caller = callerFrom(row);
    const expiresAt = (row['expires_at'] as number | null) ?? Number.POSITIVE_INFINITY;
    if (known.size >= MAX_CACHED) known.clear();
    known.set(name, {
      caller,
      untilMs: Math.min(startedMs + TRUST_MS, expiresAt),
      untilAwayMs: Math.min(startedMs + TRUST_AWAY_MS, expiresAt),
    });
    markLastUse(caller.keyId, startedMs);
    return caller;
  };

  const markLastUse = (keyId: string, nowMs: number): void => {
    if (nowMs - (markedAt.get(keyId) ?? 0) < MARK_USED_MS) return;
    if (markedAt.size >= MAX_CACHED) markedAt.clear();
    markedAt.set(keyId, nowMs);
    options
      .rows(markUsed(keyId))
      .catch((error: unknown) => options.onFault('Could not note the last use of a key', error));
  };

  return (key, mayLookUp) => {
    const name = hash('sha256', key, 'base64');
    const hit = known.get(name);
    if (hit && Date.now() < hit.untilMs) return hit.caller;
    if (!isKey(key)) return null;
    const mayOutlive = hit !== undefined && Date.now() < hit.untilAwayMs;
    const waiting = pending.get(name);
    if (waiting) return mayOutlive && isAway ? hit.caller : waiting;
    if (hit === undefined && mayLookUp?.() === false) return null;
    const asked = lookUp(key, name)
      .catch((error: unknown) => {
        isAway = error instanceof RequestError && error.code === 'database_unavailable';
        if (isAway && mayOutlive) return hit.caller;
        throw error;
      })
      .finally(() => pending.delete(name));
    pending.set(name, asked);
    if (!mayOutlive || !isAway) return asked;
    asked.catch(() => undefined); // nobody waits for it
    return hit.caller;
  };
}

function callerFrom(row: Row): Caller {
  const scopes = row['scopes'] as string[] | null;
  return {
    environmentId: idOf('env', row['environment_id'] as string),
    livemode: row['livemode'] as boolean,
    keyId: idOf('key', row['id'] as string),
    scopes: scopes === null ? null : new Set(scopes),
  };
}
