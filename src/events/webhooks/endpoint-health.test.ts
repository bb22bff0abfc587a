/**
 * Endpoints that fail for long, by the sandbox clock: who is told when, what is held, and how it is sent after all. Over a
 * whole application and real receivers. Next: `ordered.soak.test.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import type { MadeEndpoint } from '../../../test/support/webhooks/endpoints.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { answers } from '../../../test/support/webhooks/receiver.ts';
import {
  eventsAt,
  lookedAfter,
  onScene,
  type Scene,
  settled,
  soon,
  typesAt,
} from '../../../test/support/webhooks/webhook-scene.ts';
import { FRESH_MS } from './targets.ts';

const DAY = 86_400;

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application.stop());
const scene = (test: (scene: Scene) => Promise<void>) => onScene(() => application, test);

/** Watches what happens to the others. */
const observer = (endpoint: Scene['endpoint']) =>
  endpoint(answers(204), {
    enabled_events: ['webhook_endpoint.failing', 'webhook_endpoint.updated', 'webhook_endpoint.disabled'],
  });
const disabled = (endpoint: MadeEndpoint, reason: string) =>
  soon(async () => expect(await endpoint.now()).toMatchObject({ status: 'disabled', disabled_reason: reason }));
const completed = (endpoint: MadeEndpoint, replay: Json, deliveries: number) =>
  soon(async () => {
    const [found] = (await endpoint.replays()).filter(({ id }) => id === replay['id']);
    expect(found).toMatchObject({ status: 'completed', deliveries_count: deliveries });
  });

const SUCCEEDED_TWICE = ['succeeded', 'succeeded'];

describe.concurrent('an endpoint that fails', () => {
  it(
    'is told of at the fourth failure, and again when it recovers, to the others only',
    scene(async ({ endpoint, events, advance }) => {
      const failing = await endpoint(answers(500), { enabled_events: ['account.*', 'webhook_endpoint.*'] });
      const watching = await observer(endpoint);
      await failing.at.count(1); // the other one was created
      const before = 1;
      failing.at.behaviour = answers(500);
      await events();
      for (const [attempt, seconds] of [6, 70, 340].entries()) {
        await failing.at.count(before + attempt + 1);
        expect(typesAt(watching.at)).toEqual([]);
        expect(await failing.now()).toMatchObject({ first_failed_at: null });
        await soon(async () => expect((await failing.deliveries()).at(-1)?.attempts).toHaveLength(attempt + 1));
        await advance(seconds);
      }
      await watching.at.count(1);
      const [outcome] = eventsAt(watching.at) as [Json];
      expect(outcome).toMatchObject({
        type: 'webhook_endpoint.failing',
        data: { object: { id: failing.id, status: 'enabled' }, previous_attributes: { first_failed_at: null } },
      });
      const since = (await failing.now())['first_failed_at'] as number;
      const [first, second] = (await failing.deliveries())[0]?.attempts ?? [];
      expect(since).toBeGreaterThanOrEqual(first?.started_at as number);
      expect(since).toBeLessThan(second?.started_at as number);

      failing.at.behaviour = answers(200);
      await advance(2_000);
      await watching.at.count(2);
      expect(eventsAt(watching.at)[1]).toMatchObject({
        type: 'webhook_endpoint.updated',
        data: { object: { id: failing.id, first_failed_at: null }, previous_attributes: { first_failed_at: since } },
      });
      expect(typesAt(failing.at)).not.toContain('webhook_endpoint.failing');
    }),
  );

  it(
    'is not said to fail for one event that it cannot take, while others succeed',
    scene(async ({ endpoint, events, advance }) => {
      const made = await endpoint(answers(500));
      const watching = await observer(endpoint);
      await events(1);
      await settled(made, 'pending', 1);
      const [poison] = made.at.ids();
      made.at.behaviour = (received, response) =>
        answers(received.headers['webhook-id'] === poison ? 500 : 204)(received, response);
      for (const [attempt, seconds] of [6, 70, 340, 2_000, 8_000].entries()) {
        await events(1);
        await settled(made, ['pending', ...Array.from({ length: attempt + 1 }, () => 'succeeded')]);
        await advance(seconds);
        await soon(async () => expect((await made.deliveries())[0]?.attempts).toHaveLength(attempt + 2));
      }
      expect(await made.now()).toMatchObject({ first_failed_at: null, status: 'enabled' });
      expect(watching.at.received).toHaveLength(0);
    }),
  );

  it(
    'recovers also when a crash swallowed the notice of it',
    scene(async ({ endpoint, events }) => {
      const made = await endpoint(answers(500));
      const watching = await observer(endpoint);
      await events(1);
      await settled(made, 'pending', 1);
      made.at.behaviour = answers(204);
      await application.sql('UPDATE webhook_endpoints SET first_failed_at = now() WHERE id = $1', [uuidOf(made.id)]);
      await application.sql('UPDATE webhook_health SET unsuccessful_since = NULL WHERE endpoint_id = $1', [
        uuidOf(made.id),
      ]);
      await events(1);
      await watching.at.count(1);
      expect(await made.now()).toMatchObject({ first_failed_at: null });
    }),
  );

  it(
    'is disabled after five days without a success, and begins afresh when it is enabled',
    scene(async ({ endpoint, events, advance }) => {
      const made = await endpoint(answers(500));
      const watching = await observer(endpoint);
      await events(2);
      await settled(made, 'pending', 1);
      await advance(4 * DAY);
      await settled(made, 'pending', 2);
      expect(await made.now()).toMatchObject({ status: 'enabled' });
      await advance(DAY + 60);
      await disabled(made, 'failing');
      await soon(() => expect(typesAt(watching.at)).toContain('webhook_endpoint.disabled'));
      await settled(made, 'held');
      await lookedAfter();

      await made.ask('enable');
      await events(1);
      await settled(made, ['held', 'held', 'pending']);
      await soon(async () => expect((await made.deliveries())[2]?.attempts).toHaveLength(1));
      await lookedAfter();
      expect(await made.now()).toMatchObject({ status: 'enabled', first_failed_at: null });
    }),
  );

  it(
    'stays enabled as long as anything succeeds now and then',
    scene(async ({ endpoint, events, advance }) => {
      const made = await endpoint(answers(500));
      await events(1);
      await settled(made, 'pending', 1);
      const stuck = made.at.ids()[0];
      made.at.behaviour = (received, response) =>
        answers(received.headers['webhook-id'] === stuck ? 500 : 204)(received, response);
      for (let day = 1; day <= 7; day++) {
        await advance(DAY);
        await events(1);
        await soon(async () => {
          const [first, ...others] = await made.deliveries();
          expect(others.map(({ status }) => status)).toEqual(others.map(() => 'succeeded'));
          expect(first?.attempts.length).toBeGreaterThan(day);
        });
      }
      expect(await made.now()).toMatchObject({ status: 'enabled' });
    }),
  );
});

describe.concurrent('410', () => {
  it(
    'disables at once: what waits is held, the others are told',
    scene(async ({ client, endpoint, events }) => {
      const made = await endpoint(answers(410));
      const watching = await observer(endpoint);
      await Promise.all(Array.from({ length: 100 }, () => client.post('/v1/accounts', { currency: 'EUR' })));
      await disabled(made, 'gone');
      await settled(made, 'held');
      expect(made.at.received.length).toBeLessThanOrEqual(2); // what was on its way together with the first
      await watching.at.count(1);
      expect(eventsAt(watching.at)[0]).toMatchObject({
        type: 'webhook_endpoint.disabled',
        data: { object: { id: made.id, disabled_reason: 'gone' } },
      });
      await events(3);
      await lookedAfter();
      expect(made.at.received.length).toBeLessThanOrEqual(2);
      expect(watching.at.received).toHaveLength(1);
    }),
  );
});

describe.concurrent('a disabled endpoint', () => {
  it(
    'has its deliveries held; enabling sends none of them, a replay all',
    scene(async ({ endpoint, events }) => {
      const made = await endpoint(answers(500));
      await events(1);
      await settled(made, 'pending', 1);
      await made.ask('disable');
      await events(3);
      await settled(made, 'held');
      made.at.behaviour = answers(204);
      await made.ask('enable');
      await events(1);
      await settled(made, ['held', 'held', 'held', 'held', 'succeeded']);
      await lookedAfter();
      expect(made.at.received).toHaveLength(2);

      const replay = await made.ask('replay');
      expect(replay).toMatchObject({
        object: 'webhook_replay',
        only: 'failed',
        status: 'running',
        deliveries_count: 0,
      });
      await settled(made, 'succeeded');
      await completed(made, replay, 4);
      expect(made.at.received).toHaveLength(6);
      expect(new Set(made.at.ids()).size).toBe(5);
      const again = await made.ask('replay');
      await completed(made, again, 0);
      expect(made.at.received).toHaveLength(6);
    }),
  );

  it(
    'that is disabled in the middle of a burst loses none of it',
    scene(async ({ client, endpoint }) => {
      // Five are taken, and the others wait until the endpoint is disabled.
      let isDisabled: () => void = () => undefined;
      const disabling = new Promise<void>((resolve) => (isDisabled = resolve));
      const made = await endpoint((_, response) => {
        const answer = () => void response.writeHead(204).end();
        if (made.at.received.length <= 5) answer();
        else void disabling.then(answer);
      });
      const burst = Array.from({ length: 80 }, () => client.post('/v1/accounts', { currency: 'EUR' }));
      await made.at.count(6);
      await Promise.all(burst);
      await made.ask('disable');
      await sleep(FRESH_MS + 100); // until the settings are read again: before that, a quick receiver might get all of them
      isDisabled();
      await soon(async () => {
        const statuses = (await made.deliveries()).map(({ status }) => status);
        expect(statuses.filter((status) => status === 'pending')).toEqual([]);
        expect(statuses).toHaveLength(80);
        expect(statuses).toContain('held');
      });
      await made.ask('enable');
      await made.ask('replay');
      await settled(made, 'succeeded');
      expect(new Set(made.at.ids()).size).toBe(80);
      expect(made.at.received).toHaveLength(80);
    }),
  );
});

describe.concurrent('sending again', () => {
  it(
    'an event, to one endpoint or to all that ask for it: the same id and bytes',
    scene(async ({ client, endpoint, events }) => {
      const [first, second] = [await endpoint(), await endpoint()];
      const payouts = await endpoint(answers(204), { enabled_events: ['payout.*'] });
      await events(1);
      await first.at.count(1);
      await second.at.count(1);
      const [event] = first.at.ids() as [string];
      await settled(first, 'succeeded', 1);
      await settled(second, 'succeeded', 1);
      const { data } = must(await client.post(`/v1/events/${event}/resend`)).json as { data: Json[] };
      expect(new Set(data.map((replay) => replay['webhook_endpoint']))).toEqual(new Set([first.id, second.id]));
      expect(data).toHaveLength(2);
      await first.at.count(2);
      await second.at.count(2);
      await settled(first, 'succeeded', 2);
      const named = { webhook_endpoint: payouts.id };
      must(await client.post(`/v1/events/${event}/resend`, named)); // it never asked for that type
      await payouts.at.count(1);
      const all = [...first.at.received, ...second.at.received, ...payouts.at.received];
      expect(new Set(all.map(({ body }) => body)).size).toBe(1);
      expect(all.map(({ headers }) => headers['webhook-id'])).toEqual(all.map(() => event));
      expect(all).toHaveLength(5);
    }),
  );

  it(
    'everything to an endpoint that came later, without what is about itself',
    scene(async ({ client, endpoint, events }) => {
      const early = await endpoint(answers(204), { enabled_events: ['*'] });
      await events(20);
      const late = await endpoint(answers(204), { enabled_events: ['account.*', 'webhook_endpoint.*'] });
      await events(2);
      await late.at.count(2);
      // What is on its way is not sent again, and a delivery is until its answer is in the books.
      await soon(async () => expect((await late.deliveries()).map(({ status }) => status)).toEqual(SUCCEEDED_TWICE));
      const replay = await late.ask('replay', { after_sequence: 0, only: 'all' });
      await completed(late, replay, 23);
      await late.at.count(25);
      expect(typesAt(late.at).filter((type) => type !== 'account.created')).toEqual(['webhook_endpoint.created']);
      expect(eventsAt(late.at).some((event) => JSON.stringify(event).includes(late.id))).toBe(false);
      expect(early.at.received.length).toBeLessThanOrEqual(23);

      const part = await late.ask('replay', { after_sequence: 5, until_sequence: 9, only: 'all' });
      expect(part).toMatchObject({ after_sequence: 5, until_sequence: 9 });
      await completed(late, part, 4);
      await late.at.count(29);
      const sequences = eventsAt(late.at)
        .slice(25)
        .map(({ sequence }) => sequence);
      expect(sequences.toSorted((a, b) => Number(a) - Number(b))).toEqual([6, 7, 8, 9]);
      expect(must(await client.get(`/v1/webhook_replays?webhook_endpoint=${late.id}`)).json['data']).toHaveLength(2);
    }),
  );

  it(
    'more events than one step of a replay takes, each once',
    scene(async ({ client, endpoint }) => {
      const account = must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
      must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '100000' }));
      const bank = { type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE89370400440532013000' };
      const recipient = must(await client.post('/v1/recipients', { name: 'Ada Lovelace', ...bank })).json['id'];
      for (let i = 0; i < 2; i++) {
        const payouts = Array.from({ length: 700 }, () => ({ amount: '1', currency: 'EUR', recipient }));
        must(await client.post('/v1/payouts/batch', { payouts }));
      }
      const late = await endpoint(answers(204), { enabled_events: ['payout.created'] });
      const replay = await late.ask('replay', { after_sequence: 0, only: 'all' });
      await completed(late, replay, 1_400);
      await soon(() => expect(late.at.received).toHaveLength(1_400));
      expect(new Set(late.at.ids()).size).toBe(1_400);
    }),
  );

  it(
    'a delivery that used up its schedule gets a new one',
    scene(async ({ endpoint, events, advance }) => {
      const made = await endpoint(answers(500));
      await events(1);
      await settled(made, 'pending', 1);
      await advance(6);
      await settled(made, 'pending', 2);
      await made.ask('replay'); // waits for its next attempt: goes at once, from the start of the schedule
      const [delivery] = await settled(made, 'pending', 3);
      const waits = (delivery?.next_attempt_at as number) - (delivery?.attempts.at(-1)?.started_at as number);
      expect(waits).toBeLessThan(60); // the first step, not the third
    }),
  );
});
