/**
 * Writes the results of attempts in groups: all that ended while the last group was being written. Then sends a command
 * for each endpoint that began to fail, recovered, answered 410 or had a delivery parked. If a group is lost, its
 * deliveries are sent once more. Next: `delivery-sql.ts`.
 */
import { idOf } from '../../core/values/ids.ts';
import { DAY_MS } from '../../core/values/time.ts';
import type { Key, Row, Statement } from '../../platform/db/wire/statement.ts';
import type { DisableWebhookEndpoint, NoteParkedDelivery, NoteWebhookHealth } from './decide.ts';
import { bookFailures, bookFinished, bookSuccesses, type Finished } from './delivery-sql.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import { RETRY_DELAYS_MS } from './retry.ts';

/** Results in one statement at most. */
const MOST = 500;
/** Pause between groups, so that a group holds dozens of results. Only ordered endpoints wait for a result: they skip the pause. */
const BETWEEN_BOOKINGS_MS = 10;
const RETRY_MS = 200;
/** An endpoint fails once one delivery has failed this often and nothing has succeeded for {@link FAILING_AFTER_MS}. */
const FAILING_AT = 4;
/** The least time that the schedule puts between the first and the fourth failure. */
const FAILING_AFTER_MS = RETRY_DELAYS_MS.slice(1, FAILING_AT).reduce((sum, each) => sum + each, 0);
/** Contract, section 10. */
const DISABLED_AFTER_MS = 5 * DAY_MS;

const bookedPoint = stopPoint('delivery.booked');

export type Notice = NoteWebhookHealth | NoteParkedDelivery | DisableWebhookEndpoint;

export interface Outcome extends Finished {
  readonly succeeded: boolean;
  /** It answered 410 and is to be disabled. */
  readonly isGone: boolean;
}

export interface BookkeepingOptions {
  run(statement: Statement): Promise<readonly Row[]>;
  /** Sends a command to the writer. A refusal is no fault: another process was first. */
  send(environmentId: string, notice: Notice): Promise<unknown>;
  /** Called with the ordered endpoints whose next delivery may be claimed. */
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

  /** Resolves when all results are written. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  /** No longer tries again when the database is away. Deliveries whose result is not written will be sent once more. */
  giveUp(): void {
    this.isGivenUp = true;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.waitForMore();
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

  /** Waits for results that end soon, unless one of the waiting ones is urgent. */
  private async waitForMore(): Promise<void> {
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
    bookedPoint();
    const inOrder = keysOf(batch.filter(({ delivery }) => delivery.inOrder));
    if (inOrder.length > 0) onTurnsOver(inOrder);
    const notices = noticesOf(batch, recovered, unwell);
    const sending = notices.map(({ environmentId, notice }) => this.options.send(environmentId, notice));
    for (const outcome of await Promise.allSettled(sending)) {
      if (outcome.status === 'rejected') this.options.onFault('Telling about an endpoint failed', outcome.reason);
    }
  }
}

/** The endpoints of a batch, each once. */
function keysOf(batch: readonly Outcome[]): readonly Key[] {
  const keys = batch.map(({ delivery: { environmentId, endpointId: id } }) => ({ environmentId, id }));
  return [...new Map(keys.map((key) => [key.environmentId + key.id, key])).values()];
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
