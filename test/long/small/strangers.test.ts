/**
 * Payouts beside strangers without a key: 8 connections that ask for one thing without pause, many requests ahead, and 16 with
 * made-up keys. By counts: with one answer a second for an address, the work that the server does for them is little beside the payouts
 * that it makes meanwhile. How much they slow payouts: `test/long/strangers.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLOODS, madeUp, stranger } from '../../support/faults/strangers.ts';
import { type Application, startApplication } from '../../support/harness/application.ts';
import { eventually } from '../../support/harness/eventually.ts';
import { idIn, RECIPIENT } from '../../support/harness/tenant-fixture.ts';

/** Requests a second without a key: so few that their count hardly depends on how long the payouts take. */
const LIMIT = 1;
const PAYOUTS = 80;
const CLIENTS = 8;

const applications: Application[] = [];
async function start(keylessRequestsPerSecond: number): Promise<Application> {
  const application = await startApplication({ config: { keylessRequestsPerSecond } });
  applications.push(application);
  return application;
}

/** All answers but refusals that strangers, or a single one, got while the payouts were made. */
async function besideStrangers(
  { address, sandbox: { client } }: Application,
  flood: string,
  few = false,
): Promise<number> {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '1000' });
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  let answers = 0;
  const count = (status: number) => void (answers += status === 429 ? 0 : 1);
  const port = Number(new URL(address).port);
  const strangers = [
    ...Array.from({ length: few ? 1 : 8 }, () => stranger(port, () => flood, count)),
    ...Array.from({ length: few ? 0 : 16 }, () => stranger(port, madeUp, count)),
  ];
  try {
    await eventually('strangers are answered', () => answers >= LIMIT);
    const pay = async () => {
      for (let made = 0; made < PAYOUTS / CLIENTS; made++) {
        const { status } = await client.post('/v1/payouts', { amount: '1.00', currency: 'EUR', account, recipient });
        expect(status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, pay));
    return answers;
  } finally {
    for (const socket of strangers) socket.destroy();
  }
}

let limited: Application;
beforeAll(async () => {
  limited = await start(LIMIT);
});
afterAll(async () => {
  for (const application of applications) await application.stop();
});

test.each(Object.entries(FLOODS))('who floods with %s hardly gets answers beside payouts', async (_what, flood) => {
  expect(await besideStrangers(limited, flood)).toBeLessThan(PAYOUTS / 2);
});

test('control: where they are not counted, a single one gets more answers than there are payouts', async () => {
  expect(await besideStrangers(await start(0), FLOODS['no key'], true)).toBeGreaterThan(PAYOUTS);
});
