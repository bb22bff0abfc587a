/**
 * What this process has in hand, and what goes next: a fair queue. Environments take turns, endpoints of an environment
 * take turns, first attempts go before repeated ones. However many endpoints are slow or broken, slots and room are left
 * for the others. In memory only; losing it loses nothing, since every entry is leased for a while (`webhooks/delivery.ts`).
 * No I/O, and no timer: whoever owns it calls `resume`, then `take` until it gives nothing.
 */
import type { ClaimedDelivery } from './delivery.ts';

export interface QueueLimits {
  /** Exchanges at once, all endpoints together. */
  readonly concurrency: number;
  /** Exchanges at once with one endpoint that works; {@link Queue.width} may say less for the moment. */
  readonly endpointConcurrency: number;
  /** Entries in memory, all endpoints together. */
  readonly capacity: number;
  /** Entries in memory of one endpoint that works. */
  readonly endpointCapacity: number;
}

/** An endpoint nobody has heard from begins with this many at once and gets one more with every success. */
const SLOW_START = 2;
/** Of an endpoint that fails, so that little of what it is sent waits here. */
const FAILING_CAPACITY = 2;
/** From this many failures in a row on, an endpoint is tried once in this time. */
const BREAKER_FAILURES = 10;
const BREAKER_PAUSE_MS = 1_000;
/** One in so many goes to a repeated attempt while first ones wait. */
const LATE_SHARE = 8;
/** Slots that endpoints which fail may hold together: one in so many. */
const FAILING_SHARE = 4;
/**
 * An endpoint gets a slot, or room for an entry, while what it has is less than this part of what is free. Limits for each
 * endpoint alone would not do: sixteen that hang would have all of it, and the next one would wait until they time out.
 */
const FREE_SLOTS_SHARE = 2;
const FREE_ROOM_SHARE = 8;

class Endpoint {
  readonly id: string;
  readonly fresh: Fifo = new Fifo();
  readonly late: Fifo = new Fifo();
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

/** A queue whose `shift` does not move the rest. */
class Fifo {
  private items: (ClaimedDelivery | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(item: ClaimedDelivery): void {
    this.items.push(item);
  }

  shift(): ClaimedDelivery | undefined {
    if (this.head === this.items.length) return undefined;
    const item = this.items[this.head];
    this.items[this.head++] = undefined;
    if (this.head > 64 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

/** Endpoints of one environment that may send now, in the order of their turns. */
interface Turns {
  readonly environmentId: string;
  readonly endpoints: Endpoint[];
}

export class Queue {
  /** Exchanges with one endpoint that may be begun for now; whoever changes it calls {@link resume}. */
  width: number;
  private readonly limits: QueueLimits;
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly ring: Turns[] = [];
  private readonly turns = new Map<string, Turns>();
  private readonly paused = new Set<Endpoint>();
  private count = 0;
  private flying = 0;
  private failingInFlight = 0;

  constructor(limits: QueueLimits) {
    this.limits = limits;
    this.width = limits.endpointConcurrency;
  }

  /** Entries waiting. */
  get length(): number {
    return this.count;
  }

  /** Exchanges under way. */
  get inFlight(): number {
    return this.flying;
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

  /** Endpoints with entries or a history, with the room each has left: what a claim must respect. */
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

  /** The next delivery to send, or `undefined` when nothing may go now. Its slot is held until {@link done}. */
  take(nowMs: number): ClaimedDelivery | undefined {
    if (this.flying >= this.limits.concurrency) return undefined;
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
      this.flying += 1;
      endpoint.inFlight += 1;
      if (endpoint.failuresInARow > 0) this.failingInFlight += 1;
      this.list(endpoint, nowMs);
      return delivery;
    }
    return undefined;
  }

  /**
   * Gives the slot of a taken delivery back. `null`: it was not sent, so nothing was learnt about the endpoint. Call
   * {@link resume} before the next {@link take}.
   */
  done({ endpointId }: ClaimedDelivery, succeeded: boolean | null, nowMs: number): void {
    const endpoint = this.endpoints.get(endpointId) as Endpoint;
    this.flying -= 1;
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
      this.paused.add(endpoint); // behind those that wait for the slot it had
    } else this.list(endpoint, nowMs);
    if (endpoint.waiting + endpoint.inFlight === 0 && endpoint.failuresInARow === 0 && this.endpoints.size > 1_000) {
      this.endpoints.delete(endpointId);
    }
  }

  /** When the next pause ends, or `undefined`. Endpoints that wait for a slot are not meant: `done` gives them theirs. */
  nextPauseEndsMs(nowMs: number): number | undefined {
    let next: number | undefined;
    for (const { notBeforeMs, waiting } of this.paused) {
      if (waiting > 0 && notBeforeMs > nowMs && (next === undefined || notBeforeMs < next)) next = notBeforeMs;
    }
    return next;
  }

  /** Puts endpoints whose pause is over, and those that waited for a slot, back in line. */
  resume(nowMs: number): void {
    const paused = [...this.paused];
    this.paused.clear();
    for (const endpoint of paused) this.list(endpoint, nowMs); // or it is paused again
  }

  /** Takes everything out that waits. */
  drain(): ClaimedDelivery[] {
    const all: ClaimedDelivery[] = [];
    for (const endpoint of this.endpoints.values()) {
      for (const fifo of [endpoint.fresh, endpoint.late]) {
        for (let item = fifo.shift(); item !== undefined; item = fifo.shift()) all.push(item);
      }
    }
    this.count = 0;
    return all;
  }

  private maySend(endpoint: Endpoint, nowMs: number): boolean {
    const { waiting, inFlight, limit, notBeforeMs, failuresInARow } = endpoint;
    if (waiting === 0 || inFlight >= Math.min(limit, this.width) || notBeforeMs > nowMs) return false;
    if (inFlight > 0 && inFlight * FREE_SLOTS_SHARE >= this.limits.concurrency - this.flying) return false;
    return failuresInARow === 0 || this.failingInFlight * FAILING_SHARE < this.limits.concurrency;
  }

  /** In line, if it has something to send and a slot for it. */
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
