/**
 * Rules of the operator: made, deleted, and what they do with an entry that names nothing. The oldest rule that means it decides; if its
 * target cannot take the money, it waits for a person. The bank's own charges come after the rules, unless that is off. Pure.
 */
import { isCharge, MAX_BANK_RULES, type Rules } from './bank-rules.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { checkFunds, move, openAccountNamed, type Movement } from '../../core/ledger.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import type { Stored } from '../../core/objects.ts';
import type { BankEntry, BankRule } from './fields.ts';
import { bankOrHouseOf, type Found, NOWHERE } from './parts.ts';

type BankAccount = Stored['bank_account'];

export interface CreateBankRule {
  readonly type: 'create_bank_rule';
  readonly rule: Omit<BankRule, 'object' | 'id' | 'status' | 'createdAt'>;
}

export interface DeleteBankRule {
  readonly type: 'delete_bank_rule';
  readonly rule: string;
}

/** Refuses `bank_rule_count`, and `resource_missing`, `account_closed`, `account_currency_mismatch`, `parameter_invalid` for its target. */
export function createBankRule(draft: Draft, { rule: given }: CreateBankRule): Decision {
  const active = draft.all('bank_rule').filter(({ status }) => status === 'active');
  const { bankAccount, target, currency } = given;
  const own = bankAccount === null ? undefined : draft.find('bank_account', bankAccount);
  if (bankAccount !== null && !own) return missing('bank account', bankAccount, 'bank_account');
  if (own && currency !== null && own.currency !== currency) {
    const message = `currency is ${currency}, and bank account ${own.id} holds ${own.currency}. Leave currency out, or name another bank account.`;
    return refusal('parameter_invalid', message, { param: 'currency' });
  }
  const place = { currency: own?.currency ?? currency, bankAccount, param: 'to' };
  const found = bankOrHouseOf(draft, target, place) ?? openAccountNamed(draft, target, place.currency, 'to');
  if (typeof found === 'object' && isRefusal(found)) return found;
  if (active.length >= MAX_BANK_RULES) {
    return refusal('bank_rule_count', `An environment has at most ${MAX_BANK_RULES} rules. Delete one first.`);
  }
  const rule: BankRule = {
    object: 'bank_rule',
    id: draft.newId('br'),
    ...given,
    status: 'active',
    createdAt: draft.atMs,
  };
  draft.audit('bank_rule.created', rule.id, { name: rule.name, to: target });
  return draft.create(rule);
}

/** What it has assigned stays. Refuses `resource_missing`. */
export function deleteBankRule(draft: Draft, { rule: id }: DeleteBankRule): Decision {
  const rule = draft.find('bank_rule', id);
  if (!rule || rule.status === 'deleted') return missing('bank rule', id);
  draft.audit('bank_rule.deleted', id, { name: rule.name });
  draft.update({ ...rule, status: 'deleted' } as const);
  return { object: 'deleted', kind: 'bank_rule', id };
}

type Ruled = Pick<BankEntry, 'direction' | 'amount' | 'explanation'>;

/** Moves an entry that names nothing to where a rule says, or nowhere. */
export function placeByRule(
  draft: Draft,
  account: BankAccount,
  { line, rules }: { readonly line: Ruled; readonly rules: Rules<BankRule> },
  causeId: string,
): Found {
  const { direction, amount, explanation } = line;
  const entry = { ...explanation, bankAccount: account.id, direction, currency: account.currency, amount };
  const rule = rules.find(entry);
  const isOwnCharge = account.charges === 'to_fees' && direction === 'debit' && isCharge(entry.transactionCode);
  const to = rule?.target ?? (isOwnCharge ? 'fees' : null);
  const target = to === null ? null : sideOf(draft, account, to);
  if (to === null || target === null) return NOWHERE;
  const sides = direction === 'credit' ? { debit: account, credit: target } : { debit: target, credit: account };
  const unfunded = checkFunds({ ...sides, amount }, MAX_HELD_MINOR);
  if (unfunded) return { parts: [], conflicts: [unfunded.message] };
  const { id: transfer } = move(draft, { ...sides, amount, currency: account.currency, cause: 'bank_entry', causeId });
  const reason = rule === undefined ? 'Charge of the bank, by its code' : `${rule.name} (${rule.id})`;
  return { parts: [{ to, amount, transfer, reason }], conflicts: [] };
}

/** `null`: it takes no money of this bank account, or none any longer. */
function sideOf(draft: Draft, { id, currency }: BankAccount, to: string): Movement['debit'] | null {
  const found = bankOrHouseOf(draft, to, { currency, bankAccount: id, param: 'to' });
  if (found !== null) return typeof found === 'string' ? found : null;
  const account = draft.find('account', to);
  return account?.status === 'open' && account.currency === currency ? account : null;
}
