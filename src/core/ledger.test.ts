/** The ledger: house accounts, what a movement writes, and what it refuses. */
import { describe, expect, it } from 'vitest';
import { account, AT, environment, idAt, seededIds } from '../../test/support/harness/literals.ts';
import { CURRENCIES } from './values/currencies.ts';
import { idSource } from './values/ids.ts';
import { amountOf, checkFunds, move, openAccount, openAccountNamed, payingAccount } from './ledger.ts';
import { HOUSE_KINDS, houseAccount, houseOf } from './house-accounts.ts';
import { MAX_BALANCE_MINOR } from './values/money.ts';
import type { Account } from './account.ts';
import { Draft } from './draft.ts';
import { State } from './state.ts';

function draftOf(...accounts: readonly Account[]): Draft {
  const state = new State(environment());
  for (const each of accounts) state.put(each);
  return new Draft(state, { atMs: AT, ids: seededIds(), actor: 'worker' });
}

describe('house accounts', () => {
  it('have one id each, that says which they are', () => {
    const ids = CURRENCIES.flatMap(({ code }) => HOUSE_KINDS.map((kind) => houseAccount(kind, code)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(houseOf(houseAccount('in_transit', 'KWD'))).toEqual({ kind: 'in_transit', currency: 'KWD' });
    for (const { code } of CURRENCIES) {
      for (const kind of HOUSE_KINDS) expect(houseOf(houseAccount(kind, code))).toEqual({ kind, currency: code });
    }
  });

  it('keep their ids for ever: they stand in stored transfers', () => {
    expect([houseAccount('bank', 'EUR'), houseAccount('in_transit', 'EUR'), houseAccount('fx', 'USD')]).toEqual([
      'acct_0000000000g0080000000manaj',
      'acct_0000000000g00800000014anaj',
      'acct_0000000000g0080000001namt4',
    ]);
  });

  it('are no customer account, and no customer account is one', () => {
    expect(houseOf(idSource(AT).next('acct'))).toBeUndefined();
    expect(houseOf(idAt('acct', 1))).toBeUndefined();
  });
});

describe('move', () => {
  it('writes one transfer, the new balances, and one event for each', () => {
    const [from, to] = [account(), account({ id: idAt('acct', 2), balance: 1n })];
    const draft = draftOf(from, to);
    const transfer = move(draft, {
      debit: from,
      credit: to,
      amount: 40n,
      currency: 'EUR',
      cause: 'transfer',
      causeId: null,
    });
    expect(transfer).toMatchObject({ debitBalanceAfter: 99_960n, creditBalanceAfter: 41n, amount: 40n, createdAt: AT });
    expect(draft.changes.map((change) => change.kind)).toEqual(['transfer', 'object', 'event', 'object', 'event']);
    expect(draft.find('account', from.id)?.balance).toBe(99_960n);
    expect(draft.find('account', to.id)?.balance).toBe(41n);
    expect(draft.state.tables.account.get(from.id)).toBe(from);
  });

  it('writes no balance for a house account', () => {
    const draft = draftOf();
    const transfer = move(draft, {
      debit: 'in_transit',
      credit: 'bank',
      amount: 1n,
      currency: 'USD',
      cause: 'payout_settlement',
      causeId: null,
    });
    expect(transfer).toMatchObject({
      debitAccount: houseAccount('in_transit', 'USD'),
      creditAccount: houseAccount('bank', 'USD'),
      debitBalanceAfter: null,
      creditBalanceAfter: null,
    });
    expect(draft.changes.map((change) => change.kind)).toEqual(['transfer']);
  });
});

describe('checkFunds', () => {
  it('lets a balance go to zero and to the largest, and no further', () => {
    const holds = (balance: bigint) => account({ balance });
    expect(checkFunds({ debit: holds(5n), credit: 'bank', amount: 5n })).toBeNull();
    expect(checkFunds({ debit: holds(5n), credit: 'bank', amount: 6n })).toMatchObject({
      code: 'balance_insufficient',
      message: expect.stringMatching(/and use a new Idempotency-Key\.$/), // the old one repeats the refusal
      details: { available_minor: 5n },
    });
    expect(checkFunds({ debit: 'bank', credit: holds(MAX_BALANCE_MINOR - 5n), amount: 5n })).toBeNull();
    expect(checkFunds({ debit: 'bank', credit: holds(MAX_BALANCE_MINOR - 5n), amount: 6n })?.code).toBe(
      'balance_too_large',
    );
  });

  it('says what is there in words', () => {
    const { message } = checkFunds({ debit: account({ balance: 1250n }), credit: 'bank', amount: 25_000n }) ?? {};
    expect(message).toContain('12.50 EUR');
    expect(message).toContain('250.00 EUR');
  });
});

describe('finding accounts', () => {
  it('takes the oldest open one of the currency, or says that there is none', () => {
    const closed = account({ id: idAt('acct', 1), status: 'closed', balance: 0n });
    const [second, third] = [account({ id: idAt('acct', 2) }), account({ id: idAt('acct', 3) })];
    expect(payingAccount(draftOf(third, second, closed), null, 'EUR', 'account')).toBe(second);
    expect(payingAccount(draftOf(closed), null, 'EUR', 'account')).toMatchObject({ code: 'account_missing' });
    expect(payingAccount(draftOf(second), null, 'USD', 'account')).toMatchObject({ code: 'account_missing' });
  });

  it('sees what the same decision opened', () => {
    const draft = draftOf();
    const opened = openAccount(draft, { currency: 'EUR' });
    expect(payingAccount(draft, null, 'EUR', 'account')).toBe(opened);
    expect(draftOf().oldestOpenAccount('EUR')).toBeUndefined();
  });

  it('refuses a named one: unknown, other currency, closed', () => {
    const closed = account({ status: 'closed', balance: 0n });
    expect(openAccountNamed(draftOf(), closed.id, 'EUR', 'to')).toMatchObject({
      code: 'resource_missing',
      details: { param: 'to' },
    });
    expect(openAccountNamed(draftOf(closed), closed.id, 'USD', 'to')).toMatchObject({
      code: 'account_currency_mismatch',
    });
    expect(openAccountNamed(draftOf(closed), closed.id, null, 'to')).toMatchObject({ code: 'account_closed' });
  });
});

describe('amountOf', () => {
  it('reads in the account’s currency and names the parameter', () => {
    expect(amountOf(account({ currency: 'JPY' }), '7')).toBe(7n);
    expect(amountOf(account(), '7')).toBe(700n);
    expect(amountOf(account(), '7.005')).toMatchObject({ code: 'amount_invalid', details: { param: 'amount' } });
  });
});
