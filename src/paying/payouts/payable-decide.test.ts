/** A new payout and the bank that would pay it. */
import { describe, expect, it } from 'vitest';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { given, givenAt, type Outcome } from '../../../test/support/harness/given.ts';
import {
  account,
  PAYOUT as PAYOUT_ID,
  payout,
  payoutOrder,
  recipient,
} from '../../../test/support/harness/literals.ts';
import type { Stored } from '../../core/objects.ts';
import { judgeOf } from '../../iso20022/write/payable.ts';
import type { Command } from '../../write/slices.ts';
import { renderRequirements } from '../recipients/schema.ts';
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
    holidays,
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
    holidays,
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

it('a payout from an account whose holder cannot be written is refused', () => {
  const refused = given(account(), recipient())
    .when(addBank({ holder: '株式会社' }))
    .when(create);
  refused.thenRefuses('payout_not_payable', { param: 'recipient' });
  expect(refused.refusal?.message).toContain('holder of your bank account');
});

describe('the day on which the bank executes a payout is known when it is made', () => {
  const made = (instant: string, order: object) => {
    // The second command comes a minute later.
    const outcome = givenAt(Date.parse(instant) - 60_000, account(), recipient())
      .when(addBank())
      .when({ ...create, order: payoutOrder(order) });
    const payout = [...outcome.state.tables.payout.values()][0] as Stored['payout'];
    return [payout.expectedExecutionOn, (JSON.parse(PAYOUT.render(payout, true)) as Shown).expected_arrival_on];
  };
  interface Shown {
    readonly expected_arrival_on: string;
  }
  it.each([
    ['before the cut-off', '2026-12-24T13:00:00Z', {}, '2026-12-24', '2026-12-28'],
    ['after it, behind Christmas', '2026-12-24T14:00:00Z', {}, '2026-12-28', '2026-12-29'],
    ['after it, behind Easter', '2027-03-25T14:00:00Z', {}, '2027-03-30', '2027-03-31'],
    ['instant, on Christmas Day', '2026-12-25T22:30:00Z', { speed: 'instant' }, '2026-12-25', '2026-12-25'],
    ['instant, behind midnight there', '2026-12-25T23:30:00Z', { speed: 'instant' }, '2026-12-26', '2026-12-26'],
    ['of a later day', '2026-12-23T14:00:00Z', { scheduledOn: '2026-12-24' }, '2026-12-24', '2026-12-28'],
    [
      'of a later day that is a holiday',
      '2026-12-23T14:00:00Z',
      { scheduledOn: '2026-12-25' },
      '2026-12-28',
      '2026-12-29',
    ],
    [
      'instant, of a later day',
      '2026-12-23T14:00:00Z',
      { scheduledOn: '2026-12-26', speed: 'instant' },
      '2026-12-26',
      '2026-12-26',
    ],
    ['on the day on which clocks go forward', '2027-03-28T01:30:00Z', {}, '2027-03-30', '2027-03-31'],
  ] as const)('%s', (_, instant, order, day, arrival) => expect(made(instant, order)).toEqual([day, arrival]));

  it('not where no bank account pays in its currency', () =>
    void given(account(), recipient())
      .when(create)
      .thenAccepts({ reply: { expectedExecutionOn: null } }));
  it('not while it waits for money, and then by its day', () => {
    const order = payoutOrder({ amount: 200_000n, waiting: { until: null } });
    const waiting = given(account(), recipient())
      .when(addBank())
      .when({ ...create, order });
    waiting.thenAccepts({ reply: { status: 'waiting', expectedExecutionOn: null } });
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
    outcome.when(paying(null)).thenAccepts({ reply: { bankAccount: null, expectedExecutionOn: FRIDAY } });
    outcome.when(paying(one)).thenAccepts({ reply: { bankAccount: one, expectedExecutionOn: FRIDAY } });
    outcome.when(paying(two)).thenAccepts({ reply: { bankAccount: two, expectedExecutionOn: MONDAY } });
  });
  it('must be able to make the payment', () => {
    const { outcome, one, two } = world({ profile: 'ch_sps' });
    outcome.when(paying(one, { speed: 'instant' })).thenAccepts({});
    outcome.when(paying(two, { speed: 'instant' })).thenRefuses('payout_not_payable', { param: 'speed' });
  });
  it('is refused if there is none, if it is closed, if it does not pay, and in another currency', () => {
    const { outcome, one, two } = world();
    outcome.when(paying(UNKNOWN)).thenRefuses('resource_missing', { param: 'bank_account' });
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
    outcome.when(change(UNKNOWN)).thenRefuses('resource_missing', { param: 'bank_account' });
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
      const unsaid = { metadata: undefined, reference: undefined, scheduledOn: undefined };
      return { type: 'update_payout', payout: made.reply.id, bankAccount, ...unsaid, settlementDelayMs: 0 };
    };
    made.when(update(two)).thenAccepts({ reply: { bankAccount: two, expectedExecutionOn: MONDAY } });
    made.when(update(null)).thenAccepts({ reply: { bankAccount: null, expectedExecutionOn: FRIDAY } });
    made.when(update(UNKNOWN)).thenRefuses('resource_missing');
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

describe('a payout by SEPA out of the EEA', () => {
  const british = recipient({ country: 'GB', bankDetails: { iban: 'GB33BUKB20201555555555' } });
  const holderAddress = { line1: null, line2: null, postal_code: null, city: 'Berlin', state: null, country: 'DE' };
  const ofBank = ({ state }: ReturnType<ReturnType<typeof given>['when']>) =>
    [...state.tables.bank_account.values()][0] as Stored['bank_account'];
  it('is refused without the address of the payer, and made once there is one', () => {
    const outcome = given(account(), british).when(addBank());
    const refused = outcome.when(create);
    refused.thenRefuses('payout_not_payable', { param: 'recipient' });
    expect(refused.refusal?.message).toContain('holder_address');
    const nothing = Object.fromEntries(Object.keys(bankAccount()).map((name) => [name, undefined]));
    const change = { ...nothing, type: 'update_bank_account', bankAccount: ofBank(outcome).id, metadata: undefined };
    outcome
      .when({ ...change, holderAddress } as never)
      .when(create)
      .thenAccepts({});
  });
  it('is refused with an address whose town cannot be written', () =>
    void given(account(), british)
      .when(addBank({ holderAddress: { ...holderAddress, city: '北京' } }))
      .when(create)
      .thenRefuses('payout_not_payable', { param: 'recipient' }));
  it('is said before', () => {
    const asked = (fields: object) => {
      const { environment } = given(account()).when(addBank(fields)).state;
      const answer = renderRequirements('GB', 'EUR', judgeOf(environment, 'EUR'));
      return JSON.parse(answer) as { speeds: string[]; errors: { param: string; code: string }[] };
    };
    const errors = [{ param: 'holder_address', code: 'payout_not_payable' }];
    expect(asked({})).toMatchObject({ speeds: ['urgent'], errors });
    expect(asked({ profile: 'epc' })).toMatchObject({ speeds: [], errors });
    expect(asked({ holderAddress })).toMatchObject({ speeds: ['standard', 'instant', 'urgent'], errors: [] });
  });
});

describe('the type of a reference', () => {
  const QRR = '210000000003139471430009017';
  const made = (to: object, order: object) =>
    given(account({ currency: 'CHF' }), recipient({ currency: 'CHF', country: 'CH', ...to })).when({
      ...create,
      order: payoutOrder({ currency: 'CHF', ...order }),
    });
  const qr = { bankDetails: { iban: 'CH4431999123000889012' } };
  it('is what the reference shows, or what is said', () => {
    made(qr, { reference: QRR }).thenAccepts({ reply: { reference: QRR, referenceType: 'qrr' } });
    made({}, { reference: 'RF18 5390 0754 7034' }).thenAccepts({ reply: { referenceType: 'rf' } });
    made({}, { reference: 'Invoice 4711' }).thenAccepts({ reply: { referenceType: 'text' } });
    made({}, { reference: QRR, referenceType: 'text' }).thenAccepts({ reply: { referenceType: 'text' } });
    made({}, { reference: null }).thenAccepts({ reply: { referenceType: null } });
  });
  it('must be that of the account, whether or not a bank account pays', () => {
    for (const reference of [null, 'Invoice 4711']) {
      made(qr, { reference }).thenRefuses('payout_not_payable', { param: 'reference' });
    }
    made({}, { reference: QRR }).thenRefuses('payout_not_payable', { param: 'reference' });
    const german = recipient();
    given(account(), german)
      .when({ ...create, order: payoutOrder({ reference: QRR, referenceType: 'qrr' }) })
      .thenRefuses('payout_not_payable', { param: 'reference' });
    given(account(), german)
      .when({ ...create, order: payoutOrder({ reference: QRR }) })
      .thenAccepts({ reply: { referenceType: 'text' } });
  });
  const change = (reference: string | null, more: object = {}): Command => ({
    type: 'update_payout',
    payout: PAYOUT_ID,
    reference,
    scheduledOn: undefined,
    metadata: undefined,
    settlementDelayMs: 0,
    ...more,
  });
  it('changes with the reference, but not to or from that of a QR-IBAN', () => {
    const swiss = { destination: { name: 'Ada', scheme: 'local', country: 'CH', bank: null, last4: '2957' } } as const;
    const words = payout({ reference: 'Invoice', referenceType: 'text', ...swiss });
    given(account(), words)
      .when(change('RF18 5390 0754 7034'))
      .thenAccepts({ reply: { referenceType: 'rf' }, events: ['payout.updated'] });
    given(account(), words)
      .when(change(null))
      .thenAccepts({ reply: { referenceType: null } });
    given(account(), words)
      .when(change('602243', { referenceType: 'kid' }))
      .thenAccepts({ reply: { referenceType: 'kid' } });
    given(account(), words).when(change(QRR)).thenRefuses('payout_not_payable', { param: 'reference' });
    const bill = payout({ reference: QRR, referenceType: 'qrr', ...swiss });
    given(account(), bill).when(change('Invoice')).thenRefuses('payout_not_payable', { param: 'reference' });
    const others = change(undefined as never, { scheduledOn: null, metadata: { a: 'b' } });
    given(account(), bill)
      .when(others)
      .thenAccepts({ reply: { referenceType: 'qrr' } });
  });
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
