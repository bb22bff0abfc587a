/**
 * A dead, slow or broken endpoint never delays the others (contract, section 10; T16 of the bar), in milliseconds. What is caught here is
 * a queue in which the others wait for a time-out of 15 s. By counts: `test/soak/bad-neighbours.test.ts`; for longer, with the
 * limits of the bar: `npm run soak -- t16`.
 */
import { expect, test } from 'vitest';
import { neighbours, type Street } from '../support/measure/noisy-neighbours.ts';

/** The hanging and the dripping ones together could hold more than every exchange there is, if they were let. */
const STREET: Street = {
  endpoints: 20,
  hanging: 4,
  failing: 2,
  streaming: 2,
  payoutsPerSecond: 12,
  cleanSeconds: 2.5,
  badSeconds: 3.5,
  concurrency: 64,
};

const wait = (cleanP95Ms: number) => Math.max(1_000, 4 * cleanP95Ms);

test.concurrent('endpoints that hang, fail and stream for ever do not delay the others', async () => {
  const { cleanP95Ms, badP95Ms, deliveries } = await neighbours(STREET);
  expect(deliveries).toBeGreaterThan(400);
  expect(cleanP95Ms).toBeLessThan(10_000);
  expect(badP95Ms).toBeLessThan(wait(cleanP95Ms));
});

test.concurrent('control: in one line for all they do', async () => {
  const { cleanP95Ms, badP95Ms } = await neighbours({ ...STREET, cleanSeconds: 1, fifo: true });
  expect(cleanP95Ms).toBeLessThan(10_000);
  expect(badP95Ms).toBeGreaterThan(wait(cleanP95Ms));
});
