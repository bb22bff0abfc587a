/** State × fact: every state that a payout can be in, and everything that a bank can say of it. */
import { describe, expect, it } from 'vitest';
import { houseOf } from '../../core/house-accounts.ts';
import { BANK, bankAccount, bankFile, FILE, instruction } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { account, idAt, PAYOUT, payout, recipient } from '../../../test/support/harness/literals.ts';
import type { Answer, FactKind, FactState } from './facts-decide.ts';
import type { PayoutStatus } from './fields.ts';
import { NOTHING_EXPLAINED } from '../../bank/statements/fields.ts';

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

const booking = (
  direction: 'credit' | 'debit',
  amount: bigint,
  returnReason: string | null = null,
  isReturn = true,
) => {
  const line = {
    identity: '11'.repeat(32),
    lookalikes: [{ endToEndId: null, account: null }],
    occurrence: 1,
    direction,
    amount,
    bookedOn: '2026-03-16',
    valueOn: null,
    explanation: { ...NOTHING_EXPLAINED, returnReason },
    payouts: [{ payout: PAYOUT, amount, isReturn }],
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
  it.each(['ACTC', 'ACCP', 'ACSP', 'ACWC', 'PDNG', 'RCVD', 'RVMC', 'RVNM', 'RVNA', 'RCVC'])('%s is noted', (status) => {
    const { state } = world('in_transit').when(answer({ status })).thenAccepts({ transfers: [], events: [] });
    expect([...state.tables.bank_file.values()][0]?.answeredAt).toEqual(expect.any(Number));
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
      .thenAccepts({ transfers: [], events: [], now: { [PAYOUT]: { status: 'in_transit' } } });
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
  it.each(['paid', 'in_transit', 'returned'] as const)('of a payout that is %s needs a sign of the bank', (status) => {
    const cent = booking('credit', 1n, null, false);
    const { state } = world(status).when(cent).thenAccepts({});
    const [entry] = [...state.tables.bank_entry.values()];
    expect(entry).toMatchObject({ status: 'unmatched', conflict: null, assignments: [] });
    expect(state.tables.payout.get(PAYOUT)?.status).toBe(status);
    expect([...state.tables.bank_instruction.values()]).toMatchObject([{ returned: 0n, early: [] }]);
  });
  it('by a person’s word needs no other sign', () => {
    const outcome = world('paid').when(booking('credit', 100n, null, false));
    const [entry] = [...outcome.thenAccepts({}).state.tables.bank_entry.values()];
    const targets = [{ to: PAYOUT, amount: null, payouts: [] }];
    outcome
      .when({ type: 'assign_bank_entry', entry: entry?.id as string, targets, reason: 'By phone' })
      .thenAccepts({ now: { [PAYOUT]: { status: 'returned' } } });
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
