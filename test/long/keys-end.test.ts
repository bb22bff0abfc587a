/** How soon a key ends on a server that has just used it: within a second. That it ends at all: `src/tenancy/keys/routes.test.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../support/harness/application.ts';
import { outcome } from '../support/harness/probe-client.ts';
import { must } from '../support/harness/tenant-fixture.ts';

const SECOND_MS = 1_000;

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

it.each<[string, (holder: Holder) => Promise<unknown>]>([
  ['revoked by the operator', (holder) => application.revoke(holder)],
  ['revoked over the API', async ({ id }) => must(await application.sandbox.client.post(`/v1/keys/${id}/revoke`, {}))],
  ['rolled without an overlap', async ({ id, client }) => must(await client.post(`/v1/keys/${id}/roll`, {}))],
])('%s', async (_, end) => {
  for (let round = 0; round < 5; round++) {
    const holder = await application.key();
    expect(outcome(await holder.client.get('/v1/accounts'))).toBe('200');
    await end(holder);
    await sleep(SECOND_MS);
    expect(outcome(await holder.client.get('/v1/accounts'))).toBe('401 api_key_invalid');
    expect(outcome(await holder.client.post('/v1/accounts', { currency: 'EUR' }))).toBe('401 api_key_invalid');
  }
});
