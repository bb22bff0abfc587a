/** A wrong booking is voided and un-voided by two people: what moves, what is refused, and that the books stay right in any order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BANK,
  bankAccount,
  paymentFile,
  FILE,
  INSTRUCTION,
  instruction,
  statementHead,
  wholeStatement,
} from '../../../test/support/harness/bank-literals.ts';
import { given, type Outcome } from '../../../test/support/harness/given.ts';
import {
  account,
  ACCOUNT,
  apiKey,
  BATCH,
  idAt,
  PAYOUT,
  PAYMENT,
  payment,
  payout,
  payoutBatch,
  recipient,
} from '../../../test/support/harness/literals.ts';
import {
  agreed,
  approve,
  ask,
  askBack,
  assign,
  entriesIn,
  faultsOf,
  imported,
  line,
  ONE,
  onlyOf,
  OTHER,
  reason,
  sumsOf,
  THIRD,
  tried,
  unassign,
  voided,
} from '../../../test/support/bank/voids.ts';
import { sideOfBankAccount } from '../../core/house-accounts.ts';
import type { Stored } from '../../core/objects.ts';
import { NO_RULES } from '../../core/payout-rules.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import type { State } from '../../core/state.ts';
import { idOf } from '../../core/values/ids.ts';
import type { BankLine } from './booking.ts';
import { type BankEntry, unassigned } from './fields.ts';

const SAVINGS = idAt('acct', 2);
const AMOUNT = payout().amount;

const world = (...lines: readonly BankLine[]) =>
  given(
    apiKey(1),
    apiKey(2),
    apiKey(3),
    bankAccount(),
    account({ balance: 0n }),
    account({ id: SAVINGS, balance: 0n }),
  ).when(imported(lines));

describe('an entry that is voided', () => {
  it('waits for a second person, then leaves unmatched and the bank account', () => {
    const asked = world(line(1)).when(ask(onlyOf(world(line(1)))), ONE);
    asked.thenAccepts({
      transfers: [],
      events: ['bank_entry.updated'],
      reply: { status: 'unmatched', pendingChanges: { changes: { status: 'voided' }, reason, by: [ONE.actor] } },
      now: { [BANK]: { balance: 500n } },
    });
    const done = agreed(asked);
    done.thenAccepts({
      transfers: [['unmatched', sideOfBankAccount(BANK), 500n, 'bank_entry_void']],
      events: ['bank_entry.voided'],
      reply: { status: 'voided', pendingChanges: null },
      now: { [BANK]: { balance: 0n } },
    });
    expect(done.audits).toMatchObject([
      { action: 'bank_entry.voided', details: { reason, asked_by: [ONE.actor], approved_by: [OTHER.actor] } },
    ]);
    expect([unassigned(onlyOf(done)), faultsOf(done.state)]).toEqual([0n, []]);
  });

  it('is taken back from its places first, all in one commit', () => {
    const first = world(line(1, { references: [depositReference(ACCOUNT)] }));
    const account = first.state.tables.account.get(ACCOUNT);
    expect(account?.balance).toBe(500n);
    const done = agreed(first.when(ask(onlyOf(first)), ONE));
    done.thenAccepts({
      transfers: [
        [ACCOUNT, 'unmatched', 500n, 'bank_assignment'],
        ['unmatched', sideOfBankAccount(BANK), 500n, 'bank_entry_void'],
      ],
      events: ['balance.updated', 'bank_entry.voided'],
      now: { [ACCOUNT]: { balance: 0n } },
    });
    expect(onlyOf(done).assignments).toMatchObject([{ to: ACCOUNT, undoneBy: done.transfers[0]?.id }]);
    expect(faultsOf(done.state)).toEqual([]);
  });

  it('brings a debit back', () => {
    const first = world(line(1, { direction: 'debit' }));
    const assigned = first.when(assign(onlyOf(first), 'fees'));
    const done = agreed(assigned.when(ask(onlyOf(assigned)), ONE));
    done.thenAccepts({
      transfers: [
        ['unmatched', 'fees', 500n, 'bank_assignment'],
        [sideOfBankAccount(BANK), 'unmatched', 500n, 'bank_entry_void'],
      ],
      now: { [BANK]: { balance: 0n } },
    });
    expect(faultsOf(done.state)).toEqual([]);
  });

  it('is refused with what is missing where its money was spent, and nothing moves', () => {
    const first = world(line(1, { references: [depositReference(ACCOUNT)] }));
    const paid = first.when({
      type: 'create_transfer',
      from: ACCOUNT,
      to: SAVINGS,
      amount: '3.00',
      description: null,
      metadata: undefined,
    });
    paid.thenAccepts({});
    const refused = agreed(paid.when(ask(onlyOf(paid)), ONE));
    refused.thenRefuses('balance_insufficient', { available_minor: 200n, resource_id: ACCOUNT });
    expect(refused.refusal?.message).toContain('3.00 EUR is missing there.');
    expect(onlyOf(refused)).toMatchObject({ status: 'matched', pendingChanges: { by: [ONE.actor] } });
    expect(faultsOf(refused.state)).toEqual([]);
  });

  it('has no place any more, and is no known booking', () => {
    const first = world(line(1));
    const voided = agreed(first.when(ask(onlyOf(first)), ONE));
    const entry = onlyOf(voided);
    voided.when(ask(entry), ONE).thenRefuses('bank_entry_voided');
    voided.when(assign(entry, 'fees')).thenRefuses('bank_entry_voided');
    voided.when(approve(voided.state, entry), OTHER).thenRefuses('change_not_held');
    // The same statement from another source, a page of its own: the entry is booked again.
    const again = voided.when(imported([line(1)], 'cc'));
    expect(entriesIn(again.state).map(({ status }) => status)).toEqual(['voided', 'unmatched']);
    expect(faultsOf(again.state)).toEqual([]);
  });

  it('counts again once two people agreed, and waits for a place', () => {
    const first = world(line(1, { references: [depositReference(ACCOUNT)] }));
    first.when(askBack(onlyOf(first)), ONE).thenRefuses('bank_entry_not_voided', { current_status: 'matched' });
    const voided = agreed(first.when(ask(onlyOf(first)), ONE));
    const back = agreed(voided.when(askBack(onlyOf(voided)), OTHER), ONE);
    back.thenAccepts({
      transfers: [[sideOfBankAccount(BANK), 'unmatched', 500n, 'bank_entry_unvoid']],
      events: ['bank_entry.unvoided'],
      reply: { status: 'unmatched', pendingChanges: null },
      now: { [BANK]: { balance: 500n } },
    });
    expect(unassigned(onlyOf(back))).toBe(500n);
    back.when(assign(onlyOf(back), ACCOUNT)).thenAccepts({ now: { [ACCOUNT]: { balance: 500n } } });
    expect(faultsOf(back.state)).toEqual([]);
  });
});

describe('the second person', () => {
  it('is of another family, and approves what was seen', () => {
    const first = world(line(1));
    const asked = first.when(ask(onlyOf(first)), ONE);
    agreed(asked, ONE).thenRefuses('approval_by_creator');
    const seen = approve(asked.state, onlyOf(asked));
    const assigned = asked.when(assign(onlyOf(asked), 'fees'));
    assigned.when(seen, OTHER).thenRefuses('approval_outdated');
    agreed(assigned).thenAccepts({ events: ['bank_entry.voided'] });
  });

  it('of two is not enough where the rules want two', () => {
    const first = world(line(1));
    first.state.environment = { ...first.state.environment, payoutRules: { ...NO_RULES, approvalsRequired: 2 } };
    const half = agreed(first.when(ask(onlyOf(first)), ONE));
    half.thenAccepts({ transfers: [], events: ['bank_entry.updated'], reply: { status: 'unmatched' } });
    agreed(half).thenRefuses('approval_repeated');
    agreed(half, THIRD).thenAccepts({ reply: { status: 'voided' } });
  });

  it('may reject it, and then nothing waits', () => {
    const first = world(line(1));
    const asked = first.when(ask(onlyOf(first)), ONE);
    const rejected = asked.when({ type: 'reject_bank_entry', entry: onlyOf(asked).id }, OTHER);
    rejected.thenAccepts({ reply: { status: 'unmatched', pendingChanges: null }, events: ['bank_entry.updated'] });
    agreed(rejected).thenRefuses('change_not_held');
  });

  it('is refused a part whose transfer was not looked at', () => {
    const first = world(line(1));
    const assigned = first.when(assign(onlyOf(first), 'fees'));
    const asked = assigned.when(ask(onlyOf(assigned)), ONE);
    asked.when({ ...approve(asked.state, onlyOf(asked)), parts: [] }, OTHER).thenRefuses('approval_outdated');
  });
});

describe('a debit that paid a payout', () => {
  const debit = line(1, { direction: 'debit', amount: AMOUNT, payouts: [{ payout: PAYOUT, amount: AMOUNT }] });
  const filed = { payout: { status: 'in_transit', inTransitAt: 1, batch: BATCH }, instruction: {} } as const;
  const world = (left: { payout: Partial<Stored['payout']>; instruction: object } = filed) =>
    given(
      ...[1, 2].map((n) => apiKey(n)),
      bankAccount({ balance: AMOUNT }),
      account(),
      recipient(),
      paymentFile({ status: 'sealed', sealedAt: 1 }),
      payoutBatch({ payoutsCount: 1, openCount: 1 }),
      payout({ transfer: idAt('trf', 1), ...left.payout }),
      instruction(left.instruction),
    );
  const voidedIn = (done: Outcome) => agreed(done.when(ask(onlyOf(done)), ONE));

  it('is voided: the payout is under way again, and another debit pays it', () => {
    const paid = world().when(imported([debit]));
    paid.thenAccepts({ now: { [PAYOUT]: { status: 'paid' }, [BATCH]: { status: 'completed', openCount: 0 } } });
    const before = paid.state.tables.bank_instruction.get(INSTRUCTION);
    const done = voidedIn(paid);
    done.thenAccepts({
      transfers: [
        ['unmatched', 'in_transit', AMOUNT, 'payout_settlement_void'],
        [sideOfBankAccount(BANK), 'unmatched', AMOUNT, 'bank_entry_void'],
      ],
      events: ['payout.in_transit', 'bank_entry.voided'],
      now: {
        [PAYOUT]: { status: 'in_transit', inTransitAt: 1, endedAt: null, dueAt: null },
        [BATCH]: { status: 'processing', openCount: 1, completedAt: null },
        [BANK]: { balance: AMOUNT },
      },
    });
    expect(done.state.tables.bank_instruction.get(INSTRUCTION)).toEqual(before);
    const again = done.when(imported([debit], 'cc'));
    again.thenAccepts({
      now: { [PAYOUT]: { status: 'paid' }, [BATCH]: { status: 'completed' }, [BANK]: { balance: 0n } },
    });
    expect(sumsOf(again.state).get('in_transit')).toBe(-AMOUNT);
  });

  it('which is in no file is pending again', () => {
    const left = { payout: { status: 'pending', inTransitAt: null }, instruction: { status: 'released', file: null } };
    voidedIn(world(left as never).when(imported([debit]))).thenAccepts({
      events: ['payout.updated', 'bank_entry.voided'],
      now: { [PAYOUT]: { status: 'pending', inTransitAt: null, endedAt: null } },
    });
  });

  it('by a message before waits for its debit again', () => {
    const left = { payout: { status: 'paid', inTransitAt: 1, endedAt: 2 }, instruction: { unbooked: true } } as const;
    const booked = world(left).when(imported([debit]));
    booked.thenAccepts({ now: { [INSTRUCTION]: { unbooked: false } } });
    voidedIn(booked).thenAccepts({
      transfers: [
        ['unmatched', 'bank', AMOUNT, 'bank_assignment'],
        [sideOfBankAccount(BANK), 'unmatched', AMOUNT, 'bank_entry_void'],
      ],
      events: ['bank_entry.voided'],
      now: { [PAYOUT]: { status: 'paid' }, [INSTRUCTION]: { unbooked: true } },
    });
  });

  const payoutIn = ({ state }: Outcome) => state.tables.payout.get(PAYOUT) as Stored['payout'];
  const credit = (amount: bigint, n = 2) =>
    imported([line(n, { amount, payouts: [{ payout: PAYOUT, amount, isReturn: true }] })], `c${n}`);

  it('stays while money of the payout is back: the entry that brought it is voided first', () => {
    const returned = world()
      .when(imported([debit]))
      .when(credit(AMOUNT));
    returned.thenAccepts({ now: { [PAYOUT]: { status: 'returned', amountReturned: AMOUNT } } });
    const refused = voided(returned, 0);
    refused.thenRefuses('bank_assignment_final', { current_status: 'returned' });
    expect(refused.refusal?.message).toContain('void the entry by which its money came back first');
    const paid = voided(returned, 1);
    paid.thenAccepts({
      transfers: [
        [ACCOUNT, 'unmatched', AMOUNT, 'payout_reversal_void'],
        ['unmatched', sideOfBankAccount(BANK), AMOUNT, 'bank_entry_void'],
      ],
      events: ['balance.updated', 'payout.paid', 'bank_entry.voided'],
      now: { [PAYOUT]: { status: 'paid', reversal: null, amountReturned: 0n, failureCode: null } },
    });
    voided(paid, 0).thenAccepts({ now: { [PAYOUT]: { status: 'in_transit' }, [BANK]: { balance: AMOUNT } } });
  });

  it('once too often is voided: it is open no more, so that what comes back is a return', () => {
    const twice = world()
      .when(imported([debit]))
      .when(imported([debit], 'd2'));
    expect(entriesIn(twice.state)).toMatchObject([{ status: 'matched' }, { status: 'unmatched' }]);
    twice.when(credit(AMOUNT, 3)).thenAccepts({ now: { [PAYOUT]: { status: 'paid' } } }); // control: it closes the open one
    const again = world()
      .when(imported([debit]))
      .when(imported([debit], 'd2'));
    const done = voided(again, 1);
    done.thenAccepts({ now: { [PAYOUT]: { status: 'paid' }, [BANK]: { balance: 0n } } });
    const returned = done.when(credit(AMOUNT, 3));
    returned.thenAccepts({ now: { [PAYOUT]: { status: 'returned' }, [INSTRUCTION]: { secondDebits: [] } } });
    expect(entriesIn(returned.state)[2]).toMatchObject({ status: 'matched', assignments: [{ to: PAYOUT }] });
  });

  it.each([
    ['the first', 1, 1n],
    ['the last', 2, AMOUNT - 1n],
  ])('that came back in parts: %s is voided, and exactly so much less came back', (_, index, left) => {
    const parts = world()
      .when(imported([debit]))
      .when(credit(AMOUNT - 1n))
      .when(credit(1n, 3));
    const { amountReturned, failureCode, reversal } = payoutIn(parts);
    expect([amountReturned, failureCode]).toEqual([AMOUNT, expect.any(String)]);
    const done = voided(parts, index);
    done.thenAccepts({
      transfers: [
        [ACCOUNT, 'unmatched', AMOUNT - left, 'payout_reversal_void'],
        ['unmatched', sideOfBankAccount(BANK), AMOUNT - left, 'bank_entry_void'],
      ],
      events: ['balance.updated', 'payout.updated', 'bank_entry.voided'],
      now: { [PAYOUT]: { status: 'returned', amountReturned: left, reversal, failureCode } },
    });
    expect(done.events.find(({ type }) => type === 'payout.updated')?.previous).toEqual({
      amount_returned_minor: Number(AMOUNT),
    });
    voided(done, 0).thenRefuses('bank_assignment_final', { current_status: 'returned' });
    const paid = voided(done, 3 - index);
    paid.thenAccepts({ now: { [PAYOUT]: { status: 'paid', amountReturned: 0n, reversal: null, failureCode: null } } });
    voided(paid, 0).thenAccepts({ now: { [PAYOUT]: { status: 'in_transit' }, [BANK]: { balance: AMOUNT } } });
  });

  describe('once too often, and a credit that gave it back', () => {
    const closed = () =>
      world()
        .when(imported([debit]))
        .when(imported([debit], 'd2'))
        .when(credit(AMOUNT, 3));
    const lists = ({ state }: Outcome) => {
      const { early, secondDebits } = state.tables.bank_instruction.get(INSTRUCTION) as Stored['bank_instruction'];
      return [early, secondDebits].map((list) => list.map(({ entry, amount }) => [idOf('be', entry), BigInt(amount)]));
    };

    it('close each other: the debit is voided, and the credit waits for a place again', () => {
      const before = closed();
      const [, second, back] = entriesIn(before.state) as [BankEntry, BankEntry, BankEntry];
      expect([second, back].map(({ assignments }) => assignments.map(({ to }) => to))).toEqual([
        [back.id],
        [second.id],
      ]);
      const done = voided(before, 1);
      done.thenAccepts({
        transfers: [[sideOfBankAccount(BANK), 'unmatched', AMOUNT, 'bank_entry_void']],
        events: ['bank_entry.unmatched', 'bank_entry.voided'],
        now: {
          [second.id]: { status: 'voided', assignments: [{ to: back.id, undoneBy: second.id }] },
          [back.id]: { status: 'unmatched', assignments: [{ to: second.id, undoneBy: second.id }] },
          [PAYOUT]: { status: 'paid' },
        },
      });
      expect(unassigned(entriesIn(done.state)[2] as BankEntry)).toBe(AMOUNT);
      expect(sumsOf(done.state).get('unmatched')).toBe(AMOUNT);
      expect(lists(done)).toEqual([[[back.id, AMOUNT]], []]);
      // A person says that it came back after all.
      done
        .when(assign(entriesIn(done.state)[2] as BankEntry, PAYOUT))
        .thenAccepts({ now: { [PAYOUT]: { status: 'returned' } } });
      // Or the debit comes again: the credit closes it.
      const again = voided(closed(), 1).when(imported([debit], 'd4'));
      expect(entriesIn(again.state).map(({ status }) => status)).toEqual(['matched', 'voided', 'matched', 'matched']);
      expect(sumsOf(again.state).get('unmatched')).toBe(0n);
    });

    it('close each other: the credit is voided, and the debit is open again', () => {
      const before = closed();
      const [, second, back] = entriesIn(before.state) as [BankEntry, BankEntry, BankEntry];
      const done = voided(before, 2);
      done.thenAccepts({
        transfers: [['unmatched', sideOfBankAccount(BANK), AMOUNT, 'bank_entry_void']],
        events: ['bank_entry.unmatched', 'bank_entry.voided'],
        now: { [second.id]: { status: 'unmatched' }, [back.id]: { status: 'voided' }, [PAYOUT]: { status: 'paid' } },
      });
      expect(sumsOf(done.state).get('unmatched')).toBe(-AMOUNT);
      expect(lists(done)).toEqual([[], [[second.id, AMOUNT]]]);
      // The bank gives it back once more: it closes the debit, and the payout stays paid.
      const again = done.when(credit(AMOUNT, 4));
      again.thenAccepts({ now: { [PAYOUT]: { status: 'paid' }, [second.id]: { status: 'matched' } } });
      expect(lists(again)).toEqual([[], []]);
    });

    it('in a part: what waits of the debit is one again', () => {
      const part = world()
        .when(imported([debit]))
        .when(imported([debit], 'd2'))
        .when(credit(1n, 3));
      const [, second] = entriesIn(part.state) as [BankEntry, BankEntry];
      expect(lists(part)).toEqual([[], [[second.id, AMOUNT - 1n]]]);
      const done = voided(part, 2);
      done.thenAccepts({ now: { [second.id]: { status: 'unmatched' } } });
      expect(lists(done)).toEqual([[], [[second.id, AMOUNT]]]);
    });

    it('stay where it is not known which payout they are about', () => {
      const before = closed();
      const asked = before.when(ask(entriesIn(before.state)[1] as BankEntry), ONE);
      const seen = approve(asked.state, entriesIn(asked.state)[1] as BankEntry);
      const [part] = seen.parts;
      const unknown = { ...seen, parts: [{ ...part, payouts: [] }] } as typeof seen;
      asked.when(unknown, OTHER).thenRefuses('bank_assignment_final');
      asked.when({ ...seen, parts: [] }, OTHER).thenRefuses('approval_outdated');
    });
  });

  it('of a refund is voided: the payment was refunded again', () => {
    const refund = { status: 'in_transit', inTransitAt: 1, refundOf: PAYMENT } as const;
    const left = world({ payout: refund, instruction: {} });
    left.state.put(payment({ received: AMOUNT, refunded: AMOUNT, amount: AMOUNT, status: 'refunded', refund: PAYOUT }));
    const returned = left.when(imported([debit])).when(credit(AMOUNT));
    returned.thenAccepts({ now: { [PAYMENT]: { refunded: 0n, status: 'succeeded' } } });
    voided(returned, 1).thenAccepts({ now: { [PAYMENT]: { refunded: AMOUNT, status: 'refunded' } } });
    const known = returned.state.tables.payment.get(PAYMENT) as Stored['payment'];
    const again = world({ payout: refund, instruction: {} });
    again.state.put(payment({ received: AMOUNT, refunded: AMOUNT, amount: AMOUNT, refund: PAYOUT }));
    const twice = again.when(imported([debit])).when(credit(AMOUNT));
    twice.state.put({ ...known, refunded: 1n });
    voided(twice, 1).thenRefuses('bank_assignment_final');
  });

  it('in a whole file is voided if the payouts that it settled come to it, and stays else', () => {
    const whole = { ...debit, file: FILE };
    const paid = world().when(imported([whole]));
    expect(onlyOf(paid).assignments).toMatchObject([{ to: FILE }]);
    const asked = paid.when(ask(onlyOf(paid)), ONE);
    const seen = approve(asked.state, onlyOf(asked));
    asked.when(seen, OTHER).thenRefuses('bank_assignment_final'); // no payout was found for it
    const [part] = seen.parts;
    const found = { ...seen, parts: [{ ...part, payouts: [PAYOUT] }] } as typeof seen;
    asked.when(found, OTHER).thenAccepts({ now: { [PAYOUT]: { status: 'in_transit' } } });
  });
});

describe('the proof of statements', () => {
  const PEOPLE = [apiKey(1), apiKey(2), bankAccount({ onDrift: 'stop_exports' }), account({ balance: 0n })];
  /** A day with balances, and its entry. */
  const day = (n: number, opening: bigint, amount: bigint) => {
    const on = `2026-03-${n}`;
    const days = { startsOn: on, openedOn: on, closedOn: on, sum: amount, identity: `a${n}`, series: `a${n}` };
    return wholeStatement(statementHead({ ...days, opening, closing: opening + amount }), [line(1, { amount })]);
  };
  /** The first entry comes once more, without balances. */
  const twice = () =>
    given(...PEOPLE)
      .when(day(13, 0n, 500n))
      .when(imported([line(1)], 'dd'));
  const decided = (outcome: Outcome, of: string, what: typeof ask | typeof askBack = ask) => {
    const entry = () => entriesIn(outcome.state).find(({ identity }) => identity === of) as BankEntry;
    const asked = outcome.when(what(entry()), ONE);
    return asked.when(approve(asked.state, entry()), OTHER);
  };
  const proofsIn = ({ tables }: State) =>
    [...tables.bank_statement.values()].map(({ proof, difference }) => [proof, difference]);

  it('is ok again once the entry that was too much is voided, and stopped exports wait for a person', () => {
    const drifting = twice().when(day(14, 500n, 200n));
    const stopped = drifting.state.tables.bank_account.get(BANK)?.stoppedBy;
    expect(proofsIn(drifting.state)[2]).toEqual(['drift', -500n]);
    expect([stopped, drifting.state.tables.bank_account.get(BANK)?.driftDifference]).toEqual([
      expect.any(String),
      -500n,
    ]);
    const done = decided(drifting, 'dd');
    done.thenAccepts({ events: ['bank_entry.voided'], now: { [BANK]: { driftDifference: null, stoppedBy: stopped } } });
    expect(proofsIn(done.state)).toEqual([
      ['ok', null],
      ['none', null],
      ['ok', null],
    ]);
    const back = decided(done, 'dd', askBack);
    back.thenAccepts({
      events: ['bank_statement.drift_detected', 'bank_entry.unvoided'],
      now: { [BANK]: { driftDifference: -500n, stoppedBy: stopped } },
    });
    expect(proofsIn(back.state)[2]).toEqual(['drift', -500n]);
  });

  it('drifts where the entry was right, and the exports stop', () => {
    const done = decided(given(...PEOPLE).when(day(13, 0n, 500n)), 'a13');
    done.thenAccepts({
      events: ['bank_statement.drift_detected', 'bank_account.exports_stopped', 'bank_entry.voided'],
      now: { [BANK]: { driftDifference: 500n, stoppedBy: expect.any(String) } },
    });
  });

  it('waits for the end of a statement that is half booked', () => {
    const half = { ...day(14, 500n, 200n), isLast: false };
    const done = decided(
      given(...PEOPLE)
        .when(day(13, 0n, 500n))
        .when(half),
      'a13',
    );
    done.thenAccepts({ events: ['bank_entry.voided'], now: { [BANK]: { driftDifference: null } } });
    const ended = done.when({ ...half, plan: null, lines: [], isLast: true });
    ended.thenAccepts({ now: { [BANK]: { driftDifference: 500n } } });
  });
});

it('an opening balance stays: later balances stand on it', () => {
  const head = statementHead({ opening: 700n, closing: 700n, openedOn: '2026-03-13' });
  const begun = given(apiKey(1), bankAccount(), account()).when({ ...imported([]), statement: head });
  expect(onlyOf(begun).kind).toBe('opening');
  begun.when(ask(onlyOf(begun)), ONE).thenRefuses('bank_entry_not_voidable');
});

describe('entries in any order of decisions', () => {
  const step = fc.record({
    what: fc.constantFrom('assign', 'unassign', 'void', 'unvoid'),
    which: fc.nat(3),
    to: fc.constantFrom('fees', 'fx', ACCOUNT),
    amount: fc.constantFrom(null, '1.00', '4.00'),
  });
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  /** One decision after the other. What is refused changes nothing. Answers how often something was voided. */
  function run(steps: readonly Step[], after: (state: State) => void): number {
    let now = world(
      line(1, { references: [depositReference(ACCOUNT)] }),
      line(2),
      line(3, { direction: 'debit', amount: 300n }),
      line(4, { direction: 'debit' }),
    );
    let voids = 0;
    for (const { what, which, to, amount } of steps) {
      const entry = entriesIn(now.state)[which] as BankEntry;
      if (what === 'assign') now = now.when(assign(entry, to, amount));
      else if (what === 'unassign') now = now.when(unassign(entry, to));
      else {
        now = tried(now, what === 'void' ? ask(entry) : askBack(entry));
        voids += now.events.filter(({ type }) => type === 'bank_entry.voided').length;
      }
      after(now.state);
    }
    return voids;
  }
  const steps = fc.array(step, { minLength: 5, maxLength: 40 });

  it('sum to nothing, and the bank account is the sum of those that count', () => {
    let voids = 0;
    fc.assert(fc.property(steps, (all) => void (voids += run(all, (state) => expect(faultsOf(state)).toEqual([])))));
    expect(voids).toBeGreaterThan(100);
  });

  it('control: a voided entry that is counted makes the sums differ', () => {
    const counted = (state: State) => {
      const voided = entriesIn(state).find(({ status }) => status === 'voided');
      if (voided) state.tables.bank_entry.set(voided.id, { ...voided, status: 'unmatched' });
      return faultsOf(state);
    };
    const first = world(line(1));
    const done = agreed(first.when(ask(onlyOf(first)), ONE));
    expect(counted(done.state)).toHaveLength(3);
  });
});
