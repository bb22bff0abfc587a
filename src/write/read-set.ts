/**
 * What the commands of a batch need to be decided: a new command says it here. Read by `load.ts`, or known already
 * (`state-cache.ts`).
 */
import { never } from '../core/values/assert.ts';
import { idAs } from '../core/values/ids.ts';
import type { WantedStatement } from '../bank/statements/sql.ts';
import type { Key } from '../platform/db/wire/statement.ts';
import type { ImportBankEntries } from '../bank/statements/decide.ts';
import type { PayoutOrder } from '../paying/payouts/decide.ts';
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
  /** Expected payments, each with its account. */
  readonly expectedPayments: Key[] = [];
  readonly sessions: { environmentId: string; session: string }[] = [];
  readonly externalIds: { environmentId: string; externalId: string }[] = [];
  readonly externalIdsOfBatches: { environmentId: string; externalId: string }[] = [];
  readonly records: { environmentId: string; key: string }[] = [];
  /** Environment and currency to the submission that asked for its oldest open account. */
  readonly currencies = new Map<string, { environmentId: string; currency: string }>();
  /** Environments whose webhook endpoints are all needed: they are counted, and events are held against them. */
  readonly endpointsOf = new Set<string>();
  readonly bankDocuments: Key[] = [];
  readonly bankEntries: Key[] = [];
  readonly bankFiles: Key[] = [];
  readonly instructions: Key[] = [];
  /** Environments whose files that are being filled are all needed. */
  readonly fillingOf = new Set<string>();
  /** Documents of banks by the hashes of their bytes. */
  readonly documents: { environmentId: string; sha256: string }[] = [];
  /** Statements that are to be imported, for those beside them. */
  readonly statements: WantedStatement[] = [];
  readonly equalEntries: { environmentId: string; bankAccount: string; identity: string }[] = [];
  /** Creditor references that payers named: of payments, or of accounts. */
  readonly references: { environmentId: string; reference: string }[] = [];
  /** Environments whose bank accounts are all needed. */
  readonly bankAccountsOf = new Set<string>();
  /** Environments whose rules for bank entries are needed, with the accounts that they lead to. */
  readonly bankRulesOf = new Set<string>();
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
    const { apiKeys, batches, quotes, exchanges, payouts, settings, links, payments, sessions, documents } = this;
    const { expectedPayments, externalIdsOfBatches, standingOrders, bankDocuments, bankEntries, bankFiles } = this;
    const paid = [apiKeys, batches, quotes, exchanges, payouts, settings, links, payments, sessions, documents];
    const banked = [expectedPayments, externalIdsOfBatches, standingOrders, bankDocuments, bankEntries, bankFiles];
    const { closes, endpointsOf, bankAccountsOf, bankRulesOf, audited } = this;
    return (
      closes + endpointsOf.size + bankAccountsOf.size + bankRulesOf.size + audited.size === 0 &&
      [...paid, ...banked].every(({ length }) => length === 0)
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
      case 'issue_statement':
        this.settings.push(key(environmentId));
        break;
      case 'update_settings':
        this.settings.push(key(environmentId));
        this.bankAccountsOf.add(environmentId);
        break;
      case 'create_payment_link':
        this.settings.push(key(environmentId));
        this.bankAccountsOf.add(environmentId);
        this.account(environmentId, command.account, command.currency);
        break;
      case 'create_fee':
        if (command.paymentLink !== null) this.links.push(key(command.paymentLink));
        break;
      case 'update_payment_link':
      case 'deactivate_payment_link':
      case 'expire_payment_link':
        this.links.push(key(command.link));
        break;
      case 'start_payment':
        this.settings.push(key(environmentId));
        this.links.push(key(command.link));
        break;
      case 'pay_payment_link':
        this.settings.push(key(environmentId));
        this.links.push(key(command.start.link));
        break;
      case 'receive_payment':
        this.payments.push(key(command.payment));
        if (command.session !== null) this.sessions.push({ environmentId, session: command.session });
        break;
      case 'fail_payment':
      case 'attach_session':
      case 'remind_payment':
      case 'update_payment':
        this.payments.push(key(command.payment));
        break;
      case 'refund_payment':
        this.payments.push(key(command.payment));
        if (command.recipient !== null) this.recipients.push(key(command.recipient));
        break;
      case 'create_expected_payment':
        this.account(environmentId, command.account, command.currency);
        break;
      case 'cancel_expected_payment':
      case 'note_overdue':
        this.expectedPayments.push(key(command.expectedPayment));
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
      case 'resume_bank_account':
      case 'sign_reconciliation':
        this.bankAccountsOf.add(environmentId);
        this.settings.push(key(environmentId));
        break;
      case 'begin_bank_document':
        this.documents.push({ environmentId, sha256: command.sha256 });
        break;
      case 'finish_bank_document':
        this.bankDocuments.push(key(command.document));
        break;
      case 'import_bank_entries':
        this.bankEntriesOf(environmentId, command);
        break;
      case 'credit_by_bank':
        this.documents.push({ environmentId, sha256: command.sha256 });
        this.bankEntriesOf(environmentId, { ...command, lines: [command.line] });
        break;
      case 'note_bank_answers':
        this.bankDocuments.push(key(command.document));
        this.bankAccountsOf.add(environmentId);
        for (const { payout } of command.answers) this.reported(environmentId, payout);
        break;
      case 'resolve_payout':
        this.bankAccountsOf.add(environmentId);
        this.reported(environmentId, command.payout);
        break;
      case 'assign_bank_entry':
        this.bankEntries.push(key(command.entry));
        for (const { to, payouts } of command.targets) {
          this.target(environmentId, to);
          for (const { payout } of payouts) this.reported(environmentId, payout);
        }
        break;
      case 'assign_bank_entries':
        for (const { entry, target } of command.entries) {
          this.bankEntries.push(key(entry));
          this.target(environmentId, target.to);
        }
        break;
      case 'return_bank_entry':
        this.bankEntries.push(key(command.entry));
        this.account(environmentId, command.account, command.currency);
        if (command.recipient !== null) this.recipients.push(key(command.recipient));
        break;
      case 'create_bank_rule':
        this.bankAccountsOf.add(environmentId);
        this.bankRulesOf.add(environmentId);
        this.target(environmentId, command.rule.target);
        break;
      case 'delete_bank_rule':
        this.bankRulesOf.add(environmentId);
        break;
      case 'unassign_bank_entry':
        this.bankEntries.push(key(command.entry));
        this.target(environmentId, command.of);
        break;
      case 'open_bank_files':
        this.bankAccountsOf.add(environmentId);
        this.fillingOf.add(environmentId);
        break;
      case 'claim_payouts':
      case 'release_payouts':
        this.bankAccountsOf.add(environmentId);
        this.bankFiles.push(key(command.file));
        this.payouts.push(...command.payouts.map(key));
        this.instructions.push(...command.payouts.map((id) => key(idAs('bi', id))));
        break;
      case 'seal_bank_file':
      case 'abandon_bank_file':
        this.bankAccountsOf.add(environmentId);
        this.bankFiles.push(key(command.file));
        break;
      case 'update_payout_rules':
      case 'update_fx_settings':
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

  private bankEntriesOf(
    environmentId: string,
    {
      bankAccount,
      statement,
      lines,
    }: Pick<ImportBankEntries, 'bankAccount' | 'lines'> & {
      readonly statement: Pick<ImportBankEntries['statement'], 'identity' | 'series' | 'startsOn' | 'closedOn'>;
    },
  ): void {
    const { identity, series, startsOn, closedOn } = statement;
    this.bankAccountsOf.add(environmentId);
    this.bankRulesOf.add(environmentId);
    this.statements.push({ environmentId, bankAccount, identity, series, startsOn, closedOn });
    for (const line of lines) {
      this.equalEntries.push({ environmentId, bankAccount, identity: line.identity });
      for (const { payout } of line.payouts) this.reported(environmentId, payout);
      this.references.push(...line.references.map((reference) => ({ environmentId, reference })));
    }
  }

  /** A payout that a bank has reported on, and what it reported before. */
  private reported(environmentId: string, payout: string): void {
    this.payouts.push({ environmentId, id: payout });
    this.instructions.push({ environmentId, id: idAs('bi', payout) });
  }

  /** Where a part of a bank entry goes. */
  private target(environmentId: string, id: string): void {
    if (id.startsWith('acct_')) this.accounts.push({ environmentId, id });
    else if (id.startsWith('po_')) this.reported(environmentId, id);
    else if (id.startsWith('xp_')) this.expectedPayments.push({ environmentId, id });
    else if (id.startsWith('pay_')) this.payments.push({ environmentId, id });
    else if (id.startsWith('ba_')) this.bankAccountsOf.add(environmentId);
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
