/**
 * What follows a commit, here and in the other processes on the database: the dispatcher gets its deliveries, event
 * streams are woken. Others are told with a hint that names environments; a hint may be lost, so all of them look for
 * themselves about once a second. Next: `webhooks/dispatcher.ts`, `events/stream.ts`.
 */
import type { Notifications } from '../db/pool.ts';
import type { CommitSignal } from '../workers/commit-signal.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import type { Committed, Outbox } from '../webhooks/delivery.ts';

/** At most one hint in this time, so that 10,000 commits a second are 20 hints. */
const BETWEEN_NOTIFICATIONS_MS = 50;
/** More are told as "any". A hint holds 8,000 bytes. */
const MOST_NAMED = 200;

interface Notification {
  /** The process it comes from, which hears it too. */
  readonly from: string;
  readonly environments: readonly string[] | 'any';
  /** Deliveries wait that the sender has no room for. */
  readonly deliveries: boolean;
}

export class CommitFanout implements Outbox {
  private readonly dispatcher: Dispatcher;
  private readonly signal: CommitSignal;
  private readonly self: string;
  private notifications: Notifications | null = null;
  private readonly unsent = new Set<string>();
  private areDeliveriesLeft = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(dispatcher: Dispatcher, signal: CommitSignal, self: string) {
    this.dispatcher = dispatcher;
    this.signal = signal;
    this.self = self;
  }

  roomFor(endpointId: string): number {
    return this.dispatcher.roomFor(endpointId);
  }

  committed(committed: Committed): void {
    this.dispatcher.committed(committed);
    for (const id of committed.environmentIds) {
      this.signal.announce(id);
      this.unsent.add(id);
    }
    if (committed.hasMore) this.areDeliveriesLeft = true;
    if (this.unsent.size > 0) this.timer ??= setTimeout(() => this.notifyOthers(), BETWEEN_NOTIFICATIONS_MS);
  }

  /** From now on the others are told. */
  connect(notifications: Notifications): void {
    this.notifications = notifications;
  }

  /** A hint of any process, this one included. Whoever may use the database may say anything: what is no hint is passed over. */
  handle(text: string): void {
    const notification = notificationIn(text);
    if (notification === null || notification.from === this.self) return;
    const { environments, deliveries } = notification;
    if (environments === 'any') this.signal.announceAll();
    else for (const id of environments) this.signal.announce(id);
    if (deliveries) this.dispatcher.wake();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private notifyOthers(): void {
    this.timer = null;
    const environments = this.unsent.size > MOST_NAMED ? 'any' : [...this.unsent];
    const notification: Notification = { from: this.self, environments, deliveries: this.areDeliveriesLeft };
    this.unsent.clear();
    this.areDeliveriesLeft = false;
    this.notifications?.send(JSON.stringify(notification));
  }
}

function notificationIn(text: string): Notification | null {
  try {
    const { from, environments, deliveries } = JSON.parse(text) as Partial<Notification>;
    if (typeof from !== 'string' || (environments !== 'any' && !Array.isArray(environments))) return null;
    return { from, environments, deliveries: deliveries === true };
  } catch {
    return null;
  }
}
