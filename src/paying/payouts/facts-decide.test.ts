/** State × fact: every state that a payout can be in, and everything that a bank can say of it. */
import { describe, expect, it } from 'vitest';
import { houseOf } from '../../core/house-accounts.ts';
import { BANK, bankAccount, bankFile, FILE, instruction } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { account, AT, idAt, PAYOUT, payout, recipient } from '../../../test/support/harness/literals.ts';
import type { Answer, FactKind, FactState } from './facts-decide.ts';
import type { BankAnswer } from '../../core/bank-answer.ts';
import type { PayoutStatus } from './fields.ts';
import { NOTHING_EXPLAINED } from '../../bank/statements/fields.ts';

const NOTHING_SAID: BankAnswer = { reason: null, acceptedAt: null, payeeCheck: null };
const DOCUMENT = idAt('bd', 1);
const document = {
  object: 'bank_document',
  id: DOCUMENT,
  sha256: '00',
  status: 'importing',
  sizeBytes: 1n,
  statementsCount: 0,
  skippedCount: 0,
  notes: [],
  importedAt: null,
  createdAt: 0,
} as const;

const IS_OVER = new Set(['failed', 'canceled', 'returned']);
const payoutIn = (status: PayoutStatus) =>
  payout({
    status,
    transfer: status === 'waiting' ? null : idAt('trf', 1),
    reversal: IS_OVER.has(status) ? idAt('trf', 2) : null,
    failureCode: status === 'failed' || status === 'returned' ? 'declined' : null,
  });
const AMOUNT = payout().amount;

/** A bank account that takes the bank's word for a payment. */
const world = (state: FactState, fields: object = {}) => {
  const status = state.replace('_unbooked', '') as PayoutStatus;
  const isFiled = status !== 'waiting' && status !== 'pending' && status !== 'canceled';
  const unbooked = state !== status;
  const filed = { status: isFiled ? ('claimed' as const) : ('released' as const), unbooked, ...fields };
  const file = bankFile({ status: 'sealed', sealedAt: 1 });
  return given(
    document,
    bankAccount({ paidBy: 'status' }),
    account(),
    recipient(),
    file,
    payoutIn(status),
    instruction(filed),
  );
};

const answer = (fields: Partial<Answer>) =>
  ({
    type: 'note_bank_answers',
    document: DOCUMENT,
    answers: [{ payout: PAYOUT, file: FILE, status: 'ACSP', reason: null, reasonText: null, ...fields }],
  }) as const;

const booking = (direction: 'credit' | 'debit', amount: bigint, returnReason: string | null = null) => {
  const line = {
    identity: '11'.repeat(32),
    lookalikes: [{ endToEndId: null, account: null }],
    occurrence: 1,
    direction,
    amount,
    bookedOn: '2026-03-16',
    valueOn: null,
    explanation: { ...NOTHING_EXPLAINED, returnReason },
    payouts: [{ payout: PAYOUT, amount }],
    file: null,
    references: [],
  };
  const statement = {
    message: 'camt.054' as const,
    reference: null,
    sequence: null,
    page: null,
    startsOn: null,
    openedOn: null,
    opening: null,
    closedOn: null,
    closing: null,
    entriesCount: 1,
    sum: direction === 'credit' ? amount : -amount,
    identity: '22'.repeat(32),
    series: '33'.repeat(32),
  };
  return {
    type: 'import_bank_entries',
    document: DOCUMENT,
    bankAccount: BANK,
    statement,
    lines: [line],
    isLast: true,
  } as const;
};
const COMMANDS = {
  noted: answer({}),
  rejected: answer({ status: 'RJCT', reason: 'AC04' }),
  settled: answer({ status: 'ACSC' }),
  debited: booking('debit', AMOUNT),
  returned: booking('credit', AMOUNT, 'AC04'),
} as const satisfies Record<FactKind, unknown>;

/** The state afterwards, and what money did: `paid` leaves, `back` credits the account, `waits` lies in `unmatched`, `books` was paid before. */
const AFTER: Readonly<Record<FactState, Readonly<Record<FactKind, string>>>> = {
  waiting: {
    noted: 'waiting',
    rejected: 'waiting',
    settled: 'waiting',
    debited: 'waiting waits',
    returned: 'waiting waits',
  },
  pending: {
    noted: 'pending',
    rejected: 'pending',
    settled: 'pending',
    debited: 'paid paid',
    returned: 'pending waits',
  },
  in_transit: {
    noted: 'in_transit',
    rejected: 'failed back',
    settled: 'paid paid',
    debited: 'paid paid',
    returned: 'in_transit waits',
  },
  paid: { noted: 'paid', rejected: 'paid', settled: 'paid', debited: 'paid waits', returned: 'returned back' },
  paid_unbooked: { noted: 'paid', rejected: 'paid', settled: 'paid', debited: 'paid books', returned: 'returned back' },
  failed: { noted: 'failed', rejected: 'failed', settled: 'failed', debited: 'failed waits', returned: 'failed waits' },
  canceled: {
    noted: 'canceled',
    rejected: 'canceled',
    settled: 'canceled',
    debited: 'canceled waits',
    returned: 'canceled waits',
  },
  returned: {
    noted: 'returned',
    rejected: 'returned',
    settled: 'returned',
    debited: 'returned waits',
    returned: 'returned back',
  },
  returned_unbooked: {
    noted: 'returned',
    rejected: 'returned',
    settled: 'returned',
    debited: 'returned books',
    returned: 'returned back',
  },
};
const CAUSES: Readonly<Record<string, string>> = {
  payout_settlement: 'paid',
  payout_reversal: 'back',
  bank_entry: 'waits',
};
const cases = Object.entries(AFTER).flatMap(([status, facts]) =>
  Object.entries(facts).map(([fact, after]) => [status, fact, after] as [FactState, FactKind, string]),
);

describe('a payout that is', () => {
  it('looked at in every state, for every fact', () => expect(cases).toHaveLength(45));

  it.each(cases)('%s and %s is then: %s', (status, fact, after) => {
    const outcome = world(status, status.startsWith('returned') ? { returned: 0n } : {}).when(COMMANDS[fact]);
    const { state } = outcome.thenAccepts({});
    const moved = state.transfers.map(({ cause, debitAccount }) =>
      houseOf(debitAccount)?.kind === 'bank' ? 'books' : CAUSES[cause],
    );
    expect([state.tables.payout.get(PAYOUT)?.status, ...moved].join(' ')).toBe(after);
  });
});

describe('a message', () => {
  it('keeps the bank’s own reason beside ours', () => {
    const { state } = world('in_transit')
      .when(answer({ status: 'RJCT', reason: 'AC04', reasonText: 'closed' }))
      .thenAccepts({});
    expect(state.tables.payout.get(PAYOUT)?.failureCode).toBe('account_closed');
    expect([...state.tables.bank_instruction.values()]).toMatchObject([
      { answer: 'RJCT', reason: 'AC04', reasonText: 'closed' },
    ]);
  });
  it.each(['DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'AM05'])('of a duplicate (%s) changes no payout', (reason) => {
    const { state } = world('in_transit')
      .when(answer({ status: 'RJCT', reason }))
      .thenAccepts({ transfers: [] });
    expect(state.tables.payout.get(PAYOUT)?.status).toBe('in_transit');
  });
  it.each(['ACTC', 'PDNG', 'RCVD', 'RVCM'])('%s is noted, and says nothing of the payout', (status) => {
    const { state } = world('in_transit').when(answer({ status })).thenAccepts({ transfers: [], events: [] });
    expect([...state.tables.bank_file.values()][0]?.answeredAt).toEqual(expect.any(Number));
    expect(state.tables.payout.get(PAYOUT)?.bankAnswer).toBeNull();
  });
  it.each(['ACCP', 'ACFC', 'ACSP', 'ACWC'])('%s says that the bank accepted it, once', (status) => {
    const accepted = world('in_transit').when(answer({ status }));
    accepted.thenAccepts({ transfers: [], events: ['payout.updated'], now: { [PAYOUT]: { status: 'in_transit' } } });
    expect(accepted.state.tables.payout.get(PAYOUT)?.bankAnswer).toEqual({ ...NOTHING_SAID, acceptedAt: AT });
    accepted.when(answer({ status: 'ACSP' })).thenAccepts({ transfers: [], events: [] });
  });
  it.each([
    ['RCVC', 'match', null],
    ['RVMC', 'close_match', 'Ada King'],
    ['RVNM', 'no_match', null],
    ['RVNA', 'not_possible', null],
  ])('%s says of its payee: %s', (status, result, name) => {
    const checked = world('in_transit').when(answer({ status, reasonText: 'Ada King' }));
    const { state, events } = checked.thenAccepts({ transfers: [], events: ['payout.updated'] });
    expect(state.tables.payout.get(PAYOUT)?.bankAnswer).toEqual({ ...NOTHING_SAID, payeeCheck: { result, name } });
    expect(events[0]?.previous).toEqual({ payee_check: null });
    checked.when(answer({ status, reasonText: 'Ada King' })).thenAccepts({ events: [] });
  });
  it('with a reason says it of the payout until the next, and in the event of its end', () => {
    const waits = world('in_transit').when(answer({ status: 'PDNG', reason: 'AM04', reasonText: 'Zu wenig Guthaben' }));
    expect(waits.thenAccepts({}).state.tables.payout.get(PAYOUT)?.bankAnswer?.reason).toEqual({
      code: 'AM04',
      text: 'Zu wenig Guthaben',
    });
    const goesOn = waits.when(answer({ status: 'ACSP' })).thenAccepts({ events: ['payout.updated'] });
    expect(goesOn.events[0]?.previous).toEqual({
      bank_reason: { code: 'AM04', text: 'Zu wenig Guthaben' },
      accepted_at: null,
    });
    const { events } = waits
      .when(answer({ status: 'RJCT', reason: 'AC04', reasonText: 'Konto erloschen' }))
      .thenAccepts({});
    const failed = events.find(({ type }) => type === 'payout.failed')?.object;
    expect(failed).toMatchObject({ bankAnswer: { reason: { code: 'AC04', text: 'Konto erloschen' } } });
  });
  it('that comes after the end says no other reason, but that it was accepted', () => {
    const failed = world('in_transit').when(COMMANDS.rejected);
    const { state } = failed.when(answer({ status: 'ACSP', reason: 'MS03' })).thenAccepts({ transfers: [] });
    const { reason, acceptedAt } = state.tables.payout.get(PAYOUT)?.bankAnswer ?? NOTHING_SAID;
    expect([reason?.code, acceptedAt]).toEqual(['AC04', AT + 60_000]);
  });
  it('about another file than the payout is in changes nothing', () => {
    const other = answer({ file: idAt('bf', 9), status: 'RJCT', reason: 'AC04' });
    const { state } = world('in_transit').when(other).thenAccepts({ transfers: [], events: [] });
    expect(state.tables.bank_document.get(DOCUMENT)?.notes).toEqual([
      expect.stringContaining('is not in payment file'),
    ]);
  });
  it('that contradicts a booking is said in the notes', () => {
    const { state } = world('paid').when(COMMANDS.rejected).thenAccepts({ transfers: [] });
    expect(state.tables.bank_document.get(DOCUMENT)?.notes).toEqual([
      expect.stringContaining('is paid, and the bank has rejected it (AC04)'),
    ]);
    const inWords = world('paid').when(answer({ status: 'RJCT', reason: 'AC04', reasonText: 'Konto erloschen' }));
    inWords.thenAccepts({ events: ['payout.updated'], now: { [PAYOUT]: { status: 'paid' } } });
    const { reason } = inWords.state.tables.payout.get(PAYOUT)?.bankAnswer ?? NOTHING_SAID;
    expect(reason).toEqual({ code: 'AC04', text: 'Konto erloschen' });
  });
});

describe('a payment that the bank says it has executed', () => {
  it.each(['ACSC', 'ACCC'])('is paid by %s, and its debit is then only booked', (status) => {
    const announced = world('in_transit').when(answer({ status }));
    announced.thenAccepts({
      transfers: [['in_transit', 'bank', AMOUNT, 'payout_settlement']],
      events: ['payout.paid'],
    });
    const booked = announced.when(booking('debit', AMOUNT)).thenAccepts({ now: { [PAYOUT]: { status: 'paid' } } });
    expect([...booked.state.tables.bank_entry.values()]).toMatchObject([
      { status: 'matched', assignments: [{ to: PAYOUT }] },
    ]);
    expect([...booked.state.tables.bank_instruction.values()]).toMatchObject([{ unbooked: false }]);
    const again = booked.when(COMMANDS.settled).thenAccepts({ transfers: [] });
    expect(again.state.tables.payout.get(PAYOUT)?.status).toBe('paid');
  });
  it('is noted where the bank account does not count it', () => {
    const objects = [document, bankAccount(), account(), recipient(), bankFile({ status: 'sealed', sealedAt: 1 })];
    given(...objects, payoutIn('in_transit'), instruction())
      .when(COMMANDS.settled)
      .thenAccepts({ transfers: [], events: ['payout.updated'], now: { [PAYOUT]: { status: 'in_transit' } } });
  });
  it('takes in what came back before', () => {
    const { state } = world('in_transit')
      .when(booking('credit', AMOUNT, 'AC06'))
      .when(COMMANDS.settled)
      .thenAccepts({ now: { [PAYOUT]: { status: 'returned' } } });
    expect([...state.tables.bank_entry.values()]).toMatchObject([{ status: 'matched' }]);
  });
  it('with another amount in its booking is a conflict', () => {
    const { state } = world('paid_unbooked')
      .when(booking('debit', AMOUNT + 1n))
      .thenAccepts({});
    expect([...state.tables.bank_entry.values()][0]?.conflict).toContain('the bank says');
    expect([...state.tables.bank_instruction.values()]).toMatchObject([{ unbooked: true }]);
  });
});

describe('what came back', () => {
  it('says the reason of the bank, in its words', () => {
    const { lines, ...statement } = booking('credit', AMOUNT, 'AC04');
    const explanation = { ...NOTHING_EXPLAINED, returnReason: 'AC04', returnText: 'Konto erloschen' };
    const inWords = { ...statement, lines: lines.map((line) => ({ ...line, explanation })) };
    const reason = { code: 'AC04', text: 'Konto erloschen' };
    const answers = [world('paid').when(inWords), world('in_transit').when(inWords).when(COMMANDS.settled)].map(
      ({ state }) => [...state.tables.payout.values()].map(({ status, bankAnswer }) => [status, bankAnswer?.reason]),
    );
    expect(answers).toEqual([[['returned', reason]], [['returned', reason]]]);
  });
  it('is credited as much as it is, in parts, up to the amount', () => {
    const first = world('paid')
      .when(booking('credit', AMOUNT - 100n))
      .thenAccepts({});
    expect([...first.state.tables.bank_instruction.values()][0]?.returned).toBe(AMOUNT - 100n);
    const line = (amount: bigint, n: string) => {
      const { lines, statement, ...rest } = booking('credit', amount);
      return {
        ...rest,
        lines: lines.map((each) => ({ ...each, identity: n.repeat(32) })),
        statement: { ...statement, identity: n.repeat(32) },
      };
    };
    const second = first.when(line(100n, '44')).thenAccepts({});
    expect([...second.state.tables.bank_instruction.values()][0]?.returned).toBe(AMOUNT);
    const third = second.when(line(1n, '55')).thenAccepts({});
    expect([...third.state.tables.bank_entry.values()].map(({ status }) => status)).toEqual([
      'matched',
      'matched',
      'unmatched',
    ]);
  });
  it('before its debit was reported waits for it', () => {
    const early = world('in_transit')
      .when(booking('credit', 100n, 'AC06'))
      .thenAccepts({});
    const { statement, lines, ...rest } = booking('debit', AMOUNT);
    const debit = {
      ...rest,
      statement: { ...statement, identity: '66'.repeat(32) },
      lines: lines.map((each) => ({ ...each, identity: '66'.repeat(32) })),
    };
    const { state } = early.when(debit).thenAccepts({});
    expect(state.tables.payout.get(PAYOUT)).toMatchObject({ status: 'returned', failureCode: 'account_frozen' });
    expect([...state.tables.bank_entry.values()].map(({ status }) => status)).toEqual(['matched', 'matched']);
  });
});
