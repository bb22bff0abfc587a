/**
 * How often an address may view pages and send forms, and that those who try links or send wrong forms lock out nobody
 * who shares their address, as all do behind a proxy that is not named.
 */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Application, startApplication } from '../support/harness/application.ts';
import { Payer, type Seen } from '../support/browser/payer.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { loadConfig } from '../../src/config.ts';
import { newToken } from '../../src/collecting/payments/tokens.ts';

/** As it is by default, with the limit of keys switched off, which no longer concerns pages. */
const { pageRequestsPerSecond, pagePostsPerSecond, pageFaultsPerSecond } = loadConfig({ BURSAR_RATE_LIMIT: '0' });

/**
 * The clock of the limits: it stands still while requests are sent, however long that takes, and a test moves it on.
 */
let nowMs = 1e9;
const refill = () => void (nowMs += 1_100);

let application: Application;
let payer: Payer;
beforeAll(async () => {
  const config = { pageRequestsPerSecond, pagePostsPerSecond, pageFaultsPerSecond };
  application = await startApplication({ config });
  payer = new Payer(application.address);
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
beforeEach(refill);
afterAll(async () => {
  vi.restoreAllMocks();
  payer?.close();
  await application?.stop();
});

const newLink = async () => {
  const body = { amount: 250, currency: 'EUR' };
  return must(await application.sandbox.client.post('/v1/payment_links', body)).json['url'] as string;
};
const atOnce = (count: number, ask: (number: number) => Promise<Seen>) =>
  Promise.all(Array.from({ length: count }, (_, number) => ask(number)));
const of = (all: readonly Seen[], status: number) => all.filter((seen) => seen.status === status).length;

it('has limits of its own: 50 views, 5 forms and 20 faults a second', async () => {
  expect([pageRequestsPerSecond, pagePostsPerSecond, pageFaultsPerSecond]).toEqual([50, 5, 20]);
  const { headers } = await payer.open(await newLink());
  expect(headers['ratelimit-policy']).toBe('"default";q=50;w=1');
});

it('wrong forms, far more than an address may send, lock out nobody behind it', async () => {
  const link = await newLink();
  const wrong = [
    ...(await atOnce(60, () => payer.ask('POST', link, { body: { csrf: 'made up', method: 'bank_transfer' } }))),
    ...(await atOnce(8, () => payer.ask('POST', `/pay/${newToken()}`, { body: { csrf: 'x' } }))),
  ];
  expect(of(wrong, 303)).toBe(0);
  expect(of(wrong, 400)).toBeGreaterThan(pagePostsPerSecond);
  expect(of(wrong, 429)).toBeGreaterThan(0);
  const flood = atOnce(60, () => payer.ask('POST', link, { body: { csrf: 'made up' } }));
  const seen = await payer.start(link); // views, sends a form, views again
  expect([seen.status, seen.state]).toEqual([200, 'waiting']);
  await flood;
});

it('wrong links, far more than an address may view, lock out nobody behind it', async () => {
  const link = await newLink();
  const flood = atOnce(200, () => payer.open(`/pay/${newToken()}`));
  const views = await atOnce(20, () => payer.open(link));
  expect(views.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const wrong = await flood;
  expect(of(wrong, 404)).toBeGreaterThanOrEqual(pageFaultsPerSecond);
  expect(of(wrong, 404) + of(wrong, 429)).toBe(200);
  expect(of(wrong, 429)).toBeGreaterThan(0);
});

it('control: honest forms and views beyond their limit are refused, and a refused form has done nothing', async () => {
  const pages = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const link = await newLink();
      return payer.open(link);
    }),
  );
  refill();
  const sent = await atOnce(20, (number) => payer.send(pages[number] as Seen, 'bank_transfer'));
  expect(of(sent, 303)).toBeGreaterThanOrEqual(pagePostsPerSecond);
  expect(of(sent, 429)).toBeGreaterThanOrEqual(5);
  refill();
  const states = await atOnce(20, (number) => payer.open((pages[number] as Seen).path));
  const begun = states.filter(({ state }) => state === 'waiting').length;
  expect(begun).toBe(of(sent, 303));
  refill();
  const views = await atOnce(200, () => payer.open((pages[0] as Seen).path));
  expect(of(views, 200)).toBeGreaterThanOrEqual(pageRequestsPerSecond);
  expect(of(views, 429)).toBeGreaterThan(0);
});
