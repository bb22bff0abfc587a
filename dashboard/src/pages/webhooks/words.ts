/** The health of an endpoint, and the progress of sending again, in words. Pure. */

export interface EndpointState {
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly first_failed_at: number | null;
}

export type Health = 'good' | 'bad' | 'wait' | 'off';

/** What the newest deliveries of an endpoint say of it, beside its own state. */
export interface Recent {
  readonly succeeded: number;
  readonly failing: number;
  /** The newest attempt that failed, in words. */
  readonly lastFault: string | null;
}

const DISABLED: Readonly<Record<string, string>> = {
  failing: 'By itself, after five days without a success. ',
  gone: 'By itself, since it answered 410 Gone. ',
};

/** The state of an endpoint as one sentence after a word, and how it is marked. `since` is the shown form of `first_failed_at`. */
export function healthOf(endpoint: EndpointState, recent: Recent | null, since: string): readonly [Health, string] {
  if (endpoint.status === 'disabled') {
    const reason = DISABLED[endpoint.disabled_reason ?? ''] ?? '';
    return ['off', `${reason}Its deliveries are held until it is enabled and they are sent again.`];
  }
  const fault = recent?.lastFault == null ? '' : ` ${recent.lastFault}.`;
  if (endpoint.first_failed_at !== null) return ['bad', `Since ${since}.${fault}`];
  if (recent === null || recent.succeeded + recent.failing === 0) return ['wait', 'Nothing was sent to it yet.'];
  const total = recent.succeeded + recent.failing;
  if (recent.failing > 0) {
    return ['wait', `${recent.failing} of the last ${total} deliveries did not arrive yet.${fault}`];
  }
  return ['good', total === 1 ? 'The last delivery arrived.' : `All of the last ${total} deliveries arrived.`];
}

/** From 0 to 1; a range without width is done. */
export function replayShare(replay: {
  readonly after_sequence: number;
  readonly until_sequence: number;
  readonly reached_sequence: number;
  readonly status: string;
}): number {
  const width = replay.until_sequence - replay.after_sequence;
  if (replay.status === 'completed' || width <= 0) return 1;
  return Math.min(1, Math.max(0, (replay.reached_sequence - replay.after_sequence) / width));
}
