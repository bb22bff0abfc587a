/**
 * One environment as a batch has loaded it. A decision never changes the state: it collects changes in a draft (`draft.ts`), and
 * {@link apply} makes them the state that the next command of the batch sees. One state knows one environment, so no decision
 * can see another's objects. Next: `decision.ts`, `ledger.ts`.
 */
import type { Actor } from './actor.ts';
import type { Audited } from './audit.ts';
import { assert, never } from './values/assert.ts';
import type { Erasure, Past } from './erasure.ts';
import { type EventType, typesMatching } from './event-types.ts';
import type { Environment, Event, Stored, StoredKind, StoredObject } from './objects.ts';
import type { Transfer } from './transfer.ts';
import type { Account } from './account.ts';
import type { Money } from './values/money.ts';

export type EnvironmentPatch = Partial<
  Pick<Environment, 'clockOffsetMs' | 'payoutRules' | 'fees' | 'payingBanks' | 'fx'>
>;

export type Change =
  | { readonly kind: 'object'; readonly object: StoredObject; readonly isNew: boolean }
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'sequence'; readonly lastSequence: bigint }
  | { readonly kind: 'environment'; readonly patch: EnvironmentPatch }
  | { readonly kind: 'audit'; readonly entry: Audited }
  | { readonly kind: 'erasure'; readonly erasure: Erasure };

type Tables = { readonly [K in StoredKind]: Map<string, Stored[K]> };

/** Who asked, and how: carried from the request to its events. */
export interface Origin {
  /** The line of the key, or a part of the service. */
  readonly actor: Actor;
  /** The lines that the key descends from, the root first and its own last; none of a part of the service. */
  readonly lineage?: readonly string[];
  /** The very key, where it is not the first of its line; kept by the audit log alone. */
  readonly key?: Actor;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** The client's address; kept by the audit log alone. */
  readonly address?: string | null;
  /** The session of the person who asked, and how it was opened; kept by the audit log alone. */
  readonly session?: { readonly id: string; readonly method: string } | null;
  /** Trace of the request (W3C trace context), which deliveries of its events pass on. */
  readonly trace?: string | null;
}

export interface Occurred {
  readonly event: Event;
  readonly origin: Origin;
}

/** One environment as loaded after its lock, moved on by every accepted command of the batch, with the rows to be written. */
export class State {
  environment: Environment;
  readonly tables: Tables = {
    account: new Map(),
    recipient: new Map(),
    exchange_quote: new Map(),
    exchange: new Map(),
    payout: new Map(),
    payout_batch: new Map(),
    webhook_endpoint: new Map(),
    webhook_replay: new Map(),
    settings: new Map(),
    payment_link: new Map(),
    payment: new Map(),
    expected_payment: new Map(),
    restore: new Map(),
    key: new Map(),
    user: new Map(),
    limit_usage: new Map(),
    daily_statement: new Map(),
    standing_order: new Map(),
    standing_order_run: new Map(),
    bank_account: new Map(),
    statement_file: new Map(),
    bank_statement: new Map(),
    bank_waiting_lines: new Map(),
    bank_entry: new Map(),
    bank_entry_details: new Map(),
    bank_rule: new Map(),
    payment_file: new Map(),
    bank_instruction: new Map(),
    payment_file_content: new Map(),
  };
  /** Currency to the ids of its open accounts that were loaded; the oldest open one is among them if any exists. */
  readonly openAccounts = new Map<string, Set<string>>();
  /** External ids that are taken, with the payout that has them. */
  readonly externalIds = new Map<string, string>();
  readonly externalIdsOfBatches = new Map<string, string>();

  /** To be inserted, in their final form. */
  readonly created = new Map<string, StoredObject>();
  /** To be updated, in their final form. */
  readonly updated = new Map<string, StoredObject>();
  readonly recipientVersions: Stored['recipient'][] = [];
  readonly transfers: Transfer[] = [];
  readonly events: Occurred[] = [];
  /** Of limits and subjects, `limit subject` to the ids, one a day. */
  readonly usageIds = new Map<string, Set<string>>();
  /** Whether they were loaded, which takes a round trip where there are limits. */
  hasUsages = false;
  /** Of accounts with waiting payouts, the oldest of these, and more where commands of the batch may end their waiting. */
  readonly waitingLines = new Map<string, string[]>();
  /** Of payouts that may get their money, what older ones of the account waited for when they were loaded. */
  readonly neededBefore = new Map<string, bigint>();
  /** The account that bank details name, as a keyed hash; `null`: none. Known where there are limits of recipients. */
  accountOf: (details: Readonly<Record<string, string>>) => string | null = () => null;
  /** What money is worth in another currency, minor units, rounded up; `null`: no rate is known. Known where limits are in all currencies. */
  valueIn: (currency: string, money: Money) => bigint | null = () => null;
  /** Of versions of recipients that loaded payouts go to, `recipient version` to the same hash. */
  readonly payeeAccounts = new Map<string, string>();
  /** What was changed of the environment. Only that is written: PostgreSQL asks for its entry in the audit log. */
  readonly newRules = new Set<'payout_rules' | 'fees' | 'paying_banks'>();
  hasNewFx = false;
  readonly pasts = new Map<string, Past>();
  readonly erasures: Erasure[] = [];
  readonly audits: { readonly entry: Audited; readonly origin: Origin }[] = [];
  auditHead: { readonly sequence: bigint; readonly hash: string } | null = null;
  /** Endpoints that events are matched with, in order of their ids. */
  subscriptions: readonly Subscription[] = [];
  /**
   * The JSON of objects. Not a WeakMap for all batches: that took a sixth of the server's time (garbage collection).
   */
  readonly rendered = new Map<object, string>();
  /** One a subscribed endpoint and event, to be inserted with the event. */
  readonly deliveries: { readonly subscription: Subscription; readonly occurred: Occurred }[] = [];

  constructor(environment: Environment) {
    this.environment = environment;
  }

  put(object: StoredObject): void {
    (this.tables[object.object] as Map<string, StoredObject>).set(object.id, object);
    if (object.object === 'account') this.indexAccount(object);
    if (object.object === 'limit_usage') {
      const key = `${object.limit} ${object.subject}`;
      this.usageIds.set(key, (this.usageIds.get(key) ?? new Set()).add(object.id));
    }
    if (object.object === 'payout' && object.status === 'waiting') {
      const line = this.waitingLines.get(object.account);
      if (line === undefined) this.waitingLines.set(object.account, [object.id]);
      else if (!line.includes(object.id)) line.push(object.id);
    }
    if (object.object === 'payout' && object.externalId !== null) this.externalIds.set(object.externalId, object.id);
    if (object.object === 'payout_batch' && object.externalId !== null)
      this.externalIdsOfBatches.set(object.externalId, object.id);
  }

  private indexAccount(account: Account): void {
    let open = this.openAccounts.get(account.currency);
    if (!open) this.openAccounts.set(account.currency, (open = new Set()));
    if (account.status === 'open') open.add(account.id);
    else open.delete(account.id);
  }
}

/** The only mutation of a state: the changes of one accepted decision, in order. */
export function apply(state: State, changes: readonly Change[], origin: Origin): void {
  let { lastSequence } = state.environment;
  for (const change of changes) {
    switch (change.kind) {
      case 'object': {
        const { object, isNew } = change;
        if (object.object === 'recipient' && object.version !== state.tables.recipient.get(object.id)?.version) {
          state.recipientVersions.push(object);
        }
        (isNew || state.created.has(object.id) ? state.created : state.updated).set(object.id, object);
        state.put(object);
        if (object.object === 'webhook_endpoint') endpointsChanged(state);
        break;
      }
      case 'transfer':
        state.transfers.push(change.transfer);
        break;
      case 'event': {
        const { sequence } = change.event;
        lastSequence += 1n;
        assert(sequence === lastSequence, 'the events of a decision continue the sequence');
        const occurred = { event: change.event, origin };
        state.events.push(occurred);
        for (const subscription of state.subscriptions) {
          if (matches(subscription, change.event)) state.deliveries.push({ subscription, occurred });
        }
        break;
      }
      case 'sequence':
        ({ lastSequence } = change);
        break;
      case 'environment': {
        const { payoutRules, fees, payingBanks, fx } = change.patch;
        state.environment = { ...state.environment, ...change.patch };
        if (fx !== undefined) state.hasNewFx = true;
        if (payoutRules !== undefined) state.newRules.add('payout_rules');
        if (fees !== undefined) state.newRules.add('fees');
        if (payingBanks !== undefined) state.newRules.add('paying_banks');
        break;
      }
      case 'erasure':
        state.erasures.push(change.erasure);
        break;
      case 'audit':
        state.audits.push({ entry: change.entry, origin });
        break;
      default:
        never(change);
    }
  }
  state.environment = { ...state.environment, lastSequence };
}

/** A command that changes an endpoint has loaded all of its environment (`write/load.ts`). */
function endpointsChanged(state: State): void {
  const { environment } = state;
  state.environment = { ...environment, endpointsVersion: environment.endpointsVersion + 1n };
  state.subscriptions = subscriptionsOf(state.tables.webhook_endpoint.values());
}

/** What every event is held against: an endpoint that is not deleted, and the types it asked for. */
export interface Subscription {
  readonly endpoint: string;
  readonly types: ReadonlySet<EventType>;
  readonly ordered: boolean;
  /** A disabled one gets its deliveries as `held`. */
  readonly enabled: boolean;
}

export function subscriptionsOf(endpoints: Iterable<Stored['webhook_endpoint']>): readonly Subscription[] {
  return [...endpoints]
    .filter((endpoint) => endpoint.deletedAt === null)
    .map(({ id, enabledEvents, ordered, status }) => ({
      endpoint: id,
      types: new Set(enabledEvents.flatMap(typesMatching)),
      ordered,
      enabled: status === 'enabled',
    }));
}

/** A ping goes to its endpoint alone; no other event goes to the endpoint that it is about. */
function matches({ endpoint, types }: Subscription, { type, object }: Event): boolean {
  if (type === 'ping') return object.id === endpoint;
  return types.has(type) && object.id !== endpoint;
}
