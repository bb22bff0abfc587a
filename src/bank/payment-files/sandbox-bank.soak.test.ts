/** What the bank of a sandbox says of payouts in files: the files are valid, and imported they lead each payout to its end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invalidOf } from '../../../test/support/bank/payment-files.ts';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { TEST_ACCOUNTS } from '../../core/rails/test-accounts.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

let application: Application;
let client: Client;
let bank: string;
let account: string;
let file: string;
const payouts = new Map<string, string>();

const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const idOf = async (path: string, body: object) => (await post(path, body))['id'] as string;
const xml = async (path: string) => must(await client.get(path)).text;
const imported = async (text: string) => must(await handedIn(client, text)).json;
const statesNow = async () =>
  Object.fromEntries(
    await Promise.all(
      Array.from(payouts, async ([name, id]) => {
        const { status, failure_code: code } = await get(`/v1/payouts/${id}`);
        return [name, [status, code]] as const;
      }),
    ),
  );
const statement = (query = '') => xml(`/v1/test_helpers/bank_accounts/${bank}/statement${query}`);

/** What the bank said, with the schema of it. */
const said: { readonly name: string; readonly schema: string; readonly xml: string }[] = [];
function taken(xml: string, schema: string): string {
  said.push({ name: `said${said.length}`, schema, xml });
  return xml;
}

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = await idOf('/v1/accounts', { currency: 'EUR' });
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 500 });
  bank = await idOf('/v1/bank_accounts', {
    currency: 'EUR',
    country: 'DE',
    holder: 'Rossum GmbH',
    bank_details: { iban: 'DE89370400440532013000' },
    cut_off: '14:30',
    time_zone: 'Europe/Berlin',
  });
  const ibans = new Map([['paid', 'DE02120300000000202051']]);
  for (const { outcome, failureCode, iban } of TEST_ACCOUNTS) ibans.set(`${outcome} ${failureCode}`, iban);
  for (const [name, iban] of ibans) {
    const holder = { name: 'Ada & Söhne', type: 'company', currency: 'EUR', country: 'DE' };
    const recipient = await idOf('/v1/recipients', { ...holder, iban });
    payouts.set(name, await idOf('/v1/payouts', { amount: 10, currency: 'EUR', recipient, account }));
  }
  file = ((await post('/v1/payment_files', {}))['files'] as Json[])[0]?.['id'] as string;
});
afterAll(() => application?.stop());

describe('a rehearsal with the sandbox bank', () => {
  it('has a report on a file that is sealed, and rejects what its test accounts reject', async () => {
    const path = `/v1/test_helpers/payment_files/${file}/report`;
    await eventually('there is a report', async () => (await client.get(path)).status === 200);
    const report = taken(await xml(path), 'pain.002.001.10');
    expect(await imported(report)).toMatchObject({ status: 'imported', notes: [] });
    const states = await statesNow();
    expect(states['paid']).toEqual(['in_transit', null]);
    expect(states['failed account_closed']).toEqual(['failed', 'account_closed']);
    // No reason of ISO 20022 means this.
    expect(states['failed debit_not_authorized']).toEqual(['failed', 'could_not_process']);
    expect(states['returned declined']).toEqual(['in_transit', null]);
  });

  it('has a statement with the debits, then one with what comes back, then an empty one', async () => {
    const first = taken(await statement(), 'camt.053.001.08');
    await imported(first);
    expect(await imported(first)).toMatchObject({ statements_count: 1 }); // the same bytes
    expect(new Set(Object.values(await statesNow()).map(([status]) => status))).toEqual(new Set(['paid', 'failed']));

    const second = taken(await statement(), 'camt.053.001.08');
    await imported(second);
    const states = await statesNow();
    for (const { outcome, failureCode } of TEST_ACCOUNTS) {
      expect(states[`${outcome} ${failureCode}`]?.[0]).toBe(outcome);
    }
    expect(states['paid']).toEqual(['paid', null]);
    expect(states['returned no_account']).toEqual(['returned', 'no_account']);

    const third = await statement();
    expect(third).not.toContain('<Ntry>');
    await imported(third);
    const proofs = ((await get('/v1/bank_statements'))['data'] as Json[]).map(({ proof }) => proof);
    expect(proofs).toEqual(['ok', 'ok', 'ok']);
  });

  it('has money that comes in with the words of its payer', async () => {
    const { reference } = await get(`/v1/accounts/${account}/deposit_instructions`);
    const before = (await get(`/v1/accounts/${account}`))['balance'] as number;
    await imported(await statement(`?deposit=12.50&text=${encodeURIComponent(`Invoice ${reference as string}`)}`));
    expect((await get(`/v1/accounts/${account}`))['balance']).toBe(before + 1_250);
    const wrong = await client.get(`/v1/test_helpers/bank_accounts/${bank}/statement?deposit=1.005`);
    expect(wrong.json['error']).toMatchObject({ code: 'amount_invalid', param: 'deposit' });
  });

  it.each(['camt.052', 'camt.054'])('speaks %s where the bank account books by it', async (message) => {
    await post(`/v1/bank_accounts/${bank}`, { booked_by: message });
    const document = taken(await statement('?deposit=1'), `${message}.001.08`);
    const before = (await get(`/v1/bank_accounts/${bank}`))['balance'] as number;
    await imported(document);
    expect((await get(`/v1/bank_accounts/${bank}`))['balance']).toBe(before + 100);
  });

  it.skipIf(ISO20022 === undefined)(
    'speaks by the schemas of ISO 20022 (control: another element is told)',
    async () => {
      const [first] = said as [(typeof said)[number]];
      const other = { ...first, name: 'other', xml: first.xml.replaceAll('GrpHdr>', 'GrpHead>') };
      const complaints = await invalidOf(ISO20022 as string, [...said, other]);
      expect(said.map(({ schema }) => schema)).toEqual([
        'pain.002.001.10',
        'camt.053.001.08',
        'camt.053.001.08',
        'camt.052.001.08',
        'camt.054.001.08',
      ]);
      for (const { name } of said) expect(complaints.get(name)).toEqual([]);
      expect(complaints.get('other')?.join()).toContain('GrpHead');
    },
  );

  it('is nothing that a live key has', async () => {
    const live = await application.live.client.get(`/v1/test_helpers/bank_accounts/${bank}/statement`);
    expect(live.status).toBeGreaterThanOrEqual(400);
  });

  it('leaves books that agree', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
});
