/**
 * Events that somebody had sent again (`POST /v1/events/:id/resend`, or an endpoint's `replay` of one event) while `bursar listen` runs. Each makes a replay
 * of its endpoint, and endpoints' replays are looked through every two seconds. Decision: docs/decisions/0068. Part of `listen.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bursar, BursarError, type WebhookReplay } from '../../../client/src/bursar.ts';
import type { Message } from '../../../client/src/stream.ts';
import { say } from './output.ts';

const LOOK_MS = 2_000;

/**
 * The sequences of single events that are sent again from now on, in the order of the requests of each endpoint. Ends with the signal. A server that
 * is away is asked again; a key that may not see endpoints ends it, and that is said.
 */
export async function* resentSequences(bursar: Bursar, signal: AbortSignal): AsyncGenerator<number> {
  /** Endpoint → its newest replay that is known; '' before the first. */
  let known: ReadonlyMap<string, string> | null = null;
  while (!signal.aborted) {
    try {
      const { replays, newest } = await lookThrough(bursar, known ?? new Map(), signal);
      if (known === null) say('Events that are sent again from now on are forwarded too.');
      else yield* sequencesIn(replays);
      known = newest;
    } catch (error) {
      if (BursarError.is(error, 'scope_missing'))
        return say(`Events that are sent again will not be forwarded: ${error.message}`);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** One request makes a replay for each endpoint that asks for the type: they are one sending. */
function sequencesIn(replays: readonly WebhookReplay[]): readonly number[] {
  const named = replays.filter(({ only }) => only === 'named');
  const requests = new Map(named.map((each) => [`${each.created} ${each.until_sequence}`, each.until_sequence]));
  return [...requests.values()];
}

interface Seen {
  /** New ones, oldest first. */
  readonly replays: readonly WebhookReplay[];
  readonly newest: ReadonlyMap<string, string>;
}

async function lookThrough(bursar: Bursar, known: ReadonlyMap<string, string>, signal: AbortSignal): Promise<Seen> {
  const replays: WebhookReplay[] = [];
  const newest = new Map<string, string>();
  for await (const { id } of bursar.webhookEndpoints.list({}, { signal, retries: 0 })) {
    const last = known.get(id);
    const filter = { limit: 100, ...(last !== undefined && last !== '' && { ending_before: last }) };
    const { data } = await bursar.webhookEndpoints.listReplays(id, filter, { signal, retries: 0 }).page();
    replays.push(...data.toReversed());
    newest.set(id, data[0]?.id ?? last ?? '');
  }
  return { replays, newest };
}

/** The event with this sequence as it was delivered; `null` where it is no longer kept. */
export async function eventAt(bursar: Bursar, sequence: number, signal: AbortSignal): Promise<Message | null> {
  const path = `/v1/events?after_sequence=${sequence - 1}&order=asc&limit=1`;
  const text = await (await bursar.request('GET', path, { signal })).text();
  const [event] = (JSON.parse(text) as { readonly data: readonly { readonly id: string; readonly sequence: number }[] })
    .data;
  if (event?.sequence !== sequence) return null;
  return { id: event.id, data: await (await bursar.request('GET', `/v1/events/${event.id}`, { signal })).text() };
}
