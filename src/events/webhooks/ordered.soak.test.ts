/**
 * Ordered endpoints over a whole application: one delivery in flight, strictly in order of sequence whatever fails, and a
 * delivery that cannot be made is taken out of the way. Control: an endpoint that is not ordered does not pass.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { nextAt } from '../../../test/support/faults/stop-at.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { answers, type Behaviour, type Received } from '../../../test/support/webhooks/receiver.ts';
import { eventsAt, onScene, type Scene, settled, soon } from '../../../test/support/webhooks/webhook-scene.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application.stop());
const scene = (test: (scene: Scene) => Promise<void>) => onScene(() => application, test);

interface Watched {
  readonly behaviour: Behaviour;
  /** Sequences in the order of arrival, with what was answered. */
  readonly arrivals: { readonly sequence: number; readonly status: number }[];
  /** What broke the order, in words. */
  readonly complaints: string[];
}

const sequenceOf = (received: Received) => (JSON.parse(received.body) as { sequence: number }).sequence;

/** A receiver that takes a few milliseconds and fails where told; it complains of whatever comes out of order. */
function watched(fails: (sequence: number, attempt: number) => boolean): Watched {
  const arrivals: Watched['arrivals'] = [];
  const complaints: string[] = [];
  let inFlight = 0;
  let done = 0;
  return {
    arrivals,
    complaints,
    behaviour: (received, response) => {
      const sequence = sequenceOf(received);
      const attempt = 1 + arrivals.filter((each) => each.sequence === sequence).length;
      const status = fails(sequence, attempt) ? 500 : 204;
      const last = arrivals.at(-1);
      inFlight += 1;
      if (inFlight > 1) complaints.push(`${inFlight} in flight with ${sequence}`);
      if (sequence <= done) complaints.push(`${sequence} came after ${done} had been taken`);
      if (last?.status === 500 && last.sequence !== sequence) complaints.push(`${sequence} overtook ${last.sequence}`);
      arrivals.push({ sequence, status });
      setTimeout(() => {
        inFlight -= 1;
        if (status === 204) done = sequence;
        response.writeHead(status).end();
      }, 3);
    },
  };
}

async function burst({ client }: Scene, count: number): Promise<void> {
  const replies = Array.from({ length: count }, () => client.post('/v1/accounts', { currency: 'EUR' }));
  for (const reply of await Promise.all(replies)) must(reply);
}

/** Forty events, some of which fail once or twice; the clock moves on until all are through. */
async function follow(all: Scene, ordered: boolean): Promise<Watched> {
  const receiver = watched((sequence, attempt) => sequence % 17 === 0 && attempt <= (sequence % 2 === 0 ? 1 : 2));
  const made = await all.endpoint(receiver.behaviour, { ordered });
  await burst(all, 40);
  let isOver = false;
  const moving = (async () => {
    while (!isOver) {
      await all.advance(70);
      await nextAt('deliveries.looked_after');
    }
  })();
  await settled(made, 'succeeded').finally(() => {
    isOver = true;
  });
  await moving;
  expect(receiver.arrivals.filter(({ status }) => status === 204)).toHaveLength(40);
  expect(receiver.arrivals.some(({ status }) => status === 500)).toBe(true);
  return receiver;
}

describe.concurrent('an ordered endpoint', () => {
  it(
    'gets one at a time, strictly in order, while some fail',
    scene(async (all) => {
      expect((await follow(all, true)).complaints).toEqual([]);
    }),
  );

  it(
    'control: one that is not ordered does not',
    scene(async (all) => {
      expect((await follow(all, false)).complaints).not.toEqual([]);
    }),
  );

  it(
    'goes on behind a delivery that failed five times, and the others are told',
    scene(async (all) => {
      const { endpoint, events, advance } = all;
      let blocked = 0;
      const receiver = watched((sequence) => sequence === blocked);
      const made = await endpoint(receiver.behaviour, { ordered: true });
      const watching = await endpoint(answers(204), { enabled_events: ['webhook_endpoint.delivery_parked'] });
      await events(1);
      await settled(made, 'succeeded', 1);
      blocked = (receiver.arrivals[0]?.sequence as number) + 1;
      await events(4);
      for (const [attempt, seconds] of [6, 70, 340, 2_000].entries()) {
        await soon(async () => expect((await made.deliveries())[1]?.attempts).toHaveLength(attempt + 1));
        expect((await made.deliveries()).map(({ status }) => status)).toEqual([
          'succeeded',
          ...Array.from({ length: 4 }, () => 'pending'),
        ]);
        await advance(seconds);
      }
      await settled(made, ['succeeded', 'parked', 'succeeded', 'succeeded', 'succeeded']);
      await watching.at.count(1);
      expect(eventsAt(watching.at)[0]).toMatchObject({
        type: 'webhook_endpoint.delivery_parked',
        data: { object: { id: made.id, ordered: true, status: 'enabled' } },
      });
      expect(receiver.arrivals.map(({ sequence }) => sequence - blocked)).toEqual([-1, 0, 0, 0, 0, 0, 1, 2, 3]);
      const [, parked] = await made.deliveries();
      expect(parked?.attempts).toHaveLength(5);
      expect(parked?.next_attempt_at).toBeNull();

      blocked = 0;
      await made.ask('replay');
      await settled(made, 'succeeded');
      expect(receiver.arrivals).toHaveLength(10);
      expect(watching.at.received).toHaveLength(1);
    }),
  );

  it(
    'that becomes ordered is so for what happens from then on',
    scene(async (all) => {
      const receiver = watched(() => false);
      const made = await all.endpoint(receiver.behaviour);
      await burst(all, 10);
      await settled(made, 'succeeded', 1);
      must(await all.client.post(made.path, { ordered: true }));
      receiver.complaints.length = 0;
      await burst(all, 30);
      await settled(made, 'succeeded', 1);
      expect(receiver.complaints).toEqual([]);
      expect(receiver.arrivals).toHaveLength(40);
    }),
  );
});
