/** Every page: its address below the mode, its code, what one has to hold for it, and where it stands in the navigation. One line a page. */
import { late, type LatePage } from './late.tsx';
import type { IconName } from './ui/icons.tsx';

export interface Entry {
  readonly word: string;
  readonly group: '' | 'Money' | 'Bank' | 'Developers' | 'Company';
  readonly icon: IconName;
  /** Other addresses at which it is the current one. */
  readonly also?: readonly string[];
  /** What of the summary stands beside the word, where it is not zero. */
  readonly counts?: 'held';
  /** In live the entry is absent. */
  readonly isOfSandbox?: boolean;
}

export interface PageRow {
  readonly path: string;
  readonly page: LatePage;
  /** Who does not hold it finds no entry, and at the address the words who can give it. */
  readonly scope?: string;
  /** As in "You may not see keys". */
  readonly verb?: string;
  readonly entry?: Entry;
}

/** The entries of the navigation for who may do this, in the sandbox or in live. Pure. */
export const entriesFor = (may: (scope: string) => boolean, isSandbox: boolean) =>
  PAGES.flatMap(({ path, scope, entry }) => {
    const isAbsent =
      entry === undefined || (scope !== undefined && !may(scope)) || (entry.isOfSandbox === true && !isSandbox);
    return isAbsent ? [] : [{ path, ...entry }];
  });

export const PAGES: readonly PageRow[] = [
  {
    path: '/',
    page: late(async () => (await import('./pages/overview/overview.tsx')).Overview),
    entry: { word: 'Overview', group: '', icon: 'overview' },
  },
  {
    path: '/approvals',
    page: late(async () => (await import('./pages/approvals/approvals.tsx')).Approvals),
    scope: 'payout_approvals:read',
    verb: 'see approvals',
    entry: { word: 'Approvals', group: '', icon: 'approvals', counts: 'held' },
  },
  {
    path: '/payouts',
    page: late(async () => (await import('./pages/payouts/payouts.tsx')).Payouts),
    scope: 'payouts:read',
    verb: 'see payouts',
    entry: { word: 'Payouts', group: 'Money', icon: 'payouts' },
  },
  {
    path: '/payouts/new',
    page: late(async () => (await import('./pages/payouts/new-payout.tsx')).NewPayout),
    scope: 'payouts:write',
    verb: 'pay',
  },
  {
    path: '/payouts/:id',
    page: late(async () => (await import('./pages/payouts/payout.tsx')).Payout),
    scope: 'payouts:read',
    verb: 'see payouts',
  },
  {
    path: '/batches',
    page: late(async () => (await import('./pages/batches/batches.tsx')).Batches),
    scope: 'payouts:read',
    verb: 'see batches',
    entry: { word: 'Batches', group: 'Money', icon: 'batches' },
  },
  {
    path: '/batches/new',
    page: late(async () => (await import('./pages/batches/new-batch.tsx')).NewBatch),
    scope: 'payouts:write',
    verb: 'pay from a file',
  },
  {
    path: '/batches/:id',
    page: late(async () => (await import('./pages/batches/batch.tsx')).Batch),
    scope: 'payouts:read',
    verb: 'see batches',
  },
  {
    path: '/accounts',
    page: late(async () => (await import('./pages/accounts/accounts.tsx')).Accounts),
    scope: 'accounts:read',
    verb: 'see accounts',
    entry: { word: 'Accounts', group: 'Money', icon: 'accounts' },
  },
  {
    path: '/accounts/:id',
    page: late(async () => (await import('./pages/accounts/account.tsx')).Account),
    scope: 'accounts:read',
    verb: 'see accounts',
  },
  {
    path: '/recipients',
    page: late(async () => (await import('./pages/recipients/recipients.tsx')).Recipients),
    scope: 'recipients:read',
    verb: 'see recipients',
    entry: { word: 'Recipients', group: 'Money', icon: 'recipients' },
  },
  {
    path: '/recipients/new',
    page: late(async () => (await import('./pages/recipients/new-recipient.tsx')).NewRecipient),
    scope: 'recipients:write',
    verb: 'add recipients',
  },
  {
    path: '/recipients/:id',
    page: late(async () => (await import('./pages/recipients/recipient.tsx')).Recipient),
    scope: 'recipients:read',
    verb: 'see recipients',
  },
  {
    path: '/payments',
    page: late(async () => (await import('./pages/payments/payments.tsx')).Payments),
    scope: 'payments:read',
    verb: 'see payments',
    entry: { word: 'Payments', group: 'Money', icon: 'payments', also: ['/payment-links', '/expected-payments'] },
  },
  {
    path: '/payments/:id',
    page: late(async () => (await import('./pages/payments/payment.tsx')).Payment),
    scope: 'payments:read',
    verb: 'see payments',
  },
  {
    path: '/payment-links',
    page: late(async () => (await import('./pages/payments/links.tsx')).PaymentLinks),
    scope: 'payment_links:read',
    verb: 'see payment links',
  },
  {
    path: '/payment-links/new',
    page: late(async () => (await import('./pages/payments/new-link.tsx')).NewPaymentLink),
    scope: 'payment_links:write',
    verb: 'make payment links',
  },
  {
    path: '/payment-links/:id',
    page: late(async () => (await import('./pages/payments/link.tsx')).PaymentLink),
    scope: 'payment_links:read',
    verb: 'see payment links',
  },
  {
    path: '/expected-payments',
    page: late(async () => (await import('./pages/payments/expected.tsx')).ExpectedPayments),
    scope: 'payments:read',
    verb: 'see expected payments',
  },
  {
    path: '/expected-payments/new',
    page: late(async () => (await import('./pages/payments/new-expected.tsx')).NewExpectedPayment),
    scope: 'payments:write',
    verb: 'expect payments',
  },
  {
    path: '/expected-payments/:id',
    page: late(async () => (await import('./pages/payments/one-expected.tsx')).ExpectedPayment),
    scope: 'payments:read',
    verb: 'see expected payments',
  },
  {
    path: '/exchanges',
    page: late(async () => (await import('./pages/exchanges/exchanges.tsx')).Exchanges),
    scope: 'exchanges:read',
    verb: 'see exchanges',
    entry: { word: 'Exchanges', group: 'Money', icon: 'exchanges' },
  },
  {
    path: '/exchanges/new',
    page: late(async () => (await import('./pages/exchanges/new-exchange.tsx')).NewExchange),
    scope: 'exchanges:write',
    verb: 'exchange money',
  },
  {
    path: '/exchanges/:id',
    page: late(async () => (await import('./pages/exchanges/exchange.tsx')).Exchange),
    scope: 'exchanges:read',
    verb: 'see exchanges',
  },
  {
    path: '/standing-orders',
    page: late(async () => (await import('./pages/standing-orders/orders.tsx')).StandingOrders),
    scope: 'standing_orders:read',
    verb: 'see standing orders',
    entry: { word: 'Standing orders', group: 'Money', icon: 'repeat' },
  },
  {
    path: '/standing-orders/new',
    page: late(async () => (await import('./pages/standing-orders/new-order.tsx')).NewStandingOrder),
    scope: 'standing_orders:write',
    verb: 'make standing orders',
  },
  {
    path: '/standing-orders/:id',
    page: late(async () => (await import('./pages/standing-orders/order.tsx')).StandingOrder),
    scope: 'standing_orders:read',
    verb: 'see standing orders',
  },
  {
    path: '/bank-accounts',
    page: late(async () => (await import('./pages/bank/banks.tsx')).BankAccounts),
    scope: 'bank_accounts:read',
    verb: 'see bank accounts',
    entry: { word: 'Bank accounts', group: 'Bank', icon: 'bank' },
  },
  {
    path: '/bank-accounts/:id',
    page: late(async () => (await import('./pages/bank/bank.tsx')).OneBankAccount),
    scope: 'bank_accounts:read',
    verb: 'see bank accounts',
  },
  {
    path: '/bank-accounts/:id/month',
    page: late(async () => (await import('./pages/bank/month.tsx')).Month),
    scope: 'reconciliation:read',
    verb: 'see months of bank accounts',
  },
  {
    path: '/payment-files/:id',
    page: late(async () => (await import('./pages/bank/payment-file.tsx')).PaymentFile),
    scope: 'payment_files:read',
    verb: 'see payment files',
  },
  {
    path: '/bank-statements/:id',
    page: late(async () => (await import('./pages/bank/statement.tsx')).Statement),
    scope: 'statement_files:read',
    verb: 'see statements of banks',
  },
  {
    path: '/bank-entries/:id',
    page: late(async () => (await import('./pages/bank/bank-entry.tsx')).OneBankEntry),
    scope: 'bank_entries:read',
    verb: 'see entries of banks',
  },
  {
    path: '/bank-rules',
    page: late(async () => (await import('./pages/bank/rules.tsx')).BankRules),
    scope: 'bank_entries:read',
    verb: 'see rules for entries of banks',
  },
  {
    path: '/unmatched',
    page: late(async () => (await import('./pages/bank/unmatched.tsx')).Unmatched),
    scope: 'bank_entries:read',
    verb: 'see unmatched money',
    entry: { word: 'Unmatched', group: 'Bank', icon: 'alert' },
  },
  {
    path: '/files',
    page: late(async () => (await import('./pages/bank/files.tsx')).Files),
    scope: 'payment_files:read',
    verb: 'see files',
    entry: { word: 'Files', group: 'Bank', icon: 'copy' },
  },
  {
    path: '/webhooks',
    page: late(async () => (await import('./pages/webhooks/webhooks.tsx')).Webhooks),
    scope: 'webhook_endpoints:read',
    verb: 'see webhooks',
    entry: { word: 'Webhooks', group: 'Developers', icon: 'webhooks' },
  },
  {
    path: '/webhooks/new',
    page: late(async () => (await import('./pages/webhooks/new-webhook.tsx')).NewWebhook),
    scope: 'webhook_endpoints:write',
    verb: 'add endpoints',
  },
  {
    path: '/webhooks/:id',
    page: late(async () => (await import('./pages/webhooks/webhook.tsx')).Webhook),
    scope: 'webhook_endpoints:read',
    verb: 'see webhooks',
  },
  {
    path: '/events',
    page: late(async () => (await import('./pages/events/events.tsx')).Events),
    scope: 'events:read',
    verb: 'see events',
    entry: { word: 'Events', group: 'Developers', icon: 'events' },
  },
  {
    path: '/events/:id',
    page: late(async () => (await import('./pages/events/events.tsx')).Events),
    scope: 'events:read',
    verb: 'see events',
  },
  {
    path: '/requests',
    page: late(async () => (await import('./pages/requests/requests.tsx')).Requests),
    scope: 'request_logs:read',
    verb: 'see requests',
    entry: { word: 'Requests', group: 'Developers', icon: 'requests' },
  },
  {
    path: '/requests/:id',
    page: late(async () => (await import('./pages/requests/requests.tsx')).Requests),
    scope: 'request_logs:read',
    verb: 'see requests',
  },
  {
    path: '/keys',
    page: late(async () => (await import('./pages/keys/keys.tsx')).Keys),
    scope: 'keys:read',
    verb: 'see keys',
    entry: { word: 'Keys', group: 'Developers', icon: 'keys' },
  },
  {
    path: '/keys/new',
    page: late(async () => (await import('./pages/keys/new-key.tsx')).NewKey),
    scope: 'keys:write',
    verb: 'make keys',
  },
  {
    path: '/keys/:id',
    page: late(async () => (await import('./pages/keys/key.tsx')).OneKey),
    scope: 'keys:read',
    verb: 'see keys',
  },
  {
    path: '/rules',
    page: late(async () => (await import('./pages/rules/rules.tsx')).Rules),
    scope: 'payout_rules:read',
    verb: 'see rules',
    entry: { word: 'Rules and limits', group: 'Company', icon: 'rules' },
  },
  {
    path: '/people',
    page: late(async () => (await import('./pages/people/people.tsx')).People),
    scope: 'users:read',
    verb: 'see people',
    entry: { word: 'People', group: 'Company', icon: 'people' },
  },
  {
    path: '/people/new',
    page: late(async () => (await import('./pages/people/invite.tsx')).Invite),
    scope: 'users:write',
    verb: 'invite people',
  },
  {
    path: '/people/:id',
    page: late(async () => (await import('./pages/people/person.tsx')).OnePerson),
    scope: 'users:read',
    verb: 'see people',
  },
  {
    path: '/audit',
    page: late(async () => (await import('./pages/audit/audit.tsx')).AuditLog),
    scope: 'audit_log:read',
    verb: 'see the audit log',
    entry: { word: 'Audit log', group: 'Company', icon: 'audit' },
  },
  {
    path: '/settings',
    page: late(async () => (await import('./pages/settings/settings.tsx')).Settings),
    scope: 'settings:read',
    verb: 'see settings',
    entry: { word: 'Settings', group: 'Company', icon: 'settings' },
  },
  {
    path: '/sandbox-tools',
    page: late(async () => (await import('./pages/sandbox/tools.tsx')).SandboxTools),
    scope: 'test_helpers:write',
    verb: 'use the sandbox tools',
    entry: {
      word: 'Sandbox tools',
      group: 'Developers',
      icon: 'flask',
      isOfSandbox: true,
    },
  },
  { path: '/me', page: late(async () => (await import('./pages/me/me.tsx')).Me) },
];

/** The page at an address below the mode, `/payouts/po_…`; `undefined`: there is none. Pure. */
export function rowAt(path: string): PageRow | undefined {
  const given = path.replace(/\/$/, '').split('/');
  return PAGES.find((row) => {
    const parts = row.path.replace(/\/$/, '').split('/');
    return parts.length === given.length && parts.every((part, n) => part.startsWith(':') || part === given[n]);
  });
}
