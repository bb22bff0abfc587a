/**
 * The statements of sessions and of what people sign in by. These tables are of the whole service, since nobody has named an environment before
 * signing in; what a session opens is read from the memberships of its person. Each statement is found by a primary key or by the person.
 */
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';

/** Bytes in a list. */
const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Open sessions of a person; the oldest end when there are more. */
const MOST_SESSIONS = 20;

/** As whom person `p` is in environments, as one JSON text (index users_person). Small: a person is in a few of them. */
const MEMBERSHIPS = `(SELECT json_agg(json_build_object('user', u.id, 'environment', u.environment_id, 'livemode', e.livemode,
      'roles', u.roles, 'suspended', u.suspended_at IS NOT NULL, 'merchant', m.id,
      'merchant_name', COALESCE((SELECT s.name FROM settings s WHERE s.environment_id = e.environment_id LIMIT 1), m.name))
      ORDER BY m.name, m.id, e.livemode)
    FROM users u JOIN environments e ON e.environment_id = u.environment_id JOIN merchants m ON m.id = e.merchant_id
    WHERE u.person_id = p.id)::text AS memberships`;

const PERSON = `p.id AS person_id, p.name, p.email, p.suspended_at, c.password_hash IS NOT NULL AS has_password, c.totp_sealed IS NOT NULL AS has_totp,
    EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id AND k.removed_at IS NULL) AS has_passkey, ${MEMBERSHIPS}`;

/** An open session with its person and what it opens; by primary key. */
export const sessionByHash = (hash: Buffer): Statement => ({
  name: 'session_by_hash',
  text: `SELECT s.id, s.method, s.second_factor, s.created_at, s.seen_at, s.ends_at, s.stepped_up_at, s.stepped_up_by, ${PERSON}
    FROM sessions s JOIN people p ON p.id = s.person_id LEFT JOIN person_credentials c ON c.person_id = p.id
    WHERE s.hash = $1 AND s.ended_at IS NULL AND s.ends_at > clock_timestamp()`,
  values: [hash],
});

/** A person and the environments of it, signed in or not. */
export const personById = (person: string): Statement => ({
  name: 'person_for_session',
  text: `SELECT ${PERSON} FROM people p LEFT JOIN person_credentials c ON c.person_id = p.id WHERE p.id = $1`,
  values: [uuidOf(person)],
});

export interface NewSession {
  readonly hash: Buffer;
  readonly id: string;
  readonly person: string;
  readonly method: string;
  readonly secondFactor: boolean;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly lastsMs: number;
  readonly shown: Shown;
}

/** What was shown to open a session; without both: a link, which is used up. */
export interface Shown {
  /** The hash that the password was compared with. */
  readonly passwordHash?: string;
  readonly passkey?: string;
}

/**
 * Opens it, and ends those of the person that are too many. With a second factor, one has just been shown. No row: what was shown has been
 * removed since it was checked, by a reset perhaps; the lock makes the one wait for the other.
 */
export const insertSession = (session: NewSession): Statement => ({
  name: 'insert_session',
  text: `WITH by_password AS (SELECT FROM person_credentials WHERE person_id = $3 AND password_hash = $9 FOR SHARE),
      by_passkey AS (SELECT FROM passkeys WHERE person_id = $3 AND id = $10 AND removed_at IS NULL FOR SHARE),
      shown AS (SELECT WHERE $9::text IS NULL AND $10::text IS NULL UNION ALL SELECT FROM by_password UNION ALL SELECT FROM by_passkey),
      many AS (UPDATE sessions SET ended_at = clock_timestamp() WHERE hash IN (
        SELECT hash FROM sessions WHERE person_id = $3 AND ended_at IS NULL AND ends_at > clock_timestamp()
        ORDER BY created_at DESC OFFSET ${MOST_SESSIONS - 1}))
    INSERT INTO sessions (hash, id, person_id, method, second_factor, ip, user_agent, ends_at, stepped_up_at, stepped_up_by)
    SELECT $1::bytea, $2::uuid, $3::uuid, $4::text, $5::boolean, $6::text, $7::text, clock_timestamp() + $8 * interval '1 ms',
      CASE WHEN $5 THEN clock_timestamp() END, CASE WHEN $5 THEN CASE $4 WHEN 'passkey' THEN 'passkey' ELSE 'code' END END
    FROM shown RETURNING id`,
  values: [
    session.hash,
    uuidOf(session.id),
    uuidOf(session.person),
    session.method,
    session.secondFactor,
    session.ip,
    session.userAgent,
    session.lastsMs,
    session.shown.passwordHash ?? null,
    session.shown.passkey ?? null,
  ],
});

/** A factor was shown again: the session has another token from now on. No row: it has ended meanwhile. */
export const raiseSession = (before: Buffer, after: Buffer, by: string): Statement => ({
  name: 'raise_session',
  text: `UPDATE sessions SET hash = $2, second_factor = true, stepped_up_by = $3, stepped_up_at = clock_timestamp(), seen_at = clock_timestamp()
    WHERE hash = $1 AND ended_at IS NULL AND ends_at > clock_timestamp() RETURNING id`,
  values: [before, after, by],
});

export const touchSession = (hash: Buffer): Statement => ({
  name: 'touch_session',
  text: 'UPDATE sessions SET seen_at = clock_timestamp() WHERE hash = $1',
  values: [hash],
});

export const endSessionByHash = (hash: Buffer): Statement => ({
  name: 'end_session_by_hash',
  text: 'UPDATE sessions SET ended_at = clock_timestamp() WHERE hash = $1 AND ended_at IS NULL RETURNING id',
  values: [hash],
});

/** One of the person's own; no row: there is no such open session. */
export const endSession = (person: string, id: string): Statement => ({
  name: 'end_session',
  text: 'UPDATE sessions SET ended_at = clock_timestamp() WHERE id = $2 AND person_id = $1 AND ended_at IS NULL RETURNING id',
  values: [uuidOf(person), uuidOf(id)],
});

/** All of a person (index sessions_person), but for one. */
export const endSessionsOf = (person: string, except: string | null): Statement => ({
  name: 'end_sessions_of',
  text: `UPDATE sessions SET ended_at = clock_timestamp()
    WHERE person_id = $1 AND ended_at IS NULL AND ($2::uuid IS NULL OR id <> $2) RETURNING id`,
  values: [uuidOf(person), except === null ? null : uuidOf(except)],
});

/** Open ones of a person, newest first. */
export const openSessionsOf = (person: string): Statement => ({
  name: 'open_sessions_of',
  text: `SELECT id, method, second_factor, ip, user_agent, created_at, seen_at, ends_at FROM sessions
    WHERE person_id = $1 AND ended_at IS NULL AND ends_at > clock_timestamp() ORDER BY created_at DESC`,
  values: [uuidOf(person)],
});

/** Who signs in with this address, and by what. */
export const credentialsByEmail = (emailLower: string): Statement => ({
  name: 'credentials_by_email',
  text: `SELECT p.id AS person_id, p.suspended_at, c.password_hash, c.totp_sealed
    FROM people p LEFT JOIN person_credentials c ON c.person_id = p.id
    WHERE p.email_lower = $1`,
  values: [emailLower],
});

export const credentialsOf = (person: string): Statement => ({
  name: 'credentials_of',
  text: `SELECT password_hash, totp_sealed, totp_pending_sealed, cardinality(recovery_hashes) AS recovery_codes
    FROM person_credentials WHERE person_id = $1`,
  values: [uuidOf(person)],
});

/**
 * The session in which a credential is added, as long as it is open. A reset ends sessions before it clears credentials, and the lock makes the
 * one wait for the other: so nothing that an ended session adds is left behind a reset.
 */
const stillOpen = (hash: string): string =>
  `still_open AS (SELECT FROM sessions WHERE hash = ${hash} AND ended_at IS NULL AND ends_at > clock_timestamp() FOR SHARE)`;

/** `session`: the hash of its token. No row: it has ended meanwhile. */
export const setPassword = (person: string, hash: string, session: Buffer): Statement => ({
  name: 'set_password',
  text: `WITH ${stillOpen('$3')} INSERT INTO person_credentials (person_id, password_hash) SELECT $1::uuid, $2::text FROM still_open
    ON CONFLICT (person_id) DO UPDATE SET password_hash = excluded.password_hash, changed_at = now() RETURNING person_id`,
  values: [uuidOf(person), hash, session],
});

export const setPendingTotp = (person: string, sealed: string): Statement => ({
  name: 'set_pending_totp',
  text: `INSERT INTO person_credentials (person_id, totp_pending_sealed) VALUES ($1, $2)
    ON CONFLICT (person_id) DO UPDATE SET totp_pending_sealed = excluded.totp_pending_sealed`,
  values: [uuidOf(person), sealed],
});

/** The secret that was shown is the one from now on; its first code is used. No row: another secret was shown meanwhile, or the session has ended. */
export const confirmTotp = (person: string, { sealed, step, recovery, session }: NewApp): Statement => ({
  name: 'confirm_totp',
  text: `WITH ${stillOpen('$5')} UPDATE person_credentials SET totp_sealed = totp_pending_sealed, totp_pending_sealed = NULL, totp_last_step = $3,
      recovery_hashes = $4::bytea[], changed_at = now() WHERE person_id = $1 AND totp_pending_sealed = $2
      AND EXISTS (SELECT FROM still_open) RETURNING person_id`,
  values: [uuidOf(person), sealed, step, recovery.map(hex), session],
});

export interface NewApp {
  readonly sealed: string;
  readonly step: number;
  readonly recovery: readonly Buffer[];
  /** The hash of the token of the session that adds it. */
  readonly session: Buffer;
}

/** Takes a code once. No row: its step, or a newer one, was used. */
export const useTotpStep = (person: string, step: number): Statement => ({
  name: 'use_totp_step',
  text: `UPDATE person_credentials SET totp_last_step = $2 WHERE person_id = $1 AND totp_sealed IS NOT NULL
      AND COALESCE(totp_last_step, -1) < $2 RETURNING person_id`,
  values: [uuidOf(person), step],
});

/** Takes a recovery code once. No row: it is none, or was used. */
export const useRecoveryCode = (person: string, hash: Buffer): Statement => ({
  name: 'use_recovery_code',
  text: `UPDATE person_credentials SET recovery_hashes = array_remove(recovery_hashes, $2)
    WHERE person_id = $1 AND $2 = ANY (recovery_hashes) RETURNING cardinality(recovery_hashes) AS recovery_codes`,
  values: [uuidOf(person), hash],
});

export const passkeyById = (id: string): Statement => ({
  name: 'passkey_by_id',
  text: 'SELECT id, person_id, public_key, counter, transports FROM passkeys WHERE id = $1 AND removed_at IS NULL',
  values: [id],
});

/** Those that work (index passkeys_person), newest first. */
export const passkeysOf = (person: string): Statement => ({
  name: 'passkeys_of',
  text: `SELECT id, transports, rp_id, name, created_at, last_used_at FROM passkeys
    WHERE person_id = $1 AND removed_at IS NULL ORDER BY created_at DESC, id`,
  values: [uuidOf(person)],
});

export interface NewPasskey {
  readonly id: string;
  readonly person: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly rpId: string;
  readonly name: string;
  /** The hash of the token of the session that adds it. */
  readonly session: Buffer;
}

/** No row: there is one of this id, or the session has ended. */
export const insertPasskey = (passkey: NewPasskey): Statement => ({
  name: 'insert_passkey',
  text: `WITH ${stillOpen('$8')} INSERT INTO passkeys (id, person_id, public_key, counter, transports, rp_id, name)
    SELECT $1::text, $2::uuid, $3::bytea, $4::bigint, $5::text[], $6::text, $7::text FROM still_open ON CONFLICT (id) DO NOTHING RETURNING id`,
  values: [
    passkey.id,
    uuidOf(passkey.person),
    passkey.publicKey,
    passkey.counter,
    [...passkey.transports],
    passkey.rpId,
    passkey.name,
    passkey.session,
  ],
});

/** Notes the use. No row: an answer with the same or a newer count was used, so this one is of a copy. */
export const usePasskey = (id: string, counter: number): Statement => ({
  name: 'use_passkey',
  text: `UPDATE passkeys SET counter = $2, last_used_at = now()
    WHERE id = $1 AND removed_at IS NULL AND (counter < $2 OR ($2 = 0 AND counter = 0)) RETURNING id`,
  values: [id, counter],
});

export const removePasskey = (person: string, id: string): Statement => ({
  name: 'remove_passkey',
  text: 'UPDATE passkeys SET removed_at = now() WHERE id = $2 AND person_id = $1 AND removed_at IS NULL RETURNING id',
  values: [uuidOf(person), id],
});

/** For a reset: what the person had signs nobody in. Its sessions end before it, and after it once more (`sign-in.ts`). */
export const clearCredentials = (person: string): Statement => ({
  name: 'clear_credentials',
  text: `WITH passkeys_removed AS (UPDATE passkeys SET removed_at = now() WHERE person_id = $1 AND removed_at IS NULL)
    UPDATE person_credentials SET password_hash = NULL, totp_sealed = NULL, totp_pending_sealed = NULL, recovery_hashes = '{}',
      changed_at = now() WHERE person_id = $1`,
  values: [uuidOf(person)],
});

/** What the users of the person show: the strongest factor that there is. */
export const noteSecondFactor = (person: string): Statement => ({
  name: 'note_second_factor',
  text: `UPDATE people p SET second_factor = CASE
      WHEN EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id AND k.removed_at IS NULL) THEN 'passkey'
      WHEN EXISTS (SELECT FROM person_credentials c WHERE c.person_id = p.id AND c.totp_sealed IS NOT NULL) THEN 'totp' END
    WHERE p.id = $1`,
  values: [uuidOf(person)],
});

/** How the person is called, and the address for signing in. Rejects with 23505 where another person has the address. */
export const namePerson = (
  person: string,
  name: string,
  email: { readonly text: string; readonly key: string } | null,
): Statement => ({
  name: 'name_person',
  text: `UPDATE people SET name = $2, email = COALESCE($3, email), email_lower = COALESCE($4, email_lower) WHERE id = $1`,
  values: [uuidOf(person), name, email?.text ?? null, email?.key ?? null],
});

/** Whom an invitation that nobody has used was made for; by primary key. */
export const invitedUser = (environmentId: string, user: string): Statement => ({
  name: 'invited_user',
  text: `SELECT u.email, u.name, e.merchant_id, e.livemode FROM users u JOIN environments e ON e.environment_id = u.environment_id
    WHERE u.environment_id = $1 AND u.id = $2 AND u.person_id IS NULL AND u.suspended_at IS NULL`,
  values: [uuidOf(environmentId), uuidOf(user)],
});

/** The person of a user, if somebody has joined as it; by primary key. */
export const personOfUser = (environmentId: string, user: string): Statement => ({
  name: 'person_of_user',
  text: 'SELECT person_id FROM users WHERE environment_id = $1 AND id = $2 AND person_id IS NOT NULL',
  values: [uuidOf(environmentId), uuidOf(user)],
});

export const personByEmail = (emailKey: string): Statement => ({
  name: 'person_by_email',
  text: 'SELECT id FROM people WHERE email_lower = $1',
  values: [emailKey],
});

/** One row: whether anybody is there. */
export const ANYBODY: Statement = { name: 'any_person', text: 'SELECT EXISTS (SELECT FROM people) AS any', values: [] };

/** Days after which what has ended is of no use to anybody. */
const KEPT_DAYS = 90;
/** For the owner: sessions and links that ended long ago, and questions and proofs of yesterday that nobody used. At most so many rows each. */
export const oldSignIns = (rows: number): readonly Statement[] => [
  {
    text: `DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions
      WHERE LEAST(ended_at, ends_at) < now() - ${KEPT_DAYS} * interval '1 day' LIMIT $1)`,
    values: [rows],
  },
  {
    text: `DELETE FROM one_time_links WHERE hash IN (SELECT hash FROM one_time_links
      WHERE LEAST(used_at, ends_at) < now() - ${KEPT_DAYS} * interval '1 day' LIMIT $1)`,
    values: [rows],
  },
  {
    text: `DELETE FROM sign_in_challenges WHERE (holder, purpose) IN (SELECT holder, purpose FROM sign_in_challenges
      WHERE made_at < now() - interval '1 day' LIMIT $1)`,
    values: [rows],
  },
  {
    text: `DELETE FROM approval_proofs WHERE challenge IN (SELECT challenge FROM approval_proofs
      WHERE used_for IS NULL AND made_at < now() - interval '1 day' LIMIT $1)`,
    values: [rows],
  },
];

/** Everybody; a scan of the table, for the command line. */
export const signOutAll: Statement = {
  text: 'UPDATE sessions SET ended_at = clock_timestamp() WHERE ended_at IS NULL AND ends_at > clock_timestamp() RETURNING id',
  values: [],
};

export type Purpose = 'sign_in' | 'step_up' | 'passkey';

/** One a browser and purpose: a new one takes the place of the one before. */
export const putChallenge = (
  holder: Buffer,
  purpose: Purpose,
  challenge: string,
  about: { readonly nonce: string; readonly approves: string } | null,
): Statement => ({
  name: 'put_challenge',
  text: `INSERT INTO sign_in_challenges (holder, purpose, challenge, nonce, approves) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (holder, purpose) DO UPDATE SET challenge = excluded.challenge, nonce = excluded.nonce, approves = excluded.approves,
      made_at = now(), used_at = NULL`,
  values: [holder, purpose, challenge, about?.nonce ?? null, about?.approves ?? null],
});

/** Takes it once. No row: there is none, it is too old, or it was used. */
export const takeChallenge = (holder: Buffer, purpose: Purpose, withinMs: number): Statement => ({
  name: 'take_challenge',
  text: `UPDATE sign_in_challenges SET used_at = now() WHERE holder = $1 AND purpose = $2 AND used_at IS NULL
      AND made_at > clock_timestamp() - $3 * interval '1 ms' RETURNING challenge, nonce, approves`,
  values: [holder, purpose, withinMs],
});

/** After a restore: nobody is signed in, and no link that was given out opens anything. */
export const END_EVERYTHING: readonly Statement[] = [
  signOutAll,
  { text: 'UPDATE sign_in_challenges SET used_at = now() WHERE used_at IS NULL', values: [] },
  { text: 'UPDATE one_time_links SET used_at = now() WHERE used_at IS NULL', values: [] },
];
