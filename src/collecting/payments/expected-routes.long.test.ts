/** Expected payments: paid by statements in parts, too much, late; overdue by the sandbox's clock; the code for banking apps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { readQr } from '../../../test/support/browser/qr.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

const IBAN = 'DE89370400440532013000';

quickRounds();
let application: Application;
let client: Client;
let account: string;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const balance = async () => (await get(`/v1/accounts/${account}`))['balance'] as number;
const expected = (more: object = {}) => post('/v1/expected_payments', { amount: '119.00', currency: 'EUR', ...more });
const now = async ({ id }: Json) => get(`/v1/expected_payments/${id as string}`);

/** Each file is of a day of its own: without balances, the same of the same day would wait. */
const onDay = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString().slice(0, 10);
let files = 0;
async function came(amount: string, text: string): Promise<Json> {
  files += 1;
  const entries = [{ amount, reference: `R${files}`, details: [{ text, name: 'Example AG' }] }];
  const file = camt([{ iban: IBAN, day: onDay(files), id: `N${files}`, entries }], 'camt.054');
  must(await handedIn(client, file));
  return ((await get('/v1/bank_entries?limit=1'))['data'] as [Json])[0];
}

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
});
afterAll(() => application?.stop());

it('has no code before a bank account collects', async () => {
  const { id } = await expected({ amount: 118 });
  const refused = await client.get(`/v1/expected_payments/${id as string}/code`);
  expect(refused.json['error']).toMatchObject({ code: 'epc_code_unavailable' });
  const bank = {
    currency: 'EUR',
    country: 'DE',
    holder: 'Rossum GmbH',
    bank_details: { iban: IBAN },
    booked_by: 'camt.054',
  };
  await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin' });
});

describe('money that names it', () => {
  it('in parts, then all of it, then more', async () => {
    const invoice = await expected({ payer: 'Example AG', description: 'Invoice 2026-17', due_on: '2098-12-20' });
    expect(invoice).toMatchObject({
      status: 'open',
      amount_received: 0,
      account,
      payer: 'Example AG',
      due_on: '2098-12-20',
    });
    const reference = invoice['reference'] as string;
    const before = await balance();
    expect(await came('19.00', `Invoice 2026-17 ${reference}`)).toMatchObject({
      assignments: [{ to: invoice['id'], amount: 19 }],
    });
    expect(await now(invoice)).toMatchObject({ status: 'partially_paid', amount_received: 19, paid_at: null });
    await came('100.00', reference.toLowerCase());
    expect(await now(invoice)).toMatchObject({
      status: 'paid',
      amount_received_minor: 11_900,
      paid_at: expect.any(Number),
    });
    await came('1.00', reference);
    expect(await now(invoice)).toMatchObject({ status: 'paid', amount_received: 120 });
    expect(await balance()).toBe(before + 12_000);
    const types = ((await get('/v1/events?type=expected_payment.*&order=asc&limit=100'))['data'] as Json[])
      .filter(({ data }) => ((data as Json)['object'] as Json)['id'] === invoice['id'])
      .map(({ type }) => type);
    expect(types).toEqual(['created', 'partially_paid', 'paid', 'paid'].map((type) => `expected_payment.${type}`));
    expect((await get(`/v1/expected_payments?reference=${reference}`))['data']).toHaveLength(1);
  });

  it('after it was canceled waits for a person, who may not give it there either', async () => {
    const invoice = await expected();
    await post(`/v1/expected_payments/${invoice['id'] as string}/cancel`, {});
    const entry = await came('119.00', invoice['reference'] as string);
    expect(entry).toMatchObject({ status: 'unmatched', conflict: expect.stringContaining('is canceled') });
    const assign = (to: unknown) =>
      client.post(`/v1/bank_entries/${entry['id'] as string}/assign`, { assignments: [{ to }] });
    expect((await assign(invoice['id'])).json['error']).toMatchObject({
      code: 'expected_payment_ended',
      param: 'assignments[0][to]',
    });
    const other = await expected();
    const [suggestion] = ((await get('/v1/bank_entries?status=unmatched&limit=1'))['data'] as [Json])[0][
      'suggestions'
    ] as Json[];
    expect(suggestion).toMatchObject({ to: other['id'], reasons: ['amount'] });
    must(await assign(other['id']));
    expect(await now(other)).toMatchObject({ status: 'paid' });
    const again = await client.post(`/v1/expected_payments/${other['id'] as string}/cancel`, {});
    expect(again.json['error']).toMatchObject({ code: 'expected_payment_ended', current_status: 'paid' });
  });
});

it('is overdue when its day has passed by the clock of the sandbox, and paid all the same', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const invoice = await expected({ due_on: today });
  await post('/v1/test_helpers/clock/advance', { seconds: 86_400 });
  await expect.poll(async () => (await now(invoice))['status'], { timeout: 20_000 }).toBe('overdue');
  await came('100.00', invoice['reference'] as string);
  expect(await now(invoice)).toMatchObject({ status: 'overdue', amount_received: 100 });
  await came('19.00', invoice['reference'] as string);
  expect(await now(invoice)).toMatchObject({ status: 'paid' });
});

it('has a code that a banking app can read, of what is missing, as SVG and as PNG', async () => {
  const invoice = await expected();
  await came('19.00', invoice['reference'] as string);
  const path = `/v1/expected_payments/${invoice['id'] as string}/code`;
  const svg = await client.get(path);
  expect([svg.headers['content-type'], svg.text.slice(0, 4)]).toEqual(['image/svg+xml', '<svg']);
  const response = await fetch(`${application.address}${path}?format=png`, {
    headers: { authorization: `Bearer ${application.sandbox.key}` },
  });
  expect(response.headers.get('content-type')).toBe('image/png');
  const { text } = readQr(Buffer.from(await response.arrayBuffer()));
  expect(text.split('\n')).toEqual([
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    'Rossum GmbH',
    IBAN,
    'EUR100.00',
    '',
    invoice['reference'],
  ]);
});

it('has a Swiss QR code for francs, once the bank account says where its holder lives', async () => {
  await post('/v1/accounts', { currency: 'CHF' });
  const invoice = await post('/v1/expected_payments', { amount: '119.00', currency: 'CHF' });
  const path = `/v1/expected_payments/${invoice['id'] as string}/code`;
  const bank = await post('/v1/bank_accounts', {
    currency: 'CHF',
    country: 'CH',
    holder: 'Rossum AG',
    bank_details: { iban: 'CH4431999123000889012' },
    cut_off: '14:30',
    time_zone: 'Europe/Zurich',
    booked_by: 'camt.054',
  });
  expect((await client.get(path)).json['error']).toMatchObject({
    code: 'epc_code_unavailable',
    message: expect.stringContaining('holder_address'),
  });
  const holder_address = { line1: 'Bundesplatz 3', postal_code: '3003', city: 'Bern', country: 'CH' };
  await post(`/v1/bank_accounts/${bank['id'] as string}`, { holder_address });
  const response = await fetch(`${application.address}${path}?format=png`, {
    headers: { authorization: `Bearer ${application.sandbox.key}` },
  });
  const lines = readQr(Buffer.from(await response.arrayBuffer())).text.split('\n');
  expect([lines[0], lines[3], lines[5], lines[18], lines[27]]).toEqual([
    'SPC',
    'CH4431999123000889012',
    'Rossum AG',
    '119.00',
    'QRR',
  ]);
  expect((await client.get(path)).text).toMatch(
    /^<svg.*<path fill="#000" d="M[^>]*><path fill="#fff"[^>]*><path fill="#fff"[^>]*><\/svg>\s*$/s,
  );
  files += 1;
  const details = [{ creditorReference: lines[28] as string, name: 'Example AG' }];
  const entries = [{ amount: '119.00', reference: `R${files}`, details }];
  const statement = { iban: 'CH4431999123000889012', currency: 'CHF', day: onDay(files), id: `N${files}`, entries };
  must(await handedIn(client, camt([statement], 'camt.054')));
  expect(await now(invoice)).toMatchObject({ status: 'paid' });
});

it('is paid by the sandbox bank too, without a file', async () => {
  const invoice = await expected({ amount: 12 });
  const dated = { cut_off: '14:30', time_zone: 'Europe/Berlin', bank_details: { iban: 'DE02120300000000202051' } };
  const bank = await post('/v1/bank_accounts', { currency: 'EUR', country: 'DE', holder: 'Rossum GmbH', ...dated });
  const text = `Thanks ${invoice['reference'] as string}`;
  const money = { amount: 12, text, name: 'Example AG', iban: 'NL91ABNA0417164300' };
  const path = `/v1/test_helpers/bank_accounts/${bank['id'] as string}/credit`;
  const entry = await post(path, money);
  expect(entry).toMatchObject({
    status: 'matched',
    assignments: [{ to: invoice['id'] }],
    counterparty: { account_last4: '4300' },
  });
  expect(await now(invoice)).toMatchObject({ status: 'paid' });
  for (const words of ['Hello', 'Hello']) await post(path, { ...money, text: words });
  expect((await get('/v1/bank_statements?limit=3'))['data']).toMatchObject([
    { proof: 'ok' },
    { proof: 'ok' },
    { proof: 'ok' },
  ]);
  expect((await get('/v1/bank_entries?status=unmatched&limit=2'))['data']).toHaveLength(2);
  const live = application.live.client;
  expect((await live.post(path, money)).json['error']).toMatchObject({
    code: 'sandbox_only',
  });
});

it('is nobody else’s', async () => {
  const { id } = await expected();
  expect((await application.otherSandbox.client.get(`/v1/expected_payments/${id as string}`)).status).toBe(404);
  expect((await application.otherSandbox.client.get(`/v1/expected_payments/${id as string}/code`)).status).toBe(404);
});

it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
