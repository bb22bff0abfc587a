/** Roles in words, as an admin reads them who gives one. Pure. */

export interface RoleWords {
  readonly role: string;
  readonly name: string;
  readonly may: string;
}

/** From the least to the most. */
export const ROLES: readonly RoleWords[] = [
  { role: 'viewer', name: 'Viewer', may: 'Sees money, payouts, payments and the bank. Changes nothing.' },
  {
    role: 'developer',
    name: 'Developer',
    may: 'Webhooks, keys, events and requests. In the sandbox: everything.',
  },
  {
    role: 'operator',
    name: 'Operator',
    may: 'Recipients, payouts, exchanges, payment links, standing orders, files of the bank.',
  },
  { role: 'approver', name: 'Approver', may: 'Approves or rejects what others asked for.' },
  { role: 'accountant', name: 'Accountant', may: 'Reads the audit log, signs months of bank accounts.' },
  { role: 'admin', name: 'Admin', may: 'People, keys, settings, rules of payouts, fees, bank accounts.' },
];

const NAMES = new Map(ROLES.map(({ role, name }) => [role, name]));

export const roleName = (role: string): string => NAMES.get(role) ?? role;

/** "Admin, Viewer", the strongest first. */
export function rolesInWords(roles: readonly string[]): string {
  const order = ROLES.map(({ role }) => role);
  return [...roles]
    .sort((a, b) => order.indexOf(b) - order.indexOf(a))
    .map(roleName)
    .join(', ');
}

/** What is allowed and still worth a second look: one person who sets the rules and approves by them. */
export function roleWarning(roles: readonly string[]): string | null {
  return roles.includes('admin') && roles.includes('approver')
    ? 'Admin and approver in one hand: this person can change the rules of approval, and approve by them.'
    : null;
}

/** Live roles that move money or people need a second factor to sign in. */
export const needsSecondFactor = (roles: readonly string[]): boolean =>
  roles.some((role) => ['operator', 'approver', 'admin'].includes(role));
