/**
 * Decisions about API keys. Pure: a command carries the hash and the sealed text of a new key, because making them takes random numbers. A
 * key can give no more than it has itself. Keys live in real time, also in a sandbox whose clock was moved on. Using a key:
 * `authenticate.ts`.
 */
import { unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { previousOf as changedIn, withGiven } from '../../core/update.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { covers, PAYROLL_READ } from '../../core/scopes.ts';
import type { ApiKey } from './fields.ts';
import { isWithin } from './networks.ts';

/** What a key may do, where, and until when. `null` is no restriction. */
export type Powers = Pick<ApiKey, 'scopes' | 'accounts' | 'allowedIps' | 'expiresAt'>;

export type NewKey = Pick<ApiKey, 'id' | 'prefix' | 'last4' | 'hash' | 'secretId'> & {
  /** For the answer; opens for the id of the key. */
  readonly sealedSecret: string;
};

export interface CreateKey extends Powers {
  readonly type: 'create_key';
  readonly made: NewKey;
  readonly name: string;
  /** Of the API. */
  readonly version: string;
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

/** What is `undefined` stays as it is. */
export interface UpdateKey {
  readonly type: 'update_key';
  readonly key: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly maker: Powers | null;
}

export interface RevokeKey {
  readonly type: 'revoke_key';
  readonly key: string;
  readonly maker: Powers | null;
}

/** A second person agrees that a key which another key made may approve. */
export interface ConfirmKey {
  readonly type: 'confirm_key';
  readonly key: string;
}

/** Of an environment; so a program that makes keys in a loop ends. Each creation reads them. */
const MAX_KEYS = 1_000;

/** Somebody tried a key that no longer works, or not from there. */
export interface NoteRefusedKey {
  readonly type: 'note_refused_key';
  readonly key: string;
  readonly reason: 'revoked' | 'expired' | 'address';
}

/** What a key that is restricted to accounts may have: where every object is of an account, or of none. */
const ACCOUNT_SCOPES = [
  ...['accounts', 'transfers', 'payouts', 'recipients'].flatMap((of) => [`${of}:read`, `${of}:write`]),
  PAYROLL_READ,
];

/** Refuses `key_too_wide`, `key_count`, `expires_at_invalid`, `parameter_missing` and `parameter_invalid` about scopes, and `resource_missing` for an account. */
export function createKey(draft: Draft, command: CreateKey): Decision {
  const { type: _, made, name, version, maker, ...powers } = command;
  const { scopes, accounts, allowedIps, expiresAt } = powers;
  const unclear = accounts && checkAccountScopes(scopes);
  if (unclear) return unclear;
  const unknown = (accounts ?? []).find((id) => !draft.find('account', id));
  if (unknown !== undefined) return missing('account', unknown, 'accounts');
  if (expiresAt !== null && expiresAt <= realTime(draft)) {
    const message = `expires_at must be after now, ${unixSeconds(realTime(draft))}, got ${unixSeconds(expiresAt)}.`;
    return refusal('expires_at_invalid', message, { param: 'expires_at' });
  }
  const wider = widerThan(powers, maker);
  if (wider) {
    const { param, what, allowed } = wider;
    return refusal(
      'key_too_wide',
      `A key can give no more than it has: ${what}. Ask for less, or make the key with one that may do more.`,
      {
        param,
        ...(allowed && { allowed }),
      },
    );
  }
  const full = tooMany(draft);
  if (full) return full;
  const ends = { allowed_ips: allowedIps, expires_at: expiresAt && unixSeconds(expiresAt) };
  draft.audit('key.created', made.id, { name, scopes, accounts, ...ends, version });
  const line = { lineage: [...draft.lineage, made.id], lineLastUsedAt: null };
  const reply = stored(draft, made, { name, version, ...powers, ...line, confirmedBy: null });
  draft.emit('key.created', reply.key);
  return reply;
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

/**
 * The new key may do what the old one might, for as long. An old one is rolled once, so rolls that come at once make one key. Who rolls a key
 * holds the new one and acts as its line; so a key rolls none but its own line and those that descend from it. Refuses `resource_missing`,
 * `key_ended`, `key_rolled`, `key_too_wide`, `key_of_others` and `key_count`.
 */
export function rollKey(draft: Draft, { key, made, overlapMs, maker }: RollKey): Decision {
  const old = findWithin(draft, key, maker);
  if (isRefusal(old)) return old;
  if (maker !== null && !old.lineage.includes(draft.actor)) {
    const message = `Key ${key} belongs to others. A key rolls itself and keys that descend from it; the command line rolls all.`;
    return refusal('key_of_others', message);
  }
  if (old.rolledTo !== null) return keyRolled(old, old.rolledTo);
  const full = overlapMs === 0 ? null : tooMany(draft); // else one takes the place of the other
  if (full) return full;
  const nowMs = realTime(draft);
  const endsAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, nowMs + overlapMs);
  const ended = overlapMs === 0 ? { revokedAt: nowMs } : { expiresAt: endsAt };
  const after: ApiKey = { ...old, ...ended, rolledTo: made.id };
  draft.update(after, 'key.rolled', previousOf(old, after));
  draft.audit('key.rolled', old.id, { to: made.id, overlap_seconds: overlapMs / 1000 });
  return stored(draft, made, old);
}

/** In another version its requests are answered within a second, on every process. Refuses `resource_missing`, `key_ended` and `key_too_wide`. */
export function updateKey(draft: Draft, { key, maker, ...given }: UpdateKey): Decision {
  const old = findWithin(draft, key, maker && { ...maker, expiresAt: null });
  if (isRefusal(old)) return old;
  const after = withGiven(old, given, ['name', 'version']);
  const previous = changedIn(old, after, ['name', 'version']);
  if (Object.keys(previous).length === 0) return old;
  draft.audit('key.updated', old.id, { changed: Object.keys(previous), name: after.name, version: after.version });
  return draft.update(after, 'key.updated', previous);
}

/** Refuses `resource_missing`, `key_ended` and `key_too_wide`. */
export function revokeKey(draft: Draft, { key, maker }: RevokeKey): Decision {
  // A key that expires soon may end one that does not: it takes nothing that would outlive it.
  const old = findWithin(draft, key, maker && { ...maker, expiresAt: null });
  if (isRefusal(old)) return old;
  draft.audit('key.revoked', old.id);
  const after: ApiKey = { ...old, revokedAt: realTime(draft) };
  return draft.update(after, 'key.revoked', previousOf(old, after));
}

/**
 * From then on the key and what it is rolled to may approve, as far as their scopes go. Refuses `resource_missing`, `key_ended`, `key_rolled`,
 * `key_not_confirmable`, and what `unfitApprover` refuses.
 */
export function confirmKey(draft: Draft, { key: id }: ConfirmKey): Decision {
  const key = findWorking(draft, id);
  if (isRefusal(key)) return key;
  if (key.rolledTo !== null) return keyRolled(key, key.rolledTo);
  const line = key.lineage.at(-1) ?? id;
  const first = draft.find('key', line) ?? key;
  if (key.lineage.length === 1) {
    return refusal('key_not_confirmable', `Key ${id} was made on the command line, so it needs no confirmation.`);
  }
  if (first.confirmedBy !== null) {
    return refusal('key_not_confirmable', `Key ${id} was confirmed by ${first.confirmedBy} before, so it may approve.`);
  }
  const unfit = unfitApprover(draft, { what: `Key ${id}`, by: [line], approvals: [] });
  if (unfit) return unfit;
  draft.audit('key.confirmed', id, { line });
  if (first !== key) draft.update<ApiKey>({ ...first, confirmedBy: draft.actor });
  return draft.update<ApiKey>({ ...key, confirmedBy: draft.actor });
}

const keyRolled = ({ id }: ApiKey, to: string): Refusal =>
  refusal('key_rolled', `Key ${id} was rolled to ${to}, and works beside it for a while. Use that one.`, {
    resource_id: to,
  });

export function noteRefusedKey(draft: Draft, { key, reason }: NoteRefusedKey): Decision {
  draft.audit('key.refused', key, { reason });
  return { object: 'noted', id: key };
}

function stored(
  draft: Draft,
  { sealedSecret, ...made }: NewKey,
  kept: Powers & Pick<ApiKey, 'name' | 'version' | 'lineage' | 'confirmedBy' | 'lineLastUsedAt'>,
) {
  const { name, version, scopes, accounts, allowedIps, expiresAt, lineage, confirmedBy } = kept;
  const key: ApiKey = {
    object: 'key',
    ...made,
    name,
    scopes,
    accounts,
    allowedIps,
    version,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    lineLastUsedAt: kept.lineLastUsedAt,
    createdBy: draft.actor,
    confirmedBy,
    rolledTo: null,
    lineage,
    createdAt: realTime(draft),
  };
  draft.create(key);
  return { object: 'api_key_with_secret', id: key.id, key, sealedSecret } as const;
}

/** Members that an event says were otherwise. */
function previousOf(before: ApiKey, after: ApiKey): Readonly<Record<string, unknown>> {
  const seconds = (at: number | null) => at && unixSeconds(at);
  return {
    ...(before.expiresAt !== after.expiresAt && { expires_at: seconds(before.expiresAt) }),
    ...(before.revokedAt !== after.revokedAt && { status: 'active', revoked_at: null }),
    ...(before.rolledTo !== after.rolledTo && { rolled_to: before.rolledTo }),
  };
}

const realTime = ({ atMs, state }: Draft): number => atMs - state.environment.clockOffsetMs;

const hasEnded = (draft: Draft, { revokedAt, expiresAt }: ApiKey): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= realTime(draft));

function tooMany(draft: Draft): Refusal | null {
  const working = draft.all('key').filter((key) => !hasEnded(draft, key));
  if (working.length < MAX_KEYS) return null;
  return refusal('key_count', `The environment has ${MAX_KEYS} keys that work, and no more fit. Revoke one first.`);
}

/** A working key that is no wider than the one that rolls or revokes it. */
function findWithin(draft: Draft, id: string, maker: Powers | null): ApiKey | Refusal {
  const key = findWorking(draft, id);
  const wider = isRefusal(key) ? null : widerThan(key, maker);
  if (wider === null) return key;
  const message = `Key ${id} may do more than yours, and a key rolls and revokes none that is wider: ${wider.what}.`;
  return refusal('key_too_wide', message, wider.allowed && { allowed: wider.allowed });
}

function findWorking(draft: Draft, id: string): ApiKey | Refusal {
  const key = draft.find('key', id);
  if (!key) return missing('key', id);
  if (!hasEnded(draft, key)) return key;
  const message = `Key ${id} was revoked or has expired. It stays so; make a new one with POST /v1/keys.`;
  return refusal('key_ended', message, { current_status: key.revokedAt === null ? 'expired' : 'revoked' });
}

interface Wider {
  readonly param: string;
  /** What restricts the maker. */
  readonly what: string;
  readonly allowed?: readonly string[];
}

/** Where a key of these powers is more than its maker; `null` where it is not. */
function widerThan(powers: Powers, maker: Powers | null): Wider | null {
  if (maker === null) return null;
  const { scopes, accounts, allowedIps: networks, expiresAt } = maker;
  if (scopes && !(powers.scopes ?? ['*']).every((each) => covers(new Set(scopes), each))) {
    return { param: 'scopes', what: 'this one is restricted to its scopes', allowed: scopes };
  }
  // A secret key may do everything in its environment. Metrics are of all of them.
  if (!scopes && powers.scopes?.includes('metrics:read') === true) {
    return { param: 'scopes', what: 'this one has no metrics:read' };
  }
  if (accounts && !(powers.accounts ?? ['*']).every((each) => accounts.includes(each))) {
    return { param: 'accounts', what: 'this one is restricted to its accounts', allowed: accounts };
  }
  const isInside = (each: string) => networks?.some((network) => isWithin(each, network)) ?? true;
  if (networks && !(powers.allowedIps ?? ['*']).every(isInside)) {
    return { param: 'allowed_ips', what: 'this one is restricted to its addresses', allowed: networks };
  }
  if (expiresAt !== null && (powers.expiresAt ?? Number.POSITIVE_INFINITY) > expiresAt) {
    return { param: 'expires_at', what: `this one expires at ${new Date(expiresAt).toISOString()}` };
  }
  return null;
}
