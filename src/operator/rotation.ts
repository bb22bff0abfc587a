/**
 * Where a rotation of the server secret stands: what is still under a previous secret, and which servers do not use the
 * new one. The walk: `reseal.ts`; keys: `tenancy/keys/rehash.ts`. Who calls this: `cli/secret.ts`.
 */
import { idOf } from '../core/values/ids.ts';
import type { PoolOptions } from '../platform/db/pool.ts';
import { serversNotUsing } from '../platform/db/wire/servers.ts';
import { keysNotUnder } from '../tenancy/keys/sql.ts';
import { secretIdOf, type ServerSecrets } from '../platform/vault/vault.ts';
import { atRest } from '../write/at-rest.ts';
import { inEveryEnvironment } from './operator.ts';
import { tablesLeft } from './seal-stored.ts';
import { type RunOne, type Tally, type WalkOptions, walkSealed } from './reseal.ts';

/** A working key that is hashed under a previous secret, or under which one is not known. */
export interface OldKey {
  readonly id: string;
  readonly name: string;
  readonly merchant: string;
  readonly livemode: boolean;
  /** `null`: made by a version that did not keep it, and not used since. */
  readonly secretId: string | null;
  /** Milliseconds. */
  readonly lastUsedAt: number | null;
}

export interface RotationState {
  /** Ids of the secrets. */
  readonly current: string;
  readonly previous: readonly string[];
  readonly places: readonly Tally[];
  /** Keys that work. */
  readonly keys: number;
  /** Of these, those that are not known to be under the current secret. */
  readonly oldKeys: number;
  /** The first such keys, the most recently used first. */
  readonly oldKeysShown: readonly OldKey[];
  /** Tables at rest (`seal-stored.ts`) that are not known to be all under the current secret. */
  readonly tables: readonly string[];
  /** Servers on the database that do not use the current secret. */
  readonly serversBehind: number;
}

const MOST_KEYS_SHOWN = 100;

/** Reseals if `reseals`, and returns the state afterwards. */
export async function rotationState(options: WalkOptions): Promise<RotationState> {
  const { run, secrets } = options;
  const places = await walkSealed(options);
  const current = secretIdOf(secrets.current);
  const tables = await tablesLeft(async (text) => (await run({ text, values: [] })).rows, atRest(secrets));
  const { rows } = await run(keysNotUnder(current, MOST_KEYS_SHOWN));
  return {
    current,
    previous: secrets.previous.map(secretIdOf),
    places,
    tables,
    keys: Number(rows[0]?.['all']),
    oldKeys: Number(rows[0]?.['total']),
    oldKeysShown: rows
      .filter((row) => row['id'] !== null)
      .map((row) => ({
        id: idOf('key', row['id'] as string),
        name: row['name'] as string,
        merchant: row['merchant'] as string,
        livemode: row['livemode'] as boolean,
        secretId: row['secret_id'] as string | null,
        lastUsedAt: row['last_used_at'] as number | null,
      })),
    serversBehind: await serversBehind(run, secrets),
  };
}

/**
 * How many servers do not use the current secret. They could not open what is sealed under it, and still seal under a
 * previous one.
 */
export async function serversBehind(run: RunOne, { current }: ServerSecrets): Promise<number> {
  const text = `SELECT count(*)::int4 AS behind ${serversNotUsing('$1::text')}`;
  const { rows } = await run({ text, values: [secretIdOf(current)] });
  return rows[0]?.['behind'] as number;
}

/** One rotation at a time: the session of `run` has it until it ends. `false`: another session has it. */
export async function takeTurn(run: RunOne): Promise<boolean> {
  const text = "SELECT pg_try_advisory_lock(hashtext('bursar secret rotate')) AS taken";
  const { rows } = await run({ text, values: [] });
  return rows[0]?.['taken'] === true;
}

/** Adds the rotation to the audit log of every environment. */
export async function noteRotation(options: PoolOptions, { current, previous }: ServerSecrets): Promise<void> {
  const secret = secretIdOf(current);
  await inEveryEnvironment(options, { type: 'note_rotation', secret, previous: previous.map(secretIdOf) });
}
