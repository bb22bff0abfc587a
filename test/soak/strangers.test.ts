/**
 * Payouts beside strangers without a key: 8 connections that ask for one thing without pause, many requests ahead, and 16 with
 * made-up keys. By counts: while the clock of the limits stands still, all strangers together get as many answers as one address may
 * have, and every payout is made meanwhile. How much they slow payouts: `test/long/strangers.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FLOODS, madeUp, stranger } from '../support/faults/strangers.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { eventually } from '../support/harness/eventually.ts';
import { idIn, RECIPIENT } from '../support/harness/tenant-fixture.ts';

const LIMIT = 50;
const PAYOUTS = 40;
const CLIENTS = 8;

/** Refusals come a second late. Here they never come, so that an answer is one that was worked for. */
vi.mock(import('node:timers/promises'), async (original) => {
  const timers = await original();
  const never = new Promise<never>(() => undefined);
  const hold = (<T>(ms?: number, value?: T, options?: object) =>
    ms === 1_000 && options === undefined ? never : timers.setTimeout(ms, value, options)) as typeof timers.setTimeout;
  return { ...timers, setTimeout: hold };
});

const applications: Application[] = [];
async function start(keylessRequestsPerSecond: number): Promise<Application> {
  const application = await startApplication({ config: { keylessRequestsPerSecond } });
  applications.push(application);
  return application;
}

/** All answers but refusals that strangers got while the payouts were made. */
async function besideStrangers({ address, sandbox: { client } }: Application, flood: string): Promise<number> {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '1000' });
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  let answers = 0;
  const count = (status: number) => void (answers += status === 429 ? 0 : 1);
  const port = Number(new URL(address).port);
  const strangers = [
    ...Array.from({ length: 8 }, () => stranger(port, () => flood, count)),
    ...Array.from({ length: 16 }, () => stranger(port, madeUp, count)),
  ];
  try {
    await eventually('strangers have got what they may have', () => answers >= LIMIT, { seen: () => answers });
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
  vi.useFakeTimers({ toFake: ['performance'] });
});
beforeEach(() => void vi.advanceTimersByTime(1_000)); // the bucket of this address is full again
afterAll(async () => {
  vi.useRealTimers();
  for (const application of applications) await application.stop();
});

test.each(Object.entries(FLOODS))('who floods with %s gets no more than one address may have', async (_what, flood) => {
  expect(await besideStrangers(limited, flood)).toBe(LIMIT);
});

test('control: where strangers are not counted, each request is worked for', async () => {
  expect(await besideStrangers(await start(0), FLOODS['/openapi.json'])).toBeGreaterThan(2 * LIMIT);
});
