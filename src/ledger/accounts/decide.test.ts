/** Decisions about accounts, given / when / then. */
import { describe, expect, it } from 'vitest';
import { MAX_BALANCE_MINOR } from '../../core/values/money.ts';
import { given } from '../../../test/support/harness/given.ts';
import { ACCOUNT, AT, account, idAt } from '../../../test/support/harness/literals.ts';

const metadata = undefined;
const update = { type: 'update_account', account: ACCOUNT, name: undefined, metadata } as const;
const close = { type: 'close_account', account: ACCOUNT } as const;
const fund = (amount: string) => ({ type: 'fund_account', account: ACCOUNT, amount }) as const;
const fiftyKeys = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));

describe('create_account', () => {
  it('opens an account at zero, with one event, and drops empty metadata', () => {
    const outcome = given().when({
      type: 'create_account',
      currency: 'JPY',
      name: 'Tokyo',
      metadata: { team: 'a', none: '' },
    });
    outcome.thenAccepts({
      reply: { currency: 'JPY', balance: 0n, name: 'Tokyo', status: 'open', metadata: { team: 'a' }, createdAt: AT },
      transfers: [],
      events: ['account.created'],
    });
    expect(outcome.events[0]).toMatchObject({ sequence: 42n, object: outcome.reply, previous: null, transfer: null });
  });

  it('opens as many of one currency as asked for', () => {
    given(account())
      .when({ type: 'create_account', currency: 'EUR', name: null, metadata })
      .thenAccepts({ events: ['account.created'], now: { [ACCOUNT]: { balance: 100_000n } } });
  });
});

describe('update_account', () => {
  it('changes name and metadata and says what they were', () => {
    const outcome = given(account({ name: 'Main', metadata: { team: 'a' } })).when({
      ...update,
      name: null,
      metadata: { team: '', floor: '2' },
    });
    outcome.thenAccepts({ reply: { name: null, metadata: { floor: '2' } }, events: ['account.updated'] });
    expect(outcome.events[0]?.previous).toEqual({ name: 'Main', metadata: { team: 'a', floor: null } });
  });

  it('makes no event where nothing differs', () => {
    const same = account({ name: 'Main', metadata: { team: 'a' } });
    given(same)
      .when({ ...update, name: 'Main', metadata: { team: 'a', unknown: '' } })
      .thenAccepts({ reply: same, events: [] });
  });

  it('refuses the unknown, then more metadata than an object may hold', () => {
    given()
      .when({ ...update, metadata: fiftyKeys })
      .thenRefuses('resource_missing');
    given(account({ metadata: { one: 'more' } }))
      .when({ ...update, metadata: fiftyKeys })
      .thenRefuses('metadata_invalid', { param: 'metadata' });
    given(account({ metadata: { one: 'more' } }))
      .when({ ...update, metadata: { ...fiftyKeys, one: '' } })
      .thenAccepts({ events: ['account.updated'] });
  });
});

describe('close_account', () => {
  it('closes an empty account', () => {
    const outcome = given(account({ balance: 0n })).when(close);
    outcome.thenAccepts({ reply: { status: 'closed', closedAt: AT }, transfers: [], events: ['account.closed'] });
    expect(outcome.events[0]?.previous).toEqual({ status: 'open' });
  });

  it('leaves the next oldest as the one used where none is named', () => {
    const younger = account({ id: idAt('acct', 2), balance: 500n });
    given(younger, account({ balance: 0n }))
      .when(close)
      .when({ ...fund('1'), account: younger.id })
      .thenAccepts({ now: { [younger.id]: { balance: 600n } } });
  });

  it('refuses: unknown, closed, not empty', () => {
    given().when(close).thenRefuses('resource_missing', { param: 'id' });
    given(account({ status: 'closed', balance: 0n }))
      .when(close)
      .thenRefuses('account_closed', { current_status: 'closed' });
    given(account({ balance: 1n }))
      .when(close)
      .thenRefuses('account_not_empty', { available_minor: 1n });
  });
});

describe('fund_account', () => {
  it('takes money from the bank', () => {
    const outcome = given(account()).when(fund('250.50'));
    outcome.thenAccepts({
      reply: { id: ACCOUNT, balance: 125_050n },
      transfers: [['bank', ACCOUNT, 25_050n, 'funding']],
      events: ['balance.updated'],
    });
    expect(outcome.events[0]).toMatchObject({
      previous: { balance: 100_000n },
      object: { balance: 125_050n },
      transfer: outcome.transfers[0]?.id,
    });
    expect(outcome.transfers[0]).toMatchObject({ debitBalanceAfter: null, creditBalanceAfter: 125_050n });
  });

  it('reads the amount in the account’s currency', () => {
    given(account({ currency: 'JPY', balance: 0n }))
      .when(fund('250'))
      .thenAccepts({ reply: { balance: 250n } });
    given(account({ currency: 'KWD', balance: 0n }))
      .when(fund('250'))
      .thenAccepts({ reply: { balance: 250_000n } });
  });

  it('refuses in this order: existence, state, the amount, the largest balance', () => {
    given().when(fund('x')).thenRefuses('resource_missing', { param: 'id' });
    given(account({ status: 'closed', balance: 0n }))
      .when(fund('x'))
      .thenRefuses('account_closed');
    const full = given(account({ balance: MAX_BALANCE_MINOR - 99n }));
    full.when(fund('1e3')).thenRefuses('amount_invalid', { param: 'amount' });
    full.when(fund('1.005')).thenRefuses('amount_invalid', { param: 'amount' });
    full.when(fund('0')).thenRefuses('amount_too_small', { param: 'amount' });
    full.when(fund('10000000000000')).thenRefuses('amount_too_large', { param: 'amount' });
    full.when(fund('1.00')).thenRefuses('balance_too_large', { resource_id: ACCOUNT });
    full.when(fund('0.99')).thenAccepts({ reply: { balance: MAX_BALANCE_MINOR } });
  });
});
