/** Payments and their links in every state, paid by imported statements: too little, too much, twice, late, in another currency. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBANS = { EUR: 'DE89370400440532013000', USD: 'DE02120300000000202051' } as const;

let application: Application;
let client: Client;
let account: string;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  for (const [currency, iban] of Object.entries(IBANS)) {
    const bank = {
      currency,
      country: 'DE',
      holder: 'Rossum',
      bank_details: { iban, bic: 'BYLADEM1001' },
      booked_by: 'camt.054',
    };
    await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin' });
  }
});
afterAll(() => application?.stop());

interface Started {
  readonly id: string;
  readonly link: string;
  readonly reference: string;
}

/** A payment of 100.00 EUR that waits for its money. */
async function started(link: object = {}): Promise<Started> {
  const { id } = await post('/v1/payment_links', { amount: 100, currency: 'EUR', account, ...link });
  return again(id as string);
}

async function again(link: string): Promise<Started> {
  const reference = newReference();
  const start = {
    type: 'start_payment',
    link,
    method: 'bank_transfer',
    amount: null,
    token: newToken(),
    reference,
  } as const;
  const { id } = JSON.parse(await application.submit(application.sandbox.environmentId, start)) as { id: string };
  return { id, link, reference };
}

/** Each file is of a day of its own: without balances, the same of the same day would wait. */
const onDay = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString().slice(0, 10);
let day = 0;
/** Money comes with this text; the entry of the bank. */
async function came(amount: string, text: string, currency: keyof typeof IBANS = 'EUR'): Promise<Json> {
  day += 1;
  const entries = [{ amount, reference: `R${day}`, details: [{ text, name: 'Eva', iban: 'NL91ABNA0417164300' }] }];
  const file = camt([{ iban: IBANS[currency], currency, day: onDay(day), id: `N${day}`, entries }], 'camt.054');
  must(await handedIn(client, file));
  const [entry] = (await get('/v1/bank_entries?limit=1'))['data'] as Json[];
  return entry as Json;
}
const expire = ({ id }: Started) =>
  application.submit(application.sandbox.environmentId, {
    type: 'fail_payment',
    payment: id,
    reason: 'canceled',
    session: null,
  });
const statusOf = async ({ id }: Started) => (await get(`/v1/payments/${id}`))['status'];
const linkOf = async ({ link }: Started) => (await get(`/v1/payment_links/${link}`))['status'];
const balance = async () => (await get(`/v1/accounts/${account}`))['balance'] as number;

it('in parts: the last one completes it', async () => {
  const payment = await started();
  expect(await came('30.00', payment.reference)).toMatchObject({
    status: 'matched',
    assignments: [{ to: payment.id }],
  });
  expect([await statusOf(payment), await linkOf(payment)]).toEqual(['partially_paid', 'active']);
  await came('70.00', payment.reference);
  expect([await statusOf(payment), await linkOf(payment)]).toEqual(['succeeded', 'completed']);
});

it('too much is overpaid, and again is a duplicate of its own', async () => {
  const payment = await started();
  await came('100.01', payment.reference);
  expect(await statusOf(payment)).toBe('overpaid');
  const before = await balance();
  const entry = await came('100.00', payment.reference);
  const [{ to }] = entry['assignments'] as [{ to: string }];
  expect(await get(`/v1/payments/${to}`)).toMatchObject({ status: 'succeeded', duplicate_of: payment.id, amount: 100 });
  expect(await balance()).toBe(before + 10_000);
});

it('late, after it was given up, it is taken all the same', async () => {
  const payment = await started();
  await expire(payment);
  expect(await statusOf(payment)).toBe('failed');
  await came('100.00', payment.reference);
  expect([await statusOf(payment), await linkOf(payment)]).toEqual(['succeeded', 'completed']);
});

it('to a link that another payer has used up by then, to one that has expired, to one that was canceled', async () => {
  const late = await started();
  await expire(late);
  const quick = await again(late.link);
  await came('100.00', quick.reference);
  expect(await linkOf(late)).toBe('completed');
  await came('100.00', late.reference);
  expect([await statusOf(late), await statusOf(quick)]).toEqual(['succeeded', 'succeeded']);

  const canceled = await started();
  await post(`/v1/payment_links/${canceled.link}/deactivate`, {});
  expect(await linkOf(canceled)).toBe('canceled');
  await came('100.00', canceled.reference);
  expect([await statusOf(canceled), await linkOf(canceled)]).toEqual(['succeeded', 'completed']);

  const expired = await started();
  await application.sql(`UPDATE payment_links SET expires_at = now() - interval '1 minute' WHERE status = 'active'`);
  await application.submit(application.sandbox.environmentId, { type: 'expire_payment_link', link: expired.link });
  expect(await linkOf(expired)).toBe('expired');
  await came('40.00', expired.reference);
  expect([await statusOf(expired), await linkOf(expired)]).toEqual(['partially_paid', 'expired']);
});

it('after a refund it is money that nobody asked for: a duplicate', async () => {
  const payment = await started();
  await came('100.00', payment.reference);
  await post(`/v1/payments/${payment.id}/refund`, {});
  const entry = await came('100.00', payment.reference);
  const [{ to }] = entry['assignments'] as [{ to: string }];
  expect(to).not.toBe(payment.id);
  expect(await get(`/v1/payments/${to}`)).toMatchObject({
    status: 'succeeded',
    duplicate_of: expect.stringMatching(/^pay_/),
  });
});

it('what is refunded leaves with the next payment file', async () => {
  const payment = await started();
  await came('100.00', payment.reference);
  const { refund } = await post(`/v1/payments/${payment.id}/refund`, { amount: 40 });
  const exported = await post('/v1/payment_files', {});
  expect(exported['files']).toHaveLength(1);
  const path = `/v1/payouts/${refund as string}`;
  await eventually('the refund is in a file', async () => (await get(path))['status'] === 'in_transit');
});

it('in another currency it waits for a person', async () => {
  const payment = await started();
  expect(await came('100.00', payment.reference, 'USD')).toMatchObject({
    status: 'unmatched',
    assignments: [],
    currency: 'USD',
  });
  expect(await statusOf(payment)).toBe('pending');
});

it('with two references, or one that is mistyped beside it, it waits for a person', async () => {
  const [one, other] = [await started(), await started()];
  expect(await came('200.00', `${one.reference} ${other.reference}`)).toMatchObject({ status: 'unmatched' });
  expect(await came('100.00', `${one.reference} RF00${other.reference.slice(4)}`)).toMatchObject({
    status: 'unmatched',
  });
  expect([await statusOf(one), await statusOf(other)]).toEqual(['pending', 'pending']);
});

it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
