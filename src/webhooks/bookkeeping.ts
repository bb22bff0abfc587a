/**
 * Writes the results of attempts to their tables, in groups: all attempts that ended while the last group was being written,
 * one statement a table. Then sends commands for what the outside should know: an endpoint fails, works again, is gone. A
 * group that is lost with the database means one more delivery, never one less. Next: `delivery-sql.ts`.
 */
import { idOf } from '../core/ids.ts';
import { DAY_MS } from '../core/time.ts';
import type { Key, Row, Statement } from '../db/wire/statement.ts';
import type { DisableWebhookEndpoint, NoteParkedDelivery, NoteWebhookHealth } from './decide.ts';
import { bookFailures, bookFinished, bookSuccesses, type Finished } from './delivery-sql.ts';
import { RETRY_DELAYS_MS } from './retry.ts';

/** Most bookings of one statement. */
const MOST = 500;
/** Between bookings, so that one brings dozens: nobody waits for it but an ordered endpoint, whose next delivery does. */
const BETWEEN_BOOKINGS_MS = 10;
const RETRY_MS = 200;
/** From this failure of one delivery on, its endpoint counts as failing … */
const FAILING_AT = 4;
/** … if nothing has succeeded since the first: the schedule puts at least this between them. A poison event is no failing endpoint. */
const FAILING_AFTER_MS =
  (RETRY_DELAYS_MS[1] as number) + (RETRY_DELAYS_MS[2] as number) + (RETRY_DELAYS_MS[3] as number);
/** Contract, section 10. */
const DISABLED_AFTER_MS = 5 * DAY_MS;

export type Notice = NoteWebhookHealth | NoteParkedDelivery | DisableWebhookEndpoint;

export interface Outcome extends Finished {
  readonly succeeded: boolean;
  /** It answered 410: it wants nothing any more. */
  readonly isGone: boolean;
}

export interface BookkeepingOptions {
  run(statement: Statement): Promise<readonly Row[]>;
  /** Sends a notice down the write path; a refusal is fine (another process was first). */
  send(environmentId: string, notice: Notice): Promise<unknown>;
  /** After a booking: ordered endpoints whose next delivery may go. */
  onTurnsOver(endpoints: readonly Key[]): void;
  readonly onFault: (message: string, error: unknown) => void;
}

export class Bookkeeping {
  private readonly options: BookkeepingOptions;
  private waiting: Outcome[] = [];
  private running: Promise<void> | null = null;
  private isGivenUp = false;
  private bookedAtMs = 0;

  constructor(options: BookkeepingOptions) {
    this.options = options;
  }

  book(outcome: Outcome): void {
    this.waiting.push(outcome);
    this.running ??= this.run();
  }

  /** Resolves when all is booked. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  /** No more patience with a database that is away: what is not booked will be delivered once more. */
  giveUp(): void {
    this.isGivenUp = true;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.writeNext();
      const batch = this.waiting.splice(0, MOST);
      try {
        await this.flush(batch);
      } catch (error) {
        if (this.isGivenUp) break;
        this.options.onFault('Booking deliveries failed; trying again', error);
        this.waiting.unshift(...batch);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.running = null;
    if (this.waiting.length > 0 && !this.isGivenUp) this.running = this.run();
  }

  /** Until what ends soon has come along. */
  private async writeNext(): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    const waitMs = this.bookedAtMs + BETWEEN_BOOKINGS_MS - performance.now();
    const isUrgent =
      this.isGivenUp || this.waiting.length >= MOST || this.waiting.some(({ delivery }) => delivery.inOrder);
    if (waitMs > 0 && !isUrgent) await new Promise<void>((resolve) => void setTimeout(resolve, waitMs));
    this.bookedAtMs = performance.now();
  }

  private async flush(batch: readonly Outcome[]): Promise<void> {
    const { run, onTurnsOver } = this.options;
    const succeeded = keysOf(batch.filter((each) => each.succeeded));
    const failed = keysOf(batch.filter((each) => each.failed));
    const none: Promise<readonly Row[]> = Promise.resolve([]);
    const results = [
      run(bookFinished(batch)),
      succeeded.length === 0 ? none : run(bookSuccesses(succeeded)),
      failed.length === 0 ? none : run(bookFailures(failed)),
    ] as const;
    await Promise.allSettled(results);
    const [, recovered, unwell] = await Promise.all(results);
    const inOrder = keysOf(batch.filter(({ delivery }) => delivery.inOrder));
    if (inOrder.length > 0) onTurnsOver(inOrder);
    const sending = noticesOf(batch, recovered, unwell).map(({ environmentId, notice }) =>
      this.options.send(environmentId, notice),
    );
    for (const outcome of await Promise.allSettled(sending)) {
      if (outcome.status === 'rejected') this.options.onFault('Telling about an endpoint failed', outcome.reason);
    }
  }
}

/** Each endpoint once. */
function keysOf(batch: readonly Outcome[]): readonly Key[] {
  return [
    ...new Map(
      batch.map(({ delivery: { environmentId, endpointId: id } }) => [environmentId + id, { environmentId, id }]),
    ).values(),
  ];
}

interface Addressed {
  readonly environmentId: string;
  readonly notice: Notice;
}

function noticesOf(batch: readonly Outcome[], recovered: readonly Row[], unwell: readonly Row[]): Addressed[] {
  const notices = new Map<string, Addressed>();
  const note = (environmentId: string, notice: Notice) =>
    notices.set(`${notice.type} ${notice.endpoint}`, { environmentId, notice });
  const placeOf = (row: Row) => ({
    environmentId: idOf('env', row['environment_id'] as string),
    endpoint: idOf('we', row['endpoint_id'] as string),
  });
  for (const row of recovered) {
    if (row['is_failing'] !== true) continue;
    const { environmentId, endpoint } = placeOf(row);
    note(environmentId, { type: 'note_webhook_health', endpoint, failingSinceMs: null });
  }
  const unreported = new Map<string, number>();
  for (const row of unwell) {
    const { environmentId, endpoint } = placeOf(row);
    const sinceMs = row['unsuccessful_since'] as number;
    const lastsMs = (row['now'] as number) - sinceMs;
    if (lastsMs >= FAILING_AFTER_MS && row['is_failing'] !== true) unreported.set(endpoint, sinceMs);
    if (lastsMs >= DISABLED_AFTER_MS) {
      note(environmentId, { type: 'disable_webhook_endpoint', endpoint, reason: 'failing' });
    }
  }
  for (const { delivery, failed, isGone, status } of batch) {
    const { environmentId, endpointId: endpoint, failures } = delivery;
    if (status === 'parked') note(environmentId, { type: 'note_parked_delivery', endpoint });
    if (isGone) note(environmentId, { type: 'disable_webhook_endpoint', endpoint, reason: 'gone' });
    else if (failed && failures + 1 >= FAILING_AT) {
      const failingSinceMs = unreported.get(endpoint);
      if (failingSinceMs !== undefined) note(environmentId, { type: 'note_webhook_health', endpoint, failingSinceMs });
    }
  }
  return [...notices.values()];
}
