/**
 * Sessions of people, found by the token in their cookie. One that was found is cached for under a second, so that a session that somebody
 * ended, a person who was suspended and roles that were taken away count everywhere within a second. Tokens that are not found are not
 * cached. Writes go by a connection whose commits are on disk, so that no crash brings a session back. Next: `admission.ts`.
 */
import { idOf, newId } from '../../core/values/ids.ts';
import type { Role } from '../../core/roles.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Factor, Session } from '../../platform/http/route.ts';
import { hashOf, newToken, type Token } from './cookie.ts';
import * as sql from './sql.ts';

const TRUST_MS = 800;
const MAX_CACHED = 10_000;
/** Between two notes that somebody is there. */
const TOUCH_MS = 30_000;
const HOUR_MS = 3_600_000;
/** From its start, whatever happens. */
export const LASTS_MS = 12 * HOUR_MS;
/** Without anything done in it. */
export const IDLE_MS = { live: HOUR_MS / 2, sandbox: 12 * HOUR_MS } as const;

/** As whom a person is in an environment. */
export interface Membership {
  readonly user: string;
  readonly environmentId: string;
  readonly livemode: boolean;
  readonly roles: readonly Role[];
  readonly isSuspended: boolean;
  readonly merchant: { readonly id: string; readonly name: string };
}

export interface Person {
  /** `usr_…`, as all environments know it. */
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly isSuspended: boolean;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
  readonly memberships: readonly Membership[];
}

export interface OpenSession {
  readonly id: string;
  /** Of its token. */
  readonly hash: Buffer;
  readonly method: Session['method'];
  readonly secondFactor: boolean;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly endsAt: number;
  readonly steppedUpAt: number | null;
  readonly steppedUpBy: Session['steppedUpBy'];
  readonly person: Person;
}

/** How a new session begins. */
export interface Beginning {
  readonly person: string;
  readonly method: Session['method'];
  readonly secondFactor: boolean;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly shown: sql.Shown;
}

export interface StoreOptions {
  /** Reads: repeated where the connection is lost. */
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Notes the last request of a user. */
  seen(environmentId: string, user: string): Statement;
  /** Writes: each in a transaction of its own, on disk when it resolves. */
  write(statement: Statement): Promise<readonly Row[]>;
  readonly onFault: (message: string, error: unknown) => void;
}

interface Known {
  session: OpenSession;
  readonly untilMs: number;
}

/** Counts the look-up of a token that this process has not met (`platform/http/keyless.ts`). */
export type Gate = (look: () => Promise<OpenSession | null>) => Promise<OpenSession | null>;

export class SessionStore {
  readonly #options: StoreOptions;
  /** By the hash of the token, in base64. */
  readonly #known = new Map<string, Known>();
  readonly #touchedAt = new Map<string, number>();
  readonly #seenAt = new Map<string, number>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** `null`: there is no such session, or it has ended. Not a promise where it is cached. */
  find(token: string, gate: Gate = (look) => look()): OpenSession | null | Promise<OpenSession | null> {
    const hash = hashOf(token);
    const name = hash.toString('base64');
    const known = this.#known.get(name);
    if (known !== undefined && Date.now() < known.untilMs) return known.session;
    const look = () => this.#lookUp(hash, name);
    return known === undefined ? gate(look) : look();
  }

  /** As it is now, past what is cached: for what changes how a person signs in. */
  now({ hash }: OpenSession): Promise<OpenSession | null> {
    return this.#lookUp(hash, hash.toString('base64'));
  }

  async #lookUp(hash: Buffer, name: string): Promise<OpenSession | null> {
    const startedMs = Date.now();
    const [row] = await this.#options.rows(sql.sessionByHash(hash));
    if (row === undefined || row['suspended_at'] !== null) {
      this.#known.delete(name);
      return null;
    }
    const session = sessionFrom(row, hash);
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(name, { session, untilMs: Math.min(startedMs + TRUST_MS, session.endsAt) });
    return session;
  }

  async person(id: string): Promise<Person | null> {
    const [row] = await this.#options.rows(sql.personById(id));
    return row === undefined ? null : personFrom(row);
  }

  /** Opens a session with a new token; `before`, that the browser had, ends. `null`: what was shown for it is worth nothing any more. */
  async begin(beginning: Beginning, before: string | null): Promise<(Token & { readonly id: string }) | null> {
    if (before !== null) await this.end(before);
    const token = newToken();
    const id = newId('ses');
    const made = { ...beginning, id, hash: token.hash, lastsMs: LASTS_MS };
    const rows = await this.#options.write(sql.insertSession(made));
    return rows.length === 0 ? null : { ...token, id };
  }

  /** A factor was shown again, `by`: another token takes the place of this one. `null`: the session has ended meanwhile. */
  async raise({ hash }: OpenSession, by: Factor): Promise<Token | null> {
    const token = newToken();
    const rows = await this.#options.write(sql.raiseSession(hash, token.hash, by));
    this.#known.delete(hash.toString('base64'));
    return rows.length === 0 ? null : token;
  }

  /** The session of this token; one that has ended stays so. */
  async end(token: string): Promise<void> {
    const hash = hashOf(token);
    await this.#options.write(sql.endSessionByHash(hash));
    this.#known.delete(hash.toString('base64'));
  }

  /** One of the person's; `false`: there is no such open one. */
  async endOne(person: string, id: string): Promise<boolean> {
    const rows = await this.#options.write(sql.endSession(person, id));
    this.forget(person);
    return rows.length > 0;
  }

  /** All of the person's, but for one; how many there were. */
  async endAll(person: string, except: string | null = null): Promise<number> {
    const rows = await this.#options.write(sql.endSessionsOf(person, except));
    this.forget(person);
    return rows.length;
  }

  /** What is known of a person here may be old. */
  forget(person: string): void {
    for (const [name, { session }] of this.#known) if (session.person.id === person) this.#known.delete(name);
  }

  /** Somebody did something in it, as a user of an environment. Written now and then. */
  touch(session: OpenSession, { environmentId, user }: Membership): void {
    const nowMs = Date.now();
    const { write, seen, onFault } = this.#options;
    const note = (made: Statement) =>
      void write(made).catch((error: unknown) => onFault('Could not note that a session is in use', error));
    if (isDue(this.#touchedAt, session.id, nowMs)) note(sql.touchSession(session.hash));
    if (isDue(this.#seenAt, user, nowMs)) note(seen(environmentId, user));
    const known = this.#known.get(session.hash.toString('base64'));
    if (known !== undefined) known.session = { ...known.session, seenAt: nowMs };
  }
}

function isDue(notedAt: Map<string, number>, name: string, nowMs: number): boolean {
  if (nowMs - (notedAt.get(name) ?? 0) < TOUCH_MS) return false;
  if (notedAt.size >= MAX_CACHED) notedAt.clear();
  notedAt.set(name, nowMs);
  return true;
}

function sessionFrom(row: Row, hash: Buffer): OpenSession {
  return {
    id: idOf('ses', row['id'] as string),
    hash,
    method: row['method'] as Session['method'],
    secondFactor: row['second_factor'] as boolean,
    createdAt: row['created_at'] as number,
    seenAt: row['seen_at'] as number,
    endsAt: row['ends_at'] as number,
    steppedUpAt: row['stepped_up_at'] as number | null,
    steppedUpBy: row['stepped_up_by'] as Session['steppedUpBy'],
    person: personFrom(row),
  };
}

interface StoredMembership {
  readonly user: string;
  readonly environment: string;
  readonly livemode: boolean;
  readonly roles: readonly Role[];
  readonly suspended: boolean;
  readonly merchant: string;
  readonly merchant_name: string;
}

function personFrom(row: Row): Person {
  const memberships = JSON.parse((row['memberships'] as string | null) ?? '[]') as readonly StoredMembership[];
  return {
    id: idOf('usr', row['person_id'] as string),
    name: row['name'] as string | null,
    email: row['email'] as string,
    isSuspended: row['suspended_at'] !== null,
    hasPassword: row['has_password'] as boolean,
    hasTotp: row['has_totp'] as boolean,
    hasPasskey: row['has_passkey'] as boolean,
    memberships: memberships.map((each) => ({
      user: idOf('usr', each.user),
      environmentId: idOf('env', each.environment),
      livemode: each.livemode,
      roles: each.roles,
      isSuspended: each.suspended,
      merchant: { id: idOf('mer', each.merchant), name: each.merchant_name },
    })),
  };
}
