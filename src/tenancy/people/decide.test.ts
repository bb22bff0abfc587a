/** Decisions about users, given / when / then: who is let in, who may approve, and who cannot be shut out. */
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { apiKey, AT, BEFORE, idAt } from '../../../test/support/harness/literals.ts';
import { asUser, user, userId } from '../../../test/support/harness/people.ts';
import type { Actor } from '../../core/actor.ts';
import type { CreateUser } from './decide.ts';

const [ADA, BOB, CY] = [1, 2, 3].map(userId) as [Actor, Actor, Actor];
const KEY = idAt('key', 1) as Actor;
const link = { id: 'ab', kind: 'invite', endsAt: AT + 1 } as const;
const create = (fields: Partial<CreateUser> = {}): CreateUser => ({
  type: 'create_user',
  id: userId(9),
  email: 'new@example.com',
  name: null,
  roles: ['operator'],
  beyond: [],
  link,
  ...fields,
});
const admin = (n: number, fields = {}) => user(n, { roles: ['admin'], ...fields });

describe('create_user', () => {
  it('invites: whom a person lets in is not confirmed, whom the command line lets in is', () => {
    const byAda = given(admin(1)).when(create(), asUser(ADA));
    byAda.thenAccepts({
      reply: { object: 'user_with_link', id: userId(9), link },
      events: [],
      now: { [userId(9)]: { confirmedBy: null, createdBy: ADA, letInBy: [ADA], person: null } },
    });
    expect(byAda.audits).toMatchObject([
      { action: 'user.invited', subject: userId(9), details: { roles: ['operator'] } },
    ]);
    expect(JSON.stringify(byAda.audits)).not.toContain('example.com');
    given()
      .when(create(), { actor: 'cli' })
      .thenAccepts({ now: { [userId(9)]: { confirmedBy: 'cli' } } });
  });

  it('keeps each role once, in one order', () => {
    given()
      .when(create({ roles: ['admin', 'viewer', 'admin'] }))
      .thenAccepts({ now: { [userId(9)]: { roles: ['viewer', 'admin'] } } });
  });

  it('refuses roles that hold more than who asks', () => {
    const { refusal } = given().when(create({ roles: ['viewer', 'operator'], beyond: ['operator', 'admin'] }));
    expect(refusal).toMatchObject({
      code: 'user_too_wide',
      details: { param: 'roles', allowed: ['viewer', 'developer', 'approver', 'accountant'] },
    });
  });

  it('refuses an address that is there: however it is written, invited or joined, suspended too', () => {
    given(user(2, { invitedEmail: 'New@Example.com', person: null }))
      .when(create())
      .thenRefuses('user_exists');
    given(user(2, { personEmail: 'NEW@example.com' }))
      .when(create())
      .thenRefuses('user_exists');
    given(user(2, { invitedEmail: 'new@example.com', suspendedAt: BEFORE }))
      .when(create())
      .thenRefuses('user_exists');
    // The address of the invitation is free once the person goes by another.
    given(user(2, { invitedEmail: 'new@example.com', personEmail: 'other@example.com' }))
      .when(create())
      .thenAccepts({});
  });

  it('an environment has at most 1,000 users', () => {
    const users = Array.from({ length: 999 }, (_, n) => user(10 + n));
    given(...users)
      .when(create())
      .thenAccepts({});
    given(...users, user(2))
      .when(create())
      .thenRefuses('user_count');
  });
});

describe('join_user', () => {
  const ofPerson = { personEmail: 'own@example.com', personName: 'Own', secondFactor: null } as const;
  const joins = (person: string) => ({ type: 'join_user', user: BOB, person, ofPerson }) as const;
  const invited = user(2, { person: null, confirmedBy: null });

  it('makes the person the user, once', () => {
    const joined = given(invited).when(joins(userId(7)), asUser(BOB));
    joined.thenAccepts({ now: { [BOB]: { person: userId(7), confirmedBy: null } } });
    joined.when(joins(userId(7)), asUser(BOB)).thenAccepts({}); // again
    joined.when(joins(userId(8)), asUser(BOB)).thenRefuses('user_joined');
  });
  it('refuses a person who is a user already, and a suspended user', () => {
    given(invited, user(3, { person: userId(7) }))
      .when(joins(userId(7)))
      .thenRefuses('user_exists');
    given({ ...invited, suspendedAt: BEFORE })
      .when(joins(userId(7)))
      .thenRefuses('user_suspended');
  });
});

describe('update_user', () => {
  const update = (fields: object) =>
    ({ type: 'update_user', user: BOB, name: undefined, roles: undefined, beyond: [], ...fields }) as const;

  it('changes roles and name; nothing changed is nothing written', () => {
    const changed = given(user(2)).when(update({ roles: ['accountant'], name: null }));
    changed.thenAccepts({ now: { [BOB]: { roles: ['accountant'], givenName: null, confirmedBy: 'cli' } } });
    expect(changed.audits).toMatchObject([
      {
        action: 'user.updated',
        details: { changed: ['name', 'roles'], roles: ['accountant'], roles_before: ['viewer'] },
      },
    ]);
    expect(given(user(2)).when(update({ roles: ['viewer'] })).audits).toEqual([]);
  });

  it('a role that approves is confirmed anew, by none of those who gave it', () => {
    given(user(2))
      .when(update({ roles: ['viewer', 'approver'] }), asUser(ADA))
      .thenAccepts({ now: { [BOB]: { confirmedBy: null, letInBy: ['cli', ADA] } } });
    given(user(2))
      .when(update({ roles: ['viewer', 'approver'] }), { actor: 'cli' })
      .thenAccepts({ now: { [BOB]: { confirmedBy: 'cli' } } });
    given(user(2, { roles: ['approver'] })) // control: it had it
      .when(update({ roles: ['viewer', 'approver'] }), asUser(ADA))
      .thenAccepts({ now: { [BOB]: { confirmedBy: 'cli' } } });
  });

  it('only what is added has to be held', () => {
    const wide = user(2, { roles: ['operator'] });
    given(wide)
      .when(update({ roles: ['viewer', 'operator'], beyond: ['operator'] }))
      .thenAccepts({});
    given(wide)
      .when(update({ roles: ['admin'], beyond: ['admin'] }))
      .thenRefuses('user_too_wide');
  });

  it.each([
    ['the last', [admin(2)], 'user_last_admin'],
    ['beside one who is suspended', [admin(2), admin(1, { suspendedAt: BEFORE })], 'user_last_admin'],
    ['beside one who has not joined', [admin(2), admin(1, { person: null })], 'user_last_admin'],
    ['beside another', [admin(2), admin(1)], null],
    ['who has not joined', [admin(2, { person: null })], null],
  ] as const)('an administrator who is %s', (_, users, code) => {
    const commands = [
      update({ roles: ['viewer'] }),
      { type: 'suspend_user', user: BOB },
      { type: 'redact_user', user: BOB },
    ] as const;
    for (const command of commands) {
      const outcome = given(...users).when(command);
      if (code === null) outcome.thenAccepts({});
      else outcome.thenRefuses(code);
    }
  });
});

describe('suspend_user and resume_user', () => {
  it('nobody suspends oneself', () => {
    given(user(2)).when({ type: 'suspend_user', user: BOB }, asUser(BOB)).thenRefuses('user_self');
    given(user(2))
      .when({ type: 'suspend_user', user: BOB }, asUser(ADA))
      .thenAccepts({ now: { [BOB]: { suspendedAt: AT } } });
  });
  it('nobody resumes a user with more scopes than they hold', () => {
    const suspended = user(2, { roles: ['operator'], suspendedAt: BEFORE });
    given(suspended)
      .when({ type: 'resume_user', user: BOB, beyond: ['operator'] })
      .thenRefuses('user_too_wide');
    given(suspended)
      .when({ type: 'resume_user', user: BOB, beyond: ['admin'] })
      .thenAccepts({ now: { [BOB]: { suspendedAt: null } } });
  });
});

describe('confirm_user', () => {
  const confirm = { type: 'confirm_user', user: BOB } as const;
  const waiting = user(2, { confirmedBy: null, createdBy: ADA, letInBy: ['cli', ADA] });
  const child = apiKey(2, { lineage: [ADA, idAt('key', 2)], confirmedBy: KEY });

  it('by a third, and only once', () => {
    const confirmed = given(waiting, user(1), user(3)).when(confirm, asUser(CY));
    confirmed.thenAccepts({ now: { [BOB]: { confirmedBy: CY } } });
    expect(confirmed.audits).toMatchObject([{ action: 'user.confirmed', details: { let_in_by: ['cli', ADA] } }]);
    confirmed.when(confirm, asUser(CY)).thenRefuses('user_not_confirmable');
    given(waiting, user(1), apiKey(1))
      .when(confirm, { actor: KEY, lineage: [KEY] })
      .thenAccepts({ now: { [BOB]: { confirmedBy: KEY } } });
  });

  it.each([
    ['who let it in', [user(1)], ADA],
    ['a key of who let it in', [user(1), child, apiKey(1)], child.id],
    ['itself, were it confirmed', [user(1)], BOB],
  ] as const)('not by %s', (_, others, actor) => {
    const self = actor === BOB ? { ...waiting, confirmedBy: null } : waiting;
    const { refusal } = given(self, ...others).when(confirm, { actor: actor as Actor, lineage: [actor] });
    expect(refusal?.code).toBe(actor === BOB ? 'approval_key_unconfirmed' : 'approval_by_creator');
  });

  it('not by one who is not confirmed; not while nobody has joined, or it is suspended', () => {
    given(waiting, user(1), user(3, { confirmedBy: null }))
      .when(confirm, asUser(CY))
      .thenRefuses('approval_key_unconfirmed');
    given({ ...waiting, person: null }, user(1), user(3))
      .when(confirm, asUser(CY))
      .thenRefuses('user_not_confirmable');
    given({ ...waiting, suspendedAt: BEFORE }, user(1), user(3))
      .when(confirm, asUser(CY))
      .thenRefuses('user_suspended');
  });

  it('the operator may always', () => {
    given({ ...waiting, letInBy: ['cli'] })
      .when(confirm, { actor: 'cli' })
      .thenAccepts({ now: { [BOB]: { confirmedBy: 'cli' } } });
  });
});

describe('link_user', () => {
  const linkFor = (beyond: readonly 'operator'[] = []) =>
    ({ type: 'link_user', user: BOB, link: { id: 'cd', endsAt: AT + 1 }, beyond }) as const;

  it('takes the confirmation away, and whoever made the link does not confirm', () => {
    const reset = given(user(2), user(1)).when(linkFor(), asUser(ADA));
    reset.thenAccepts({
      reply: { object: 'user_with_link', link: { id: 'cd', kind: 'reset' } },
      now: { [BOB]: { confirmedBy: null, letInBy: ['cli', ADA] } },
    });
    reset.when({ type: 'confirm_user', user: BOB }, asUser(ADA)).thenRefuses('approval_by_creator');
  });
  it('but not where the operator makes it', () => {
    given(user(2))
      .when(linkFor(), { actor: 'cli' })
      .thenAccepts({ now: { [BOB]: { confirmedBy: 'cli', letInBy: ['cli'] } } });
  });
  it('invites again whom nobody is yet, and takes the confirmation of the operator away as well', () => {
    given(user(2, { person: null }))
      .when(linkFor(), asUser(ADA))
      .thenAccepts({ reply: { link: { kind: 'invite' } }, now: { [BOB]: { confirmedBy: null } } });
  });
  it('for no user with more scopes than who asks, and for none that is suspended', () => {
    given(user(2, { roles: ['operator'] }))
      .when(linkFor(['operator']), asUser(ADA))
      .thenRefuses('user_too_wide');
    given(user(2, { suspendedAt: BEFORE }))
      .when(linkFor(), asUser(ADA))
      .thenRefuses('user_suspended');
  });
});

it('redact_user leaves nothing of the person', () => {
  const redacted = given(user(2, { personEmail: 'own@example.com', personName: 'Own' })).when({
    type: 'redact_user',
    user: BOB,
  });
  redacted.thenAccepts({ now: { [BOB]: { person: null, personEmail: null, givenName: null, suspendedAt: AT } } });
  expect(JSON.stringify(redacted.now(BOB))).not.toMatch(/example\.com|Person/);
});
