/**
 * Decisions about payments. Money that came is never refused: too little and too much are states, what comes twice is a payment
 * (`core/payments.ts`), and an ended link takes it too. Pure. Links: `link-decide.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { charge, feesFor, ruleOf } from '../../core/charges.ts';
import { type Fee, NONE } from '../../core/fees.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { amountOf, checkFunds, move, type Outside, reopened } from '../../core/ledger.ts';
import { formatMoney, MAX_HELD_MINOR } from '../../core/values/money.ts';
import type { Metadata } from '../../core/objects.ts';
import type { PaymentMethod } from '../../core/rails/payment-schemes.ts';
import type { Payment, PaymentFailure, PaymentLink } from './fields.ts';
import type { Account } from '../../core/account.ts';
import { isAwaited, isOpen, isUnpaid, paymentStatus } from '../../core/payments.ts';
import type { Draft } from '../../core/draft.ts';
import { updateMetadata } from '../../core/update.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { checkActive, completeIfFull, linkMissing } from './link-decide.ts';

/** How long a payment waits for money: transfers between banks take days, and weekends. */
export const PATIENCE_MS = 14 * DAY_MS;

interface About<T extends string> {
  readonly type: T;
  readonly payment: string;
}

/** What a payer chose on the page. */
export interface StartPayment {
  readonly type: 'start_payment';
  readonly link: string;
  readonly method: PaymentMethod;
  /** Minor units; only where the link leaves the amount open. */
  readonly amount: bigint | null;
  readonly token: string;
  /** ISO 11649; unique in the environment. */
  readonly reference: string;
}

/** What a bank or an acquirer says about money that came. */
export interface Credit {
  /** Minor units, in the currency of the payment. */
  readonly amount: bigint;
  readonly payerName: string | null;
  readonly payerIban: string | null;
}

export interface ReceivePayment extends Credit, About<'receive_payment'> {
  readonly method: PaymentMethod;
  /** The acquirer's session: its money is counted once, however often it is told. */
  readonly session: string | null;
}

/** Sandbox only: a payer who starts and pays at once. */
export interface PayPaymentLink {
  readonly type: 'pay_payment_link';
  readonly start: Omit<StartPayment, 'type' | 'amount'>;
  /** Major-unit text in the link's currency; `null`: the missing amount. */
  readonly amount: string | null;
  readonly payerName: string;
  readonly payerIban: string;
}

export interface FailPayment extends About<'fail_payment'> {
  readonly reason: PaymentFailure;
  /** Set: only while this is the session the payer is sent to, and has not chosen a bank transfer since. */
  readonly session: string | null;
}

/** The payer was sent to an acquirer. */
export interface AttachSession extends About<'attach_session'> {
  readonly session: string;
}

/** A payment has waited for some days. */
export type RemindPayment = About<'remind_payment'>;

export interface UpdatePayment extends About<'update_payment'> {
  readonly metadata: Metadata | undefined;
}

/**
 * A link for one payment was given to one customer: who comes back, or opens it elsewhere, goes on with the same payment. A payment
 * that was only started holds no place: else a stranger could lock a link. The first whose money comes has the place. So an amount
 * that a payer chose binds nobody else: another choice takes the place of a payment without money, which can still be paid.
 * Refuses `resource_missing`, `payment_link_ended`, `amount_…`.
 */
export function startPayment(draft: Draft, command: StartPayment): Payment | Refusal {
  const { link: linkId, method, amount, token, reference } = command;
  const link = draft.find('payment_link', linkId);
  if (!link) return linkMissing(linkId);
  const ended = checkActive(draft, link);
  if (ended) return ended;
  const waiting = waitingOf(draft, link);
  const isReplaced = link.amount === null && amount !== null && waiting?.received === 0n;
  if (waiting && !isReplaced) return chooseMethod(draft, waiting, method);
  const asked = link.amount ?? chosen(link, amount);
  if (typeof asked !== 'bigint') return asked;
  if (waiting) giveUp(draft, waiting, 'canceled');
  const payment: Payment = {
    object: 'payment',
    id: draft.newId('pay'),
    link: link.id,
    token,
    reference,
    account: link.account,
    method,
    currency: link.currency,
    amount: asked,
    received: 0n,
    refunded: 0n,
    status: 'pending',
    duplicateOf: null,
    failureCode: null,
    payerName: null,
    payerIban: null,
    session: null,
    transfer: null,
    fees: NONE,
    refund: null,
    metadata: {},
    dueAt: draft.atMs + PATIENCE_MS,
    remindAt: reminderOf(draft),
    paidAt: null,
    createdAt: draft.atMs,
  };
  draft.create(payment);
  draft.update({ ...link, openCount: link.openCount + (waiting ? 0 : 1) });
  draft.emit('payment.pending', payment);
  return payment;
}

const waitingOf = (draft: Draft, link: PaymentLink): Payment | undefined =>
  link.reusable ? undefined : draft.paymentsOf(link.id).find(isOpen);

/** The instant at which an event is to tell that a payment of now still waits; `null`: the operator does not want that. */
export function reminderOf(draft: Draft): number | null {
  const days = draft.find('settings', draft.state.environment.id)?.paymentReminderDays ?? null;
  return days === null ? null : draft.atMs + days * DAY_MS;
}

function chooseMethod(draft: Draft, payment: Payment, method: PaymentMethod): Payment {
  if (payment.received > 0n || payment.method === method) return payment;
  const after = rewrite(draft, payment, { method });
  draft.emit('payment.updated', after, { method: payment.method });
  return after;
}

function chosen({ currency, minimum, maximum }: PaymentLink, amount: bigint | null): bigint | Refusal {
  const param = { param: 'amount' };
  if (amount === null)
    return refusal('amount_invalid', 'amount is missing: this link lets the payer choose it.', param);
  if (minimum !== null && amount < minimum)
    return refusal(
      'amount_too_small',
      `amount is ${formatMoney(amount, currency)}; this link takes at least ${formatMoney(minimum, currency)}.`,
      param,
    );
  if (maximum !== null && amount > maximum)
    return refusal(
      'amount_too_large',
      `amount is ${formatMoney(amount, currency)}; this link takes at most ${formatMoney(maximum, currency)}.`,
      param,
    );
  return amount;
}

/** Refuses `resource_missing`, and `balance_too_large`, after which nothing was booked. */
export function receivePayment(draft: Draft, command: ReceivePayment): Decision {
  const payment = draft.find('payment', command.payment);
  if (!payment) return paymentMissing(command.payment);
  const { method, session } = command;
  // The money of this session. A session that was only begun has none.
  const isKnown = (each: Payment) => each.session === session && each.method === 'card' && each.received > 0n;
  const known = session === null ? undefined : draft.paymentsOf(payment.link).find(isKnown);
  return known ?? receive(draft, payment, command, { method, ...(session !== null && { session }) });
}

export function payPaymentLink(draft: Draft, command: PayPaymentLink): Decision {
  const link = draft.find('payment_link', command.start.link);
  if (!link) return linkMissing(command.start.link);
  const account = draft.find('account', link.account) as Account;
  const amount = command.amount === null ? null : amountOf(account, command.amount);
  if (amount !== null && typeof amount !== 'bigint') return amount;
  const asked = waitingOf(draft, link) ? null : amount; // else it is what comes of what is asked for already
  const payment = startPayment(draft, { type: 'start_payment', ...command.start, amount: asked });
  if (isRefusal(payment)) return payment;
  const missing = payment.amount - payment.received;
  return receive(draft, payment, { ...command, amount: amount ?? missing }, {});
}

/**
 * Books money from `by` to the payment while it is unpaid, else as a duplicate; answers which. Refuses
 * `balance_too_large`.
 */
export function receive(
  draft: Draft,
  payment: Payment,
  credit: Credit,
  how: Partial<Payment>,
  by: Outside = 'bank',
): Payment | Refusal {
  const { amount, payerName, payerIban } = credit;
  assert(amount > 0n, 'money that came is more than nothing');
  const account = draft.find('account', payment.account) as Account;
  const link = draft.find('payment_link', payment.link) as PaymentLink;
  const unfunded = checkFunds({ debit: by, credit: account, amount }, MAX_HELD_MINOR);
  if (unfunded) return unfunded;
  const isExpected = isUnpaid(payment);
  const id = isExpected ? payment.id : draft.newId('pay');
  const sides = { debit: by, credit: reopened(draft, account), amount, currency: payment.currency };
  const transfer = move(draft, { ...sides, cause: 'payment', causeId: id });
  const before = isExpected ? payment.fees : NONE;
  const isFirst = !isExpected || payment.received === 0n;
  const fees = [...before, ...chargeFor(draft, { ...payment, ...how, id }, amount, isFirst)];
  const came = { payerName, payerIban, transfer: transfer.id, fees, ...how };
  if (isExpected) return bookExpected(draft, payment, link, { ...came, received: payment.received + amount });
  const duplicate: Payment = {
    ...payment,
    session: null,
    ...came,
    id,
    token: null,
    amount,
    received: amount,
    refunded: 0n,
    status: 'succeeded',
    duplicateOf: payment.duplicateOf ?? payment.id,
    failureCode: null,
    refund: null,
    metadata: {},
    dueAt: null,
    remindAt: null,
    paidAt: draft.atMs,
    createdAt: draft.atMs,
  };
  draft.create(duplicate, 'payment.duplicate');
  draft.update({ ...link, received: link.received + amount });
  return duplicate;
}

/**
 * Fees are taken from the money that came: basis points each time, the fixed part with the first, and never more than
 * it.
 */
function chargeFor(draft: Draft, payment: Payment, came: bigint, isFirst: boolean): readonly Fee[] {
  const { id, account, currency, method, link: paymentLink } = payment;
  const rule = ruleOf(draft, { on: 'payment', currency, method, paymentLink });
  const [fee] = feesFor(rule && !isFirst ? { ...rule, fixed: 0n } : rule, came, currency);
  if (fee === undefined) return NONE;
  const bounded = { ...fee, amount: fee.amount < came ? fee.amount : came };
  return charge(draft, account, [bounded], { cause: 'payment_fee', causeId: id });
}

function bookExpected(
  draft: Draft,
  payment: Payment,
  link: PaymentLink,
  changes: Partial<Payment> & Pick<Payment, 'received'>,
): Payment {
  const sums = { ...payment, ...changes };
  const isPaid = sums.received >= sums.amount;
  const after: Payment = {
    ...sums,
    status: paymentStatus(sums),
    failureCode: isPaid ? null : payment.failureCode,
    dueAt: null,
    remindAt: isPaid ? null : payment.remindAt,
    paidAt: isPaid ? draft.atMs : null,
  };
  draft.update(after);
  draft.emit(isPaid ? 'payment.succeeded' : 'payment.partially_paid', after, {
    status: payment.status,
    amount_received_minor: Number(payment.received),
  });
  const counted: PaymentLink = {
    ...link,
    received: link.received + (sums.received - payment.received),
    paymentsCount: link.paymentsCount + (isPaid ? 1 : 0),
    openCount: link.openCount - (isOpen(payment) && isPaid ? 1 : 0),
  };
  draft.update(counted);
  completeIfFull(draft, counted);
  return after;
}

/** Nothing came, and nothing is waited for any longer. Money that comes later is taken all the same. */
export function failPayment(draft: Draft, command: FailPayment): Decision {
  const payment = draft.find('payment', command.payment);
  if (!payment) return paymentMissing(command.payment);
  const isDue = command.reason !== 'expired' || command.session !== null || (payment.dueAt ?? 0) <= draft.atMs;
  const isMeant = command.session === null || (payment.method === 'card' && command.session === payment.session);
  if (payment.status !== 'pending' || !isDue || !isMeant) return payment;
  const link = draft.find('payment_link', payment.link) as PaymentLink;
  draft.update({ ...link, openCount: link.openCount - 1 });
  return giveUp(draft, payment, command.reason);
}

function giveUp(draft: Draft, payment: Payment, failureCode: PaymentFailure): Payment {
  const after: Payment = { ...payment, status: 'failed', failureCode, dueAt: null, remindAt: null };
  return draft.update(after, 'payment.failed', { status: payment.status });
}

/** Reminds once, and only of a payment that still waits for money. Refuses `resource_missing`. */
export function remindPayment(draft: Draft, command: RemindPayment): Decision {
  const payment = draft.find('payment', command.payment);
  if (!payment) return paymentMissing(command.payment);
  if (payment.remindAt === null || payment.remindAt > draft.atMs) return payment;
  const after = { ...payment, remindAt: null };
  return draft.update(after, isOpen(payment) ? 'payment.reminder_due' : undefined);
}

/**
 * The session has no event: where the payer is sent to is no business of the outside. How they pay is. Refuses
 * `payment_link_ended`: the place of this payer may have gone to another one meanwhile.
 */
export function attachSession(draft: Draft, command: AttachSession): Decision {
  const payment = draft.find('payment', command.payment);
  if (!payment) return paymentMissing(command.payment);
  if (!isAwaited(payment)) return paymentStateInvalid(payment, ['pending']);
  const ended = checkActive(draft, draft.find('payment_link', payment.link) as PaymentLink);
  if (ended) return ended;
  const after = rewrite(draft, payment, { session: command.session, method: 'card' });
  if (payment.method !== 'card') draft.emit('payment.updated', after, { method: payment.method });
  return after;
}

export const rewrite = (draft: Draft, payment: Payment, changes: Partial<Payment>): Payment =>
  draft.update({ ...payment, ...changes });

export function updatePayment(draft: Draft, command: UpdatePayment): Decision {
  const payment = draft.find('payment', command.payment);
  if (!payment) return paymentMissing(command.payment);
  return updateMetadata(draft, payment, command.metadata, 'payment.updated');
}

export const paymentMissing = (id: string): Refusal => missing('payment', id);

/** `payment_state_invalid`. */
export function paymentStateInvalid(payment: Payment, allowed: readonly Payment['status'][]): Refusal {
  const message = `Payment ${payment.id} is ${payment.status}; this is possible while it is ${allowed.join(' or ')}.`;
  return refusal('payment_state_invalid', message, { current_status: payment.status, allowed });
}
