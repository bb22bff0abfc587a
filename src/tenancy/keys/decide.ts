/**
 * Decisions about API keys. Pure: a command carries the hash and the sealed text of a new key, because making them takes random numbers. A
 * key can give no more than it has itself. Keys live in real time, also in a sandbox whose clock was moved on. Using a key:
 * `authenticate.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { covers } from '../../core/scopes.ts';
import type { ApiKey } from './fields.ts';
import { isWithin } from './networks.ts';

/** What a key may do, where, and until when. `null` is no restriction. */
export type Powers = Pick<ApiKey, 'scopes' | 'accounts' | 'allowedAddresses' | 'expiresAt'>;

export type NewKey = Pick<ApiKey, 'id' | 'prefix' | 'last4' | 'hash' | 'secretId'> & {
  /** For the answer; opens for the id of the key. */
  readonly sealedSecret: string;
};

export interface CreateKey extends Powers {
  readonly type: 'create_key';
  readonly made: NewKey;
  readonly name: string;
  /** Of the key that asks; `null`: the operator, who holds everything. */
  readonly maker: Powers | null;
}

export interface RollKey {
  readonly type: 'roll_key';
  readonly key: string;
  /** With the prefix of the old one. */
  readonly made: NewKey;
  /** How long the old key works beside the new one. */
  readonly overlapMs: number;
  readonly maker: Powers | null;
}

export interface RevokeKey {
  readonly type: 'revoke_key';
  readonly key: string;
}

/** Somebody tried a key that no longer works, or not from there. */
export interface NoteRefusedKey {
  readonly type: 'note_refused_key';
  readonly key: string;
  readonly reason: 'revoked' | 'expired' | 'address';
}

/** What a key that is restricted to accounts may have: where every object is of an account, or of none. */
const ACCOUNT_SCOPES = ['accounts', 'transfers', 'payouts', 'recipients'].flatMap((of) => [
  `${of}:read`,
  `${of}:write`,
]);

/** Refuses `key_too_wide`, `expires_at_invalid`, `parameter_missing` and `parameter_invalid` about scopes, and `resource_missing` for an account. */
export function createKey(draft: Draft, command: CreateKey): Decision {
  const { type: _, made, name, maker, ...powers } = command;
  const { scopes, accounts, allowedAddresses, expiresAt } = powers;
  const unclear = accounts && checkAccountScopes(scopes);
  if (unclear) return unclear;
  const unknown = (accounts ?? []).find((id) => !draft.find('account', id));
  if (unknown !== undefined) return missing('account', unknown, 'accounts');
  if (expiresAt !== null && expiresAt <= realTime(draft)) {
    return refusal('expires_at_invalid', 'expires_at must be later than now.', { param: 'expires_at' });
  }
  const tooWide = widerThan(powers, maker);
  if (tooWide) return tooWide;
  const ends = { allowed_addresses: allowedAddresses, expires_at: expiresAt && unixSeconds(expiresAt) };
  draft.audit('key.created', made.id, { name, scopes, accounts, ...ends });
  return stored(draft, made, { name, ...powers, lineage: [...draft.lineage, made.id] });
}

function checkAccountScopes(scopes: readonly string[] | null): Refusal | null {
  const details = { param: 'scopes', allowed: ACCOUNT_SCOPES };
  if (scopes === null) {
    return refusal('parameter_missing', 'A key that is restricted to accounts needs scopes.', details);
  }
  const wide = scopes.find((scope) => !ACCOUNT_SCOPES.includes(scope));
  if (wide === undefined) return null;
  const message = `${wide} shows more than accounts, so a key that is restricted to accounts cannot have it.`;
  return refusal('parameter_invalid', message, details);
}

/** The new key may do what the old one might, for as long. Refuses `resource_missing`, `key_ended`, `key_too_wide`. */
export function rollKey(draft: Draft, { key, made, overlapMs, maker }: RollKey): Decision {
  const old = findWorking(draft, key);
  if (isRefusal(old)) return old;
  const tooWide = widerThan(old, maker);
  if (tooWide) return tooWide;
  const nowMs = realTime(draft);
  const endsAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, nowMs + overlapMs);
  draft.update<ApiKey>(overlapMs === 0 ? { ...old, revokedAt: nowMs } : { ...old, expiresAt: endsAt });
  draft.audit('key.rolled', old.id, { to: made.id, overlap_seconds: overlapMs / 1000 });
  return stored(draft, made, old);
}

/** Refuses `resource_missing` and `key_ended`. */
export function revokeKey(draft: Draft, { key }: RevokeKey): Decision {
  const old = findWorking(draft, key);
  if (isRefusal(old)) return old;
  draft.audit('key.revoked', old.id);
  return draft.update<ApiKey>({ ...old, revokedAt: realTime(draft) });
}

export function noteRefusedKey(draft: Draft, { key, reason }: NoteRefusedKey): Decision {
  draft.audit('key.refused', key, { reason });
  return { object: 'noted', id: key };
}

function stored(
  draft: Draft,
  { sealedSecret, ...made }: NewKey,
  kept: Powers & Pick<ApiKey, 'name' | 'lineage'>,
): Decision {
  const { name, scopes, accounts, allowedAddresses, expiresAt, lineage } = kept;
  const key: ApiKey = {
    object: 'api_key',
    ...made,
    name,
    scopes,
    accounts,
    allowedAddresses,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdBy: draft.actor,
    lineage,
    createdAt: realTime(draft),
  };
  draft.create(key);
  return { object: 'api_key_with_secret', id: key.id, key, sealedSecret };
}

const realTime = ({ atMs, state }: Draft): number => atMs - state.environment.clockOffsetMs;

function findWorking(draft: Draft, id: string): ApiKey | Refusal {
  const key = draft.find('api_key', id);
  if (!key) return missing('key', id);
  const hasEnded = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= realTime(draft));
  if (!hasEnded) return key;
  const message = `Key ${id} was revoked or has expired. It stays so; make a new one.`;
  return refusal('key_ended', message, { current_status: key.revokedAt === null ? 'expired' : 'revoked' });
}

/** Why a key of these powers would be more than its maker is; `null` when it would not. */
function widerThan(powers: Powers, maker: Powers | null): Refusal | null {
  if (maker === null) return null;
  const refuse = (param: string, what: string, allowed?: readonly string[]) =>
    refusal('key_too_wide', `A key can give no more than it has: ${what}.`, { param, ...(allowed && { allowed }) });
  const { scopes, accounts, allowedAddresses: networks, expiresAt } = maker;
  if (scopes && !(powers.scopes ?? ['*']).every((each) => covers(new Set(scopes), each))) {
    return refuse('scopes', 'this one is restricted to its scopes', scopes);
  }
  if (accounts && !(powers.accounts ?? ['*']).every((each) => accounts.includes(each))) {
    return refuse('accounts', 'this one is restricted to its accounts', accounts);
  }
  const isInside = (each: string) => networks?.some((network) => isWithin(each, network)) ?? true;
  if (networks && !(powers.allowedAddresses ?? ['*']).every(isInside)) {
    return refuse('allowed_addresses', 'this one is restricted to its addresses', networks);
  }
  if (expiresAt !== null && (powers.expiresAt ?? Number.POSITIVE_INFINITY) > expiresAt) {
    return refuse('expires_at', `this one expires at ${new Date(expiresAt).toISOString()}`);
  }
  return null;
}
