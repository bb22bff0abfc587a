/** Bank accounts over HTTP: added, changed, closed; canonical, audited, announced. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.live.client;
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
      books_from: null,
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
