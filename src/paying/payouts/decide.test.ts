/** Decisions about single payouts, given / when / then: creation here, then every step on the way. */
import { describe, expect, it } from 'vitest';
import { MAX_BALANCE_MINOR, MAX_HELD_MINOR } from '../../core/values/money.ts';
import type { Payout, PayoutStatus } from './fields.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import { given } from '../../../test/support/harness/given.ts';
import {
  ACCOUNT,
  AT,
  account,
  BATCH,
  idAt,
  PAYOUT,
  payout,
  payoutBatch,
  payoutOrder,
  recipient,
} from '../../../test/support/harness/literals.ts';
import type { StepPayout } from './connector-decide.ts';
import type { CreatePayout, PayoutOrder } from './decide.ts';

const create = (fields: Partial<PayoutOrder> = {}, settlementDelayMs: number | null = 3000): CreatePayout => ({
  type: 'create_payout',
  order: payoutOrder(fields),
  settlementDelayMs,
});
const step = (to: StepPayout['to'], failureCode: string | null = null): StepPayout => ({
  type: 'step_payout',
  payout: PAYOUT,
  to,
  failureCode,
  nextDelayMs: 3000,
});
const cancel = { type: 'cancel_payout', payout: PAYOUT } as const;
const day = (days: number) => isoDay(AT + days * DAY_MS);

describe('create_payout', () => {
  it('debits the account at once, into in_transit', () => {
    const outcome = given(account(), recipient()).when(create({ reference: 'Invoice 7', metadata: { a: '1', b: '' } }));
    outcome.thenAccepts({
      reply: {
        amount: 25_000n,
        status: 'pending',
        account: ACCOUNT,
        recipientVersion: 3,
        reference: 'Invoice 7',
        metadata: { a: '1' },
        batch: null,
        dueAt: AT + 3000,
        createdAt: AT,
      },
      transfers: [[ACCOUNT, 'in_transit', 25_000n, 'payout']],
      events: ['balance.updated', 'payout.created'],
      now: { [ACCOUNT]: { balance: 75_000n } },
    });
    const { id, transfer } = outcome.reply as Payout;
    expect(outcome.transfers[0]).toMatchObject({ id: transfer, causeId: id, debitBalanceAfter: 75_000n });
    expect(outcome.events).toMatchObject([
      { sequence: 42n, previous: { balance: 100_000n }, transfer },
      { sequence: 43n, previous: null, object: { id } },
    ]);
  });

  it('uses the oldest open account of the currency where none is named', () => {
    const rich = account({ id: idAt('acct', 3), balance: 900_000n });
    const closed = account({ id: idAt('acct', 0), status: 'closed', balance: 0n });
    const dollars = account({ id: idAt('acct', 2), currency: 'USD' });
    given(rich, dollars, account(), closed, recipient())
      .when(create())
      .thenAccepts({ reply: { account: ACCOUNT } });
    given(rich, account(), recipient())
      .when(create({ account: rich.id }))
      .thenAccepts({ reply: { account: rich.id }, now: { [rich.id]: { balance: 875_000n } } });
  });

  it('waits for a planned day, for the bank in live mode, else for the step', () => {
    const both = [account(), recipient()];
    given(...both)
      .when(create({}, null))
      .thenAccepts({ reply: { dueAt: null } });
    given(...both)
      .when(create({ scheduledOn: day(2) }))
      .thenAccepts({ reply: { scheduledOn: day(2), dueAt: Date.parse(`${day(2)}T00:00:00Z`) } });
    given(...both)
      .when(create({ scheduledOn: day(0) }))
      .thenAccepts({ reply: { dueAt: AT + 3000 } });
  });

  it('pays down to exactly zero', () => {
    given(account({ balance: 25_000n }), recipient())
      .when(create())
      .thenAccepts({ now: { [ACCOUNT]: { balance: 0n } } })
      .when(create({ amount: 1n }))
      .thenRefuses('balance_insufficient', { available_minor: 0n, resource_id: ACCOUNT });
  });

  it('takes an external id once', () => {
    const first = given(account(), recipient()).when(create({ externalId: 'inv-7' }));
    first
      .thenAccepts({ reply: { externalId: 'inv-7' } })
      .when(create({ externalId: 'inv-7' }))
      .thenRefuses('external_id_used', { param: 'external_id', resource_id: (first.reply as Payout).id });
  });

  it('checks existence first', () => {
    const unknown = idAt('acct', 9);
    given()
      .when(create({ account: unknown }))
      .thenRefuses('resource_missing', { param: 'recipient' });
    given(recipient({ status: 'archived' }))
      .when(create({ account: unknown }))
      .thenRefuses('resource_missing', { param: 'account' });
  });

  it('then state: recipient, account, external id, day', () => {
    const closed = account({ status: 'closed', balance: 0n });
    const wrong = { account: ACCOUNT, externalId: 'used', scheduledOn: day(-1), amount: 1n };
    const taken = payout({ externalId: 'used' });
    given(closed, recipient({ status: 'archived', currency: 'USD' }), taken)
      .when(create(wrong))
      .thenRefuses('recipient_archived', { param: 'recipient' });
    given(closed, recipient({ currency: 'USD' }), taken)
      .when(create(wrong))
      .thenRefuses('recipient_currency_mismatch', { param: 'currency', allowed: ['USD'] });
    given({ ...closed, currency: 'USD' }, recipient(), taken)
      .when(create(wrong))
      .thenRefuses('account_currency_mismatch', { param: 'account' });
    given(closed, recipient(), taken).when(create(wrong)).thenRefuses('account_closed', { param: 'account' });
    given(closed, recipient(), taken)
      .when(create({ ...wrong, account: null }))
      .thenRefuses('account_missing', { param: 'currency' });
    given(account({ balance: 0n }), recipient(), taken)
      .when(create(wrong))
      .thenRefuses('external_id_used', { param: 'external_id', resource_id: PAYOUT });
  });

  it('then limits: today to a year ahead', () => {
    for (const scheduledOn of [day(-1), day(367)]) {
      given(account({ balance: 0n }), recipient())
        .when(create({ scheduledOn }))
        .thenRefuses('scheduled_on_invalid', { param: 'scheduled_on' });
    }
    for (const scheduledOn of [day(0), day(366)]) {
      given(account(), recipient())
        .when(create({ scheduledOn }))
        .thenAccepts({ events: ['balance.updated', 'payout.created'] });
    }
  });

  it('then funds', () => {
    given(account({ balance: 24_999n }), recipient())
      .when(create())
      .thenRefuses('balance_insufficient', { available_minor: 24_999n, resource_id: ACCOUNT });
  });
});

describe('cancel_payout', () => {
  it('credits the account back by a new transfer', () => {
    const outcome = given(account(), payout()).when(cancel);
    outcome.thenAccepts({
      reply: { status: 'canceled', failureCode: null, endedAt: AT, dueAt: null },
      transfers: [['in_transit', ACCOUNT, 25_000n, 'payout_reversal']],
      events: ['balance.updated', 'payout.canceled'],
      now: { [ACCOUNT]: { balance: 125_000n }, [PAYOUT]: { reversal: outcome.transfers[0]?.id } },
    });
    expect(outcome.events[1]?.previous).toEqual({ status: 'pending' });
  });

  it('refuses unless pending', () => {
    given().when(cancel).thenRefuses('resource_missing');
    for (const status of ['in_transit', 'paid', 'failed', 'canceled', 'returned'] as const) {
      given(account(), payout({ status }))
        .when(cancel)
        .thenRefuses('payout_not_cancelable', { current_status: status });
    }
  });
});

describe('step_payout', () => {
  it('goes from pending to in_transit to paid', () => {
    given(account(), payout())
      .when(step('next'))
      .thenAccepts({
        reply: { status: 'in_transit', inTransitAt: AT, dueAt: AT + 3000, endedAt: null },
        transfers: [],
        events: ['payout.in_transit'],
      })
      .when(step('next'))
      .thenAccepts({
        reply: { status: 'paid', inTransitAt: AT, endedAt: AT + 60_000, dueAt: null },
        transfers: [['in_transit', 'bank', 25_000n, 'payout_settlement']],
        events: ['payout.paid'],
        now: { [ACCOUNT]: { balance: 100_000n } },
      });
  });

  it('next follows the account: it fails, or is paid and then comes back, with the code of the account', () => {
    const next = (expected: StepPayout['expected']) => ({ ...step('next'), expected });
    const fails = next({ outcome: 'failed', failureCode: 'no_account' });
    given(account(), payout())
      .when(fails)
      .thenAccepts({ reply: { status: 'in_transit' } });
    given(account(), payout({ status: 'in_transit' }))
      .when(fails)
      .thenAccepts({ reply: { status: 'failed', failureCode: 'no_account', dueAt: null } });
    const returns = next({ outcome: 'returned', failureCode: 'account_closed' });
    given(account(), payout({ status: 'in_transit' }))
      .when(returns)
      .thenAccepts({ reply: { status: 'paid', failureCode: null, dueAt: AT + 3000 } });
    given(account(), payout({ status: 'paid' }))
      .when(returns)
      .thenAccepts({ reply: { status: 'returned', failureCode: 'account_closed', dueAt: null } });
    for (const status of ['paid', 'failed', 'returned', 'canceled'] as const)
      given(account(), payout({ status })).when(fails).thenRefuses('payout_state_invalid', { current_status: status });
  });

  it('passes through in_transit when it is paid at once', () => {
    const outcome = given(account(), payout()).when(step('paid'));
    outcome.thenAccepts({ events: ['payout.in_transit', 'payout.paid'], reply: { inTransitAt: AT, endedAt: AT } });
    expect(outcome.events.map((event) => event.previous)).toEqual([{ status: 'pending' }, { status: 'in_transit' }]);
  });

  it('fails with a code, and out of the bank when it is returned', () => {
    given(account(), payout())
      .when(step('failed', 'account_closed'))
      .thenAccepts({
        reply: { status: 'failed', failureCode: 'account_closed', endedAt: AT, dueAt: null },
        transfers: [['in_transit', ACCOUNT, 25_000n, 'payout_reversal']],
        events: ['balance.updated', 'payout.failed'],
      });
    given(account(), payout({ status: 'in_transit' }))
      .when(step('failed'))
      .thenAccepts({ reply: { failureCode: 'could_not_process' } });
    given(account(), payout({ status: 'paid' }))
      .when(step('returned', 'no_account'))
      .thenAccepts({
        reply: { status: 'returned', failureCode: 'no_account' },
        transfers: [['bank', ACCOUNT, 25_000n, 'payout_reversal']],
        events: ['balance.updated', 'payout.returned'],
        now: { [ACCOUNT]: { balance: 125_000n } },
      });
  });

  it('allows these steps and no others', () => {
    const allowed: Record<PayoutStatus, readonly StepPayout['to'][]> = {
      waiting: [],
      pending: ['next', 'in_transit', 'paid', 'failed'],
      in_transit: ['next', 'paid', 'failed'],
      paid: ['returned'],
      failed: [],
      canceled: [],
      returned: [],
    };
    for (const [status, steps] of Object.entries(allowed) as [PayoutStatus, readonly StepPayout['to'][]][]) {
      for (const to of ['next', 'in_transit', 'paid', 'failed', 'returned'] as const) {
        const outcome = given(account(), payout({ status })).when(step(to));
        if (steps.includes(to)) outcome.thenAccepts({});
        else outcome.thenRefuses('payout_state_invalid', { current_status: status });
      }
    }
    given().when(step('next')).thenRefuses('resource_missing');
  });

  it('gives back to an account that holds all that a client may order', () => {
    const full = account({ balance: MAX_BALANCE_MINOR });
    const after = { [ACCOUNT]: { balance: MAX_BALANCE_MINOR + 25_000n } };
    given(full, payout()).when(step('failed')).thenAccepts({ now: after });
    given(full, payout()).when(cancel).thenAccepts({ now: after });
    given(full, payout({ status: 'paid', endedAt: AT }))
      .when(step('returned'))
      .thenAccepts({ now: after });
  });

  it('does not give back more than the column holds, thousands of the largest payouts', () => {
    const full = account({ balance: MAX_HELD_MINOR });
    given(full, payout()).when(step('failed')).thenRefuses('balance_too_large', { resource_id: ACCOUNT });
  });

  it('opens an account again that was closed meanwhile: only an empty account is closed', () => {
    const outcome = given(account({ status: 'closed', balance: 0n }), payout()).when(step('failed'));
    outcome.thenAccepts({
      events: ['account.updated', 'balance.updated', 'payout.failed'],
      now: { [ACCOUNT]: { balance: 25_000n, status: 'open', closedAt: null } },
    });
    expect(outcome.events[0]?.previous).toEqual({ status: 'closed' });
  });
});

describe('the batch of a payout', () => {
  const item = (n: number, fields: Partial<Payout> = {}) => payout({ id: idAt('po', n), batch: BATCH, ...fields });
  const stepOf = (n: number, to: StepPayout['to']) => ({ ...step(to), payout: idAt('po', n) });

  it('is completed by the last payout that ends', () => {
    const first = given(account(), payoutBatch(), item(1), item(2)).when(stepOf(1, 'paid'));
    first.thenAccepts({ now: { [BATCH]: { openCount: 1, failedCount: 0, status: 'processing', completedAt: null } } });
    expect(first.events.map((event) => event.type)).toEqual(['payout.in_transit', 'payout.paid']);
    const last = first.when(stepOf(2, 'paid'));
    last.thenAccepts({
      events: ['payout.in_transit', 'payout.paid', 'payout_batch.completed'],
      now: { [BATCH]: { openCount: 0, failedCount: 0, status: 'completed', completedAt: AT + 60_000 } },
    });
    expect(last.events[2]?.previous).toEqual({ status: 'processing' });
  });

  it('counts failed and canceled payouts, and rejected items', () => {
    given(account(), payoutBatch(), item(1), item(2))
      .when({ ...cancel, payout: idAt('po', 1) })
      .thenAccepts({ now: { [BATCH]: { openCount: 1, failedCount: 1, status: 'processing' } } })
      .when(stepOf(2, 'paid'))
      .thenAccepts({ now: { [BATCH]: { openCount: 0, failedCount: 1, status: 'completed_with_failures' } } });
    given(account(), payoutBatch({ openCount: 1, rejectedCount: 1, mode: 'partial' }), item(1))
      .when(stepOf(1, 'paid'))
      .thenAccepts({ now: { [BATCH]: { status: 'completed_with_failures', failedCount: 0 } } });
  });

  it('is left alone by a step on the way and by a return', () => {
    const batch = payoutBatch();
    given(account(), batch, item(1))
      .when(stepOf(1, 'in_transit'))
      .thenAccepts({ now: { [BATCH]: batch } });
    given(account(), batch, item(1, { status: 'paid' }))
      .when(stepOf(1, 'returned'))
      .thenAccepts({ now: { [BATCH]: batch } });
  });
});
