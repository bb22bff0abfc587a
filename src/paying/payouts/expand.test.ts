/** `expand[]` on payouts, exchanges and payments, and where a payout went. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
});
afterAll(() => application?.stop());

const read = async (path: string) => must(await client.get(path)).json;

describe('destination', () => {
  it('says where the payout goes, and stays as it was when the recipient changes', async () => {
    const payee = {
      name: 'Grace Hopper',
      type: 'individual',
      currency: 'USD',
      country: 'US',
      account_number: '000123456789',
      routing_number: '110000000',
    };
    const recipient = must(await client.post('/v1/recipients', payee)).json['id'] as string;
    const account = must(await client.post('/v1/accounts', { currency: 'USD' })).json['id'] as string;
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10 }));
    const payout = must(await client.post('/v1/payouts', { amount: 5, currency: 'USD', recipient })).json;
    const destination = { name: 'Grace Hopper', scheme: 'local', country: 'US', bank: '110000000', last4: '6789' };
    expect(payout).toMatchObject({ destination, expected_arrival_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    must(await client.post(`/v1/recipients/${recipient}`, { name: 'Rear Admiral Hopper' }));
    expect(await read(`/v1/payouts/${payout['id'] as string}`)).toMatchObject({ destination });
    const [event] = (await read(`/v1/events?related_object=${payout['id'] as string}`))['data'] as Json[];
    expect((event?.['data'] as Json | undefined)?.['object']).toMatchObject({
      destination,
      expected_arrival_on: payout['expected_arrival_on'],
    });
  });

  it('a euro payout arrives on the next day on which TARGET is open', async () => {
    const order = { amount: 5, currency: 'EUR', recipient: fixtures.rcp, dry_run: true, scheduled_on: '' };
    const year = new Date().getUTCFullYear() + (new Date().getUTCMonth() === 11 ? 1 : 0);
    const eve = `${year}-12-24`;
    const after = new Date(Date.parse(`${eve}T00:00:00Z`) + 3 * 86_400_000);
    while (after.getUTCDay() === 0 || after.getUTCDay() === 6) after.setUTCDate(after.getUTCDate() + 1);
    const payout = must(await client.post('/v1/payouts', { ...order, scheduled_on: eve })).json;
    const isWeekend = [0, 6].includes(new Date(`${eve}T00:00:00Z`).getUTCDay());
    if (!isWeekend) expect(payout['expected_arrival_on']).toBe(after.toISOString().slice(0, 10));
    expect(payout['destination']).toMatchObject({ scheme: 'sepa' });
  });
});

describe('expand', () => {
  it('adds the objects beside their ids, the same as they are read alone', async () => {
    const path = `/v1/payouts/${fixtures.po}`;
    const plain = await read(path);
    const { expanded, ...rest } = await read(`${path}?expand[]=recipient&expand[]=account&expand[]=transfer`);
    expect(rest).toEqual(plain);
    expect(expanded).toEqual({
      recipient: await read(`/v1/recipients/${plain['recipient'] as string}`),
      account: await read(`/v1/accounts/${plain['account'] as string}`),
      transfer: await read(`/v1/transfers/${plain['transfer'] as string}`),
    });
  });

  it('takes one as expand=recipient, as filters take one value, and no list with commas', async () => {
    const path = `/v1/payouts/${fixtures.po}`;
    const whole = await read(`${path}?expand[]=recipient`);
    expect(whole['expanded']).toMatchObject({ recipient: { id: fixtures.rcp } });
    expect(await read(`${path}?expand=recipient`)).toEqual(whole);
    expect(outcome(await client.get(`${path}?expand=recipient,account`))).toBe('400 parameter_invalid expand[0]');
    expect(outcome(await client.get(`${path}?expand=recipient&expand=account`))).toBe('400 parameter_repeated expand');
  });

  it('in lists each gets its own, and what is null is not there', async () => {
    const order = { amount: 5, currency: 'EUR', recipient: fixtures.rcp };
    const earlier = must(await client.post('/v1/payouts/batch', { payouts: [order] })).json['id'] as string;
    // Texts of the merchant's are no ids of the payout, whether they name what is there or what cannot be expanded.
    const metadata = { batch: earlier };
    must(await client.post('/v1/payouts', { ...order, metadata: { batch: fixtures.we } }));
    must(await client.post('/v1/payouts', { ...order, metadata }));
    must(await client.post('/v1/payouts/batch', { payouts: [order] }));
    const [batched, single, third] = (await read('/v1/payouts?limit=3&expand[]=batch'))['data'] as Json[];
    expect(batched?.['expanded']).toEqual({ batch: await read(`/v1/payout_batches/${batched?.['batch'] as string}`) });
    expect([single?.['metadata'], single?.['expanded'], third?.['expanded']]).toEqual([metadata, {}, {}]);
  });

  it('works on exchanges and payments', async () => {
    const [exchange] = (await read('/v1/exchanges?expand[]=sell_account&expand[]=buy_transfer'))['data'] as Json[];
    expect(exchange?.['expanded']).toMatchObject({
      sell_account: { id: exchange?.['sell_account'] },
      buy_transfer: { id: exchange?.['buy_transfer'] },
    });
    const payment = await read(`/v1/payments/${fixtures.pay}?expand[]=payment_link`);
    expect(payment['expanded']).toEqual({
      payment_link: await read(`/v1/payment_links/${payment['payment_link'] as string}`),
    });
  });

  it('needs the read scope of what it shows, also where another key has just asked the same', async () => {
    const path = `/v1/payouts/${fixtures.po}?expand[]=recipient`;
    const [wide, narrow] = [
      await application.key({ scopes: ['payouts:read', 'recipients:read'] }),
      await application.key({ scopes: ['payouts:read'] }),
    ];
    for (const { client: other } of [application.sandbox, wide, wide])
      expect(outcome(await other.get(path))).toBe('200');
    expect(outcome(await narrow.client.get(path))).toBe('403 scope_missing expand');
  });

  it('names what can be expanded', async () => {
    const { json } = await client.get('/v1/payouts?expand[]=livemode');
    expect(json['error']).toMatchObject({
      code: 'parameter_invalid',
      param: 'expand[0]',
      allowed: ['recipient', 'account', 'batch', 'exchange', 'transfer', 'reversal', 'created_by', 'flags'],
    });
  });
});
