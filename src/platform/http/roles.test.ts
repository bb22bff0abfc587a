/** Roles as sets of scopes: what each opens, that they add up, and what nobody gives who does not hold it. */
import { describe, expect, it } from 'vitest';
import { needsSecondFactor, type Role, ROLES, unknownScopes } from '../../core/roles.ts';
import { callerWith } from '../../../test/support/harness/keys.ts';
import { isAdministrator, rolesBeyond, scopesOf } from './roles.ts';
import { type Scope, SCOPES } from './route.ts';

const LIVE = true;
const SANDBOX = false;
const beside = (role: Role): readonly string[] =>
  [...scopesOf([role], LIVE)].filter((scope) => !scopesOf(['viewer'], LIVE).has(scope)).toSorted();

describe('the scopes of roles', () => {
  it('exist', () => {
    expect(unknownScopes(SCOPES)).toEqual([]);
    expect(unknownScopes(SCOPES.filter((scope) => scope !== 'payouts:write'))).toEqual(['payouts:write']); // control
  });

  it('a viewer reads everything but keys, users, the audit log and payrolls, and writes nothing', () => {
    const scopes = scopesOf(['viewer'], LIVE);
    const left = SCOPES.filter((scope) => scope.endsWith(':read') && !scopes.has(scope));
    expect(left).toEqual([
      'keys:read',
      'users:read',
      'audit_log:read',
      'test_helpers:read',
      'metrics:read',
      'payroll:read',
    ]);
    expect([...scopes].filter((scope) => scope.endsWith(':write'))).toEqual([]);
  });

  it('in live, each has beside it what it is for', () => {
    expect(Object.fromEntries(ROLES.map((role) => [role, beside(role)]))).toEqual({
      viewer: [],
      developer: ['events:write', 'keys:write', 'webhook_endpoints:write'],
      operator: [
        'accounts:write',
        'bank_entries:write',
        'exchanges:write',
        'payment_files:write',
        'payment_links:write',
        'payments:write',
        'payouts:write',
        'payroll:read',
        'recipients:write',
        'standing_orders:write',
        'statement_files:write',
        'transfers:write',
      ],
      approver: ['bank_account_approvals:write', 'payout_approvals:write', 'payroll:read', 'users:read'],
      accountant: ['audit_log:read', 'payroll:read', 'reconciliation:write'],
      admin: [
        'audit_log:read',
        'bank_accounts:write',
        'fee_rules:write',
        'keys:write',
        'limits:write',
        'payout_rules:write',
        'settings:write',
        'users:write',
      ],
    });
  });

  it('nobody who makes payouts approves them by the same role', () => {
    const both = ROLES.filter((role) => {
      const scopes = scopesOf([role], LIVE);
      return scopes.has('payouts:write') && scopes.has('payout_approvals:write');
    });
    expect(both).toEqual([]);
  });

  it('in a sandbox a developer has everything that is of a merchant', () => {
    const scopes = scopesOf(['developer'], SANDBOX);
    expect(SCOPES.filter((scope) => !scopes.has(scope))).toEqual(['metrics:read']);
    expect(scopesOf(['operator'], SANDBOX)).toEqual(scopesOf(['operator'], LIVE));
  });

  it('add up, and no role is nothing', () => {
    for (const one of ROLES) {
      for (const other of ROLES) {
        const both = new Set([...scopesOf([one], LIVE), ...scopesOf([other], LIVE)]);
        expect(scopesOf([one, other], LIVE)).toEqual(new Set(SCOPES.filter((scope) => both.has(scope))));
      }
      expect(scopesOf([], LIVE)).toEqual(new Set());
    }
  });
});

describe('nobody gives more than they hold', () => {
  it('a secret key gives every role, and a developer in a sandbox does', () => {
    expect(rolesBeyond(null, LIVE)).toEqual([]);
    expect(rolesBeyond(scopesOf(['developer'], SANDBOX), SANDBOX)).toEqual([]);
  });
  it('an administrator gives what it is, and with further roles those', () => {
    expect(rolesBeyond(scopesOf(['admin'], LIVE), LIVE)).toEqual(['developer', 'operator', 'approver', 'accountant']);
    expect(rolesBeyond(scopesOf(['admin', 'operator'], LIVE), LIVE)).toEqual(['developer', 'approver', 'accountant']);
    expect(rolesBeyond(new Set<Scope>(), LIVE)).toEqual(ROLES);
  });
});

it('second factors: where money or rights of live are at stake', () => {
  const needing = (livemode: boolean) => ROLES.filter((role) => needsSecondFactor([role], livemode));
  expect(needing(LIVE)).toEqual(['operator', 'approver', 'admin']);
  expect(needing(SANDBOX)).toEqual([]);
  expect(needsSecondFactor(['viewer', 'admin'], LIVE)).toBe(true);
});

it('an administrator is a person who lets people in, and no key', () => {
  const session = {
    id: 's',
    person: 'usr_1',
    method: 'passkey',
    steppedUpAt: null,
    steppedUpBy: null,
    secondFactor: true,
  } as const;
  const asPerson = (roles: readonly Role[]) => callerWith({ actorId: 'usr_1', session, scopes: scopesOf(roles, LIVE) });
  expect(ROLES.filter((role) => isAdministrator(asPerson([role])))).toEqual(['admin']);
  expect([callerWith(), callerWith({ scopes: new Set(['users:write']) })].map(isAdministrator)).toEqual([false, false]);
});
