/** API keys on the wire. */
import { schemaOf } from '../../platform/http/object-schema.ts';
import { type JsonSchema, ref } from '../../platform/http/request/params.ts';
import { API_KEY, type ApiKey } from './fields.ts';

export const STATUSES = ['active', 'expired', 'revoked'] as const;

/** `nowMs`: real time, also in a sandbox. */
export function statusOf({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number) {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'active';
}

export function renderKey(key: ApiKey, livemode: boolean, nowMs: number): string {
  return API_KEY.render(key, livemode, `,"status":"${statusOf(key, nowMs)}"`);
}

/** A new key with its secret, still sealed: it holds nothing that JSON escapes. */
export function renderNewKey(key: ApiKey, livemode: boolean, sealedSecret: string): string {
  return API_KEY.render(key, livemode, `,"status":"active","secret":"${sealedSecret}"`);
}

const status: JsonSchema = { type: 'string', enum: STATUSES };
const SECRET_ABOUT =
  'The key itself. Keep it: it cannot be read again, only rolled. A request that is repeated after ten minutes is answered without it.';
const ABOUT = 'A key of this environment. The key itself is shown once, in the answer that creates it.';

export const KEY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Key: schemaOf(API_KEY, ABOUT, { status }),
  KeyWithSecret: {
    description: 'A key with its secret, shown this once.',
    allOf: [ref('Key'), { type: 'object', properties: { secret: { type: 'string', description: SECRET_ABOUT } } }],
  },
};
