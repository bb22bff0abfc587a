/** Concurrent payers on two servers and one database: who may start is decided once, and no money is lost or doubled. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf, type Seen } from '../../../test/support/browser/payer.ts';
import { startSecondServer, type SecondServer } from '../../../test/support/harness/second-server.ts';
import { newReference, newToken } from '../payments/tokens.ts';

const PAYERS = 40;
const REPORTS = 20;

let application: Application;
let second: SecondServer;
let client: Client;
let payers: readonly [Payer, Payer];

beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
  client = application.sandbox.client;
  payers = [new Payer(application.address), new Payer(second.address)];
});
afterAll(async () => {
  for (const payer of payers ?? []) payer.close();
  await second?.stop();
  await application?.stop();
});

/** Payers, half of them on each server. */
const payerOf = (i: number) => payers[i % 2] as Payer;
const link = async (body: object = {}) => {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  const { json } = must(await client.post('/v1/payment_links', { amount: 250, currency: 'EUR', account, ...body }));
  return { id: json['id'] as string, path: pathOf(json['url'] as string), account };
};
const retrieve = async (id: string) => must(await client.get(`/v1/payment_links/${id}`)).json;
const payments = async (id: string) =>
  must(await client.get(`/v1/payments?payment_link=${id}&limit=100`)).json['data'] as readonly Json[];
const balance = async (account: string) => must(await client.get(`/v1/accounts/${account}`)).json['balance'];
/** All have the page open before the first of them presses; `meanwhile` happens while they do. */
async function startAtOnce(
  path: string,
  typed: (i: number) => Record<string, string> = () => ({}),
  meanwhile?: () => Promise<unknown>,
): Promise<Seen[]> {
  const pages = await Promise.all(Array.from({ length: PAYERS }, (_, i) => payerOf(i).open(path)));
  const pressed = Promise.all(pages.map((page, i) => payerOf(i).press(page, 'bank_transfer', typed(i))));
  const [seen] = await Promise.all([pressed, meanwhile?.()]);
  return seen;
}
const by = (seen: readonly Seen[]) => ({
  waiting: seen.filter(({ status, state }) => status === 200 && state === 'waiting').length,
  refused: seen.filter(({ status }) => status === 400).length,
});

describe('payers who start at once', () => {
  it('a link for one payment: all go on with the same', async () => {
    const { id, path } = await link();
    const seen = await startAtOnce(path);
    expect(by(seen)).toEqual({ waiting: PAYERS, refused: 0 });
    const [payment, ...others] = await payments(id);
    expect(others).toEqual([]);
    const references = seen.map(({ html }) => /data-copy="(RF\w+)"/.exec(html)?.[1]);
    expect(new Set(references)).toEqual(new Set([payment?.['reference']]));
    expect(await retrieve(id)).toMatchObject({ status: 'active', open_payments_count: 1, payments_count: 0 });
  });

  it('a link for one payment that somebody else has paid meanwhile: the other sees why', async () => {
    const { id, path, account } = await link();
    const late = await payerOf(1).open(path);
    const begun = await payerOf(0).press(await payerOf(0).open(path), 'bank_transfer');
    await payerOf(0).press(begun, 'exact');
    const { status, state, alert, forms } = await payerOf(1).press(late, 'bank_transfer');
    expect([status, state, alert]).toEqual([400, 'paid', expect.stringContaining('paid already')]);
    expect(forms.map(({ action }) => action).filter((action) => !action.includes('/simulate'))).toEqual([]);
    expect(await payments(id)).toMatchObject([{ status: 'succeeded' }]);
    expect(await balance(account)).toBe(25_000);
  });

  it('each with an amount of their own: nobody decides for another, and the first that pays has it', async () => {
    const { id, path, account } = await link({ amount_type: 'open', amount: undefined });
    const seen = await startAtOnce(path, (i) => ({ amount: String(100 + i) }));
    expect(by(seen).waiting).toBe(PAYERS);
    for (const [i, { words }] of seen.entries()) expect(words).toContain(`€${100 + i}.00`);
    expect(await payments(id)).toHaveLength(PAYERS);
    expect(await retrieve(id)).toMatchObject({ status: 'active', open_payments_count: 1 });
    expect((await payerOf(1).press(seen[7] as Seen, 'exact')).state).toBe('paid');
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payments_count: 1, amount_received: 107 });
    expect(await balance(account)).toBe(10_700);
  });

  it('a link for five: all start, the first five that pay have it, the others see why they cannot', async () => {
    const { id, path } = await link({ reusable: true, max_payments: 5 });
    const late = await payerOf(1).open(path);
    const seen = await startAtOnce(path);
    expect(by(seen)).toEqual({ waiting: PAYERS, refused: 0 });
    expect(await retrieve(id)).toMatchObject({ open_payments_count: PAYERS, payments_count: 0 });
    const open = await payerOf(0).follow(seen[5] as Seen);
    for (const page of seen.slice(0, 5)) expect((await payerOf(1).press(page, 'exact')).state).toBe('paid');
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payments_count: 5 });
    await open.until(({ changes }) => changes.length > 0); // an open page is told at once
    open.cut();
    for (const page of seen.slice(5, 9)) {
      const { state, words, forms } = await payerOf(0).open(page.path);
      expect([state, words, forms]).toEqual(['used_up', expect.stringContaining('Please send no money'), []]);
    }
    const { status, alert } = await payerOf(0).press(late, 'bank_transfer');
    expect([status, alert]).toEqual([400, expect.stringContaining('paid already')]);
    expect(await payments(id)).toHaveLength(PAYERS);
  });

  it('a link for one of several, and all pay at once: one commit completes it, and no money is lost', async () => {
    const { id, path, account } = await link({ reusable: true, max_payments: 1 });
    const seen = await startAtOnce(path);
    const paid = await Promise.all(seen.map((page, i) => payerOf(i + 1).press(page, 'exact')));
    expect(new Set(paid.map(({ state }) => state))).toEqual(new Set(['paid']));
    expect(await balance(account)).toBe(PAYERS * 25_000);
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payments_count: PAYERS, open_payments_count: 0 });
    const completed = must(await client.get(`/v1/events?type=payment_link.completed&related_object=${id}`));
    expect(completed.json['data']).toHaveLength(1);
  });

  it.each([{ max_payments: 1 }, {}])('a stranger who starts a thousand times locks nobody out: %o', async (limit) => {
    const { id, path, account } = await link({ reusable: true, ...limit });
    const started = Array.from({ length: 1_000 }, () => {
      const [token, reference] = [newToken(), newReference()];
      const command = { type: 'start_payment', link: id, method: 'bank_transfer', amount: null } as const;
      return application.submit(application.sandbox.environmentId, { ...command, token, reference });
    });
    await Promise.all(started);
    expect(await retrieve(id)).toMatchObject({ status: 'active', open_payments_count: 1_000 });
    const honest = await payerOf(1).start(path);
    expect(honest.state).toBe('waiting');
    expect((await payerOf(0).press(honest, 'exact')).state).toBe('paid');
    const status = limit.max_payments === undefined ? 'active' : 'completed';
    expect(await retrieve(id)).toMatchObject({ status, payments_count: 1, open_payments_count: 1_000 });
    expect(await balance(account)).toBe(25_000);
  });

  it('while the link is deactivated: nobody begins once it is', async () => {
    const { id, path } = await link({ reusable: true });
    const deactivate = async () => must(await client.post(`/v1/payment_links/${id}/deactivate`));
    const seen = await startAtOnce(path, undefined, deactivate);
    const begun = await payments(id);
    // A page that was begun before may be asked for after: then it says that the link was canceled.
    const answered = seen.filter(({ state }) => state === 'waiting' || state === 'canceled').length;
    expect(answered).toBe(PAYERS);
    expect(by(seen).waiting).toBeLessThanOrEqual(begun.length);
    expect(await retrieve(id)).toMatchObject({ status: 'canceled', open_payments_count: begun.length });
    expect(by(await startLate(path)).waiting).toBe(0);
    expect(await payments(id)).toHaveLength(begun.length);
  });

  async function startLate(path: string): Promise<Seen[]> {
    const page = await payerOf(0).open(path);
    expect(page.forms).toEqual([]);
    return [page];
  }
});

describe('a bank that reports at once', () => {
  it('the whole amount, often: one counts, the others are duplicates, and all of it is there', async () => {
    const { id, path, account } = await link();
    const page = await payerOf(0).start(path);
    const seen = await Promise.all(Array.from({ length: REPORTS }, (_, i) => payerOf(i).press(page, 'exact')));
    expect(new Set(seen.map(({ status, state }) => `${status} ${state}`))).toEqual(new Set(['200 paid']));
    const all = await payments(id);
    const counted = all.filter(({ status, duplicate_of: of }) => status === 'succeeded' && of === null);
    expect(counted).toHaveLength(1);
    const duplicates = all.filter(({ duplicate_of: of }) => of !== null);
    expect(duplicates).toHaveLength(REPORTS - 1);
    for (const each of duplicates)
      expect(each).toMatchObject({ duplicate_of: counted[0]?.['id'], amount_received: 250 });
    expect(await balance(account)).toBe(REPORTS * 25_000);
    expect(await retrieve(id)).toMatchObject({
      status: 'completed',
      payments_count: 1,
      amount_received: REPORTS * 250,
    });
  });

  it('money and failure: whichever came first, the money is there and counts', async () => {
    const { id, path, account } = await link();
    const page = await payerOf(0).start(path);
    await Promise.all(
      Array.from({ length: REPORTS }, (_, i) => payerOf(i).press(page, i === REPORTS / 2 ? 'exact' : 'fail')),
    );
    expect(await payments(id)).toMatchObject([{ status: 'succeeded', amount_received: 250, failure_code: null }]);
    expect(await balance(account)).toBe(25_000);
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payments_count: 1, open_payments_count: 0 });
  });
});

it('afterwards every sum is right', async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});
