/** Decisions on standing orders and their runs, with literals. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../core/values/time.ts';
import { given } from '../../../test/support/harness/given.ts';
import {
  account,
  ACCOUNT,
  AT,
  idAt,
  payoutOrder,
  recipient,
  RECIPIENT,
  standingOrder,
} from '../../../test/support/harness/literals.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import type { State } from '../../core/state.ts';
import type { CreateStandingOrder } from './decide.ts';
import type { RunStandingOrder } from './run-decide.ts';

const ORDER = idAt('so', 1);
const TODAY = '2026-03-14';
const create = (fields: Partial<CreateStandingOrder> = {}): CreateStandingOrder => ({
  type: 'create_standing_order',
  amount: 25_000n,
  currency: 'EUR',
  recipient: RECIPIENT,
  account: null,
  speed: 'standard',
  interval: 'month',
  intervalCount: 1,
  first: TODAY,
  last: null,
  count: null,
  reference: null,
  referenceType: null,
  statementDescriptor: null,
  categoryPurpose: null,
  purpose: null,
  metadata: undefined,
  ...fields,
});
const run = (plannedIndex = 0): RunStandingOrder => ({
  type: 'run_standing_order',
  standingOrder: ORDER,
  plannedIndex,
  settlementDelayMs: null,
});
const act = (verb: 'pause' | 'resume' | 'cancel') =>
  ({ type: `${verb}_standing_order` as const, standingOrder: ORDER }) as const;
const update = (fields: object) => ({
  type: 'update_standing_order' as const,
  standingOrder: ORDER,
  amount: undefined,
  reference: undefined,
  referenceType: null,
  statementDescriptor: undefined,
  categoryPurpose: undefined,
  purpose: undefined,
  metadata: undefined,
  end: undefined,
  ...fields,
});

describe('create', () => {
  it('plans the first day, debits nothing, and keeps the account that pays today', () => {
    given(account(), recipient())
      .when(create())
      .thenAccepts({
        reply: { status: 'active', account: ACCOUNT, next: TODAY, runsCount: 0, orderedBy: 'worker' },
        events: ['standing_order.created'],
        transfers: [],
      });
  });

  it.each([
    ['a recipient that is not there', create({ recipient: idAt('rcp', 9) }), 'resource_missing', 'recipient'],
    ['an account that is not there', create({ account: idAt('acct', 9) }), 'resource_missing', 'account'],
    ['a first day that is past', create({ first: '2026-03-13' }), 'parameter_invalid', 'starts_on'],
    [
      'a last day before the first',
      create({ first: '2026-03-20', last: '2026-03-19' }),
      'parameter_invalid',
      'ends_on',
    ],
  ] as const)('refuses %s', (_, command, code, param) => {
    given(account(), recipient()).when(command).thenRefuses(code, { param });
  });

  it('says first what is not there', () => {
    given(account(), recipient({ status: 'archived' }))
      .when(create({ account: idAt('acct', 9) }))
      .thenRefuses('resource_missing', { param: 'account' });
  });

  it('refuses whom no payout can go to', () => {
    given(account(), recipient({ status: 'archived' }))
      .when(create())
      .thenRefuses('recipient_archived');
    given(account(), recipient({ status: 'redacted' }))
      .when(create())
      .thenRefuses('recipient_redacted');
    given(account(), recipient({ currency: 'USD' }))
      .when(create())
      .thenRefuses('recipient_currency_mismatch');
    given(account({ status: 'closed', balance: 0n }), recipient())
      .when(create())
      .thenRefuses('account_missing');
  });
});

describe('a planned day', () => {
  it('makes one payout and moves on, and the same command again changes nothing', () => {
    const after = given(account(), recipient(), standingOrder())
      .when(run())
      .thenAccepts({
        transfers: [[ACCOUNT, 'in_transit', 25_000n, 'payout']],
        events: ['balance.updated', 'payout.created', 'standing_order.run_succeeded'],
        reply: { next: '2026-04-14', plannedIndex: 1, runsCount: 1, lastRun: TODAY, lastFailure: null },
      });
    expect([...after.state.tables.payout.values()]).toMatchObject([
      { standingOrder: ORDER, scheduledOn: TODAY, amount: 25_000n, createdBy: 'worker' },
    ]);
    expect([...after.state.tables.standing_order_run.values()]).toMatchObject([
      { number: 1, day: TODAY, status: 'succeeded', madeUp: false },
    ]);
    after.when(run()).thenAccepts({ events: [], transfers: [] });
    after.when(run(1)).thenAccepts({ events: [], transfers: [] }); // not due yet
  });

  it('does nothing as another than who ordered it', () => {
    const order = standingOrder({ orderedBy: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa' });
    given(account(), recipient(), order).when(run()).thenAccepts({ events: [], transfers: [] });
  });

  it('that was missed is made up and says so, each with its own day', () => {
    const order = standingOrder({ first: '2026-01-31', next: '2026-01-31', dueAt: Date.UTC(2026, 0, 31) });
    const first = given(account(), recipient(), order)
      .when(run())
      .thenAccepts({ events: ['balance.updated', 'payout.created', 'standing_order.run_made_up'] });
    const second = first
      .when(run(1))
      .thenAccepts({ events: ['balance.updated', 'payout.created', 'standing_order.run_made_up'] });
    expect([...second.state.tables.payout.values()].map(({ scheduledOn }) => scheduledOn)).toEqual([
      '2026-01-31',
      '2026-02-28',
    ]);
    second.thenAccepts({ reply: { next: '2026-03-31' } });
  });

  it('more than a year back is left out, with all others before it, and the year is made up', () => {
    const order = standingOrder({ first: '2023-03-31', next: '2023-03-31', dueAt: Date.UTC(2023, 2, 31) });
    given(account(), recipient(), order)
      .when(run())
      .thenAccepts({
        events: ['standing_order.run_skipped'],
        transfers: [],
        reply: { next: '2025-03-31', skippedCount: 24, plannedIndex: 24, lastRun: '2025-02-28' },
      })
      .when(run(24))
      .thenAccepts({ events: ['balance.updated', 'payout.created', 'standing_order.run_made_up'] });
  });

  it('the last one completes the order', () => {
    for (const end of [{ count: 1 }, { last: TODAY }, { last: '2026-04-13' }]) {
      given(account(), recipient(), standingOrder(end))
        .when(run())
        .thenAccepts({
          events: ['balance.updated', 'payout.created', 'standing_order.run_succeeded', 'standing_order.completed'],
          reply: { status: 'completed', next: null, dueAt: null, endedAt: AT },
        });
    }
  });
});

describe('a speed', () => {
  it('is that of each payout', () => {
    const { state } = given(account(), recipient(), standingOrder({ speed: 'instant' })).when(run());
    expect([...state.tables.payout.values()]).toMatchObject([{ speed: 'instant' }]);
  });
  it('that the bank account does not have is refused when the order is made', () => {
    const outcome = given(account(), recipient());
    const { id, profile, country, calendar, cutOff, timeZone } = bankAccount({ profile: 'ch_sps' });
    outcome.state.environment = {
      ...outcome.state.environment,
      payingBanks: [
        {
          id,
          currency: 'EUR',
          profile,
          country,
          calendar,
          cutOff,
          timeZone,
          hasIban: true,
          hasName: true,
          hasAddress: false,
        },
      ],
    };
    outcome.when(create({ speed: 'instant' })).thenRefuses('payout_not_payable', { param: 'speed' });
    outcome.when(create()).thenAccepts({ reply: { speed: 'standard' } });
  });
});

describe('a run that makes no payout', () => {
  const poor = account({ balance: 0n });

  it('says why and goes on; the third in a row pauses the order', () => {
    const daily = standingOrder({ interval: 'day', first: '2026-03-11', next: '2026-03-11', dueAt: AT - 4 * DAY_MS });
    given(poor, recipient(), daily)
      .when(run())
      .thenAccepts({
        events: ['standing_order.run_failed'],
        transfers: [],
        reply: {
          status: 'active',
          next: '2026-03-12',
          lastFailure: { planned_on: '2026-03-11', code: 'balance_insufficient' },
        },
      })
      .when(run(1))
      .thenAccepts({ events: ['standing_order.run_failed'], reply: { status: 'active' } })
      .when(run(2))
      .thenAccepts({
        events: ['standing_order.run_failed', 'standing_order.paused'],
        reply: { status: 'paused', pausedReason: 'failures', failedCount: 3, next: TODAY },
      })
      .when(run(3))
      .thenAccepts({ events: ['standing_order.run_skipped'], reply: { skippedCount: 1, next: '2026-03-15' } })
      .when(act('resume'))
      .thenAccepts({ reply: { status: 'active', pausedReason: null, failuresInARow: 0, next: '2026-03-15' } });
  });

  it('a success between failures begins the count anew', () => {
    const order = standingOrder({ failuresInARow: 2, failedCount: 2 });
    given(account(), recipient(), order)
      .when(run())
      .thenAccepts({ reply: { status: 'active', failuresInARow: 0, lastFailure: null } });
  });

  it('the last of all completes the order instead of pausing it', () => {
    given(poor, recipient(), standingOrder({ failuresInARow: 2, count: 1 }))
      .when(run())
      .thenAccepts({ events: ['standing_order.run_failed', 'standing_order.completed'] });
  });

  it.each([
    ['an archived recipient', [account(), recipient({ status: 'archived' })], 'recipient_archived'],
    ['an erased recipient', [account(), recipient({ status: 'redacted' })], 'recipient_redacted'],
    ['a closed account', [account({ status: 'closed', balance: 0n }), recipient()], 'account_closed'],
  ] as const)('%s', (_, objects, code) => {
    given(...objects, standingOrder())
      .when(run())
      .thenAccepts({ events: ['standing_order.run_failed'], reply: { lastFailure: { planned_on: TODAY, code } } });
  });
});

describe('pause, resume, cancel', () => {
  const things = [account(), recipient()] as const;

  it('a paused order leaves its days out as they come, and ends on its day', () => {
    given(...things, standingOrder({ count: 1 }))
      .when(act('pause'))
      .thenAccepts({ events: ['standing_order.paused'], reply: { pausedReason: 'requested' } })
      .when(run())
      .thenAccepts({
        events: ['standing_order.run_skipped', 'standing_order.completed'],
        transfers: [],
        reply: { status: 'completed', skippedCount: 1 },
      });
  });

  it('a resumed one makes up nothing of its pause', () => {
    const first = '2026-03-01';
    const behind = { interval: 'day', first, next: first, dueAt: Date.UTC(2026, 2, 1) } as const;
    given(...things, standingOrder({ status: 'paused', pausedReason: 'requested', ...behind }))
      .when(act('resume'))
      .thenAccepts({
        events: ['standing_order.run_skipped', 'standing_order.resumed'],
        reply: { status: 'active', next: '2026-03-15', skippedCount: 14 },
      })
      .when(run(14))
      .thenAccepts({ events: [], transfers: [] });
  });

  it('resumed behind its last day it is completed', () => {
    const behind = { count: 1, first: '2026-03-01', next: '2026-03-01', dueAt: Date.UTC(2026, 2, 1) } as const;
    given(...things, standingOrder({ status: 'paused', pausedReason: 'requested', ...behind }))
      .when(act('resume'))
      .thenAccepts({ events: ['standing_order.run_skipped', 'standing_order.completed'] });
  });

  it('a canceled one runs no more, and nothing follows', () => {
    const after = given(...things, standingOrder())
      .when(act('cancel'))
      .thenAccepts({ events: ['standing_order.canceled'], reply: { status: 'canceled', next: null, dueAt: null } });
    after.when(run()).thenAccepts({ events: [], transfers: [] });
    for (const verb of ['pause', 'resume', 'cancel'] as const) {
      after.when(act(verb)).thenRefuses('standing_order_state_invalid', { current_status: 'canceled' });
    }
    after.when(update({ amount: '5' })).thenRefuses('standing_order_state_invalid');
    after.when(update({ metadata: { k: 'v' } })).thenAccepts({ events: ['standing_order.updated'] });
  });

  it('what is not in the state for it', () => {
    given(...things, standingOrder())
      .when(act('resume'))
      .thenRefuses('standing_order_state_invalid', { allowed: ['paused'] });
    const paused = standingOrder({ status: 'paused', pausedReason: 'requested' });
    given(...things, paused)
      .when(act('pause'))
      .thenRefuses('standing_order_state_invalid', { allowed: ['active'] });
    given(...things)
      .when(act('pause'))
      .thenRefuses('resource_missing');
  });
});

describe('update', () => {
  const things = [account(), recipient(), standingOrder({ createdBy: 'cli', orderedBy: 'cli' })] as const;

  it('whoever changes the amount, a text or the end has ordered what follows; metadata orders nothing', () => {
    for (const change of [
      { end: { last: null, count: 99 } },
      { end: { last: '2099-01-31', count: null } },
      { reference: 'Rent' },
      { statementDescriptor: 'RENT' },
      { categoryPurpose: 'SALA' },
      { purpose: 'RENT' },
    ]) {
      given(...things)
        .when(update(change))
        .thenAccepts({ reply: { orderedBy: 'worker', createdBy: 'cli' } });
    }
    const after = given(...things).when(update({ metadata: { of: 'rent' } }));
    after.thenAccepts({ reply: { orderedBy: 'cli' }, events: ['standing_order.updated'] });
    after.when(update({ amount: '7.50' })).thenAccepts({
      reply: { amount: 750n, orderedBy: 'worker', createdBy: 'cli' },
      events: ['standing_order.updated'],
    });
    after.when(update({ amount: '7.50' })).thenAccepts({ events: [] });
    after.when(update({ amount: '0.001' })).thenRefuses('amount_invalid', { param: 'amount' });
  });

  it('one end replaces the other; one before the next day is refused', () => {
    const after = given(...things).when(update({ end: { last: '2026-05-01', count: null } }));
    after.thenAccepts({ reply: { last: '2026-05-01', count: null } });
    after.when(update({ end: { last: null, count: 2 } })).thenAccepts({ reply: { last: null, count: 2 } });
    after.when(update({ end: { last: null, count: null } })).thenAccepts({ reply: { last: null, count: null } });
    after
      .when(update({ end: { last: '2026-03-13', count: null } }))
      .thenRefuses('parameter_invalid', { param: 'ends_on' });
    const used = standingOrder({ plannedIndex: 3, next: '2026-06-14', dueAt: Date.UTC(2026, 5, 14) });
    given(account(), recipient(), used)
      .when(update({ end: { last: null, count: 3 } }))
      .thenRefuses('parameter_invalid', { param: 'count' });
  });
});

it('control: a payout that is no run is refused a planned day that is past', () => {
  const order = payoutOrder({ scheduledOn: '2026-03-13' });
  given(account(), recipient())
    .when({ type: 'create_payout', order, settlementDelayMs: null })
    .thenRefuses('scheduled_on_invalid');
});

describe('what its payouts are for', () => {
  const ada = recipient({ categoryPurpose: 'SUPP', purpose: 'GDDS' });
  const payoutsOf = ({ state }: { readonly state: State }) => [...state.tables.payout.values()];

  it('is what it says, else what its recipient said when it was made, and goes over to each payout', () => {
    const said = { categoryPurpose: 'SALA', purpose: 'BONU' } as const;
    given(account(), ada).when(create(said)).thenAccepts({ reply: said });
    given(account(), ada)
      .when(create())
      .thenAccepts({ reply: { categoryPurpose: 'SUPP', purpose: 'GDDS' } });
    expect(payoutsOf(given(account(), ada, standingOrder(said)).when(run()))).toMatchObject([said]);
  });

  it('may change and be unset; then payouts take what their recipient says', () => {
    const after = given(account(), ada, standingOrder()).when(update({ categoryPurpose: 'SALA', purpose: 'BONU' }));
    after.thenAccepts({
      reply: { categoryPurpose: 'SALA', purpose: 'BONU' },
      events: ['standing_order.updated'],
    });
    const unset = after.when(update({ categoryPurpose: null, purpose: null }));
    unset.thenAccepts({ reply: { categoryPurpose: null, purpose: null } });
    expect(payoutsOf(unset.when(run()))).toMatchObject([{ categoryPurpose: 'SUPP', purpose: 'GDDS' }]);
  });
});

describe('the type of its reference', () => {
  const QRR = '210000000003139471430009017';
  const KID = '2345676';
  const francs = { currency: 'CHF' } as const;
  const swiss = (iban: string) => recipient({ ...francs, country: 'CH', bankDetails: { iban } });
  const [qr, plain] = [swiss('CH4431999123000889012'), swiss('CH9300762011623852957')];

  it('is what the reference shows, or what is said, and goes over to each payout', () => {
    const made = given(account(francs), qr).when(create({ ...francs, reference: QRR }));
    made.thenAccepts({ reply: { reference: QRR, referenceType: 'qrr' } });
    const norwegian = { reference: KID, referenceType: 'kid' } as const;
    given(account(), recipient())
      .when(create({ reference: KID }))
      .thenAccepts({ reply: { referenceType: 'text' } });
    given(account(), recipient()).when(create(norwegian)).thenAccepts({ reply: norwegian });
    const paid = given(account(), recipient(), standingOrder(norwegian)).when(run());
    expect([...paid.state.tables.payout.values()]).toMatchObject([norwegian]);
  });

  it('of a QR-IBAN is that of a QR-bill, and of no other', () => {
    for (const reference of [null, 'Rent']) {
      given(account(francs), qr)
        .when(create({ ...francs, reference }))
        .thenRefuses('payout_not_payable', { param: 'reference' });
    }
    given(account(francs), plain)
      .when(create({ ...francs, reference: QRR }))
      .thenRefuses('payout_not_payable', { param: 'reference' });
    const bill = standingOrder({ ...francs, reference: QRR, referenceType: 'qrr' });
    given(account(francs), qr, bill)
      .when(update({ reference: 'Rent' }))
      .thenRefuses('payout_not_payable', { param: 'reference' });
    given(account(francs), plain, standingOrder(francs))
      .when(update({ reference: QRR }))
      .thenRefuses('payout_not_payable', { param: 'reference' });
  });

  it('changes with the reference alone', () => {
    const order = standingOrder({ reference: KID, referenceType: 'kid' });
    const things = [account(), recipient(), order] as const;
    given(...things)
      .when(update({ reference: 'Rent' }))
      .thenAccepts({ reply: { reference: 'Rent', referenceType: 'text' } });
    given(...things)
      .when(update({ reference: KID }))
      .thenAccepts({ events: [], reply: { referenceType: 'kid' } });
    given(...things)
      .when(update({ reference: null }))
      .thenAccepts({ reply: { reference: null, referenceType: null } });
    given(...things)
      .when(update({ purpose: 'RENT' }))
      .thenAccepts({ reply: { referenceType: 'kid' } });
  });
});
