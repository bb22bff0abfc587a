/**
 * The wall before what payers are shown. With `hold_bank_accounts` a bank account that is to take collections, and the name of the holder of one
 * that does, wait until a second person agrees. What waits is not in force: `uses` and `holder` stay as they were, so that no place that
 * shows an account can show it. To show less never waits. Pure.
 */
import { outdated, unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { type Given, withGiven } from '../../core/update.ts';
import { type BankAccount, fingerprintOf, type PendingChange, shownChange } from './fields.ts';

export interface ApproveBankAccount {
  readonly type: 'approve_bank_account';
  readonly bankAccount: string;
  /** Of the change that the approver has seen. */
  readonly fingerprint: string;
}
export interface RejectBankAccount {
  readonly type: 'reject_bank_account';
  readonly bankAccount: string;
}

/** What payers are shown: the account itself never changes. */
type Shown = Pick<BankAccount, 'holder' | 'uses'>;
const SHOWN = ['holder', 'uses'] as const;
type Changes = PendingChange['changes'];

const collects = ({ uses }: Pick<BankAccount, 'uses'>): boolean => uses.includes('collections');

/** The account with what was given, as far as it may be in force now; the rest waits. */
export function withShown(draft: Draft, account: BankAccount, given: Given<Shown, keyof Shown>): BankAccount {
  if (SHOWN.every((name) => given[name] === undefined)) return account;
  const asked = withGiven<Shown, keyof Shown>({ ...account, ...account.pendingChange?.changes }, given, SHOWN);
  const waits = draft.state.environment.payoutRules?.holdBankAccounts === true && collects(asked);
  const now = waits
    ? { holder: account.holder, uses: asked.uses.filter((use) => use !== 'collections' || collects(account)) }
    : withGiven<Shown, keyof Shown>(account, given, SHOWN);
  const uses = isSame(now, account) ? account.uses : now.uses; // else it would count as changed
  const changes: Changes = {
    ...(asked.holder !== now.holder && { holder: asked.holder }),
    ...(!isSame(asked, now) && { uses: asked.uses }),
  };
  return { ...account, holder: now.holder, uses, pendingChange: pendingOf(draft, account.pendingChange, changes) };
}

function pendingOf(draft: Draft, before: PendingChange | null, changes: Changes): PendingChange | null {
  if (Object.keys(changes).length === 0) return null;
  // Asked for again, it keeps the approvals that it has.
  if (before && before.changes.holder === changes.holder && isSame(before.changes, changes)) return before;
  const approvalsRequired = draft.state.environment.payoutRules?.approvalsRequired ?? 1;
  const by = [...new Set([...(before?.by ?? []), draft.actor])];
  return { changes, by, at: draft.atMs, approvalsRequired, approvals: [] };
}

const isSame = ({ uses }: Partial<Shown>, { uses: others }: Partial<Shown>): boolean => uses?.join() === others?.join();

/** Refuses `resource_missing`, `change_not_held`, `approval_outdated` and what `unfitApprover` refuses. */
export function approveBankAccount(draft: Draft, { bankAccount: id, fingerprint }: ApproveBankAccount): Decision {
  const found = findHeld(draft, id);
  if (isRefusal(found)) return found;
  const { account, pending } = found;
  const { by, approvalsRequired, changes } = pending;
  const what = `The change of bank account ${id}`;
  if (fingerprint !== fingerprintOf(pending)) return outdated(what);
  const unfit = unfitApprover(draft, { what, by, approvals: pending.approvals });
  if (unfit) return unfit;
  const approvals = [...pending.approvals, { by: draft.actor, at: draft.atMs }];
  const isLast = approvals.length >= approvalsRequired;
  draft.audit('bank_accounts.approved', id, {
    changed: isLast ? Object.keys(changes) : [],
    approvals: approvals.length,
  });
  const previous = Object.fromEntries(SHOWN.filter((name) => changes[name]).map((name) => [name, account[name]]));
  const after: BankAccount = isLast
    ? { ...account, ...changes, pendingChange: null }
    : { ...account, pendingChange: { ...pending, approvals } };
  forgetOlder(draft, after);
  return draft.update(after, 'bank_account.updated', {
    ...(isLast && previous),
    pending_change: shownChange(pending),
  });
}

/** Refuses `resource_missing` and `change_not_held`. */
export function rejectBankAccount(draft: Draft, { bankAccount: id }: RejectBankAccount): Decision {
  const found = findHeld(draft, id);
  if (isRefusal(found)) return found;
  draft.audit('bank_accounts.rejected', id, {});
  const previous = { pending_change: shownChange(found.pending) };
  return draft.update<BankAccount>({ ...found.account, pendingChange: null }, 'bank_account.updated', previous);
}

/** Once it takes collections, payers are never again shown the account that the settings had for its currency. */
export function forgetOlder(draft: Draft, { currency, ...account }: BankAccount): void {
  const settings = draft.find('settings', draft.state.environment.id);
  if (!collects(account) || settings?.bankAccounts[currency] === undefined) return;
  const { [currency]: _, ...others } = settings.bankAccounts;
  draft.update({ ...settings, bankAccounts: others });
}

function findHeld(draft: Draft, id: string): { account: BankAccount; pending: PendingChange } | Refusal {
  const account = draft.find('bank_account', id);
  if (!account) return missing('bank account', id);
  const { pendingChange: pending } = account;
  if (pending) return { account, pending };
  return refusal('change_not_held', `No change of bank account ${id} waits for approval.`);
}
