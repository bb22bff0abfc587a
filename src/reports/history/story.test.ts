/** What is read out of each state of a payout, and of each way to it. */
import { describe, expect, it } from 'vitest';
import { exampleId, idOf } from '../../core/values/ids.ts';
import type { Facts, PastEvent, ShownPayout } from './fields.ts';
import { reasonInWords } from './reasons.ts';
import { dayInWords, storyOf, summaryOf } from './story.ts';

const KEY = exampleId('key');
const GRACE = idOf('key', '01900000-0001-7000-8000-000000000000');
const LIMIT = exampleId('lim');
const PAYOUT: ShownPayout = {
  id: exampleId('po'),
  created: 1000,
  livemode: true,
  amount_minor: 112_808,
  amount_returned_minor: 0,
  currency: 'EUR',
  status: 'pending',
  account: exampleId('acct'),
  destination: { name: 'Chien-Shiung Wu', last4: '3001' },
  scheduled_on: null,
  wait_until_on: null,
  expected_arrival_on: '2026-12-28',
  batch: null,
  standing_order: null,
  exchange: null,
  refund_of: null,
  transfer: exampleId('trf'),
  reversal: null,
  failure_code: null,
  failure_message: null,
  bank_reason: null,
  payee_check: null,
  release: null,
  in_transit_at: null,
  ended_at: null,
  created_by: KEY,
};
const at = Date.parse('2026-12-25T09:21:00Z') / 1000;
const facts = (payout: Partial<ShownPayout> = {}, more: Partial<Facts> = {}): Facts => ({
  payout: { ...PAYOUT, ...payout },
  events: [],
  accountName: 'Main EUR',
  batchName: null,
  bankName: 'Nordbank',
  file: null,
  entries: [],
  deliveries: [],
  names: new Map([
    [KEY, 'Ada Byron'],
    [GRACE, 'Grace Hopper'],
  ]),
  ...more,
});
const event = (
  type: string,
  object: Partial<ShownPayout> = {},
  previous: Record<string, unknown> = {},
  actor: string | null = KEY,
): PastEvent => ({
  id: exampleId('evt'),
  type,
  created: 2000,
  data: { object: { ...PAYOUT, ...object }, previous_attributes: previous },
  request: { actor },
});
const FILE = { id: exampleId('pf'), messageId: 'PF01X', bankAccount: exampleId('ba'), executionOn: '2026-12-24' };
const release = (more: Partial<NonNullable<ShownPayout['release']>>): Pick<ShownPayout, 'release'> => ({
  release: {
    status: 'held',
    reasons: ['new_recipient'],
    approvals_required: 1,
    approvals: [],
    rejection: null,
    ...more,
  },
});
const BACK = { reversal: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb', ended_at: at };
const REJECTED = release({ status: 'rejected', rejection: { actor: GRACE, at: 1500, reason: 'wrong amount' } });
const NOT_THERE = 'No bank account was found for these bank details.';

describe('the first sentence', () => {
  const held = release({ reasons: [LIMIT, 'new_recipient', LIMIT], approvals_required: 2 });
  const partly = release({ approvals_required: 2, approvals: [{ actor: GRACE, at: 1500 }] });
  it.each<[string, Partial<ShownPayout>, string]>([
    [
      'waiting',
      { status: 'waiting', wait_until_on: '2027-01-24', transfer: null },
      'It waits for money on Main EUR until 24 Jan 2027. Nothing has been debited.',
    ],
    ['held', held, 'It waits for 2 approvals, because a limit was exceeded and the recipient is new.'],
    ['held, once approved', partly, 'It waits for 1 approval, because the recipient is new.'],
    ['pending', {}, 'It leaves next. It should arrive by 28 Dec 2026.'],
    [
      'scheduled',
      { scheduled_on: '2026-12-24' },
      'It leaves on 24 Dec 2026, or as soon after as it can. It should arrive by 28 Dec 2026.',
    ],
    [
      'in transit',
      { status: 'in_transit', in_transit_at: at },
      'It is with Nordbank since 25 Dec 2026. It should arrive by 28 Dec 2026.',
    ],
    ['paid', { status: 'paid', ended_at: at }, 'It was paid on 25 Dec 2026. It should arrive by 28 Dec 2026.'],
    [
      'failed at the bank',
      { status: 'failed', ...BACK, failure_code: 'no_account', failure_message: NOT_THERE },
      `${NOT_THERE} The money is back on Main EUR. Correct the recipient, and pay again.`,
    ],
    [
      'failed without money at the bank',
      { status: 'failed', ...BACK, failure_code: 'insufficient_funds', failure_message: 'Too little.' },
      'Too little. The money is back on Main EUR. Fund the account, and pay again.',
    ],
    [
      'failed for a reason to ask for',
      { status: 'failed', ...BACK, failure_code: 'declined', failure_message: 'Declined.' },
      'Declined. The money is back on Main EUR. Ask the bank before you pay again.',
    ],
    [
      'failed because no money came',
      { status: 'failed', transfer: null, wait_until_on: '2026-12-24', failure_code: 'insufficient_funds' },
      'The money did not come by 24 Dec 2026, so it failed. Nothing had been debited.',
    ],
    [
      'returned',
      {
        status: 'returned',
        ...BACK,
        amount_returned_minor: 112_808,
        failure_code: 'account_closed',
        failure_message: 'Closed.',
      },
      'Came back: 1128.08 EUR is on Main EUR again. Closed. Correct the recipient, and pay again.',
    ],
    [
      'returned less charges',
      { status: 'returned', ...BACK, amount_returned_minor: 112_000, failure_code: 'could_not_process' },
      'Came back: 1120.00 EUR of 1128.08 EUR is on Main EUR again. Ask the bank before you pay again.',
    ],
    ['canceled', { status: 'canceled', ...BACK }, 'It was canceled on 25 Dec 2026. The money is back on Main EUR.'],
    [
      'canceled while it waited',
      { status: 'canceled', transfer: null, ended_at: at, wait_until_on: '2027-01-24' },
      'It was canceled on 25 Dec 2026. Nothing had been debited.',
    ],
    [
      'rejected',
      { status: 'canceled', ...BACK, ...REJECTED },
      'Rejected by Grace Hopper: “wrong amount”. The money is back on Main EUR.',
    ],
  ])('%s', (_, payout, summary) => expect(summaryOf(facts(payout))).toBe(summary));
});

const texts = (given: Facts) => storyOf(given).map(({ kind, text }) => `${kind}: ${text}`);
const first = (payout: Partial<ShownPayout>, more: Partial<Facts> = {}) => storyOf(facts(payout, more))[0]?.text;

describe('how it began', () => {
  it.each<[string, Partial<ShownPayout>, Partial<Facts>, string]>([
    ['alone', {}, {}, 'Created by Ada Byron: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR.'],
    [
      'in a batch',
      { batch: exampleId('pob') },
      { batchName: 'payroll-nov' },
      'Created by Ada Byron in batch payroll-nov: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR.',
    ],
    [
      'in a batch without a name, by a key that has none',
      { batch: exampleId('pob'), created_by: exampleId('key').replace('xa', 'xb') },
      {},
      'Created by a key in a batch: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR.',
    ],
    [
      'for a standing order',
      { standing_order: exampleId('so'), created_by: 'worker' },
      {},
      'Created by the service for a standing order: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR.',
    ],
    [
      'as a refund',
      { refund_of: exampleId('pay') },
      {},
      'Created by Ada Byron as the refund of a payment: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR.',
    ],
    [
      'with an exchange, for a day',
      { exchange: exampleId('exc'), scheduled_on: '2026-12-24' },
      {},
      'Created by Ada Byron: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR. An exchange paid for it. It is to leave on 24 Dec 2026.',
    ],
    [
      'waiting for money',
      { wait_until_on: '2027-01-24', status: 'waiting', transfer: null },
      {},
      'Created by Ada Byron: 1128.08 EUR to Chien-Shiung Wu, account ending in 3001, from Main EUR. The account did not hold enough, so it could wait for money until 24 Jan 2027.',
    ],
    [
      'of a salary, for a key that may not see whom it pays',
      { destination: null, created_by: null },
      { accountName: null },
      'Created: 1128.08 EUR, from the account.',
    ],
  ])('%s', (_, payout, more, text) => expect(first(payout, more)).toBe(text));

  it('names what it is about by ids', () => {
    const [line] = storyOf(facts({ batch: exampleId('pob') }));
    expect(line).toMatchObject({ at: 1000, kind: 'created', actor: KEY });
    expect(line?.refs).toEqual({ account: PAYOUT.account, batch: exampleId('pob'), transfer: PAYOUT.transfer });
  });
});

describe('what a second person did', () => {
  it('approved it, each by name', () => {
    const approvals = [
      { actor: GRACE, at: 1500 },
      { actor: 'second_person', at: 1600 },
    ];
    const given = facts(
      release({ status: 'approved', approvals_required: 2, approvals, reasons: ['changed_recipient'] }),
    );
    expect(texts(given).slice(1)).toEqual([
      'held: Held, because name or bank details of the recipient changed lately. It needs 2 approvals.',
      'approved: Approved by Grace Hopper (1 of 2).',
      'approved: Approved by a second person (test helper) (2 of 2).',
    ]);
  });
  it('rejected it, and its cancelation does not say so twice', () => {
    const given = facts({ status: 'canceled', ...BACK, ...REJECTED }, { events: [event('payout.canceled')] });
    expect(texts(given).slice(1)).toEqual([
      'held: Held, because the recipient is new. It needs 1 approval.',
      'rejected: Rejected by Grace Hopper: “wrong amount”. The money is back on Main EUR.',
    ]);
  });
  it('a limit that held it is named', () => {
    const [, held] = storyOf(facts(release({ reasons: [LIMIT] })));
    expect(held?.refs).toEqual({ limit: LIMIT });
  });
});

describe('what happened then', () => {
  const one = (past: PastEvent, payout: Partial<ShownPayout> = {}, more: Partial<Facts> = {}) =>
    texts(facts(payout, { events: [past], ...more })).slice(1);
  const AC01 = { bank_reason: { code: 'AC01', text: 'KONTO FALSCH' }, failure_message: NOT_THERE } as const;

  it.each<[string, PastEvent, readonly string[]]>([
    ['money came', event('payout.funded'), ['funded: The money came: 1128.08 EUR was debited from Main EUR.']],
    [
      'it was changed',
      event('payout.updated', {}, { reference: 'a', reference_type: 'text', scheduled_on: null }),
      ['changed: Changed by Ada Byron: reference and day.'],
    ],
    [
      'it was changed after approvals',
      event('payout.updated', release({}), { reference: 'a' }),
      ['changed: Changed by Ada Byron: reference. Approvals from before do not count any more.'],
    ],
    ['it left', event('payout.in_transit', {}, { status: 'pending' }), ['sent: Left for Nordbank.']],
    [
      'its debit was voided',
      event('payout.in_transit', {}, { status: 'paid' }),
      ['bank: The booking that had paid it was voided, so it is on its way again.'],
    ],
    ['the bank accepted it', event('payout.updated', {}, { accepted_at: null }), ['bank: Nordbank accepted it.']],
    [
      'the bank delays it',
      event('payout.updated', { bank_reason: { code: 'TM01', text: null } }, { bank_reason: null }),
      ['bank: Nordbank says: TM01, it came after the cut-off.'],
    ],
    [
      'the bank compared the name',
      event('payout.updated', { payee_check: { result: 'close_match', name: 'C. S. Wu' } }, { payee_check: null }),
      ['bank: Check of the payee’s name: the name is nearly that of the account, “C. S. Wu”.'],
    ],
    [
      'the name was hidden',
      event('payout.updated', { payee_check: { result: 'close_match', name: null } }, { payee_check: null }),
      ['bank: Check of the payee’s name: the name is nearly that of the account.'],
    ],
    ['it was paid', event('payout.paid'), ['paid: Paid: the bank executed it.']],
    [
      'it failed',
      event('payout.failed', AC01),
      [
        `failed: Failed. ${NOT_THERE} Nordbank says: AC01, the account number is wrong. “KONTO FALSCH”. The money is back on Main EUR.`,
      ],
    ],
    [
      'it came back, in part',
      event('payout.returned', {
        amount_returned_minor: 100,
        bank_reason: { code: 'AC04', text: null },
        failure_message: 'The bank account has been closed.',
      }),
      [
        'returned: Came back: 1.00 EUR of 1128.08 EUR is on Main EUR again. The bank account has been closed. Nordbank says: AC04, the account is closed.',
      ],
    ],
    [
      'more of it came back',
      event('payout.updated', { amount_returned_minor: 200 }, { amount_returned_minor: 100 }),
      ['returned: Came back: 2.00 EUR of 1128.08 EUR is on Main EUR again.'],
    ],
    ['what the payout itself says is not said twice', event('payout.created'), []],
    ['an approval too', event('payout.approved'), []],
  ])('%s', (_, past, lines) => expect(one(past)).toEqual(lines));

  it('the bank to be debited held too little', () => {
    const AM04 = { bank_reason: { code: 'AM04', text: null }, failure_message: 'Too little.' };
    expect(one(event('payout.failed', AM04))).toEqual([
      'failed: Failed. Too little. Nordbank says: AM04, the account to be debited does not hold enough. The money is back on Main EUR.',
    ]);
  });
  it('it was canceled', () => {
    expect(one(event('payout.canceled'), { status: 'canceled', ...BACK })).toEqual([
      'canceled: Canceled by Ada Byron. The money is back on Main EUR.',
    ]);
  });
  it('it left in a file, and the bank booked it', () => {
    const entry = {
      id: exampleId('be'),
      direction: 'debit',
      amount: 112_808n,
      bookedOn: '2026-12-25',
      at: 2500,
    } as const;
    const given = { file: FILE, entries: [entry, { ...entry, direction: 'credit', at: 2600 } as const] };
    expect(one(event('payout.in_transit'), {}, given)).toEqual([
      'sent: Put into payment file PF01X for Nordbank, to be executed on 24 Dec 2026.',
      'booked: Nordbank booked 1128.08 EUR out on 25 Dec 2026.',
      'booked: Nordbank booked 1128.08 EUR that came back on 25 Dec 2026.',
    ]);
  });
  it('an endpoint has not got an event', () => {
    const delivery = {
      id: exampleId('dlv'),
      endpoint: exampleId('we'),
      host: 'hooks.example.com',
      event: exampleId('evt'),
      eventType: 'payout.paid',
      status: 'failed',
      attempts: 3,
      at: 3000,
      error: 'No answer within 15 s.',
    };
    const [, failed, waiting] = texts(
      facts({}, { deliveries: [delivery, { ...delivery, status: 'pending', attempts: 1, error: null }] }),
    );
    expect(failed).toBe(
      'delivery: payout.paid was not delivered to hooks.example.com in 3 attempts: No answer within 15 s. It is not tried again by itself.',
    );
    expect(waiting).toBe(
      'delivery: payout.paid was not delivered to hooks.example.com in 1 attempt. It is tried again.',
    );
  });
});

describe('what is older than events are kept', () => {
  it.each<[string, Partial<ShownPayout>, readonly string[]]>([
    [
      'paid',
      { status: 'paid', in_transit_at: 1500, ended_at: 1600 },
      ['sent: Left for Nordbank.', 'paid: Paid: the bank executed it.'],
    ],
    [
      'failed',
      { status: 'failed', in_transit_at: 1500, ...BACK, failure_message: NOT_THERE },
      ['sent: Left for Nordbank.', `failed: Failed. ${NOT_THERE} The money is back on Main EUR.`],
    ],
    ['canceled', { status: 'canceled', ...BACK }, ['canceled: Canceled. The money is back on Main EUR.']],
    [
      'returned',
      { status: 'returned', ...BACK, amount_returned_minor: 112_808 },
      ['returned: Came back: 1128.08 EUR is on Main EUR again.'],
    ],
  ])('%s', (_, payout, lines) => expect(texts(facts(payout)).slice(1)).toEqual(lines));
});

it('a code that nobody knows is said as it is, and days are those of people', () => {
  expect(reasonInWords('XT99')).toBe('XT99');
  expect(dayInWords('2026-03-01')).toBe('1 Mar 2026');
});
it('nothing is known of who did it', () => {
  expect(
    texts(
      facts({}, { names: new Map(), bankName: null, events: [event('payout.updated', {}, { accepted_at: 1 })] }),
    )[1],
  ).toBe('bank: The bank accepted it.');
});
