/** Payouts that a person ends because the bank says nothing: when, by whom, and what a late report does then. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bankAccount,
  paymentFile,
  INSTRUCTION,
  instruction,
  statementHead,
  wholeStatement,
} from '../../../test/support/harness/bank-literals.ts';
import { givenAt } from '../../../test/support/harness/given.ts';
import { account, apiKey, idAt, PAYOUT, payout, recipient } from '../../../test/support/harness/literals.ts';
import type { Actor } from '../../core/actor.ts';
import type { PayoutStatus } from '../../paying/payouts/fields.ts';
import { PAYOUT_STATUSES } from '../../paying/payouts/fields.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';

const EXECUTED = '2026-03-16';
/** The fifth business day after it begins in Berlin. */
const FROM = Date.UTC(2026, 2, 22, 23);
const sealed = paymentFile({ status: 'sealed', sealedAt: 1, executionOn: EXECUTED, payoutsCount: 1 });
const gone = payout({ status: 'in_transit', inTransitAt: 1, createdBy: idAt('key', 1) as never });
const world = (
  atMs = FROM,
  { file = sealed, left = gone, at = {} }: { file?: typeof sealed; left?: typeof gone; at?: object } = {},
) => givenAt(atMs, apiKey(1), bankAccount(), account(), recipient(), file, left, instruction(at));
const resolve = (outcome: 'paid' | 'failed') =>
  ({ type: 'resolve_payout', payout: PAYOUT, outcome, reason: 'By phone' }) as const;

const debit = wholeStatement(
  statementHead({ startsOn: null, closedOn: null, identity: '22'.repeat(32), series: '33'.repeat(32) }),
  [
    {
      direction: 'debit',
      amount: gone.amount,
      bookedOn: '2026-03-24',
      valueOn: null,
      explanation: NOTHING_EXPLAINED,
      payouts: [{ payout: PAYOUT, amount: gone.amount }],
      file: null,
      references: [],
    },
  ],
);

describe('resolved as failed', () => {
  it('credits the account once, and stays in its file for good', () => {
    const outcome = world().when(resolve('failed'));
    outcome.thenAccepts({
      reply: { status: 'failed', failureCode: 'timeout' },
      events: ['balance.updated', 'payout.failed'],
      now: { [INSTRUCTION]: { status: 'claimed', answer: 'BY_HAND', reasonText: 'By phone' } },
    });
    outcome.when(resolve('failed')).thenRefuses('payout_state_invalid');
    const claim = { type: 'claim_payouts', file: idAt('pf', 2), payouts: [PAYOUT] } as const;
    outcome.when({ ...claim, file: sealed.id }).thenRefuses('payment_file_state_invalid');
    outcome
      .when({ type: 'abandon_payment_file', makers: [], file: sealed.id, reason: 'Lost' })
      .thenRefuses('payment_file_answered');
  });
  it('a debit that is booked later finds it failed: a conflict, whose money waits', () => {
    const { state } = world().when(resolve('failed')).when(debit);
    const [entry] = [...state.tables.bank_entry.values()];
    expect(entry).toMatchObject({ status: 'unmatched', assignments: [] });
    expect(entry?.conflict).toContain('failed');
    expect(state.tables.payout.get(PAYOUT)).toMatchObject({ status: 'failed' });
  });
  it('control: not resolved, the same debit pays it', () => {
    const { state } = world().when(debit);
    expect(state.tables.payout.get(PAYOUT)).toMatchObject({ status: 'paid' });
  });
  it('is refused where money of it came back before', () =>
    void world(FROM, { at: { early: [{ entry: '0', amount: '1', reason: null }] } })
      .when(resolve('failed'))
      .thenRefuses('payout_state_invalid'));
});

describe('resolved as paid', () => {
  it('waits for its booking, which then counts once', () => {
    const outcome = world().when(resolve('paid'));
    outcome.thenAccepts({ reply: { status: 'paid' }, now: { [INSTRUCTION]: { unbooked: true } } });
    const { state } = outcome.when(debit);
    expect([...state.tables.bank_entry.values()][0]).toMatchObject({ status: 'matched', conflict: null });
    expect(state.tables.payout.get(PAYOUT)).toMatchObject({ status: 'paid' });
  });
});

describe('is refused', () => {
  it('before the fifth business day after the execution', () =>
    void world(FROM - 1)
      .when(resolve('failed'))
      .thenRefuses('payout_not_overdue'));
  it('a day later where the operator added a day (control: on that day it is resolved)', () => {
    const holidays = ['2026-03-18'];
    const on = (atMs: number) =>
      givenAt(atMs, apiKey(1), bankAccount({ holidays }), account(), recipient(), sealed, gone, instruction());
    on(FROM).when(resolve('failed')).thenRefuses('payout_not_overdue');
    on(FROM + DAY_MS)
      .when(resolve('failed'))
      .thenAccepts({ reply: { status: 'failed' } });
  });
  it('with the key that made the payout', () =>
    void world(FROM, { left: { ...gone, createdBy: 'worker' } })
      .when(resolve('failed'))
      .thenRefuses('approval_by_creator'));
  it('with the key that changed the payout (control: of another one it is resolved)', () => {
    const [actor, other] = [idAt('key', 2) as Actor, idAt('key', 3) as Actor];
    const by = (changedBy: Actor) =>
      givenAt(FROM, ...[1, 2, 3].map((n) => apiKey(n)), bankAccount(), account(), recipient(), sealed, instruction(), {
        ...gone,
        changedBy: [changedBy, 'worker'],
      }).when(resolve('failed'), { actor, lineage: [actor] });
    by(actor).thenRefuses('approval_by_creator');
    by(other).thenAccepts({ reply: { status: 'failed' } });
  });
  it.each(['claiming', 'abandoning', 'abandoned'] as const)(
    'in a file that is %s',
    (status) =>
      void world(FROM, { file: { ...sealed, status } })
        .when(resolve('paid'))
        .thenRefuses('payout_state_invalid'),
  );
  it('of a payout that is free again', () =>
    void world(FROM, { at: { status: 'released' } })
      .when(resolve('failed'))
      .thenRefuses('payout_state_invalid'));
  const others: PayoutStatus[] = PAYOUT_STATUSES.filter((status) => status !== 'in_transit');
  it.each(others)(
    'of one that is %s',
    (status) =>
      void world(FROM, { left: { ...gone, status } })
        .when(resolve('failed'))
        .thenRefuses('payout_state_invalid'),
  );
});

/** What may happen to a payout of a file, each at any time and again. `n` tells bookings apart. */
const happening = (kind: (typeof HAPPENINGS)[number], n: number) => {
  const booked = (direction: 'debit' | 'credit') => ({
    ...debit,
    statement: {
      ...debit.statement,
      identity: `${n}`.padStart(64, '2'),
      sum: direction === 'debit' ? -gone.amount : gone.amount,
    },
    lines: debit.lines.map((line) => ({ ...line, direction })),
  });
  const said = (status: string) => {
    const answers = [
      { payout: PAYOUT, file: sealed.id, status, reason: status === 'RJCT' ? 'AC04' : null, reasonText: null },
    ];
    return { type: 'note_bank_answers', document: idAt('sf', 1), answers } as const;
  };
  switch (kind) {
    case 'paid':
    case 'failed':
      return resolve(kind);
    case 'debited':
      return booked('debit');
    case 'returned':
      return booked('credit');
    case 'rejected':
      return said('RJCT');
    case 'executed':
      return said('ACSC');
    default:
      return { type: 'abandon_payment_file', makers: [], file: sealed.id, reason: 'Lost' } as const;
  }
};
const HAPPENINGS = ['paid', 'failed', 'debited', 'returned', 'rejected', 'executed', 'abandoned'] as const;
const document = {
  object: 'statement_file',
  id: idAt('sf', 1),
  sha256: '00',
  status: 'importing',
  sizeBytes: 1n,
  statementsCount: 0,
  skippedCount: 0,
  notes: [],
  importedAt: null,
  createdAt: 0,
} as const;

it('in whatever order, the account is credited at most what was paid, and never for a debit that counts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...HAPPENINGS), { maxLength: 8 }), fc.boolean(), (kinds, takesWord) => {
      const bank = bankAccount({ paidBy: takesWord ? 'status' : 'booking' });
      let now: Pick<ReturnType<typeof givenAt>, 'when' | 'state'> = givenAt(
        FROM,
        apiKey(1),
        document,
        bank,
        account(),
        recipient(),
        sealed,
        gone,
        instruction(),
      );
      const start = now.state.tables.account.get(gone.account)?.balance ?? 0n;
      for (const [n, kind] of kinds.entries()) now = now.when(happening(kind, n));
      const { tables } = now.state;
      const credited = (tables.account.get(gone.account)?.balance ?? 0n) - start;
      const parts = [...tables.bank_entry.values()].flatMap(({ direction, assignments }) =>
        assignments.filter(({ to }) => to === PAYOUT).map(({ amount }) => (direction === 'debit' ? amount : -amount)),
      );
      const left = parts.reduce((sum, amount) => sum + amount, 0n); // the bank's view, of what counts
      expect(credited >= 0n && credited <= gone.amount).toBe(true);
      expect(left <= gone.amount).toBe(true);
      const status = tables.payout.get(PAYOUT)?.status;
      if (status === 'failed') expect([credited, left]).toEqual([gone.amount, 0n]);
      if (status === 'paid') expect(credited).toBe(0n);
      if (status === 'returned') expect(credited).toBe(gone.amount);
    }),
    { numRuns: 500 },
  );
});
