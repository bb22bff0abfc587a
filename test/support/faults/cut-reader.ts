/**
 * A reader of live events that is cut at any byte while many clients pay, and goes on with the last whole event that it got. Looks
 * without a wake-up are off, so that a lost wake-up shows. Used by `test/soak/stream-gaps.test.ts`, small, and by
 * `test/long/live-pages.test.ts`, at full size.
 */
import { type Application, startApplication } from '../harness/application.ts';
import { type EventStream, openStream } from '../harness/event-stream.ts';
import { eventually } from '../harness/eventually.ts';
import { furnish } from '../harness/fixtures.ts';
import type { Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import { seeded } from '../generators/seeded.ts';

const NEVER_MS = 3_600_000;
const CLIENTS = 32;
const CUT_WITHIN_BYTES = 60_000;
const PAIRS = 25;
/** Now and then one commit has more events than a page of the stream. */
const BATCH_EVERY = 100;
const BATCH_ITEMS = 150;

export interface CutReading {
  readonly payouts: number;
  /** How long an event may take to arrive once it is committed. */
  readonly withinMs: number;
  /** Of where the reader is cut. */
  readonly seed: number;
  /** How often; default: as often as at full size. */
  readonly cuts?: number;
}

/** Everything that is wrong with what a reader saw of the whole log; empty is right. */
export async function complaintsOfCutReader(reading: CutReading): Promise<string[]> {
  const application = await startApplication({ config: { streamPollMs: NEVER_MS } });
  try {
    return await complaintsOf(application, reading);
  } finally {
    await application.stop();
  }
}

async function complaintsOf(
  application: Application,
  { payouts, withinMs, seed, cuts = 20 }: CutReading,
): Promise<string[]> {
  const { address, sandbox, sql } = application;
  const chance = seeded(seed);
  const { client } = sandbox;
  const { rcp, acct } = await furnish(application, sandbox);
  must(await client.post(`/v1/test_helpers/accounts/${acct}/fund`, { amount: '1000000' }));
  const payout = { amount: '1', currency: 'EUR', recipient: rcp, account: acct };
  const pay = async () => must(await client.post('/v1/payouts', payout));
  const batch = { payouts: Array.from({ length: BATCH_ITEMS }, () => payout) };
  const newest = async () =>
    (must(await client.get('/v1/events?limit=1')).json['data'] as [Json])[0]['sequence'] as number;

  const seen: { readonly id: string; readonly sequence: number }[] = [];
  const cutAt: number[] = [];
  let done = false;
  let stream: EventStream | undefined;
  const read = async () => {
    while (!done) {
      const last = seen.at(-1);
      const from = last === undefined ? '0' : cutAt.length % 2 === 0 ? last.id : String(last.sequence);
      const cutAfterBytes =
        cutAt.length < cuts ? 1 + Math.floor(chance() * CUT_WITHIN_BYTES) : Number.POSITIVE_INFINITY;
      cutAt.push(cutAfterBytes);
      stream = await openStream(address, sandbox.key, '', { headers: { 'last-event-id': from }, cutAfterBytes });
      stream.onEvent(({ id, json }) => void seen.push({ id, sequence: json['sequence'] as number }));
      if (done) stream.cut();
      await stream.closed;
    }
  };
  const reading = read();
  const arrived = (sequence: number) => {
    const hasCome = () => (seen.at(-1)?.sequence ?? 0) >= sequence;
    return eventually(`${sequence} has arrived`, hasCome, { patienceMs: withinMs }).then(
      () => true,
      () => false,
    );
  };

  const complaints: string[] = [];
  let left = payouts;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) {
        if (left % BATCH_EVERY === 0) must(await client.post('/v1/payouts/batch', batch));
        else await pay();
      }
    }),
  );
  await arrived(await newest());
  // The second of two commits in a row is announced while the first is being read.
  for (let pair = 0; pair < PAIRS && complaints.length === 0; pair++) {
    await pay();
    await pay();
    const last = await newest();
    if (!(await arrived(last))) complaints.push(`${last} had not arrived, only ${seen.at(-1)?.sequence ?? 0}`);
  }
  done = true;
  stream?.cut();
  await reading;

  if (cutAt.length <= cuts) complaints.push(`only ${cutAt.length - 1} cuts`);
  const log = await sql(
    `SELECT sequence FROM events WHERE environment_id = (SELECT environment_id FROM api_keys WHERE last4 = $1)`,
    [sandbox.key.slice(-4)],
  );
  const sequences = seen.map(({ sequence }) => sequence);
  const wrong = sequences.findIndex((sequence, at) => sequence !== at + 1);
  if (wrong !== -1) complaints.push(`after ${wrong} came ${sequences[wrong]}`);
  if (new Set(seen.map(({ id }) => id)).size !== seen.length) complaints.push('an event came twice');
  if (sequences.length !== log.length) complaints.push(`${sequences.length} of ${log.length} events came`);
  return complaints.length === 0 ? [] : [...complaints, `seed ${seed}, cut at ${cutAt.join(', ')}`];
}
