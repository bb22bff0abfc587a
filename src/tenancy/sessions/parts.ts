/**
 * What sign-in needs from outside: the links and users of `tenancy/people`, the audit log, and where this service runs. Made by
 * `server/dashboard/door.ts`.
 */
import type { AuditDetails } from '../../core/audit.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { isPassword } from './passwords.ts';
import type { SignInAction } from './decide.ts';
import type { Membership, SessionStore } from './store.ts';
import type { Throttle } from './throttle.ts';

/** What a one-time link opens. */
export interface OpenedLink {
  readonly kind: 'claim' | 'invite' | 'reset' | 'login';
  readonly environmentId: string | null;
  readonly user: string | null;
  readonly person: string | null;
}

export interface Invited {
  readonly email: string;
  readonly name: string | null;
  readonly merchant: string;
  /** Of the environment that invites. */
  readonly livemode: boolean;
}

/** One-time links and who comes by them. */
export interface LinkParts {
  /** What a token would open; `null`: nothing. */
  look(token: string): Promise<OpenedLink | null>;
  /** Uses it up: of any number that try at once, one gets it. */
  use(token: string): Promise<OpenedLink | null>;
  /** Whom a link that was used opened for; `null`: it was not used. `person`: `null` for the first person. */
  used(token: string): Promise<{ readonly kind: OpenedLink['kind']; readonly person: string | null } | null>;
  /** Whom an invitation was made for, and the merchant that invites. */
  invited(environmentId: string, user: string): Promise<Invited | null>;
  /** The person with this address; `null`: nobody. */
  personWith(email: string): Promise<string | null>;
  /** A new person, as the user that joins. `false`: somebody has the address. */
  makePerson(user: string, email: string, name: string | null): Promise<boolean>;
  /** From then on the person is that user. Rejects with the refusal. */
  join(environmentId: string, user: string, person: string, from: Origin): Promise<void>;
  /** The first user of this installation, in the sandbox; `null`: there is somebody, or this is no place for it. */
  firstUser(
    from: Origin,
  ): Promise<{ readonly environmentId: string; readonly user: string; readonly email: string } | null>;
}

/** Where a request came from, for the audit log. */
export interface Origin {
  readonly requestId: string;
  readonly address: string;
}

export interface Noted {
  readonly person: string;
  readonly action: SignInAction;
  readonly details: AuditDetails;
  /** The person did it, and not somebody who tried to be that person. */
  readonly isPerson: boolean;
  readonly session: { readonly id: string; readonly method: string } | null;
}

export interface SignInParts {
  readonly store: SessionStore;
  rows(statement: Statement): Promise<readonly Row[]>;
  write(statement: Statement): Promise<readonly Row[]>;
  readonly totp: Vault;
  readonly links: LinkParts;
  /** Left out: as `passwords.ts` does it. */
  readonly isPassword?: typeof isPassword;
  /** How addresses are compared. */
  addressKey(email: string): string;
  /** Whether a person with these roles may act in live only with a second factor. */
  needsSecondFactor(roles: Membership['roles'], livemode: boolean): boolean;
  /** Notes it in the audit log of each of these environments. */
  note(memberships: readonly Membership[], noted: Noted, from: Origin): Promise<void>;
  readonly tries: {
    readonly person: Throttle;
    readonly network: Throttle;
    /** Wrong codes of an app. */
    readonly codes: Throttle;
    readonly questions: Throttle;
    readonly account: Throttle;
  };
  readonly onFault: (message: string, error: unknown) => void;
}
