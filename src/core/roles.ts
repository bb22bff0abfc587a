/**
 * What a person may do: roles, which are named sets of scopes and add up (docs/decisions/0104). Which scopes there are is known above, so a
 * role says here which it takes of them: `platform/http/roles.ts` makes the sets.
 */
export const ROLES = ['viewer', 'developer', 'operator', 'approver', 'accountant', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Nobody reads these by being let in: they show keys, persons, and whom salaries pay. Metrics are of the whole service. */
const NOT_FOR_ALL = ['keys', 'users', 'audit_log', 'payroll', 'metrics', 'test_helpers'];

/** Beside what a viewer reads. `write` is to read as well. */
const BESIDE: Readonly<Record<Role, readonly string[]>> = {
  viewer: [],
  developer: ['webhook_endpoints:write', 'keys:write', 'events:write'],
  // Whom salaries pay: who pays them from a file has it in hand, brings it to the bank, and pays again what came back.
  operator: [
    'accounts',
    'recipients',
    'payouts',
    'exchanges',
    'transfers',
    'payment_links',
    'payments',
    'standing_orders',
    'statement_files',
    'bank_entries',
    'payment_files',
  ]
    .map((resource) => `${resource}:write`)
    .concat('payroll:read'),
  approver: ['payout_approvals:write', 'bank_account_approvals:write', 'users:read', 'payroll:read'],
  accountant: ['audit_log:read', 'reconciliation:write', 'payroll:read'],
  admin: [
    ...['users', 'settings', 'payout_rules', 'limits', 'fee_rules', 'bank_accounts', 'keys'].map(
      (resource) => `${resource}:write`,
    ),
    'audit_log:read',
  ],
};

/** What each role is for, in the words of the documentation. */
export const ROLES_ABOUT: Readonly<Record<Role, string>> = {
  viewer: 'sees balances, payouts, payments, banks and events, and changes nothing',
  developer: 'sees what a viewer sees, makes keys and webhook endpoints; in a sandbox it may do everything',
  operator:
    'makes recipients, payouts, exchanges, payment links and standing orders, works with the files of banks, and sees whom salaries pay',
  approver: 'says yes or no to payouts and changes that others asked for, once a second person has confirmed it',
  accountant: 'sees the audit log and whom salaries pay, and closes months',
  admin: 'lets people in, and sets the rules, limits, fees, bank accounts and keys',
};

const isSeenByAll = (scope: string): boolean =>
  scope.endsWith(':read') && !NOT_FOR_ALL.some((resource) => scope === `${resource}:read`);

/** Of `all` scopes, those of roles. In a sandbox a developer has everything that is of a merchant. */
export function scopesOfRoles(roles: readonly Role[], livemode: boolean, all: readonly string[]): ReadonlySet<string> {
  if (roles.length === 0) return new Set();
  if (!livemode && roles.includes('developer')) return new Set(all.filter((scope) => scope !== 'metrics:read'));
  const beside = new Set(roles.flatMap((role) => BESIDE[role]));
  return new Set(all.filter((scope) => isSeenByAll(scope) || beside.has(scope)));
}

/** The scopes that roles name and that do not exist; the test of roles expects none. */
export const unknownScopes = (all: readonly string[]): readonly string[] =>
  Object.values(BESIDE).flatMap((scopes) => scopes.filter((scope) => !all.includes(scope)));

/** Roles that say yes as a second person: who gets one is confirmed anew. */
export const DECIDING: readonly Role[] = ['approver'];

const WITH_SECOND_FACTOR: readonly Role[] = ['operator', 'approver', 'admin'];

/** Whether a person with these roles is let in only with a second factor: where real money or rights are at stake. */
export const needsSecondFactor = (roles: readonly Role[], livemode: boolean): boolean =>
  livemode && roles.some((role) => WITH_SECOND_FACTOR.includes(role));

/** How long a second factor counts that a person has shown, for what decides about money or rights in live. Milliseconds. */
export const STEP_UP_MS = 300_000;
