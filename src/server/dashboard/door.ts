/**
 * The way into the dashboard, put together: sessions (`tenancy/sessions`) with users and links (`tenancy/people`), the audit log and the
 * settings. Who calls this: `server/app.ts`. At which hosts it answers: `origin.ts`.
 */
import type { Config } from '../../config.ts';
import type { Actor } from '../../core/actor.ts';
import { FIRST_MERCHANT } from '../../core/company.ts';
import { needsSecondFactor } from '../../core/roles.ts';
import { RequestError } from '../../core/values/errors.ts';
import { idOf, newId } from '../../core/values/ids.ts';
import { isExposed } from '../../operator/private-targets.ts';
import type { Result } from '../../platform/db/wire/pipeline.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { type Door, isOwnPage } from '../../platform/http/door.ts';
import { scopesOf } from '../../platform/http/roles.ts';
import { Versions } from '../../platform/http/version/versions.ts';
import { API_VERSION } from '../../core/values/version.ts';
import type { ServerSecrets } from '../../platform/vault/vault.ts';
import { environmentOf } from '../../tenancy/keys/sql.ts';
import { addressKey } from '../../tenancy/people/decide.ts';
import { type LinkMaker, lookAtLink, openedFrom, usedLink, useLink } from '../../tenancy/people/links.ts';
import type { UserParts } from '../../tenancy/people/parts.ts';
import { insertPerson, markSeen } from '../../tenancy/people/sql.ts';
import { sessionAdmission } from '../../tenancy/sessions/admission.ts';
import type { LinkParts, Origin, SignInParts } from '../../tenancy/sessions/parts.ts';
import { proofsIn } from '../../tenancy/sessions/proofs.ts';
import { sessionOperations } from '../../tenancy/sessions/routes.ts';
import { totpVault } from '../../tenancy/sessions/sealing.ts';
import * as sql from '../../tenancy/sessions/sql.ts';
import { SessionStore } from '../../tenancy/sessions/store.ts';
import { slowThrottle, throttle, TRIES } from '../../tenancy/sessions/throttle.ts';
import { FIRST_EMAIL } from '../../tenancy/sessions/view.ts';
import type { Command } from '../../write/slices.ts';
import type { Submission } from '../../write/submission.ts';
import { originOfDashboard } from './origin.ts';

export interface DoorOptions {
  readonly config: Pick<Config, 'dashboardUrl' | 'publicUrl' | 'databaseUrl' | 'host' | 'trustedProxies'>;
  readonly secrets: ServerSecrets;
  readonly versions: Versions;
  readonly maker: LinkMaker;
  rows(statement: Statement): Promise<readonly Row[]>;
  /** On disk when it resolves. */
  write(statement: Statement): Promise<Result>;
  submit(submission: Submission): Promise<{ readonly status: number; readonly body: string }>;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Questions to passkeys that one network may have asked for in a minute. */
const QUESTIONS_PER_MINUTE = 60;
/** What one person may ask of its own account. */
const OF_ACCOUNT_PER_MINUTE = 120;

export interface DashboardDoor {
  readonly door: Door;
  readonly endSessions: UserParts['endSessions'];
  readonly proofOf: ReturnType<typeof proofsIn>;
}

export const dashboardDoor = (options: DoorOptions): DashboardDoor => doorWith(options, signInParts(options));

/** What sign-in stands on. */
export function signInParts(options: DoorOptions): SignInParts {
  const { secrets, rows, onFault } = options;
  const write = async (statement: Statement) => (await options.write(statement)).rows as readonly Row[];
  const store = new SessionStore({ rows, write, seen: markSeen, onFault });
  const send = sender(options);
  return {
    store,
    rows,
    write,
    totp: totpVault(secrets),
    links: linkParts(options, write, send),
    addressKey,
    needsSecondFactor,
    tries: {
      person: throttle(TRIES.person),
      network: throttle(TRIES.network),
      codes: slowThrottle(TRIES.codesAnHour),
      questions: throttle(QUESTIONS_PER_MINUTE),
      account: throttle(OF_ACCOUNT_PER_MINUTE),
    },
    onFault,
    async note(memberships, { action, details, isPerson, session }, from) {
      const open = memberships.filter(({ isSuspended }) => !isSuspended);
      await Promise.all(
        open.map(({ environmentId, user }) =>
          send(environmentId, { type: 'note_sign_in', action, user, details }, isPerson ? (user as Actor) : 'visitor', {
            ...from,
            session,
          }),
        ),
      );
    },
  };
}

export function doorWith({ config, versions, rows }: DoorOptions, parts: SignInParts): DashboardDoor {
  const { store } = parts;
  const version = versions.pinned(API_VERSION);
  const admit = sessionAdmission({ store, version, scopesOf, needsSecondFactor });
  const placeAt: Door['placeAt'] = (host) => originOfDashboard(config, host);
  return {
    door: { placeAt, isOwnPage, admit, operations: sessionOperations(parts) },
    proofOf: proofsIn(parts.write),
    async endSessions(environmentId, user, except) {
      const [row] = await rows(sql.personOfUser(environmentId, user));
      if (row !== undefined) await store.endAll(idOf('usr', row['person_id'] as string), except ?? null);
    },
  };
}

type Send = (
  environmentId: string,
  command: Command,
  actor: Actor,
  from: Origin & Pick<Submission['origin'], 'session'>,
) => Promise<string>;

/** Sends a command in the name of a person. Resolves with the body of its answer; rejects with its refusal. */
const sender =
  ({ submit }: Pick<DoorOptions, 'submit'>): Send =>
  async (environmentId, command, actor, { requestId, address, session = null }) => {
    const origin = {
      actor,
      lineage: actor === 'cli' || actor === 'visitor' ? [] : [actor],
      requestId,
      address,
      session,
    };
    const { status, body } = await submit({
      environmentId,
      command,
      origin: { ...origin, idempotencyKey: null },
      recordKey: null,
      fingerprint: '',
      dryRun: false,
    });
    if (status === 200) return body;
    const { error } = JSON.parse(body) as {
      readonly error: { readonly code: 'link_invalid'; readonly message: string };
    };
    throw new RequestError(error.code, error.message);
  };

function linkParts(
  options: DoorOptions,
  write: (statement: Statement) => Promise<readonly Row[]>,
  send: Send,
): LinkParts {
  const { rows, maker, config } = options;
  const opened = ([row]: readonly Row[]) => (row === undefined ? null : openedFrom(row));
  return {
    look: async (token) => opened(await rows(lookAtLink(token))),
    use: async (token) => opened(await write(useLink(token))),
    used: async (token) => opened(await rows(usedLink(token))),
    async invited(environmentId, user) {
      const [row] = await rows(sql.invitedUser(environmentId, user));
      if (row === undefined) return null;
      const merchant = idOf('mer', row['merchant_id'] as string);
      const livemode = row['livemode'] as boolean;
      return { email: row['email'] as string, name: row['name'] as string | null, merchant, livemode };
    },
    async personWith(email) {
      const [row] = await rows(sql.personByEmail(addressKey(email)));
      return row === undefined ? null : idOf('usr', row['id'] as string);
    },
    async makePerson(id, email, name) {
      return (await write(insertPerson({ id, email, emailKey: addressKey(email), name }))).length > 0;
    },
    async join(environmentId, user, person, from) {
      const [row] = await rows(sql.personById(person));
      const ofPerson = {
        personEmail: row?.['email'] as string,
        personName: (row?.['name'] as string | null | undefined) ?? null,
        secondFactor: row?.['has_passkey'] === true ? 'passkey' : row?.['has_totp'] === true ? 'totp' : null,
      } as const;
      await send(environmentId, { type: 'join_user', user, person, ofPerson }, user as Actor, from);
    },
    async firstUser(from) {
      const isHere = config.databaseUrl === null && !isExposed(config);
      const [found] = await rows(sql.ANYBODY);
      const [sandbox] = await rows(environmentOf(FIRST_MERCHANT, false));
      if (!isHere || found?.['any'] !== false || sandbox === undefined) return null;
      const environmentId = idOf('env', sandbox['environment_id'] as string);
      const asked = {
        id: newId('usr'),
        email: FIRST_EMAIL,
        name: null,
        roles: ['developer', 'admin'],
        beyond: [],
      } as const;
      const body = await send(
        environmentId,
        { type: 'create_user', ...asked, link: maker.make('invite') },
        'cli',
        from,
      );
      return { environmentId, user: (JSON.parse(body) as { readonly id: string }).id, email: FIRST_EMAIL };
    },
  };
}
