/**
 * A second opinion on the ledger: a small model in memory that says what a command must come to, written from the
 * contract and not from the decisions. It knows no drafts, changes or batches of the path. It shares parsing of amounts
 * with the service and nothing else. Next: `model-payments.ts`; `model-check.ts`, which holds decisions against it.
 */
import { never } from '../../../src/core/values/assert.ts';
import type { Code } from '../../../src/core/values/errors.ts';
import { MAX_BALANCE_MINOR } from '../../../src/core/values/money.ts';
import type { StoredObject } from '../../../src/core/objects.ts';
import type { PayoutStatus } from '../../../src/paying/payouts/fields.ts';
import { DAY_MS, isoDay } from '../../../src/core/values/time.ts';
import type { StepPayout } from '../../../src/paying/payouts/connector-decide.ts';
import type { PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import { isPaymentCommand } from '../generators/arbitrary-payments.ts';
import type { Known, MoneyCommand } from '../generators/random-choices.ts';
import {
  cancelAll,
  type Effects,
  type Expectation,
  isEnded,
  type ModelAccount,
  type ModelBatch,
  type ModelPayout,
  tagged,
} from './model-objects.ts';
import { batchCounts, batchMade } from './model-batches.ts';
import { convertedPayout, exchanged } from './model-exchanges.ts';
import { FeesModel } from './model-fees.ts';
import { PaymentsModel } from './model-payments.ts';
import { type ModelQuote, priceOf, readAmount } from './model-prices.ts';
import { freeOn } from './model-waiting.ts';

export class Model {
  readonly accounts = new Map<string, ModelAccount>();
  readonly recipients = new Map<string, { currency: string; active: boolean; name: string; tag: string | undefined }>();
  readonly payouts = new Map<string, ModelPayout>();
  readonly batches = new Map<string, ModelBatch>();
  readonly quotes = new Map<string, ModelQuote>();
  readonly exchanges = new Map<string, { tag: string | undefined }>();
  readonly externalIds = new Set<string>();
  readonly payments = new PaymentsModel(this);
  readonly fees = new FeesModel((text) => this.event(text));
  clockOffsetMs = 0;
  effects: Effects = { events: [], moves: [] };
  private readonly namespace: string;
  private named = 0;

  /** `namespace` is a UUID of which the last twelve digits count what is named. */
  constructor(namespace = '00000000-0000-4000-8000-000000000000') {
    this.namespace = namespace;
  }

  /** What was there before the first command. */
  know(object: StoredObject): void {
    if (object.object === 'account') {
      const { currency, balance, name } = object;
      this.accounts.set(object.id, { currency, balance, open: true, name, tag: undefined });
    } else if (object.object === 'recipient') {
      this.recipients.set(object.id, { currency: object.currency, active: true, name: object.name, tag: undefined });
    } else if (object.object === 'payment_link') this.payments.know(object);
  }

  get known(): Known {
    return {
      accounts: [...this.accounts.keys()],
      recipients: [...this.recipients.keys()],
      payouts: [...this.payouts.keys()],
      exchanges: [...this.exchanges.keys()],
      batches: [...this.batches.keys()],
      quotes: [...this.quotes.keys()],
      fees: [...this.fees.rules.keys()],
      ...this.payments.known,
      currencyOf: (id) => this.payments.currencyOf(id) ?? this.owner(id)?.currency ?? 'EUR',
      fresh: () => this.namespace.slice(0, 24) + (++this.named).toString(16).padStart(12, '0'),
    };
  }

  private owner(id: string): { currency: string } | undefined {
    return this.accounts.get(id) ?? this.recipients.get(id);
  }

  /** What the command must come to. `accepted` is to be called with the ids of the answer; it moves the model on. */
  expect(command: MoneyCommand, atMs: number): Expectation {
    this.effects = { events: [], moves: [] };
    if (isPaymentCommand(command)) return this.payments.expect(command, atMs);
    switch (command.type) {
      case 'create_account':
        return {
          accepted: ({ id }) => this.open(id, command.currency, command.name, tagged(undefined, command.metadata)),
        };
      case 'update_account': {
        const account = this.accounts.get(command.account);
        if (!account) return { refused: 'resource_missing' };
        const name = command.name === undefined ? account.name : command.name;
        return this.update(
          account,
          { name, tag: tagged(account.tag, command.metadata) },
          `account.updated ${command.account}`,
        );
      }
      case 'close_account': {
        const account = this.accounts.get(command.account);
        if (!account) return { refused: 'resource_missing' };
        if (!account.open) return { refused: 'account_closed' };
        if (account.balance !== 0n) return { refused: 'account_not_empty' };
        return this.update(account, { open: false }, `account.closed ${command.account}`);
      }
      case 'fund_account': {
        const { account: id, amount: text } = command;
        const refused = this.usable(id, null) ?? this.unreadable(text, id) ?? this.overfull(id, this.read(text, id));
        return refused ? { refused } : { accepted: () => this.move('bank', id, this.read(text, id), 'funding') };
      }
      case 'create_transfer': {
        const { from, to, amount: text } = command;
        if (from === to) return { refused: 'account_same' };
        if (!this.accounts.has(from) || !this.accounts.has(to)) return { refused: 'resource_missing' };
        const refused = this.usable(from, null) ?? this.usable(to, this.currency(from)) ?? this.unreadable(text, from);
        if (refused) return { refused };
        const amount = this.read(text, from);
        const unfunded = this.short(from, amount) ?? this.overfull(to, amount);
        return unfunded ? { refused: unfunded } : { accepted: () => this.move(from, to, amount, 'transfer') };
      }
      case 'create_recipient': {
        const { currency, name, metadata } = command;
        return {
          accepted: ({ id }) => this.meet(id, currency, name, tagged(undefined, metadata)),
        };
      }
      case 'update_recipient': {
        const recipient = this.recipients.get(command.recipient);
        if (!recipient) return { refused: 'resource_missing' };
        if (!recipient.active) return { refused: 'recipient_archived' };
        const changes = { name: command.name ?? recipient.name, tag: tagged(recipient.tag, command.metadata) };
        return this.update(recipient, changes, `recipient.updated ${command.recipient}`);
      }
      case 'archive_recipient': {
        const recipient = this.recipients.get(command.recipient);
        if (!recipient) return { refused: 'resource_missing' };
        return this.update(recipient, { active: false }, `recipient.archived ${command.recipient}`);
      }
      case 'create_quote': {
        const priced = priceOf(command);
        if (typeof priced === 'string') return { refused: priced };
        const { sellCurrency, buyCurrency, fixedSide, expiresInMs } = command;
        const fee = this.fees.on({ on: 'exchange', currency: sellCurrency, buyCurrency }, priced[0]);
        const terms = { pair: [sellCurrency, buyCurrency], amounts: priced, fee, fixedSide, used: false } as const;
        return { accepted: ({ id }) => void this.quotes.set(id, { ...terms, expiresAt: atMs + expiresInMs }) };
      }
      case 'create_exchange':
        return exchanged(this, command, atMs);
      case 'update_exchange': {
        const exchange = this.exchanges.get(command.exchange);
        if (!exchange) return { refused: 'resource_missing' };
        return this.update(
          exchange,
          { tag: tagged(exchange.tag, command.metadata) },
          `exchange.updated ${command.exchange}`,
        );
      }
      case 'create_payout': {
        const { conversion } = command.order;
        if (conversion) return convertedPayout(this, command.order, conversion, atMs);
        const refused = this.unpayable(command.order, atMs);
        return refused ? { refused } : { accepted: ({ id }) => this.pay(command.order, id, null, atMs) };
      }
      case 'update_payout': {
        const payout = this.payouts.get(command.payout);
        if (!payout) return { refused: 'resource_missing' };
        return this.update(payout, { tag: tagged(payout.tag, command.metadata) }, `payout.updated ${command.payout}`);
      }
      case 'cancel_payout':
        return this.step(command.payout, 'canceled', ['waiting', 'pending'], 'payout_not_cancelable');
      case 'fund_payout':
        return this.fund(command.payout, atMs);
      case 'step_payout':
        return this.bankStep(command);
      case 'create_payout_batch':
        return batchMade(this, command, atMs);
      case 'cancel_payout_batch':
        return cancelAll(this.batches.get(command.batch), this.payouts, (id) =>
          this.step(id, 'canceled', ['waiting', 'pending'], 'payout_not_cancelable'),
        );
      case 'create_fee':
        return this.fees.create(command, (id) => this.payments.links.has(id));
      case 'delete_fee':
        return this.fees.delete(command.fee);
      case 'advance_clock': {
        const aheadMs = this.clockOffsetMs + command.seconds * 1000;
        if (aheadMs > 3660 * DAY_MS) return { refused: 'parameter_invalid' };
        return { accepted: () => void (this.clockOffsetMs = aheadMs) };
      }
      default:
        return never(command);
    }
  }

  event(text: string): void {
    this.effects.events.push(text);
  }

  open(id: string, currency: string, name: string | null = null, tag?: string): void {
    this.accounts.set(id, { currency, balance: 0n, open: true, name, tag });
    this.event(`account.created ${id}`);
  }

  meet(id: string, currency: string, name: string, tag?: string): void {
    this.recipients.set(id, { currency, active: true, name, tag });
    this.event(`recipient.created ${id}`);
  }

  /** Something changes: one event. Nothing does: none. */
  update<T extends object>(object: T, changes: Partial<T>, event: string): Expectation {
    const differs = (Object.keys(changes) as (keyof T)[]).some((key) => changes[key] !== object[key]);
    return {
      accepted: () => {
        Object.assign(object, changes);
        if (differs) this.event(event);
      },
    };
  }

  /** Money from one account to another; a house account is named by its kind. */
  move(debit: string, credit: string, amount: bigint, cause: string): void {
    this.effects.moves.push(`${debit}>${credit} ${amount} ${cause}`);
    for (const [id, change] of [
      [debit, -amount],
      [credit, amount],
    ] as const) {
      const account = this.accounts.get(id);
      if (!account) continue;
      account.balance += change;
      this.event(`balance.updated ${id}`);
    }
  }

  charge(account: string, fee: bigint, cause: string): void {
    if (fee > 0n) this.move(account, 'fees', fee, cause);
  }

  /** Money that comes to a closed account opens it. */
  reopen(id: string): void {
    const account = this.accounts.get(id);
    if (!account || account.open) return;
    account.open = true;
    this.event(`account.updated ${id}`);
  }

  private currency(id: string): string {
    return this.accounts.get(id)?.currency ?? '';
  }

  usable(id: string, currency: string | null): Code | null {
    const account = this.accounts.get(id);
    if (!account) return 'resource_missing';
    if (currency !== null && account.currency !== currency) return 'account_currency_mismatch';
    return account.open ? null : 'account_closed';
  }

  private unreadable(text: string, account: string): Code | null {
    const amount = readAmount(text, this.currency(account));
    return typeof amount === 'bigint' ? null : amount;
  }

  private read(text: string, account: string): bigint {
    return readAmount(text, this.currency(account)) as bigint;
  }

  short(id: string, amount: bigint): Code | null {
    return (this.accounts.get(id)?.balance ?? 0n) < amount ? 'balance_insufficient' : null;
  }

  /** Of orders: money that comes in or back is never refused. */
  overfull(id: string | null, amount: bigint): Code | null {
    const account = id === null ? undefined : this.accounts.get(id);
    return account && account.balance + amount > MAX_BALANCE_MINOR ? 'balance_too_large' : null;
  }

  /** Accounts are kept in the order they were opened. */
  oldest(currency: string): string | null {
    for (const [id, account] of this.accounts) if (account.open && account.currency === currency) return id;
    return null;
  }

  /** Why an order cannot be carried out, after `before` others of its batch took their money and external ids. */
  unpayable(order: PayoutOrder, atMs: number, before: readonly PayoutOrder[] = []): Code | null {
    const account = this.payer(order);
    const misdirected = this.misdirected(order);
    if (misdirected) return misdirected;
    if (account === null) return 'account_missing';
    const refused = this.usable(account, order.currency) ?? this.misplanned(order, atMs, before);
    if (refused) return refused;
    if (order.refundOf !== undefined) return this.short(account, this.costOf(order));
    const taken = before.reduce(
      (sum, o) => (this.payer(o) === account ? sum + this.costOf(o) : sum),
      this.costOf(order),
    );
    return order.waiting || freeOn(this, account) >= taken ? null : 'balance_insufficient';
  }

  /** What is wrong with whom and from where it pays. */
  misdirected({ recipient: id, account, currency }: PayoutOrder): Code | null {
    const recipient = this.recipients.get(id);
    if (!recipient || (account !== null && !this.accounts.has(account))) return 'resource_missing';
    if (!recipient.active) return 'recipient_archived';
    return recipient.currency === currency ? null : 'recipient_currency_mismatch';
  }

  /** What is wrong with its number or day. */
  misplanned({ externalId, scheduledOn }: PayoutOrder, atMs: number, before: readonly PayoutOrder[] = []): Code | null {
    const taken =
      externalId !== null && (this.externalIds.has(externalId) || before.some((o) => o.externalId === externalId));
    if (taken) return 'external_id_used';
    const isPlanned =
      scheduledOn === null || (scheduledOn >= isoDay(atMs) && scheduledOn <= isoDay(atMs + 366 * DAY_MS));
    return isPlanned ? null : 'scheduled_on_invalid';
  }

  /** With its fee; refunds have none. */
  private costOf({ amount, currency, refundOf }: PayoutOrder): bigint {
    const most = amount ?? 0n;
    return most === 0n || refundOf !== undefined ? most : most + this.fees.on({ on: 'payout', currency }, most);
  }

  private payer(order: PayoutOrder): string | null {
    return order.account ?? this.oldest(order.currency);
  }

  pay(order: PayoutOrder, id: string, batch: string | null, atMs: number): void {
    const account = this.payer(order) as string;
    const amount = order.amount as bigint;
    const fee = this.costOf(order) - amount;
    const isHeldBack = order.refundOf === undefined && !order.conversion;
    const funded = isHeldBack ? freeOn(this, account) >= amount + fee : this.short(account, amount + fee) === null;
    if (funded) this.move(account, 'in_transit', amount, 'payout');
    if (funded) this.charge(account, fee, 'payout_fee');
    const waitsUntil = funded ? null : (order.waiting?.until ?? isoDay(atMs + 30 * DAY_MS));
    const status = funded ? 'pending' : 'waiting';
    this.payouts.set(id, { account, amount, fee, batch, waitsUntil, funded, status, tag: undefined });
    if (order.externalId !== null) this.externalIds.add(order.externalId);
    this.event(`payout.created ${id}`);
  }

  private bankStep({ payout: id, to }: StepPayout): Expectation {
    const next = this.payouts.get(id)?.status === 'pending' ? 'in_transit' : 'paid';
    const target = to === 'next' ? next : to;
    const open = ['pending', 'in_transit'];
    const from = { in_transit: ['pending'], paid: open, failed: open, returned: ['paid'] };
    return this.step(id, target, from[target], 'payout_state_invalid');
  }

  private step(id: string, to: PayoutStatus, from: readonly string[], otherwise: Code): Expectation {
    const payout = this.payouts.get(id);
    if (!payout) return { refused: 'resource_missing' };
    if (!from.includes(payout.status)) return { refused: otherwise };
    const { account, amount, fee, status } = payout;
    const givesBack = payout.funded && (to === 'failed' || to === 'canceled' || to === 'returned');
    return {
      accepted: () => {
        if (givesBack) this.reopen(account);
        if (givesBack) this.move(to === 'returned' ? 'bank' : 'in_transit', account, amount, 'payout_reversal');
        if (givesBack && to !== 'returned' && fee > 0n) this.move('fees', account, fee, 'payout_fee_reversal');
        if (to === 'paid' && status === 'pending') this.event(`payout.in_transit ${id}`);
        if (to === 'paid') this.move('in_transit', 'bank', amount, 'payout_settlement');
        payout.status = to;
        this.event(`payout.${to} ${id}`);
        const wasOpen = !isEnded(status);
        if (payout.batch !== null && wasOpen && batchCounts(this, payout.batch).open === 0)
          this.event(`payout_batch.completed ${payout.batch}`);
        if (givesBack) this.payments.cameBack(id);
      },
    };
  }

  /** Takes up a payout that waits, or ends it. */
  private fund(id: string, atMs: number): Expectation {
    const payout = this.payouts.get(id);
    if (!payout) return { refused: 'resource_missing' };
    if (payout.status !== 'waiting') return { refused: 'payout_state_invalid' };
    const { account, amount, fee, waitsUntil } = payout;
    if (isoDay(atMs) > (waitsUntil as string)) return this.step(id, 'failed', ['waiting'], 'payout_state_invalid');
    const refused = this.usable(account, null);
    if (refused) return { refused };
    if (freeOn(this, account, id) < amount + fee) return { refused: 'balance_insufficient' };
    return {
      accepted: () => {
        this.move(account, 'in_transit', amount, 'payout');
        this.charge(account, fee, 'payout_fee');
        Object.assign(payout, { funded: true, status: 'pending' });
        this.event(`payout.funded ${id}`);
      },
    };
  }
}
