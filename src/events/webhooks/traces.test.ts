/** The trace of a request reaches the webhooks of its events, without any tracing here: at the first attempt and from the database. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { answers, type Received } from '../../../test/support/webhooks/receiver.ts';
import { onScene, type Scene, settled } from '../../../test/support/webhooks/webhook-scene.ts';
import { uuidOf } from '../../core/values/ids.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const scene = (test: (scene: Scene) => Promise<void>) => onScene(() => application, test);
const of = (trace: number) => `00-${String(trace).padStart(32, 'a')}-00f067aa0ba902b7-01`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const account = async ({ client }: Scene, traceparent?: string) =>
  must(
    await client.send('POST', '/v1/accounts', 'currency=EUR', {
      ...FORM,
      ...(traceparent !== undefined && { traceparent }),
    }),
  );
const traces = (received: readonly Received[]) => received.map(({ headers }) => headers['traceparent']);

it(
  'at the first attempt, each with its own, and none where the request had none',
  scene(async (on) => {
    const made = await on.endpoint();
    // Together, so that they may share a commit.
    await Promise.all([account(on, of(1)), account(on), account(on, of(2)), account(on, 'nonsense')]);
    await made.at.count(4);
    const found = traces(made.at.received).map((each) => each ?? 'none');
    expect(found.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([of(1), of(2), 'none', 'none']);
  }),
);

it(
  'at a retry, which comes from the database, and at a replay',
  scene(async (on) => {
    const made = await on.endpoint(answers(500));
    await account(on, of(3));
    await made.at.count(1);
    made.at.behaviour = answers(204);
    await on.advance(10);
    await settled(made, 'succeeded', 2);
    await made.ask('replay', { only: 'all', after_sequence: 0 });
    await made.at.count(3);
    expect(traces(made.at.received)).toEqual([of(3), of(3), of(3)]);
  }),
);

it(
  'to an ordered endpoint, whose deliveries are all read from the database',
  scene(async (on) => {
    const made = await on.endpoint(answers(204), { ordered: true });
    for (const trace of [of(4), undefined, of(5)]) await account(on, trace);
    await made.at.count(3);
    expect(traces(made.at.received)).toEqual([of(4), undefined, of(5)]);
  }),
);

it(
  'and is kept on the delivery alone, which holds nothing where there is none',
  scene(async (on) => {
    const made = await on.endpoint();
    await account(on);
    await account(on, of(6));
    await made.at.count(2);
    const rows = await application.sql(
      'SELECT traceparent FROM deliveries WHERE environment_id = $1 ORDER BY sequence',
      [uuidOf(on.environmentId)],
    );
    expect(rows.map(({ traceparent }) => traceparent)).toEqual([null, of(6)]);
    const events = must(await on.client.get('/v1/events?limit=100')).text;
    expect(events).toContain('account.created');
    expect(events).not.toContain(of(6).split('-')[1]);
  }),
);
