/**
 * Decisions about expected payments: transfers with a creditor reference of their own, without a page. What the bank
 * books with the reference is credited, also too much and late. Pure.
 */
import { assert } from '../../core/values/assert.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { checkFunds, move, type Outside, payingAccount, reopened } from '../../core/ledger.ts';
import { newMetadata } from '../../core/metadata.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import { DAY_MS, dayStartMs } from '../../core/values/time.ts';
import type { Given } from '../../core/update.ts';
import type { ExpectedPayment } from './fields.ts';

export interface CreateExpectedPayment
  extends Pick<ExpectedPayment, 'currency' | 'amount' | 'reference' | 'payerName' | 'description' | 'dueOn'>,
    Given<ExpectedPayment, 'metadata'> {
  readonly type: 'create_expected_payment';
  /** `null`: the oldest open account of the currency. */
  readonly account: string | null;
}

interface About<T extends string> {
  readonly type: T;
  readonly expectedPayment: string;
}
/** What the worker found. Harmless to repeat. */
export type NoteOverdue = About<'note_overdue'>;

/** Refuses `resource_missing`, `account_missing`, `account_closed`, `account_currency_mismatch`. */
export function createExpectedPayment(draft: Draft, command: CreateExpectedPayment): Decision {
  const { type: _, account: named, metadata, ...given } = command;
  const account = payingAccount(draft, named, given.currency, 'account');
  if (isRefusal(account)) return account;
  const expected: ExpectedPayment = {
    object: 'expected_payment',
    id: draft.newId('xp'),
    account: account.id,
    ...given,
    received: 0n,
    status: 'open',
    dueAt: given.dueOn === null ? null : dayStartMs(given.dueOn) + DAY_MS,
    transfer: null,
    paidAt: null,
    metadata: newMetadata(metadata),
    createdAt: draft.atMs,
  };
  return draft.create(expected, 'expected_payment.created');
}

type Cancel = About<'cancel_expected_payment'>;

/** Money that has come stays. Refuses `resource_missing` and `expected_payment_ended`. */
export function cancelExpectedPayment(draft: Draft, { expectedPayment: id }: Cancel): Decision {
  const expected = draft.find('expected_payment', id);
  if (!expected) return missing('expected payment', id);
  if (expected.status === 'canceled' || expected.status === 'paid') return ended(expected);
  const after: ExpectedPayment = { ...expected, status: 'canceled', dueAt: null };
  return draft.update(after, 'expected_payment.canceled', { status: expected.status });
}

const ended = ({ id, status }: ExpectedPayment): Refusal =>
  refusal(
    'expected_payment_ended',
    `Expected payment ${id} is ${status} and stays so. Create another for more money.`,
    {
      current_status: status,
      allowed: ['open', 'partially_paid', 'overdue'],
    },
  );

/** Refuses `resource_missing`. */
export function noteOverdue(draft: Draft, { expectedPayment: id }: NoteOverdue): Decision {
  const expected = draft.find('expected_payment', id);
  if (!expected) return missing('expected payment', id);
  if (expected.dueAt === null || expected.dueAt > draft.atMs) return expected;
  const after: ExpectedPayment = { ...expected, status: 'overdue', dueAt: null };
  return draft.update(after, 'expected_payment.overdue', { status: expected.status });
}

/**
 * Credits money of an entry of a bank, held by `by`. Answers the transfer. Refuses `expected_payment_ended` for a
 * canceled one, and `balance_too_large`.
 */
export function receiveExpected(
  draft: Draft,
  expected: ExpectedPayment,
  { amount, by, causeId }: { readonly amount: bigint; readonly by: Outside; readonly causeId: string },
): string | Refusal {
  assert(amount > 0n, 'money that came is more than nothing');
  if (expected.status === 'canceled') return ended(expected);
  const account = draft.find('account', expected.account);
  assert(account, 'the account of an expected payment is loaded with it');
  const unfunded = checkFunds({ debit: by, credit: account, amount }, MAX_HELD_MINOR);
  if (unfunded) return unfunded;
  const cause = by === 'unmatched' ? ('bank_assignment' as const) : ('bank_entry' as const);
  const sides = { debit: by, credit: reopened(draft, account), amount, currency: expected.currency };
  const { id: transfer } = move(draft, { ...sides, cause, causeId });
  const received = expected.received + amount;
  const isPaid = received >= expected.amount;
  const isOverdue = expected.status === 'overdue';
  const after: ExpectedPayment = {
    ...expected,
    received,
    transfer,
    status: isPaid ? 'paid' : isOverdue ? 'overdue' : 'partially_paid',
    dueAt: isPaid ? null : expected.dueAt,
    paidAt: isPaid ? (expected.paidAt ?? draft.atMs) : null,
  };
  draft.update(after, isPaid ? 'expected_payment.paid' : 'expected_payment.partially_paid', {
    ...(after.status !== expected.status && { status: expected.status }),
    amount_received_minor: Number(expected.received),
  });
  return transfer;
}

interface TakenBack {
  readonly amount: bigint;
  /** The entry of a bank that had brought it, and is voided. */
  readonly causeId: string;
  readonly description: string;
}

/** What a voided entry brought goes back to `unmatched`. Answers the transfer. Refuses `balance_insufficient`. */
export function takeBackExpected(
  draft: Draft,
  expected: ExpectedPayment,
  { amount, causeId, description }: TakenBack,
): string | Refusal {
  const { id, currency, status: before, dueOn } = expected;
  const account = draft.find('account', expected.account);
  assert(account && amount <= expected.received, `${id} has received ${amount} on its account`);
  const sides = { debit: account, credit: 'unmatched' } as const;
  const unfunded = checkFunds({ ...sides, amount });
  if (unfunded) return unfunded;
  const back = move(draft, { ...sides, amount, currency, cause: 'bank_assignment', causeId, description });
  const received = expected.received - amount;
  const isPaid = received >= expected.amount;
  const waited = received > 0n ? ('partially_paid' as const) : ('open' as const);
  const status = isPaid || before === 'overdue' || before === 'canceled' ? before : waited;
  const waits = status === 'open' || status === 'partially_paid';
  const after: ExpectedPayment = {
    ...expected,
    received,
    status,
    transfer: received > 0n ? expected.transfer : null,
    dueAt: waits && dueOn !== null ? dayStartMs(dueOn) + DAY_MS : null,
    paidAt: isPaid ? expected.paidAt : null,
  };
  draft.update(after, 'expected_payment.updated', {
    ...(status !== before && { status: before }),
    amount_received_minor: Number(expected.received),
  });
  return back.id;
}
