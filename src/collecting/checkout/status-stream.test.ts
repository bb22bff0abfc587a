/**
 * Live status over real HTTP: an open page is notified of its own changes only, by any server. How soon:
 * `test/long/live-pages.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf, type Seen } from '../../../test/support/browser/payer.ts';
import { startSecondServer, type SecondServer } from '../../../test/support/harness/second-server.ts';

const PER_PATH = 20;

let application: Application;
let second: SecondServer;
let client: Client;
let payer: Payer;
let elsewhere: Payer;

beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
  client = application.sandbox.client;
  payer = new Payer(application.address);
  elsewhere = new Payer(second.address);
});
afterAll(async () => {
  payer?.close();
  elsewhere?.close();
  await second?.stop();
  await application?.stop();
});

const link = async (body: object = {}, from = client) => {
  const { json } = must(await from.post('/v1/payment_links', { amount: 250, currency: 'EUR', ...body }));
  return { id: json['id'] as string, path: pathOf(json['url'] as string) };
};
const pay = async (id: string, body: object = {}) =>
  must(await client.post(`/v1/test_helpers/payment_links/${id}/pay`, body)).json['id'] as string;
const listening = async (page: Seen, to = payer) => {
  const live = await to.follow(page);
  await live.until(({ isWaiting }) => isWaiting);
  return live;
};

describe.concurrent('an open page', () => {
  it('is notified, each time, until the money is there', async () => {
    const { path } = await link();
    const page = await payer.start(path);
    const live = await listening(page);
    expect([live.status, live.headers]).toEqual([
      200,
      expect.objectContaining({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }),
    ]);
    for (const [i, outcome] of ['partial', 'exact', 'twice'].entries()) {
      await payer.press(await payer.open(path), outcome);
      await live.until(({ changes }) => changes.length === i + 1);
    }
    expect(new Set(live.changes).size).toBe(3);
    live.cut();
  });

  it('is notified of what the merchant does: a refund, an end', async () => {
    const { id, path } = await link();
    const payment = await pay(id);
    const live = await listening(await payer.open(path));
    must(await client.post(`/v1/payments/${payment}/refund`, { amount: 5 }));
    await live.until(({ changes }) => changes.length === 1);
    live.cut();
    const other = await link();
    const open = await listening(await payer.open(other.path));
    must(await client.post(`/v1/payment_links/${other.id}/deactivate`));
    await open.until(({ changes }) => changes.length === 1);
    expect(open.changes[0]).toMatch(/^canceled/);
    open.cut();
  });

  it('is notified at once of a change before it listened', async () => {
    const { id, path } = await link();
    const page = await payer.start(path);
    await pay(id);
    const live = await payer.follow(page);
    await live.until(({ changes }) => changes.length === 1);
    expect(live.isWaiting).toBe(false);
    live.cut();
  });

  it('is notified of a change by another server', async () => {
    const { path } = await link();
    const page = await payer.start(path);
    const live = await listening(page, elsewhere);
    await payer.press(page, 'exact');
    await live.until(({ changes }) => changes.length === 1);
    live.cut();
    expect((await elsewhere.open(page.path)).state, 'and what it then asks for is as new').toBe('paid');
  });

  it('is not notified of what it does not show', async () => {
    const [{ id, path }, other] = [await link(), await link()];
    const live = await listening(await payer.start(path));
    await pay(other.id);
    must(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await application.otherSandbox.client.post('/v1/accounts', { currency: 'EUR' }));
    // What follows is the first that it is told of.
    must(await client.post(`/v1/payment_links/${id}/deactivate`));
    await live.until(({ changes }) => changes.length > 0);
    expect(live.changes).toEqual([expect.stringMatching(/^canceled/)]);
    live.cut();
  });

  it('carries no data: only that something changed', async () => {
    const { id, path } = await link({ description: 'Garden table', reference: 'Invoice 4711' });
    const live = await listening(await payer.start(path));
    const payment = await pay(id);
    await live.until(({ changes }) => changes.length === 1);
    const answers = JSON.stringify(live.changes);
    const { reference } = must(await client.get(`/v1/payments/${payment}`)).json as Json & { reference: string };
    for (const secret of [id, payment, reference, 'Garden table', 'Invoice 4711', 'Grace'])
      expect(answers).not.toContain(secret);
    live.cut();
  });
});

it('shows at once what was begun on another server, to whoever presses here too', async () => {
  for (let i = 0; i < 5; i++) {
    const { path } = await link();
    const [here, there] = [await payer.open(path), await elsewhere.open(path)];
    for (let opening = 0; opening < 2; opening++) await elsewhere.open(`${path}?lang=en`);
    await payer.press(here, 'bank_transfer');
    expect((await elsewhere.press(there, 'bank_transfer')).state).toBe('waiting');
  }
});

it('takes so many streams of one page, and another when one has gone', async () => {
  const { path } = await link();
  const page = await payer.start(path);
  const lives = await Promise.all(Array.from({ length: PER_PATH }, () => payer.follow(page)));
  expect(lives.map(({ status }) => status)).toEqual(lives.map(() => 200));
  const refused = await payer.follow(page);
  expect(refused.status).toBe(503);
  expect((await payer.follow(await payer.start((await link()).path))).status, 'of another page').toBe(200);
  for (const live of lives) live.cut();
  await eventually('a place is free', async () => (await payer.follow(page)).status === 200);
});

it('a server that stops does not wait for open pages', async () => {
  const third = await startSecondServer(application);
  const watcher = new Payer(third.address);
  const { path } = await link();
  const live = await listening(await watcher.start(path), watcher);
  await third.stop();
  await expect(live.until(() => false)).rejects.toThrow(); // it is over
  watcher.close();
});
