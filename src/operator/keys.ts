/** What the operator does with keys: on the command line, and at the first start. Through the API: `tenancy/keys/routes.ts`. */
import { idOf } from '../core/values/ids.ts';
import type { Powers } from '../tenancy/keys/decide.ts';
import type { KeyPrefix } from '../tenancy/keys/key.ts';
import { ensureEnvironment, type KeyMaker, type Run } from '../tenancy/keys/keys.ts';
import { environmentOfKey } from '../tenancy/keys/sql.ts';
import { API_VERSION } from '../core/values/version.ts';
import type { Submit } from './operator.ts';

export interface MadeKey {
  readonly id: string;
  /** The key itself; shown once. */
  readonly key: string;
  readonly environmentId: string;
}

export interface KeyOrder extends Powers {
  readonly merchant: string;
  readonly livemode: boolean;
  readonly name: string;
  /** Of the API; left out: the newest. */
  readonly version?: string;
}

/** A refusal, in the words of its message. */
export class KeyRefused extends Error {}

export interface Operator {
  readonly submit: Submit;
  /** On a connection of the tables' owner. */
  readonly run: Run;
  readonly maker: KeyMaker;
}

/** Makes a key; creates its merchant and environment if they do not exist. Rejects with {@link KeyRefused}. */
export async function createKey(
  operator: Operator,
  { merchant, livemode, name, version = API_VERSION, ...powers }: KeyOrder,
): Promise<MadeKey> {
  const environmentId = await ensureEnvironment(operator.run, merchant, livemode);
  const made = operator.maker.make(`${powers.scopes ? 'rk' : 'sk'}_${livemode ? 'live' : 'test'}_`);
  return shown(operator, environmentId, { type: 'create_key', made, name, version, ...powers, maker: null });
}

/** A new key in place of an old one, which works for `overlapS` seconds more (0: not at all). `null`: no such key. */
export async function rollKey(operator: Operator, key: string, overlapS: number): Promise<MadeKey | null> {
  const found = await environmentOf(operator, key);
  if (found === null) return null;
  const made = operator.maker.make(found.prefix);
  return shown(operator, found.environmentId, { type: 'roll_key', key, made, overlapMs: overlapS * 1000, maker: null });
}

/** Stops a key at once. `false`: no such key. Rejects with {@link KeyRefused} when it has ended before. */
export async function revokeKey(operator: Operator, key: string): Promise<boolean> {
  const found = await environmentOf(operator, key);
  if (found === null) return false;
  await accepted(operator, found.environmentId, { type: 'revoke_key', key, maker: null });
  return true;
}

async function environmentOf({ run }: Operator, key: string) {
  const [row] = await run(environmentOfKey(key));
  if (!row) return null;
  return { environmentId: idOf('env', row['environment_id'] as string), prefix: row['prefix'] as KeyPrefix };
}

async function shown(operator: Operator, ...[environmentId, command]: Parameters<Submit>): Promise<MadeKey> {
  const body = operator.maker.open(await accepted(operator, environmentId, command));
  const { id, secret } = JSON.parse(body) as { readonly id: string; readonly secret: string };
  return { id, key: secret, environmentId };
}

async function accepted({ submit }: Operator, ...[environmentId, command]: Parameters<Submit>): Promise<string> {
  const { status, body } = await submit(environmentId, command);
  if (status === 200) return body;
  throw new KeyRefused((JSON.parse(body) as { error: { message: string } }).error.message);
}
