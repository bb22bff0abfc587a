/**
 * What the last commits of a writer left, by environment. A batch that needs nothing else is decided on it, in one round
 * trip instead of two. Never trusted: PostgreSQL compares the environments ({@link checkVersions}), and what was written
 * by somebody else is loaded. Why nothing else can go wrong: docs/decisions/0019. Modes:
 *
 *   EMPTY      nothing is known: at the start, and after a commit whose outcome is unknown
 *   SERVING    batches are decided on what is known
 *   SUSPENDED  every batch is loaded for a moment, after a version check or a key refused one; commits are still kept
 */
import type { Environment } from '../core/objects.ts';
import type { Recipient } from '../paying/recipients/fields.ts';
import type { Account } from '../core/account.ts';
import { StateMachine } from './state-machine.ts';
import { int8s, timestamps, uuids } from '../platform/db/wire/columns.ts';
import type { Statement } from '../platform/db/wire/statement.ts';
import { type Loaded, loadedNow } from './load.ts';
import type { ReadSet } from './read-set.ts';
import { isInOrder } from '../core/payout-rules.ts';
import { knownSubscriptions } from './subscriptions.ts';

/** After this time everything is read again: the clock, and what somebody may have changed past the path. */
const MAX_AGE_MS = 60_000;
/** For all environments, after a refusal: keys that clients repeat cost a round trip at most so often. */
const SUSPENSION_MS = 200;
/** For one environment, after another process wrote to it: where two take turns, the cache would be wrong every time. */
const CONTENDED_MS = 10_000;
/** Accounts and recipients, about a kilobyte each. When there are more, the cache starts again from nothing. */
const MAX_OBJECTS = 10_000;
const MAX_METADATA_CHARACTERS = 1_000;

type Mode = 'EMPTY' | 'SERVING' | 'SUSPENDED';
const TRANSITIONS: Readonly<Record<Mode, readonly Mode[]>> = {
  EMPTY: ['SERVING', 'SUSPENDED'],
  SERVING: ['EMPTY', 'SUSPENDED'],
  SUSPENDED: ['SERVING', 'EMPTY'],
};

const NOTHING: ReadonlyMap<string, Loaded> = new Map();

interface Known {
  /** As it stands in its row, unless somebody else has written. */
  environment: Environment;
  /** Until then it is loaded. */
  readonly contendedUntilMs: number;
  readonly objects: Map<string, Account | Recipient>;
  /** Currency to its oldest open account. */
  readonly oldestOpen: Map<string, string>;
}

export class StateCache {
  private readonly known = new Map<string, Known>();
  private readonly mode = new StateMachine<Mode>('EMPTY', TRANSITIONS);
  private objects = 0;
  private sinceMs = Date.now();
  private suspendedUntilMs = 0;
  /** Database clock less that of this process. */
  private aheadMs = 0;

  /** What `load` would find; `null` if a part is not cached. `ahead`: the batch in flight, taken as committed. */
  get(readSet: ReadSet, ahead: ReadonlyMap<string, Loaded> = NOTHING): ReadonlyMap<string, Loaded> | null {
    const nowMs = Date.now();
    if (nowMs < this.sinceMs || nowMs > this.sinceMs + MAX_AGE_MS) this.clear();
    if (this.mode.is('SUSPENDED') && nowMs >= this.suspendedUntilMs)
      this.mode.become(this.known.size > 0 ? 'SERVING' : 'EMPTY');
    if (!this.mode.is('SERVING') || !readSet.areCacheable) return null;
    const cached = new Map<string, Loaded>();
    for (const id of readSet.environmentIds) {
      const known = this.known.get(id);
      if (known === undefined || nowMs < known.contendedUntilMs) return null;
      const environment = ahead.get(id)?.state.environment ?? known.environment;
      const subscriptions = knownSubscriptions(environment);
      if (subscriptions === undefined) return null;
      if (environment.payoutRules !== null && environment.payoutRules.limits.length > 0) return null; // usages are read each time
      const loaded = loadedNow(environment, this.aheadMs);
      loaded.state.subscriptions = subscriptions;
      cached.set(id, loaded);
    }
    const put = (environmentId: string, id: string | undefined): boolean => {
      if (id === undefined) return false;
      const tables = ahead.get(environmentId)?.state.tables;
      const object =
        tables?.account.get(id) ?? tables?.recipient.get(id) ?? this.known.get(environmentId)?.objects.get(id);
      const state = cached.get(environmentId)?.state;
      if (object === undefined || state === undefined) return false;
      // What waits for its money is read each time.
      if (object.object === 'account' && object.waiting !== null && isInOrder(state.environment.payoutRules))
        return false;
      state.put(object);
      return true;
    };
    const oldestOpen = (environmentId: string, currency: string) =>
      this.known.get(environmentId)?.oldestOpen.get(currency);
    const isAllKnown =
      [readSet.accounts, readSet.recipients].every((keys) =>
        keys.every(({ environmentId, id }) => put(environmentId, id)),
      ) &&
      [...readSet.currencies.values()].every((want) =>
        put(want.environmentId, oldestOpen(want.environmentId, want.currency)),
      );
    return isAllKnown ? cached : null;
  }

  /** Keeps what a committed batch found and what it made of that. */
  put(committed: ReadonlyMap<string, Loaded>, readSet: ReadSet): void {
    for (const { before, state, aheadMs } of committed.values()) {
      this.aheadMs = aheadMs;
      const known = this.knownSince(before);
      known.environment = state.environment;
      for (const { id: account, currency, status } of state.tables.account.values()) {
        const oldest = known.oldestOpen.get(currency);
        if (oldest === undefined) continue;
        if (status === 'closed' && account === oldest) known.oldestOpen.delete(currency);
        if (status === 'open' && account < oldest) known.oldestOpen.set(currency, account); // opened again
      }
      this.objects -= known.objects.size;
      for (const table of [state.tables.account, state.tables.recipient]) {
        for (const object of table.values()) {
          if (isLarge(object)) known.objects.delete(object.id);
          else known.objects.set(object.id, object);
        }
      }
      this.objects += known.objects.size;
    }
    for (const { environmentId, currency } of readSet.currencies.values()) {
      const [oldest] = [...(committed.get(environmentId)?.state.openAccounts.get(currency) ?? [])].sort();
      if (oldest !== undefined) this.known.get(environmentId)?.oldestOpen.set(currency, oldest);
    }
    if (this.mode.is('EMPTY') && this.known.size > 0) this.mode.become('SERVING');
    if (this.objects + this.known.size > MAX_OBJECTS) this.clear();
  }

  /** Call when it is not known what was committed. A suspension lasts on. */
  clear(): void {
    this.known.clear();
    this.objects = 0;
    this.sinceMs = Date.now();
    if (this.mode.is('SERVING')) this.mode.become('EMPTY');
  }

  /** Call when PostgreSQL refused a batch that was decided on the cache. */
  suspend(): void {
    this.suspendedUntilMs = Date.now() + SUSPENSION_MS;
    if (!this.mode.is('SUSPENDED')) this.mode.become('SUSPENDED');
  }

  /** What is known of an environment that stands like this. */
  private knownSince(environment: Environment): Known {
    const known = this.known.get(environment.id);
    if (known !== undefined && isSame(known.environment, environment)) return known;
    this.objects -= known?.objects.size ?? 0;
    const contendedUntilMs = known === undefined ? 0 : Date.now() + CONTENDED_MS;
    const fresh: Known = { environment, contendedUntilMs, objects: new Map(), oldestOpen: new Map() };
    this.known.set(environment.id, fresh);
    return fresh;
  }
}

function isSame(one: Environment, other: Environment): boolean {
  return (
    one.lastAtMs === other.lastAtMs &&
    one.lastSequence === other.lastSequence &&
    one.clockOffsetMs === other.clockOffsetMs &&
    one.endpointsVersion === other.endpointsVersion
  );
}

function isLarge({ metadata }: Account | Recipient): boolean {
  let characters = 0;
  for (const name in metadata) characters += name.length + (metadata[name] as string).length;
  return characters > MAX_METADATA_CHARACTERS;
}

/**
 * Locks the environments of a batch that was decided on the cache, sorted as `load` does. A row that has changed fails
 * a cast to a number, which aborts the transaction and everything behind it, COMMIT included.
 */
export function checkVersions(cached: ReadonlyMap<string, Loaded>): Statement {
  const before = Array.from(cached.values(), (loaded) => loaded.before);
  return {
    name: 'lock_unchanged_environments',
    text: `SELECT CASE WHEN last_sequence = ($2::int8[])[n] AND last_at = ($3::timestamptz[])[n]
          AND clock_offset_ms = ($4::int8[])[n] AND endpoints_version = ($5::int8[])[n]
        THEN 0 ELSE ('changed: ' || n)::int END
      FROM (SELECT *, array_position($1::uuid[], environment_id) AS n FROM environments
        WHERE environment_id = ANY($1::uuid[]) ORDER BY environment_id FOR UPDATE) AS t`,
    values: [
      uuids(before.map(({ id }) => id)),
      int8s(before.map(({ lastSequence }) => lastSequence)),
      timestamps(before.map(({ lastAtMs }) => lastAtMs)),
      int8s(before.map(({ clockOffsetMs }) => BigInt(clockOffsetMs))),
      int8s(before.map(({ endpointsVersion }) => endpointsVersion)),
    ],
  };
}
