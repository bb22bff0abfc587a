/** The decision behind a payout batch, given / when / then. */
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { ACCOUNT, AT, account, idAt, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import type { ItemFault } from '../../core/values/errors.ts';
import { NO_RULES } from '../../core/payout-rules.ts';
import type { CreatePayoutBatch } from './batch.ts';
import type { PayoutOrder } from './decide.ts';

const order = (amount: bigint, fields: Partial<PayoutOrder> = {}) => payoutOrder({ amount, ...fields });
const batch = (mode: 'atomic' | 'partial', ...orders: CreatePayoutBatch['orders']): CreatePayoutBatch => ({
  type: 'create_payout_batch',
  orders,
  places: null,
  externalId: null,
  mode,
  metadata: { run: '7', none: '' },
  settlementDelayMs: null,
});
const UNKNOWN = idAt('rcp', 9);
const fault = { faults: [{ code: 'amount_invalid', message: 'No amount.', param: 'amount' }], read: {} } as const;

describe('atomic', () => {
  it('creates every payout, in order, each seeing the ones before it', () => {
    const outcome = given(account(), recipient()).when(batch('atomic', order(60_000n), order(40_000n)));
    outcome.thenAccepts({
      reply: {
        object: 'payout_batch_results',
        batch: {
          status: 'processing',
          mode: 'atomic',
          payoutsCount: 2,
          openCount: 2,
          rejectedCount: 0,
          failedCount: 0,
          completedAt: null,
          metadata: { run: '7' },
        },
        results: [
          { status: 'created', payout: { amount: 60_000n, status: 'pending' } },
          { status: 'created', payout: { amount: 40_000n } },
        ],
      },
      transfers: [
        [ACCOUNT, 'in_transit', 60_000n, 'payout'],
        [ACCOUNT, 'in_transit', 40_000n, 'payout'],
      ],
      events: ['balance.updated', 'payout.created', 'balance.updated', 'payout.created', 'payout_batch.created'],
      now: { [ACCOUNT]: { balance: 0n } },
    });
    if (outcome.reply.object !== 'payout_batch_results') throw new Error('a batch answers with results');
    const { batch: made, results } = outcome.reply;
    for (const result of results) expect(result).toMatchObject({ payout: { batch: made.id } });
    expect(outcome.events.map((event) => event.sequence)).toEqual([42n, 43n, 44n, 45n, 46n]);
  });

  it('creates nothing where anything is wrong, and names every fault', () => {
    const outcome = given(account(), recipient()).when(
      batch('atomic', order(60_000n), order(1n, { recipient: UNKNOWN }), order(50_000n), fault),
    );
    outcome.thenRefuses('batch_invalid', { param: 'payouts' });
    expect(outcome.refusal?.details.errors).toMatchObject([
      { index: 1, param: 'recipient', code: 'resource_missing' },
      {
        index: 2,
        param: 'amount',
        code: 'balance_insufficient',
        message: `Account ${ACCOUNT} holds 1000.00 EUR; the batch as a whole needs 1100.01 EUR of it.`,
        account: ACCOUNT,
        available_minor: 100_000n,
        needed_minor: 110_001n,
      },
      { index: 3, param: 'amount', code: 'amount_invalid', message: 'No amount.' },
    ]);
    expect(outcome.now(ACCOUNT)).toEqual(account());
  });

  it('takes an external id once within the batch', () => {
    const same = { externalId: 'inv-7' };
    const outcome = given(account(), recipient()).when(batch('atomic', order(1n, same), order(2n, same)));
    outcome.thenRefuses('batch_invalid');
    expect(outcome.refusal?.details.errors).toMatchObject([
      {
        index: 1,
        code: 'external_id_used',
        param: 'external_id',
        message: 'Item 0 of the batch has this external_id.',
      },
    ]);
  });

  it('names all that is wrong with one item, what could not be read and what does not exist', () => {
    const read = { currency: 'EUR', recipient: UNKNOWN, account: idAt('acct', 9), scheduledOn: '2020-01-01' };
    const item = { faults: fault.faults, read: { ...read, externalId: null } };
    const outcome = given(account(), recipient()).when(batch('atomic', order(1n), item));
    outcome.thenRefuses('batch_invalid');
    expect(outcome.refusal?.details.errors).toMatchObject([
      { index: 1, param: 'amount', code: 'amount_invalid' },
      { index: 1, param: 'recipient', code: 'resource_missing' },
      { index: 1, param: 'account', code: 'resource_missing' },
      { index: 1, param: 'scheduled_on', code: 'scheduled_on_invalid' },
    ]);
  });

  it('leaves the idempotency key free where an item is malformed, and keeps what was decided otherwise', () => {
    const malformed = given(account(), recipient()).when(batch('atomic', fault));
    const poor = given(account(), recipient()).when(batch('atomic', order(100_001n)));
    expect([malformed.refusal?.isUnrecorded, poor.refusal?.isUnrecorded]).toEqual([true, undefined]);
  });

  it('counts funds as one sum an account, beside limits, which see the money as if it were there', () => {
    const outcome = given(account(), recipient()).when(
      batch('atomic', order(99_999n), ...Array.from({ length: 40 }, () => order(2n))),
    );
    outcome.thenRefuses('batch_invalid');
    expect(outcome.refusal?.details.errors).toMatchObject([
      { index: 1, code: 'balance_insufficient', available_minor: 100_000n, needed_minor: 100_079n },
    ]);
  });

  it('goes on to limits where money is missing: both are named', () => {
    const per = {
      per: 'environment',
      of: null,
      currency: 'EUR',
      allCurrencies: false,
      amount: null,
      count: 2,
      action: 'refuse',
    } as const;
    const world = given(account(), recipient());
    const payoutRules = { ...NO_RULES, limits: [{ id: idAt('lim', 1), createdAt: AT, ...per }] };
    world.state.environment = { ...world.state.environment, payoutRules };
    world.state.hasUsages = true;
    const outcome = world.when(batch('atomic', order(100_001n), order(1n), order(5n)));
    outcome.thenRefuses('batch_invalid');
    expect(outcome.refusal?.details.errors).toMatchObject([
      { index: 0, code: 'balance_insufficient', available_minor: 100_000n, needed_minor: 100_007n },
      { index: 2, code: 'limit_exceeded', resource_id: idAt('lim', 1) },
    ]);
  });

  it('needs more than JSON readers take exactly: then only the message has the sum', () => {
    const most = 999_999_999_999_999n;
    const outcome = given(account(), recipient()).when(
      batch('atomic', ...Array.from({ length: 20 }, () => order(most))),
    );
    const [only, ...others] = outcome.refusal?.details.errors ?? [];
    expect([only?.message, (only as ItemFault | undefined)?.needed_minor, others]).toEqual([
      `Account ${ACCOUNT} holds 1000.00 EUR; the batch as a whole needs 199999999999999.80 EUR of it.`,
      undefined,
      [],
    ]);
  });

  it('names line and column of a CSV file', () => {
    const command = batch('atomic', order(1n), order(1n, { recipient: UNKNOWN }), {
      faults: [{ code: 'body_invalid', message: 'Line 7 is short.' }],
      read: {},
    });
    const places = { columns: ['amount', 'currency', 'recipient'], lines: [2, 4, 7] };
    const outcome = given(account(), recipient()).when({ ...command, places });
    expect(outcome.refusal?.details.errors).toMatchObject([
      { index: 1, param: 'recipient', line: 4, column: 3, column_name: 'recipient' },
      { index: 2, code: 'body_invalid', line: 7 },
    ]);
  });
});

describe('partial', () => {
  it('answers item by item: what can be made is made', () => {
    given(account(), recipient())
      .when(batch('partial', order(60_000n), fault, order(50_000n), order(40_000n)))
      .thenAccepts({
        reply: {
          batch: { status: 'processing', payoutsCount: 2, openCount: 2, rejectedCount: 2, failedCount: 0 },
          results: [
            { status: 'created' },
            { status: 'rejected', refusal: { code: 'amount_invalid', details: { param: 'amount' } } },
            { status: 'rejected', refusal: { code: 'balance_insufficient', details: { available_minor: 40_000n } } },
            { status: 'created' },
          ],
        },
        transfers: [
          [ACCOUNT, 'in_transit', 60_000n, 'payout'],
          [ACCOUNT, 'in_transit', 40_000n, 'payout'],
        ],
        events: ['balance.updated', 'payout.created', 'balance.updated', 'payout.created', 'payout_batch.created'],
        now: { [ACCOUNT]: { balance: 0n } },
      });
  });

  it('is completed at once where nothing could be made', () => {
    const outcome = given(account({ balance: 0n }), recipient()).when(batch('partial', order(1n), order(2n)));
    outcome.thenAccepts({
      reply: {
        batch: { status: 'completed_with_failures', payoutsCount: 0, rejectedCount: 2, openCount: 0, completedAt: AT },
      },
      transfers: [],
      events: ['payout_batch.created', 'payout_batch.completed'],
    });
  });

  it('is completed with failures because of a rejected item, although every payout is paid', () => {
    const made = given(account(), recipient()).when(batch('partial', order(1n), fault));
    if (made.reply.object !== 'payout_batch_results') throw new Error('a batch answers with results');
    const [first] = made.reply.results;
    if (first?.status !== 'created') throw new Error('the first item is made');
    made
      .when({ type: 'step_payout', payout: first.payout.id, to: 'paid', failureCode: null, nextDelayMs: null })
      .thenAccepts({
        now: { [made.reply.batch.id]: { status: 'completed_with_failures', openCount: 0, failedCount: 0 } },
      });
  });
});
