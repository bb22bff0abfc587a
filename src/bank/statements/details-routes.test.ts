/** A Swiss collective credit over HTTP: a camt.053 with one sum, a camt.054 with who paid what, in either order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type WrittenDetail } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { referenceFor } from '../../core/rails/qr-bill.ts';
import { uuidOf } from '../../core/values/ids.ts';

const IBAN = 'CH4431999123000889012';
let application: Application;
let client: Client;
let account: string;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object = {}) => must(await client.post(path, body)).json;
const qrr = (reference: string): string => referenceFor(IBAN, reference);
const balance = async () => (await get(`/v1/accounts/${account}`))['balance'] as number;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = idIn(must(await client.post('/v1/accounts', { currency: 'CHF' })));
  const bank = { currency: 'CHF', country: 'CH', holder: 'Rossum AG', bank_details: { iban: IBAN } };
  await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Zurich' });
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application?.stop();
});

async function started(amount: number): Promise<{ readonly id: string; readonly reference: string }> {
  const link = idIn(must(await client.post('/v1/payment_links', { amount, currency: 'CHF', account })));
  const reference = newReference();
  const start = { type: 'start_payment', link, method: 'bank_transfer', amount: null } as const;
  const answer = await application.submit(application.sandbox.environmentId, {
    ...start,
    token: newToken(),
    reference,
  });
  return { id: (JSON.parse(answer) as { readonly id: string }).id, reference };
}

let days = 0;
let held = 1_000;
/** A day of the bank: its statement has the sum alone, its notification the transactions. */
function dayOf(transactions: readonly WrittenDetail[], amount: number) {
  const day = new Date(Date.UTC(2026, 5, ++days)).toISOString().slice(0, 10);
  const entry = { amount: amount.toFixed(2), reference: `C53-${days}`, batch: { count: transactions.length } };
  const common = { iban: IBAN, currency: 'CHF', day };
  const [opening, closing] = [held, held + amount].map((each) => each.toFixed(2));
  held += amount;
  const statement = camt([{ ...common, opening, closing, entries: [entry] }] as Parameters<typeof camt>[0]);
  const notified = (details = transactions, id = `N${days}`) =>
    camt([{ ...common, id, entries: [{ ...entry, details }] }], 'camt.054');
  return { statement, notified, notification: notified() };
}
const newest = async () => ((await get('/v1/bank_entries?limit=1'))['data'] as [Json])[0];
const eventsOf = async ({ id }: Json) => {
  const text = 'SELECT type FROM events WHERE object_id = $1 ORDER BY sequence';
  return (await application.sql(text, [uuidOf(id as string)])).map(({ type }) => type);
};

describe.each(['before', 'behind'])('a notification that comes %s its statement', (order) => {
  it('finds an invoice, a payment and an account by their QR references, and what is left waits', async () => {
    const invoice = await post('/v1/expected_payments', { amount: '100.00', currency: 'CHF', account });
    const payment = await started(50.5);
    const before = await balance();
    const eve = { amount: '9.50', text: 'Danke', name: 'Eve Muster', iban: 'CH9300762011623852957' };
    const transactions = [
      { amount: '100.00', creditorReference: qrr(invoice['reference'] as string), name: 'Ada Muster' },
      { amount: '50.50', creditorReference: qrr(payment.reference), name: 'Ben Muster' },
      { amount: '40.00', creditorReference: qrr(depositReference(account)), name: 'Cyd Muster' },
      eve,
    ];
    const { statement, notification } = dayOf(transactions, 200);
    const files = order === 'before' ? [notification, statement] : [statement, notification];
    const documents = [];
    for (const file of files) documents.push(must(await handedIn(client, file)).json);
    const notified = documents[order === 'before' ? 0 : 1] as Json;
    const entry = await newest();
    expect(entry).toMatchObject({
      status: 'unmatched',
      amount_unassigned: 9.5,
      transactions_from: notified['id'],
      transactions: [
        { amount: 100, amount_minor: 10_000, counterparty: { name: 'Ada Muster' }, to: invoice['id'] },
        { amount: 50.5, counterparty: { name: 'Ben Muster' }, to: payment.id },
        { amount: 40, counterparty: { name: 'Cyd Muster' }, to: account },
        { amount: 9.5, counterparty: { name: 'Eve Muster', account_last4: '2957' }, text: 'Danke', to: null },
      ],
    });
    expect((entry['assignments'] as unknown as Json[]).map(({ to, amount }) => [to, amount])).toEqual([
      [invoice['id'], 100],
      [payment.id, 50.5],
      [account, 40],
    ]);
    expect((await get(`/v1/expected_payments/${invoice['id'] as string}`))['status']).toBe('paid');
    expect(await get(`/v1/payments/${payment.id}`)).toMatchObject({
      status: 'succeeded',
      payer: { name: 'Ben Muster' },
    });
    expect(await balance()).toBe(before + 19_050);
    expect(await eventsOf(entry)).toEqual(['bank_entry.unmatched', 'bank_entry.assigned']);
    expect(notified['notes']).toEqual(expect.arrayContaining([expect.stringContaining('books nothing')]));
    const said = `Entries that have their transactions from document ${notified['id'] as string}: 1.`;
    expect(documents.flatMap(({ notes }) => notes)).toContain(said);

    const { lines } = await get(`/v1/accounts/${account}/statement`);
    const names = (lines as Json[]).slice(-3).map(({ counterparty_name: name }) => name);
    expect(names).toEqual(['Ada Muster', 'Ben Muster', 'Cyd Muster']);

    // The same files change nothing.
    for (const file of files) await handedIn(client, file);
    expect(await newest()).toEqual(entry);
    expect(await eventsOf(entry)).toHaveLength(2);
  });
});

it('what a person has assigned before is not moved, and the transactions are shown', async () => {
  const invoice = await post('/v1/expected_payments', { amount: '30.00', currency: 'CHF', account });
  const notified = [{ amount: '30.00', creditorReference: qrr(invoice['reference'] as string), name: 'Ada Muster' }];
  const { statement, notification } = dayOf(notified, 30);
  must(await handedIn(client, statement));
  const { id } = await newest();
  await post(`/v1/bank_entries/${id as string}/assign`, { assignments: [{ to: 'fees', amount: 1 }] });
  must(await handedIn(client, notification));
  expect(await newest()).toMatchObject({
    amount_unassigned: 29,
    assignments: [{ to: 'fees', amount: 1 }],
    transactions: [{ amount: 30, to: null }],
  });
  expect(await get(`/v1/expected_payments/${invoice['id'] as string}`)).toMatchObject({ status: 'open' });
  expect(await eventsOf(await newest())).toEqual(['bank_entry.unmatched', 'bank_entry.assigned', 'bank_entry.updated']);
});

it('a statement that waits for a person is divided once its entry is booked', async () => {
  const invoice = await post('/v1/expected_payments', { amount: '20.00', currency: 'CHF', account });
  const transactions = [{ amount: '20.00', creditorReference: qrr(invoice['reference'] as string) }];
  const { statement, notification } = dayOf(transactions, 20);
  const closing = (held + 5).toFixed(2);
  must(await handedIn(client, statement.replace(held.toFixed(2), closing)));
  must(await handedIn(client, notification));
  const [waiting] = (await get('/v1/bank_statements?status=needs_review'))['data'] as [Json];
  await post(`/v1/bank_statements/${waiting['id'] as string}/review`, { new_entries: '1', reason: 'Looked at it' });
  await eventually('the invoice is paid', async () => {
    const { status } = await get(`/v1/expected_payments/${invoice['id'] as string}`);
    return status === 'paid';
  });
  expect(await newest()).toMatchObject({ status: 'matched', transactions: [{ to: invoice['id'] }] });
});

it('what waits is sealed, and a reset of the sandbox forgets it', async () => {
  const { notification } = dayOf([{ amount: '7.00', text: 'Danke', name: 'Zoe Muster' }], 7);
  must(await handedIn(client, notification));
  const stored = () => application.sql('SELECT content, is_waiting FROM bank_entry_details WHERE is_waiting');
  const [row] = await stored();
  expect(row?.['content']).toMatch(/^v1\./);
  expect(await application.sql(`SELECT FROM bank_entry_details t WHERE t::text LIKE '%Muster%'`)).toEqual([]);
  await post('/v1/test_helpers/reset');
  expect(await application.sql('SELECT FROM bank_entry_details')).toEqual([]);
});
