/**
 * The deliveries of a batch's events. Their rows are inserted in its transaction. Deliveries that the dispatcher of this process
 * has room for are leased to it at once and handed over after COMMIT, so that an event is sent without another look at the
 * database. The others wait in their table. Next: `events/webhooks/dispatcher.ts`.
 */
import type { Occurred, State, Subscription } from '../core/state.ts';
import { renderEventParts } from '../events/log/schema.ts';
import { previousJson } from '../events/log/sql.ts';
import { type ClaimedDelivery, type Committed, LEASE_MS, type Outbox } from '../events/webhooks/delivery.ts';
import type { NewDelivery } from '../events/webhooks/sql.ts';
import { renderEventObject } from './render.ts';

/** A delivery on its way into its table, with what handing it over needs. */
export interface Outgoing extends NewDelivery {
  readonly state: State;
  readonly occurred: Occurred;
}

export function outgoingOf(states: readonly State[], outbox: Outbox): readonly Outgoing[] {
  const rooms = new Map<string, number>();
  const leaseFor = ({ endpoint, ordered, enabled }: Subscription): number => {
    if (ordered || !enabled) return 0;
    const room = rooms.get(endpoint) ?? outbox.roomFor(endpoint);
    rooms.set(endpoint, room - 1);
    return room > 0 ? LEASE_MS : 0;
  };
  return states.flatMap((state) =>
    state.deliveries.map(({ subscription, occurred }) => ({
      environmentId: state.environment.id,
      endpointId: subscription.endpoint,
      sequence: occurred.event.sequence,
      inOrder: subscription.ordered,
      createdAt: occurred.event.createdAt,
      leaseMs: leaseFor(subscription),
      status: subscription.enabled ? ('pending' as const) : ('held' as const),
      trace: occurred.origin.trace ?? null,
      state,
      occurred,
    })),
  );
}

/** The notification about a committed batch of `commands`. `sentAtMs`: when its transaction was sent, process clock. */
export function committedOf(
  states: readonly State[],
  outgoing: readonly Outgoing[],
  commands: number,
  sentAtMs: number,
): Committed {
  const bodies = new Map<Occurred, string>();
  const bodyOf = ({ occurred, state }: Outgoing): string => {
    const body = bodies.get(occurred) ?? bodyOfEvent(occurred, state);
    bodies.set(occurred, body);
    return body;
  };
  const handedOver = outgoing
    .filter(({ leaseMs }) => leaseMs > 0)
    .map((each): ClaimedDelivery => {
      const { environmentId, endpointId, sequence, state, occurred, trace } = each;
      const { livemode, clockOffsetMs, endpointsVersion } = state.environment;
      return {
        environmentId,
        livemode,
        endpointId,
        sequence,
        eventId: occurred.event.id,
        body: bodyOf(each),
        claims: 1,
        inOrder: false, // an ordered endpoint gets one at a time, from the database
        failures: 0,
        clockOffsetMs,
        endpointsVersion,
        claimedAtMs: sentAtMs,
        isFresh: true,
        trace,
      };
    });
  return {
    environmentIds: states.map((state) => state.environment.id),
    commands,
    handedOver,
    inOrder: outgoing
      .filter(({ inOrder }) => inOrder)
      .map(({ environmentId, endpointId: id }) => ({ environmentId, id })),
    hasMore: outgoing.some(({ leaseMs, inOrder, status }) => leaseMs === 0 && !inOrder && status === 'pending'),
    hasReplay: states.some(
      (state) =>
        state.environment.endpointsVersion > 0n &&
        [...state.created.values()].some(({ object }) => object === 'webhook_replay'),
    ),
  };
}

function bodyOfEvent({ event, origin }: Occurred, state: State): string {
  const { id, type, createdAt, sequence, object, transfer } = event;
  const text = renderEventObject(object, state);
  const parts = { id, type, createdAt, sequence, object: text, previous: previousJson(event), transfer };
  return renderEventParts({ ...parts, ...origin }, state.environment.livemode);
}
