/**
 * What follows a commit: this process gets its deliveries, event streams are woken, other processes are notified. A
 * notification may be lost, so every process also polls about once a second. Next: `events/webhooks/dispatcher.ts`.
 */
import type { Notifications } from '../platform/db/pool.ts';
import type { CommitSignal } from '../platform/workers/commit-signal.ts';
import type { Dispatcher } from '../events/webhooks/dispatcher.ts';
import type { Committed, Outbox } from '../events/webhooks/delivery.ts';

/** At most one notification in this time, so that 10,000 commits a second are 20 notifications. */
const BETWEEN_NOTIFICATIONS_MS = 50;
/** More environments are sent as "any": a notification holds 8,000 bytes. */
const MOST_NAMED = 200;

interface Notification {
  /** The process it comes from, which receives it too. */
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

  /** From now on the other processes are notified. */
  connect(notifications: Notifications): void {
    this.notifications = notifications;
  }

  /** A notification of any process, this one included. Any text may come; what is no notification is ignored. */
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
