/** The draft of a decision: reads see its own writes; a refusal drops it. Its changes go to `apply` (`state.ts`). */
import type { Actor } from './actor.ts';
import { assert } from './values/assert.ts';
import type { Account } from './account.ts';
import type { AuditAction, AuditDetails } from './audit.ts';
import type { Erasure } from './erasure.ts';
import type { EventType } from './event-types.ts';
import type { IdSource, Prefix } from './values/ids.ts';
import type { Event, EventObject, Stored, StoredKind, StoredObject } from './objects.ts';
import type { Fx } from './fx.ts';
import type { Transfer } from './transfer.ts';
import type { Change, EnvironmentPatch, State } from './state.ts';

/** The pure inputs of a decision beside command and state. */
export interface Context {
  /** Environment clock, milliseconds; the same for a whole batch, later than the batch before. */
  readonly atMs: number;
  readonly ids: IdSource;
  readonly actor: Actor;
  /** The lines that the actor descends from, the root first and its own last; none of a part of the service. */
  readonly lineage?: readonly string[];
}

interface Mark {
  readonly changes: number;
  readonly sequence: bigint;
}

export class Draft {
  readonly changes: Change[] = [];
  readonly state: State;
  readonly atMs: number;
  readonly actor: Actor;
  readonly lineage: readonly string[];
  private readonly ids: IdSource;
  private readonly written = new Map<string, StoredObject>();
  private readonly externalIds = new Map<string, string>();
  private readonly usageIds = new Map<string, readonly string[]>();
  private sequence: bigint;
  private changedFx: Fx | null = null;

  constructor(state: State, context: Context) {
    this.state = state;
    this.atMs = context.atMs;
    this.actor = context.actor;
    this.lineage = context.lineage ?? [];
    this.ids = context.ids;
    this.sequence = state.environment.lastSequence;
  }

  newId(prefix: Prefix): string {
    return this.ids.next(prefix);
  }

  find<K extends StoredKind>(kind: K, id: string): Stored[K] | undefined {
    const written = this.written.get(id);
    return written?.object === kind ? (written as Stored[K]) : this.state.tables[kind].get(id);
  }

  /** The oldest open account of a currency: the one used where none is named. Ids sort by age. */
  oldestOpenAccount(currency: string): Account | undefined {
    let oldest: Account | undefined;
    const consider = (account: Account | undefined) => {
      if (account?.status === 'open' && (!oldest || account.id < oldest.id)) oldest = account;
    };
    for (const id of this.state.openAccounts.get(currency) ?? []) consider(this.find('account', id));
    if (oldest) return oldest; // written accounts that are new are younger
    for (const object of this.written.values()) {
      if (object.object === 'account' && object.currency === currency) consider(object);
    }
    return oldest;
  }

  /** In the database, or made earlier in this decision. */
  payoutWithExternalId(externalId: string): string | undefined {
    return this.state.externalIds.get(externalId) ?? this.externalIds.get(externalId);
  }

  /** All of the environment that are not deleted; a command that asks has loaded them all. */
  webhookEndpoints(): readonly Stored['webhook_endpoint'][] {
    return this.all('webhook_endpoint').filter((endpoint) => endpoint.deletedAt === null);
  }

  /** Those of a link that were loaded or written. */
  paymentsOf(link: string): readonly Stored['payment'][] {
    return this.all('payment').filter((payment) => payment.link === link);
  }

  /** All of a kind that were loaded or written, in order of their ids. */
  all<K extends StoredKind>(kind: K): Stored[K][] {
    const ids = new Set([...this.state.tables[kind].keys(), ...this.written.keys()]);
    return [...ids].sort().flatMap((id) => this.find(kind, id) ?? []);
  }

  /** Writes a new object and emits the event about it, if one is named. Returns the object. */
  create<T extends StoredObject>(object: T, event?: EventType): T {
    if (object.object === 'payout' && object.externalId !== null) this.externalIds.set(object.externalId, object.id);
    return this.write(object, true, event, null);
  }

  /** Writes a changed object and emits the event about it, if one is named; `previous` as in {@link emit}. */
  update<T extends StoredObject>(object: T, event?: EventType, previous: Event['previous'] = null): T {
    return this.write(object, false, event, previous);
  }

  private write<T extends StoredObject>(object: T, isNew: boolean, event?: EventType, previous?: Event['previous']): T {
    this.written.set(object.id, object);
    this.changes.push({ kind: 'object', object, isNew });
    if (event !== undefined) this.emit(event, object as EventObject, previous);
    return object;
  }

  /** Where the draft stands, to take back to. */
  mark(): Mark {
    return { changes: this.changes.length, sequence: this.sequence };
  }

  /** Takes back what was made since, which must be new objects and their events alone. */
  takeBack({ changes, sequence }: Mark): void {
    for (const change of this.changes.splice(changes)) {
      if (change.kind === 'event') continue;
      assert(change.kind === 'object' && change.isNew, 'only what is new can be taken back');
      this.written.delete(change.object.id);
    }
    this.sequence = sequence;
  }

  addTransfer(transfer: Transfer): void {
    this.changes.push({ kind: 'transfer', transfer });
  }

  /** Leaves out `count` sequences: the next event comes behind them. */
  skipSequences(count: bigint): void {
    this.sequence += count;
    this.changes.push({ kind: 'sequence', lastSequence: this.sequence });
  }

  /** Adds to the audit log; the command must be one that `write/read-set.ts` loads its head for. */
  audit(action: AuditAction, subject: string | null, details: AuditDetails = {}): void {
    const entry = { id: this.newId('aud'), action, subject, details, createdAt: this.atMs };
    this.changes.push({ kind: 'audit', entry });
  }

  /** The usages of a limit by a subject, each of another day. */
  usagesOf(limit: string, subject: string): readonly Stored['limit_usage'][] {
    const key = `${limit} ${subject}`;
    const ids = [...(this.state.usageIds.get(key) ?? []), ...(this.usageIds.get(key) ?? [])];
    return ids.map((id) => this.find('limit_usage', id) as Stored['limit_usage']);
  }

  putUsage(usage: Stored['limit_usage']): void {
    const isNew = this.find('limit_usage', usage.id) === undefined;
    const key = `${usage.limit} ${usage.subject}`;
    if (isNew) this.usageIds.set(key, [...(this.usageIds.get(key) ?? []), usage.id]);
    this.write(usage, isNew);
  }

  /** Positions and rules of foreign exchange, with what this decision moved. */
  get fx(): Fx {
    return this.changedFx ?? this.state.environment.fx;
  }

  patch(patch: EnvironmentPatch): void {
    if (patch.fx !== undefined) this.changedFx = patch.fx;
    this.changes.push({ kind: 'environment', patch });
  }

  /** Those of a batch that were loaded or written. */
  payoutsOf(batch: string): readonly Stored['payout'][] {
    return this.all('payout').filter((payout) => payout.batch === batch);
  }

  /** Rewrites rows that otherwise are only added. */
  erase(erasure: Erasure): void {
    this.changes.push({ kind: 'erasure', erasure });
  }

  emit(
    type: EventType,
    object: EventObject,
    previous: Readonly<Record<string, unknown>> | null = null,
    transfer: string | null = null,
  ): Event {
    this.sequence += 1n;
    const event: Event = {
      id: this.ids.event(this.sequence),
      sequence: this.sequence,
      type,
      object,
      previous,
      transfer,
      createdAt: this.atMs,
    };
    this.changes.push({ kind: 'event', event });
    return event;
  }
}
