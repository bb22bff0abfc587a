/** Roles in words, as an admin reads them who gives one. Pure. */

export interface RoleWords {
  readonly role: string;
  readonly name: string;
  readonly may: string;
}

/** From the least to the most. */
export const ROLES: readonly RoleWords[] = [
  { role: 'viewer', name: 'Viewer', may: 'Sees balances, payouts, payments, banks and events. Changes nothing.' },
  { role: 'developer', name: 'Developer', may: 'Makes keys and webhook endpoints. In the sandbox: everything.' },
  {
    role: 'operator',
    name: 'Operator',
    may: 'Recipients, payouts, exchanges, payment links, standing orders, files of banks. Sees whom salaries pay.',
  },
  { role: 'approver', name: 'Approver', may: 'Says yes or no to what others asked for.' },
  {
    role: 'accountant',
    name: 'Accountant',
    may: 'Sees the audit log and whom salaries pay, closes months of bank accounts.',
  },
  { role: 'admin', name: 'Admin', may: 'Lets people in; sets rules, limits, fees, bank accounts, keys and settings.' },
];

const ORDER = ROLES.map(({ role }) => role);
const NAMES = new Map(ROLES.map(({ role, name }) => [role, name]));

/** "Admin, Viewer", the strongest first. */
export const rolesInWords = (roles: readonly string[]): string =>
  [...roles]
    .sort((a, b) => ORDER.indexOf(b) - ORDER.indexOf(a))
    .map((role) => NAMES.get(role) ?? role)
    .join(', ');

/** In whatever order. */
export const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

/** What is allowed and still worth a second look: one person who sets the rules and approves by them. */
export const roleWarning = (roles: readonly string[]): string | null =>
  roles.includes('admin') && roles.includes('approver')
    ? 'This person can change the rules of approval, and approve by them.'
    : null;

/** Live roles that move money or let people in need a second factor to sign in. */
export const needsSecondFactor = (roles: readonly string[]): boolean =>
  roles.some((role) => ['operator', 'approver', 'admin'].includes(role));

/** Who holds what not every role holds. `roles.test.ts` compares it with the server's own table. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  'keys:read': ['developer', 'admin'],
  'keys:write': ['developer', 'admin'],
  'webhook_endpoints:write': ['developer'],
  'payouts:write': ['operator'],
  'exchanges:write': ['operator'],
  'recipients:write': ['operator'],
  'payments:write': ['operator'],
  'payment_links:write': ['operator'],
  'standing_orders:write': ['operator'],
  'test_helpers:write': [],
  'users:read': ['approver', 'admin'],
  'users:write': ['admin'],
  'audit_log:read': ['accountant', 'admin'],
};

/** The roles of which each opens a page here; empty where all do. In the sandbox a developer may do everything. */
export function rolesThatMay(scope: string, mode: 'live' | 'sandbox'): readonly string[] {
  const holders = HOLDERS[scope];
  if (holders === undefined) return [];
  return ORDER.filter((role) => holders.includes(role) || (mode === 'sandbox' && role === 'developer'));
}
