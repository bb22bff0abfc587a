/** Every page: its address below the mode, its code, and where it stands in the navigation. One line a page. */
import { type ComponentType, lazy } from 'react';
import type { IconName } from './ui/icons.tsx';

export interface Entry {
  readonly word: string;
  readonly group: '' | 'Money' | 'Bank' | 'Developers' | 'Company';
  readonly icon: IconName;
  /** Without it the entry is absent. */
  readonly scope?: string;
  /** In live the entry is absent. */
  readonly isOfSandbox?: boolean;
}

export interface PageRow {
  readonly path: string;
  readonly page: ComponentType;
  readonly entry?: Entry;
}

/** Code that comes when the page is opened. */
const late = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

export const PAGES: readonly PageRow[] = [
  {
    path: '/',
    page: late(async () => (await import('./pages/overview/overview.tsx')).Overview),
    entry: { word: 'Overview', group: '', icon: 'overview' },
  },
  {
    path: '/payouts',
    page: late(async () => (await import('./pages/payouts/payouts.tsx')).Payouts),
    entry: { word: 'Payouts', group: 'Money', icon: 'payouts', scope: 'payouts:read' },
  },
  { path: '/payouts/:id', page: late(async () => (await import('./pages/payouts/payout.tsx')).Payout) },
  {
    path: '/accounts',
    page: late(async () => (await import('./pages/accounts/accounts.tsx')).Accounts),
    entry: { word: 'Accounts', group: 'Money', icon: 'accounts', scope: 'accounts:read' },
  },
  { path: '/accounts/:id', page: late(async () => (await import('./pages/accounts/account.tsx')).Account) },
  {
    path: '/recipients',
    page: late(async () => (await import('./pages/recipients/recipients.tsx')).Recipients),
    entry: { word: 'Recipients', group: 'Money', icon: 'recipients', scope: 'recipients:read' },
  },
  { path: '/recipients/:id', page: late(async () => (await import('./pages/recipients/recipient.tsx')).Recipient) },
  {
    path: '/bank-accounts',
    page: late(async () => (await import('./pages/bank/banks.tsx')).BankAccounts),
    entry: { word: 'Bank accounts', group: 'Bank', icon: 'bank', scope: 'bank_accounts:read' },
  },
  {
    path: '/unmatched',
    page: late(async () => (await import('./pages/bank/unmatched.tsx')).Unmatched),
    entry: { word: 'Unmatched', group: 'Bank', icon: 'alert', scope: 'bank_entries:read' },
  },
  {
    path: '/files',
    page: late(async () => (await import('./pages/bank/files.tsx')).Files),
    entry: { word: 'Files', group: 'Bank', icon: 'copy', scope: 'payment_files:read' },
  },
  {
    path: '/webhooks',
    page: late(async () => (await import('./pages/webhooks/webhooks.tsx')).Webhooks),
    entry: { word: 'Webhooks', group: 'Developers', icon: 'webhooks', scope: 'webhook_endpoints:read' },
  },
  { path: '/webhooks/:id', page: late(async () => (await import('./pages/webhooks/webhook.tsx')).Webhook) },
  {
    path: '/events',
    page: late(async () => (await import('./pages/events/events.tsx')).Events),
    entry: { word: 'Events', group: 'Developers', icon: 'events', scope: 'events:read' },
  },
  { path: '/events/:id', page: late(async () => (await import('./pages/events/events.tsx')).Events) },
  {
    path: '/requests',
    page: late(async () => (await import('./pages/requests/requests.tsx')).Requests),
    entry: { word: 'Requests', group: 'Developers', icon: 'requests', scope: 'request_logs:read' },
  },
  { path: '/requests/:id', page: late(async () => (await import('./pages/requests/requests.tsx')).Requests) },
  {
    path: '/keys',
    page: late(async () => (await import('./pages/keys/keys.tsx')).Keys),
    entry: { word: 'Keys', group: 'Developers', icon: 'keys', scope: 'keys:read' },
  },
  { path: '/keys/:id', page: late(async () => (await import('./pages/keys/keys.tsx')).Keys) },
  {
    path: '/people',
    page: late(async () => (await import('./pages/people/people.tsx')).People),
    entry: { word: 'People', group: 'Company', icon: 'people', scope: 'users:read' },
  },
  { path: '/people/:id', page: late(async () => (await import('./pages/people/people.tsx')).People) },
  {
    path: '/audit',
    page: late(async () => (await import('./pages/audit/audit.tsx')).AuditLog),
    entry: { word: 'Audit log', group: 'Company', icon: 'audit', scope: 'audit_log:read' },
  },
  {
    path: '/settings',
    page: late(async () => (await import('./pages/settings/settings.tsx')).Settings),
    entry: { word: 'Settings', group: 'Company', icon: 'settings', scope: 'settings:read' },
  },
  {
    path: '/sandbox-tools',
    page: late(async () => (await import('./pages/sandbox/tools.tsx')).SandboxTools),
    entry: {
      word: 'Sandbox tools',
      group: 'Developers',
      icon: 'flask',
      scope: 'test_helpers:write',
      isOfSandbox: true,
    },
  },
  { path: '/me', page: late(async () => (await import('./pages/me/me.tsx')).Me) },
];
