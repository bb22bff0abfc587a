/** The decision behind a transfer between own accounts, given / when / then. */
import { describe, expect, it } from 'vitest';
import { MAX_BALANCE_MINOR } from '../../core/values/money.ts';
import { given } from '../../../test/support/harness/given.ts';
import { ACCOUNT, account, idAt } from '../../../test/support/harness/literals.ts';
import type { CreateTransfer } from './decide.ts';

const OTHER = idAt('acct', 2);
const other = (fields: Parameters<typeof account>[0] = {}) => account({ id: OTHER, balance: 0n, ...fields });
const transfer = (amount: string, fields: Partial<CreateTransfer> = {}): CreateTransfer => ({
  type: 'create_transfer',
  from: ACCOUNT,
  to: OTHER,
  amount,
  description: null,
  metadata: undefined,
  ...fields,
});

describe('create_transfer', () => {
  it('moves money by one transfer, with one event for each balance', () => {
    const outcome = given(account(), other({ balance: 5n })).when(
      transfer('400.00', { description: 'Rent', metadata: { floor: '2', none: '' } }),
    );
    outcome.thenAccepts({
      reply: { object: 'transfer', amount: 40_000n, currency: 'EUR', description: 'Rent', metadata: { floor: '2' } },
      transfers: [[ACCOUNT, OTHER, 40_000n, 'transfer']],
      events: ['balance.updated', 'balance.updated'],
      now: { [ACCOUNT]: { balance: 60_000n }, [OTHER]: { balance: 40_005n } },
    });
    expect(outcome.transfers[0]).toMatchObject({ debitBalanceAfter: 60_000n, creditBalanceAfter: 40_005n });
    expect(outcome.events).toMatchObject([
      { sequence: 42n, object: { id: ACCOUNT, balance: 60_000n }, previous: { balance: 100_000n } },
      { sequence: 43n, object: { id: OTHER, balance: 40_005n }, previous: { balance: 5n } },
    ]);
    expect(new Set(outcome.events.map((event) => event.transfer))).toEqual(new Set([outcome.transfers[0]?.id]));
  });

  it('keeps no metadata where there is none', () => {
    given(account(), other())
      .when(transfer('1', { metadata: { none: '' } }))
      .thenAccepts({ reply: { metadata: {} } });
  });

  it('goes down to exactly zero and not below', () => {
    given(account(), other())
      .when(transfer('1000.01'))
      .thenRefuses('balance_insufficient', { available_minor: 100_000n, resource_id: ACCOUNT });
    given(account(), other())
      .when(transfer('1000.00'))
      .thenAccepts({ now: { [ACCOUNT]: { balance: 0n } } })
      .when(transfer('0.01'))
      .thenRefuses('balance_insufficient', { available_minor: 0n });
  });

  it('refuses one account on both sides before it looks for it', () => {
    given()
      .when(transfer('1', { to: ACCOUNT }))
      .thenRefuses('account_same', { param: 'to' });
  });

  it('checks existence first', () => {
    given(other({ status: 'closed' }))
      .when(transfer('x'))
      .thenRefuses('resource_missing', { param: 'from' });
    given(account({ status: 'closed', balance: 0n }))
      .when(transfer('x'))
      .thenRefuses('resource_missing', { param: 'to' });
  });

  it('then state: currency and closed accounts', () => {
    const closed = { status: 'closed', balance: 0n } as const;
    given(account(closed), other()).when(transfer('x')).thenRefuses('account_closed', { param: 'from' });
    given(account(), other(closed)).when(transfer('x')).thenRefuses('account_closed', { param: 'to' });
    given(account(), other({ currency: 'USD' }))
      .when(transfer('x'))
      .thenRefuses('account_currency_mismatch', { param: 'to' });
  });

  it('then the amount, then funds', () => {
    const poor = given(account({ balance: 0n }), other({ balance: MAX_BALANCE_MINOR }));
    poor.when(transfer('-5')).thenRefuses('amount_invalid', { param: 'amount' });
    poor.when(transfer('0.00')).thenRefuses('amount_too_small', { param: 'amount' });
    poor.when(transfer('9999999999999.999')).thenRefuses('amount_invalid', { param: 'amount' });
    poor.when(transfer('10000000000000')).thenRefuses('amount_too_large', { param: 'amount' });
    poor.when(transfer('1')).thenRefuses('balance_insufficient');
    given(account(), other({ balance: MAX_BALANCE_MINOR }))
      .when(transfer('0.01'))
      .thenRefuses('balance_too_large', { resource_id: OTHER });
  });
});
