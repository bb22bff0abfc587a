/**
 * A fair queue of the deliveries that this process has claimed: environments take turns, endpoints of an environment
 * take turns, first attempts go before repeated ones. Slow or broken endpoints, however many, leave slots and room for
 * the others. In memory only, without I/O and timers: the owner calls `resume`, then `take` until it returns nothing.
 */
import type { ClaimedDelivery } from './delivery.ts';

export interface QueueLimits {
  /** Exchanges at once, with all endpoints together. */
  readonly concurrency: number;
  /** Exchanges at once with one endpoint that works; {@link Queue.width} may be lower for a while. */
  readonly endpointConcurrency: number;
  /** Entries in memory, all endpoints together. */
  readonly capacity: number;
  /** Entries in memory of one endpoint that works. */
  readonly endpointCapacity: number;
}

/** A new endpoint begins with this many exchanges at once; each success allows one more. */
const SLOW_START = 2;
/** Entries in memory of an endpoint that fails. */
const FAILING_CAPACITY = 2;
/** After this many failures in a row, an endpoint is tried once in {@link BREAKER_PAUSE_MS}. */
const BREAKER_FAILURES = 10;
const BREAKER_PAUSE_MS = 1_000;
/** While first attempts wait, one attempt in so many is a repeated one. */
const LATE_SHARE = 8;
/** All failing endpoints together hold one slot in so many. */
const FAILING_SHARE = 4;
/**
 * Shares of the free slots and of the free room that one endpoint may hold: sixteen that hang must not hold everything.
 */
const FREE_SLOTS_SHARE = 2;
const FREE_ROOM_SHARE = 8;

class Endpoint {
  readonly id: string;
  /** First attempts, and repeated ones, in order of arrival: a few hundred at most, so `shift` is cheap. */
  readonly fresh: ClaimedDelivery[] = [];
  readonly late: ClaimedDelivery[] = [];
  readonly environmentId: string;
  inFlight = 0;
  limit = SLOW_START;
  failuresInARow = 0;
  notBeforeMs = 0;
  taken = 0;
  isListed = false;

  constructor(id: string, environmentId: string) {
    this.id = id;
    this.environmentId = environmentId;
  }

  get waiting(): number {
    return this.fresh.length + this.late.length;
  }

  next(): ClaimedDelivery | undefined {
    this.taken += 1;
    const isLatesTurn = this.fresh.length === 0 || this.taken % LATE_SHARE === 0;
    return (isLatesTurn && this.late.length > 0 ? this.late : this.fresh).shift();
  }
}

/** The endpoints of one environment that may send now, in the order of their turns. */
interface Turns {
  readonly environmentId: string;
  readonly endpoints: Endpoint[];
}

export class Queue {
  /** Exchanges that one endpoint may have at present. Call {@link resume} after a change. */
  width: number;
  private readonly limits: QueueLimits;
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly ring: Turns[] = [];
  private readonly turns = new Map<string, Turns>();
  private readonly paused = new Set<Endpoint>();
  private count = 0;
  private slotsTaken = 0;
  private failingInFlight = 0;

  constructor(limits: QueueLimits) {
    this.limits = limits;
    this.width = limits.endpointConcurrency;
  }

  /** Entries waiting. */
  get length(): number {
    return this.count;
  }

  /** Exchanges in flight. */
  get inFlight(): number {
    return this.slotsTaken;
  }

  /** How many more entries fit. */
  get room(): number {
    return Math.max(0, this.limits.capacity - this.count);
  }

  /** How many more of one endpoint fit. */
  roomFor(endpointId: string): number {
    const capacity = Math.min(this.limits.endpointCapacity, Math.ceil(this.room / FREE_ROOM_SHARE));
    const endpoint = this.endpoints.get(endpointId);
    if (!endpoint) return capacity;
    const own = endpoint.failuresInARow > 0 ? Math.min(FAILING_CAPACITY, capacity) : capacity;
    return Math.max(0, own - endpoint.waiting - endpoint.inFlight);
  }

  /** The room of each known endpoint; a claim takes no more. */
  rooms(): ReadonlyMap<string, number> {
    return new Map([...this.endpoints.keys()].map((id) => [id, this.roomFor(id)]));
  }

  offer(delivery: ClaimedDelivery, nowMs: number): void {
    let endpoint = this.endpoints.get(delivery.endpointId);
    if (!endpoint) {
      endpoint = new Endpoint(delivery.endpointId, delivery.environmentId);
      this.endpoints.set(delivery.endpointId, endpoint);
    }
    (delivery.failures === 0 ? endpoint.fresh : endpoint.late).push(delivery);
    this.count += 1;
    this.list(endpoint, nowMs);
  }

  /** The next delivery to send, or `undefined` when none may be sent now. It holds a slot until {@link done}. */
  take(nowMs: number): ClaimedDelivery | undefined {
    if (this.slotsTaken >= this.limits.concurrency) return undefined;
    while (this.ring.length > 0) {
      const environment = this.ring.shift() as Turns;
      const endpoint = environment.endpoints.shift() as Endpoint;
      endpoint.isListed = false;
      if (environment.endpoints.length > 0) this.ring.push(environment);
      else this.turns.delete(environment.environmentId);
      if (!this.maySend(endpoint, nowMs)) {
        this.paused.add(endpoint);
        continue;
      }
      const delivery = endpoint.next() as ClaimedDelivery;
      this.count -= 1;
      this.slotsTaken += 1;
      endpoint.inFlight += 1;
      if (endpoint.failuresInARow > 0) this.failingInFlight += 1;
      this.list(endpoint, nowMs);
      return delivery;
    }
    return undefined;
  }

  /**
   * Frees the slot of a taken delivery. `succeeded`: `null` without an attempt. Call {@link resume} before {@link
   * take}.
   */
  done({ endpointId }: ClaimedDelivery, succeeded: boolean | null, nowMs: number): void {
    const endpoint = this.endpoints.get(endpointId) as Endpoint;
    this.slotsTaken -= 1;
    endpoint.inFlight -= 1;
    const wasFailing = endpoint.failuresInARow > 0;
    if (wasFailing) this.failingInFlight -= endpoint.inFlight + 1;
    if (succeeded === true) {
      endpoint.failuresInARow = 0;
      endpoint.limit = wasFailing ? SLOW_START : Math.min(endpoint.limit + 1, this.limits.endpointConcurrency);
    } else if (succeeded === false) {
      endpoint.failuresInARow += 1;
      endpoint.limit = 1;
      if (endpoint.failuresInARow >= BREAKER_FAILURES) endpoint.notBeforeMs = nowMs + BREAKER_PAUSE_MS;
    }
    if (endpoint.failuresInARow > 0) {
      this.failingInFlight += endpoint.inFlight;
      this.paused.add(endpoint); // endpoints that wait for its slot go first
    } else this.list(endpoint, nowMs);
    if (endpoint.waiting + endpoint.inFlight === 0 && endpoint.failuresInARow === 0 && this.endpoints.size > 1_000) {
      this.endpoints.delete(endpointId);
    }
  }

  /** When the next pause of a failing endpoint ends, or `undefined`. Endpoints that wait for a slot get it after `done`. */
  nextPauseEndsMs(nowMs: number): number | undefined {
    let next: number | undefined;
    for (const { notBeforeMs, waiting } of this.paused) {
      if (waiting > 0 && notBeforeMs > nowMs && (next === undefined || notBeforeMs < next)) next = notBeforeMs;
    }
    return next;
  }

  /** Gives turns again to endpoints whose pause is over, and to those that waited for a slot. */
  resume(nowMs: number): void {
    const paused = [...this.paused];
    this.paused.clear();
    for (const endpoint of paused) this.list(endpoint, nowMs); // or pauses it again
  }

  /** Removes and returns all waiting entries. */
  drain(): ClaimedDelivery[] {
    this.count = 0;
    return [...this.endpoints.values()].flatMap(({ fresh, late }) => [...fresh.splice(0), ...late.splice(0)]);
  }

  private maySend(endpoint: Endpoint, nowMs: number): boolean {
    const { waiting, inFlight, limit, notBeforeMs, failuresInARow } = endpoint;
    if (waiting === 0 || inFlight >= Math.min(limit, this.width) || notBeforeMs > nowMs) return false;
    if (inFlight > 0 && inFlight * FREE_SLOTS_SHARE >= this.limits.concurrency - this.slotsTaken) return false;
    return failuresInARow === 0 || this.failingInFlight * FAILING_SHARE < this.limits.concurrency;
  }

  /** Gives the endpoint a turn if it has something to send, and pauses it if it may not send now. */
  private list(endpoint: Endpoint, nowMs: number): void {
    if (endpoint.isListed || endpoint.waiting === 0 || endpoint.inFlight >= endpoint.limit) return;
    if (!this.maySend(endpoint, nowMs)) {
      this.paused.add(endpoint);
      return;
    }
    let turns = this.turns.get(endpoint.environmentId);
    if (!turns) {
      turns = { environmentId: endpoint.environmentId, endpoints: [] };
      this.turns.set(endpoint.environmentId, turns);
      this.ring.push(turns);
    }
    turns.endpoints.push(endpoint);
    endpoint.isListed = true;
  }
}
