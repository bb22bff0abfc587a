/** Salaries leave in a file of their own, are booked by the bank as one entry, and are paid by it; and each payout by its bank account. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { invalidIn, readPain001 } from '../../../test/support/bank/payment-files.ts';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { BANK_ACCOUNT, must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../../../test/support/model/audit.ts';

let application: Application;
let client: Client;
let bank: string;
let recipient: string;
beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  const account = await idOf('/v1/accounts', { currency: 'EUR' });
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000 });
  bank = await idOf('/v1/bank_accounts', BANK_ACCOUNT);
  const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
  recipient = await idOf('/v1/recipients', ada);
});
afterAll(() => application?.stop());

const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const idOf = async (path: string, body: object) => (await post(path, body))['id'] as string;
const order = (amount: number, more: object = {}) => ({ amount, currency: 'EUR', recipient, ...more });
const payoutsOf = async (batch: string) =>
  (await get(`/v1/payouts?batch=${batch}&limit=100`))['data'] as readonly Json[];

async function sealed({ id }: Json): Promise<string> {
  await eventually(
    'the file is sealed',
    async () => (await get(`/v1/payment_files/${id as string}`))['status'] === 'sealed',
  );
  return must(await client.get(`/v1/payment_files/${id as string}/content`)).text;
}

it('from the batch to the entry of the bank', async () => {
  const salaries = { payouts: [order(100), order(200), order(300)], category_purpose: 'SALA', purpose: 'SALA' };
  const batch = await idOf('/v1/payouts/batch', salaries);
  const apart = { payouts: [order(5), order(6)], category_purpose: 'SALA', batch_booking: false };
  await post('/v1/payouts/batch', apart);
  const invoice = await idOf('/v1/payouts', order(7, { purpose: 'GDDS' }));

  const { planned, files } = (await post('/v1/payment_files', {})) as Record<string, readonly Json[]>;
  const plan = new Set(
    planned?.map((each) => JSON.stringify([each['category_purpose'], each['batch_booking'], each['total_minor']])),
  );
  expect(plan).toEqual(new Set(['["SALA",true,60000]', '["SALA",false,1100]', '[null,false,700]']));
  const contents = await Promise.all((files ?? []).map(sealed));
  if (ISO20022 !== undefined) expect(await invalidIn(ISO20022, 'pain.001.001.09_GBIC_4', contents)).toEqual([]);
  const written = contents.map(readPain001).map(({ head, payments }) => ({
    of: [head['PmtInf/PmtTpInf/CtgyPurp/Cd'], head['PmtInf/BtchBookg']],
    purposes: payments.map((each) => each['Purp/Cd']),
  }));
  expect(new Set(written)).toEqual(
    new Set([
      { of: ['SALA', 'true'], purposes: ['SALA', 'SALA', 'SALA'] },
      { of: ['SALA', 'false'], purposes: [undefined, undefined] },
      { of: [undefined, 'false'], purposes: ['GDDS'] },
    ]),
  );

  const statement = must(await client.get(`/v1/test_helpers/bank_accounts/${bank}/statement`)).text;
  must(await handedIn(client, statement));
  const entries = (await get('/v1/bank_entries?limit=100'))['data'] as readonly Json[];
  expect(new Set(entries.map(({ amount_minor: minor, status }) => `${status as string} ${minor as number}`))).toEqual(
    new Set(['matched 60000', 'matched 500', 'matched 600', 'matched 700']),
  );
  expect((await payoutsOf(batch)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  expect((await get(`/v1/payouts/${invoice}`))['status']).toBe('paid');
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

it('a payout that names a bank account leaves from that one, and no other payout with it', async () => {
  const other = await idOf('/v1/bank_accounts', { ...BANK_ACCOUNT, bank_details: { iban: 'DE02500105170137075030' } });
  const named = await idOf('/v1/payouts', order(1, { bank_account: other }));
  const usual = await idOf('/v1/payouts', order(2));
  const first = await idOf('/v1/payouts', order(4, { bank_account: bank }));
  const exported = async (body: object) => {
    const { files } = (await post('/v1/payment_files', body)) as Record<string, readonly Json[]>;
    await Promise.all((files ?? []).map(sealed));
    const all = await Promise.all((files ?? []).map(({ id }) => get(`/v1/payment_files/${id as string}`)));
    return new Map(all.map((file) => [file['bank_account'], file['total_minor']]));
  };
  // The statement said what the first has left; of the other none came.
  const lacking = async (amount: number) =>
    expect((await post('/v1/payment_files', { dry_run: true }))['shortfalls']).toEqual([
      { bank_account: bank, currency: 'EUR', balance: -61_800, amount, amount_minor: amount * 100 },
    ]);
  await lacking(624);
  // A dry run adds to what is pending, for keys that may read bank accounts.
  const tried = await post('/v1/payouts', order(10, { dry_run: true }));
  expect(tried['shortfalls']).toMatchObject([{ bank_account: bank, amount_minor: 63_400 }]);
  const both = { payouts: [order(1), order(2), order(3, { bank_account: other })], dry_run: true };
  expect((await post('/v1/payouts/batch', both))['shortfalls']).toMatchObject([
    { bank_account: bank, amount_minor: 62_700 },
  ]);
  expect((await post('/v1/payouts', order(1, { bank_account: other, dry_run: true })))['shortfalls']).toEqual([]);
  const { client: payer } = await application.key({ scopes: ['payouts:write'] });
  expect(must(await payer.post('/v1/payouts', order(10, { dry_run: true }))).json['shortfalls']).toBeUndefined();
  expect(await exported({})).toEqual(
    new Map([
      [other, 100],
      [bank, 600],
    ]),
  );
  const left = await Promise.all([named, usual, first].map((id) => get(`/v1/payouts/${id}`)));
  expect(left.map((each) => each['bank_account'])).toEqual([other, null, bank]);

  await idOf('/v1/payouts', order(1, { bank_account: bank }));
  await lacking(625); // six are on their way
  await idOf('/v1/payouts', order(8));
  expect(await exported({ bank_account: other })).toEqual(new Map([[other, 800]]));
  expect(await exported({})).toEqual(new Map([[bank, 100]]));

  const closed = await idOf('/v1/payouts', order(3, { bank_account: other }));
  await post(`/v1/bank_accounts/${other}`, { uses: ['collections'] });
  const { planned, held } = await post('/v1/payment_files', { dry_run: true });
  expect([planned, held]).toMatchObject([[], [{ reason: 'no_bank_account', payouts_count: 1, total_minor: 300 }]]);
  expect(await post(`/v1/payouts/${closed}`, { bank_account: null })).toMatchObject({ bank_account: null });
  expect(await exported({})).toEqual(new Map([[bank, 300]]));
});

it('an environment from before the migration knows of its bank accounts what one of now does', async () => {
  const read = async () => {
    const sql = 'SELECT paying_banks FROM environments WHERE paying_banks IS NOT NULL';
    const [row] = await rowsOf<{ readonly paying_banks: readonly object[] }>(application.databaseUrl, sql);
    return row?.paying_banks ?? [];
  };
  const now = await read();
  expect(now).toHaveLength(1);
  const migration = readFileSync(new URL('../../../migrations/0126_payroll.sql', import.meta.url), 'utf8');
  const [update = ''] = /^UPDATE environments .*?;/ms.exec(migration) ?? [];
  await rowsOf(application.databaseUrl, "UPDATE environments SET paying_banks = '[]' WHERE paying_banks IS NOT NULL");
  await rowsOf(application.databaseUrl, update);
  expect(now).toMatchObject(await read());
  expect(await read()).toHaveLength(1);
});
