/** Files for a bank over HTTP: what leaves and what stays, the bytes, and a file that is given up. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { quickRounds } from '../../../test/support/harness/quick-rounds.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { localTime } from '../../core/rails/execution-day.ts';
import { BANK_ACCOUNT, must } from '../../../test/support/harness/tenant-fixture.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';

quickRounds();
let application: Application;
let client: Client;
beforeAll(async () => {
  // Its sandboxes pay by themselves; most cases are about a live environment.
  application = await startApplication({ config: { sandboxStepSeconds: 1 } });
  client = application.live.client;
  await leaveInSandbox();
});
afterAll(() => application?.stop());

/** Of a sandbox, and in a file of it; and a later one that is in no file: when the sandbox has paid that, it would have paid the first too. */
let inFile: string;
let later: string;
async function leaveInSandbox(): Promise<void> {
  const payoutOf = async (of: Client) => {
    const account = await idOf('/v1/accounts', { currency: 'EUR' }, of);
    await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 50 }, of);
    const recipient = await idOf('/v1/recipients', person('Ada Lovelace'), of);
    return idOf('/v1/payouts', { amount: 1, currency: 'EUR', recipient, account }, of);
  };
  const { client: sandbox } = application.sandbox;
  await idOf('/v1/bank_accounts', BANK_ACCOUNT, sandbox);
  inFile = await payoutOf(sandbox);
  const [opened] = filesOf(await post('/v1/payment_files', {}, sandbox));
  await fileIn('sealed', opened?.['id'] as string, sandbox);
  later = await payoutOf(application.otherSandbox.client);
}

const get = async (path: string, of = client) => must(await of.get(path)).json;
const post = async (path: string, body: object, of = client) => must(await of.post(path, body)).json;
const idOf = async (path: string, body: object, of = client) => (await post(path, body, of))['id'] as string;
const statusOf = async (payout: string) => (await get(`/v1/payouts/${payout}`))['status'];
const errorOf = async (reply: Promise<{ readonly json: Json }>) => (await reply).json['error'];

const person = (name: string, more: object = {}) => ({
  name,
  type: 'individual',
  currency: 'EUR',
  country: 'DE',
  iban: 'DE02120300000000202051',
  ...more,
});

/** A file once it is in this state. */
async function fileIn(state: string, id: string, of = client): Promise<Json> {
  return eventually(`payment file ${id} is ${state}`, async () => {
    const file = await get(`/v1/payment_files/${id}`, of);
    return file['status'] === state && file;
  });
}

const filesOf = (exported: Json) => exported['files'] as Json[];
const exportNow = async () => filesOf(await post('/v1/payment_files', {}));

describe('payouts of a live environment', () => {
  let bankAccount: string;
  let account: string;
  const payouts: Record<string, string> = {};
  let first: Json;
  /** Of another family than whoever made the payouts. */
  let changer: Client;

  beforeAll(async () => {
    account = await idOf('/v1/accounts', { currency: 'EUR' });
    const dollars = await idOf('/v1/accounts', { currency: 'USD' });
    bankAccount = await idOf('/v1/bank_accounts', { ...BANK_ACCOUNT, uses: ['collections'] });
    await idOf('/v1/bank_accounts', {
      ...BANK_ACCOUNT,
      bank_details: { iban: 'DE02500105170137075030' },
      uses: ['collections'],
    });
    const dollarBank = await idOf('/v1/bank_accounts', {
      ...BANK_ACCOUNT,
      currency: 'USD',
      country: 'US',
      bank_details: { routing_number: '021000021', account_number: '123456789' },
      uses: ['collections'],
    });
    for (const [at, of] of [
      [bankAccount, account],
      [dollarBank, dollars],
    ] as const) {
      const { bank_details: details, currency } = await get(`/v1/bank_accounts/${at}`);
      const { iban, account_number: number } = details as { iban?: string; account_number?: string };
      const file = camt([
        {
          iban: iban ?? (number as string),
          currency: currency as string,
          day: '2026-11-20',
          opening: '90000.00',
          closing: '90000.00',
          entries: [],
        },
      ]);
      must(await handedIn(client, file));
      const [opening] = (await get(`/v1/bank_entries?bank_account=${at}`))['data'] as Json[];
      await post(`/v1/bank_entries/${opening?.['id'] as string}/assign`, { assignments: [{ to: of }] });
    }
    const address = { line1: 'Invalidenstraße 43', postal_code: '10115', city: 'Berlin', country: 'DE' };
    const jan = await idOf('/v1/recipients', person('Jan Müller & Söhne', { address }));
    const wang = await idOf('/v1/recipients', person('王小明'));
    const older = await idOf('/v1/recipients', person('Wang Xiaoming'));
    const bob = await idOf('/v1/recipients', {
      ...person('Bob'),
      currency: 'USD',
      country: 'US',
      iban: undefined,
      routing_number: '021000021',
      account_number: '987654321',
    });
    const pay = async (name: string, body: object) => (payouts[name] = await idOf('/v1/payouts', body));
    const refused = client.post('/v1/payouts', { amount: 3, currency: 'EUR', recipient: jan });
    expect(await errorOf(refused)).toMatchObject({ code: 'payout_not_payable', param: 'currency' });
    await post(`/v1/bank_accounts/${bankAccount}`, { uses: ['payouts', 'collections'] });
    await pay('one', { amount: 100.05, currency: 'EUR', recipient: jan, reference: 'Invoice 4710' });
    const scopes = ['payouts:write', 'payment_files:write', 'payout_approvals:write'];
    changer = (await application.key({ livemode: true, scopes })).client;
    await post(`/v1/payouts/${payouts['one'] as string}`, { reference: 'Invoice 4711' }, changer);
    await pay('two', { amount: 20, currency: 'EUR', recipient: jan, reference: '12 34561', reference_type: 'fi' });
    await pay('unwritable', { amount: 3, currency: 'EUR', recipient: older });
    // As if it had been made before names were looked at.
    await application.sql(`UPDATE recipient_versions SET name = '王小明' WHERE name = 'Wang Xiaoming'`);
    await pay('later', { amount: 4, currency: 'EUR', recipient: jan, scheduled_on: tomorrow() });
    const unwritable = client.post('/v1/payouts', { amount: 3, currency: 'EUR', recipient: wang });
    expect(await errorOf(unwritable)).toMatchObject({ code: 'payout_not_payable', param: 'recipient' });
    await post(`/v1/bank_accounts/${dollarBank}`, { uses: ['payouts'] });
    await pay('nowhere', { amount: 5, currency: 'USD', recipient: bob });
    await post(`/v1/bank_accounts/${dollarBank}`, { uses: ['collections'] });
  });

  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

  it('a dry run says what would leave, and what stays and why', async () => {
    const plan = await post('/v1/payment_files', { dry_run: true });
    expect(plan).toMatchObject({ object: 'payment_file_export', dry_run: true, livemode: true, files: [] });
    expect(plan['planned']).toEqual([
      {
        bank_account: bankAccount,
        route: 'sepa',
        execution_on: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        category_purpose: null,
        batch_booking: false,
        currency: 'EUR',
        payouts_count: 2,
        total: 120.05,
        total_minor: 12_005,
      },
    ]);
    const held = plan['held'] as Json[];
    expect(
      held.map(({ reason, currency, payouts_count, total_minor }) => [reason, currency, payouts_count, total_minor]),
    ).toEqual(
      expect.arrayContaining([
        ['not_payable', 'EUR', 1, 300],
        ['scheduled', 'EUR', 1, 400],
        ['no_bank_account', 'USD', 1, 500],
      ]),
    );
    expect(held.find(({ reason }) => reason === 'not_payable')?.['message']).toContain('latin_name');
    expect((await get('/v1/payment_files'))['data']).toEqual([]);
    expect(await statusOf(payouts['one'] as string)).toBe('pending');
  });

  it('leave in a file, which is sealed a moment later', async () => {
    const [opened, ...others] = await exportNow();
    expect(others).toEqual([]);
    expect(opened).toMatchObject({
      object: 'payment_file',
      status: 'claiming',
      bank_account: bankAccount,
      route: 'sepa',
    });
    first = await fileIn('sealed', opened?.['id'] as string);
    expect(first).toMatchObject({
      payouts_count: 2,
      total_minor: 12_005,
      currency: 'EUR',
      profile: 'de_dk',
      answered_at: null,
    });
    expect(await statusOf(payouts['one'] as string)).toBe('in_transit');
    expect(await statusOf(payouts['later'] as string)).toBe('pending');
    expect(await errorOf(client.post(`/v1/payouts/${payouts['one']}/cancel`))).toMatchObject({
      code: 'payout_not_cancelable',
    });
    const events = (await get('/v1/events?type=payment_file.*'))['data'] as Json[];
    expect(events.map(({ type }) => type)).toEqual(['payment_file.sealed']);
  });

  it('the bytes are those that were sealed, and say whom to pay', async () => {
    const path = `/v1/payment_files/${first['id'] as string}/content`;
    const { status, text, headers } = await client.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/xml']);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="payouts-EUR-20[\d-]{8}-PF[0-9A-Z]{26}\.xml"$/,
    );
    expect(createHash('sha256').update(text).digest('hex')).toBe(first['sha256']);
    expect(Buffer.byteLength(text)).toBe(first['size_bytes']);
    expect(text).toContain(`<MsgId>${first['message_id'] as string}</MsgId>`);
    expect(text).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>120.05</CtrlSum>');
    expect(text).toContain(`<EndToEndId>${(payouts['one'] as string).replace('_', '').toUpperCase()}</EndToEndId>`);
    expect(text).toContain('<InstdAmt Ccy="EUR">100.05</InstdAmt>');
    expect(text).toContain('<Nm>Jan Müller &amp; Söhne</Nm>');
    expect(text).toContain(
      '<StrtNm>Invalidenstraße 43</StrtNm><PstCd>10115</PstCd><TwnNm>Berlin</TwnNm><Ctry>DE</Ctry>',
    );
    expect(text).toContain('<Ustrd>Invoice 4711</Ustrd>');
    expect(text).toContain('<Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>1234561</Ref>');
    expect((await client.get(path)).text).toBe(text);
  });

  it('nothing leaves twice', async () => {
    expect(await exportNow()).toEqual([]);
    expect((await get('/v1/payment_files'))['data']).toHaveLength(1);
  });

  it('a file that is given up sets its payouts free; they leave in another', async () => {
    const id = first['id'] as string;
    expect(await errorOf(client.post(`/v1/payment_files/${id}/abandon`, { reason: ' ' }))).toMatchObject({
      param: 'reason',
    });
    const abandon = { reason: 'The bank never got it' };
    const payer = await application.key({ livemode: true, scopes: ['payment_files:write'] });
    for (const [of, code] of [
      [client, 'approval_by_creator'],
      [changer, 'approval_by_creator'],
      [payer.client, 'scope_missing'],
    ] as const)
      expect(await errorOf(of.post(`/v1/payment_files/${id}/abandon`, abandon))).toMatchObject({ code });
    expect((await get(`/v1/payment_files/${id}`))['status']).toBe('sealed');
    const approver = await application.key({
      livemode: true,
      scopes: ['payment_files:write', 'payout_approvals:write'],
    });
    const abandoning = await post(`/v1/payment_files/${id}/abandon`, abandon, approver.client);
    expect(abandoning).toMatchObject({ status: 'abandoning', reason: 'The bank never got it' });
    await fileIn('abandoned', id);
    expect(await errorOf(client.get(`/v1/payment_files/${id}/content`))).toMatchObject({
      code: 'payment_file_state_invalid',
      current_status: 'abandoned',
    });
    expect(await statusOf(payouts['one'] as string)).toBe('pending');
    expect(await errorOf(approver.client.post(`/v1/payment_files/${id}/abandon`, { reason: 'x' }))).toMatchObject({
      code: 'payment_file_state_invalid',
      current_status: 'abandoned',
    });
    const canceled = await post(`/v1/payouts/${payouts['two']}/cancel`, {});
    expect(canceled['status']).toBe('canceled');
    const [opened] = await exportNow();
    const second = await fileIn('sealed', opened?.['id'] as string);
    expect(second).toMatchObject({ payouts_count: 1, total_minor: 10_005 });
    expect(second['message_id']).not.toBe(first['message_id']);
    first = second;
  });

  it('once the bank has booked a payout of it, a file cannot be given up', async () => {
    const sent = (payouts['one'] as string).replace('_', '').toUpperCase();
    const file = camt([
      {
        iban: IBAN,
        day: '2026-11-23',
        opening: '90000.00',
        closing: '89899.95',
        entries: [{ amount: '-100.05', details: [{ endToEndId: sent }] }],
      },
    ]);
    must(await handedIn(client, file));
    expect(await statusOf(payouts['one'] as string)).toBe('paid');
    const answered = await get(`/v1/payment_files/${first['id'] as string}`);
    expect(answered['answered_at']).toEqual(expect.any(Number));
    const refused = client.post(`/v1/payment_files/${first['id'] as string}/abandon`, { reason: 'Lost' });
    expect(await errorOf(refused)).toMatchObject({ code: 'payment_file_answered' });
  });

  it.each(['', '/content'])('an unknown payment file is called one: GET /v1/payment_files/:id%s', async (below) => {
    const unknown = await errorOf(client.get(`/v1/payment_files/pf_01jd3v9q4ng8v8k3w2m6r5t7xa${below}`));
    const message = expect.stringContaining('No such payment file: pf_');
    expect(unknown).toMatchObject({ code: 'resource_missing', message });
  });

  it('names what is wrong with a bank account that is asked for', async () => {
    const other = ((await get('/v1/bank_accounts'))['data'] as Json[]).find(
      ({ uses }) => !(uses as readonly unknown[] as readonly string[]).includes('payouts'),
    );
    const refused = client.post('/v1/payment_files', { bank_account: other?.['id'] });
    expect(await errorOf(refused)).toMatchObject({ code: 'bank_account_not_paying', param: 'bank_account' });
    const missing = client.post('/v1/payment_files', { bank_account: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa' });
    expect(await errorOf(missing)).toMatchObject({ code: 'resource_missing' });
  });

  it('frozen payouts stay', async () => {
    const frozen = await idOf('/v1/payouts', {
      amount: 7,
      currency: 'EUR',
      recipient: (await get(`/v1/payouts/${payouts['one']}`))['recipient'],
    });
    await post('/v1/settings/payouts', { frozen: true });
    const { held, files } = await post('/v1/payment_files', {});
    expect(files).toEqual([]);
    expect(held).toEqual(expect.arrayContaining([expect.objectContaining({ reason: 'frozen', payouts_count: 2 })]));
    expect(await statusOf(frozen)).toBe('pending');
    await post('/v1/settings/payouts', { frozen: false });
    const [opened] = await exportNow();
    expect(await fileIn('sealed', opened?.['id'] as string)).toMatchObject({ payouts_count: 1, total_minor: 700 });
  });
});

describe('speeds', () => {
  it('leave in a file each, of a type each; an instant one on this very day', async () => {
    const recipient = await idOf('/v1/recipients', person('Ada Lovelace', { bic: 'BYLADEM1001' }));
    const pay = (speed: string, amount: number) =>
      post('/v1/payouts', { amount, currency: 'EUR', recipient, speed, external_id: `speed ${amount}` });
    const today = localTime(Date.now(), 'Europe/Berlin').day;
    const instant = await pay('instant', 11);
    expect(instant).toMatchObject({ speed: 'instant', expected_execution_on: today, expected_arrival_on: today });
    await pay('instant', 12);
    const urgent = await pay('urgent', 13);
    expect(urgent).toMatchObject({ speed: 'urgent', expected_execution_on: urgent['expected_arrival_on'] });
    expect(await pay('standard', 14)).toMatchObject({ speed: 'standard' });

    const opened = await exportNow();
    const found = await Promise.all(opened.map(({ id }) => fileIn('sealed', id as string)));
    const said = await Promise.all(
      found.map(async ({ id, route, total_minor: total, execution_on: day }) => {
        const { text } = await client.get(`/v1/payment_files/${id as string}/content`);
        const [, type] = /<PmtTpInf>(.*?)<\/PmtTpInf>/.exec(text) ?? [];
        expect(text).toContain(`<ReqdExctnDt><Dt>${day as string}</Dt>`);
        return [route, total, day === today || route !== 'sepa_instant', type];
      }),
    );
    const ofRoute = (name: string) => said.find(([route]) => route === name);
    expect(said).toHaveLength(3);
    expect([ofRoute('sepa'), ofRoute('sepa_instant'), ofRoute('urgent')]).toEqual([
      ['sepa', 1_400, true, '<SvcLvl><Cd>SEPA</Cd></SvcLvl>'],
      ['sepa_instant', 2_300, true, '<SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>INST</Cd></LclInstrm>'],
      ['urgent', 1_300, true, '<SvcLvl><Cd>URGP</Cd></SvcLvl>'],
    ]);
  });

  it('that the bank account does not have, or that nobody knows, are refused', async () => {
    const recipient = await idOf('/v1/recipients', person('Ada Lovelace'));
    const pay = (speed: string) => client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient, speed });
    expect(await errorOf(pay('urgent'))).toMatchObject({ code: 'payout_not_payable', param: 'speed' });
    const unknown = { param: 'speed', allowed: ['standard', 'instant', 'urgent'] };
    expect(await errorOf(pay('fast'))).toMatchObject(unknown);
  });
});

it('a sandbox exports too: what is in a file waits for its bank', async () => {
  const { client: other } = application.otherSandbox;
  const isPaid = async () => (await get(`/v1/payouts/${later}`, other))['status'] === 'paid';
  await eventually('the sandbox pays', isPaid);
  expect((await get(`/v1/payouts/${inFile}`, application.sandbox.client))['status']).toBe('in_transit');
});
