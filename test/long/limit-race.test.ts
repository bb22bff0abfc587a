/** 1,000 payouts that race against a limit, from two servers. 200: `src/paying/payouts/rules.long.test.ts`. */
import { afterAll, beforeAll, it } from 'vitest';
import { raceAgainstLimit } from '../support/faults/limit-race.ts';
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

it('1,000 payouts that race against it, from two servers, end exactly at it (control: without it, all are made)', async () => {
  const { client } = application.sandbox;
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10_000 }));
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  await raceAgainstLimit({ application, second, account, recipient }, { payouts: 1_000, without: 100 });
});
