/** The decision that changes the settings of an environment. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { unfitApprover } from '../../core/approvals.ts';
import { collecting, isConflict } from '../../core/collection-accounts.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { mergeMetadata, previousMetadata } from '../../core/metadata.ts';
import type { CollectionAccount, Metadata } from '../../core/objects.ts';
import type { PendingBankAccounts, Settings } from './fields.ts';
import type { Draft } from '../../core/draft.ts';
import { isoDay } from '../../core/values/time.ts';
import { type Given, previousOf, withGiven } from '../../core/update.ts';

export interface ApproveBankAccounts {
  readonly type: 'approve_bank_accounts';
}
export interface RejectBankAccounts {
  readonly type: 'reject_bank_accounts';
}

export interface UpdateSettings extends Given<Settings, 'name' | 'logo' | 'accentColor' | 'paymentReminderDays'> {
  readonly type: 'update_settings';
  readonly metadata: Metadata | undefined;
  /** From the day that is on: its statement is the first. */
  readonly dailyStatements: boolean | undefined;
  /** By currency; accounts of other currencies stay. */
  readonly bankAccounts: Readonly<Record<string, CollectionAccount | null>> | undefined;
}

/** The settings of an environment that has set none. */
export const unset = (environmentId: string, atMs: number): Settings => ({
  object: 'settings',
  id: environmentId,
  name: null,
  logo: null,
  accentColor: null,
  bankAccounts: {},
  pendingBankAccounts: null,
  paymentReminderDays: null,
  nextStatementDay: null,
  metadata: {},
  createdAt: atMs,
});

/** Refuses `metadata_invalid` and `bank_account_conflict`. */
export function updateSettings(draft: Draft, command: UpdateSettings): Decision {
  const conflict = conflictIn(draft, command.bankAccounts ?? {});
  if (conflict) return conflict;
  const known = draft.find('settings', draft.state.environment.id);
  const before = known ?? unset(draft.state.environment.id, draft.atMs);
  const held = command.bankAccounts !== undefined && draft.state.environment.payoutRules?.holdBankAccounts === true;
  const bankAccounts = held ? before.bankAccounts : withAccounts(before.bankAccounts, command.bankAccounts ?? {});
  const metadata = mergeMetadata(before.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const metadataBefore = previousMetadata(before.metadata, metadata);
  const after: Settings = {
    ...withGiven(before, command, ['name', 'logo', 'accentColor', 'paymentReminderDays']),
    bankAccounts,
    nextStatementDay: nextStatementDay(draft, before, command.dailyStatements),
    metadata,
    ...(command.bankAccounts && { pendingBankAccounts: held ? pendingOf(draft, command.bankAccounts) : null }),
  };
  const previous = {
    ...previousOf(before, after, ['name']),
    ...(after.logo !== before.logo && { has_logo: before.logo !== null }),
    ...previousOf(before, after, ['accentColor', 'paymentReminderDays']),
    ...((after.nextStatementDay === null) !== (before.nextStatementDay === null) && {
      daily_statements: before.nextStatementDay !== null,
    }),
    ...(accountChanges(before, after).length > 0 && { bank_accounts: before.bankAccounts }),
    ...(after.pendingBankAccounts !== before.pendingBankAccounts && {
      pending_bank_accounts: before.pendingBankAccounts?.accounts ?? null,
    }),
    ...(Object.keys(metadataBefore).length > 0 && { metadata: metadataBefore }),
  };
  if (Object.keys(previous).length === 0) return before;
  if (known) draft.update(after);
  else draft.create(after);
  draft.emit('settings.updated', after, previous);
  draft.audit('settings.updated', null, { changed: changesIn(before, after, previous) });
  return after;
}

/** Refuses an account of another bank account than those that take collections. */
function conflictIn(draft: Draft, accounts: PendingBankAccounts['accounts']): Refusal | null {
  for (const [currency, account] of Object.entries(accounts)) {
    const known = collecting(draft.all('bank_account'), currency);
    if (!isConflict(account, known)) continue;
    const ids = known.map(({ id }) => id).join(', ');
    const message = `Payments in ${currency} come in to ${ids}, which is another account. Name that one, or leave bank_accounts[${currency}] out: pages show it.`;
    return refusal('bank_account_conflict', message, { param: `bank_accounts[${currency}]` });
  }
  return null;
}

function nextStatementDay(draft: Draft, before: Settings, wanted: boolean | undefined): string | null {
  if (wanted === undefined) return before.nextStatementDay;
  return wanted ? (before.nextStatementDay ?? isoDay(draft.atMs)) : null;
}

function pendingOf(draft: Draft, accounts: PendingBankAccounts['accounts']): PendingBankAccounts {
  const approvalsRequired = draft.state.environment.payoutRules?.approvalsRequired ?? 1;
  return { accounts, by: draft.actor, at: draft.atMs, approvalsRequired, approvals: [] };
}

function withAccounts(
  before: Settings['bankAccounts'],
  changes: PendingBankAccounts['accounts'],
): Settings['bankAccounts'] {
  const accounts = new Map(Object.entries(before));
  for (const [currency, account] of Object.entries(changes)) {
    if (account === null) accounts.delete(currency);
    else accounts.set(currency, account);
  }
  return Object.fromEntries([...accounts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** In the audit log. */
const ENTRIES = {
  approve_bank_accounts: 'bank_accounts.approved',
  reject_bank_accounts: 'bank_accounts.rejected',
} as const;

/** Refuses `bank_accounts_not_held`, `approval_by_creator` and `approval_repeated`. */
export function approveBankAccounts(draft: Draft, { type }: ApproveBankAccounts): Decision {
  const before = draft.find('settings', draft.state.environment.id);
  const pending = before?.pendingBankAccounts;
  if (!before || !pending) return notHeld();
  const unfit = unfitApprover(draft, {
    what: 'The change of bank accounts',
    by: [pending.by],
    approvals: pending.approvals,
  });
  if (unfit) return unfit;
  const approvals = [...pending.approvals, { by: draft.actor, at: draft.atMs }];
  const isLast = approvals.length >= pending.approvalsRequired;
  const after: Settings = isLast
    ? { ...before, bankAccounts: withAccounts(before.bankAccounts, pending.accounts), pendingBankAccounts: null }
    : { ...before, pendingBankAccounts: { ...pending, approvals } };
  const previous = { ...(isLast && { bank_accounts: before.bankAccounts }), pending_bank_accounts: pending.accounts };
  const changed = isLast ? changesIn(before, after, previous) : [];
  draft.audit(ENTRIES[type], null, { changed, approvals: approvals.length });
  return draft.update(after, 'settings.updated', previous);
}

/** Refuses `bank_accounts_not_held`. */
export function rejectBankAccounts(draft: Draft, { type }: RejectBankAccounts): Decision {
  const before = draft.find('settings', draft.state.environment.id);
  if (!before?.pendingBankAccounts) return notHeld();
  draft.audit(ENTRIES[type], null, {});
  const previous = { pending_bank_accounts: before.pendingBankAccounts.accounts };
  return draft.update({ ...before, pendingBankAccounts: null }, 'settings.updated', previous);
}

const notHeld = () => refusal('bank_accounts_not_held', 'No change of bank accounts waits for approval.');

/** What an auditor looks for: which settings, and of bank accounts the currency and the last four characters. */
function changesIn(before: Settings, after: Settings, previous: object): readonly string[] {
  const names = Object.keys(previous).filter((name) => name !== 'bank_accounts');
  return [...names.map((name) => (name === 'has_logo' ? 'logo' : name)), ...accountChanges(before, after)];
}

function accountChanges({ bankAccounts: before }: Settings, { bankAccounts: after }: Settings): readonly string[] {
  const currencies = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const last4 = (account?: CollectionAccount) => (account?.['iban'] ?? account?.['account_number'] ?? 'none').slice(-4);
  // Sorted, because jsonb does not keep the order of members.
  const text = (account: CollectionAccount = {}) =>
    JSON.stringify(Object.entries(account).sort(([one], [other]) => (one < other ? -1 : 1)));
  return currencies
    .filter((currency) => text(before[currency]) !== text(after[currency]))
    .map((currency) => `bank_accounts.${currency}: ${last4(before[currency])} → ${last4(after[currency])}`);
}
