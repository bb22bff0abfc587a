/** A new payout and the bank that would pay it. */
import { describe, expect, it } from 'vitest';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { given, givenAt, type Outcome } from '../../../test/support/harness/given.ts';
import { account, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import type { Stored } from '../../core/objects.ts';
import type { Command } from '../../write/slices.ts';
import { PAYOUT } from './fields.ts';

const create: Command = { type: 'create_payout', order: payoutOrder(), settlementDelayMs: 0 };
const addBank = (fields: object = {}): Command => {
  const {
    name,
    currency,
    country,
    holder,
    holderAddress,
    bankDetails,
    uses,
    profile,
    calendar,
    cutOff,
    timeZone,
    bookedBy,
    payeeCheck,
    exports,
    paidBy,
    reversalSign,
    charges,
    onDrift,
  } = { ...bankAccount(), ...fields };
  return {
    type: 'create_bank_account',
    name,
    currency,
    country,
    holder,
    holderAddress,
    bankDetails,
    uses,
    profile,
    calendar,
    cutOff,
    timeZone,
    bookedBy,
    payeeCheck,
    exports,
    paidBy,
    reversalSign,
    charges,
    onDrift,
    metadata: undefined,
  };
};
const unwritable = recipient({ name: '王小明' });

describe('a payout whose payee cannot be written', () => {
  it('is refused where a bank account pays in its currency', () =>
    void given(account(), unwritable)
      .when(addBank())
      .when(create)
      .thenRefuses('payout_not_payable', { param: 'recipient' }));
  it('is made where there is none', () => void given(account(), unwritable).when(create).thenAccepts({}));
  it('is made where bank accounts are for something else', () => {
    given(account(), unwritable)
      .when(addBank({ uses: ['collections'] }))
      .when(create)
      .thenAccepts({});
    given(account(), unwritable)
      .when(addBank({ currency: 'CHF' }))
      .when(create)
      .thenAccepts({});
  });
  it('is made with a name in Latin letters', () =>
    void given(account(), recipient({ name: '王小明', latinName: 'Wang Xiaoming' }))
      .when(addBank())
      .when(create)
      .thenAccepts({}));
  it('is made again once the bank account is closed', () => {
    const outcome = given(account(), unwritable).when(addBank());
    const [{ id }] = [...outcome.state.tables.bank_account.values()] as unknown as [{ id: string }];
    outcome.when({ type: 'close_bank_account', bankAccount: id }).when(create).thenAccepts({});
  });
});

describe('the day on which the bank executes a payout is known when it is made', () => {
  const made = (instant: string, order: object) => {
    // The second command comes a minute later.
    const outcome = givenAt(Date.parse(instant) - 60_000, account(), recipient())
      .when(addBank())
      .when({ ...create, order: payoutOrder(order) });
    const payout = [...outcome.state.tables.payout.values()][0] as Stored['payout'];
    return [payout.expectedExecutionDate, (JSON.parse(PAYOUT.render(payout, true)) as Shown).expected_arrival];
  };
  interface Shown {
    readonly expected_arrival: string;
  }
  it.each([
    ['before the cut-off', '2026-12-24T13:00:00Z', {}, '2026-12-24', '2026-12-28'],
    ['after it, behind Christmas', '2026-12-24T14:00:00Z', {}, '2026-12-28', '2026-12-29'],
    ['after it, behind Easter', '2027-03-25T14:00:00Z', {}, '2027-03-30', '2027-03-31'],
    ['instant, on Christmas Day', '2026-12-25T22:30:00Z', { speed: 'instant' }, '2026-12-25', '2026-12-25'],
    ['instant, behind midnight there', '2026-12-25T23:30:00Z', { speed: 'instant' }, '2026-12-26', '2026-12-26'],
    ['of a later day', '2026-12-23T14:00:00Z', { scheduledFor: '2026-12-24' }, '2026-12-24', '2026-12-28'],
    [
      'of a later day that is a holiday',
      '2026-12-23T14:00:00Z',
      { scheduledFor: '2026-12-25' },
      '2026-12-28',
      '2026-12-29',
    ],
    [
      'instant, of a later day',
      '2026-12-23T14:00:00Z',
      { scheduledFor: '2026-12-26', speed: 'instant' },
      '2026-12-26',
      '2026-12-26',
    ],
    ['on the day on which clocks go forward', '2027-03-28T01:30:00Z', {}, '2027-03-30', '2027-03-31'],
  ] as const)('%s', (_, instant, order, day, arrival) => expect(made(instant, order)).toEqual([day, arrival]));

  it('not where no bank account pays in its currency', () =>
    void given(account(), recipient())
      .when(create)
      .thenAccepts({ reply: { expectedExecutionDate: null } }));
  it('not while it waits for money, and then by its day', () => {
    const order = payoutOrder({ amount: 200_000n, waiting: { until: null } });
    const waiting = given(account(), recipient())
      .when(addBank())
      .when({ ...create, order });
    waiting.thenAccepts({ reply: { status: 'waiting', expectedExecutionDate: null } });
  });
});

describe('a bank account that is named', () => {
  const [FRIDAY, MONDAY] = ['2026-03-13', '2026-03-16'];
  const OTHER = { bankDetails: { iban: 'DE02120300000000202051' }, cutOff: '00:00' };
  const idsIn = ({ state }: Outcome) => [...state.tables.bank_account.keys()].toSorted() as [string, string];
  /** Of two bank accounts; what is done in it stays. */
  function world(other: object = {}) {
    const outcome = givenAt(Date.parse(`${FRIDAY}T09:00:00Z`), account({ balance: 1_000_000n }), recipient())
      .when(addBank())
      .when(addBank({ ...OTHER, ...other }));
    const [one, two] = idsIn(outcome);
    return { outcome, one, two };
  }
  const paying = (bankAccount: string | null, fields: object = {}): Command => ({
    ...create,
    order: payoutOrder({ bankAccount, ...fields }),
  });
  const UNKNOWN = 'ba_01jd3v9q4ne8v8k3w2m6r5t7xa';

  it('pays, by its own cut-off; without a name the oldest does', () => {
    const { outcome, one, two } = world();
    outcome.when(paying(null)).thenAccepts({ reply: { bankAccount: null, expectedExecutionDate: FRIDAY } });
    outcome.when(paying(one)).thenAccepts({ reply: { bankAccount: one, expectedExecutionDate: FRIDAY } });
    outcome.when(paying(two)).thenAccepts({ reply: { bankAccount: two, expectedExecutionDate: MONDAY } });
  });
  it('must be able to make the payment', () => {
    const { outcome, one, two } = world({ profile: 'ch_sps' });
    outcome.when(paying(one, { speed: 'instant' })).thenAccepts({});
    outcome.when(paying(two, { speed: 'instant' })).thenRefuses('payout_not_payable', { param: 'speed' });
  });
  it('is refused if there is none, if it is closed, if it does not pay, and in another currency', () => {
    const { outcome, one, two } = world();
    const both = { param: 'bank_account', allowed: [one, two] };
    outcome.when(paying(UNKNOWN)).thenRefuses('bank_account_not_paying', both);
    outcome.when({ type: 'close_bank_account', bankAccount: two });
    outcome.when(paying(two)).thenRefuses('bank_account_not_paying', { param: 'bank_account', allowed: [one] });
    const collecting = world({ uses: ['collections'] });
    collecting.outcome.when(paying(collecting.two)).thenRefuses('bank_account_not_paying');
    const dollars = world({ currency: 'USD' });
    const other = { param: 'bank_account', allowed: [dollars.one] };
    dollars.outcome.when(paying(dollars.two)).thenRefuses('bank_account_currency_mismatch', other);
  });
  it('may be the recipient’s, over which a payout’s own goes', () => {
    const { outcome, one, two } = world();
    const change = (bankAccount: string): Command => ({
      type: 'update_recipient',
      recipient: recipient().id,
      bankAccount,
      name: undefined,
      email: undefined,
      bankDetails: undefined,
      metadata: undefined,
      address: undefined,
      latinName: undefined,
    });
    outcome.when(change(UNKNOWN)).thenRefuses('bank_account_not_paying', { param: 'bank_account' });
    outcome.when(change(two)).thenAccepts({ reply: { bankAccount: two } });
    outcome.when(paying(null)).thenAccepts({ reply: { bankAccount: two } });
    outcome.when(paying(one)).thenAccepts({ reply: { bankAccount: one } });
    outcome.when({ type: 'close_bank_account', bankAccount: two });
    outcome.when(paying(null)).thenRefuses('bank_account_not_paying', { param: 'recipient' });
  });
  it('of a pending payout changes, and so does its day', () => {
    const { outcome, two } = world();
    const made = outcome.when(paying(null));
    const update = (bankAccount: string | null): Command => {
      const unsaid = { metadata: undefined, reference: undefined, scheduledFor: undefined };
      return { type: 'update_payout', payout: made.reply.id, bankAccount, ...unsaid, settlementDelayMs: 0 };
    };
    made.when(update(two)).thenAccepts({ reply: { bankAccount: two, expectedExecutionDate: MONDAY } });
    made.when(update(null)).thenAccepts({ reply: { bankAccount: null, expectedExecutionDate: FRIDAY } });
    made.when(update(UNKNOWN)).thenRefuses('bank_account_not_paying');
  });
});

describe('a speed that the bank account does not have', () => {
  it.each([
    ['instant', { profile: 'ch_sps' }],
    ['urgent', {}], // nothing names the bank of the payee
    ['urgent', { profile: 'epc' }],
  ] as const)('%s, is refused', (speed, bank) => {
    given(account(), recipient())
      .when(addBank(bank))
      .when({ ...create, order: payoutOrder({ speed }) })
      .thenRefuses('payout_not_payable', { param: 'speed' });
  });
  it('is taken where no bank account pays', () =>
    void given(account(), recipient())
      .when({ ...create, order: payoutOrder({ speed: 'urgent' }) })
      .thenAccepts({ reply: { speed: 'urgent' } }));
});

it('says all that is wrong', () => {
  const abroad = recipient({ name: '王', currency: 'USD', country: 'US', bankDetails: { account_number: '1' } });
  const refused = given(account({ currency: 'USD' }), abroad)
    .when(addBank({ currency: 'USD', profile: 'epc' }))
    .when({ ...create, order: payoutOrder({ currency: 'USD' }) });
  refused.thenRefuses('payout_not_payable');
  expect(refused.refusal?.message).toMatch(/no route.*latin_name/);
});

it('an amount that a SEPA file does not take names the amount', () => {
  const order = payoutOrder({ amount: 100_000_000_000n });
  const rich = account({ balance: 200_000_000_000n });
  given(rich, recipient())
    .when(addBank())
    .when({ ...create, order })
    .thenRefuses('payout_not_payable', { param: 'amount' });
});
