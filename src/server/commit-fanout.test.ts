/** What other processes send on the database's channel: notifications wake those they name, anything else does nothing. */
import { expect, it } from 'vitest';
import { startApplication } from '../../test/support/harness/application.ts';
import { openStream } from '../../test/support/harness/event-stream.ts';
import { Client } from '../../test/support/harness/http.ts';
import { startSecondServer } from '../../test/support/harness/second-server.ts';
import { must } from '../../test/support/harness/tenant-fixture.ts';

const NO_NOTIFICATIONS = [
  '',
  'hello',
  '{',
  'null',
  '5',
  '[]',
  '{}',
  '{"from":1}',
  '{"from":"a","environments":5}',
  '"any"',
];

const NEVER_MS = 3_600_000;

it('what is no notification is ignored, and what follows is heard', async () => {
  // Only a notification tells a stream what another server commits.
  const application = await startApplication({ config: { streamPollMs: NEVER_MS } });
  const second = await startSecondServer(application);
  const { sandbox } = application;
  const writer = new Client(second.address, sandbox.key);
  const stream = await openStream(application.address, sandbox.key);
  try {
    for (const text of NO_NOTIFICATIONS) await application.sql('SELECT pg_notify($1, $2)', ['bursar', text]);
    await application.sql('SELECT pg_notify($1, $2)', [
      'bursar',
      '{"from":"a","environments":"any","deliveries":true}',
    ]);
    must(await writer.post('/v1/accounts', { currency: 'EUR' }));
    expect(await stream.until(({ events }) => events.some(({ type }) => type === 'account.created'))).toBe(true);
    expect((await sandbox.client.get('/v1/accounts')).status).toBe(200);
  } finally {
    stream.cut();
    writer.close();
    await second.stop();
    await application.stop();
  }
});
