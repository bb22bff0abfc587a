/**
 * What the model knows of payment links and payments. It keeps every credit and every refund by itself and counts from
 * those alone: nothing here is a running sum, so that a sum the service forgets to move on shows. It must never call
 * `core/payments.ts`, which is what it judges. Next: `model-check-payments.ts`.
 */
import type { Code } from '../../../src/core/values/errors.ts';
import type { PaymentLink } from '../../../src/collecting/payments/fields.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import type { CreatePaymentLink, UpdatePaymentLink } from '../../../src/collecting/payments/link-decide.ts';
import type { PayPaymentLink, ReceivePayment, StartPayment } from '../../../src/collecting/payments/decide.ts';
import type { RefundPayment } from '../../../src/collecting/payments/refund.ts';
import type { PaymentCommand } from '../generators/arbitrary-payments.ts';
import type { Known } from '../generators/random-choices.ts';
import type { Model } from './model.ts';
import { type Expectation, type ModelLink, type ModelPayment, tagged } from './model-objects.ts';
import { readAmount } from './model-prices.ts';

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** What a start comes to: it goes on with a payment, or makes one, in the place of another that has no money. */
type Place = { joined: string } | { amount: bigint; replaced: string | undefined };

export class PaymentsModel {
  readonly links = new Map<string, ModelLink>();
  readonly payments = new Map<string, ModelPayment>();
  /** An acquirer's session to the payment that is its money. */
  private readonly booked = new Map<string, string>();
  private readonly model: Model;

  constructor(model: Model) {
    this.model = model;
  }

  know({ id, account, currency, amount, minimum, maximum, reusable, maxPayments, expiresAt }: PaymentLink): void {
    const rest = { status: 'active', description: null, tag: undefined } as const;
    this.links.set(id, {
      account,
      currency,
      asked: { amount, minimum, maximum },
      reusable,
      maxPayments,
      expiresAt,
      ...rest,
    });
  }

  get known(): Pick<Known, 'links' | 'payments' | 'sumsOf'> {
    const unknown = { amount: 100n, received: 0n, refunded: 0n };
    return {
      links: [...this.links.keys()],
      payments: [...this.payments.keys()],
      sumsOf: (id) => {
        const payment = this.payments.get(id);
        if (!payment) return unknown;
        return { amount: payment.amount, received: this.received(payment), refunded: this.refunded(payment) };
      },
    };
  }

  currencyOf(id: string): string | undefined {
    return (this.links.get(id) ?? this.links.get(this.payments.get(id)?.link ?? ''))?.currency;
  }

  received({ credits }: Pick<ModelPayment, 'credits'>): bigint {
    return sum(credits);
  }

  refunded({ refunds }: ModelPayment): bigint {
    const payouts = refunds.map((id) => this.model.payouts.get(id));
    return sum(
      payouts.map((payout) => (/failed|canceled|returned/.test(payout?.status ?? '') ? 0n : (payout?.amount ?? 0n))),
    );
  }

  statusOf(payment: ModelPayment): string {
    const [received, refunded] = [this.received(payment), this.refunded(payment)];
    if (received === 0n) return payment.failure ? 'failed' : 'pending';
    if (refunded === received) return 'refunded';
    const over = received - payment.amount;
    return over > 0n ? 'overpaid' : over === 0n ? 'succeeded' : 'partially_paid';
  }

  /** Takes a place of its link: something is missing, and neither did it ever fail nor was anything sent back. */
  private waits(payment: ModelPayment): boolean {
    const { failure, refunds, duplicateOf, amount } = payment;
    return duplicateOf === null && failure === null && refunds.length === 0 && this.received(payment) < amount;
  }

  private paymentsOf(link: string): [string, ModelPayment][] {
    return [...this.payments].filter(([, payment]) => payment.link === link);
  }

  /** Counted from the payments themselves. */
  countsOf(link: string): { paid: number; open: number; received: bigint } {
    const all = this.paymentsOf(link).map(([, payment]) => payment);
    const paid = all.filter((payment) => payment.duplicateOf === null && this.received(payment) >= payment.amount);
    const open = all.filter((payment) => this.waits(payment));
    return { paid: paid.length, open: open.length, received: sum(all.flatMap(({ credits }) => credits)) };
  }

  expect(command: PaymentCommand, atMs: number): Expectation {
    switch (command.type) {
      case 'create_payment_link':
        return this.create(command, atMs);
      case 'update_payment_link':
        return this.updateLink(command, atMs);
      case 'deactivate_payment_link':
      case 'expire_payment_link': {
        const link = this.links.get(command.link);
        if (!link) return { refused: 'resource_missing' };
        const canceled = command.type === 'deactivate_payment_link';
        if (canceled && link.status !== 'active') return { refused: 'payment_link_ended' };
        const isDue = canceled || (link.status === 'active' && (link.expiresAt ?? Infinity) <= atMs);
        const end = () => this.end(command.link, canceled ? 'canceled' : 'expired');
        return { accepted: () => void (isDue && end()) };
      }
      case 'start_payment':
        return this.start(command, atMs);
      case 'receive_payment':
        return this.receive(command, atMs);
      case 'pay_payment_link':
        return this.payAtOnce(command, atMs);
      case 'fail_payment': {
        const payment = this.payments.get(command.payment);
        if (!payment) return { refused: 'resource_missing' };
        const sentThere = payment.method === 'card' && command.session === payment.session;
        const reported = command.session === null || sentThere;
        const isDue = command.reason !== 'expired' || command.session !== null || payment.patienceEnds <= atMs;
        const fails = reported && isDue && this.statusOf(payment) === 'pending';
        return this.model.update(
          payment,
          fails ? { failure: command.reason } : {},
          `payment.failed ${command.payment}`,
        );
      }
      case 'attach_session': {
        const payment = this.payments.get(command.payment);
        if (!payment) return { refused: 'resource_missing' };
        const isReplaced = payment.failure === 'canceled' && payment.credits.length === 0;
        if (this.statusOf(payment) !== 'pending' && !isReplaced) return { refused: 'payment_state_invalid' };
        if (this.hasEnded(this.links.get(payment.link) as ModelLink, atMs)) return { refused: 'payment_link_ended' };
        return {
          accepted: () => {
            payment.session = command.session;
            if (payment.method !== 'card') this.model.event(`payment.updated ${command.payment}`);
            payment.method = 'card';
          },
        };
      }
      case 'update_payment': {
        const payment = this.payments.get(command.payment);
        if (!payment) return { refused: 'resource_missing' };
        const tag = tagged(payment.tag, command.metadata);
        return this.model.update(payment, { tag }, `payment.updated ${command.payment}`);
      }
      case 'refund_payment':
        return this.refund(command, atMs);
    }
  }

  private end(id: string, status: 'completed' | 'expired' | 'canceled'): void {
    (this.links.get(id) as ModelLink).status = status;
    this.model.event(`payment_link.${status} ${id}`);
  }

  private completeIfFull(id: string): void {
    const { reusable, maxPayments, status } = this.links.get(id) as ModelLink;
    const most = reusable ? (maxPayments ?? Infinity) : 1;
    if (status !== 'completed' && this.countsOf(id).paid >= most) this.end(id, 'completed');
  }

  private create(command: CreatePaymentLink, atMs: number): Expectation {
    const { account: named, currency, asked, reusable, maxPayments, expiresAtMs, description, metadata } = command;
    const unusable = named === null ? null : this.model.usable(named, currency);
    if (unusable) return { refused: unusable };
    if (expiresAtMs !== null && expiresAtMs <= atMs) return { refused: 'expires_at_invalid' };
    const account = named ?? this.model.oldest(currency);
    return {
      accepted: ({ id, account: opened = '' }) => {
        if (account === null) this.model.open(opened, currency);
        this.links.set(id, {
          account: account ?? opened,
          currency,
          asked,
          reusable,
          maxPayments,
          status: 'active',
          expiresAt: expiresAtMs,
          description,
          tag: tagged(undefined, metadata),
        });
        this.model.event(`payment_link.created ${id}`);
      },
    };
  }

  private updateLink(command: UpdatePaymentLink, atMs: number): Expectation {
    const link = this.links.get(command.link);
    if (!link) return { refused: 'resource_missing' };
    const { description, maxPayments, expiresAtMs, metadata } = command;
    if ((maxPayments !== undefined || expiresAtMs !== undefined) && link.status !== 'active')
      return { refused: 'payment_link_ended' };
    if (typeof maxPayments === 'number' && !link.reusable) return { refused: 'parameter_conflict' };
    if (typeof maxPayments === 'number' && maxPayments < this.countsOf(command.link).paid)
      return { refused: 'parameter_invalid' };
    if (typeof expiresAtMs === 'number' && expiresAtMs <= atMs) return { refused: 'expires_at_invalid' };
    const changes = {
      description: description === undefined ? link.description : description,
      maxPayments: maxPayments === undefined ? link.maxPayments : maxPayments,
      expiresAt: expiresAtMs === undefined ? link.expiresAt : expiresAtMs,
      tag: tagged(link.tag, metadata),
    };
    const updated = this.model.update(link, changes, `payment_link.updated ${command.link}`);
    if ('refused' in updated) return updated;
    return {
      accepted: (made) => {
        updated.accepted(made);
        this.completeIfFull(command.link);
      },
    };
  }

  private hasEnded({ status, expiresAt }: ModelLink, atMs: number): boolean {
    return status !== 'active' || (expiresAt ?? Infinity) <= atMs;
  }

  /** The payment that goes on or the amount of a new one, or why neither can be. */
  private startable(id: string, chosen: bigint | null, atMs: number, isPaid = false): Place | Code {
    const link = this.links.get(id);
    if (!link) return 'resource_missing';
    if (this.hasEnded(link, atMs)) return 'payment_link_ended';
    const waiting = this.paymentsOf(id).find(([, payment]) => this.waits(payment));
    const { amount, minimum, maximum } = link.asked;
    const isChosen = amount === null && chosen !== null && !isPaid && waiting?.[1].credits.length === 0;
    if (!link.reusable && waiting && !isChosen) return { joined: waiting[0] };
    const replaced = link.reusable ? undefined : waiting?.[0];
    if (amount !== null) return { amount, replaced };
    if (chosen === null) return 'amount_invalid';
    if (chosen < (minimum ?? 0n)) return 'amount_too_small';
    return maximum !== null && chosen > maximum ? 'amount_too_large' : { amount: chosen, replaced };
  }

  /** Answers the id of the payment. */
  private begin(
    { link, method }: Pick<StartPayment, 'link' | 'method'>,
    place: Place,
    id: string,
    atMs: number,
  ): string {
    if ('amount' in place) {
      if (place.replaced !== undefined) {
        (this.payments.get(place.replaced) as ModelPayment).failure = 'canceled';
        this.model.event(`payment.failed ${place.replaced}`);
      }
      this.add(id, { link, amount: place.amount, method, patienceEnds: atMs + 14 * DAY_MS });
      this.model.event(`payment.pending ${id}`);
      return id;
    }
    const payment = this.payments.get(place.joined) as ModelPayment;
    if (payment.credits.length === 0 && payment.method !== method) {
      payment.method = method;
      this.model.event(`payment.updated ${place.joined}`);
    }
    return place.joined;
  }

  private add(
    id: string,
    fields: Pick<ModelPayment, 'link' | 'amount' | 'method' | 'patienceEnds'> & Partial<ModelPayment>,
  ): void {
    const nobody = { name: null, iban: null };
    const rest = {
      credits: [],
      fees: [],
      refunds: [],
      failure: null,
      session: null,
      payer: nobody,
      duplicateOf: null,
      tag: undefined,
    };
    this.payments.set(id, { ...rest, ...fields });
  }

  private start(command: StartPayment, atMs: number): Expectation {
    const place = this.startable(command.link, command.amount, atMs);
    if (typeof place === 'string') return { refused: place };
    return { accepted: ({ id }) => void this.begin(command, place, id, atMs) };
  }

  private receive(command: ReceivePayment, atMs: number): Expectation {
    const payment = this.payments.get(command.payment);
    if (!payment) return { refused: 'resource_missing' };
    const { session, method } = command;
    if (session !== null && this.booked.has(session)) return { accepted: () => undefined };
    return {
      accepted: ({ id }) => {
        this.credit(command.payment, id, command, { method, ...(session !== null && { session }) }, atMs);
        if (session !== null) this.booked.set(session, id);
      },
    };
  }

  private payAtOnce({ start, amount: text, payerName, payerIban }: PayPaymentLink, atMs: number): Expectation {
    const link = this.links.get(start.link);
    if (!link) return { refused: 'resource_missing' };
    const chosen = text === null ? null : readAmount(text, link.currency);
    if (typeof chosen === 'string') return { refused: chosen };
    const place = this.startable(start.link, chosen, atMs, true);
    if (typeof place === 'string') return { refused: place };
    const asked = 'amount' in place ? { ...place, credits: [] } : (this.payments.get(place.joined) as ModelPayment);
    const amount = chosen ?? asked.amount - this.received(asked);
    return {
      accepted: ({ id }) => {
        const payment = this.begin(start, place, id, atMs);
        this.credit(payment, id, { amount, payerName, payerIban }, {}, atMs);
      },
    };
  }

  /** Money for a payment: its own while something is missing and nothing was sent back, else that of a duplicate `id`. */
  private credit(
    to: string,
    id: string,
    { amount, payerName, payerIban }: Pick<ReceivePayment, 'amount' | 'payerName' | 'payerIban'>,
    how: Partial<Pick<ModelPayment, 'method' | 'session'>>,
    atMs: number,
  ): void {
    const payment = this.payments.get(to) as ModelPayment;
    const { link, duplicateOf, refunds, method } = payment;
    const { account } = this.links.get(link) as ModelLink;
    const payer = { name: payerName, iban: payerIban };
    this.model.reopen(account);
    this.model.move('bank', account, amount, 'payment');
    const isDuplicate = duplicateOf !== null || refunds.length > 0 || this.received(payment) >= payment.amount;
    const occasion = {
      on: 'payment',
      currency: this.currencyOf(link) as string,
      method: how.method ?? method,
      paymentLink: link,
    } as const;
    const charged = this.model.fees.on(occasion, amount, isDuplicate || payment.credits.length === 0);
    const fee = charged < amount ? charged : amount;
    this.model.charge(account, fee, 'payment_fee');
    if (isDuplicate) {
      const fields = { link, amount, patienceEnds: atMs, credits: [amount], fees: [fee], payer, method, ...how };
      this.add(id, { ...fields, duplicateOf: duplicateOf ?? to });
      this.model.event(`payment.duplicate ${id}`);
      return;
    }
    payment.credits.push(amount);
    payment.fees.push(fee);
    Object.assign(payment, { payer, ...how });
    const paid = this.received(payment) >= payment.amount;
    if (paid) payment.failure = null;
    this.model.event(`payment.${paid ? 'succeeded' : 'partially_paid'} ${to}`);
    this.completeIfFull(link);
  }

  private refund({ payment: id, amount: text, recipient }: RefundPayment, atMs: number): Expectation {
    const payment = this.payments.get(id);
    if (!payment) return { refused: 'resource_missing' };
    const left = this.received(payment) - this.refunded(payment);
    if (left === 0n) return { refused: 'payment_state_invalid' };
    const { account, currency } = this.links.get(payment.link) as ModelLink;
    const amount = text === null ? left : readAmount(text, currency);
    if (typeof amount === 'string') return { refused: amount };
    if (amount > left) return { refused: 'refund_too_large' };
    const { name, iban } = payment.payer;
    if (recipient === null && (name === null || iban === null)) return { refused: 'refund_recipient_missing' };
    const rest = {
      reference: null,
      statementDescriptor: null,
      externalId: null,
      scheduledOn: null,
      metadata: undefined,
    };
    const order = { amount, currency, account, recipient: recipient ?? '', refundOf: id, ...rest };
    const unpayable =
      recipient === null
        ? (this.model.usable(account, currency) ?? this.model.short(account, amount))
        : this.model.unpayable(order, atMs);
    if (unpayable) return { refused: unpayable };
    return {
      accepted: ({ refund = '', recipient: made = '' }) => {
        if (recipient === null) this.model.meet(made, currency, name as string);
        this.model.pay(order, refund, null, 0); // has its money, so it waits for none
        payment.refunds.push(refund);
        this.model.event(`payment.refunded ${id}`);
      },
    };
  }

  /** A payout did not arrive: if it was a refund, its payment has the money again. */
  cameBack(payout: string): void {
    for (const [id, { refunds }] of this.payments)
      if (refunds.includes(payout)) this.model.event(`payment.updated ${id}`);
  }
}
