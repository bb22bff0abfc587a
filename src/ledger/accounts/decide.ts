/** Decisions about accounts: open, update, close, and fund in the sandbox. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { amountOf, checkFunds, move, openAccount, openAccountNamed } from '../../core/ledger.ts';
import { mergeMetadata, newMetadata } from '../../core/metadata.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Account } from '../../core/account.ts';
import type { Draft } from '../../core/draft.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';

interface CreateAccount extends Pick<Account, 'currency' | 'name'>, Given<Account, 'metadata'> {
  readonly type: 'create_account';
}

interface Named<T extends string> {
  readonly type: T;
  readonly account: string;
}

type UpdateAccount = Named<'update_account'> & Given<Account, 'name' | 'metadata'>;

/** `amount`: decimal text in major units of the account's currency. */
type FundAccount = Named<'fund_account'> & { readonly amount: string };

export function createAccount(draft: Draft, { currency, name, metadata }: CreateAccount): Decision {
  return openAccount(draft, { currency, name, metadata: newMetadata(metadata) });
}

export function updateAccount(draft: Draft, command: UpdateAccount): Decision {
  const account = draft.find('account', command.account);
  if (!account) return missing('account', command.account);
  const metadata = mergeMetadata(account.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const after = { ...withGiven(account, command, ['name']), metadata };
  return update(draft, account, after, previousOf(account, after, ['name']), 'account.updated');
}

export function closeAccount(draft: Draft, command: Named<'close_account'>): Decision {
  const account = openAccountNamed(draft, command.account, null, 'id');
  if (isRefusal(account)) return account;
  if (account.balance !== 0n) {
    const message = `Account ${account.id} holds ${formatMoney(account.balance, account.currency)}. Move the money out first, with a transfer, an exchange or a payout.`;
    return refusal('account_not_empty', message, { available_minor: account.balance });
  }
  const after: Account = { ...account, status: 'closed', closedAt: draft.atMs };
  return draft.update(after, 'account.closed', { status: 'open' });
}

/** Sandbox only: credits an account from the `bank` house account. */
export function fundAccount(draft: Draft, command: FundAccount): Decision {
  const account = openAccountNamed(draft, command.account, null, 'id');
  if (isRefusal(account)) return account;
  const amount = amountOf(account, command.amount);
  if (typeof amount !== 'bigint') return amount;
  const movement = { debit: 'bank', credit: account, amount } as const;
  const unfunded = checkFunds(movement);
  if (unfunded) return unfunded;
  move(draft, { ...movement, currency: account.currency, cause: 'funding', causeId: null });
  return draft.find('account', account.id) as Account;
}
