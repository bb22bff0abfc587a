/** A database that was put back to an earlier state under running servers: nothing they remember of the lost time is used. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idOf, uuidOf } from '../core/values/ids.ts';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { idIn, must } from '../../test/support/harness/tenant-fixture.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

it('sends no event to an endpoint that was made after the backup', async () => {
  const { client, environmentId } = application.sandbox;
  const environment = uuidOf(environmentId);
  const hook = { url: 'https://hooks.example.com/', enabled_events: ['*'] };
  const lost = idIn(await client.post('/v1/webhook_endpoints', hook));
  must(await client.post('/v1/accounts', { currency: 'EUR' })); // now the subscriptions are remembered
  const deliveries = async () =>
    (await application.sql('SELECT endpoint_id, count(*)::int FROM deliveries WHERE environment_id = $1 GROUP BY 1', [
      environment,
    ])) as readonly { endpoint_id: string; count: number }[];
  expect(await deliveries()).toEqual([{ endpoint_id: uuidOf(lost), count: expect.any(Number) }]);

  // Another history with the same number of changes to endpoints: there another endpoint was made, and this one was not.
  const other = randomUUID();
  await application.sql('DELETE FROM deliveries WHERE environment_id = $1', [environment]);
  await application.sql('UPDATE webhook_endpoints SET id = $2 WHERE environment_id = $1', [environment, other]);
  await application.sql(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  must(await client.post('/v1/accounts', { currency: 'USD' }, { idempotencyKey: 'after' }));
  expect(await deliveries()).toEqual([{ endpoint_id: other, count: 1 }]);
  const { data } = must(await client.get('/v1/webhook_endpoints')).json;
  expect(data).toMatchObject([{ id: idOf('we', other) }]);
});
