/**
 * Stage two of the path: lock the environments of a batch and read all that its commands need, in one pipelined flight.
 * Nothing else is locked: every write of an environment goes through its row (docs/decisions/0001), so what is read
 * after the lock is the truth until COMMIT. A new command says here what it needs. Next: `persist.ts`.
 */
import {
  accountFrom,
  loadAccounts,
  loadAccountsOfLinks,
  loadAccountsOfPayments,
  loadAccountsOfPayouts,
  loadAccountsOfQuotes,
  loadOldestOpenAccounts,
} from '../accounts/sql.ts';
import { assert, never } from '../core/assert.ts';
import { idOf } from '../core/ids.ts';
import type { Environment, StoredObject } from '../core/objects.ts';
import { State, subscriptionsOf } from '../core/state.ts';
import { uuids } from '../db/columns.ts';
import type { Flights } from '../db/flight.ts';
import type { Key, Row, Statement } from '../db/statement.ts';
import { exchangeFrom, loadExchanges, loadQuotes, quoteFrom } from '../exchanges/sql.ts';
import {
  loadLinksOfPayments,
  loadPaymentLinks,
  loadPayments,
  loadPaymentsOfPayouts,
  loadPaymentsOfSessions,
  loadWaitingPayments,
  paymentFrom,
  paymentLinkFrom,
} from '../payment-links/sql.ts';
import { loadBatchesOfPayouts, loadExternalIds, loadPayouts, payoutBatchFrom, payoutFrom } from '../payouts/sql.ts';
import type { PayoutOrder } from '../payouts/decide.ts';
import { loadRecipients, recipientFrom } from '../recipients/sql.ts';
import { loadSettings, settingsFrom } from '../settings/sql.ts';
import { loadEndpointsOf, webhookEndpointFrom } from '../webhooks/sql.ts';
import { loadRecords, type Recorded, recordFrom } from './idempotency.ts';
import type { Submission } from './submission.ts';
import { knownSubscriptions, rememberSubscriptions } from './subscriptions.ts';

/** What one environment's commands found: state, instant, and the outcomes their keys already have. */
export interface Loaded {
  readonly state: State;
  /** The instant of this batch, environment clock: later than the batch before, whatever the clocks do. */
  readonly atMs: number;
  readonly recorded: Map<string, Recorded>;
}

const BEGIN: Statement = { name: 'BEGIN', text: 'BEGIN', values: [] };

/** Everything a batch needs, by kind. Duplicates are harmless: loading twice is loading once. */
class Needs {
  readonly accounts: Key[] = [];
  readonly recipients: Key[] = [];
  readonly quotes: Key[] = [];
  readonly exchanges: Key[] = [];
  readonly payouts: Key[] = [];
  readonly settings: Key[] = [];
  /** Links, each with its account and the payment it waits for. */
  readonly links: Key[] = [];
  /** Payments, each with its link and account. */
  readonly payments: Key[] = [];
  readonly sessions: { environmentId: string; session: string }[] = [];
  readonly externalIds: { environmentId: string; externalId: string }[] = [];
  readonly records: { environmentId: string; key: string }[] = [];
  /** Environment and currency to the submission that asked for its oldest open account. */
  readonly currencies = new Map<string, { environmentId: string; currency: string }>();
  /** Environments whose webhook endpoints are all needed: they are counted, and events are held against them. */
  readonly endpointsOf = new Set<string>();
  /** Accounts that this batch may close: one more candidate for the oldest open one each. */
  closes = 0;

  constructor(batch: readonly Submission[]) {
    for (const submission of batch) this.add(submission);
  }

  private add({ environmentId, command, recordKey, dryRun }: Submission): void {
    const key = (id: string): Key => ({ environmentId, id });
    if (recordKey !== null && !dryRun) this.records.push({ environmentId, key: recordKey });
    switch (command.type) {
      case 'create_account':
      case 'create_recipient':
      case 'create_quote':
      case 'advance_clock':
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
        for (const order of command.orders) if (!('fault' in order)) this.order(environmentId, order);
        break;
      case 'update_settings':
        this.settings.push(key(environmentId));
        break;
      case 'create_payment_link':
        this.settings.push(key(environmentId));
        this.account(environmentId, command.account, command.currency);
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
      case 'update_payout':
      case 'cancel_payout':
      case 'step_payout':
        this.payouts.push(key(command.payout));
        break;
      default:
        never(command);
    }
  }

  private order(environmentId: string, order: PayoutOrder): void {
    this.recipients.push({ environmentId, id: order.recipient });
    this.account(environmentId, order.account, order.currency);
    if (order.externalId !== null) this.externalIds.push({ environmentId, externalId: order.externalId });
  }

  /** The named account, or the oldest open one of the currency. */
  private account(environmentId: string, id: string | null, currency: string | null): void {
    if (id !== null) this.accounts.push({ environmentId, id });
    else if (currency !== null) this.currencies.set(`${environmentId} ${currency}`, { environmentId, currency });
  }
}

/** Opens the transaction, takes the locks (sorted, so that no two batches can wait for each other) and reads. */
export async function load(flights: Flights, batch: readonly Submission[]): Promise<ReadonlyMap<string, Loaded>> {
  const { run } = flights;
  const needs = new Needs(batch);
  const candidates = needs.closes + 1;
  const environmentIds = [...new Set(batch.map((submission) => submission.environmentId))];
  const objects = async (statement: Statement, from: (row: Row) => StoredObject) => {
    const { rows } = await run(statement);
    return rows.map((row) => ({ environmentId: environmentOf(row), object: from(row) }));
  };
  const when = <T>(wanted: readonly unknown[], flight: () => Promise<T[]>): Promise<T[]> =>
    wanted.length === 0 ? Promise.resolve([]) : flight();

  // One flight: every statement is sent before the first answer is awaited.
  const flight = [
    run(BEGIN),
    run(lockEnvironments(environmentIds)),
    when(needs.records, async () => (await run(loadRecords(needs.records))).rows),
    Promise.all([
      when(needs.accounts, () => objects(loadAccounts(unique(needs.accounts)), accountFrom)),
      when([...needs.currencies.keys()], () =>
        objects(
          loadOldestOpenAccounts([...needs.currencies.values()].map((want) => ({ ...want, count: candidates }))),
          accountFrom,
        ),
      ),
      when(needs.payouts, () => objects(loadAccountsOfPayouts(unique(needs.payouts)), accountFrom)),
      when(needs.quotes, () => objects(loadAccountsOfQuotes(unique(needs.quotes), candidates), accountFrom)),
      when(needs.recipients, () => objects(loadRecipients(unique(needs.recipients)), recipientFrom)),
      when(needs.quotes, () => objects(loadQuotes(unique(needs.quotes)), quoteFrom)),
      when(needs.exchanges, () => objects(loadExchanges(unique(needs.exchanges)), exchangeFrom)),
      when(needs.payouts, () => objects(loadPayouts(unique(needs.payouts)), payoutFrom)),
      when(needs.payouts, () => objects(loadBatchesOfPayouts(unique(needs.payouts)), payoutBatchFrom)),
      when(needs.payouts, () => objects(loadPaymentsOfPayouts(unique(needs.payouts)), paymentFrom)),
      when(needs.settings, () => objects(loadSettings(unique(needs.settings)), settingsFrom)),
      when(needs.links, () => objects(loadPaymentLinks(unique(needs.links)), paymentLinkFrom)),
      when(needs.links, () => objects(loadWaitingPayments(unique(needs.links)), paymentFrom)),
      when(needs.links, () => objects(loadAccountsOfLinks(unique(needs.links)), accountFrom)),
      when(needs.payments, () => objects(loadPayments(unique(needs.payments)), paymentFrom)),
      when(needs.payments, () => objects(loadLinksOfPayments(unique(needs.payments)), paymentLinkFrom)),
      when(needs.payments, () => objects(loadAccountsOfPayments(unique(needs.payments)), accountFrom)),
      when(needs.sessions, () => objects(loadPaymentsOfSessions(needs.sessions), paymentFrom)),
      when([...needs.endpointsOf], () => objects(loadEndpointsOf([...needs.endpointsOf]), webhookEndpointFrom)),
    ]),
    when(needs.externalIds, async () => (await run(loadExternalIds(needs.externalIds))).rows),
  ] as const;
  flights.land();
  await Promise.allSettled(flight); // every promise is collected before the first error leaves
  const [, environments, records, placed, externalIds] = await Promise.all(flight);

  const loaded = new Map(environments.rows.map((row) => [environmentOf(row), loadedFrom(row)]));
  const of = (environmentId: string): Loaded => {
    const found = loaded.get(environmentId);
    assert(found, `environment ${environmentId} exists`);
    return found;
  };
  for (const row of records) of(environmentOf(row)).recorded.set(row['key'] as string, recordFrom(row));
  for (const { environmentId, object } of placed.flat()) of(environmentId).state.put(object);
  for (const row of externalIds) {
    of(environmentOf(row)).state.externalIds.set(row['external_id'] as string, idOf('po', row['id'] as string));
  }
  await subscribe(flights, loaded, needs.endpointsOf);
  return loaded;
}

/** Who is told of the events of this batch. Costs a flight only after an endpoint changed. */
async function subscribe(
  flights: Flights,
  loaded: ReadonlyMap<string, Loaded>,
  alreadyLoaded: ReadonlySet<string>,
): Promise<void> {
  const unknown: string[] = [];
  for (const [id, { state }] of loaded) {
    if (state.environment.endpointsVersion === 0n) continue;
    const known = knownSubscriptions(state.environment);
    if (known !== undefined) state.subscriptions = known;
    else if (!alreadyLoaded.has(id)) unknown.push(id);
  }
  if (unknown.length > 0) {
    const endpoints = flights.run(loadEndpointsOf(unknown));
    flights.land();
    const { rows } = await endpoints;
    for (const row of rows) loaded.get(environmentOf(row))?.state.put(webhookEndpointFrom(row));
  }
  for (const id of [...unknown, ...alreadyLoaded]) {
    const { state } = loaded.get(id) as Loaded;
    state.subscriptions = subscriptionsOf(state.tables.webhook_endpoint.values());
    rememberSubscriptions(state.environment, state.subscriptions);
  }
}

const environmentOf = (row: Row): string => idOf('env', row['environment_id'] as string);

/** Each object once: an account or recipient that a thousand items share is read once. */
function unique(keys: readonly Key[]): readonly Key[] {
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.environmentId + key.id, key])).values()];
}

/** Locks by primary key, in order of id. `clock_timestamp`, not `now()`: the instant after the wait, not before it. */
function lockEnvironments(ids: readonly string[]): Statement {
  return {
    name: 'lock_environments',
    text: `SELECT environment_id, livemode, last_sequence, last_at, clock_offset_ms, endpoints_version,
        clock_timestamp() AS now
      FROM environments WHERE environment_id = ANY($1::uuid[]) ORDER BY environment_id FOR UPDATE`,
    values: [uuids(ids)],
  };
}

function loadedFrom(row: Row): Loaded {
  const environment: Environment = {
    id: environmentOf(row),
    livemode: row['livemode'] as boolean,
    lastSequence: row['last_sequence'] as bigint,
    lastAtMs: row['last_at'] as number,
    clockOffsetMs: Number(row['clock_offset_ms']),
    endpointsVersion: row['endpoints_version'] as bigint,
  };
  const atMs = Math.max((row['now'] as number) + environment.clockOffsetMs, environment.lastAtMs + 1);
  return { state: new State({ ...environment, lastAtMs: atMs }), atMs, recorded: new Map() };
}
