/**
 * What the commands of a batch need to be decided: a new command says it here. Read by `load.ts`, or known already
 * (`state-cache.ts`).
 */
import { never } from '../core/assert.ts';
import type { Key } from '../db/wire/statement.ts';
import type { PayoutOrder } from '../payouts/decide.ts';
import { isAudited } from './commands.ts';
import type { Submission } from './submission.ts';

/** Everything a batch needs, by kind. Duplicates are harmless: loading twice is loading once. */
export class ReadSet {
  readonly apiKeys: Key[] = [];
  readonly accounts: Key[] = [];
  readonly recipients: Key[] = [];
  /** Recipients whose past is to be rewritten. */
  readonly erased: Key[] = [];
  readonly quotes: Key[] = [];
  readonly exchanges: Key[] = [];
  readonly payouts: Key[] = [];
  /** Batches, each with its payouts and their accounts. */
  readonly batches: Key[] = [];
  readonly settings: Key[] = [];
  /** Standing orders, each with its account and recipient. */
  readonly standingOrders: Key[] = [];
  /** Links, each with its account and the payment it waits for. */
  readonly links: Key[] = [];
  /** Payments, each with its link and account. */
  readonly payments: Key[] = [];
  readonly sessions: { environmentId: string; session: string }[] = [];
  readonly externalIds: { environmentId: string; externalId: string }[] = [];
  readonly externalIdsOfBatches: { environmentId: string; externalId: string }[] = [];
  readonly records: { environmentId: string; key: string }[] = [];
  /** Environment and currency to the submission that asked for its oldest open account. */
  readonly currencies = new Map<string, { environmentId: string; currency: string }>();
  /** Environments whose webhook endpoints are all needed: they are counted, and events are held against them. */
  readonly endpointsOf = new Set<string>();
  /** Environments whose bank accounts are all needed. */
  readonly bankAccountsOf = new Set<string>();
  /** Environments whose audit log gets entries. */
  readonly audited = new Set<string>();
  readonly environmentIds: readonly string[];
  /** Accounts that this batch may close: one more candidate for the oldest open one each. */
  closes = 0;

  /** Who asks: limits may be about them. */
  readonly actors: readonly string[];

  constructor(batch: readonly Submission[]) {
    this.actors = [...new Set(batch.map(({ origin }) => origin.actor))];
    this.environmentIds = [...new Set(batch.map((submission) => submission.environmentId))];
    for (const submission of batch) this.add(submission);
  }

  /** Whether the state cache may hold all of it: accounts and recipients, and of a currency only the oldest account. */
  get areCacheable(): boolean {
    const { apiKeys, batches, quotes, exchanges, payouts, settings, links, payments, sessions, endpointsOf, closes } =
      this;
    const { externalIdsOfBatches: ofBatches, standingOrders } = this;
    const loaded = [apiKeys, batches, quotes, exchanges, payouts, settings, links, payments, sessions];
    const others = [...loaded, ofBatches, standingOrders];
    return (
      closes + endpointsOf.size + this.bankAccountsOf.size + this.audited.size === 0 &&
      others.every(({ length }) => length === 0)
    );
  }

  private add({ environmentId, command, origin, recordKey, dryRun }: Submission): void {
    const key = (id: string): Key => ({ environmentId, id });
    if (recordKey !== null && !dryRun) this.records.push({ environmentId, key: recordKey });
    if (isAudited(command)) this.audited.add(environmentId);
    switch (command.type) {
      case 'create_key':
        this.accounts.push(...(command.accounts ?? []).map(key));
        break;
      case 'roll_key':
      case 'revoke_key':
        this.apiKeys.push(key(command.key));
        break;
      case 'note_refused_key':
      case 'create_account':
      case 'create_recipient':
      case 'create_quote':
      case 'advance_clock':
      case 'note_restore':
      case 'delete_fee':
      case 'note_rotation':
        break;
      case 'create_webhook_endpoint':
      case 'update_webhook_endpoint':
      case 'delete_webhook_endpoint':
      case 'enable_webhook_endpoint':
      case 'disable_webhook_endpoint':
      case 'roll_webhook_secret':
      case 'test_webhook_endpoint':
      case 'note_webhook_health':
      case 'note_parked_delivery':
      case 'replay_webhook_endpoint':
      case 'resend_event':
        this.endpointsOf.add(environmentId);
        break;
      case 'close_account':
        this.closes += 1;
        this.accounts.push(key(command.account));
        break;
      case 'update_account':
      case 'fund_account':
        this.accounts.push(key(command.account));
        break;
      case 'create_transfer':
        this.accounts.push(key(command.from), key(command.to));
        break;
      case 'redact_recipient':
        this.recipients.push(key(command.recipient));
        this.erased.push(key(command.recipient));
        break;
      case 'update_recipient':
      case 'archive_recipient':
        this.recipients.push(key(command.recipient));
        break;
      case 'create_exchange':
        if (command.quote !== null) this.quotes.push(key(command.quote));
        this.account(environmentId, command.sellAccount, command.sellCurrency);
        this.account(environmentId, command.buyAccount, command.buyCurrency);
        break;
      case 'update_exchange':
        this.exchanges.push(key(command.exchange));
        break;
      case 'create_payout':
        this.order(environmentId, command.order);
        break;
      case 'create_payout_batch':
        if (command.externalId !== null)
          this.externalIdsOfBatches.push({ environmentId, externalId: command.externalId });
        for (const item of command.orders) this.order(environmentId, 'faults' in item ? item.read : item);
        break;
      case 'approve_bank_accounts':
      case 'reject_bank_accounts':
        this.settings.push(key(environmentId));
        if (origin.actor.startsWith('key_')) this.apiKeys.push(key(origin.actor));
        break;
      case 'update_settings':
        this.settings.push(key(environmentId));
        break;
      case 'create_payment_link':
        this.settings.push(key(environmentId));
        this.account(environmentId, command.account, command.currency);
        break;
      case 'create_fee':
        if (command.paymentLink !== null) this.links.push(key(command.paymentLink));
        break;
      case 'update_payment_link':
      case 'deactivate_payment_link':
      case 'expire_payment_link':
      case 'start_payment':
        this.links.push(key(command.link));
        break;
      case 'pay_payment_link':
        this.links.push(key(command.start.link));
        break;
      case 'receive_payment':
        this.payments.push(key(command.payment));
        if (command.session !== null) this.sessions.push({ environmentId, session: command.session });
        break;
      case 'fail_payment':
      case 'attach_session':
      case 'update_payment':
        this.payments.push(key(command.payment));
        break;
      case 'refund_payment':
        this.payments.push(key(command.payment));
        if (command.recipient !== null) this.recipients.push(key(command.recipient));
        break;
      case 'create_standing_order':
        this.recipients.push(key(command.recipient));
        this.account(environmentId, command.account, command.currency);
        break;
      case 'update_standing_order':
      case 'pause_standing_order':
      case 'resume_standing_order':
      case 'cancel_standing_order':
      case 'run_standing_order':
        this.standingOrders.push(key(command.standingOrder));
        break;
      case 'create_bank_account':
      case 'update_bank_account':
      case 'close_bank_account':
        this.bankAccountsOf.add(environmentId);
        break;
      case 'update_payout_rules':
      case 'delete_limit':
        break;
      case 'create_limit':
        if (command.of !== null && command.per === 'account') this.accounts.push(key(command.of));
        if (command.of !== null && command.per === 'recipient') this.recipients.push(key(command.of));
        if (command.of !== null && command.per === 'key') this.apiKeys.push(key(command.of));
        break;
      case 'approve_payout':
      case 'reject_payout':
        this.payouts.push(key(command.payout));
        if (origin.actor.startsWith('key_')) this.apiKeys.push(key(origin.actor));
        break;
      case 'cancel_payout_batch':
        this.batches.push(key(command.batch));
        break;
      case 'approve_payout_batch':
      case 'reject_payout_batch':
        this.batches.push(key(command.batch));
        if (origin.actor.startsWith('key_')) this.apiKeys.push(key(origin.actor));
        break;
      case 'fund_payout':
      case 'update_payout':
      case 'cancel_payout':
      case 'step_payout':
        this.payouts.push(key(command.payout));
        break;
      default:
        never(command);
    }
  }

  /** An order, or what could be read of one. */
  private order(environmentId: string, item: Partial<PayoutOrder>): void {
    const { recipient, account, currency, externalId, conversion } = item;
    if (recipient !== undefined) this.recipients.push({ environmentId, id: recipient });
    if (account !== undefined) this.account(environmentId, account, currency ?? null);
    if (conversion && conversion.quote !== null) this.quotes.push({ environmentId, id: conversion.quote });
    if (conversion && (conversion.account !== null || conversion.quote === null)) {
      this.account(environmentId, conversion.account, conversion.sellCurrency);
    }
    if (typeof externalId === 'string') this.externalIds.push({ environmentId, externalId });
  }

  /** The named account, or the oldest open one of the currency. */
  private account(environmentId: string, id: string | null, currency: string | null): void {
    if (id !== null) this.accounts.push({ environmentId, id });
    else if (currency !== null) this.currencies.set(`${environmentId} ${currency}`, { environmentId, currency });
  }
}
