/** Salaries leave in a file of their own, are booked by the bank as one entry, and are paid by it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { invalidIn, readPain001 } from '../../../test/support/bank/payment-files.ts';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { BANK_ACCOUNT, must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

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
    async () => (await get(`/v1/bank/files/${id as string}`))['status'] === 'sealed',
  );
  return must(await client.get(`/v1/bank/files/${id as string}/content`)).text;
}

it('from the batch to the entry of the bank', async () => {
  const salaries = { payouts: [order(100), order(200), order(300)], category_purpose: 'SALA', purpose: 'SALA' };
  const batch = await idOf('/v1/payouts/batch', salaries);
  const apart = { payouts: [order(5), order(6)], category_purpose: 'SALA', batch_booking: false };
  await post('/v1/payouts/batch', apart);
  const invoice = await idOf('/v1/payouts', order(7, { purpose: 'GDDS' }));

  const { planned, files } = (await post('/v1/bank/exports', {})) as Record<string, readonly Json[]>;
  const plan = new Set(
    planned?.map((each) => JSON.stringify([each['category_purpose'], each['batch_booking'], each['total']])),
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
  const entries = (await get('/v1/bank/entries?limit=100'))['data'] as readonly Json[];
  expect(new Set(entries.map(({ amount_minor: minor, status }) => `${status as string} ${minor as number}`))).toEqual(
    new Set(['matched 60000', 'matched 500', 'matched 600', 'matched 700']),
  );
  expect((await payoutsOf(batch)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  expect((await get(`/v1/payouts/${invoice}`))['status']).toBe('paid');
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});
