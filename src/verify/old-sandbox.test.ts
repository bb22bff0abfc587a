/**
 * A sandbox whose clock began behind the present: retention deletes its first events although its idempotency records are young. It is whole
 * then, and a record that leads nowhere is noticed all the same.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { must } from '../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../test/support/model/audit.ts';

const DAY_S = 86_400;
let application: Application;

beforeAll(async () => {
  application = await startApplication();
  const { client } = application.sandbox;
  const open = (idempotencyKey: string) =>
    client.post('/v1/accounts', { currency: 'EUR', name: idempotencyKey }, { idempotencyKey });
  must(await client.post('/v1/test_helpers/reset', { offset_seconds: -95 * DAY_S }));
  must(await open('old'));
  must(await client.post('/v1/test_helpers/clock/advance', { seconds: 10 * DAY_S }));
  must(await open('young'));
  await application.sql(`DELETE FROM deliveries WHERE created_at < now() - interval '90 days'`);
  await application.sql(`DELETE FROM events WHERE created_at < now() - interval '90 days'`);
});
afterAll(() => application?.stop());

it('is whole without the events that are deleted, and a record of one that is not is noticed', async () => {
  const left = await application.sql(`SELECT e.sequence FROM idempotency_records r JOIN events e USING (environment_id)
    WHERE r.key IN ('old', 'young') AND e.sequence = r.event_sequence`);
  expect(left).toHaveLength(1);
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

it('control: in a sandbox that began in the present, a record of such an event is noticed', async () => {
  await application.sql(
    `UPDATE audit_log SET details = replace(details, '"offset_seconds":-8208000', '"offset_seconds":0') WHERE action = 'sandbox.reset'`,
  );
  const found = await auditDatabase(application.databaseUrl);
  expect(JSON.stringify(found)).toContain('an idempotency record leads to the event that holds its answer');
});
