/** Reconciliations over HTTP: the figures of a month, the same bytes for ever, signatures, and what is late. Random months: `months.soak.test.ts`. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written, type WrittenStatement } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { isoDay } from '../../core/values/time.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';
const BANK = {
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum GmbH',
  bank_details: { iban: IBAN },
  cut_off: '14:30',
  time_zone: 'UTC',
};

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.live.client;
});
afterAll(() => application?.stop());

const post = async (path: string, body: object, by = client) => must(await by.post(path, body)).json;
const list = async (path: string, by = client) => must(await by.get(path)).json['data'] as Json[];
const upload = (file: string, by = client) => handedIn(by, file);
const imported = async (by: Client, ...statements: readonly WrittenStatement[]) =>
  must(await upload(camt(statements), by)).json;
const day = (of: string, opening: string, closing: string, entries: readonly Written[]): WrittenStatement => {
  return { iban: IBAN, day: of, opening, closing, entries };
};

describe('a month', () => {
  let bank: string;
  let account: string;
  let first: string;
  const path = (month: string, more = '') => `/v1/bank_accounts/${bank}/reconciliation?month=${month}${more}`;
  const text = async (month: string) => must(await client.get(path(month))).text;
  const report = async (month: string) => JSON.parse(await text(month)) as Json;
  const sign = (month: string, sha256: string, by = client) =>
    by.post(`/v1/bank_accounts/${bank}/reconciliation/sign`, { month, sha256 });

  it('says what came, where it went, what has no place, and what proves it', async () => {
    bank = (await post('/v1/bank_accounts', BANK))['id'] as string;
    account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
    const deposit = { amount: '250.50', details: [{ text: `Top up ${depositReference(account)}` }] };
    await imported(
      client,
      day('2026-09-30', '1000.00', '1000.00', []),
      day('2026-10-05', '1000.00', '1247.50', [deposit, { amount: '-3.00', code: 'PMNT-MDOP-CHRG' }]),
      day('2026-10-30', '1247.50', '1287.50', [{ amount: '40.00', details: [{ text: 'Thank you' }] }]),
      day('2026-11-02', '1287.50', '1280.50', [{ amount: '-7.00' }]),
    );
    first = await text('2026-10');
    const sides = (came: number, went: number) => ({
      in: came / 100,
      in_minor: came,
      out: went / 100,
      out_minor: went,
    });
    const none = sides(0, 0);
    expect(JSON.parse(first)).toMatchObject({
      object: 'reconciliation',
      livemode: true,
      bank_account: bank,
      month: '2026-10',
      currency: 'EUR',
      status: 'closed',
      opening_balance: 100_000,
      in: { count: 2, amount: 290.5, amount_minor: 29_050 },
      out: { count: 1, amount: 3, amount_minor: 300 },
      closing_balance: 128_750,
      places: { accounts: sides(25_050, 0), payments: none, payouts: none, fees: sides(0, 300), fx: none },
      unmatched: {
        opening: sides(100_000, 0),
        closing: sides(104_000, 0),
        entries_count: 2,
        oldest_booked_on: '2026-09-30',
      },
      in_transit: { count: 0 },
      proof: {
        status: 'ok',
        statements_count: 2,
        entries_behind_count: 0,
        opening: { closed_on: '2026-09-30', closing_balance: 100_000, ledger_balance: 100_000, difference_minor: 0 },
        closing: { closed_on: '2026-10-30', closing_balance: 128_750, ledger_balance: 128_750, difference_minor: 0 },
      },
      signature: null,
    });
    // The balance with which the ledger begins is no money that came in its month.
    expect(await report('2026-09')).toMatchObject({
      opening_balance: 100_000,
      in: { count: 0, amount_minor: 0 },
      closing_balance: 100_000,
      unmatched: { opening: sides(100_000, 0), closing: sides(100_000, 0) },
    });
    expect(await report('2026-08')).toMatchObject({
      opening_balance: 0,
      closing_balance: 0,
      proof: { status: 'none' },
    });
  });

  it('is the same to the byte, also once what had no place has found one', async () => {
    const [, , , entry] = await list('/v1/bank_entries?order=asc');
    const assigned = { assignments: [{ to: account, amount: 15 }] };
    await post(`/v1/bank_entries/${entry?.['id'] as string}/assign`, assigned);
    expect(await text('2026-10')).toBe(first);
    const now = isoDay(Date.now()).slice(0, 7);
    expect(await report(now)).toMatchObject({ status: 'open', unmatched: { closing: { in_minor: 102_500 } } });
  });

  it('is signed by who has read it, and says so', async () => {
    const sha256 = (JSON.parse(first) as Json)['sha256'] as string;
    const canonical = `${first.slice(0, first.indexOf(',"sha256"'))}}`;
    expect(sha256).toBe(createHash('sha256').update(canonical).digest('hex'));
    expect(outcome(await sign('2026-10', '0'.repeat(64)))).toBe('400 reconciliation_changed sha256');
    const signed = must(await sign('2026-10', sha256)).json;
    expect(signed).toMatchObject({ bank_account: bank, month: '2026-10', sha256 });
    const [audited] = await list(`/v1/audit_log?subject=${bank}`);
    expect(audited).toMatchObject({
      action: 'bank_account.reconciled',
      actor: signed['signed_by'],
      details: { month: '2026-10', sha256, closing_balance: '128750', proof: 'ok' },
    });
    expect(await report('2026-10')).toMatchObject({
      signature: { sha256, is_current: true, signed_by: signed['signed_by'], audit_entry: audited?.['id'] },
    });
    expect(await report('2026-09')).toMatchObject({ signature: null });
  });

  it('changes with a file that comes late, and is no longer what was signed, until it is signed again', async () => {
    await imported(client, day('2026-10-20', '1247.50', '1257.50', [{ amount: '10.00' }]));
    const late = await report('2026-10');
    expect(late).toMatchObject({
      closing_balance: 129_750,
      unmatched: { entries_count: 3 },
      proof: { status: 'gap', gaps_count: 1, closing: { difference_minor: -1_000 } },
      signature: { is_current: false },
    });
    must(await sign('2026-10', late['sha256'] as string));
    expect(await report('2026-10')).toMatchObject({ signature: { is_current: true, sha256: late['sha256'] } });
  });

  it('says the same as CSV', async () => {
    const { headers, text: csv } = must(await client.get(path('2026-10', '&format=csv')));
    const accepted = must(await client.send('GET', path('2026-10', '&bom=true'), '', { accept: 'text/csv' }));
    expect(accepted.text).toBe(`\ufeff${csv}`);
    expect(headers['content-type']).toContain('text/csv');
    const lines = csv.split('\r\n');
    expect(lines[0]).toBe('section,item,count,amount,amount_minor,day,text');
    for (const line of [
      'balance,opening,,1000.00,100000,2026-10-01,',
      'balance,in,3,300.50,30050,,',
      'balance,out,1,-3.00,-300,,',
      'balance,closing,,1297.50,129750,2026-10-31,',
      'places,fees_out,,-3.00,-300,,',
      'unmatched,entries,3,,,2026-09-30,',
      'proof,status,,,,,gap',
    ]) {
      expect(lines).toContain(line);
    }
  });

  it.each([
    ['', '400 parameter_missing month'],
    ['month=2026-13', '400 parameter_invalid month'],
    ['month=November', '400 parameter_invalid month'],
    ['month=2026-10&format=pdf', '400 parameter_invalid format'],
    ['month=2026-10&year=1', '400 parameter_unknown year'],
  ])('refuses %s: %s', async (query, expected) => {
    expect(outcome(await client.get(`/v1/bank_accounts/${bank}/reconciliation?${query}`))).toBe(expected);
  });

  it('signs no month that is not over, shows nothing to others, and needs the scope', async () => {
    const now = isoDay(Date.now()).slice(0, 7);
    expect(outcome(await sign(now, '0'.repeat(64)))).toBe('400 bank_month_open month');
    expect(outcome(await application.otherLive.client.get(path('2026-10')))).toBe('404 resource_missing id');
    const reader = await application.key({ livemode: true, scopes: ['reconciliation:read'] });
    expect(outcome(await reader.client.get(path('2026-10')))).toBe('200');
    expect(outcome(await sign('2026-10', '0'.repeat(64), reader.client))).toBe('403 scope_missing');
    const restricted = await application.key({ livemode: true, accounts: [account] });
    expect(outcome(await restricted.client.get(path('2026-10')))).toBe('403 account_not_allowed');
  });
});

it('counts payouts on their way until the bank has booked them', async () => {
  const by = application.sandbox.client;
  const bank = (await post('/v1/bank_accounts', BANK, by))['id'] as string;
  const account = (await post('/v1/accounts', { currency: 'EUR' }, by))['id'] as string;
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 50 }, by);
  const payee = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
  const recipient = (await post('/v1/recipients', payee, by))['id'] as string;
  const now = new Date().toISOString().slice(0, 7);
  const report = async () => must(await by.get(`/v1/bank_accounts/${bank}/reconciliation?month=${now}`)).json;
  for (const amount of [5, 7]) await post('/v1/payouts', { amount, currency: 'EUR', recipient }, by);
  const { files } = await post('/v1/payment_files', {}, by);
  const file = `/v1/payment_files/${(files as Json[])[0]?.['id'] as string}`;
  await eventually('the file is sealed', async () => must(await by.get(file)).json['status'] === 'sealed');
  expect(await report()).toMatchObject({
    in_transit: { count: 2, amount: 12, ages: [{ from_days: 0, to_days: 1, count: 2 }, {}, {}, {}, { to_days: null }] },
    places: { payouts: { out: 0 } },
    proof: { status: 'none' },
  });
  const { text: statement } = must(await by.get(`/v1/test_helpers/bank_accounts/${bank}/statement`));
  await sleep(2);
  must(await upload(statement, by));
  expect(await report()).toMatchObject({
    in_transit: { count: 0 },
    places: { payouts: { out: 12 } },
    proof: { status: 'ok' },
  });
});
