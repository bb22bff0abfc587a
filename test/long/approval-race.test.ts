/** 1,000 approvals of many payouts that race each other, from two servers. Forty: `src/paying/payouts/approve-many.test.ts`. */
import { afterAll, beforeAll, it } from 'vitest';
import { raceOfApprovals } from '../support/faults/approval-race.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { type SecondServer, startSecondServer } from '../support/harness/second-server.ts';
import { idIn, must, RECIPIENT } from '../support/harness/tenant-fixture.ts';

let application: Application;
let second: SecondServer;
beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
});
afterAll(async () => {
  await second?.stop();
  await application?.stop();
});

it('1,000 that race each other approve each payout once, and each request is whole', async () => {
  const { client } = application.sandbox;
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10_000 }));
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  await raceOfApprovals({ application, second, account, recipient }, { payouts: 300, requests: 1_000 });
});
