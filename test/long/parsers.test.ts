/**
 * T20 with its limit: each of a hundred bodies that are made to break a parser is refused within 50 ms of this process's time. Sizes,
 * types, slow clients and smuggled requests: `test/soak/parsers.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOSTILE_INPUTS, routeOf } from '../support/generators/hostile-inputs.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { type ProbeClient, probe, refusalIn } from '../support/harness/probe-client.ts';
import { leastSpentMs } from '../support/measure/spent.ts';

const MOST_MS = 50;

let application: Application;
let ask: ProbeClient;
beforeAll(async () => {
  application = await startApplication();
  ask = probe(application);
});
afterAll(() => application?.stop());

it.each(HOSTILE_INPUTS.map((hostile) => [hostile.name, hostile] as const))('%s', async (_, hostile) => {
  const send = async () => {
    const sent = await ask.send('POST', routeOf(hostile), hostile.body, hostile.type);
    refusalIn(sent, sent.status === 413 ? 413 : 400);
  };
  await send(); // what is only slow the first time is not a way to hold up others
  expect(await leastSpentMs(send, MOST_MS)).toBeLessThan(MOST_MS);
});

it('control: a quadratic reader takes longer', async () => {
  const names = Array.from({ length: 60_000 }, (_, i) => `amoun${i}`);
  const lookBack = () => names.filter((name, at) => names.indexOf(name) === at);
  expect(await leastSpentMs(lookBack)).toBeGreaterThan(MOST_MS);
});
