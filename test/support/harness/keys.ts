/** Keys made straight in the database, for tests that have no server yet; merchant and environment come to be with them. */
import type { Caller } from '../../../src/platform/http/route.ts';
import { API_VERSION } from '../../../src/core/values/version.ts';
import { NEWEST } from '../../../src/platform/http/version/versions.ts';
import { ensureEnvironment, keyMaker, type Run } from '../../../src/tenancy/keys/keys.ts';
import { API_KEYS } from '../../../src/tenancy/keys/sql.ts';
import type { KeyOrder, MadeKey } from '../../../src/operator/keys.ts';

/** What a key of the command line has before anybody has used it. */
export const UNUSED = {
  revokedAt: null,
  lastUsedAt: null,
  lineLastUsedAt: null,
  createdBy: 'cli',
  confirmedBy: null,
  rolledTo: null,
} as const;
export const UNRESTRICTED = { scopes: null, accounts: null, allowedIps: null, expiresAt: null } as const;

/** A caller with a secret key, where it does not matter whose. */
export function callerWith(fields: Partial<Caller> = {}): Caller {
  return {
    environmentId: 'env',
    livemode: false,
    actorId: 'key_1',
    session: null,
    lineage: [fields.actorId ?? 'key_1'],
    isAllowedFrom: null,
    ...UNRESTRICTED,
    version: NEWEST,
    ...fields,
  };
}

export async function insertKey(
  run: Run,
  serverSecret: string,
  order: Pick<KeyOrder, 'merchant' | 'livemode'> & Partial<KeyOrder>,
): Promise<MadeKey> {
  const { merchant, livemode, ...powers } = { name: 'test', version: API_VERSION, ...UNRESTRICTED, ...order };
  const environmentId = await ensureEnvironment(run, merchant, livemode);
  const maker = keyMaker({ current: serverSecret, previous: [] });
  const { sealedSecret, ...made } = maker.make(`${powers.scopes ? 'rk' : 'sk'}_${livemode ? 'live' : 'test'}_`);
  const now = { ...UNUSED, lineage: [made.id], createdAt: Date.now() };
  await run(API_KEYS.insert([{ environmentId, object: { object: 'key', ...made, ...powers, ...now } }]));
  const { secret } = JSON.parse(maker.open(`{"id":"${made.id}","secret":"${sealedSecret}"}`)) as { secret: string };
  return { id: made.id, key: secret, environmentId };
}
