/**
 * Deliveries over a whole application and real receivers: what arrives and how it is signed, when it is tried again, what
 * is written down, and that no endpoint is in another's way. When endpoints fail for long: `endpoint-health.test.ts`;
 * ordered ones: `ordered.soak.test.ts`. Nothing lost in a crash: `test/soak/deliveries.test.ts`. How quick: `test/long/delivery-speed.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { verifies } from '../../../test/support/webhooks/endpoints.ts';
import { answers, type Behaviour, startReceiver } from '../../../test/support/webhooks/receiver.ts';
import {
  lookedAfter,
  onScene,
  type Scene,
  settled,
  soon,
  typesAt,
} from '../../../test/support/webhooks/webhook-scene.ts';
import { RETRY_DELAYS_MS } from './retry.ts';

const JITTER = 1.1;

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application.stop());
const scene = (test: (scene: Scene) => Promise<void>) => onScene(() => application, test);

/** Answers each event with these statuses in turn, and then with the last one for ever. */
function inTurn(...statuses: readonly number[]): Behaviour {
  const attempts = new Map<string, number>();
  return (received, response) => {
    const id = received.headers['webhook-id'] as string;
    const attempt = attempts.get(id) ?? 0;
    attempts.set(id, attempt + 1);
    answers(statuses[Math.min(attempt, statuses.length - 1)] as number)(received, response);
  };
}

describe.concurrent('a delivery', () => {
  it(
    'is the event, signed so that receivers verify it',
    scene(async ({ client, endpoint, events }) => {
      const { at, secret } = await endpoint();
      const before = unixSeconds(Date.now());
      await events(5);
      await at.count(5);
      const kept = must(await client.get('/v1/events?type=account.created&order=asc')).json['data'] as { id: string }[];
      expect(at.ids().toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
      for (const received of at.received) {
        const { headers, body } = received;
        expect(verifies(received, secret)).toBe(true);
        expect(verifies({ ...received, body: body.replace('EUR', 'USD') }, secret)).toBe(false);
        expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
        expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before);
        expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(unixSeconds(Date.now()));
        expect(body).toBe((await client.get(`/v1/events/${headers['webhook-id'] as string}`)).text);
      }
    }),
  );

  it(
    'has the same bytes at every attempt, whoever claimed it, and a fresh signature',
    scene(async ({ client, endpoint, events, advance }) => {
      const made = await endpoint(inTurn(500, 500, 200));
      const { at, secret } = made;
      await events();
      await settled(made, 'pending', 1);
      await advance(6);
      await settled(made, 'pending', 2);
      await advance(70);
      await at.count(3);
      expect(new Set(at.received.map(({ body }) => body)).size).toBe(1);
      expect(new Set(at.ids()).size).toBe(1);
      expect(at.received.every((received) => verifies(received, secret))).toBe(true);
      expect(at.received[0]?.body).toBe((await client.get(`/v1/events/${at.ids()[0] as string}`)).text);
      const [delivery] = await settled(made, 'succeeded', 3);
      expect(delivery?.attempts.map(({ http_status: status }) => status)).toEqual([500, 500, 200]);
      expect(delivery?.next_attempt_at).toBeNull();
    }),
  );

  it(
    'goes to those who ask for its type, and about an endpoint itself to others only',
    scene(async ({ client, endpoint, events }) => {
      const everything = await endpoint(answers(204), { enabled_events: ['*'] });
      const recipients = await endpoint(answers(204), { enabled_events: ['recipient.*', 'account.closed'] });
      await events();
      must(await client.post(recipients.path, { description: 'changed' }));
      const made = must(await client.post('/v1/accounts', { currency: 'USD' })).json['id'] as string;
      must(await client.post(`/v1/accounts/${made}/close`));
      await recipients.at.count(1);
      await everything.at.count(5);
      expect(typesAt(recipients.at)).toEqual(['account.closed']);
      expect(typesAt(everything.at).toSorted()).toEqual(
        [
          'webhook_endpoint.created',
          'account.created',
          'webhook_endpoint.updated',
          'account.created',
          'account.closed',
        ].toSorted(),
      );
    }),
  );

  it(
    'that is a ping goes to its endpoint alone, whatever types it asks for',
    scene(async ({ endpoint, events }) => {
      const everything = await endpoint(answers(204), { enabled_events: ['*'] });
      const payouts = await endpoint(answers(204), { enabled_events: ['payout.*'] });
      const { id, event } = await payouts.ask('test');
      await payouts.at.count(1);
      expect(payouts.at.ids()).toEqual([event]);
      expect(await settled(payouts, 'succeeded', 1)).toMatchObject([{ id, event, event_type: 'ping' }]);
      await events(1);
      await everything.at.count(2);
      expect(typesAt(everything.at).toSorted()).toEqual(['account.created', 'webhook_endpoint.created']);
    }),
  );
});

describe.concurrent('the schedule, by the sandbox clock', () => {
  it(
    'is kept from the first attempt on',
    scene(async ({ endpoint, events, advance }) => {
      const made = await endpoint(answers(500));
      await events();
      for (let attempt = 1; attempt <= 5; attempt++) {
        const [delivery] = await settled(made, 'pending', attempt);
        const delaySeconds = (RETRY_DELAYS_MS[attempt] as number) / 1000;
        const lastSeconds = delivery?.attempts.at(-1)?.started_at as number;
        const waits = (delivery?.next_attempt_at as number) - lastSeconds;
        expect(waits).toBeGreaterThanOrEqual(delaySeconds - 1);
        if (attempt === 2) {
          await advance(delaySeconds - 10);
          await lookedAfter();
          expect(made.at.received).toHaveLength(attempt); // not before it is due
        }
        await advance(Math.ceil(delaySeconds * JITTER) + 1); // and no later
        await made.at.count(attempt + 1);
      }
    }),
  );

  it(
    'ends with the sixteenth attempt',
    scene(async ({ environmentId, endpoint, events, advance }) => {
      const made = await endpoint(answers(503));
      await events();
      await settled(made, 'pending', 1);
      await application.sql('UPDATE deliveries SET failures = 14 WHERE environment_id = $1', [uuidOf(environmentId)]);
      await advance(6);
      const [delivery] = await settled(made, 'pending', 2);
      const waits = (delivery?.next_attempt_at as number) - (delivery?.attempts.at(-1)?.started_at as number);
      expect(waits).toBeGreaterThanOrEqual(86_400 - 1);
      await advance(Math.ceil(86_400 * JITTER) + 1);
      expect(await settled(made, 'failed', 3)).toMatchObject([{ next_attempt_at: null }]);
      await advance(10 * 86_400);
      await lookedAfter();
      expect(made.at.received).toHaveLength(3);
      expect(await made.now()).toMatchObject({ status: 'enabled' });
    }),
  );

  it(
    'waits longer when the receiver asks for it with Retry-After, and never shorter',
    scene(async ({ endpoint, events }) => {
      const waits = async (retryAfter: string) => {
        const made = await endpoint(answers(503, { 'retry-after': retryAfter }));
        await events();
        const [delivery] = await settled(made, 'pending', 1);
        return (delivery?.next_attempt_at as number) - (delivery?.attempts[0]?.started_at as number);
      };
      const [asked, short] = [await waits('600'), await waits('1')];
      expect(asked).toBeGreaterThanOrEqual(599);
      expect(short).toBeGreaterThanOrEqual(4); // the first step of the schedule
      expect(short).toBeLessThan(60); // and not the second
    }),
  );
});

describe.concurrent('an attempt is written down', () => {
  it(
    'with status, body and why it failed',
    scene(async ({ endpoint, events }) => {
      const before = unixSeconds(Date.now());
      const elsewhere = await startReceiver();
      const redirects = await endpoint(answers(307, { location: elsewhere.url }));
      const complains = await endpoint((_, response) => void response.writeHead(422).end('{"no": "thanks"}'));
      const breaks = await endpoint((_, response) => void response.destroy());
      const gone = await endpoint();
      await gone.at.stop();
      await events();
      const attemptOf = async (made: Awaited<ReturnType<Scene['endpoint']>>) =>
        (await settled(made, 'pending', 1))[0]?.attempts[0];
      const complained = await attemptOf(complains);
      expect(complained).toMatchObject({ outcome: 'status', http_status: 422 });
      expect(complained?.error).toMatch(/answered 422/);
      expect(complained?.started_at).toBeGreaterThanOrEqual(before);
      expect(complained?.started_at).toBeLessThanOrEqual(unixSeconds(Date.now()));
      const redirected = await attemptOf(redirects);
      expect(redirected).toMatchObject({ outcome: 'status', http_status: 307 });
      expect(redirected?.error).toMatch(/Redirects are not followed/);
      expect(elsewhere.received).toHaveLength(0);
      expect(await attemptOf(gone)).toMatchObject({ outcome: 'refused', http_status: null, response: null });
      expect(await attemptOf(breaks)).toMatchObject({ outcome: 'broken', http_status: null });
      await elsewhere.stop();
    }),
  );
});

describe.concurrent('settings take effect', () => {
  it(
    'a new url, for the next event',
    scene(async ({ client, endpoint, events }) => {
      const made = await endpoint();
      const other = await endpoint(answers(204), { enabled_events: ['payout.*'] });
      await events(3);
      await made.at.count(3);
      must(await client.post(made.path, { url: `${other.at.url}/new` }));
      await events(3);
      await other.at.count(3);
      expect(made.at.received).toHaveLength(3);
      expect(other.at.received.every(({ path }) => path === '/new')).toBe(true);
    }),
  );

  it(
    'other types, for the next event',
    scene(async ({ client, endpoint, events }) => {
      const made = await endpoint();
      await events(2);
      must(await client.post(made.path, { enabled_events: ['payout.*'] }));
      await events(2);
      must(await client.post(made.path, { enabled_events: ['*'] }));
      await events(1);
      await made.at.count(3);
      expect(await settled(made, 'succeeded', 1)).toHaveLength(3);
      expect(made.at.received).toHaveLength(3);
    }),
  );

  it(
    'a rolled secret: both sign during the overlap, only the new one afterwards',
    scene(async ({ endpoint, events, advance }) => {
      const made = await endpoint();
      await events();
      await made.at.count(1);
      const { secret: fresh } = (await made.ask('roll_secret', { expires_in: 3600 })) as { secret: string };
      await events();
      await made.at.count(2);
      await advance(3601);
      await events();
      await made.at.count(3);
      const verdicts = made.at.received.map((each) => [verifies(each, made.secret), verifies(each, fresh)]);
      expect(verdicts).toEqual([
        [true, false],
        [true, true],
        [false, true],
      ]);
      expect(String(made.at.received[1]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
      const { secret: last } = (await made.ask('roll_secret', { expires_in: 0 })) as { secret: string };
      await events();
      await made.at.count(4);
      const fourth = made.at.received[3]!;
      expect([verifies(fourth, fresh), verifies(fourth, last)]).toEqual([false, true]);
    }),
  );

  it(
    'a deleted endpoint gets nothing more, neither new events nor what waited',
    scene(async ({ client, endpoint, events, advance }) => {
      const made = await endpoint(answers(500));
      await events(2);
      await settled(made, 'pending', 1);
      must(await client.write('DELETE', made.path, ''));
      await events(2);
      await advance(120);
      await lookedAfter();
      expect(made.at.received).toHaveLength(2);
      const rows = await application.sql(
        'SELECT status, count(*)::int FROM deliveries WHERE endpoint_id = $1 GROUP BY 1',
        [uuidOf(made.id)],
      );
      expect(rows).toEqual([{ status: 'held', count: 2 }]);
    }),
  );
});

describe('neighbours', () => {
  it(
    'a healthy endpoint gets everything while five hang and five fail',
    scene(async ({ endpoint, events }) => {
      const healthy = await endpoint();
      await events(5);
      await healthy.at.count(5);
      let [hanging, ended] = [0, 0];
      for (let i = 0; i < 5; i++) {
        await endpoint((_, response) => {
          hanging += 1;
          response.on('close', () => (ended += 1));
        });
        await endpoint(answers(500));
      }
      await events(20);
      await healthy.at.count(25);
      expect(new Set(healthy.at.ids()).size).toBe(25);
      // Nobody waited until an exchange that hangs had timed out.
      await eventually('all five hang', () => hanging >= 5);
      expect(ended).toBe(0);
    }),
  );

  it(
    'a burst goes out at once, each event once, also what this process had no room for',
    scene(async ({ client, endpoint }) => {
      const made = await endpoint();
      const account = must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
      must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '100000' }));
      const recipient = must(
        await client.post('/v1/recipients', {
          name: 'Ada Lovelace',
          type: 'individual',
          currency: 'EUR',
          country: 'DE',
          iban: 'DE89370400440532013000',
        }),
      ).json['id'] as string;
      must(await client.post(made.path, { enabled_events: ['payout.created'] }));
      const payouts = Array.from({ length: 600 }, () => ({ amount: '1', currency: 'EUR', recipient }));
      must(await client.post('/v1/payouts/batch', { payouts }));
      await soon(() => expect(typesAt(made.at).filter((type) => type === 'payout.created')).toHaveLength(600));
      await lookedAfter();
      expect(new Set(made.at.ids()).size).toBe(made.at.received.length);
    }),
  );
});
