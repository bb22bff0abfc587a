/** What other processes send on the database's channel: notifications wake those they name, anything else does nothing. */
import { expect, it } from 'vitest';
import { startApplication } from '../../test/support/harness/application.ts';

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

it('what is no notification is ignored, and the service goes on', async () => {
  const application = await startApplication();
  try {
    for (const text of NO_NOTIFICATIONS) await application.sql('SELECT pg_notify($1, $2)', ['bursar', text]);
    await application.sql('SELECT pg_notify($1, $2)', [
      'bursar',
      '{"from":"a","environments":"any","deliveries":true}',
    ]);
    await new Promise((go) => setTimeout(go, 200));
    expect((await application.sandbox.client.get('/v1/accounts')).status).toBe(200);
  } finally {
    await application.stop();
  }
});
