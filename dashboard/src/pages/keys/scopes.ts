/**
 * The scopes of a key in words, by resource, in the order in which people look for them. Pure. What a resource's `write` lets a key do stands
 * beside its name; without one there is nothing to write. `scopes.test.ts` finds a scope of the API that has no words here.
 */

export interface ScopeWords {
  readonly resource: string;
  readonly name: string;
  readonly reads: string;
  /** Null: there is nothing to write. */
  readonly writes: string | null;
}

export interface ScopeGroup {
  readonly name: string;
  readonly resources: readonly ScopeWords[];
}

const of = (resource: string, name: string, reads: string, writes: string | null = null): ScopeWords => ({
  resource,
  name,
  reads,
  writes,
});

export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  {
    name: 'Money',
    resources: [
      of('payouts', 'Payouts', 'see payouts and batches', 'pay, cancel'),
      of('payroll', 'Payroll', 'see whom salaries, bonuses and pensions pay'),
      of('payout_approvals', 'Approvals', 'see what waits for approval', 'approve and reject what others asked for'),
      of('recipients', 'Recipients', 'see recipients', 'add, change, erase'),
      of('accounts', 'Accounts', 'see accounts, balances, statements', 'open, rename, close'),
      of('transfers', 'Transfers', 'see every movement', 'move between own accounts'),
      of('exchanges', 'Exchanges', 'see exchanges and rates', 'exchange between currencies'),
      of('standing_orders', 'Standing orders', 'see standing orders', 'make, pause, end'),
    ],
  },
  {
    name: 'Payments',
    resources: [
      of('payment_links', 'Payment links', 'see links', 'make, change, deactivate'),
      of('payments', 'Payments', 'see payments received and expected', 'expect, refund'),
    ],
  },
  {
    name: 'Bank',
    resources: [
      of('bank_accounts', 'Bank accounts', 'see bank accounts', 'add, change, close'),
      of('bank_account_approvals', 'Approval of bank accounts', 'see what waits', 'approve, reject'),
      of('bank_entries', 'Bank entries', 'see what banks booked', 'assign, return, void'),
      of('statement_files', 'Files of the bank', 'see imported files', 'import files'),
      of('payment_files', 'Payment files', 'see files for the bank', 'make, download, give up'),
      of('reconciliation', 'Reconciliation', 'see months', 'sign months'),
    ],
  },
  {
    name: 'Developers',
    resources: [
      of('events', 'Events', 'read and stream events', null),
      of('webhook_endpoints', 'Webhooks', 'see endpoints and deliveries', 'make, change, roll, send again'),
      of('request_logs', 'Requests', 'see requests and refusals'),
      of('search', 'Search', 'search over everything it may read'),
      of('summary', 'Summary', 'see the figures of the overview'),
      of('test_helpers', 'Sandbox tools', 'see the clock', 'fund, advance the clock, reset'),
    ],
  },
  {
    name: 'Company',
    resources: [
      of('settings', 'Settings', 'see settings', 'change name, logo, texts'),
      of('payout_rules', 'Rules of payouts', 'see rules', 'freeze, change what needs approval'),
      of('limits', 'Limits', 'see limits', 'set, delete'),
      of('fee_rules', 'Fees', 'see fees', 'set, delete'),
      of('keys', 'Keys', 'see keys', 'make, roll, revoke'),
      of('users', 'People', 'see people', 'invite, change roles, suspend'),
      of('audit_log', 'Audit log', 'read the audit log'),
      of('verification', 'Verification', 'see whether the books are proved'),
    ],
  },
];

const RESOURCES: readonly ScopeWords[] = SCOPE_GROUPS.flatMap(({ resources }) => resources);
const BY_NAME = new Map(RESOURCES.map((words) => [words.resource, words]));

/** How much of a resource a key may do. */
export type Level = 'none' | 'read' | 'write';

/** What is chosen, by resource; `write` includes `read`, as in the API. */
export function levelsOf(scopes: readonly string[]): ReadonlyMap<string, Level> {
  const levels = new Map<string, Level>();
  for (const scope of scopes) {
    const [resource = '', verb] = scope.split(':');
    if (verb === 'write' || !levels.has(resource)) levels.set(resource, verb === 'write' ? 'write' : 'read');
  }
  return levels;
}

/** In the order of this file. */
export function scopesOf(levels: ReadonlyMap<string, Level>): string[] {
  return RESOURCES.flatMap(({ resource }) => {
    const level = levels.get(resource) ?? 'none';
    return level === 'none' ? [] : [`${resource}:${level}`];
  });
}

/** `payouts:write` → "Payouts: pay, cancel"; a scope without words here is shown as it is. */
export function scopeInWords(scope: string): string {
  const [resource = '', verb] = scope.split(':');
  const words = BY_NAME.get(resource);
  if (words === undefined) return scope;
  return `${words.name}: ${verb === 'write' ? (words.writes ?? words.reads) : words.reads}`;
}

/** One line for a list: "writes Payouts, Recipients; reads Accounts". */
export function scopesInShort(scopes: readonly string[] | null): string {
  if (scopes === null) return 'Everything';
  const levels = levelsOf(scopes);
  const named = (level: Level) =>
    [...levels].filter(([, has]) => has === level).map(([resource]) => BY_NAME.get(resource)?.name ?? resource);
  const [writes, reads] = [named('write'), named('read')];
  const parts = [
    ...(writes.length > 0 ? [`writes ${writes.join(', ')}`] : []),
    ...(reads.length > 0 ? [`reads ${reads.join(', ')}`] : []),
  ];
  const line = parts.join('; ');
  return line === '' ? 'Nothing' : `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

/** Chosen with one press, and changed from there. */
export const PRESETS: readonly { readonly name: string; readonly scopes: readonly string[] }[] = [
  {
    name: 'Read everything',
    scopes: RESOURCES.filter(({ resource }) => !['payroll', 'keys', 'users', 'audit_log'].includes(resource)).map(
      ({ resource }) => `${resource}:read`,
    ),
  },
  { name: 'Pay', scopes: ['accounts:read', 'recipients:write', 'payouts:write'] },
  { name: 'Receive', scopes: ['accounts:read', 'payment_links:write', 'payments:write'] },
  {
    name: 'Bank files',
    scopes: ['bank_accounts:read', 'bank_entries:read', 'statement_files:write', 'payment_files:write'],
  },
];
