/** Rules for entries that name nothing, and the bank's own charges, by imported files. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';
const SHOP = 'NL91ABNA0417164300';

let application: Application;
let client: Client;
let account: string;
let bankAccount: string;
let other: string;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const fault = async (body: object) => (await client.post('/v1/bank_rules', body)).json['error'];

/** Each file is of a day of its own: without balances, the same of the same day would wait. */
const onDay = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString().slice(0, 10);
let files = 0;
/** Entries of a bank; what each became, in order. */
async function reported(...entries: readonly Written[]): Promise<Json[]> {
  files += 1;
  const numbered = entries.map((entry, n) => ({ reference: `F${files}-${n}`, ...entry }));
  const file = camt([{ iban: IBAN, day: onDay(files), id: `N${files}`, entries: numbered }], 'camt.054');
  must(await handedIn(client, file));
  return ((await get(`/v1/bank_entries?limit=${entries.length}`))['data'] as Json[]).toReversed();
}

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  const bank = { currency: 'EUR', country: 'DE', holder: 'Rossum', cut_off: '14:30', time_zone: 'Europe/Berlin' };
  const by = { bank_details: { iban: IBAN }, booked_by: 'camt.054' };
  bankAccount = (await post('/v1/bank_accounts', { ...bank, ...by }))['id'] as string;
  const details = { bank_details: { iban: 'DE02120300000000202051' } };
  other = (await post('/v1/bank_accounts', { ...bank, ...details }))['id'] as string;
});
afterAll(() => application?.stop());

describe('the bank’s own charges', () => {
  it('go to fees by their code, and nowhere where that is off', async () => {
    const charge = { amount: '-4.90', code: 'PMNT-MDOP-CHRG' };
    const [first, credit] = await reported(charge, { amount: '4.90', code: 'PMNT-MCOP-CHRG' });
    expect(first).toMatchObject({
      status: 'matched',
      assignments: [{ to: 'fees', amount: 4.9, reason: expect.stringContaining('code') }],
    });
    expect(credit).toMatchObject({ status: 'unmatched' });
    await post(`/v1/bank_accounts/${bankAccount}`, { charges: 'by_hand' });
    expect((await reported(charge))[0]).toMatchObject({ status: 'unmatched' });
    await post(`/v1/bank_accounts/${bankAccount}`, { charges: 'to_fees' });
  });
});

describe('a rule', () => {
  it('is tried on past entries first, then leads what comes', async () => {
    const settlement = { amount: '70.00', details: [{ name: 'Card GmbH', iban: SHOP, text: 'Settlement 17' }] };
    await reported(settlement, { ...settlement, details: [{ text: 'Settlement of a bet' }] });
    const rule = { name: 'Cards', text: 'card gmbh settlement*', iban: 'nl91 abna 0417 1643 00', to: account };
    const tried = await post('/v1/bank_rules', { ...rule, dry_run: true });
    expect(tried).toMatchObject({ dry_run: true, meant_count: 1, would_assign_count: 1, entries: [{ amount: 70 }] });
    expect(await get('/v1/bank_rules')).toEqual({ data: [] });
    const made = await post('/v1/bank_rules', rule);
    expect(made).toMatchObject({ object: 'bank_rule', iban_last4: '4300', to: account, min_amount: null });
    expect(JSON.stringify(made)).not.toContain(SHOP);
    const [stored] = await application.sql('SELECT iban FROM bank_rules');
    expect(stored?.['iban']).toMatch(/^v1\./);

    const before = (await get(`/v1/accounts/${account}`))['balance'] as number;
    const [entry] = await reported(settlement);
    expect(entry).toMatchObject({
      status: 'matched',
      assignments: [{ to: account, reason: `Cards (${made['id'] as string})` }],
    });
    expect((await get(`/v1/accounts/${account}`))['balance']).toBe(before + 7_000);
    expect((await get('/v1/bank_rules'))['data']).toMatchObject([{ id: made['id'] }]);
    expect(await get(`/v1/bank_rules/${made['id'] as string}`)).toMatchObject({ name: 'Cards' });
    must(await client.write('DELETE', `/v1/bank_rules/${made['id'] as string}`, ''));
    expect((await reported(settlement))[0]).toMatchObject({ status: 'unmatched' });
    expect((await client.write('DELETE', `/v1/bank_rules/${made['id'] as string}`, '')).status).toBe(404);
  });

  it('never beats a reference, not even a mistyped one; the oldest decides', async () => {
    const one = await post('/v1/bank_rules', { name: 'All of them', text: '*', direction: 'credit', to: 'fees' });
    await post('/v1/bank_rules', { name: 'Later', text: '*', to: 'fx' });
    const reference = depositReference(account);
    const wrong = reference.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const [clear, mistyped, two, free, debit] = await reported(
      { amount: '1.00', details: [{ text: reference }] },
      { amount: '1.00', details: [{ text: wrong }] },
      {
        amount: '1.00',
        details: [
          {
            text: `${reference} ${depositReference((await post('/v1/accounts', { currency: 'EUR' }))['id'] as string)}`,
          },
        ],
      },
      { amount: '1.00', details: [{ text: 'hello' }] },
      { amount: '-1.00', details: [{ text: 'hello' }] },
    );
    expect(clear).toMatchObject({ assignments: [{ to: account }] });
    expect([mistyped?.['status'], two?.['status']]).toEqual(['unmatched', 'unmatched']);
    expect(free).toMatchObject({ assignments: [{ to: 'fees', reason: `All of them (${one['id'] as string})` }] });
    expect(debit).toMatchObject({ assignments: [{ to: 'fx' }] });
    for (const { id } of (await get('/v1/bank_rules'))['data'] as Json[])
      must(await client.write('DELETE', `/v1/bank_rules/${id as string}`, ''));
  });

  it('leads to another bank account of one’s own, and within its amounts alone', async () => {
    const bounds = { currency: 'EUR', min_amount: 100, max_amount: 200 };
    await post('/v1/bank_rules', { name: 'Sweep', text: 'sweep', ...bounds, to: other });
    const text = [{ text: 'SWEEP' }];
    const [within, above] = await reported({ amount: '-200.00', details: text }, { amount: '-200.01', details: text });
    expect(within).toMatchObject({ status: 'matched', assignments: [{ to: other }] });
    expect(above).toMatchObject({ status: 'unmatched' });
  });

  it('whose account has too little, or is closed, leaves the entry to a person', async () => {
    const poor = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
    await post('/v1/bank_rules', { name: 'Poor', text: 'poor', to: poor });
    const [debit] = await reported({ amount: '-5.00', details: [{ text: 'poor' }] });
    expect(debit).toMatchObject({ status: 'unmatched', conflict: expect.stringContaining('0.00') });
    await post(`/v1/accounts/${poor}/close`, {});
    const [credit] = await reported({ amount: '5.00', details: [{ text: 'poor' }] });
    expect(credit).toMatchObject({ status: 'unmatched', conflict: null });
  });

  it.each([
    [{ to: 'fees' }, { code: 'parameter_missing', param: 'text' }],
    [
      { to: 'fees', iban: 'DE89370400440532013001' },
      { code: 'parameter_invalid', param: 'iban' },
    ],
    [
      { to: 'fees', text: 'x', min_amount: 1 },
      { code: 'parameter_missing', param: 'currency' },
    ],
    [
      { to: 'fees', text: 'x', currency: 'JPY', min_amount: '1.5' },
      { code: 'amount_invalid', param: 'min_amount' },
    ],
    [
      { to: 'nowhere', text: 'x' },
      { code: 'parameter_invalid', param: 'to' },
    ],
    [
      { to: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa', text: 'x' },
      { code: 'resource_missing', param: 'to' },
    ],
  ])('%o is refused', async (body, error) => expect(await fault({ name: 'x', ...body })).toMatchObject(error));
  it('to its own bank account is refused', async () =>
    expect(await fault({ name: 'x', text: 'x', bank_account: other, to: other })).toMatchObject({
      code: 'parameter_invalid',
      param: 'to',
    }));
});

it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
