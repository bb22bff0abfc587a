/** Receivers of `deliveries.ts`: they remember what they took, refuse some of it, and can be held. Next: `receiver.ts`. */
import type { Chance } from '../generators/seeded.ts';
import { answers, type Behaviour, type Receiver, startReceiver } from './receiver.ts';

/** No event is refused more often in a row: its retries would take days of the sandbox clock. */
const REFUSED_AT_MOST = 4;
/** Long enough that something is always on its way. */
const ANSWER_MS = 2;

/** A receiver that remembers which events it took. */
export interface Party {
  readonly name: string;
  readonly receiver: Receiver;
  /** Event id to how often it was answered with 2xx. */
  readonly taken: Map<string, number>;
  /** Called once, at the next delivery, which is never answered. */
  trap: (() => void) | null;
  /** Answers wait for it. */
  gate: Promise<void> | null;
}

export async function startParty(name: string, chance: Chance, refusedShare: number): Promise<Party> {
  const refused = new Map<string, number>();
  const party: Party = { name, receiver: await startReceiver(), taken: new Map(), trap: null, gate: null };
  const answer: Behaviour = (received, response) => {
    const id = received.headers['webhook-id'] as string;
    const times = refused.get(id) ?? 0;
    const isRefused = times < REFUSED_AT_MOST && chance() < refusedShare;
    if (isRefused) refused.set(id, times + 1);
    setTimeout(() => {
      if (response.destroyed) return; // the sender waits no more
      if (!isRefused) party.taken.set(id, (party.taken.get(id) ?? 0) + 1);
      answers(isRefused ? 503 : 204)(received, response);
    }, ANSWER_MS);
  };
  party.receiver.behaviour = (received, response) => {
    const { trap, gate } = party;
    party.trap = null;
    if (gate !== null) void gate.then(() => answer(received, response));
    else if (trap === null) answer(received, response);
    else trap(); // and never answers
  };
  return party;
}

/** Holds the answer to the next delivery of a party back until the same delivery has come once more. */
export function holdFirst({ receiver }: Party): Promise<void> {
  const { behaviour } = receiver;
  let first: Parameters<Behaviour> | undefined;
  return new Promise((resolve) => {
    receiver.behaviour = (...given) => {
      const [held] = first ?? [];
      if (held === undefined) {
        first = given;
        return;
      }
      if (first !== undefined && held.headers['webhook-id'] === given[0].headers['webhook-id']) {
        receiver.behaviour = behaviour;
        behaviour(...first);
        resolve();
      }
      behaviour(...given);
    };
  });
}
