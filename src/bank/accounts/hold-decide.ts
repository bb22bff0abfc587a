/**
 * The wall before what payers are shown. With `hold_bank_accounts` a bank account that is to take collections, and the name of the holder of one
 * that does, wait until a second person agrees. What waits is not in force: `uses` and `holder` stay as they were, so that no place that
 * shows an account can show it. To show less never waits. Pure.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type Approve, approved, isLast, newlyAsked, notHeld } from '../../core/approvals.ts';
import { missing, type Refusal } from '../../core/values/errors.ts';
import { type Given, withGiven } from '../../core/update.ts';
import {
  type BankAccount,
  fingerprintOfChanges,
  type PendingAccount,
  shownChanges,
  type ShownToPayers,
} from './fields.ts';

export interface ApproveBankAccount extends Approve {
  readonly type: 'approve_bank_account';
  readonly bankAccount: string;
}
export interface RejectBankAccount {
  readonly type: 'reject_bank_account';
  readonly bankAccount: string;
}

type Shown = ShownToPayers;
const SHOWN = ['holder', 'uses'] as const;
type Changes = Partial<Shown>;

const collects = ({ uses }: Pick<BankAccount, 'uses'>): boolean => uses.includes('collections');

/** The account with what was given, as far as it may be in force now; the rest waits. */
export function withShown(draft: Draft, account: BankAccount, given: Given<Shown, keyof Shown>): BankAccount {
  if (SHOWN.every((name) => given[name] === undefined)) return account;
  const asked = withGiven<Shown, keyof Shown>({ ...account, ...account.pendingChanges?.changes }, given, SHOWN);
  const waits = draft.state.environment.payoutRules?.holdBankAccounts === true && collects(asked);
  const now = waits
    ? { holder: account.holder, uses: asked.uses.filter((use) => use !== 'collections' || collects(account)) }
    : withGiven<Shown, keyof Shown>(account, given, SHOWN);
  const uses = isSame(now, account) ? account.uses : now.uses; // else it would count as changed
  const changes: Changes = {
    ...(asked.holder !== now.holder && { holder: asked.holder }),
    ...(!isSame(asked, now) && { uses: asked.uses }),
  };
  return { ...account, holder: now.holder, uses, pendingChanges: pendingOf(draft, account.pendingChanges, changes) };
}

function pendingOf(draft: Draft, before: PendingAccount | null, changes: Changes): PendingAccount | null {
  if (Object.keys(changes).length === 0) return null;
  // Asked for again, it keeps the approvals that it has.
  if (before && before.changes.holder === changes.holder && isSame(before.changes, changes)) return before;
  const approvalsRequired = draft.state.environment.payoutRules?.approvalsRequired ?? 1;
  return { changes, ...newlyAsked(draft, [...new Set([...(before?.by ?? []), draft.actor])], approvalsRequired) };
}

const isSame = ({ uses }: Partial<Shown>, { uses: others }: Partial<Shown>): boolean => uses?.join() === others?.join();

/** Refuses `resource_missing`, `change_not_held`, and what `approved` refuses. */
export function approveBankAccount(draft: Draft, { bankAccount: id, ...command }: ApproveBankAccount): Decision {
  const account = findHeld(draft, id);
  if (isRefusal(account)) return account;
  const { pendingChanges: pending } = account;
  const seen = { pending, fingerprint: fingerprintOfChanges(account, pending) };
  const waiting = approved(draft, `The change of bank account ${id}`, seen, command);
  if (isRefusal(waiting)) return waiting;
  const { approvals, changes } = waiting;
  const isMade = isLast(waiting);
  const names = SHOWN.filter((name) => changes[name]);
  draft.audit('bank_account.approved', id, { changed: isMade ? names : [], approvals: approvals.length });
  const after: BankAccount = { ...account, ...(isMade && changes), pendingChanges: isMade ? null : waiting };
  forgetOlder(draft, after);
  return draft.update(after, 'bank_account.updated', {
    ...(isMade && Object.fromEntries(names.map((name) => [name, account[name]]))),
    pending_changes: shownChanges(account),
  });
}

/** Refuses `resource_missing` and `change_not_held`. */
export function rejectBankAccount(draft: Draft, { bankAccount: id }: RejectBankAccount): Decision {
  const account = findHeld(draft, id);
  if (isRefusal(account)) return account;
  draft.audit('bank_account.rejected', id, {});
  const previous = { pending_changes: shownChanges(account) };
  return draft.update<BankAccount>({ ...account, pendingChanges: null }, 'bank_account.updated', previous);
}

/** Once it takes collections, payers are never again shown the account that the settings had for its currency. */
export function forgetOlder(draft: Draft, { currency, ...account }: BankAccount): void {
  const settings = draft.find('settings', draft.state.environment.id);
  if (!collects(account) || settings?.bankAccounts[currency] === undefined) return;
  const { [currency]: _, ...others } = settings.bankAccounts;
  draft.update({ ...settings, bankAccounts: others });
}

function findHeld(draft: Draft, id: string): (BankAccount & { readonly pendingChanges: PendingAccount }) | Refusal {
  const account = draft.find('bank_account', id);
  if (!account) return missing('bank account', id);
  const { pendingChanges } = account;
  return pendingChanges === null ? notHeld(`change of bank account ${id}`) : { ...account, pendingChanges };
}
