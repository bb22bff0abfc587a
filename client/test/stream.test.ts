/** The event stream of the client, cut off, ended and silent: every event, once, in order. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { type Bursar, createClient, type Event } from '../src/bursar.ts';

let app: Application;
let bursar: Bursar;
let account: string;

beforeAll(async () => {
  app = await startApplication();
  bursar = createClient({ url: app.address, apiKey: app.sandbox.key });
  account = (await bursar.accounts.create({ currency: 'EUR' })).id;
});
afterAll(() => app.stop());

const fund = () => bursar.testHelpers.accounts.fund(account, { amount: '1' });
const newest = async () => (await bursar.events.list({ limit: 1 }).page()).data[0]?.sequence ?? 0;

/** A client whose streams break: `bytes` come of each, and then nothing, or an error. */
function breaking(bytes: number, how: 'cut' | 'silence'): Bursar {
  const fetchPart: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (typeof input !== 'string' || !input.includes('/stream') || response.body === null) return response;
    let left = bytes;
    const part = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (left > 0) controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0 && how === 'cut') controller.error(new Error('cut'));
      },
    });
    return new Response(response.body.pipeThrough(part), response);
  };
  return createClient({ url: app.address, apiKey: app.sandbox.key, fetch: fetchPart });
}

async function take(events: AsyncIterable<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}

const from = (start: number, count: number) => Array.from({ length: count }, (_, index) => start + index);

it.each(['cut', 'silence'] as const)('goes on behind the last event after a %s', async (how) => {
  const start = await newest();
  for (let count = 0; count < 8; count += 1) await fund();
  const reasons: unknown[] = [];
  const options = { silentMs: 300, onReconnect: (reason: unknown) => reasons.push(reason) };
  const events = await take(breaking(2_500, how).events.stream({ after_sequence: start }, options), 8);
  expect(events.map(({ sequence }) => sequence)).toEqual(from(start + 1, 8));
  expect(reasons.length).toBeGreaterThan(1);
  expect(String(reasons[0])).toContain(how === 'cut' ? 'cut' : 'silent for 300 ms');
});

it('begins now, and loses nothing that happens before it is open', async () => {
  const start = await newest();
  const stream = bursar.events.stream();
  let isOver = false;
  const first = take(stream, 3).finally(() => (isOver = true));
  // Until three came: what happens before it has asked where "now" is, is not of them.
  while (!isOver) await fund();
  const sequences = (await first).map(({ sequence }) => sequence);
  expect(sequences).toEqual(from(sequences[0] as number, 3));
  expect(sequences[0]).toBeGreaterThan(start);
});

it('filters, and goes on from an id', async () => {
  const { data } = await bursar.events.list({ limit: 3 }).page();
  const options = { lastEventId: data[2]?.id };
  const events = await take(bursar.events.stream({ types: ['balance.*'] }, options), 2);
  expect(events.map(({ id }) => id)).toEqual([data[1]?.id, data[0]?.id]);
});

it('ends at once where its signal came while an event was looked at', async () => {
  // As on Node 20, whose `fetch` forgets the signal once the request has been collected as garbage.
  const forgetful: typeof fetch = (input, init) => fetch(input, { ...init, signal: null });
  const { events } = createClient({ url: app.address, apiKey: app.sandbox.key, fetch: forgetful });
  const start = await newest();
  await fund();
  const over = new AbortController();
  const seen: number[] = [];
  for await (const { sequence } of events.stream({ after_sequence: start }, { signal: over.signal })) {
    seen.push(sequence);
    over.abort();
  }
  expect(seen).toEqual([start + 1]);
});

it('ends loudly when it is refused, and quietly with its signal', async () => {
  const stranger = createClient({ url: app.address, apiKey: 'sk_test_wrong' });
  await expect(take(stranger.events.stream(), 1)).rejects.toMatchObject({ status: 401 });
  const beyond = take(bursar.events.stream({ after_sequence: 99_999 }), 1);
  await expect(beyond).rejects.toMatchObject({ code: 'sequence_unknown' });
  const over = new AbortController();
  setTimeout(() => over.abort(), 100);
  expect(await take(bursar.events.stream({}, { signal: over.signal }), 1)).toEqual([]);
});
