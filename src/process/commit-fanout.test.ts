/** What other processes say on the database's channel: hints wake those they name, anything else does nothing. */
import { expect, it } from 'vitest';
import { startApplication } from '../../test/support/harness/application.ts';

const NO_HINTS = ['', 'hello', '{', 'null', '5', '[]', '{}', '{"from":1}', '{"from":"a","environments":5}', '"any"'];

it('what is no hint is passed over, and the service goes on', async () => {
  const application = await startApplication();
  try {
    for (const text of NO_HINTS) await application.sql('SELECT pg_notify($1, $2)', ['bursar', text]);
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
