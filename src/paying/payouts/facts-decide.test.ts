/** State × fact: every state that a payout can be in, and everything that a bank can say of it. */
import { describe, expect, it } from 'vitest';
import { houseOf } from '../../core/house-accounts.ts';
import {
  BANK,
  bankAccount,
  paymentFile,
  FILE,
  instruction,
  wholeStatement,
} from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import type { State } from '../../core/state.ts';
import { account, AT, idAt, PAYOUT, payout, recipient } from '../../../test/support/harness/literals.ts';
import { type Answer, type FactKind, type FactState, STEPS_OF_FACTS } from './facts-decide.ts';
import type { BankAnswer } from '../../core/bank-answer.ts';
import type { PayoutStatus } from './fields.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { type BankEntry, NOTHING_EXPLAINED } from '../../bank/statements/fields.ts';

const NOTHING_SAID: BankAnswer = { reason: null, acceptedAt: null, payeeCheck: null };
const DOCUMENT = idAt('sf', 1);
const document = {
  object: 'statement_file',
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
const world = (state: FactState, fields: object = {}, more: readonly BankEntry[] = []) => {
  const status = state.replace('_unbooked', '') as PayoutStatus;
  const isFiled = status !== 'waiting' && status !== 'pending' && status !== 'canceled';
  const unbooked = state !== status;
  const filed = { status: isFiled ? ('claimed' as const) : ('released' as const), unbooked, ...fields };
  const file = paymentFile({ status: 'sealed', sealedAt: 1 });
  return given(
    document,
    bankAccount({ paidBy: 'status' }),
    account(),
    recipient(),
    file,
    payoutIn(status),
    instruction(filed),
    ...more,
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
    entriesFrom: null,
    entriesUntil: null,
    periodFrom: null,
    periodUntil: null,
    startsOn: null,
    openedOn: null,
    opening: null,
    closedOn: null,
    closing: null,
    entriesCount: 1,
    sum: direction === 'credit' ? amount : -amount,
    identity: '22'.repeat(32),
    series: '33'.repeat(32),
    messageInFile: 1,
  };
  return wholeStatement(statement, [line], { document: DOCUMENT });
};
const COMMANDS = {
  noted: answer({ status: 'ACTC' }),
  accepted: answer({}),
  rejected: answer({ status: 'RJCT', reason: 'AC04' }),
  settled: answer({ status: 'ACSC' }),
  debited: booking('debit', AMOUNT),
  returned: booking('credit', AMOUNT, 'AC04'),
  given_back: booking('credit', AMOUNT, 'AC04'),
} as const satisfies Record<FactKind, unknown>;
const KINDS = Object.keys(COMMANDS) as readonly FactKind[];

/** An earlier debit that is one too many. */
const SECOND: BankEntry = {
  object: 'bank_entry',
  id: idAt('be', 9),
  bankAccount: BANK,
  statement: idAt('bs', 9),
  kind: 'entry',
  direction: 'debit',
  amount: AMOUNT,
  currency: 'EUR',
  status: 'unmatched',
  pendingChanges: null,
  bookedOn: null,
  valueOn: null,
  paymentFile: null,
  returnPayout: null,
  assignments: [],
  conflict: 'The bank has booked it.',
  explanation: NOTHING_EXPLAINED,
  identity: '99'.repeat(32),
  ordinal: 0,
  createdAt: 0,
};
const OPEN = { secondDebits: [{ entry: uuidOf(SECOND.id), amount: String(AMOUNT), reason: null }] };

/**
 * The state afterwards, and what happens: money `leaves`, comes `back` to the account, `waits` in `unmatched`, or `books` what was paid
 * before; the entry `closes` the second debit; somebody `warns`.
 */
// biome-ignore format: a table reads best with one row a line.
const AFTER: Readonly<Record<FactState, readonly string[]>> = {
  //                  noted         accepted        rejected      settled           debited             returned            given_back
  waiting:           ['waiting',    'waiting',      'waiting',    'waiting',        'waiting waits!',   'waiting waits!',   'waiting waits closes'],
  pending:           ['pending',    'pending',      'pending',    'pending',        'paid leaves',      'pending waits',    'pending waits closes'],
  in_transit:        ['in_transit', 'in_transit',   'failed back', 'paid leaves',   'paid leaves',      'in_transit waits', 'in_transit waits closes'],
  paid:              ['paid',       'paid',         'paid!',      'paid',           'paid waits!',      'returned back',    'paid waits closes'],
  paid_unbooked:     ['paid',       'paid',         'paid!',      'paid',           'paid books',       'returned back',    'paid waits closes'],
  failed:            ['failed',     'failed!',      'failed',     'failed!',        'failed waits!',    'failed waits!',    'failed waits closes'],
  canceled:          ['canceled',   'canceled',     'canceled',   'canceled',       'canceled waits!',  'canceled waits!',  'canceled waits closes'],
  returned:          ['returned',   'returned',     'returned!',  'returned',       'returned waits!',  'returned back',    'returned waits closes'],
  returned_unbooked: ['returned',   'returned',     'returned!',  'returned',       'returned books',   'returned back',    'returned waits closes'],
};
const CAUSES: Readonly<Record<string, string>> = {
  payout_settlement: 'leaves',
  payout_reversal: 'back',
  bank_entry: 'waits',
};
const cases = Object.entries(AFTER).flatMap(([status, row]) =>
  KINDS.map((fact, n) => [status, fact, row[n]] as [FactState, FactKind, string]),
);

describe('a payout that is', () => {
  it('looked at in every state, for every fact', () => {
    expect(cases).toHaveLength(9 * 7);
    expect(cases.map(([status, fact]) => STEPS_OF_FACTS[status][fact]).every((step) => step !== undefined)).toBe(true);
  });

  it.each(cases)('%s and %s is then: %s', (status, fact, after) => {
    const isOpen = fact === 'given_back';
    const before = world(status, isOpen ? OPEN : {}, isOpen ? [SECOND] : []);
    const { state } = before.when(COMMANDS[fact]).thenAccepts({});
    const moved = state.transfers.map(({ cause, debitAccount }) =>
      houseOf(debitAccount)?.kind === 'bank' ? 'books' : CAUSES[cause],
    );
    const second = state.tables.bank_entry.get(SECOND.id);
    const closes = second?.status === 'matched' ? ['closes'] : [];
    const warns = state.events.some(({ event }) => event.type === 'bank_entry.conflict_detected') ? '!' : '';
    expect([state.tables.payout.get(PAYOUT)?.status, ...moved, ...closes].join(' ') + warns).toBe(after);
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
    expect([...state.tables.payment_file.values()][0]?.answeredAt).toEqual(expect.any(Number));
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
  it('with a reason says it of the payout until another does, and in the event of its end', () => {
    const waits = world('in_transit').when(answer({ status: 'PDNG', reason: 'AM04', reasonText: 'Zu wenig Guthaben' }));
    expect(waits.thenAccepts({}).state.tables.payout.get(PAYOUT)?.bankAnswer?.reason).toEqual({
      code: 'AM04',
      text: 'Zu wenig Guthaben',
    });
    const goesOn = waits.when(answer({ status: 'ACSP' })).thenAccepts({ events: ['payout.updated'] });
    expect(goesOn.events[0]?.previous).toEqual({ accepted_at: null });
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
    const other = answer({ file: idAt('pf', 9), status: 'RJCT', reason: 'AC04' });
    const { state } = world('in_transit').when(other).thenAccepts({ transfers: [], events: [] });
    expect(state.tables.statement_file.get(DOCUMENT)?.notes).toEqual([
      expect.stringContaining('is not in payment file'),
    ]);
  });
  it('that contradicts a booking is said in the notes', () => {
    const { state } = world('paid').when(COMMANDS.rejected).thenAccepts({ transfers: [] });
    expect(state.tables.statement_file.get(DOCUMENT)?.notes).toEqual([
      expect.stringContaining('is paid, and the bank has rejected it (AC04)'),
    ]);
    const inWords = world('paid').when(answer({ status: 'RJCT', reason: 'AC04', reasonText: 'Konto erloschen' }));
    inWords.thenAccepts({
      events: ['payout.updated', 'bank_entry.conflict_detected'],
      now: { [PAYOUT]: { status: 'paid' } },
    });
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
    const objects = [document, bankAccount(), account(), recipient(), paymentFile({ status: 'sealed', sealedAt: 1 })];
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
  it.each(['paid', 'in_transit', 'returned'] as const)('of a payout that is %s needs a sign of the bank', (status) => {
    const cent = booking('credit', 1n, null, false);
    const { state } = world(status).when(cent).thenAccepts({});
    const [entry] = [...state.tables.bank_entry.values()];
    expect(entry).toMatchObject({ status: 'unmatched', conflict: null, assignments: [] });
    expect(state.tables.payout.get(PAYOUT)?.status).toBe(status);
    expect([...state.tables.bank_instruction.values()]).toMatchObject([{ early: [] }]);
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
    expect(first.state.tables.payout.get(PAYOUT)?.amountReturned).toBe(AMOUNT - 100n);
    const line = (amount: bigint, n: string) => {
      const { lines, statement, ...rest } = booking('credit', amount);
      return {
        ...rest,
        lines,
        statement: { ...statement, identity: n.repeat(32) },
      };
    };
    const second = first.when(line(100n, '44')).thenAccepts({});
    expect(second.state.tables.payout.get(PAYOUT)?.amountReturned).toBe(AMOUNT);
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

/** The same booking, as another entry. */
function again<Command extends ReturnType<typeof booking>>({ lines, statement, ...rest }: Command, n: number): Command {
  const identity = `${n}${n}`.repeat(32);
  return {
    ...rest,
    lines: lines.map((line) => ({ ...line, identity })),
    statement: { ...statement, identity, series: identity },
  } as unknown as Command;
}
const entriesIn = ({ tables }: State) => [...tables.bank_entry.values()];
const unmatchedIn = ({ transfers }: State) =>
  transfers.reduce((sum, { debitAccount, creditAccount, amount }) => {
    if (houseOf(creditAccount)?.kind === 'unmatched') return sum + amount;
    return houseOf(debitAccount)?.kind === 'unmatched' ? sum - amount : sum;
  }, 0n);
const debit = (n: number) => again(booking('debit', AMOUNT), n);
const credit = (n: number, amount = AMOUNT) => again(booking('credit', amount, 'AC04'), n);

describe('a second debit', () => {
  it.each(['paid', 'failed', 'canceled'] as const)(
    'of a payout that is %s is closed by what gives it back',
    (status) => {
      const open = world(status).when(debit(4));
      expect([...open.thenAccepts({}).state.tables.bank_instruction.values()][0]?.secondDebits).toHaveLength(1);
      const { state } = open.when(credit(5)).thenAccepts({ now: { [PAYOUT]: { status } } });
      const [first, second] = entriesIn(state);
      expect(first).toMatchObject({
        status: 'matched',
        assignments: [{ to: second?.id, amount: AMOUNT, transfer: null }],
      });
      expect(second).toMatchObject({
        status: 'matched',
        conflict: null,
        assignments: [{ to: first?.id, amount: AMOUNT }],
      });
      expect(second?.assignments[0]?.reason).toContain('gave it back');
      expect(unmatchedIn(state)).toBe(0n);
      expect([...state.tables.bank_instruction.values()]).toMatchObject([{ secondDebits: [], early: [] }]);
    },
  );

  it('that is closed leaves what comes back further to the payout', () => {
    const { state } = world('paid').when(debit(4)).when(credit(5)).when(credit(6)).thenAccepts({});
    expect(state.tables.payout.get(PAYOUT)?.status).toBe('returned');
    expect(entriesIn(state).map(({ status }) => status)).toEqual(['matched', 'matched', 'matched']);
  });

  it('is closed in parts, and what is left of a credit comes back', () => {
    const parts = world('paid').when(debit(4)).when(credit(5, 300n));
    const { state } = parts.when(credit(6)).thenAccepts({});
    expect(state.tables.payout.get(PAYOUT)?.status).toBe('returned');
    expect(state.tables.payout.get(PAYOUT)?.amountReturned).toBe(300n);
    const [second, , last] = entriesIn(state);
    expect(second?.assignments.map(({ amount }) => amount)).toEqual([300n, AMOUNT - 300n]);
    expect(last?.assignments).toMatchObject([
      { to: second?.id, amount: AMOUNT - 300n },
      { to: PAYOUT, amount: 300n },
    ]);
    expect(unmatchedIn(state)).toBe(0n);
  });

  it('that comes after what gives it back closes that', () => {
    const early = world('failed').when(credit(4));
    expect(entriesIn(early.thenAccepts({}).state)).toMatchObject([{ status: 'unmatched' }]);
    const { state } = early.when(debit(5)).thenAccepts({ now: { [PAYOUT]: { status: 'failed' } } });
    expect(entriesIn(state)).toMatchObject([{ status: 'matched' }, { status: 'matched', conflict: null }]);
    expect(unmatchedIn(state)).toBe(0n);
  });

  it('that a person has assigned is open no more', () => {
    const open = world('paid').when(debit(4));
    const [entry] = entriesIn(open.thenAccepts({}).state);
    const targets = [{ to: 'fees', amount: null, payouts: [] }];
    const assigned = open.when({ type: 'assign_bank_entry', entry: entry?.id as string, targets, reason: null });
    const { state } = assigned.when(credit(5)).thenAccepts({ now: { [PAYOUT]: { status: 'returned' } } });
    expect(entriesIn(state)[0]?.assignments).toMatchObject([{ to: 'fees' }]);
  });

  it('is closed by a person’s word too, and stays so', () => {
    const unsigned = again(booking('credit', AMOUNT, null, false), 5);
    const waiting = world('paid').when(debit(4)).when(unsigned);
    const [, quoting] = entriesIn(waiting.thenAccepts({}).state);
    expect(quoting).toMatchObject({ status: 'unmatched', assignments: [] });
    const targets = [{ to: PAYOUT, amount: null, payouts: [] }];
    const assigned = waiting.when({
      type: 'assign_bank_entry',
      entry: quoting?.id as string,
      targets,
      reason: 'By phone',
    });
    const { state } = assigned.thenAccepts({ now: { [PAYOUT]: { status: 'paid' } } });
    const [second] = entriesIn(state);
    expect(entriesIn(state)).toMatchObject([{ status: 'matched' }, { status: 'matched' }]);
    const undo = { type: 'unassign_bank_entry', of: second?.id as string, transfer: null, reason: null } as const;
    assigned.when({ ...undo, entry: quoting?.id as string }).thenRefuses('bank_assignment_final');
  });

  it('is one of another amount neither: that waits for a person', () => {
    const other = world('paid').when(again(booking('debit', AMOUNT + 1n), 4));
    expect([...other.thenAccepts({}).state.tables.bank_instruction.values()]).toMatchObject([{ secondDebits: [] }]);
    other.when(credit(5)).thenAccepts({ now: { [PAYOUT]: { status: 'returned' } } });
  });
});

describe('a late message', () => {
  it.each(['ACCP', 'ACSP', 'ACSC'])('%s for a payout that failed warns, and keeps the reason of the bank', (status) => {
    const failed = world('failed', { answer: 'RJCT', reason: 'AC04' });
    const { state } = failed
      .when(answer({ status }))
      .thenAccepts({ transfers: [], events: ['payout.updated', 'bank_entry.conflict_detected'] });
    expect(state.tables.statement_file.get(DOCUMENT)?.notes).toEqual([
      expect.stringContaining('is failed, and the bank has'),
    ]);
    expect([...state.tables.bank_instruction.values()]).toMatchObject([{ answer: 'RJCT', reason: 'AC04' }]);
  });
  it('that comes again is no news: the acceptance before a rejection, and what warned already', () => {
    const story = world('in_transit').when(COMMANDS.accepted).when(COMMANDS.rejected);
    story.when(COMMANDS.accepted).thenAccepts({ transfers: [], events: [] });
    const warned = story.when(answer({ status: 'ACCP' }));
    warned.thenAccepts({ events: ['bank_entry.conflict_detected'] });
    warned.when(answer({ status: 'ACCP' })).thenAccepts({ transfers: [], events: [] });
  });
  it('that the bank has read the file does not', () => {
    world('failed')
      .when(answer({ status: 'ACTC' }))
      .thenAccepts({ transfers: [], events: [] });
  });
});

it('a debit that comes after its return names its own transfer, and the return the other', () => {
  const { state } = world('in_transit').when(credit(4)).when(debit(5)).thenAccepts({});
  const causeOf = (id: string | null | undefined) => state.transfers.find((transfer) => transfer.id === id)?.cause;
  const [back, gone] = entriesIn(state);
  expect(causeOf(gone?.assignments[0]?.transfer)).toBe('payout_settlement');
  expect(causeOf(back?.assignments[0]?.transfer)).toBe('payout_reversal');
});
