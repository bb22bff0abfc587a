/**
 * The dispatcher: sends deliveries and writes their results. The write path hands deliveries over at their commit;
 * others are claimed from the database: retries, those for which no process had room, those of a process that died.
 * Leases and the fence (`delivery-sql.ts`) make this correct with any number of processes: after a crash a delivery is
 * sent once more, never lost. Next: `queue.ts`, `bookkeeping.ts`.
 */
import { BEGIN_WITHIN_MS, type ClaimedDelivery, type Committed, type Outbox } from './delivery.ts';
import { idOf } from '../../core/values/ids.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { Key, Row, Statement } from '../../platform/db/wire/statement.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import type { Versions } from '../../platform/http/version/versions.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import { Bookkeeping, type Notice, type Outcome } from './bookkeeping.ts';
import { backlog, claimDue, claimHeads, forgetHealth, holdPending } from './delivery-sql.ts';
import * as metrics from './metrics.ts';
import { Queue } from './queue.ts';
import { stepReplays } from './replays.ts';
import { nextAttemptAt } from './retry.ts';
import type { Attempt, Sender } from './send.ts';
import { withoutValues } from './headers.ts';
import { signatureHeaders } from './signature.ts';
import { beginSpan, endSpan, traceparentOf } from './delivery-span.ts';
import { type Target, Targets } from './targets.ts';

const QUEUE_LIMITS = { endpointConcurrency: 64, capacity: 4_096, endpointCapacity: 512 };
/**
 * Exchanges of one endpoint for each command of a commit under load; they share the event loop
 * (bench/results/README.md).
 */
const EXCHANGES_A_COMMAND = 0.25;
const LEAST_WIDTH = 10;
/** A commit with this many commands means load, for {@link BUSY_FOR_MS}. */
const BUSY_COMMANDS = 24;
const BUSY_FOR_MS = 100;
/** Exchanges with one endpoint without load; more are of no use. */
const QUIET_WIDTH = 32;
/** Deliveries that one claim takes of an endpoint which the queue does not know yet. */
const USUAL_ROOM = 64;
/** Deliveries of one claim at most, because their bodies are in memory. */
const CLAIM_LIMIT = 500;
const LEAST_PAUSE_MS = 20;
/** After a smaller claim the next one waits: it costs a statement, and commits hand over as soon as there is room. */
const SMALL_CLAIM = 64;
const SMALL_CLAIM_PAUSE_MS = 100;
/** Work that is not urgent: holding, replays of other processes, gauges. */
const CHORES_MS = 1_000;
const GAUGES_MS = 10_000;
/** Until a delivery is claimed again that could not be attempted because of an error of ours. */
const AFTER_FAULT_MS = 1_000;
/** How long a stop waits for exchanges in flight. */
const GOODBYE_MS = 3_000;
/** An ordered delivery is parked after so many failures (about 37 minutes). */
const PARKED_AFTER_FAILURES = 5;

const claimedPoint = stopPoint('delivery.claimed');
const answeredPoint = stopPoint('delivery.answered');

export interface DispatcherOptions {
  /** Runs a statement on the bookkeeping connection, in order. */
  run(statement: Statement): Promise<readonly Row[]>;
  rows(statement: Statement): Promise<readonly Row[]>;
  send(environmentId: string, notice: Notice): Promise<unknown>;
  /** Opens a sealed signing secret. */
  open(sealed: string, endpointId: string): string;
  /** Opens the sealed value of a header. */
  openHeader(sealed: string, endpointId: string): string;
  readonly versions: Versions;
  /** The body of a delivery, in the newest version. */
  renderEvent(row: Row, livemode: boolean): string;
  readonly sender: Sender;
  /** Exchanges at once, with all endpoints together. */
  readonly concurrency: number;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
}

export class Dispatcher implements Outbox {
  private readonly options: DispatcherOptions;
  private readonly queue: Queue;
  private readonly targets: Targets;
  private readonly bookkeeping: Bookkeeping;
  private readonly poller: Poller;
  private readonly heads = new Map<string, Key>();
  private headsRunning: Promise<void> | null = null;
  private isPumping = false;
  private isStopping = false;
  /** The last claim found deliveries, so there may be more. */
  private isBehind = false;
  private claimAgainAtMs = 0;
  private busyWidth = QUIET_WIDTH;
  private busyUntilMs = 0;
  private choresAtMs = 0;
  private gaugesAtMs = 0;
  private pause: NodeJS.Timeout | undefined;
  private later: NodeJS.Timeout | undefined;

  constructor(options: DispatcherOptions) {
    this.options = options;
    this.queue = new Queue({ ...QUEUE_LIMITS, concurrency: options.concurrency });
    this.targets = new Targets(options);
    this.bookkeeping = new Bookkeeping({ ...options, onTurnsOver: (endpoints) => this.claimHeadsOf(endpoints) });
    this.poller = startPoller({
      pauseMs: options.pollMs,
      leastPauseMs: LEAST_PAUSE_MS,
      onFault: (error) => options.onFault('Looking for due deliveries failed; trying again', error),
      poll: () => this.poll(),
    });
  }

  /** Call when the database may be another or an earlier one than before: endpoints are read again. */
  forgetTargets(): void {
    this.targets.forget();
  }

  roomFor(endpointId: string): number {
    return this.isStopping ? 0 : this.queue.roomFor(endpointId);
  }

  committed({ commands, handedOver, inOrder, hasMore, hasReplay }: Committed): void {
    if (commands >= BUSY_COMMANDS) {
      this.busyWidth = Math.max(LEAST_WIDTH, Math.round(commands * EXCHANGES_A_COMMAND));
      this.busyUntilMs = performance.now() + BUSY_FOR_MS;
    }
    this.offer(handedOver);
    if (inOrder.length > 0) this.claimHeadsOf(inOrder);
    if (hasReplay) this.choresAtMs = 0;
    if (hasMore || hasReplay) this.wake();
  }

  /** Looks for due deliveries soon. */
  wake(): void {
    this.poller.wake();
  }

  /** Takes no more deliveries, gives back those that were not begun, and waits up to 3 s for exchanges in flight. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.pause);
    clearTimeout(this.later);
    await this.poller.stop();
    clearTimeout(this.later);
    await this.headsRunning;
    for (const delivery of this.queue.drain()) this.bookkeeping.book(givenBack(delivery));
    const untilMs = performance.now() + GOODBYE_MS;
    while (this.queue.inFlight > 0 && performance.now() < untilMs) await new Promise((go) => setTimeout(go, 20));
    await this.options.sender.close();
    while (this.queue.inFlight > 0) await new Promise((go) => setTimeout(go, 5));
    this.bookkeeping.giveUp();
    await this.bookkeeping.settled();
  }

  private async poll(): Promise<boolean> {
    const limit = Math.min(CLAIM_LIMIT, this.queue.room);
    const nowMs = performance.now();
    if (nowMs < this.claimAgainAtMs) this.later ??= setTimeout(() => this.wakeLater(), this.claimAgainAtMs - nowMs);
    else if (limit >= CLAIM_LIMIT / 4) {
      const found = await this.claim(claimDue(limit, this.queue.rooms(), USUAL_ROOM));
      this.isBehind = found > 0;
      if (found > 0 && found < SMALL_CLAIM) this.claimAgainAtMs = nowMs + SMALL_CLAIM_PAUSE_MS;
    }
    return this.chores();
  }

  private wakeLater(): void {
    this.later = undefined;
    this.wake();
  }

  /** The work of about once a second. Returns whether a replay has more to do. */
  private async chores(): Promise<boolean> {
    const { run } = this.options;
    const nowMs = performance.now();
    if (nowMs - this.choresAtMs < CHORES_MS) return false;
    this.choresAtMs = nowMs;
    await this.claim(claimHeads(null));
    await run(holdPending(false));
    await run(holdPending(true));
    await run(forgetHealth());
    const hasMore = await stepReplays(run);
    if (hasMore) this.choresAtMs = 0;
    if (nowMs - this.gaugesAtMs >= GAUGES_MS) {
      this.gaugesAtMs = nowMs;
      const [row] = await this.options.rows(backlog());
      metrics.pendingDeliveries.set((row?.['pending'] as number | undefined) ?? 0);
      metrics.oldestSeconds.set((row?.['oldest_seconds'] as number | undefined) ?? 0);
    }
    return hasMore;
  }

  /** Claims the next delivery of ordered endpoints. Calls during a claim share the next one. */
  private claimHeadsOf(endpoints: readonly Key[]): void {
    if (this.isStopping) return;
    for (const key of endpoints) this.heads.set(key.environmentId + key.id, key);
    this.headsRunning ??= this.runHeads().finally(() => {
      this.headsRunning = null;
      if (this.heads.size > 0) this.claimHeadsOf([]); // added after the last claim
    });
  }

  private async runHeads(): Promise<void> {
    while (this.heads.size > 0 && !this.isStopping) {
      const endpoints = [...this.heads.values()];
      this.heads.clear();
      try {
        await this.claim(claimHeads(endpoints));
      } catch (error) {
        this.options.onFault('Claiming ordered deliveries failed; the next round will', error);
      }
    }
  }

  /** Queues the deliveries that the statement claims, and returns their number. */
  private async claim(statement: Statement): Promise<number> {
    const sentAtMs = performance.now(); // before the lease begins in the database
    const rows = await this.options.run(statement);
    this.offer(this.claimedFrom(rows, sentAtMs));
    return rows.length;
  }

  private claimedFrom(rows: readonly Row[], claimedAtMs: number): ClaimedDelivery[] {
    return rows.map((row): ClaimedDelivery => {
      const livemode = row['livemode'] as boolean;
      return {
        environmentId: idOf('env', row['environment_id'] as string),
        livemode,
        endpointId: idOf('we', row['endpoint_id'] as string),
        sequence: row['sequence'] as bigint,
        eventId: idOf('evt', row['id'] as string),
        body: this.options.renderEvent(row, livemode),
        claims: row['claims'] as number,
        inOrder: row['in_order'] as boolean,
        failures: row['failures'] as number,
        clockOffsetMs: Number(row['clock_offset_ms']),
        endpointsVersion: row['endpoints_version'] as bigint,
        claimedAtMs,
        isFresh: false,
        trace: row['traceparent'] as string | null,
      };
    });
  }

  private offer(deliveries: readonly ClaimedDelivery[]): void {
    if (deliveries.length === 0) return;
    const nowMs = performance.now();
    for (const delivery of deliveries) {
      if (this.isStopping) this.bookkeeping.book(givenBack(delivery));
      else this.queue.offer(delivery, nowMs);
    }
    this.pumpSoon();
  }

  /** Later, so that the callers of a commit get their answers first. */
  private pumpSoon(): void {
    if (this.isPumping) return;
    this.isPumping = true;
    setImmediate(() => {
      this.isPumping = false;
      this.pump();
    });
  }

  private pump(): void {
    if (this.isStopping) return;
    const nowMs = performance.now();
    this.queue.width = nowMs < this.busyUntilMs ? this.busyWidth : QUIET_WIDTH;
    this.queue.resume(nowMs);
    for (let next = this.queue.take(nowMs); next !== undefined; next = this.queue.take(nowMs)) void this.deliver(next);
    metrics.queuedDeliveries.set(this.queue.length);
    metrics.exchanges.set(this.queue.inFlight);
    if (this.isBehind && this.queue.room > QUEUE_LIMITS.capacity - CLAIM_LIMIT / 2) this.poller.wake();
    const resumeAtMs = this.queue.nextPauseEndsMs(nowMs);
    clearTimeout(this.pause);
    if (resumeAtMs !== undefined) this.pause = setTimeout(() => this.pump(), Math.ceil(resumeAtMs - nowMs));
  }

  /** One attempt and its result. Never rejects. */
  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    let outcome: Outcome = givenBack(delivery);
    let succeeded: boolean | null = null;
    claimedPoint();
    try {
      const known = this.targets.of(delivery, performance.now());
      const target = known instanceof Promise ? await known : known;
      const isLate = performance.now() - delivery.claimedAtMs > BEGIN_WITHIN_MS;
      if (target === null) outcome = { ...outcome, status: 'held' };
      else if (!isLate) {
        const attempt = await this.send(delivery, target);
        // A stop of this process broke the attempt: it does not count, and the next process sends the delivery again.
        if (!(this.isStopping && attempt.outcome === 'broken')) {
          outcome = this.judge(delivery, attempt);
          succeeded = outcome.succeeded;
          if (outcome.isGone) this.targets.close(delivery, performance.now());
          if (succeeded) answeredPoint();
        }
      }
    } catch (error) {
      this.options.onFault('A delivery could not be attempted; it will be claimed again', error);
      outcome = { ...outcome, delayMs: AFTER_FAULT_MS };
    }
    this.queue.done(delivery, succeeded, performance.now());
    this.bookkeeping.book(outcome);
    this.pumpSoon();
  }

  private async send(delivery: ClaimedDelivery, { url, secrets, headers: own, past, fault }: Target): Promise<Attempt> {
    const nowMs = Date.now();
    const environmentNowMs = nowMs + delivery.clockOffsetMs;
    const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > environmentNowMs);
    if (fault !== null || valid.length === 0) {
      return { ...UNSIGNED, startedAtMs: nowMs, error: fault ?? 'The endpoint has no signing secret.' };
    }
    const { eventId, livemode } = delivery;
    const body = past === null ? delivery.body : past.answer(delivery.body);
    const texts = valid.map(({ secret }) => secret);
    const headers = signatureHeaders(texts, eventId, unixSeconds(nowMs), body);
    const span = beginSpan(delivery);
    const traceparent = traceparentOf(delivery, span);
    const sent = traceparent === null ? { ...own, ...headers } : { ...own, ...headers, traceparent };
    const attempt = await this.options.sender.send({ url, livemode }, sent, body);
    if (span !== null) endSpan(span, attempt);
    return { ...attempt, response: attempt.response && withoutValues(attempt.response, Object.values(own)) };
  }

  private judge(delivery: ClaimedDelivery, attempt: Attempt): Outcome {
    metrics.attempts.inc({ outcome: attempt.outcome });
    const { startedAtMs, durationMs, outcome, httpStatus, response, error, retryAfter } = attempt;
    const booked = {
      delivery,
      isGone: httpStatus === 410,
      attempt: JSON.stringify({
        started_at: unixSeconds(startedAtMs + delivery.clockOffsetMs),
        duration_ms: Math.round(durationMs),
        outcome,
        http_status: httpStatus,
        response,
        error,
      }),
    };
    if (outcome === 'succeeded') {
      if (delivery.isFresh) metrics.latency.observe((performance.now() - delivery.claimedAtMs) / 1000);
      return { ...booked, succeeded: true, failed: false, status: 'succeeded', delayMs: 0, isGone: false };
    }
    const failure = { ...booked, succeeded: false, failed: true, delayMs: 0 };
    const failures = delivery.failures + 1;
    if (booked.isGone) return { ...failure, status: 'held' };
    if (delivery.inOrder && failures >= PARKED_AFTER_FAILURES) return { ...failure, status: 'parked' };
    const failedAtMs = startedAtMs + durationMs;
    const nextMs = nextAttemptAt({ failures, failedAtMs, retryAfter, chance: Math.random() });
    return nextMs === null
      ? { ...failure, status: 'failed' }
      : { ...failure, status: 'pending', delayMs: nextMs - failedAtMs };
  }
}

/** The delivery as it was before the claim: due at once, no attempt counted. */
function givenBack(delivery: ClaimedDelivery): Outcome {
  return { delivery, status: 'pending', delayMs: 0, attempt: null, failed: false, succeeded: false, isGone: false };
}

const UNSIGNED: Omit<Attempt, 'startedAtMs' | 'error'> = {
  durationMs: 0,
  outcome: 'broken',
  httpStatus: null,
  response: null,
  retryAfter: null,
};
