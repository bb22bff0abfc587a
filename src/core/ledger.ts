/**
 * The ledger: money moves from one account to another by one transfer and in no other way. The debit account pays, the
 * credit account receives; a balance is credits minus debits. The world outside the customer accounts: `house-accounts.ts`.
 */
import { assert } from './values/assert.ts';
import { currencyOf } from './values/currencies.ts';
import { missing, type Refusal, refusal } from './values/errors.ts';
import { withFxMoved } from './fx.ts';
import { houseAccount, type HouseKind, sideOfBankAccount } from './house-accounts.ts';
import { formatMoney, MAX_BALANCE_MINOR, parseAmount } from './values/money.ts';
import type { Metadata } from './objects.ts';
import type { Cause, Transfer } from './transfer.ts';
import type { Account } from './account.ts';
import type { Draft } from './draft.ts';

/** A bank account as a side of a movement. What moves it is a booking of its bank, and who books it changes its row. */
export interface BankSide {
  readonly object: 'bank_account';
  readonly id: string;
}

export type Outside = BankSide | HouseKind;
type Side = Account | Outside;

export interface Movement {
  readonly debit: Side;
  readonly credit: Side;
  readonly amount: bigint;
  readonly currency: string;
  readonly cause: Cause;
  readonly causeId: string | null;
  readonly description?: string | null;
  readonly metadata?: Metadata;
  /** Of `fx`: the price of the amount, minor units of the base currency; `null` or left out: not known. */
  readonly baseValue?: bigint | null;
}

/**
 * Refuses a movement that {@link move} could not make: `balance_insufficient`, `balance_too_large`. `most`: the balance that it may
 * lead to; money that comes in or back has {@link MAX_HELD_MINOR}.
 */
export function checkFunds(
  { debit, credit, amount }: Pick<Movement, 'debit' | 'credit' | 'amount'>,
  most = MAX_BALANCE_MINOR,
): Refusal | null {
  if (isCustomers(debit) && debit.balance < amount) {
    const money = (minor: bigint) => formatMoney(minor, debit.currency);
    return refusal(
      'balance_insufficient',
      `Account ${debit.id} holds ${money(debit.balance)}, and ${money(amount)} is needed. Add money to the account, or send less, and use a new Idempotency-Key.`,
      { available_minor: debit.balance, resource_id: debit.id },
    );
  }
  if (isCustomers(credit) && credit.balance + amount > most) {
    const money = (minor: bigint) => formatMoney(minor, credit.currency);
    const message = `Account ${credit.id} holds ${money(credit.balance)}, and ${money(amount)} more would pass the largest balance, ${money(most)}. Use another account.`;
    return refusal('balance_too_large', message, { resource_id: credit.id });
  }
  return null;
}

/**
 * Moves money: one transfer, the new balances of the customer accounts with a `balance.updated` for each, and the position that `fx`
 * holds. Must have passed {@link checkFunds} in the same draft; the database's CHECK stands behind it.
 */
export function move(draft: Draft, movement: Movement): Transfer {
  const { debit, credit, amount, currency } = movement;
  const debitAfter = isCustomers(debit) ? debit.balance - amount : null;
  const creditAfter = isCustomers(credit) ? credit.balance + amount : null;
  const transfer: Transfer = {
    object: 'transfer',
    id: draft.newId('trf'),
    debitAccount: idOfSide(debit, currency),
    creditAccount: idOfSide(credit, currency),
    amount,
    currency,
    cause: movement.cause,
    causeId: movement.causeId,
    debitBalanceAfter: debitAfter,
    creditBalanceAfter: creditAfter,
    description: movement.description ?? null,
    metadata: movement.metadata ?? {},
    createdBy: draft.actor,
    createdAt: draft.atMs,
  };
  draft.addTransfer(transfer);
  const { baseValue = null } = movement;
  if (credit === 'fx') draft.patch({ fx: withFxMoved(draft.fx, currency, amount, baseValue) });
  if (debit === 'fx') draft.patch({ fx: withFxMoved(draft.fx, currency, -amount, baseValue && -baseValue) });
  if (isCustomers(debit) && debitAfter !== null) setBalance(draft, debit, debitAfter, transfer.id);
  if (isCustomers(credit) && creditAfter !== null) setBalance(draft, credit, creditAfter, transfer.id);
  return transfer;
}

const isCustomers = (side: Side): side is Account => typeof side !== 'string' && side.object === 'account';

function idOfSide(side: Side, currency: string): string {
  if (typeof side === 'string') return houseAccount(side, currency);
  return side.object === 'account' ? side.id : sideOfBankAccount(side.id);
}

function setBalance(draft: Draft, account: Account, balance: bigint, transferId: string): void {
  const after: Account = { ...account, balance };
  draft.update(after);
  draft.emit('balance.updated', after, { balance: account.balance }, transferId);
}

/** Opens an account at zero. */
export function openAccount(
  draft: Draft,
  fields: { readonly currency: string; readonly name?: string | null; readonly metadata?: Metadata },
): Account {
  const account: Account = {
    object: 'account',
    id: draft.newId('acct'),
    currency: fields.currency,
    balance: 0n,
    name: fields.name ?? null,
    status: 'open',
    metadata: fields.metadata ?? {},
    createdAt: draft.atMs,
    closedAt: null,
    waiting: null,
  };
  return draft.create(account, 'account.created');
}

/**
 * The account a payment is made from: the named one, or the oldest open one of the currency. Refuses `resource_missing`,
 * `account_currency_mismatch`, `account_closed`, `account_missing`.
 */
export function payingAccount(draft: Draft, id: string | null, currency: string, param: string): Account | Refusal {
  if (id === null) {
    const found = draft.oldestOpenAccount(currency);
    if (found) return found;
    const by = param.replace('account', 'currency'); // `sell_currency` of an exchange
    const message = `${by} is ${currency}, and there is no open account in it. Create one with POST /v1/accounts, or name another account.`;
    return refusal('account_missing', message, { param: by });
  }
  return openAccountNamed(draft, id, currency, param);
}

/** The named account, if it is open and of that currency (`null`: of any). */
export function openAccountNamed(draft: Draft, id: string, currency: string | null, param: string): Account | Refusal {
  const account = draft.find('account', id);
  if (!account) return missing('account', id, param);
  if (currency !== null && account.currency !== currency) {
    const message = `${param} is ${id}, which holds ${account.currency}, not ${currency}. Name an account in ${currency}.`;
    return refusal('account_currency_mismatch', message, { param });
  }
  if (account.status === 'closed') {
    const message = `${param} is ${id}, which is closed and stays closed. Name an open account.`;
    return refusal('account_closed', message, { param, current_status: 'closed' });
  }
  return account;
}

/** Money that comes to a closed account opens it again: only an empty account is closed. */
export function reopened(draft: Draft, account: Account): Account {
  if (account.status === 'open') return account;
  const after: Account = { ...account, status: 'open', closedAt: null };
  return draft.update(after, 'account.updated', { status: account.status });
}

/** An amount whose currency is the account's: transfers and funding name no currency. Refusals name `amount`. */
export function amountOf(account: Account, text: string): bigint | Refusal {
  const currency = currencyOf(account.currency);
  assert(currency, `${account.currency} is an ISO 4217 currency`);
  const amount = parseAmount(text, currency);
  return typeof amount === 'bigint' ? amount : { ...amount, details: { ...amount.details, param: 'amount' } };
}
