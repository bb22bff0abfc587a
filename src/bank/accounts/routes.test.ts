/** Bank accounts over HTTP: added, changed, closed; canonical, audited, announced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { addBusinessDays } from '../../core/rails/business-days.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';

let application: Application;
let client: Client;
let sandbox: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.live.client;
  sandbox = application.otherSandbox.client;
});
afterAll(() => application?.stop());

const GERMAN = {
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum’s Universal GmbH',
  bank_details: { iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeffxxx' },
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
};
const get = async (path: string) => must(await client.get(path)).json;
const list = async (path: string) => (await get(path))['data'] as Json[];

describe('a bank account', () => {
  let id: string;

  it('is added with what its country usually has, in canonical form, at zero', async () => {
    const made = must(await client.post('/v1/bank_accounts', GERMAN)).json;
    expect(made).toEqual({
      id: expect.stringMatching(/^ba_[0-9a-z]{26}$/),
      object: 'bank_account',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: true,
      name: null,
      currency: 'EUR',
      country: 'DE',
      holder: 'Rossum’s Universal GmbH',
      holder_address: null,
      bank_details: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
      uses: ['payouts', 'collections'],
      pending_changes: null,
      profile: 'de_dk',
      calendar: 'target',
      holidays: [],
      cut_off: '14:30',
      time_zone: 'Europe/Berlin',
      booked_by: 'camt.053',
      payee_check: 'on',
      exports: 'by_hand',
      paid_by: 'booking',
      reversal_sign: 'own',
      charges: 'to_fees',
      on_drift: 'warn',
      exports_stopped_by: null,
      balance: 0,
      books_from_on: null,
      status: 'open',
      metadata: {},
    });
    id = made['id'] as string;
    expect(await get(`/v1/bank_accounts/${id}`)).toEqual(made);
    expect(await list('/v1/bank_accounts?currency=EUR&status=open')).toEqual([made]);
    expect(await list('/v1/bank_accounts?status=closed')).toEqual([]);
    expect(await list('/v1/events?limit=1')).toMatchObject([{ type: 'bank_account.created', data: { object: made } }]);
    expect(await list('/v1/audit_log?limit=1')).toMatchObject([
      { action: 'bank_account.created', subject: id, details: { currency: 'EUR', last4: '3000' } },
    ]);
  });

  it('changes, one event each time something does', async () => {
    const address = { line1: 'Weg 1', line2: null, postal_code: '10115', city: 'Berlin', state: null, country: 'DE' };
    const { line2: _, state: __, ...sent } = address;
    const changes = { name: 'Main', uses: ['payouts'], cut_off: '15:00' };
    for (let i = 0; i < 2; i++) {
      const { json } = must(await client.post(`/v1/bank_accounts/${id}`, { ...changes, holder_address: sent }));
      expect(json).toMatchObject({ ...changes, holder_address: address });
    }
    const [event, before] = await list('/v1/events?limit=2');
    expect(event).toMatchObject({
      type: 'bank_account.updated',
      data: {
        previous_attributes: { name: null, uses: ['payouts', 'collections'], cut_off: '14:30', holder_address: null },
      },
    });
    expect(before).toMatchObject({ type: 'bank_account.created' });
    expect(must(await client.post(`/v1/bank_accounts/${id}`, { name: '', holder_address: null })).json).toMatchObject({
      name: null,
      holder_address: null,
    });
  });

  it('is closed on days that are added: sorted, replaced as a whole, and unset', async () => {
    const holidays = ['2027-12-31', '2027-12-24'];
    const change = async (value: unknown) =>
      must(await client.post(`/v1/bank_accounts/${id}`, { holidays: value })).json['holidays'];
    expect(await change(holidays)).toEqual(['2027-12-24', '2027-12-31']);
    const [event] = await list('/v1/events?limit=1');
    expect(event).toMatchObject({ type: 'bank_account.updated', data: { previous_attributes: { holidays: [] } } });
    const audited = await list('/v1/audit_log?limit=1');
    expect(audited).toMatchObject([{ action: 'bank_account.updated', details: { changed: ['holidays'] } }]);
    expect(await change(holidays)).toEqual(['2027-12-24', '2027-12-31']);
    expect(await list('/v1/events?limit=1')).toEqual([event]); // the same days change nothing
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = async (body: string) =>
      must(await client.send('POST', `/v1/bank_accounts/${id}`, body, form)).json['holidays'];
    expect(await sent('holidays[]=2027-05-03')).toEqual(['2027-05-03']);
    expect(await sent('holidays=')).toEqual([]);
    expect(await change(['2027-05-03'])).toEqual(['2027-05-03']);
    expect(await change(null)).toEqual([]);
  });

  it('and a payout that may leave is executed behind them', async () => {
    const recipient = {
      type: 'individual',
      name: 'Ada',
      currency: 'EUR',
      country: 'DE',
      iban: 'DE02120300000000202051',
    };
    const to = must(await sandbox.post('/v1/recipients', recipient)).json['id'];
    const account = must(await sandbox.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    must(await sandbox.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 50 }));
    const bank = must(await sandbox.post('/v1/bank_accounts', GERMAN)).json['id'] as string;
    const soon = isoDay(Date.now() + 10 * DAY_MS);
    const [first, second, third, fourth] = [0, 1, 2, 3].map((count) => addBusinessDays('target', soon, count));
    const expected = async () => {
      const payout = { amount: 1, currency: 'EUR', recipient: to, account, scheduled_on: soon };
      const { expected_execution_on: executed, expected_arrival_on: arrives } = must(
        await sandbox.post('/v1/payouts', payout),
      ).json;
      return [executed, arrives];
    };
    expect(await expected()).toEqual([first, second]);
    must(await sandbox.post(`/v1/bank_accounts/${bank}`, { holidays: [second, first, '2020-01-03'] }));
    expect(await expected()).toEqual([third, fourth]);
  });

  it('is there once, unless in another currency or after it was closed', async () => {
    const again = await client.post('/v1/bank_accounts', GERMAN);
    expect([outcome(again), again.json['error']]).toMatchObject(['400 bank_account_exists', { resource_id: id }]);
    expect(must(await client.post(`/v1/bank_accounts/${id}/close`)).json).toMatchObject({ status: 'closed' });
    expect(outcome(await client.post(`/v1/bank_accounts/${id}/close`))).toBe('400 bank_account_closed');
    expect(outcome(await client.post(`/v1/bank_accounts/${id}`, { name: 'x' }))).toBe('400 bank_account_closed');
    must(await client.post('/v1/bank_accounts', GERMAN));
  });

  it.each([
    ['GB', 'GBP', { sort_code: '20-00-00', account_number: '55779911' }, 'generic', 'gb'],
    ['US', 'USD', { routing_number: '110000000', account_number: '000123456789' }, 'generic', 'us'],
    ['CH', 'CHF', { iban: 'CH93 0076 2011 6238 5295 7' }, 'ch_sps', 'ch'],
    ['PL', 'PLN', { iban: 'PL61 1090 1014 0000 0712 1981 2874' }, 'generic', 'pl'],
    ['DE', 'USD', { iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }, 'de_dk', 'us'],
    ['FR', 'EUR', { iban: 'FR1420041010050500013M02606' }, 'epc', 'target'],
  ])('in %s has what is usual there', async (country, currency, bank_details, profile, calendar) => {
    const made = must(await client.post('/v1/bank_accounts', { ...GERMAN, country, currency, bank_details })).json;
    expect(made).toMatchObject({ country, currency, profile, calendar });
  });

  it.each([
    [{ bank_details: { iban: 'DE89370400440532013001' } }, '400 iban_invalid bank_details[iban]'],
    [{ bank_details: {} }, '400 parameter_missing bank_details[iban]'],
    [{ cut_off: '24:00' }, '400 parameter_invalid cut_off'],
    [{ cut_off: '9:00' }, '400 parameter_invalid cut_off'],
    [{ time_zone: 'Europe/Nowhere' }, '400 parameter_invalid time_zone'],
    [{ uses: [] }, '400 parameter_invalid uses'],
    [{ uses: ['savings'] }, '400 parameter_invalid uses[0]'],
    [{ profile: 'us' }, '400 parameter_invalid profile'],
    [{ calendar: 'fr' }, '400 parameter_invalid calendar'],
    [{ holidays: '2026-12-24' }, '400 parameter_invalid holidays'],
    [{ holidays: ['2026-12-24', '24.12.2026'] }, '400 parameter_invalid holidays[1]'],
    [{ holidays: ['2026-02-29'] }, '400 parameter_invalid holidays[0]'],
    [{ holidays: ['2026-12-24', '2026-12-31', '2026-12-24'] }, '400 parameter_invalid holidays[2]'],
    [{ holidays: Array.from({ length: 101 }, () => '') }, '400 parameter_invalid holidays'],
    [{ holder: ' ' }, '400 parameter_invalid holder'],
  ])('%j is refused: %s', async (wrong, refused) => {
    expect(outcome(await client.post('/v1/bank_accounts', { ...GERMAN, ...wrong }))).toBe(refused);
  });

  it('needs the scope', async () => {
    const reader = await application.key({ scopes: ['bank_accounts:read'] });
    expect(outcome(await reader.client.post('/v1/bank_accounts', GERMAN))).toBe('403 scope_missing');
    expect(must(await reader.client.get('/v1/bank_accounts')).json).toEqual({ data: [] });
  });
});
