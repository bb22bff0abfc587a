/**
 * One-time links. The token is 32 bytes that follow from the server secret and the random id of the link, so that an answer which is kept
 * under an idempotency key holds nothing that opens a door, and its repetition still gives the same link. In the database stands the SHA-256
 * of the token. The token is in the fragment of the URL: no log, no `Referer` and no proxy sees it. Who uses links: `tenancy/sessions`.
 */
import { hash, randomBytes } from 'node:crypto';
import { type Actor, actorId } from '../../core/actor.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { type ServerSecrets, vault } from '../../platform/vault/vault.ts';
import type { MadeLink } from './fields.ts';

const LINK_ID_BYTES = 16;
const DAY_MS = 86_400_000;
/** How long a link opens its door. */
export const LINK_MS = { invite: 7 * DAY_MS, reset: DAY_MS, claim: DAY_MS, login: 15 * 60_000 } as const;
export type LinkKind = keyof typeof LINK_MS;

export interface LinkMaker {
  /** A new link at random. `endsAt`: by the clock of this process. */
  make<K extends LinkKind>(kind: K): { readonly id: string; readonly kind: K; readonly endsAt: number };
  /** What its URL ends with, under each server secret, the current one first. */
  tokensOf(id: string): readonly [string, ...string[]];
}

export function linkMaker(secrets: ServerSecrets): LinkMaker {
  const box = vault(secrets, 'one-time links', 'one-time link');
  return {
    make: (kind) => ({ id: randomBytes(LINK_ID_BYTES).toString('hex'), kind, endsAt: Date.now() + LINK_MS[kind] }),
    tokensOf(id) {
      const [first, ...others] = box.blind(id).map((bytes) => bytes.toString('base64url'));
      return [first as string, ...others];
    },
  };
}

/** How a token is kept and looked up. */
export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export const urlOf = (baseUrl: string, kind: LinkKind, token: string): string =>
  `${baseUrl}/dashboard#${kind}=${token}`;

/** Whom a link is about. */
export interface LinkAbout {
  readonly environmentId: string | null;
  readonly user: string | null;
  readonly person: string | null;
  readonly by: Actor;
}

/**
 * Keeps a link; where it was kept before, nothing changes. Of a user it takes back earlier links that nobody used. No row comes back for a link
 * that was used, taken back or has ended. `known`: all hashes that it may be kept under, of other server secrets too.
 */
export const keepLink = (
  { kind, endsAt, hash: hashed, known }: { kind: LinkKind; endsAt: number; hash: Buffer; known: readonly Buffer[] },
  { environmentId, user, person, by }: LinkAbout,
): Statement => ({
  name: 'keep_one_time_link',
  text: `WITH known AS (SELECT hash FROM one_time_links WHERE hash = ANY ($8::bytea[])),
      taken_back AS (UPDATE one_time_links o SET used_at = now() WHERE o.environment_id = $3::uuid AND o.user_id = $4::uuid AND o.used_at IS NULL
        AND NOT EXISTS (SELECT FROM known)),
      made AS (INSERT INTO one_time_links (hash, kind, environment_id, user_id, person_id, made_by, ends_at)
        SELECT $1::bytea, $2::text, $3::uuid, $4::uuid, COALESCE($5::uuid, (SELECT u.person_id FROM users u WHERE u.environment_id = $3::uuid AND u.id = $4::uuid)), $6::uuid, $7::timestamptz
        WHERE NOT EXISTS (SELECT FROM known) ON CONFLICT (hash) DO NOTHING RETURNING hash)
      SELECT hash FROM made WHERE $7::timestamptz > now()
      UNION ALL SELECT o.hash FROM one_time_links o WHERE o.hash = $1 AND o.used_at IS NULL AND o.ends_at > now()`,
  values: [
    hashed,
    kind,
    environmentId === null ? null : uuidOf(environmentId),
    user === null ? null : uuidOf(user),
    person === null ? null : uuidOf(person),
    uuidOf(actorId(by) as string),
    new Date(endsAt).toISOString(),
    known.map((each) => `\\x${each.toString('hex')}`),
  ],
});

/** What a token opens. */
export interface OpenedLink {
  readonly kind: LinkKind;
  readonly environmentId: string | null;
  readonly user: string | null;
  readonly person: string | null;
}

const STILL_OPENS = `o.hash = $1 AND o.used_at IS NULL AND o.ends_at > now()
    AND (o.kind <> 'reset' OR o.environment_id IS NULL OR NOT EXISTS (SELECT FROM users w
      JOIN environments e ON e.environment_id = w.environment_id
      JOIN environments h ON h.environment_id = o.environment_id
      WHERE w.person_id = o.person_id AND w.environment_id <> o.environment_id
        AND NOT (h.livemode AND NOT e.livemode AND e.merchant_id = h.merchant_id)))
    AND (o.user_id IS NULL OR EXISTS (SELECT FROM users u WHERE u.environment_id = o.environment_id AND u.id = o.user_id
      AND u.suspended_at IS NULL))`;
const OPENED = 'o.kind, o.environment_id, o.user_id, o.person_id';

/** What a token would open, without using it up: no row for one that opens nothing. By primary key. */
export const lookAtLink = (token: string): Statement => ({
  name: 'look_at_one_time_link',
  text: `SELECT ${OPENED} FROM one_time_links o WHERE ${STILL_OPENS}`,
  values: [hashOfToken(token)],
});

/** Uses a token up: of any number that try at once, one gets the row. A reset link of a person who joined another environment opens nothing. */
export const useLink = (token: string): Statement => ({
  name: 'use_one_time_link',
  text: `UPDATE one_time_links o SET used_at = now() WHERE ${STILL_OPENS} RETURNING ${OPENED}`,
  values: [hashOfToken(token)],
});

/** What a token that was used has opened: with the person who joined by it. By primary key. */
export const usedLink = (token: string): Statement => ({
  name: 'used_one_time_link',
  text: `SELECT o.kind, o.environment_id, o.user_id, COALESCE(o.person_id, (SELECT u.person_id FROM users u
      WHERE u.environment_id = o.environment_id AND u.id = o.user_id)) AS person_id
    FROM one_time_links o WHERE o.hash = $1 AND o.used_at IS NOT NULL`,
  values: [hashOfToken(token)],
});

export function openedFrom(row: Row): OpenedLink {
  const id = (prefix: 'env' | 'usr', column: string) => {
    const uuid = row[column] as string | null;
    return uuid === null ? null : idOf(prefix, uuid);
  };
  return {
    kind: row['kind'] as LinkKind,
    environmentId: id('env', 'environment_id'),
    user: id('usr', 'user_id'),
    person: id('usr', 'person_id'),
  };
}

/** The end of an answer with a link, as `schema.ts` writes it. */
const MADE = /,"link":"([0-9a-f]+)\.(invite|reset)\.(\d+)"\}$/;

/** An answer as it is kept, without its link, and that link; `null`: it has none. */
export function linkIn(body: string): { readonly rest: string; readonly link: MadeLink; readonly user: string } | null {
  const [whole, id, kind, endsAt] = MADE.exec(body) ?? [];
  if (whole === undefined) return null;
  const rest = `${body.slice(0, -whole.length)}}`;
  const { id: user } = JSON.parse(rest) as { readonly id: string };
  return { rest, user, link: { id: id as string, kind: kind as MadeLink['kind'], endsAt: Number(endsAt) } };
}
