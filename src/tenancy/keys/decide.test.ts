/** Decisions about keys, given / when / then: what a key may give, and what becomes of the old one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { UNRESTRICTED } from '../../../test/support/harness/keys.ts';
import { account, ACCOUNT, apiKey, AT, BEFORE, idAt } from '../../../test/support/harness/literals.ts';
import type { Actor } from '../../core/actor.ts';
import type { CreateKey, NewKey, Powers, UpdateKey } from './decide.ts';
import type { ApiKey } from './fields.ts';
import { API_VERSION } from '../../core/values/version.ts';

const HOUR_MS = 3_600_000;
const OTHER_ACCOUNT = idAt('acct', 2);
const made: NewKey = {
  id: idAt('key', 9),
  prefix: 'sk_test_',
  last4: 'wxyz',
  hash: 'ab'.repeat(32),
  secretId: '01234567',
  sealedSecret: 'v1.x',
};
const old = apiKey(1, { secretId: '01234567' });
const create = (fields: Partial<CreateKey> = {}): CreateKey => ({
  type: 'create_key',
  made,
  name: 'payroll',
  version: API_VERSION,
  ...UNRESTRICTED,
  maker: null,
  ...fields,
});
const roll = (fields: { overlapMs?: number; maker?: Powers | null } = {}) =>
  ({ type: 'roll_key', key: old.id, made, overlapMs: 0, maker: null, ...fields }) as const;

const revoke = (maker: Powers | null = null) => ({ type: 'revoke_key', key: old.id, maker }) as const;

describe('create_key', () => {
  it('makes a key, and an entry without its secret', () => {
    const outcome = given().when(create({ scopes: ['payouts:read'], expiresAt: AT + HOUR_MS }));
    outcome.thenAccepts({ reply: { object: 'api_key_with_secret', id: made.id }, events: ['key.created'] });
    expect(outcome.audits).toMatchObject([{ action: 'key.created', subject: made.id }]);
    expect(JSON.stringify(outcome.audits)).not.toContain('v1.x');
  });

  it('an environment has at most 1,000 keys that work; what has ended does not count', () => {
    const keys = Array.from({ length: 999 }, (_, n) => ({ ...old, id: idAt('key', 10 + n) }));
    const ended = [{ revokedAt: BEFORE }, { expiresAt: AT }].map((end, n) => ({
      ...old,
      ...end,
      id: idAt('key', 2 + n),
    }));
    given(...keys, ...ended)
      .when(create())
      .thenAccepts({});
    given(...keys, old)
      .when(create())
      .thenRefuses('key_count');
    given(...keys, old)
      .when(roll({ overlapMs: 1 }))
      .thenRefuses('key_count');
    given(...keys, old)
      .when(roll()) // one takes the place of the other
      .thenAccepts({});
    given(...keys, old)
      .when(revoke())
      .thenAccepts({});
  });

  it('refuses an expiry that has passed', () => {
    given()
      .when(create({ expiresAt: AT }))
      .thenRefuses('expires_at_invalid', { param: 'expires_at' });
  });

  it('restricted to accounts: they exist, and its scopes show nothing else', () => {
    const restricted = (fields: Partial<CreateKey>) =>
      given(account()).when(create({ accounts: [ACCOUNT], ...fields }));
    restricted({ scopes: ['payouts:write', 'recipients:read'] }).thenAccepts({});
    restricted({ scopes: null }).thenRefuses('parameter_missing', { param: 'scopes' });
    restricted({ scopes: ['payouts:write', 'events:read'] }).thenRefuses('parameter_invalid', { param: 'scopes' });
    restricted({ scopes: ['payouts:write'], accounts: [OTHER_ACCOUNT] }).thenRefuses('resource_missing', {
      param: 'accounts',
    });
  });

  const maker: Powers = {
    scopes: ['keys:write', 'payouts:write'],
    accounts: null,
    allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
    expiresAt: AT + HOUR_MS,
  };
  const within = { scopes: ['payouts:read'], allowedIps: ['192.0.2.128/25', '2001:db8:1::7'], expiresAt: AT + 1 };
  it('a key gives no more than it has', () => {
    given()
      .when(create({ maker, ...within }))
      .thenAccepts({});
    for (const [param, wider] of [
      ['scopes', { scopes: null }],
      ['scopes', { scopes: ['payouts:read', 'events:read'] }],
      ['allowed_ips', { allowedIps: null }],
      ['allowed_ips', { allowedIps: ['192.0.0.0/16'] }],
      ['allowed_ips', { allowedIps: ['192.0.3.1'] }],
      ['allowed_ips', { allowedIps: ['2001::/16'] }],
      ['expires_at', { expiresAt: null }],
      ['expires_at', { expiresAt: AT + HOUR_MS + 1 }],
    ] as const) {
      given()
        .when(create({ maker, ...within, ...wider }))
        .thenRefuses('key_too_wide', { param });
    }
    const narrow = { ...maker, scopes: ['payouts:write'], accounts: [ACCOUNT] };
    const scopes = ['payouts:write'];
    const both = given(account(), account({ id: OTHER_ACCOUNT }));
    both.when(create({ maker: narrow, ...within, scopes, accounts: [ACCOUNT] })).thenAccepts({});
    both
      .when(create({ maker: narrow, ...within, scopes, accounts: [OTHER_ACCOUNT] }))
      .thenRefuses('key_too_wide', { param: 'accounts' });
    both.when(create({ maker: narrow, ...within, scopes })).thenRefuses('key_too_wide', { param: 'accounts' });
  });

  it('whatever is accepted lies within its maker (control: without one, wider keys are accepted)', () => {
    const SCOPES = ['payouts:read', 'payouts:write', 'events:read', 'keys:write'];
    const powers = fc.record({
      scopes: fc.option(fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 })),
      accounts: fc.constant(null),
      allowedIps: fc.option(
        fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '::1'), { minLength: 1 }),
      ),
      expiresAt: fc.option(fc.integer({ min: AT + 1, max: AT + 5 })),
    });
    const opens = ({ scopes }: Powers, scope: string) =>
      scopes === null || scopes.includes(scope) || scopes.includes(scope.replace('read', 'write'));
    const lets = ({ allowedIps }: Powers, address: string) =>
      allowedIps === null ||
      allowedIps.some(
        (each) => ({ '10.0.0.0/8': /^10\./, '10.1.0.0/16': /^10\.1\./ })[each]?.test(address) ?? each === address,
      );
    const reach = (each: Powers) => [
      ...[...SCOPES, 'settings:write'].filter((scope) => opens(each, scope)),
      ...['10.1.2.3', '10.1.9.9', '10.9.9.9', '::1', '192.0.2.1'].filter((address) => lets(each, address)),
      ...[AT + 1, AT + 2, AT + 3, AT + 4, AT + 5, AT + 6].filter(
        (at) => at <= (each.expiresAt ?? Number.POSITIVE_INFINITY),
      ),
    ];
    let wider = 0;
    fc.assert(
      fc.property(powers, powers, (maker, asked) => {
        const isWider = reach(asked).some((each) => !reach(maker).includes(each));
        wider += isWider ? 1 : 0;
        expect(given().when(create({ ...asked, maker })).refusal?.code ?? 'accepted').toBe(
          isWider ? 'key_too_wide' : 'accepted',
        );
        expect(given().when(create({ ...asked, maker: null })).refusal).toBeUndefined();
      }),
      { numRuns: 300 },
    );
    expect(wider).toBeGreaterThan(30);
  });
});

describe('confirm_key', () => {
  const [child, grandchild, root] = [idAt('key', 2), idAt('key', 3), idAt('key', 4)];
  const made2 = { ...old, id: child, lineage: [old.id, child] };
  const other = { ...old, id: root, lineage: [root] };
  const confirm = (key = child) => ({ type: 'confirm_key', key }) as const;
  const by = (actor: string, ...lineage: string[]) => ({ actor: actor as Actor, lineage });

  it('is for a key of another family, once; a key of the command line needs nobody', () => {
    const all = () => given(old, made2, other);
    const outcome = all().when(confirm(), by(root, root));
    outcome.thenAccepts({ now: { [child]: { confirmedBy: root } }, events: [] });
    expect(outcome.audits).toMatchObject([{ action: 'key.confirmed', subject: child }]);
    outcome.when(confirm(), by(root, root)).thenRefuses('key_not_confirmable');
    all().when(confirm(), by(old.id, old.id)).thenRefuses('approval_by_creator');
    all()
      .when(confirm(), by(child, old.id, child))
      .thenRefuses('approval_key_unconfirmed');
    all().when(confirm(root), by(old.id, old.id)).thenRefuses('key_not_confirmable');
    given(old, { ...made2, revokedAt: BEFORE }, other)
      .when(confirm(), by(root, root))
      .thenRefuses('key_ended');
  });

  it('is of the newest of its line, and looked up at the first', () => {
    const newest = { ...made2, id: grandchild };
    const first = { ...made2, revokedAt: BEFORE, rolledTo: grandchild };
    given(old, first, newest, other)
      .when(confirm(grandchild), by(root, root))
      .thenAccepts({ now: { [child]: { confirmedBy: root }, [grandchild]: { confirmedBy: root } } });
    given(old, { ...first, confirmedBy: root }, newest, other)
      .when(confirm(grandchild), by(root, root))
      .thenRefuses('key_not_confirmable');
    given(old, { ...first, revokedAt: null }, newest, other)
      .when(confirm(), by(root, root))
      .thenRefuses('key_rolled', { resource_id: grandchild });
  });

  it('holds for what the key is rolled to, not for what it makes', () => {
    const confirmed = { ...made2, confirmedBy: root };
    given(old, confirmed, other)
      .when({ ...roll(), key: child })
      .thenAccepts({ now: { [made.id]: { confirmedBy: root } } });
    given(old, confirmed, { ...made2, id: grandchild, lineage: [...made2.lineage, grandchild] })
      .when(confirm(grandchild), by(grandchild, ...made2.lineage, grandchild))
      .thenRefuses('approval_key_unconfirmed');
  });
});

describe('update_key', () => {
  const update = (fields: Partial<UpdateKey>) =>
    ({ type: 'update_key', key: old.id, name: undefined, version: undefined, maker: null, ...fields }) as const;

  it('changes the name and the version, with one event and one entry', () => {
    const outcome = given(old).when(update({ name: 'salaries', version: '2030-01-01' }));
    outcome.thenAccepts({
      now: { [old.id]: { name: 'salaries', version: '2030-01-01', scopes: null, revokedAt: null } },
      events: ['key.updated'],
    });
    const details = { changed: ['name', 'version'], name: 'salaries', version: '2030-01-01' };
    expect(outcome.audits).toMatchObject([{ action: 'key.updated', subject: old.id, details }]);
  });

  it('does nothing where nothing differs', () => {
    const outcome = given(old).when(update({ name: old.name, version: old.version }));
    outcome.thenAccepts({ events: [] });
    expect(outcome.audits).toEqual([]);
  });

  it('refuses keys that have ended, and those that may do more', () => {
    given({ ...old, revokedAt: AT - 1 })
      .when(update({ name: 'x' }))
      .thenRefuses('key_ended');
    const maker = { ...UNRESTRICTED, scopes: ['keys:write'] };
    given(old)
      .when(update({ name: 'x', maker }))
      .thenRefuses('key_too_wide');
  });
});

describe('roll_key', () => {
  it('keeps name, powers and expiry; the old one ends at once', () => {
    const powers = { scopes: ['payouts:read'], allowedIps: ['10.0.0.0/8'], expiresAt: AT + HOUR_MS };
    const outcome = given({ ...old, ...powers }).when(roll());
    outcome.thenAccepts({
      now: { [old.id]: { revokedAt: AT, ...powers }, [made.id]: { name: 'payroll', ...powers, revokedAt: null } },
    });
    expect(outcome.audits).toMatchObject([{ action: 'key.rolled', subject: old.id, details: { to: made.id } }]);
  });

  it('with an overlap the old one works on for a while, never longer than it would have', () => {
    given(old)
      .when(roll({ overlapMs: HOUR_MS }))
      .thenAccepts({ now: { [old.id]: { revokedAt: null, expiresAt: AT + HOUR_MS } } });
    const short = { ...old, expiresAt: AT + 5 };
    given(short)
      .when(roll({ overlapMs: HOUR_MS }))
      .thenAccepts({ now: { [old.id]: { expiresAt: AT + 5 }, [made.id]: { expiresAt: AT + 5 } } });
  });

  it('is rolled once: then the new one is', () => {
    const outcome = given(old).when(roll({ overlapMs: HOUR_MS }));
    outcome.thenAccepts({ now: { [old.id]: { rolledTo: made.id }, [made.id]: { rolledTo: null } } });
    outcome.when(roll({ overlapMs: HOUR_MS })).thenRefuses('key_rolled', { resource_id: made.id });
  });

  it('never revives one that has ended', () => {
    given({ ...old, revokedAt: BEFORE })
      .when(roll())
      .thenRefuses('key_ended', { current_status: 'revoked' });
    given({ ...old, expiresAt: AT })
      .when(roll())
      .thenRefuses('key_ended', { current_status: 'expired' });
    given({ ...old, expiresAt: AT + 1 })
      .when(roll())
      .thenAccepts({});
    given().when(roll()).thenRefuses('resource_missing');
  });

  it('is refused to a key that is less than the one it asks for', () => {
    const maker = { ...UNRESTRICTED, scopes: ['keys:write'] };
    given(old)
      .when(roll({ maker }))
      .thenRefuses('key_too_wide', { allowed: ['keys:write'] });
    given({ ...old, scopes: ['keys:read'] })
      .when(roll({ maker }), { actor: old.id as Actor, lineage: old.lineage })
      .thenAccepts({});
  });

  it('is refused to all but its own line and those that it descends from, however much they may do', () => {
    const [root, parent, other] = [1, 2, 3].map((n) => idAt('key', n)) as [string, string, string];
    const approver = { ...old, scopes: ['payout_approvals:write'], lineage: [root, parent, old.id] };
    const rolledBy = (...lineage: readonly string[]) =>
      given(approver).when(roll({ maker: UNRESTRICTED }), { actor: lineage.at(-1) as Actor, lineage });
    rolledBy(root).thenAccepts({});
    rolledBy(root, parent).thenAccepts({});
    rolledBy(root, parent, old.id).thenAccepts({});
    rolledBy(other).thenRefuses('key_of_others');
    rolledBy(root, other).thenRefuses('key_of_others'); // beside it
    rolledBy(root, parent, old.id, other).thenRefuses('key_of_others'); // below it
  });
});

describe('revoke_key', () => {
  const narrow = { ...UNRESTRICTED, scopes: ['keys:write', 'payouts:write'] };
  it.each<[Partial<ApiKey>, Powers, string | undefined]>([
    [{}, narrow, 'key_too_wide'],
    [{ scopes: ['events:read'] }, narrow, 'key_too_wide'],
    [{ scopes: ['payouts:read'] }, narrow, undefined],
    [{ scopes: ['metrics:read'] }, UNRESTRICTED, 'key_too_wide'],
    [{ scopes: ['metrics:read'] }, { ...UNRESTRICTED, scopes: ['keys:write', 'metrics:read'] }, undefined],
    [{}, { ...UNRESTRICTED, allowedIps: ['10.0.0.0/8'] }, 'key_too_wide'],
    [{}, { ...UNRESTRICTED, expiresAt: AT + HOUR_MS }, undefined],
  ])('%j by one of %j: %s', (fields, maker, expected) => {
    expect(given({ ...old, ...fields }).when(revoke(maker)).refusal?.code).toBe(expected);
    given({ ...old, ...fields })
      .when(revoke())
      .thenAccepts({}); // control: the operator may
  });

  it('ends it, once', () => {
    const outcome = given(old).when(revoke());
    outcome.thenAccepts({ now: { [old.id]: { revokedAt: AT } }, events: ['key.revoked'] });
    expect(outcome.audits).toMatchObject([{ action: 'key.revoked', subject: old.id }]);
    outcome.when(revoke()).thenRefuses('key_ended', { current_status: 'revoked' });
    given().when(revoke()).thenRefuses('resource_missing');
  });
});
