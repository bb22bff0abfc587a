/** What comes back of payouts, through files and the API: with a sign of the bank, from the payee’s account, or quoted by somebody. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

const IBAN = 'DE89370400440532013000';
const ADA = 'DE02120300000000202051';
const EVA = 'NL91ABNA0417164300';

let application: Application;
let client: Client;
let account: string;
let recipient: string;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const outgoing = (payout: string) => payout.replace('_', '').toUpperCase();

/** Each file is of a day of its own: without balances, the same of the same day would wait. */
const onDay = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString().slice(0, 10);
let files = 0;
/** Entries of a bank; what each became, in order. */
async function reported(...entries: readonly Written[]): Promise<Json[]> {
  files += 1;
  const numbered = entries.map((entry, n) => ({ reference: `R${files}-${n}`, ...entry }));
  must(
    await handedIn(client, camt([{ iban: IBAN, day: onDay(files), id: `R${files}`, entries: numbered }], 'camt.054')),
  );
  const { data } = await get(`/v1/bank_entries?limit=${entries.length}`);
  return (data as Json[]).toReversed();
}
async function paid(amount: number): Promise<string> {
  const { id } = await post('/v1/payouts', { amount, currency: 'EUR', account, recipient });
  const payout = id as string;
  await post('/v1/payment_files', {});
  await eventually('it is in a file', async () => (await get(`/v1/payouts/${payout}`))['status'] === 'in_transit');
  await reported({ amount: `-${amount.toFixed(2)}`, details: [{ endToEndId: outgoing(payout) }] });
  expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'paid' });
  return payout;
}
const agreed = async ({ id }: Json, what: 'void' | 'unvoid') => {
  await post(`/v1/bank_entries/${id as string}/${what}`, { reason: 'Looked at again' });
  await post(`/v1/test_helpers/bank_entries/${id as string}/approve`, {});
};
const suggestionsOf = async ({ id }: Json) => {
  const { data } = await get('/v1/bank_entries?status=unmatched&limit=100');
  return (data as Json[]).find((each) => each['id'] === id)?.['suggestions'] as Json[];
};

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10_000 });
  const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: ADA };
  recipient = (await post('/v1/recipients', ada))['id'] as string;
  const bank = { currency: 'EUR', country: 'DE', holder: 'Rossum', bank_details: { iban: IBAN } };
  await post('/v1/bank_accounts', { ...bank, booked_by: 'camt.054', cut_off: '14:30', time_zone: 'Europe/Berlin' });
});
afterAll(async () => {
  await auditDatabase(application.databaseUrl);
  await application.stop();
});

describe('a credit that quotes the EndToEndId of a payout', () => {
  it('of a cent waits for a person, who finds the payout suggested first', async () => {
    const payout = await paid(100);
    const [cent] = await reported({
      amount: '0.01',
      details: [{ endToEndId: outgoing(payout), name: 'Ada', iban: ADA }],
    });
    expect(cent).toMatchObject({ status: 'unmatched', conflict: null });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'paid', amount_returned: 0 });
    const [first, ...others] = await suggestionsOf(cent as Json);
    expect(first).toMatchObject({ to: payout, amount: 0.01, reasons: ['reference'] });
    expect(others.filter(({ to }) => to === payout)).toEqual([]);
    const assigned = { assignments: first?.['assignments'], reason: 'A part of it, by phone' };
    await post(`/v1/bank_entries/${cent?.['id'] as string}/assign`, assigned);
    const inPart = { status: 'returned', amount: 100, amount_returned: 0.01, amount_returned_minor: 1 };
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject(inPart);
    const { data } = await get(`/v1/events?type=payout.returned&related_object=${payout}`);
    expect((data as Json[])[0]?.['data']).toMatchObject({ object: inPart, previous_attributes: { status: 'paid' } });
    const csv = await client.send('GET', '/v1/payouts?limit=1', '', { accept: 'text/csv' });
    const [head = '', row = ''] = csv.text.split('\r\n');
    expect([head, row]).toEqual([
      expect.stringContaining(',amount_returned,amount_returned_minor,'),
      expect.stringContaining(',0.01,1,'),
    ]);
  });

  it.each<readonly [string, Partial<Written>]>([
    ['a reversal', { isReversal: true }],
    ['the code of a return', { code: 'PMNT-RCDT-RRTN' }],
  ])('with %s is a return', async (_, sign) => {
    const payout = await paid(50);
    const [back] = await reported({ amount: '50.00', ...sign, details: [{ endToEndId: outgoing(payout) }] });
    expect(back).toMatchObject({ status: 'matched', assignments: [{ to: payout }] });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'returned' });
  });

  it('of all of it is a return from the payee’s own account, and from no other', async () => {
    const [own, other] = [await paid(60), await paid(61)];
    const [back, waiting] = await reported(
      { amount: '60.00', details: [{ endToEndId: outgoing(own), name: 'Ada', iban: ADA }] },
      { amount: '61.00', details: [{ endToEndId: outgoing(other), name: 'Eva', iban: EVA }] },
    );
    expect(back).toMatchObject({ status: 'matched', assignments: [{ to: own }] });
    expect(await get(`/v1/payouts/${own}`)).toMatchObject({ status: 'returned' });
    expect(waiting).toMatchObject({ status: 'unmatched' });
    expect(await get(`/v1/payouts/${other}`)).toMatchObject({ status: 'paid' });
  });

  it('of more than was sent is suggested as a return with interest', async () => {
    const payout = await paid(70);
    const back = { endToEndId: outgoing(payout), returned: 'AC04' };
    const [more] = await reported({ amount: '70.35', details: [back] });
    expect(more).toMatchObject({ status: 'unmatched' });
    const [first] = await suggestionsOf(more as Json);
    expect(first).toMatchObject({
      to: null,
      amount: 70.35,
      assignments: [
        { to: payout, amount: 70 },
        { to: 'fees', amount: 0.35 },
      ],
    });
    const assignments = first?.['assignments'];
    const assigned = await post(`/v1/bank_entries/${more?.['id'] as string}/assign`, { assignments });
    expect(assigned).toMatchObject({ status: 'matched', amount_unassigned: 0 });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'returned' });
  });
});

describe('a second debit', () => {
  const entryOf = (payout: string, amount: string, returned?: string): Written => ({
    amount,
    details: [{ endToEndId: outgoing(payout), ...(returned !== undefined && { returned }) }],
  });

  it('is a conflict; what gives it back closes it, and the payout stays paid', async () => {
    const payout = await paid(80);
    const [second] = await reported(entryOf(payout, '-80.00'));
    expect(second).toMatchObject({ status: 'unmatched', conflict: expect.stringContaining('is paid') });
    const [back] = await reported(entryOf(payout, '80.00', 'AM05'));
    const closed = await get(`/v1/bank_entries/${second?.['id'] as string}`);
    expect(closed).toMatchObject({
      status: 'matched',
      assignments: [{ to: back?.['id'], amount: 80, transfer: null }],
    });
    expect(back).toMatchObject({ status: 'matched', conflict: null, assignments: [{ to: second?.['id'] }] });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'paid' });
    const [again] = await reported(entryOf(payout, '80.00', 'AC04'));
    expect(again).toMatchObject({ status: 'matched', assignments: [{ to: payout }] });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'returned' });
  });

  it('of a payout that came back is suggested for a credit that only quotes it, and closed by a person’s word', async () => {
    const payout = await paid(85);
    await reported(entryOf(payout, '85.00', 'AC04'));
    const [second] = await reported(entryOf(payout, '-85.00'));
    const [quoting] = await reported({ ...entryOf(payout, '85.00'), code: 'PMNT-RCDT-ESCT' });
    expect(quoting).toMatchObject({ status: 'unmatched', conflict: null });
    const [first] = await suggestionsOf(quoting as Json);
    expect(first).toMatchObject({ to: payout, amount: 85, reasons: ['reference', 'amount'] });
    await agreed(second as Json, 'void');
    expect((await suggestionsOf(quoting as Json)).map(({ to }) => to)).not.toContain(payout);
    await agreed(second as Json, 'unvoid');
    expect((await suggestionsOf(quoting as Json))[0]).toEqual(first);
    const assignments = first?.['assignments'];
    const closed = await post(`/v1/bank_entries/${quoting?.['id'] as string}/assign`, { assignments });
    expect(closed).toMatchObject({ status: 'matched', assignments: [{ to: second?.['id'], transfer: null }] });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'returned', amount_returned: 85 });
  });

  it('of a file that was given up and sent after all is closed the same way', async () => {
    const { id } = await post('/v1/payouts', { amount: 90, currency: 'EUR', account, recipient });
    const payout = id as string;
    const isIn = (status: string) =>
      eventually(`it is ${status}`, async () => (await get(`/v1/payouts/${payout}`))['status'] === status);
    await post('/v1/payment_files', {});
    await isIn('in_transit');
    const { data } = await get('/v1/payment_files?limit=1');
    const file = (data as Json[])[0]?.['id'] as string;
    await eventually('the file is sealed', async () => (await get(`/v1/payment_files/${file}`))['status'] === 'sealed');
    await post(`/v1/test_helpers/payment_files/${file}/abandon`, {});
    await isIn('pending');
    await post('/v1/payment_files', {});
    await isIn('in_transit');
    const [first, second] = await reported(entryOf(payout, '-90.00'), entryOf(payout, '-90.00'));
    expect([first?.['status'], second?.['status']]).toEqual(['matched', 'unmatched']);
    const [back] = await reported(entryOf(payout, '90.00', 'AM05'));
    expect(back).toMatchObject({ status: 'matched', assignments: [{ to: second?.['id'] }] });
    expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'paid' });
  });
});
